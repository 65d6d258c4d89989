// SPDX-License-Identifier: Apache-2.0
#include "record/run_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "model/text/run.h"
#include "model/xid.h"

namespace gpusight::record {
namespace {

constexpr double kNearlyFull = 0.95;
constexpr size_t kLongestException = 1000, kMostXids = 20;

bool Mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool ShmWasFull(const ExitFacts& facts) {
  return facts.shm_total && facts.shm_used && *facts.shm_total > 0 &&
         *facts.shm_used >= kNearlyFull * *facts.shm_total;
}

bool XidOf(const ExitFacts& facts, bool of_the_card) {
  return std::any_of(facts.xids.begin(), facts.xids.end(), [of_the_card](const Event& event) {
    return IsOfTheCard(KindOfXid(static_cast<int>(event.number))) == of_the_card;
  });
}

// The last one of that number that came through us, and when.
std::string SenderOf(const ExitFacts& facts, int number, Language language) {
  for (auto one = facts.signals.rbegin(); one != facts.signals.rend(); ++one) {
    if (one->number != number) continue;
    const std::string before =
        FormatDuration(static_cast<double>(facts.ended.ns - one->time.ns) * 1e-9);
    if (one->sender == 0) return Say(language, text::kEndByTerminal, before);
    const std::string name = one->sender_name.empty() ? "?" : Printable(one->sender_name);
    return Say(language, text::kEndBySender, name, one->sender, before);
  }
  return "";
}

std::string KilledText(const ExitFacts& facts, Language language) {
  const double in_container = facts.oom_kills_container.value_or(0);
  const double in_machine = facts.oom_kills_machine.value_or(0);
  if (in_container <= 0 && in_machine <= 0) return "";
  std::string out = in_container > 0 ? SayCount(language, text::kEndOomContainer, in_container)
                                     : SayCount(language, text::kEndOomMachine, in_machine);
  if (in_container > 0 && facts.memory_limit) {
    out += Say(language, text::kEndLimit, FormatBytes(*facts.memory_limit));
  }
  return out;
}

std::string XidText(const ExitFacts& facts, Language language) {
  constexpr size_t kMost = 3;
  std::string out;
  for (size_t i = 0; i < facts.xids.size() && i < kMost; ++i) {
    const auto number = static_cast<int>(facts.xids[i].number);
    out += Say(language, text::kEndXid, number, Printable(facts.xids[i].device_uuid),
               TextOf(KindOfXid(number)).meaning->In(language));
  }
  return out;
}

// The numbers, by the names and units that the recording's columns have. All of ExitFacts that is
// not in RunEnd itself.
struct NamedNumber {
  std::string_view name;
  Known<double> ExitFacts::* member;
};
constexpr NamedNumber kNumbers[] = {
    {"cpu_user_seconds", &ExitFacts::cpu_user},
    {"cpu_system_seconds", &ExitFacts::cpu_system},
    {"peak_resident_bytes", &ExitFacts::peak_resident},
    {"major_faults", &ExitFacts::major_faults},
    {"blocks_read", &ExitFacts::blocks_read},
    {"blocks_written", &ExitFacts::blocks_written},
    {"oom_kills_container", &ExitFacts::oom_kills_container},
    {"oom_kills_machine", &ExitFacts::oom_kills_machine},
    {"memory_limit_bytes", &ExitFacts::memory_limit},
    {"memory_peak_bytes", &ExitFacts::memory_peak},
    {"shm_total_bytes", &ExitFacts::shm_total},
    {"shm_used_bytes", &ExitFacts::shm_used},
};

Pairs PairsOf(const ExitFacts& facts) {
  Pairs out;
  for (const NamedNumber& number : kNumbers) {
    const Known<double>& value = facts.*number.member;
    if (value) out.emplace_back(number.name, fmt::format("{}", *value));
  }
  if (facts.kind == EndKind::kSignal)
    out.emplace_back("core_dumped", facts.core_dumped ? "1" : "0");
  out.emplace_back("left_behind", fmt::format("{}", facts.left_behind));
  out.emplace_back("duration_seconds", fmt::format("{}", facts.seconds));
  for (const SignalFact& one : facts.signals) {
    out.emplace_back("signal", fmt::format("{} {} {} {}", FormatUtc(one.time),
                                           SignalName(one.number), one.sender, one.sender_name));
  }
  if (facts.out_of_memory) out.emplace_back("out_of_memory", "1");
  if (!facts.exception.empty()) {
    out.emplace_back("exception", Capped(facts.exception, kLongestException));
  }
  for (size_t i = 0; i < facts.xids.size() && i < kMostXids; ++i) {
    out.emplace_back("xid", fmt::format("{} {} {}", FormatUtc(facts.xids[i].time),
                                        facts.xids[i].number, facts.xids[i].device_uuid));
  }
  return out;
}

// "2026-04-05T10:00:00.123Z"
WallTime ReadUtc(std::string_view text) {
  constexpr size_t kSeconds = 20;
  if (text.size() < kSeconds) return {};
  const auto part = [text](size_t at, size_t length) {
    return ParseNumber<int>(text.substr(at, length)).value_or(0);
  };
  std::tm t{};
  t.tm_year = part(0, 4) - 1900;
  t.tm_mon = part(5, 2) - 1;
  t.tm_mday = part(8, 2);
  t.tm_hour = part(11, 2);
  t.tm_min = part(14, 2);
  t.tm_sec = part(17, 2);
  const int64_t milliseconds = text.size() > kSeconds + 3 ? part(kSeconds, 3) : 0;
  if (t.tm_year < 70 || t.tm_year > 300) return {};
  return {int64_t{timegm(&t)} * 1'000'000'000 + milliseconds * 1'000'000};
}

int SignalNumber(std::string_view name) {
  for (int number = 1; number < NSIG; ++number) {
    if (SignalName(number) == name) return number;
  }
  return 0;
}

void ReadSignal(std::string_view value, ExitFacts& facts) {
  SignalFact one;
  const std::string_view time = NextWord(value).value_or("");
  one.time = ReadUtc(time);
  one.number = SignalNumber(NextWord(value).value_or(""));
  one.sender = ParseNumber<int>(NextWord(value).value_or("")).value_or(0);
  one.sender_name = Trim(value);
  if (one.number != 0) facts.signals.push_back(std::move(one));
}

void ReadXid(std::string_view value, ExitFacts& facts) {
  Event event;
  event.time = ReadUtc(NextWord(value).value_or(""));
  event.number = ParseNumber<int>(NextWord(value).value_or("")).value_or(0);
  event.device_uuid = Trim(value);
  if (event.number != 0) facts.xids.push_back(std::move(event));
}

void ReadPair(std::string_view name, std::string_view value, ExitFacts& facts) {
  for (const NamedNumber& number : kNumbers) {
    if (number.name != name) continue;
    if (const auto read = ParseNumber<double>(value)) facts.*number.member = *read;
    return;
  }
  if (name == "core_dumped") facts.core_dumped = value.starts_with('1');
  if (name == "left_behind") facts.left_behind = ParseNumber<int>(value).value_or(0);
  if (name == "duration_seconds") facts.seconds = ParseNumber<double>(value).value_or(0);
  if (name == "signal") ReadSignal(value, facts);
  if (name == "out_of_memory") facts.out_of_memory = value == "1";
  if (name == "exception") facts.exception = value;
  if (name == "xid") ReadXid(value, facts);
}

}  // namespace

int SignalOf(const ExitFacts& facts) {
  if (facts.kind == EndKind::kSignal) return facts.signal;
  return facts.kind == EndKind::kExited && facts.code > 128 && facts.code < 128 + NSIG
             ? facts.code - 128
             : 0;
}

bool HasFailed(const ExitFacts& facts) {
  switch (facts.kind) {
    case EndKind::kSignal:
      return true;
    case EndKind::kExited:
      return facts.code != 0;
    case EndKind::kUnknown:
      return facts.out_of_memory || !facts.exception.empty() || XidOf(facts, true) ||
             facts.oom_kills_container.value_or(0) > 0;
    case EndKind::kRunning:
      break;
  }
  return false;
}

EndCause CauseOf(const ExitFacts& facts) {
  if (!HasFailed(facts)) return EndCause::kNone;
  const int number = SignalOf(facts);
  const double in_container = facts.oom_kills_container.value_or(0);
  const bool killed = in_container > 0 || facts.oom_kills_machine.value_or(0) > 0;
  if (number == SIGKILL && killed) return EndCause::kHostMemory;
  // PyTorch and Paddle tell of a worker that died so.
  const bool wanted_shm = number == SIGBUS || Mentions(facts.exception, "Bus error") ||
                          Mentions(facts.exception, "shared memory") ||
                          Mentions(facts.exception, "No space left on device");
  if (wanted_shm && ShmWasFull(facts)) return EndCause::kSharedMemory;
  if (facts.out_of_memory) return EndCause::kOutOfMemory;
  // A child was killed, and the job ended for it in its own way.
  if (in_container > 0) return EndCause::kHostMemory;
  const bool cuda = !CudaErrorIn(facts.exception).empty();
  if (XidOf(facts, true) && (cuda || facts.exception.empty())) return EndCause::kXid;
  if (cuda) return EndCause::kCudaError;
  if (XidOf(facts, false) && facts.exception.empty()) return EndCause::kXid;
  return EndCause::kNone;
}

std::string_view KindOf(const ExitFacts& facts) {
  constexpr std::array<std::string_view, 6> kNames = {
      "", "oom_killed", "shm_full", "out_of_memory", "xid", "cuda_error"};
  if (const EndCause cause = CauseOf(facts); cause != EndCause::kNone) {
    return kNames[static_cast<size_t>(cause)];
  }
  switch (facts.kind) {
    case EndKind::kExited:
      return "exit";
    case EndKind::kSignal:
      return "signal";
    case EndKind::kRunning:
      return "running";
    case EndKind::kUnknown:
      break;
  }
  return "unknown";
}

std::string EndText(const ExitFacts& facts, Language language) {
  const auto say = [language](const Text& what, const auto&... args) {
    return Say(language, what, args...);
  };
  if (facts.kind == EndKind::kRunning) return say(text::kEndRunning);
  std::string out;
  if (facts.kind == EndKind::kUnknown) {
    out = say(text::kEndUnknown);
  } else if (facts.kind == EndKind::kExited) {
    const int signal = SignalOf(facts);
    out = signal != 0 ? say(text::kEndExitedAs, facts.code, SignalName(signal))
                      : say(text::kEndExited, facts.code);
  } else {
    out = say(text::kEndSignal, SignalName(facts.signal));
  }
  const int number = SignalOf(facts);
  if (std::string killed = KilledText(facts, language); !killed.empty()) {
    out += killed;
  } else {
    out += SenderOf(facts, number, language);
  }
  const EndCause cause = CauseOf(facts);
  if (cause == EndCause::kSharedMemory) {
    out += say(text::kEndShm, FormatBytes(*facts.shm_used), FormatBytes(*facts.shm_total));
  }
  if (cause == EndCause::kOutOfMemory) out += say(text::kEndOutOfMemory);
  out += XidText(facts, language);
  if (!facts.exception.empty() && HasFailed(facts)) {
    constexpr size_t kShort = 240;
    std::string_view rest = facts.exception;
    out += say(text::kEndException, Capped(Printable(NextLine(rest).value_or("")), kShort));
  }
  if (facts.core_dumped) out += say(text::kEndCore);
  if (facts.left_behind > 0) out += say(text::kEndLeft, facts.left_behind);
  return out;
}

RunEnd EndOf(const ExitFacts& facts) {
  RunEnd end;
  end.time = facts.ended;
  end.kind = KindOf(facts);
  if (facts.kind == EndKind::kExited) end.code = facts.code;
  if (facts.kind == EndKind::kSignal) end.signal = facts.signal;
  end.text = EndText(facts, Language::kEnglish);
  end.facts = PairsOf(facts);
  return end;
}

ExitFacts FactsOf(const RunEnd& end) {
  ExitFacts facts;
  facts.kind = end.code                ? EndKind::kExited
               : end.signal            ? EndKind::kSignal
               : end.kind == "running" ? EndKind::kRunning
                                       : EndKind::kUnknown;
  facts.code = end.code.value_or(0);
  facts.signal = end.signal.value_or(0);
  facts.ended = end.time;
  facts.out_of_memory = end.kind == "out_of_memory";
  for (const auto& [name, value] : end.facts) ReadPair(name, value, facts);
  return facts;
}

std::string_view CudaErrorIn(std::string_view text) {
  // PyTorch and most programs; Paddle, with the number between; the names of the driver's and the
  // runtime's codes, as XLA and plain programs print them.
  constexpr std::string_view kMarks[] = {"CUDA error: ", "CUDA error(", "CUDA_ERROR_", "cudaError"};
  size_t best = std::string_view::npos;
  std::string_view found;
  for (const std::string_view mark : kMarks) {
    for (size_t at = text.find(mark); at != std::string_view::npos && at < best;
         at = text.find(mark, at + 1)) {
      std::string_view message = text.substr(at, text.find('\n', at) - at);
      if (mark == "CUDA error: ") message.remove_prefix(mark.size());
      const size_t end = message.find_first_of(";{");  // "…; compile with TORCH_USE_CUDA_DSA"
      message = Trim(message.substr(0, end));
      const bool memory =
          Mentions(message, "out of memory") || Mentions(message, "OUT_OF_MEMORY") ||
          Mentions(message, "cudaErrorMemoryAllocation") || Mentions(message, "CUDA error(2)");
      if (memory || message.empty()) continue;
      best = at;
      found = message;
      break;
    }
  }
  return found;
}

std::string_view ExceptionIn(std::string_view output) {
  const size_t at = output.rfind("Traceback (most recent call last)");
  if (at == std::string_view::npos) return {};
  std::string_view rest = output.substr(at);
  (void)NextLine(rest);
  while (!rest.empty()) {
    const std::string_view here = rest;
    const auto line = NextLine(rest);
    if (!line || line->empty() || line->front() == ' ' || line->front() == '\t') continue;
    return here;
  }
  return {};
}

}  // namespace gpusight::record
