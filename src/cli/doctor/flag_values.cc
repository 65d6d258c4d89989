// SPDX-License-Identifier: Apache-2.0
// What is said of one memory setting that a framework knows: its value, its pitfalls.
#include "cli/doctor/flag_values.h"

#include <fmt/format.h>

#include "base/units.h"
#include "cli/doctor/alloc_conf.h"
#include "cli/doctor/meant_value.h"
#include "cli/doctor/number_prefix.h"
#include "cli/doctor/workspace.h"
#include "model/text/doctor_environment.h"

namespace gpusight::doctor {
namespace {

const Text& TextOf(ConfFaultKind kind) {
  switch (kind) {
    case ConfFaultKind::kUnknownKey:
      return text::kConfUnknownKey;
    case ConfFaultKind::kEqualsSign:
      return text::kConfEqualsSign;
    case ConfFaultKind::kNoSeparator:
      return text::kConfNoSeparator;
    case ConfFaultKind::kNoValue:
      return text::kConfNoValue;
    case ConfFaultKind::kNotBool:
      return text::kConfNotBool;
    case ConfFaultKind::kNotNumber:
      return text::kConfNotNumber;
    case ConfFaultKind::kTooSmall:
      return text::kConfTooSmall;
    case ConfFaultKind::kNotInRange:
      return text::kConfNotInRange;
    case ConfFaultKind::kNotPowerOfTwo:
      return text::kConfNotPowerOfTwo;
    case ConfFaultKind::kUnclosedList:
      return text::kConfUnclosed;
    case ConfFaultKind::kNotList:
      return text::kConfNotList;
    case ConfFaultKind::kUnknownBackend:
      return text::kConfBackend;
    case ConfFaultKind::kTrailing:
      return text::kConfTrailing;
    case ConfFaultKind::kNegative:
      return text::kConfNegative;
    case ConfFaultKind::kRepeated:
      return text::kConfRepeated;
    case ConfFaultKind::kIgnoredByBackend:
      return text::kConfIgnored;
    case ConfFaultKind::kIgnoredReserve:
      return text::kConfReserve;
    case ConfFaultKind::kNeedsFraction:
      return text::kConfNeedsFraction;
  }
  return text::kConfNoValue;
}

void SayAllocConf(const std::string& id, const MemoryFlag& flag, std::string_view value,
                  Report& report) {
  const AllocConf conf = ParseAllocConf(value);
  const auto mended = MendAllocConf(value);
  for (const ConfFault& fault : conf.faults) {
    const Text& text = TextOf(fault.kind);
    if (Refused(fault.kind)) {
      report.Problem(id, text, flag.name, fault.key, fault.value, fault.detail);
    } else {
      report.Note(id, text, flag.name, fault.key, fault.value, fault.detail);
    }
    if (!Refused(fault.kind) && fault.kind != ConfFaultKind::kTrailing) continue;
    if (mended) {
      report.Remedy(text::kValueRemedy, flag.name, ShellWord(*mended));
    } else {
      report.Remedy(text::kConfRemedy, flag.name);
    }
  }
  if (!conf.faults.empty()) return;
  for (const ConfItem& item : conf.items) {
    const ConfKey& key = *FindConfKey(item.key);
    const auto meaning = key.meaning.In(report.language());
    if (key.since.empty()) {
      report.Ok(id, text::kConfOk, flag.name, item.key, item.value, meaning);
    } else {
      report.Ok(id, text::kConfSince, flag.name, item.key, item.value, meaning, key.since);
    }
  }
}

void SayXlaFlags(const std::string& id, std::string_view value, Report& report) {
  // A text that does not begin with "-" names a file.
  if (value.empty() || value.front() != '-') return;
  std::string_view rest = value;
  while (const auto word = NextWord(rest)) {
    if (word->starts_with("--")) continue;
    report.Problem(id, text::kXlaFlagsForm, *word).Remedy(text::kXlaFlagsRemedy);
    return;
  }
}

// What to set instead: the value that was meant, or, where that is not clear, what the flag takes.
void SayMeant(const MemoryFlag& flag, std::string_view value, Report& report) {
  if (const auto meant = MeantValue(flag, value)) {
    report.Remedy(text::kValueRemedy, flag.name, ShellWord(*meant));
  } else if (flag.rule == ValueRule::kBool) {
    report.Remedy(text::kTakesBool, flag.name);
  } else if (flag.rule == ValueRule::kWords) {
    report.Remedy(text::kFlagUnsetRemedy, flag.name);
  } else {
    const bool whole = flag.rule == ValueRule::kUnsigned || flag.rule == ValueRule::kInteger;
    report.Remedy(Takes(UnitOf(flag), whole), flag.name);
  }
}

// Faults that every setting of that kind can have; true when one was reported.
bool SayFault(const std::string& id, const MemoryFlag& flag, std::string_view value,
              Report& report) {
  const std::string_view fallback = flag.fallback;
  const bool whole = flag.rule == ValueRule::kUnsigned || flag.rule == ValueRule::kInteger;
  const std::string_view text = Trim(value);
  const size_t used = (whole ? WholePrefix(text) : RealPrefix(text)).length;
  switch (CheckValue(flag, value)) {
    case ValueFault::kNone:
      return false;
    case ValueFault::kNotBool:
      report.Problem(id, text::kValueNotBool, flag.name, value, fallback);
      break;
    case ValueFault::kNotNumber:
      report.Problem(
          id, text::kValueNotNumber, flag.name, value,
          fallback.empty() ? Say(report.language(), text::kNoDefault) : std::string(fallback));
      break;
    case ValueFault::kTrailing:
      report.Problem(id, text::kValueTrailing, flag.name, value, text.substr(0, used));
      break;
    case ValueFault::kNegative:
      report.Problem(id, text::kValueNegative, flag.name, value)
          .Remedy(text::kFlagUnsetRemedy, flag.name);
      return true;
    case ValueFault::kNotShare:
      report.Problem(id, text::kValueNotShare, flag.name, value);
      break;
    case ValueFault::kNotWord:
      report.Problem(id, text::kValueNotWord, flag.name, value, flag.values);
      break;
    case ValueFault::kRefused:
      if (flag.rule == ValueRule::kWords) {
        report.Problem(id, text::kValueJaxWord, flag.name, value, flag.values);
      } else {
        report.Problem(id, whole ? text::kValueJaxWhole : text::kValueJaxNumber, flag.name, value);
      }
      if (!MeantValue(flag, value)) {
        report.Remedy(text::kFlagUnsetRemedy, flag.name);
        return true;
      }
      break;
  }
  SayMeant(flag, value, report);
  return true;
}

// Words on single settings whose value is right and yet costs something; true when one was said.
bool SayCost(const std::string& id, const MemoryFlag& flag, std::string_view value,
             Report& report) {
  const std::string_view name = flag.name;
  if (name == "CUDA_LAUNCH_BLOCKING" && value == "1") {
    report.Note(id, text::kLaunchBlocking);
  } else if (name.starts_with("CUDA_MODULE_") && value == "EAGER") {
    report.Note(id, text::kModuleEager, name);
  } else if (name == "XLA_PYTHON_CLIENT_ALLOCATOR" && value == "platform") {
    report.Note(id, text::kPlatformAllocator);
  } else if (name.ends_with("_MEM_FRACTION") && PythonFloat(value).value_or(0) > 1) {
    report.Note(id, text::kFractionHigh, name, value);
  } else {
    return false;
  }
  report.Remedy(text::kFlagUnsetRemedy, name);
  return true;
}

}  // namespace

void SayFlag(const MemoryFlag& flag, std::string_view value, Report& report) {
  const std::string id = "memory_flag." + std::string(flag.name);
  const auto framework = FrameworkName(flag.framework);
  if (!flag.until.empty()) {
    report.Note(id, text::kFlagUntil, flag.name, framework, flag.until);
    if (!flag.replacement.empty()) report.Remedy(text::kFlagMeant, flag.replacement);
    return;
  }
  if (SayFault(id, flag, value, report) || SayCost(id, flag, value, report)) return;
  if (flag.rule == ValueRule::kAllocConf) {
    SayAllocConf(id, flag, value, report);
    return;
  }
  if (flag.rule == ValueRule::kWorkspace) {
    if (const auto bytes = WorkspaceBytes(value)) {
      report.Ok(id, text::kWorkspaceSize, value, FormatBytes(*bytes));
    } else {
      report.Problem(id, text::kWorkspaceForm, value).Remedy(text::kWorkspaceFormRemedy);
    }
    return;
  }
  const size_t before = report.lines().size();
  if (flag.rule == ValueRule::kFlags) SayXlaFlags(id, value, report);
  if (report.lines().size() > before) return;
  const Language language = report.language();
  const auto meaning = flag.meaning.In(language);
  if (!flag.replacement.empty()) {
    report.Note(id, text::kFlagRenamed, flag.name).Remedy(text::kFlagMeant, flag.replacement);
  } else if (flag.pitfall) {
    report.Note(id, text::kFlagPitfall, flag.name, value, meaning, flag.pitfall->In(language))
        .Remedy(text::kFlagUnsetRemedy, flag.name);
  } else {
    const std::string fallback = flag.fallback.empty()
                                     ? Say(language, text::kNoDefault)
                                     : Say(language, text::kValueDefault, flag.fallback);
    report.Ok(id, text::kFlagOk, flag.name, value, meaning, fallback);
  }
}

}  // namespace gpusight::doctor
