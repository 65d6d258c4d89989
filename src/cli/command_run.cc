// SPDX-License-Identifier: Apache-2.0
// `gpusight run`: reads its options, decides what the job is told in its environment and where the
// recording goes, and hands over to run_job.h. Everything here happens before the job starts, so it
// must be quick: nothing asks the driver, but for --memory-budget.
// Before the job: run_name (of run and file), run_variables, run_budget, run_pages (environment),
// run_git. Then two processes: the launcher (run_job) waits for the job; the recorder (run_record)
// samples and writes (run_recorder), adds up (run_summary) and looks for why it ended (run_signs).
// What the recorder has to say it sends to the launcher, which has the terminal.
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "cli/registry.h"
#include "cli/run_budget.h"
#include "cli/run_job.h"
#include "cli/run_name.h"
#include "cli/run_variables.h"
#include "cli/version.h"
#include "launch/own_process.h"
#include "model/text/cli.h"
#include "model/text/run.h"
#include "model/text/tensorboard.h"
#include "record/secrets.h"

namespace gpusight::cli {
namespace {

constexpr double kLeastInterval = 0.1;
constexpr int kDriverMilliseconds = 3000;

// Bytes of the largest device. Asked by a process of its own: the driver's library starts threads
// and keeps files open, which would then be the launcher's.
std::optional<double> LargestDevice(const Context& context) {
  const launch::OwnProcess asker = launch::StartOwn(
      launch::Where::kOwnSession, "gpusight-ask", {context.diary}, [&context](int channel) {
        SamplerOptions needs;
        needs.host_facts = false;
        needs.nvml.processes = needs.nvml.gpm = needs.nvml.rings = needs.nvml.events = false;
        needs.nvml.wanted.reset().set(static_cast<size_t>(DeviceField::kMemoryTotal));
        Frame frame;
        context.MakeSampler(needs)->Sample(frame);
        double most = 0;
        for (const DeviceSample& device : frame.devices) {
          most = std::max(most, device.fields[DeviceField::kMemoryTotal].value_or(0));
        }
        return write(channel, &most, sizeof most) == sizeof most ? 0 : 1;
      });
  pollfd wait{asker.channel.get(), POLLIN, 0};
  double most = 0;
  const bool told = asker.pid != -1 && poll(&wait, 1, kDriverMilliseconds) == 1 &&
                    read(asker.channel.get(), &most, sizeof most) == sizeof most;
  return told && most > 0 ? std::optional(most) : std::nullopt;
}

class RunCommand : public Command {
 public:
  std::string_view name() const override { return "run"; }
  const Text& summary() const override { return text::kRunSummary; }
  const Text& description() const override { return text::kRunDescription; }

  void Declare(Options& options) override {
    options.Rest("COMMAND", text::kRunCommand, command_);
    options.File("-o,--output", "FILE", text::kRunOutput, output_).in_config = false;
    Option& tensorboard = options.File("--tensorboard", "DIR", text::kRunTensorBoard, tensorboard_);
    tensorboard.offer = Offer::kFolder;
    tensorboard.in_config = false;
    options.String("-n,--name", "NAME", text::kRunName, name_).in_config = false;
    Option& tags = options.List("--tag", "NAME=VALUE", text::kRunTag, tags_);
    tags.check = CheckTag;
    options.Duration("-i,--interval", text::kRunInterval, interval_, kLeastInterval);
    options.Bytes("--memory-budget", text::kRunBudget, budget_, uint64_t{64} << 20);
    options.Duration("--keep-full", text::kRunKeepFull, writer_.retention.full_seconds, 1);
    options.Duration("--keep-tens", text::kRunKeepTens, writer_.retention.tens_seconds, 1);
    options.Bytes("--size-limit", text::kRunSizeLimit, writer_.retention.size_limit,
                  uint64_t{1} << 20);
    options.Switch("--no-framework", text::kRunNoFramework, no_framework_);
    options.Switch("--no-output-tail", text::kRunNoOutputTail, no_tail_);
    options.Switch("--output-tail", text::kRunOutputTail, copy_tail_);
    options.Switch("--summary", text::kRunShowSummary, summary_);
    options.Switch("--no-summary", text::kRunNoSummary, no_summary_);
  }

