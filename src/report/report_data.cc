// SPDX-License-Identifier: Apache-2.0
#include "report/report_data.h"

#include <algorithm>
#include <optional>

#include "diagnose/engine.h"
#include "record/series.h"
#include "report/builder.h"
#include "report/failure.h"

namespace gpusight::report {
namespace {

constexpr int64_t kHour = 3600 * int64_t{1'000'000'000};

// Steps are read in stretches, so that a day of them is never in memory at once.
void AddSteps(const record::Recording& recording, const record::RecordedProcess& process,
              Builder& builder) {
  constexpr int64_t kMostStretches = 2000;
  const ProcessKey key{process.sample.pid, process.sample.start_ticks};
  const record::Span span = HourAround(process.seen);
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

}  // namespace

Report ReadReport(const record::Recording& recording) {
  record::Summary summary = recording.Read();
  const record::Span span = summary.span;
  const record::Span all = HourAround(span);
  Builder builder(std::move(summary), recording.Devices().size());
  // A recorder that was killed, or one of before, saved no findings: they are worked out anew.
  std::vector<record::FindingRow> findings = recording.Findings();
  std::optional<diagnose::Diagnoser> diagnoser;
  if (findings.empty()) {
    diagnoser.emplace(diagnose::Which{.pid = 0, .job_only = recording.KnowsItsJob()},
                      diagnose::EngineOptions{
                          .thresholds = {}, .time_scale = diagnose::TimeScaleFor(span.seconds())});
  }
  Frame frame;
  for (record::FrameCursor frames = recording.Frames(); frames.Next(frame);) {
    // It may be written meanwhile.
    if (frame.time > span.end) break;
    builder.Add(frame);
    if (diagnoser) diagnoser->Add(frame);
  }
  AddExtremes(recording, builder);
  builder.AddFailure(ReadFailure(recording));
  for (const record::RecordedProcess& process : recording.Processes()) {
    const ProcessKey key{process.sample.pid, process.sample.start_ticks};
    AddSteps(recording, process, builder);
    builder.AddStacks(key, recording.Stacks(process.id, all));
    builder.AddMarks(key, recording.Marks(process.id, all));
    builder.AddOutOfMemory(key, recording.OutOfMemories(process.id, all));
  }
  builder.AddEvents(recording.Events(all));
  if (diagnoser) {
    findings.clear();
    if (diagnoser->saw_a_job()) {
      for (Finding& finding : diagnoser->Finish().findings) {
        findings.push_back({.finding = std::move(finding), .english = {}, .chinese = {}});
      }
    }
  }
  builder.AddFindings(std::move(findings));
  builder.AddOutput(recording.Output());
  return builder.Take();
}

}  // namespace gpusight::report
