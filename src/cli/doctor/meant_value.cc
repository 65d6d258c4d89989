// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/meant_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "cli/doctor/number_prefix.h"
#include "cli/nearest.h"
#include "model/text/doctor_environment.h"

namespace gpusight::doctor {
namespace {

constexpr double kMost = 9007199254740992;  // 2^53: above it a double counts no longer by ones
constexpr size_t kShortestPart = 3;

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

double BytesIn(ValueUnit unit) {
  switch (unit) {
    case ValueUnit::kBytes:
      return 1;
    case ValueUnit::kKiB:
      return kKiB;
    case ValueUnit::kMiB:
      return kMiB;
    case ValueUnit::kGiB:
      return kGiB;
    case ValueUnit::kCount:
    case ValueUnit::kMilliseconds:
    case ValueUnit::kShare:
      break;
  }
  return 0;
}

// "GB", "gib", "g": the frameworks know powers of 1024 only, whatever they are called.
std::optional<double> BytesOfSuffix(std::string_view suffix) {
  if (suffix == "b" || suffix == "byte" || suffix == "bytes") return 1;
  constexpr std::string_view kLetters = "kmgt";
  const size_t power = kLetters.find(suffix.empty() ? '?' : suffix.front());
  if (power == std::string_view::npos) return std::nullopt;
  const std::string_view rest = suffix.substr(1);
  if (!rest.empty() && rest != "b" && rest != "ib") return std::nullopt;
  return std::pow(kKiB, static_cast<double>(power + 1));
}

// By how much a number with that suffix is to be multiplied.
std::optional<double> Factor(std::string_view suffix, ValueUnit unit) {
  if (suffix.empty()) return 1;
  switch (unit) {
    case ValueUnit::kBytes:
    case ValueUnit::kKiB:
    case ValueUnit::kMiB:
    case ValueUnit::kGiB:
      if (const auto bytes = BytesOfSuffix(suffix)) return *bytes / BytesIn(unit);
      return std::nullopt;
    case ValueUnit::kMilliseconds:
      if (suffix == "ms") return 1;
      if (suffix == "s" || suffix == "sec") return 1000;
      if (suffix == "min") return 60000;
      return std::nullopt;
    case ValueUnit::kShare:
      if (suffix == "%") return 0.01;
      return std::nullopt;
    case ValueUnit::kCount:
      break;
  }
  return std::nullopt;
}

}  // namespace

ValueUnit UnitOf(const MemoryFlag& flag) {
  if (flag.rule == ValueRule::kShare || flag.name.ends_with("_MEM_FRACTION")) {
    return ValueUnit::kShare;
  }
  const std::string name = Lower(flag.name);
  if (name.ends_with("_mb")) return ValueUnit::kMiB;
  if (name.ends_with("_gb")) return ValueUnit::kGiB;
  if (name.ends_with("_buffsize") || name == "flags_alignment_size") return ValueUnit::kBytes;
  if (name == "cublaslt_workspace_size") return ValueUnit::kKiB;
  if (name == "flags_gpu_allocator_retry_time") return ValueUnit::kMilliseconds;
  if (name == "flags_conv_workspace_size_limit" || name == "flags_fuse_parameter_memory_size" ||
      name == "flags_local_exe_sub_scope_limit") {
    return ValueUnit::kMiB;
  }
  return ValueUnit::kCount;
}

const Text& Takes(ValueUnit unit, bool whole) {
  switch (unit) {
    case ValueUnit::kBytes:
      return text::kTakesBytes;
    case ValueUnit::kKiB:
      return text::kTakesKiB;
    case ValueUnit::kMiB:
      return whole ? text::kTakesMiB : text::kTakesRealMiB;
    case ValueUnit::kGiB:
      return whole ? text::kTakesGiB : text::kTakesRealGiB;
    case ValueUnit::kMilliseconds:
      return text::kTakesMilliseconds;
    case ValueUnit::kShare:
      return text::kTakesShare;
    case ValueUnit::kCount:
      break;
  }
  return whole ? text::kTakesWhole : text::kTakesNumber;
}

std::optional<std::string> MeantNumber(std::string_view value, ValueUnit unit, bool whole) {
  const std::string_view text = Trim(value);
  const NumberPrefix number = RealPrefix(text);
  if (number.length == 0 || number.negative || !std::isfinite(number.value)) return std::nullopt;
  const auto factor = Factor(Trim(Lower(text.substr(number.length))), unit);
  if (!factor) return std::nullopt;
  double meant = number.value * *factor;
  // 92 of a share is a percentage; 2 may be anything.
  if (unit == ValueUnit::kShare && meant >= 10 && meant <= 100) meant /= 100;
  if (meant > kMost || (unit == ValueUnit::kShare && meant > 1)) return std::nullopt;
  if (whole) {
    if (meant != std::floor(meant)) return std::nullopt;
    return fmt::format("{:.0f}", meant);
  }
  return fmt::format("{:.6g}", meant);
}

std::optional<bool> MeantBool(std::string_view value) {
  const std::string word = Lower(Trim(value));
  for (const char* yes : {"1", "true", "t", "yes", "y", "on"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"0", "false", "f", "no", "n", "off"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

std::optional<std::string> MeantWord(std::string_view value, std::string_view words) {
  const auto all = Split(words, '|');
  const std::string_view trimmed = Trim(value);
  if (trimmed.empty()) return std::nullopt;
  const std::string word = Lower(trimmed);
  std::vector<std::string> lower;
  for (const std::string_view candidate : all) lower.push_back(Lower(candidate));
  const auto at = [&](size_t i) { return std::string(all[i]); };
  for (size_t i = 0; i < lower.size(); ++i) {
    if (lower[i] == word) return at(i);
  }
  if (const auto yes = MeantBool(word)) {
    for (const std::string_view same : {*yes ? "true" : "false", *yes ? "1" : "0"}) {
      if (std::find(all.begin(), all.end(), same) != all.end()) return std::string(same);
    }
  }
  const std::vector<std::string_view> views(lower.begin(), lower.end());
  if (const auto near = cli::Nearest(word, views)) {
    return at(static_cast<size_t>(std::find(views.begin(), views.end(), *near) - views.begin()));
  }
  // "growth" is a part of one word only.
  std::optional<std::string> found;
  for (size_t i = 0; i < lower.size() && word.size() >= kShortestPart; ++i) {
    if (lower[i].find(word) == std::string::npos) continue;
    if (found) return std::nullopt;
    found = at(i);
  }
  return found;
}

std::optional<std::string> MeantValue(const MemoryFlag& flag, std::string_view value) {
  switch (flag.rule) {
    case ValueRule::kBool:
      if (const auto yes = MeantBool(value)) return *yes ? "true" : "false";
      return std::nullopt;
    case ValueRule::kWords:
      return MeantWord(value, flag.values);
    case ValueRule::kUnsigned:
    case ValueRule::kInteger:
      return MeantNumber(value, UnitOf(flag), true);
    case ValueRule::kNumber:
    case ValueRule::kShare:
      return MeantNumber(value, UnitOf(flag), false);
    case ValueRule::kText:
    case ValueRule::kAllocConf:
    case ValueRule::kWorkspace:
    case ValueRule::kFlags:
    case ValueRule::kDevices:
      break;
  }
  return std::nullopt;
}

std::string ShellWord(std::string_view word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-+.,:=/%@").find(c) != std::string_view::npos;
  });
  if (plain) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace gpusight::doctor
