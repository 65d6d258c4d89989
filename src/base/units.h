// SPDX-License-Identifier: Apache-2.0
// Numbers for people: GiB, %, durations. Inside gpusight everything is in base units (bytes,
// seconds, ratios 0-1); only screens and reports call these. "GB" is never printed. Next:
// language.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpusight {

inline constexpr double kKiB = 1024.0, kMiB = kKiB * 1024, kGiB = kMiB * 1024, kTiB = kGiB * 1024;

// "12.4GiB", "512.0MiB", "0B": the largest unit of 1024 that gives at least 1.
[[nodiscard]] std::string FormatBytes(double bytes);

// "1.5GiB/s".
[[nodiscard]] std::string FormatRate(double bytes_per_second);

// 0.784 -> "78%"; `decimals` digits after the point.
[[nodiscard]] std::string FormatRatio(double ratio, int decimals = 0);

// "950ms", "12s", "4m05s", "3h07m", "2d04h".
[[nodiscard]] std::string FormatDuration(double seconds);

// A duration as a user writes it: "100ms", "5s", "2m", "1h", "1d", "0.5" (seconds). Positive only.
[[nodiscard]] std::optional<double> ParseDuration(std::string_view text);

// A size as a user writes it: "8GiB", "512MiB", "100M" (M means MiB), "4096". At least 0.
[[nodiscard]] std::optional<uint64_t> ParseBytes(std::string_view text);

}  // namespace gpusight
