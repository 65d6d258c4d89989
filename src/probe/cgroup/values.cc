// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/values.h"

#include "base/text.h"

namespace gpusight::cgroup {

std::optional<uint64_t> ParseCount(std::string_view text) {
  return ParseNumber<uint64_t>(Trim(text));
}

std::optional<Limit> ParseLimit(std::string_view text) {
  const std::string_view word = Trim(text);
  if (word == "max") return Limit{true, 0};
  const auto number = ParseNumber<uint64_t>(word);
  if (!number) return std::nullopt;
  // v1 rounds its largest value down to a page: 0x7FFFFFFFFFFFF000 with 4 KiB, less with 64 KiB.
  constexpr uint64_t kV1Unlimited = 0x7FFFFFFFFFFF0000;
  if (*number >= kV1Unlimited) return Limit{true, 0};
  return Limit{false, static_cast<double>(*number)};
}

std::optional<Limit> ParseCpuMax(std::string_view text) {
  std::string_view line = Trim(text);
  const auto quota = NextWord(line);
  const auto period = NextWord(line);
  if (!quota) return std::nullopt;
  if (*quota == "max") return Limit{true, 0};
  const auto number = ParseNumber<int64_t>(*quota);
  if (!number) return std::nullopt;
  return ParseCpuQuota(*number, period.value_or("100000"));
}

std::optional<Limit> ParseCpuQuota(int64_t quota_us, std::string_view period) {
  const auto period_us = ParseNumber<int64_t>(Trim(period));
  if (!period_us || *period_us <= 0) return std::nullopt;
  if (quota_us < 0) return Limit{true, 0};
  return Limit{false, static_cast<double>(quota_us) / static_cast<double>(*period_us)};
}

std::optional<uint64_t> ParseKey(std::string_view text, std::string_view key) {
  while (auto line = NextLine(text)) {
    if (NextWord(*line) == key) return ParseNumber<uint64_t>(Trim(*line));
  }
  return std::nullopt;
}

std::optional<int> CountCpuList(std::string_view text) {
  std::string_view list = Trim(text);
  int64_t count = 0;
  while (!list.empty()) {
    const size_t comma = list.find(',');
    const std::string_view part = list.substr(0, comma);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    const size_t dash = part.find('-');
    const auto first = ParseNumber<uint32_t>(part.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : ParseNumber<uint32_t>(part.substr(dash + 1));
    constexpr uint32_t kMost = 1 << 20;
    if (!first || !last || *last < *first || *last > kMost) return std::nullopt;
    count += int64_t{*last} - *first + 1;
    if (count > kMost) return std::nullopt;
  }
  return static_cast<int>(count);
}

}  // namespace gpusight::cgroup
