// SPDX-License-Identifier: Apache-2.0
// `gpusight watch PID`: the recording of a job that runs already. It only looks, so that it may be
// started and ended at any time. Next: run_recorder.h.
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cli/registry.h"
#include "cli/run_job.h"
#include "cli/run_name.h"
#include "cli/run_recorder.h"
#include "cli/schedule.h"
#include "cli/version.h"
#include "launch/pidfd.h"
#include "model/text/cli.h"
#include "model/text/log.h"
#include "model/text/run.h"
#include "model/text/tensorboard.h"
#include "probe/host/proc_stat.h"
#include "probe/host/proc_text.h"
#include "record/secrets.h"

namespace gpusight::cli {
namespace {

constexpr double kLeastInterval = 0.1;

std::string_view TextOf(const Result<std::string>& file) {
  return file ? std::string_view(*file) : std::string_view();
}

class WatchCommand : public Command {
 public:
  std::string_view name() const override { return "watch"; }
  const Text& summary() const override { return text::kWatchSummary; }
  const Text& description() const override { return text::kWatchDescription; }

  void Declare(Options& options) override {
    options.String("PID", "", text::kWatchPid, pid_word_).in_config = false;
    options.File("-o,--output", "FILE", text::kRunOutput, output_).in_config = false;
    Option& tensorboard = options.File("--tensorboard", "DIR", text::kRunTensorBoard, tensorboard_);
    tensorboard.offer = Offer::kFolder;
    tensorboard.in_config = false;
    options.String("-n,--name", "NAME", text::kRunName, name_).in_config = false;
    options.List("--tag", "NAME=VALUE", text::kRunTag, tags_).check = CheckTag;
    options.Duration("-i,--interval", text::kRunInterval, interval_, kLeastInterval);
    options.Duration("--keep-full", text::kRunKeepFull, writer_.retention.full_seconds, 1);
    options.Duration("--keep-tens", text::kRunKeepTens, writer_.retention.tens_seconds, 1);
    options.Bytes("--size-limit", text::kRunSizeLimit, writer_.retention.size_limit,
                  uint64_t{1} << 20);
    options.Switch("--no-summary", text::kRunNoSummary, no_summary_);
  }

  Result<ExitCode> Run(Context& context) override {
    const auto pid = ParseNumber<int>(pid_word_);
    if (!pid || *pid <= 0) {
      return Fail(ErrorCode::kUsage, context.Say(text::kWatchBadPid, Printable(pid_word_)),
                  context.Say(text::kLogPidAsNumber));
    }
    // Opened first: the number cannot come to mean another process from here on.
    const UniqueFd job = context.root.live() ? launch::OpenPidfd(*pid) : UniqueFd();
    RecorderPlan plan;
    if (auto found = Describe(context, *pid, plan); !found) {
      return tl::unexpected(std::move(found.error()));
    }
    plan.writer = writer_;
    plan.interval = interval_;
    plan.here = CurrentFolder();
    if (!output_.empty()) plan.output = Absolute(output_);
    if (!tensorboard_.empty()) plan.tensorboard = Absolute(tensorboard_);
    plan.folders = RunFolders(context.env);
    plan.say = [&context](const std::string& sentence) { context.Warn(sentence); };

    // Signals are blocked before the sampler starts threads, so that these never take them.
    SignalWaiter waiter(context.clock, -1, HangUp::kEnds);
    JobRecorder recorder(context, std::move(plan));
    recorder.Begin();
    if (recorder.path().empty()) return ExitCode::kFailed;
    if (context.err_is_terminal) {
      context.Warn(context.Say(text::kWatchBegun, *pid, Printable(recorder.path())));
    }
    recorder.End(Follow(context, recorder, waiter, *pid, job));
    if (!no_summary_)
      (void)context.err.Write(
          recorder.Screen(context.err_columns > 0 ? context.err_columns : context.columns));
    return ExitCode::kOk;
  }

