// SPDX-License-Identifier: Apache-2.0
#include "cli/run_end.h"

#include <fmt/format.h>

#include <csignal>

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "model/text/run.h"

namespace gpusight::cli {
namespace {

constexpr double kNearlyFull = 0.95;

// The signal that ended it, also where a shell in between made an exit code of it.
int SignalOf(const ExitFacts& facts) {
  if (facts.kind == EndKind::kSignal) return facts.signal;
  return facts.kind == EndKind::kExited && facts.code > 128 && facts.code < 128 + NSIG
             ? facts.code - 128
             : 0;
}

// The last one of that number that came through us, and when.
std::string SenderOf(const ExitFacts& facts, int number) {
  for (auto one = facts.signals.rbegin(); one != facts.signals.rend(); ++one) {
    if (one->number != number) continue;
    const std::string before =
        FormatDuration(static_cast<double>(facts.ended.ns - one->time.ns) * 1e-9);
    if (one->sender == 0) return Say(Language::kEnglish, text::kEndByTerminal, before);
    const std::string name = one->sender_name.empty() ? "?" : Printable(one->sender_name);
    return Say(Language::kEnglish, text::kEndBySender, name, one->sender, before);
  }
  return "";
}

// The numbers, by the names and units that the recording's columns have.
record::Pairs FactsOf(const ExitFacts& facts) {
  record::Pairs out;
  const auto add = [&out](const char* name, const Known<double>& value) {
    if (value) out.emplace_back(name, fmt::format("{}", *value));
  };
  add("cpu_user_seconds", facts.cpu_user);
  add("cpu_system_seconds", facts.cpu_system);
  add("peak_resident_bytes", facts.peak_resident);
  add("major_faults", facts.major_faults);
  add("blocks_read", facts.blocks_read);
  add("blocks_written", facts.blocks_written);
  add("oom_kills_container", facts.oom_kills_container);
  add("oom_kills_machine", facts.oom_kills_machine);
  add("memory_limit_bytes", facts.memory_limit);
  add("memory_peak_bytes", facts.memory_peak);
  add("shm_total_bytes", facts.shm_total);
  add("shm_used_bytes", facts.shm_used);
  if (facts.kind == EndKind::kSignal) add("core_dumped", facts.core_dumped ? 1.0 : 0.0);
  add("left_behind", static_cast<double>(facts.left_behind));
  for (const SignalFact& one : facts.signals) {
    out.emplace_back("signal", fmt::format("{} {} {} {}", FormatUtc(one.time),
                                           SignalName(one.number), one.sender, one.sender_name));
  }
  return out;
}

}  // namespace

record::RunEnd EndOf(const ExitFacts& facts) {
  record::RunEnd end;
  end.time = facts.ended;
  end.facts = FactsOf(facts);
  const auto say = [](const Text& what, const auto&... args) {
    return Say(Language::kEnglish, what, args...);
  };
  if (facts.kind == EndKind::kRunning) {
    end.kind = "running";
    end.text = say(text::kEndRunning);
    return end;
  }
  if (facts.kind == EndKind::kUnknown) {
    end.kind = "unknown";
    end.text = say(text::kEndUnknown);
    return end;
  }
  const bool exited = facts.kind == EndKind::kExited;
  end.kind = exited ? "exit" : "signal";
  if (exited) end.code = facts.code;
  if (!exited) end.signal = facts.signal;
  end.text =
      exited ? say(text::kEndExited, facts.code) : say(text::kEndSignal, SignalName(facts.signal));
  const int number = SignalOf(facts);
  const double in_container = facts.oom_kills_container.value_or(0);
  const double in_machine = facts.oom_kills_machine.value_or(0);
  if (in_container > 0 || in_machine > 0) {
    // A child may have been killed, and the job have ended for it in its own way.
    if (number == SIGKILL) end.kind = "oom_killed";
    end.text += in_container > 0 ? say(text::kEndOomContainer, in_container)
                                 : say(text::kEndOomMachine, in_machine);
    if (in_container > 0 && facts.memory_limit) {
      end.text += say(text::kEndLimit, FormatBytes(*facts.memory_limit));
    }
  } else if (const std::string sender = SenderOf(facts, number); !sender.empty()) {
    end.text += sender;
  }
  if (number == SIGBUS && facts.shm_total && facts.shm_used &&
      *facts.shm_used >= kNearlyFull * *facts.shm_total) {
    end.kind = "shm_full";
    end.text += say(text::kEndShm, FormatBytes(*facts.shm_used), FormatBytes(*facts.shm_total));
  }
  if (facts.core_dumped) end.text += say(text::kEndCore);
  if (facts.left_behind > 0) end.text += say(text::kEndLeft, facts.left_behind);
  return end;
}

}  // namespace gpusight::cli
