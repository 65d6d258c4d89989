// SPDX-License-Identifier: Apache-2.0
// Keys, mouse, and what they do. One table binds keys to actions; the help screen, the hints in
// the last line and docs/top.md all come from it. Next: update.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/language.h"
#include "tui/geometry.h"

namespace gpusight::tui {

enum class KeyCode : uint8_t {
  kCharacter,  // see Key::character
  kFunction,   // see Key::number
  kControl,    // Ctrl and the letter in Key::character, lower case
  kUp,
  kDown,
  kLeft,
  kRight,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kEnter,
  kEscape,
  kBackspace,
  kDelete,
  kTab,
};

struct Key {
  KeyCode code = KeyCode::kCharacter;
  char32_t character = 0;
  int number = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

enum class MouseAction : uint8_t { kClick, kDoubleClick, kWheelUp, kWheelDown };
struct Mouse {
  MouseAction action = MouseAction::kClick;
  int column = 0, row = 0;
};

enum class Action : uint8_t {
  kQuit,
  kHelp,
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kLeft,
  kRight,
  kProcessDetails,
  kDeviceDetails,
  kSearch,
  kNextMatch,
  kPreviousMatch,
  kFilter,
  kTree,
  kAll,
  kSort,
  kReverse,
  kColumns,
  kSignal,
  kFocusNext,
  kPause,
  kFaster,
  kSlower,
  kSpanShorter,
  kSpanLonger,
  kRedraw,
  kSuspend,
  kStepBack,  // in a recording: ten seconds, a minute, ten minutes
  kStepForward,
  kSkipBack,
  kSkipForward,
  kLeapBack,
  kLeapForward,
  kBack,
};

struct Binding {
  Action action;
  std::string_view keys;  // "q F10 Ctrl-C", as the help screen shows them
  Text help;
};

[[nodiscard]] std::span<const Binding> Bindings();
// What keys do besides, or instead, while a recording is played.
[[nodiscard]] std::span<const Binding> PlaybackBindings();
[[nodiscard]] std::optional<Action> ActionOf(const Key& key);

// "F1", "PgUp", "Ctrl-L", "q", "Space" -> a key.
[[nodiscard]] std::optional<Key> ParseKey(std::string_view name);

}  // namespace gpusight::tui
