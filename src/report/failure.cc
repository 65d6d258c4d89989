// SPDX-License-Identifier: Apache-2.0
#include "report/failure.h"

#include <algorithm>
#include <csignal>

#include "base/text.h"
#include "model/text/failure.h"
#include "model/xid.h"
#include "report/grid.h"

namespace gpusight::report {
namespace {

using record::EndCause;

PostMortem::Try Advice(const Text& what, std::string code) {
  return {"", Both(what), std::move(code)};
}

bool Mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// As far as the counters tell.
std::optional<bool> KernelKilled(const ExitFacts& exit) {
  const Known<double>& group = exit.oom_kills_container;
  const Known<double>& machine = exit.oom_kills_machine;
  if (!group && !machine) return std::nullopt;
  return group.value_or(0) > 0 || machine.value_or(0) > 0;
}

// Whether it ended with something else than want of memory, so that this was caught.
bool EndedOtherwise(const ExitFacts& exit) {
  if (!record::HasFailed(exit)) return true;
  return !exit.exception.empty() && !Mentions(exit.exception, "emory");
}

bool WasAsked(const ExitFacts& exit) {
  const int number = record::SignalOf(exit);
  if (number == SIGINT || exit.exception.starts_with("KeyboardInterrupt")) return true;
  return (number == SIGTERM || number == SIGHUP || number == SIGQUIT) &&
         std::any_of(exit.signals.begin(), exit.signals.end(),
                     [number](const SignalFact& one) { return one.number == number; });
}

// nullptr: what it ended with says it.
const Text* TitleFor(const Failure& failure) {
  const ExitFacts& exit = failure.exit;
  switch (failure.cause) {
    case EndCause::kHostMemory:
      return &text::kFailedHostMemory;
    case EndCause::kSharedMemory:
      return &text::kFailedShm;
    case EndCause::kOutOfMemory:
      return &text::kFailedGpuMemory;
    case EndCause::kXid:
      return &text::kFailedXid;
    case EndCause::kCudaError:
      return &text::kFailedCuda;
    case EndCause::kNone:
      break;
  }
  if (!failure.failed && !failure.post_mortems.empty()) return &text::kFailedCaught;
  if (!failure.failed && exit.kind != EndKind::kUnknown) return &text::kFailedNot;
  if (!exit.exception.empty()) return &text::kFailedException;
  return nullptr;
}

void AdviseOnCuda(std::string_view error, std::vector<PostMortem::Try>& advice) {
  const auto has = [error](std::string_view word) { return Mentions(error, word); };
  if (has("no kernel image") || has("NO_BINARY") || has("(209)")) {
    advice.push_back(Advice(text::kTryArchitecture,
                            "python -c 'import torch; print(torch.cuda.get_arch_list())'"));
    advice.push_back(
        Advice(text::kTryArchitecture, "python -c 'import paddle; print(paddle.version.cuda())'"));
    advice[advice.size() - 2].framework = "PyTorch";
    advice.back().framework = "PaddlePaddle";
    return;
  }
  if (has("invalid device ordinal") || has("INVALID_DEVICE") || has("(101)") ||
      has("no CUDA-capable device")) {
    advice.push_back(Advice(text::kTryDevices, "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES"));
    return;
  }
  if (has("ECC") || has("driver version") || has("initialization") || has("unknown error")) {
    advice.push_back(Advice(text::kTryDoctor, "gpusight doctor"));
    return;
  }
  if (has("device-side assert") || has("ASSERT") || has("(710)")) {
    advice.push_back(Advice(text::kTryIndex, "CUDA_VISIBLE_DEVICES= python train.py"));
  }
  advice.push_back(Advice(text::kTryBlocking, "CUDA_LAUNCH_BLOCKING=1 python train.py"));
  advice.push_back(Advice(text::kTrySanitizer, "compute-sanitizer python train.py"));
}

bool IsPython(std::string_view program) {
  return program.substr(program.rfind('/') + 1).starts_with("python");
}

bool RunsPython(std::span<const Frame> frames) {
  return std::any_of(frames.begin(), frames.end(), [](const Frame& frame) {
    return std::any_of(frame.processes.begin(), frame.processes.end(), [](const auto& process) {
      return process.in_job && process.command && IsPython(*process.command);
    });
  });
}

void Advise(Failure& failure, bool python) {
  const ExitFacts& exit = failure.exit;
  std::vector<PostMortem::Try>& advice = failure.advice;
  const int number = record::SignalOf(exit);
  if (failure.cause == EndCause::kXid) {
    for (const Event& event : exit.xids) {
      const Text* remedy = TextOf(KindOfXid(static_cast<int>(event.number))).remedy;
      if (remedy != nullptr && advice.empty()) advice.push_back(Advice(*remedy, ""));
    }
    advice.push_back(Advice(text::kTryKernelLog, "sudo dmesg -T | grep -i xid"));
    advice.push_back(Advice(text::kTryDoctor, "gpusight doctor"));
  } else if (failure.cause == EndCause::kCudaError) {
    AdviseOnCuda(record::CudaErrorIn(exit.exception), advice);
  } else if (failure.cause == EndCause::kNone && failure.failed && !failure.asked) {
    const bool fault = number == SIGSEGV || number == SIGILL || number == SIGFPE;
    if (python && (fault || number == SIGABRT)) {
      advice.push_back(Advice(text::kTryFaultHandler, "python -X faulthandler train.py"));
    } else if (fault) {
      advice.push_back(Advice(text::kTryKernelLog, "sudo dmesg -T | tail"));
    } else if (number == SIGBUS) {
      advice.push_back(Advice(text::kTryFilesize, "df -h /dev/shm ."));
    } else if (number == SIGKILL) {
      advice.push_back(Advice(text::kTryWhoKilled, "sudo dmesg -T | grep -i 'killed process'"));
    }
  }
}

Framework FrameworkOf(std::span<const Frame> frames, int pid) {
  Framework found = Framework::kOther;
  for (const Frame& frame : frames) {
    for (const FrameworkSample& one : frame.frameworks) {
      if (one.pid == pid || found == Framework::kOther) found = one.framework;
    }
  }
  return found;
}

// What ended the program before what it survived; else in the order of time.
void Order(std::vector<PostMortem>& list) {
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    if (a.caught != b.caught) return b.caught;
    return a.time < b.time;
  });
}