  Result<ExitCode> Run(Context& context) override {
    if (command_.empty()) {
      return Fail(ErrorCode::kUsage, context.Say(text::kRunNoCommand),
                  context.Say(text::kRunNoCommandRemedy));
    }
    RunPlan plan;
    uint32_t chance = 0;
    (void)getrandom(&chance, sizeof chance, GRND_NONBLOCK);
    const WallTime now = context.clock.Wall();
    const std::string run_id = MakeRunId(now, chance ^ static_cast<uint32_t>(getpid()));
    const Variables variables = Prepare(context, run_id, plan);
    plan.program = {command_, WithVariables(context.variables, variables)};
    plan.tail = no_tail_ ? TailMode::kNever : copy_tail_ ? TailMode::kAlways : TailMode::kFiles;
    plan.show_summary = summary_ || (context.err_is_terminal && !no_summary_);
    RecorderPlan& recorder = plan.recorder;
    FillFacts(context, recorder.facts);
    recorder.writer = writer_;
    recorder.interval = interval_;
    recorder.job.run_id = run_id;
    recorder.here = CurrentFolder();
    if (!output_.empty()) recorder.output = Absolute(output_);
    if (!tensorboard_.empty()) recorder.tensorboard = Absolute(tensorboard_);
    recorder.folders = RunFolders(context.env);
    return RunJob(context, std::move(plan));
  }

 private:
  // The variables of the job; makes the folder for its pages.
  Variables Prepare(const Context& context, const std::string& run_id, RunPlan& plan) const {
    Variables set{{std::string(host::kRunVariable), run_id}};
    const auto value = [&context](const char* name) {
      const char* found = context.env(name);
      return std::string_view(found == nullptr ? "" : found);
    };
    const bool wanted = !no_framework_ && value("GPUSIGHT") != "0";
    const std::string bootstrap = wanted ? BootstrapFolder(context.program) : "";
    if (wanted) {
      const std::string place = ChoosePlace(PlacesForPages(context.env));
      RemoveAbandonedPages(place);
      plan.pages = MakePageFolder(place, run_id);
      if (!plan.pages.path.empty()) set.emplace_back("GPUSIGHT_PAGE_DIR", plan.pages.path);
    }
    if (!bootstrap.empty() && !plan.pages.path.empty()) {
      set.emplace_back("GPUSIGHT", "1");
      set.emplace_back("PYTHONPATH", InFront(bootstrap, value("PYTHONPATH")));
    }
    if (budget_ > 0) {
      const bool python = !bootstrap.empty() && !plan.pages.path.empty();
      Budget budget = PlanBudget(budget_, LargestDevice(context), python, context.env);
      for (const std::string& line : Describe(budget, budget_, context.language)) {
        context.Warn(Sentence(context.language, line));
      }
      std::move(budget.set.begin(), budget.set.end(), std::back_inserter(set));
    }
    return set;
  }

  void FillFacts(const Context& context, record::RunFacts& facts) const {
    facts.name = name_.empty() ? NameOfRun(command_) : name_;
    facts.arguments = record::KeepHarmless(command_);
    facts.folder = CurrentFolder();
    facts.gpusight = kVersion;
    facts.tags = TagPairs(tags_);
    facts.environment = record::KeepHarmless(context.variables);
  }

  std::vector<std::string> command_, tags_;
  std::string output_, tensorboard_, name_;
  double interval_ = 1;
  uint64_t budget_ = 0;
  record::WriterOptions writer_;
  bool no_framework_ = false, no_tail_ = false, copy_tail_ = false, summary_ = false,
       no_summary_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeRun() { return std::make_unique<RunCommand>(); }

}  // namespace gpusight::cli
