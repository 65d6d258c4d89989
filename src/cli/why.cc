// SPDX-License-Identifier: Apache-2.0
// `gpusight why`: the named cause, of a running job or of a recording. Both are sources of frames
// for diagnose/engine.h; the page is why_page.h's.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "cli/registry.h"
#include "cli/run_recorder.h"
#include "cli/schedule.h"
#include "cli/why_page.h"
#include "diagnose/engine.h"
#include "model/text/why.h"
#include "record/reader.h"

namespace gpusight::cli {
namespace {

class Why : public Command {
 public:
  std::string_view name() const override { return "why"; }
  const Text& summary() const override { return text::kWhySummary; }
  const Text& description() const override { return text::kWhyDescription; }

  void Declare(Options& options) override {
    options.File("TARGET", "", text::kWhyTarget, target_).in_config = false;
    options.Switch("--all", text::kWhyAll, all_).in_config = false;
    options.Duration("--for", text::kWhyFor, seconds_, 5);
    options.Switch("--json", text::kWhyJson, json_);
    options.Switch("--all-fixes", text::kWhyAllFixes, all_fixes_);
    Option& limit = options.List("--limit", "NAME=NUMBER", text::kWhyLimit, limits_);
    limit.check = [](std::string_view word, Language language) -> Result<void> {
      diagnose::Thresholds ignored;
      return SetLimit(ignored, word, language);
    };
  }

  Result<ExitCode> Run(Context& context) override {
    if (all_ && !target_.empty()) {
      return Fail(ErrorCode::kUsage, context.Say(text::kWhyTwo));
    }
    for (const std::string& word : limits_) {
      if (auto set = SetLimit(engine_.thresholds, word, context.language); !set) {
        return tl::unexpected(std::move(set.error()));
      }
    }
    int pid = 0;
    const auto [end, error] = std::from_chars(target_.data(), target_.data() + target_.size(), pid);
    const bool is_pid = error == std::errc() && end == target_.data() + target_.size() && pid > 0;
    auto diagnosis = target_.empty() || is_pid ? Look(context, is_pid ? pid : 0) : Read(context);
    if (!diagnosis) return tl::unexpected(std::move(diagnosis.error()));
    std::string out;
    if (json_) {
      AppendWhyJson(out, *diagnosis, all_fixes_, context.language);
      out += '\n';
    } else {
      out = WhyPage(context.PageStyle(), *diagnosis, all_fixes_);
    }
    if (auto written = context.out.Write(out); !written) {
      return tl::unexpected(std::move(written.error()));
    }
    return diagnosis->verdict.rule == kUnknownCause ? ExitCode::kNothing : ExitCode::kOk;
  }

 private:
  static Result<void> SetLimit(diagnose::Thresholds& thresholds, std::string_view word,
                               Language language) {
    const size_t equal = word.find('=');
    const auto limit = diagnose::FindLimit(word.substr(0, equal));
    double value = 0;
    const std::string_view number = equal == word.npos ? "" : word.substr(equal + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (!limit || error != std::errc() || end != number.data() + number.size() ||
        !std::isfinite(value) || value < 0) {
      return Fail(ErrorCode::kUsage, Say(language, text::kWhyBadLimit, Printable(word)),
                  Say(language, text::kWhyBadLimitRemedy));
    }
    thresholds.Set(*limit, value);
    return {};
  }

  // A running job.
  Result<Diagnosis> Look(Context& context, int pid) {
    SignalWaiter waiter(context.clock, STDOUT_FILENO, HangUp::kEnds);
    SamplerOptions needs = NeedsOfRecording({}, "");
    needs.host.relatives = true;
    needs.host.extra_pids = pid != 0 ? std::vector<int>{pid} : std::vector<int>{};
    needs.nvml.first_patience = SamplerOptions{}.nvml.first_patience;
    const auto sampler = context.MakeSampler(needs);
    engine_.time_scale = diagnose::TimeScaleFor(seconds_);
    diagnose::Diagnoser diagnoser({.pid = pid}, engine_);
    Frame frame;
    sampler->Sample(frame);
    if (auto usable = context.CheckUsable(frame); !usable) {
      return tl::unexpected(std::move(usable.error()));
    }
    const bool there = std::any_of(frame.processes.begin(), frame.processes.end(),
                                   [&](const ProcessSample& p) { return p.pid == pid; });
    if (pid != 0 && !there) {
      return Fail(ErrorCode::kNotFound, context.Say(text::kWhyNoPid, pid),
                  context.Say(text::kWhyNoJobRemedy));
    }
    if (context.err_is_terminal) {
      (void)context.err.Write(context.Say(text::kWhyLooking, FormatDuration(seconds_)) + "\n");
    }
    bool first = true;
    const auto sample = [&](MonoTime planned, bool) -> Result<bool> {
      if (!first) sampler->Sample(frame, planned);
      first = false;
      diagnoser.Add(frame);
      return true;
    };
    const auto ended = RunSchedule({.interval = 1, .for_seconds = seconds_}, context.clock, waiter,
                                   sample, nullptr);
    if (!ended) return tl::unexpected(ended.error());
    return End(context, diagnoser);
  }

  Result<Diagnosis> Read(const Context& context) {
    const auto recording = record::Recording::Open(target_, context.language);
    if (!recording) return tl::unexpected(recording.error());
    const record::Summary summary = recording->Read();
    engine_.time_scale = diagnose::TimeScaleFor(summary.span.seconds());
    diagnose::Diagnoser diagnoser({.job_only = recording->KnowsItsJob()}, engine_);
    record::FrameCursor frames = recording->Frames();
    Frame frame;
    while (frames.Next(frame)) diagnoser.Add(frame);
    if (const auto trouble = frames.trouble()) return tl::unexpected(*trouble);
    return End(context, diagnoser);
  }

  static Result<Diagnosis> End(const Context& context, diagnose::Diagnoser& diagnoser) {
    if (!diagnoser.saw_a_job()) {
      return Fail(ErrorCode::kNotFound, context.Say(text::kWhyNoJob),
                  context.Say(text::kWhyNoJobRemedy));
    }
    return diagnoser.Finish();
  }

  std::string target_;
  double seconds_ = 30;
  bool all_ = false, json_ = false, all_fixes_ = false;
  std::vector<std::string> limits_;
  diagnose::EngineOptions engine_;
};

}  // namespace

std::unique_ptr<Command> MakeWhy() { return std::make_unique<Why>(); }

}  // namespace gpusight::cli