Failure Compose(ExitFacts exit, std::span<const Frame> frames, std::string_view output,
                std::vector<PostMortem> observed, bool python) {
  Failure out;
  out.failed = record::HasFailed(exit);
  out.asked = WasAsked(exit);
  Order(observed);
  const int pid = observed.empty() ? MainProcess(frames) : observed.front().pid;
  // Of recordings that do not say so themselves.
  exit.out_of_memory =
      exit.out_of_memory || (!observed.empty() && !observed.front().caught && out.failed);
  out.cause = record::CauseOf(exit);
  const bool host = out.cause == EndCause::kHostMemory || out.cause == EndCause::kSharedMemory;
  if (host) {
    out.post_mortems.push_back(
        ExplainHost(exit, out.cause == EndCause::kSharedMemory, FrameworkOf(frames, pid)));
  }
  WallTime end = exit.ended;
  if (!observed.empty() && !host && observed.front().time.ns != 0) {
    end = observed.front().time;
  }
  for (PostMortem& one : observed) out.post_mortems.push_back(std::move(one));
  for (const std::string_view text : {std::string_view(exit.exception), output}) {
    if (out.post_mortems.empty()) out.post_mortems = ExplainOutput(text, KernelKilled(exit));
  }
  if (!out.failed) {
    for (PostMortem& one : out.post_mortems) one.caught = true;
  }
  const Wanted wanted = out.cause == EndCause::kHostMemory     ? Wanted::kHostMemory
                        : out.cause == EndCause::kSharedMemory ? Wanted::kSharedMemory
                        : out.cause == EndCause::kXid          ? Wanted::kCard
                                                               : Wanted::kUsual;
  if (end.ns == 0 && !frames.empty()) end = frames.back().time;
  out.course = CourseOf(frames, end, pid, wanted);
  out.places = PlacesOf(frames, end, pid);
  out.how = {record::EndText(exit, Language::kEnglish), record::EndText(exit, Language::kChinese)};
  out.exit = std::move(exit);
  if (const Text* title = TitleFor(out)) out.title = Both(*title);
  Advise(out, python || RunsPython(frames));
  return out;
}

