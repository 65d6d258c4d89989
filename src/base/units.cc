// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "base/text.h"

namespace gpusight {
namespace {

struct Suffix {
  std::string_view text;
  double factor;
};

// The number in front of a known suffix, times the suffix's factor; the longest suffix must come
// first in the table.
template <size_t N>
std::optional<double> ParseWithSuffix(std::string_view text, const std::array<Suffix, N>& table) {
  text = Trim(text);
  for (const Suffix& suffix : table) {
    if (!text.ends_with(suffix.text)) continue;
    const auto number = ParseNumber<double>(Trim(text.substr(0, text.size() - suffix.text.size())));
    if (!number || !std::isfinite(*number)) continue;
    return *number * suffix.factor;
  }
  return std::nullopt;
}

}  // namespace

std::string FormatBytes(double bytes) {
  const double size = std::fabs(bytes);
  // Thresholds a little below the unit, so that 1023.96 MiB does not print as "1024.0MiB".
  if (size >= kTiB * 0.99995) return fmt::format("{:.1f}TiB", bytes / kTiB);
  if (size >= kGiB * 0.99995) return fmt::format("{:.1f}GiB", bytes / kGiB);
  if (size >= kMiB * 0.99995) return fmt::format("{:.1f}MiB", bytes / kMiB);
  if (size >= kKiB) return fmt::format("{:.1f}KiB", bytes / kKiB);
  return fmt::format("{:.0f}B", bytes);
}

std::string FormatRate(double bytes_per_second) { return FormatBytes(bytes_per_second) + "/s"; }

std::string FormatRatio(double ratio, int decimals) {
  return fmt::format("{:.{}f}%", ratio * 100, decimals);
}

std::string FormatDuration(double seconds) {
  if (!(seconds >= 0)) return "-";
  if (seconds < 0.9995) return fmt::format("{:.0f}ms", seconds * 1000);
  if (seconds < 10) return fmt::format("{:.1f}s", seconds);
  const auto s = static_cast<int64_t>(std::llround(seconds));
  if (s < 60) return fmt::format("{}s", s);
  if (s < 3600) return fmt::format("{}m{:02}s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{}h{:02}m", s / 3600, s % 3600 / 60);
  return fmt::format("{}d{:02}h", s / 86400, s % 86400 / 3600);
}

std::optional<double> ParseDuration(std::string_view text) {
  static constexpr std::array<Suffix, 6> kSuffixes = {
      {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"", 1}}};
  const auto seconds = ParseWithSuffix(text, kSuffixes);
  if (!seconds || !(*seconds > 0)) return std::nullopt;
  return seconds;
}

std::optional<uint64_t> ParseBytes(std::string_view text) {
  static constexpr std::array<Suffix, 10> kSuffixes = {{{"KiB", kKiB},
                                                        {"MiB", kMiB},
                                                        {"GiB", kGiB},
                                                        {"TiB", kTiB},
                                                        {"K", kKiB},
                                                        {"M", kMiB},
                                                        {"G", kGiB},
                                                        {"T", kTiB},
                                                        {"B", 1},
                                                        {"", 1}}};
  const auto bytes = ParseWithSuffix(text, kSuffixes);
  if (!bytes || *bytes < 0 || *bytes > 9e18) return std::nullopt;
  return static_cast<uint64_t>(std::llround(*bytes));
}

}  // namespace gpusight
