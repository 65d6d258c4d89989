// SPDX-License-Identifier: Apache-2.0
// Sizes as frameworks and the kernel print them in their messages, with what their rounding leaves
// open: "20.00 MiB" is anything from 19.995 to 20.005 MiB. Next: cursor.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpusight::memory {

struct Amount {
  double bytes = 0;
  double error = 0;  // the true size is at most that far away
  friend bool operator==(const Amount&, const Amount&) = default;
};

// Whether both may be the same size, as far as their rounding tells.
[[nodiscard]] bool MayEqual(const Amount& a, const Amount& b);

// No device and no machine holds more; where a text claims it (an unsigned number that went below
// zero, printed by drivers that do not know), it says nothing.
inline constexpr double kMostBytes = 1125899906842624.0;  // 1 PiB

// Takes a size off the front of `text`: "20.00 MiB", "762.939697MB", "23.68G", "4096kB",
// "512 bytes", "1,024 bytes". All units are powers of 1024, as all the writers mean them, whatever
// the spelling. A number without a unit is taken as bytes only when `bare` is set.
[[nodiscard]] std::optional<Amount> TakeAmount(std::string_view& text, bool bare = false);

// Takes a whole number off the front of `text`, after blanks.
[[nodiscard]] std::optional<uint64_t> TakeWhole(std::string_view& text);

}  // namespace gpusight::memory