 private:
  // Who it is, as far as its folder in /proc tells.
  Result<void> Describe(const Context& context, int pid, RecorderPlan& plan) const {
    const std::string folder = context.root.Path(fmt::format("/proc/{}", pid));
    const auto stat = ReadFile(folder + "/stat");
    const auto parsed = stat ? host::ParseProcStat(*stat) : std::nullopt;
    if (!parsed) {
      return Fail(ErrorCode::kUsage, context.Say(text::kWatchNoProcess, pid),
                  context.Say(text::kLogSeeWho));
    }
    plan.job.root = pid;
    plan.job.earliest_ticks = parsed->start_ticks;
    record::RunFacts& facts = plan.facts;
    const auto line = ReadFile(folder + "/cmdline");
    std::vector<std::string> command;
    for (const std::string_view word : host::Arguments(TextOf(line))) {
      command.emplace_back(word);
    }
    facts.name = !name_.empty()     ? name_
                 : !command.empty() ? NameOfRun(command)
                                    : std::string(parsed->comm);
    facts.arguments = record::KeepHarmless(command);
    if (const auto place = ReadLink(folder + "/cwd")) facts.folder = *place;
    facts.pid = pid;
    facts.watched = true;
    facts.start = context.clock.Wall();
    facts.gpusight = kVersion;
    facts.tags = TagPairs(tags_);
    // Of another user it cannot be read; the rest can be recorded all the same.
    const auto environment = ReadFile(folder + "/environ");
    std::vector<std::string> kept;
    std::vector<const char*> pointers;
    for (const std::string_view entry : Split(TextOf(environment), '\0')) {
      if (!entry.empty()) kept.emplace_back(entry);
    }
    for (const std::string& entry : kept) {
      const auto value_of = [&entry](std::string_view name) {
        const bool is = entry.starts_with(name) && entry.substr(name.size()).starts_with('=');
        return is ? entry.substr(name.size() + 1) : std::string();
      };
      if (auto value = value_of(host::kRunVariable); !value.empty()) plan.job.run_id = value;
      if (auto value = value_of("GPUSIGHT_PAGE_DIR"); !value.empty()) plan.page_folder = value;
      pointers.push_back(entry.c_str());
    }
    pointers.push_back(nullptr);
    facts.environment = record::KeepHarmless(pointers.data());
    return {};
  }

  // Until the process has ended or a signal ends us.
  static ExitFacts Follow(const Context& context, JobRecorder& recorder, SignalWaiter& waiter,
                          int pid, const UniqueFd& job) {
    ExitFacts facts;
    const Clock& clock = context.clock;
    const MonoTime start = clock.Mono();
    facts.began = clock.Wall();
    const auto step = std::max<int64_t>(1, std::llround(recorder.interval() * 1e9));
    facts.kind = EndKind::kUnknown;
    for (int64_t tick = 1;;) {
      const MonoTime planned{start.ns + tick * step};
      const MonoTime look{std::min(planned.ns, clock.Mono().ns + kLook)};
      if (waiter.WaitUntil(look) != Wake::kDeadline) {
        facts.kind = EndKind::kRunning;
        break;
      }
      if (HasEnded(context, pid, job)) break;
      if (clock.Mono() < planned) continue;
      recorder.Sample(planned);
      tick = std::max(tick + 1, (clock.Mono() - start) / step + 1);
    }
    facts.ended = clock.Wall();
    facts.seconds = static_cast<double>(clock.Mono() - start) * 1e-9;
    // How it ended is told once its parent has waited for it.
    for (int i = 0; facts.kind == EndKind::kUnknown && i < kTries; ++i) {
      if (const auto status = launch::StatusOf(job)) {
        launch::Ending ending;
        ending.status = *status;
        const ExitFacts told = FactsOf(ending);
        facts.kind = told.kind;
        facts.code = told.code;
        facts.signal = told.signal;
        facts.core_dumped = told.core_dumped;
      } else if (waiter.WaitUntil(MonoTime{clock.Mono().ns + kPause}) != Wake::kDeadline) {
        break;
      }
    }
    return facts;
  }

  static bool HasEnded(const Context& context, int pid, const UniqueFd& job) {
    if (!job.valid()) {
      return !ReadFile(context.root.Path(fmt::format("/proc/{}/stat", pid))).has_value();
    }
    pollfd wait{job.get(), POLLIN, 0};
    return poll(&wait, 1, 0) == 1;
  }

  static constexpr int64_t kLook = 250'000'000;  // nanoseconds between two looks at its end
  static constexpr int64_t kPause = 20'000'000;
  static constexpr int kTries = 25;

  std::vector<std::string> tags_;
  std::string pid_word_, output_, tensorboard_, name_;
  double interval_ = 1;
  record::WriterOptions writer_;
  bool no_summary_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeWatch() { return std::make_unique<WatchCommand>(); }

}  // namespace gpusight::cli
