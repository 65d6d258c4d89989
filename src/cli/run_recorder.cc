// SPDX-License-Identifier: Apache-2.0
#include "cli/run_recorder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "cli/reason.h"
#include "cli/run_git.h"
#include "cli/run_name.h"
#include "model/text/run.h"
#include "probe/cgroup/values.h"
#include "probe/host/proc_stat.h"
#include "record/run_end.h"
#include "report/failure_text.h"

namespace gpusight::cli {
namespace {

// What was counted since `before`.
Known<double> Difference(const Known<double>& before, const Known<double>& after) {
  if (!after || !before) return after ? before : after;
  return std::max(0.0, *after - *before);
}

}  // namespace

uint64_t StartTicksOf(int pid) {
  const auto text = ReadFile(fmt::format("/proc/{}/stat", pid));
  const auto stat = text ? host::ParseProcStat(*text) : std::nullopt;
  return stat ? stat->start_ticks : 0;
}

SamplerOptions NeedsOfRecording(const host::JobOptions& job, const std::string& page_folder) {
  SamplerOptions needs;
  needs.pages = true;
  if (!page_folder.empty()) needs.page.folders.push_back(page_folder);
  needs.host.job = job;
  needs.host.relatives = false;  // of other jobs on the device
  needs.host.mounts = true;
  // The job is not kept waiting for a driver that takes seconds to start: it answers later frames.
  needs.nvml.first_patience = 1;
  return needs;
}

JobRecorder::JobRecorder(const Context& context, RecorderPlan plan)
    : context_(context),
      plan_(std::move(plan)),
      sampler_(context.MakeSampler(NeedsOfRecording(plan_.job, plan_.page_folder))) {}

JobRecorder::~JobRecorder() = default;

void JobRecorder::Begin() {
  constexpr double kPatience = 0.3;  // seconds
  plan_.facts.git_commit = CommitOf(plan_.facts.folder);
  std::optional<GitQuestion> git;
  if (!plan_.facts.git_commit.empty()) git.emplace(plan_.facts.folder);
  sampler_->Sample(frame_);
  if (git) plan_.facts.git_changed = git->Changed(kPatience);
  FindContainer();
  before_ = Count();
  Open();
  if (!plan_.tensorboard.empty()) {
    tensorboard_.emplace(plan_.tensorboard, plan_.facts, frame_, plan_.say, context_.language);
  }
  Take();
}

void JobRecorder::Sample(MonoTime planned) {
  sampler_->Sample(frame_, planned);
  FindContainer();
  Take();
}

// The frame to all who want it.
void JobRecorder::Take() {
  constexpr size_t kMostKept = 120;
  summary_.Add(frame_);
  diagnosis_.Add(frame_);
  signs_.Add(frame_, container_ ? &*container_ : nullptr);
  if (tensorboard_) tensorboard_->Add(frame_);
  if (writer_) {
    writer_->Add(frame_);
    return;
  }
  kept_.push_back(report::Slim(frame_));
  if (kept_.size() > kMostKept) kept_.pop_front();
}

int JobRecorder::members() const {
  return static_cast<int>(std::count_if(frame_.processes.begin(), frame_.processes.end(),
                                        [](const auto& p) { return p.in_job && !p.zombie; }));
}

record::WriterCalls JobRecorder::Calls() const {
  const Language language = context_.language;
  const auto say = plan_.say;
  return {.stopped =
              [say, language](const Error& why) {
                say(Say(language, text::kRunLost, Reason(why, language)));
              },
          .resumed =
              [say, language](uint64_t lost) { say(SayCount(language, text::kRunResumed, lost)); }};
}

bool JobRecorder::TryOpen(const std::string& path, Error& why) {
  auto made = record::Writer::Create(path, plan_.facts, plan_.writer, Calls(), context_.clock,
                                     context_.language);
  if (!made) {
    why = std::move(made.error());
    return false;
  }
  writer_ = std::move(*made);
  path_ = path;
  return true;
}

// Where the user said; else, or when that cannot be, in the first folder that takes it. A file that
// exists is never touched: somebody may create it between our look and the writer's.
void JobRecorder::Open() {
  constexpr int kTries = 3;
  Error why;
  struct stat info{};
  if (!plan_.output.empty() && stat(plan_.output.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    plan_.output += "/" + FileOfRun(plan_.facts.start, plan_.facts.name);
  }
  if (!plan_.output.empty()) {
    for (int i = 0; i < kTries; ++i) {
      const std::string free = FreeName(plan_.output);
      if (!TryOpen(free, why)) continue;
      if (free != plan_.output) {
        plan_.say(context_.Say(text::kRunNotOverwritten, Printable(plan_.output), Printable(free)));
      }
      return;
    }
  }
  const Error first = why;
  for (const std::string& folder : plan_.folders) {
    mkdir(folder.c_str(), 0777);  // one level; an error shows when the file is made
    const std::string path = folder + "/" + FileOfRun(plan_.facts.start, plan_.facts.name);
    for (int i = 0; i < kTries; ++i) {
      if (!TryOpen(FreeName(path), why)) continue;
      if (!plan_.output.empty()) {
        plan_.say(
            context_.Say(text::kRunElsewhere, Reason(first, context_.language), Printable(path_)));
      }
      return;
    }
  }
  plan_.say(context_.Say(text::kRunNotRecorded,
                         Reason(plan_.output.empty() ? why : first, context_.language)));
}

// That of the job's first process; before it is seen, and where it cannot be told, ours. What was
// seen last stays when the group goes with the job.
void JobRecorder::FindContainer() {
  const auto take = [this](const ContainerSample& found) { container_ = found; };
  for (const ProcessSample& process : frame_.processes) {
    const auto at = static_cast<size_t>(process.container_index);
    if (process.pid != plan_.job.root || process.container_index < 0) continue;
    if (at < frame_.containers.size()) return take(frame_.containers[at]);
  }
  for (const ContainerSample& one : frame_.containers) {
    if (container_ ? one.path == container_->path : one.own) return take(one);
  }
}

JobRecorder::Counters JobRecorder::Count() const {
  Counters out;
  out.container = container_ ? container_->fields[ContainerField::kOomKills]
                             : Known<double>(Absence::kNotSupported);
  const auto text = ReadFile(context_.root.Path("/proc/vmstat"));
  const auto kills = text ? cgroup::ParseKey(*text, "oom_kill") : std::nullopt;
  out.machine =
      kills ? Known<double>(static_cast<double>(*kills)) : Known<double>(Absence::kNotSupported);
  return out;
}

void JobRecorder::Complete(ExitFacts& facts, std::string_view output) const {
  const Counters now = Count();
  facts.oom_kills_container = Difference(before_.container, now.container);
  facts.oom_kills_machine = Difference(before_.machine, now.machine);
  facts.left_behind = facts.kind == EndKind::kRunning ? 0 : members();
  if (container_) {
    facts.memory_limit = container_->fields[ContainerField::kMemoryLimit];
    facts.memory_peak = container_->fields[ContainerField::kMemoryPeak];
  }
  signs_.Complete(facts, output);
}

// Returns them in one.
std::string JobRecorder::AddTails(WallTime ended) {
  std::string all;
  const auto add = [&](int stream, const std::string& bytes) {
    if (bytes.empty()) return;
    all += bytes;
    if (!writer_) return;
    writer_->AddOutput(ended, stream == 1 ? record::Stream::kOut : record::Stream::kError, bytes);
  };
  for (const launch::TailSource& tail : plan_.tails) {
    add(tail.stream, launch::ReadTail(tail, plan_.writer.output_bytes));
  }
  for (const auto& [stream, read] : plan_.read_tail) add(stream, read());
  return all;
}

void JobRecorder::End(ExitFacts facts) {
  // No later frame brings what the driver's rings hold of the last seconds.
  sampler_->AskForEverything();
  Sample();
  output_ = AddTails(facts.ended);
  Complete(facts, output_);
  exit_ = std::move(facts);
  const Diagnosis& diagnosis = diagnosis_.Finish();
  FinishRecording(diagnosis);
  if (tensorboard_) {
    tensorboard_->End(plan_.facts, record::EndOf(exit_), diagnosis.findings, frame_);
    tensorboard_.reset();  // written by then
  }
}

void JobRecorder::FinishRecording(const Diagnosis& diagnosis) {
  if (!writer_) return;
  for (const Finding& finding : diagnosis.findings) writer_->SetFinding(finding);
  for (const FrameworkSample& sample : frame_.frameworks) {
    if (!sample.version.empty())
      writer_->AddVersion(FrameworkName(sample.framework), sample.version);
  }
  writer_->SetEnd(record::EndOf(exit_));
  if (auto finished = writer_->Finish(); !finished) {
    plan_.say(context_.Say(text::kRunLost, Reason(finished.error(), context_.language)));
  }
  writer_.reset();  // a reader in the process of the writer would drop its locks
  struct stat info{};
  if (stat(path_.c_str(), &info) == 0) file_bytes_ = static_cast<double>(info.st_size);
}

// From the recording, as the report makes it; where there is none, from what was kept.
std::string JobRecorder::PostMortem(int columns, const std::string& file) const {
  if (!record::HasFailed(exit_) && !signs_.ran_out()) return "";
  std::optional<report::Failure> failure;
  if (!path_.empty()) {
    const auto recording = record::Recording::Open(path_, context_.language);
    if (recording) failure = report::ReadFailure(*recording, exit_);
  }
  if (!failure) {
    const std::vector<Frame> frames(kept_.begin(), kept_.end());
    failure = report::ExplainFailure(exit_, frames, output_);
  }
  if (!failure->worth_telling()) return "";
  return "\n" + report::FailureText(*failure, file, columns, context_.language);
}

std::string JobRecorder::Screen(int columns) const {
  // As it was written, where that is below the folder in which everything began.
  const std::string here = plan_.here + "/";
  const std::string shown = path_.starts_with(here) ? path_.substr(here.size()) : path_;
  return SummaryText(summary_,
                     {.name = plan_.facts.name,
                      .exit = exit_,
                      .findings = diagnosis_.count(),
                      .file = shown,
                      .file_bytes = file_bytes_},
                     columns, context_.language) +
         diagnosis_.Text({.columns = columns, .language = context_.language}, shown) +
         PostMortem(columns, shown);
}

}  // namespace gpusight::cli
