// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/flags_table.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/doctor/alloc_conf.h"
#include "model/text/doctor_flags.h"

namespace gpusight::doctor {
namespace {

std::string Row(std::initializer_list<std::string> cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string Ruler(size_t columns) {
  std::string out = "|";
  for (size_t i = 0; i < columns; ++i) out += " --- |";
  return out + "\n";
}

std::string Code(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("`{}`", text);
}

std::string Values(const MemoryFlag& flag, Language language) {
  switch (flag.rule) {
    case ValueRule::kText:
      return Say(language, text::kRuleText);
    case ValueRule::kWords: {
      std::string out;
      for (const std::string_view word : Split(flag.values, '|')) {
        if (!word.empty()) out += (out.empty() ? "" : ", ") + Code(word);
      }
      return out;
    }
    case ValueRule::kBool:
      return Say(language, text::kRuleBool);
    case ValueRule::kUnsigned:
      return Say(language, text::kRuleUnsigned);
    case ValueRule::kInteger:
      return Say(language, text::kRuleInteger);
    case ValueRule::kNumber:
      return Say(language, text::kRuleNumber);
    case ValueRule::kShare:
      return Say(language, text::kRuleShare);
    case ValueRule::kAllocConf:
      return Say(language, text::kRuleAllocConf);
    case ValueRule::kWorkspace:
      return Code(":KiB:count…");
    case ValueRule::kFlags:
      return Code("--flag=value …");
    case ValueRule::kDevices:
      return Say(language, text::kRuleDevices);
  }
  return {};
}

std::string ConfValues(const ConfKey& key, Language language) {
  switch (key.rule) {
    case ConfRule::kBool:
      return "`True`, `False`";
    case ConfRule::kMegabytes:
      return Say(language, text::kRuleAtLeast, key.least);
    case ConfRule::kSegment:
      return Say(language, text::kRuleSegment);
    case ConfRule::kOpenFraction:
      return "(0, 1)";
    case ConfRule::kFraction:
      return "[0, 1]";
    case ConfRule::kThreads:
      return Say(language, text::kRuleThreads);
    case ConfRule::kDivisions:
      return Say(language, text::kRuleDivisions);
    case ConfRule::kBackend:
      return "`native`, `cudaMallocAsync`";
    case ConfRule::kReserve:
      return "`0.5`, `40G`";
    case ConfRule::kReserveByClass:
      return "`[small:0.5,large:40G]`";
  }
  return {};
}

std::string Versions(const MemoryFlag& flag, Language language) {
  std::string out;
  if (!flag.since.empty()) out = Say(language, text::kFlagSince, flag.since);
  if (!flag.until.empty()) out = Say(language, text::kFlagBefore, flag.until);
  if (flag.gpu_only) out += (out.empty() ? "" : ", ") + Say(language, text::kFlagGpuOnly);
  return out;
}

std::string Meaning(const MemoryFlag& flag, Language language) {
  const std::string_view comma = language == Language::kChinese ? "；" : "; ";
  std::string out = Say(language, flag.meaning);
  const auto add = [&](const std::string& more) { out += std::string(comma) + more; };
  if (!flag.strategy.empty()) add(Say(language, text::kFlagStrategy, flag.strategy));
  if (flag.pitfall) add(Say(language, *flag.pitfall));
  if (!flag.replacement.empty()) add(Say(language, text::kFlagInstead, flag.replacement));
  return out;
}

}  // namespace

std::string FlagTable(std::span<const MemoryFlag> flags, Language language) {
  std::string out =
      Row({Say(language, text::kColumnVariable), Say(language, text::kColumnFramework),
           Say(language, text::kColumnValues), Say(language, text::kColumnDefault),
           Say(language, text::kColumnVersions), Say(language, text::kColumnMeaning)}) +
      Ruler(6);
  for (const MemoryFlag& flag : flags) {
    out += Row({Code(flag.name), std::string(FrameworkName(flag.framework)), Values(flag, language),
                Code(flag.fallback), Versions(flag, language), Meaning(flag, language)});
  }
  return out;
}

std::string ConfKeyTable(Language language) {
  std::string out =
      Row({Say(language, text::kColumnKey), Say(language, text::kColumnValues),
           Say(language, text::kColumnVersions), Say(language, text::kColumnMeaning)}) +
      Ruler(4);
  for (const ConfKey& key : ConfKeys()) {
    const std::string since =
        key.since.empty() ? std::string() : Say(language, text::kFlagSince, key.since);
    out += Row({Code(key.name), ConfValues(key, language), since, Say(language, key.meaning)});
  }
  return out;
}

}  // namespace gpusight::doctor
