// SPDX-License-Identifier: Apache-2.0
// What an allocator setting that PyTorch refuses or misreads was meant to be: fault by fault, the
// token at fault is replaced and the whole is read again, as PyTorch would.
#include <algorithm>
#include <optional>

#include "cli/doctor/alloc_conf.h"
#include "cli/doctor/meant_value.h"

namespace gpusight::doctor {
namespace {

constexpr int kMostFaults = 32;  // more are no slip of the finger

ValueUnit UnitOf(const ConfKey& key) {
  switch (key.rule) {
    case ConfRule::kMegabytes:
    case ConfRule::kSegment:
      return ValueUnit::kMiB;
    case ConfRule::kOpenFraction:
    case ConfRule::kFraction:
      return ValueUnit::kShare;
    default:
      return ValueUnit::kCount;
  }
}

// What should stand instead of the token; nullopt when that is not clear.
std::optional<std::string> Instead(const ConfFault& fault, const std::string& token) {
  const ConfKey* key = FindConfKey(fault.key);
  switch (fault.kind) {
    case ConfFaultKind::kEqualsSign:
    case ConfFaultKind::kUnknownKey: {
      if (fault.detail.empty()) return std::nullopt;
      const size_t equals = token.find('=');
      if (equals == std::string::npos) return fault.detail;
      return fault.detail + ":" + token.substr(equals + 1);
    }
    case ConfFaultKind::kNotBool:
      if (const auto yes = MeantBool(token)) return *yes ? "True" : "False";
      return std::nullopt;
    case ConfFaultKind::kTooSmall:
      return fault.detail;
    case ConfFaultKind::kUnknownBackend:
      return MeantWord(token, "native|cudaMallocAsync");
    case ConfFaultKind::kUnclosedList:
      return "]";
    case ConfFaultKind::kNotInRange:
    case ConfFaultKind::kTrailing:
      if (key == nullptr) return std::nullopt;
      return MeantNumber(token, UnitOf(*key), UnitOf(*key) != ValueUnit::kShare);
    default:
      return std::nullopt;
  }
}

bool Mends(ConfFaultKind kind) { return Refused(kind) || kind == ConfFaultKind::kTrailing; }

std::string Joined(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

}  // namespace

std::optional<std::string> MendAllocConf(std::string_view text) {
  std::string mended(text);
  for (int i = 0; i < kMostFaults; ++i) {
    const AllocConf conf = ParseAllocConf(mended);
    const auto fault = std::find_if(conf.faults.begin(), conf.faults.end(),
                                    [](const ConfFault& one) { return Mends(one.kind); });
    if (fault == conf.faults.end()) {
      const bool negative =
          std::any_of(conf.faults.begin(), conf.faults.end(),
                      [](const ConfFault& one) { return one.kind == ConfFaultKind::kNegative; });
      if (negative || conf.items.empty()) return std::nullopt;
      return mended;
    }
    std::vector<std::string> tokens = AllocConfTokens(mended);
    const bool at_end = fault->token >= tokens.size();
    const std::string token = at_end ? std::string() : tokens[fault->token];
    const auto instead = Instead(*fault, token);
    if (!instead || *instead == token) return std::nullopt;
    if (at_end) {
      tokens.push_back(*instead);
    } else {
      tokens[fault->token] = *instead;
    }
    mended = Joined(tokens);
  }
  return std::nullopt;
}

}  // namespace gpusight::doctor
