// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/pressure.h"

#include "base/text.h"

namespace gpusight::cgroup {
namespace {

// "avg10=2.10 avg60=1.32 avg300=1.06 total=12765413"
std::optional<Stall> ParseStall(std::string_view rest) {
  Stall stall;
  int seen = 0;
  while (const auto word = NextWord(rest)) {
    const size_t equals = word->find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view key = word->substr(0, equals);
    const std::string_view value = word->substr(equals + 1);
    if (key == "total") {
      const auto total = ParseNumber<uint64_t>(value);
      if (!total) return std::nullopt;
      stall.total_us = *total;
      ++seen;
      continue;
    }
    const auto percent = ParseNumber<double>(value);
    if (!percent || !(*percent >= 0 && *percent <= 100)) return std::nullopt;
    if (key == "avg10") stall.average10 = *percent / 100;
    if (key == "avg60") stall.average60 = *percent / 100;
    if (key == "avg300") stall.average300 = *percent / 100;
    ++seen;
  }
  if (seen < 4) return std::nullopt;
  return stall;
}

}  // namespace

std::optional<Pressure> ParsePressure(std::string_view text) {
  std::optional<Stall> some;
  std::optional<Stall> full;
  while (auto line = NextLine(text)) {
    const auto kind = NextWord(*line);
    if (kind == "some") some = ParseStall(*line);
    if (kind == "full") full = ParseStall(*line);
  }
  if (!some) return std::nullopt;
  return Pressure{*some, full};
}

}  // namespace gpusight::cgroup
