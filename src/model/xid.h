// SPDX-License-Identifier: Apache-2.0
// What an XID error of the driver means for a user: is it the program, the memory, the links?
// After NVIDIA's catalogue for Hopper. Pure. The doctor and the end of a run tell of it.
#pragma once

#include <cstdint>

#include "base/language.h"

namespace gpusight {

enum class XidKind : uint8_t {
  kProgram,      // a bad address or instruction of a kernel
  kConsequence,  // follows from another error
  kMemory,       // a memory error of the card
  kLink,         // NVLink
  kOffBus,       // the card is gone
  kFirmware,     // the card's own processors stopped
  kAction,       // announces what the driver wants
  kOther,
};

[[nodiscard]] XidKind KindOfXid(int xid);

struct XidText {
  const Text* meaning;
  const Text* remedy;  // null: none
};
[[nodiscard]] XidText TextOf(XidKind kind);

// Whether it is the card or its links, rather than the program.
[[nodiscard]] bool IsOfTheCard(XidKind kind);

}  // namespace gpusight
