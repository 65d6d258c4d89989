// SPDX-License-Identifier: Apache-2.0
// Records one job: samples the machine, puts frames into the recording, and sums up. `run` uses it
// in a process beside the job, `watch` in its own. Whatever goes wrong with the file, sampling goes
// on, so that there is a summary at least. Next: command_run.cc, run_summary.h.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/run_signs.h"
#include "cli/run_summary.h"
#include "cli/run_tensorboard.h"
#include "cli/run_why.h"
#include "launch/tail.h"
#include "model/exit_facts.h"
#include "record/writer.h"

namespace gpusight::cli {

struct RecorderPlan {
  record::RunFacts facts;
  record::WriterOptions writer;
  std::string here;                  // the folder in which gpusight was started
  std::string output;                // -o, absolute; "" when nobody said where
  std::string tensorboard;           // --tensorboard, absolute; "" when not asked for
  std::vector<std::string> folders;  // where to put it then, or when that cannot be, best first
  host::JobOptions job;
  std::string page_folder;  // where its processes put their telemetry pages; "" when not known
  double interval = 1;      // seconds
  // The end of what the job prints, and to which stream, where somebody copies it.
  std::vector<std::pair<int, std::function<std::string()>>> read_tail;
  std::vector<launch::TailSource> tails;  // what the job prints, where it can be read
  std::function<void(const std::string& sentence)> say;  // to the user; from any thread
};

class JobRecorder {
 public:
  // Begins with the driver at once.
  JobRecorder(const Context& context, RecorderPlan plan);
  ~JobRecorder();

  // Takes the first sample and makes the file.
  void Begin();
  void Sample(MonoTime planned = {});

  // Takes the last sample, completes the facts by what the machine counted, and closes the file.
  void End(ExitFacts facts);

  // How many processes of the job the last sample saw.
  [[nodiscard]] int members() const;
  [[nodiscard]] const std::string& path() const { return path_; }  // "" when there is no file
  [[nodiscard]] double interval() const { return plan_.interval; }
  // The screen at the end: the summary and, after a failure, the post-mortem. After End().
  [[nodiscard]] std::string Screen(int columns) const;

 private:
  struct Counters {
    Known<double> container, machine;  // kills for want of memory
  };
  void Take();
  void Open();
  void FinishRecording(const Diagnosis& diagnosis);
  bool TryOpen(const std::string& path, Error& why);
  [[nodiscard]] Counters Count() const;
  void FindContainer();
  void Complete(ExitFacts& facts, std::string_view output) const;
  std::string AddTails(WallTime ended);
  [[nodiscard]] std::string PostMortem(int columns, const std::string& file) const;
  [[nodiscard]] record::WriterCalls Calls() const;

  const Context& context_;
  RecorderPlan plan_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<record::Writer> writer_;
  std::optional<RunTensorBoard> tensorboard_;
  RunSummary summary_;
  RunDiagnosis diagnosis_;
  EndSigns signs_;
  Frame frame_;
  std::optional<ContainerSample> container_;  // of the job, as it was last seen
  std::deque<Frame> kept_;                    // the last ones, where there is no recording
  Counters before_;
  ExitFacts exit_;
  std::string path_, output_;
  Known<double> file_bytes_;
};

// When it began, in clock ticks after boot; 0 when there is no such process.
[[nodiscard]] uint64_t StartTicksOf(int pid);

// What a recording of that job needs.
[[nodiscard]] SamplerOptions NeedsOfRecording(const host::JobOptions& job,
                                              const std::string& page_folder);

}  // namespace gpusight::cli
