// SPDX-License-Identifier: Apache-2.0
// Frames as runs of TensorBoard. Each device, each training process and the host is a run of its
// own, "gpu0", "rank3", "host", and their charts have the same names: so TensorBoard draws the
// lines of all devices into one chart, and those of two recordings, too. A run of TensorBoard is a
// folder, so that nothing gets among the files of the program's own writer, of which TensorBoard
// may follow the newest alone. What is absent has no point. Next: tensorboard_tags.h.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/language.h"
#include "export/tensorboard.h"
#include "export/tensorboard_tags.h"
#include "model/frame.h"

namespace gpusight::exporting {

class TensorBoardRuns {
 public:
  struct Run {
    std::string name;     // of its folder
    std::string header;   // with which its file begins
    std::string waiting;  // to be appended
    int64_t last_step = -1;
  };

  // Seconds count from `begin`.
  TensorBoardRuns(WallTime begin, Language language) : begin_(begin), language_(language) {}

  void Add(const Frame& frame);
  // A text of the run "job"; `markdown` as it is.
  void AddText(std::string_view tag, WallTime time, std::string_view markdown);

  // What has to be appended to the files of the runs since the last call.
  struct Piece {
    std::string run, header, bytes;  // the header is what a new file begins with
  };
  [[nodiscard]] std::vector<Piece> Take();
  [[nodiscard]] size_t waiting() const;  // bytes

  [[nodiscard]] const std::deque<Run>& runs() const { return runs_; }
  [[nodiscard]] uint64_t points() const { return points_; }

 private:
  struct Process {
    std::string name;                 // "rank3"
    std::string allocator, use;       // of the device that has no run of its own; "" at first
    int64_t last_step = -1;           // of the optimizer
    std::set<std::string> metrics{};  // names, bounded
  };
  using Identity = std::pair<int, uint64_t>;

  Run* RunOf(const std::string& name);
  Process& ProcessOf(Identity identity, int rank);
  int64_t SecondsAt(WallTime time) const;
  int64_t NextStep(Run& run, WallTime time) const;

  void AddDevice(const Frame& frame, size_t device);
  void AddProcess(const Frame& frame, const ProcessSample* sample,
                  const FrameworkSample* framework);
  void AddSteps(const Frame& frame, const FrameworkSample& framework, const ProcessSample* sample,
                Process& process);
  void AddMetrics(const FrameworkSample& framework, Process& process);
  void AddHappenings(const Frame& frame);
  void AddRow(WallTime time, std::string_view what, const std::string& where,
              std::string_view text);

  template <typename Field>
  void Collect(const TagList<Field>& list, const FieldSet<Field>& fields);
  // What was collected as one event.
  void Flush(const std::string& run, WallTime time, int64_t step);
  void FlushAtSeconds(const std::string& run, WallTime time);

  WallTime begin_;
  Language language_;
  std::deque<Run> runs_;
  std::map<std::string, Run*> by_name_;
  std::map<Identity, Process> processes_;
  std::set<std::string> process_names_;
  std::map<std::string, std::string> device_runs_;  // by UUID
  std::vector<Scalar> scalars_;
  std::deque<std::string> happenings_;  // the newest rows of the table of events
  bool happened_ = false;
  uint64_t points_ = 0;
};

}  // namespace gpusight::exporting
