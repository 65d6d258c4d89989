// SPDX-License-Identifier: Apache-2.0
#include "report/report_data.h"

#include <algorithm>

#include "record/series.h"
#include "report/builder.h"

namespace gpusight::report {
namespace {

// Steps are read in stretches, so that a day of them is never in memory at once.
constexpr int64_t kStretch = 3600 * int64_t{1'000'000'000};

void AddSteps(const record::Recording& recording, const record::RecordedProcess& process,
              Builder& builder) {
  const ProcessKey key{process.sample.pid, process.sample.start_ticks};
  const record::Span span = process.seen;
  // One more stretch, since steps may end after the last frame that had the process.
  for (int64_t begin = span.begin.ns - kStretch; begin <= span.end.ns + kStretch;
       begin += kStretch) {
    for (const record::RecordedStep& step :
         recording.Steps(process.id, {{begin}, {begin + kStretch}})) {
      builder.AddStep(key, step);
    }
  }
}

// What merged frames no longer hold, the recording keeps beside them.
void AddExtremes(const record::Recording& recording, WallTime begin, Builder& builder) {
  const WallTime end = builder.merged_until();
  if (end.ns == 0) return;
  const auto fields = DeviceTracks::Fields();
  for (const record::RecordedDevice& device : recording.Devices()) {
    const auto series = record::DeviceSeries(recording, device.id, fields,
                                             {begin, {end.ns + 1'000'000}}, kMostPieces);
    for (size_t i = 0; i < series.size(); ++i) {
      builder.AddExtremes(device.info.uuid, fields[i], series[i]);
    }
  }
}

}  // namespace

Report ReadReport(const record::Recording& recording) {
  record::Summary summary = recording.Read();
  const record::Span span = summary.span;
  const record::Span all{{span.begin.ns - kStretch}, {span.end.ns + kStretch}};
  Builder builder(std::move(summary), recording.Devices().size());
  Frame frame;
  for (record::FrameCursor frames = recording.Frames(); frames.Next(frame);) {
    // It may be written meanwhile.
    if (frame.time > span.end) break;
    builder.Add(frame);
  }
  AddExtremes(recording, span.begin, builder);
  for (const record::RecordedProcess& process : recording.Processes()) {
    const ProcessKey key{process.sample.pid, process.sample.start_ticks};
    AddSteps(recording, process, builder);
    builder.AddStacks(key, recording.Stacks(process.id, all));
    builder.AddMarks(key, recording.Marks(process.id, all));
    builder.AddOutOfMemory(key, recording.OutOfMemories(process.id, all));
  }
  builder.AddEvents(recording.Events(all));
  builder.AddFindings(recording.Findings());
  builder.AddOutput(recording.Output());
  return builder.Take();
}

}  // namespace gpusight::report