// The frames before a moment: as many as show how it went, not all of a day.
std::vector<Frame> FramesBefore(const record::Recording& recording, WallTime time) {
  constexpr int64_t kBefore = 600 * int64_t{1'000'000'000}, kAfter = 1'000'000'000;
  constexpr size_t kMost = 700;
  std::vector<Frame> frames;
  time = Sane(time);
  record::FrameCursor cursor = recording.Frames({time.ns - kBefore});
  Frame frame;
  while (cursor.Next(frame) && frame.time.ns <= time.ns + kAfter) {
    frames.push_back(Slim(frame));
    if (frames.size() > kMost) frames.erase(frames.begin(), frames.begin() + kMost / 2);
  }
  return frames;
}

}  // namespace

Frame Slim(const Frame& frame) {
  Frame out = frame;
  // Long lists of samples and of neighbours say nothing here.
  for (DeviceSample& device : out.devices) {
    device.utilization_ring = device.memory_activity_ring = device.power_ring = {};
  }
  out.spare_processes.clear();
  return out;
}

bool Failure::worth_telling() const {
  if (!post_mortems.empty()) return true;
  if (!failed || asked) return false;
  return cause != EndCause::kNone || !advice.empty() || !exit.exception.empty() ||
         !places.empty() || record::SignalOf(exit) != 0;
}

Failure ExplainFailure(ExitFacts exit, std::span<const Frame> frames, std::string_view output) {
  constexpr size_t kMost = 3;
  std::vector<PostMortem> observed;
  for (size_t i = 0; i < frames.size(); ++i) {
    for (const FrameworkSample& framework : frames[i].frameworks) {
      for (PostMortem& one : observed) {
        if (one.pid != framework.pid) continue;
        for (const StepSample& step : framework.steps) {
          one.caught = one.caught || step.end > one.time;
        }
      }
      for (const OutOfMemory& failure : framework.out_of_memory) {
        if (observed.size() >= kMost) break;
        observed.push_back(Explain(failure, framework.pid, frames.first(i + 1)));
        observed.back().start_ticks = framework.start_ticks;
      }
    }
  }
  const bool otherwise = EndedOtherwise(exit);
  for (PostMortem& one : observed) one.caught = one.caught || otherwise;
  return Compose(std::move(exit), frames, output, std::move(observed), false);
}

std::vector<PostMortem> ReadPostMortems(const record::Recording& recording, const ExitFacts& exit) {
  constexpr size_t kMostOfOne = 3, kMost = 16;
  const record::Span all = HourAround(recording.Read().span);
  const bool otherwise = EndedOtherwise(exit);
  std::vector<PostMortem> out;
  for (const record::RecordedProcess& process : recording.Processes()) {
    const auto failures = recording.OutOfMemories(process.id, all);
    for (size_t i = 0; i < failures.size() && i < kMostOfOne && out.size() < kMost; ++i) {
      const WallTime time = failures[i].time;
      const auto frames = FramesBefore(recording, time);
      out.push_back(Explain(failures[i], process.sample.pid, frames));
      out.back().start_ticks = process.sample.start_ticks;
      bool& caught = out.back().caught;
      caught =
          caught || otherwise || !recording.Steps(process.id, {{time.ns + 1}, all.end}).empty();
    }
  }
  Order(out);
  return out;
}

Failure ReadFailure(const record::Recording& recording, ExitFacts exit) {
  std::string output;
  for (const record::OutputPiece& piece : recording.Output()) output += piece.bytes;
  auto observed = ReadPostMortems(recording, exit);
  WallTime end = exit.ended.ns != 0 ? exit.ended : recording.Read().span.end;
  if (!observed.empty() && observed.front().time.ns != 0) end = observed.front().time;
  const std::vector<std::string> command = recording.Read().facts.arguments;
  return Compose(std::move(exit), FramesBefore(recording, end), output, std::move(observed),
                 !command.empty() && IsPython(command.front()));
}

Failure ReadFailure(const record::Recording& recording) {
  return ReadFailure(recording, record::FactsOf(recording.Read().end));
}

}  // namespace gpusight::report
