// SPDX-License-Identifier: Apache-2.0
// What a cell means, rather than which colour it has: panels write roles, palette.h turns a role
// into colours for the terminal at hand. Next: palette.h.
#pragma once

#include <cstdint>

namespace gpusight::tui {

enum class Role : uint8_t {
  kText,
  kMuted,      // labels, rules, units
  kTitle,      // names of panels
  kUtil,       // the series of the charts, one role each
  kSm,         //
  kTensor,     //
  kDram,       //
  kMemory,     //
  kPower,      //
  kResidual,   // parts of the memory bar
  kReserved,   //
  kFree,       //
  kGood,       //
  kWarning,    //
  kBad,        //
  kHeading,    // the line of column titles
  kSelection,  // the selected line
  kKey,        // a key that can be pressed
  kBanner,     // the line that says that something is wrong
  kDialog,     // frame and text of a dialog
  kMatch,      // the text that was searched for
  kCount,
};

enum Attribute : uint8_t { kPlain = 0, kBold = 1, kUnderline = 2, kReverse = 4 };

struct Style {
  Role role = Role::kText;
  uint8_t attributes = kPlain;  // Attribute bits on top of what the role brings
  constexpr Style() = default;
  constexpr Style(Role r, uint8_t a = kPlain) : role(r), attributes(a) {}  // NOLINT: a role is one
  friend bool operator==(const Style&, const Style&) = default;
};

}  // namespace gpusight::tui
