// SPDX-License-Identifier: Apache-2.0
#include "report/report_data.h"

#include <algorithm>

#include "record/series.h"
#include "report/builder.h"
#include "report/post_mortem.h"

namespace gpusight::report {
namespace {

constexpr int64_t kHour = 3600 * int64_t{1'000'000'000};

// With an hour before and after, since what a process told may bear other times than its frames.
record::Span Around(record::Span span) {
  return {Sane({Sane(span.begin).ns - kHour}), Sane({Sane(span.end).ns + kHour})};
}

// Steps are read in stretches, so that a day of them is never in memory at once.
void AddSteps(const record::Recording& recording, const record::RecordedProcess& process,
              Builder& builder) {
  constexpr int64_t kMostStretches = 2000;
  const ProcessKey key{process.sample.pid, process.sample.start_ticks};
  const record::Span span = Around(process.seen);
  const int64_t stretch = std::max(kHour, (span.end.ns - span.begin.ns) / kMostStretches + 1);
  for (int64_t begin = span.begin.ns; begin <= span.end.ns; begin += stretch) {
    for (const record::RecordedStep& step :
         recording.Steps(process.id, {{begin}, {begin + stretch}})) {
      builder.AddStep(key, step);
    }
  }
}

// What merged frames no longer hold, the recording keeps beside them.
void AddExtremes(const record::Recording& recording, Builder& builder) {
  if (builder.merged_until().ns == 0) return;
  // The pieces of the grid, up to the last with a merged frame.
  const Grid& grid = builder.grid();
  const size_t pieces = grid.At(builder.merged_until()) + 1;
  const record::Span span{grid.start, grid.Time(pieces)};
  const auto fields = DeviceTracks::Fields();
  for (const record::RecordedDevice& device : recording.Devices()) {
    const auto series = record::DeviceSeries(recording, device.id, fields, span, pieces);
    for (size_t i = 0; i < series.size(); ++i) {
      builder.AddExtremes(device.info.uuid, fields[i], series[i]);
    }
  }
}

// The frames before a failure: as many as show how it went, not all of a day.
std::vector<Frame> FramesBefore(const record::Recording& recording, WallTime time) {
  constexpr int64_t kBefore = 600 * int64_t{1'000'000'000}, kAfter = 1'000'000'000;
  constexpr size_t kMost = 700;
  std::vector<Frame> frames;
  time = Sane(time);
  record::FrameCursor cursor = recording.Frames({time.ns - kBefore});
  Frame frame;
  while (cursor.Next(frame) && frame.time.ns <= time.ns + kAfter) {
    // Long lists of neighbours and of samples say nothing here.
    for (DeviceSample& device : frame.devices) {
      device.utilization_ring = device.memory_activity_ring = device.power_ring = {};
    }
    frame.spare_processes.clear();
    frames.push_back(frame);
    if (frames.size() > kMost) frames.erase(frames.begin(), frames.begin() + kMost / 2);
  }
  return frames;
}

// Of each process the first failures: what follows a caught one is mostly the same again.
void AddPostMortems(const record::Recording& recording, const record::RecordedProcess& process,
                    const std::vector<OutOfMemory>& failures, Builder& builder, int& left) {
  constexpr size_t kMostOfOne = 3;
  const ProcessKey key{process.sample.pid, process.sample.start_ticks};
  for (size_t i = 0; i < failures.size() && i < kMostOfOne && left > 0; ++i, --left) {
    const auto frames = FramesBefore(recording, failures[i].time);
    builder.AddPostMortem(key, Explain(failures[i], process.sample.pid, frames));
  }
}

}  // namespace

Report ReadReport(const record::Recording& recording) {
  record::Summary summary = recording.Read();
  const record::Span span = summary.span;
  const record::Span all = Around(span);
  Builder builder(std::move(summary), recording.Devices().size());
  Frame frame;
  for (record::FrameCursor frames = recording.Frames(); frames.Next(frame);) {
    // It may be written meanwhile.
    if (frame.time > span.end) break;
    builder.Add(frame);
  }
  AddExtremes(recording, builder);
  constexpr int kMostPostMortems = 16;
  int left = kMostPostMortems;
  for (const record::RecordedProcess& process : recording.Processes()) {
    const ProcessKey key{process.sample.pid, process.sample.start_ticks};
    AddSteps(recording, process, builder);
    builder.AddStacks(key, recording.Stacks(process.id, all));
    builder.AddMarks(key, recording.Marks(process.id, all));
    auto failures = recording.OutOfMemories(process.id, all);
    AddPostMortems(recording, process, failures, builder, left);
    builder.AddOutOfMemory(key, std::move(failures));
  }
  builder.AddEvents(recording.Events(all));
  builder.AddFindings(recording.Findings());
  auto output = recording.Output();
  if (left == kMostPostMortems) {
    // Nobody observed a failure; the program may have told of one.
    std::string all_output;
    for (const record::OutputPiece& piece : output) all_output += piece.bytes;
    for (PostMortem& one : ExplainOutput(all_output)) builder.AddPostMortem({}, std::move(one));
  }
  builder.AddOutput(std::move(output));
  return builder.Take();
}

}  // namespace gpusight::report
