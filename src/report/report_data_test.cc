// SPDX-License-Identifier: Apache-2.0
// Through a real recording: written by record::Writer, merged by its retention, and read back.
#include "report/report_data.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <thread>

#include "record/writer.h"
#include "testing/fake_clock.h"
#include "testing/temp_folder.h"
#include "testing/training_run.h"

namespace gpusight::report {
namespace {

class RecordingFile {
 public:
  std::string path() const { return folder_.path() + "/run.gpusight"; }

 private:
  TempFolder folder_;
};

Report Recorded(const TrainingRunOptions& options, const record::Retention& retention) {
  const RecordingFile file;
  FakeClock clock;
  clock.SetWall({TrainingRun::kBegin});
  record::RunFacts facts;
  facts.name = "train.py";
  facts.start = {TrainingRun::kBegin};
  record::WriterOptions writing;
  writing.retention = retention;
  writing.commit_seconds = 0.01;
  auto writer = record::Writer::Create(file.path(), facts, writing, {}, clock, Language::kEnglish);
  EXPECT_TRUE(writer);
  TrainingRun run(options);
  Frame frame;
  while (run.Next(frame)) {
    clock.SetWall(frame.time);
    while ((*writer)->stats().waiting > 50) std::this_thread::yield();
    (*writer)->Add(frame);
  }
  EXPECT_TRUE((*writer)->Finish());
  const auto recording = record::Recording::Open(file.path(), Language::kEnglish);
  EXPECT_TRUE(recording);
  return ReadReport(*recording);
}

TEST(ReadReport, FindsAllThatWasRecorded) {
  const Report report = Recorded({.devices = 2, .seconds = 200, .fails = true}, {});
  ASSERT_EQ(report.devices.size(), 2U);
  EXPECT_EQ(report.processes.size(), 3U);
  ASSERT_TRUE(report.processes[0].steps.has_value());
  EXPECT_GT(report.processes[0].steps->steps, 300U);
  ASSERT_EQ(report.idle.size(), 2U);
  EXPECT_EQ(report.idle[0].report.why, IdleReport::Why::kKnown);
  EXPECT_NEAR(report.idle[0].report.explained_seconds / report.idle[0].report.idle_seconds, 1,
              0.05);
  EXPECT_GE(report.phases.size(), 4U);
  EXPECT_EQ(report.metrics.size(), 1U);
  EXPECT_EQ(report.failure.post_mortems.size(), 1U);
  EXPECT_EQ(report.events.size(), 1U);
  EXPECT_EQ(report.seconds_covered, report.seconds_full);
}

TEST(ReadReport, OfMergedFramesItKnowsPeaksAndWhereTheProgramWas) {
  const Report report =
      Recorded({.devices = 1, .seconds = 3000}, {.full_seconds = 300, .tens_seconds = 900});
  ASSERT_LT(report.seconds_full, report.seconds_covered) << "nothing was merged";
  const Curve& busy = *report.devices[0].Find("utilization_ratio");
  size_t wide = 0, pieces = 0;
  for (double t = 60; t < 500; t += report.grid.step) {
    const size_t at = report.grid.At({TrainingRun::kBegin + static_cast<int64_t>(t * 1e9)});
    if (std::isnan(busy.mean[at])) continue;
    ++pieces;
    // In a minute the load goes up and down.
    wide += busy.most[at] > 0.9 && busy.least[at] < 0.1 ? 1 : 0;
    double sum = 0;
    for (const Layer& layer : report.devices[0].memory.layers) sum += layer.bytes[at];
    EXPECT_EQ(sum, report.devices[0].memory.total[at]);
  }
  EXPECT_GT(pieces, 50U);
  EXPECT_GT(wide, pieces / 2);
  const IdleReport& idle = report.idle[0].report;
  EXPECT_GT(idle.counted_seconds, 0);
  EXPECT_NEAR(idle.seconds, 3000, 30);
  EXPECT_EQ(Places(idle)[0].place, "data.py:88 load");
}

}  // namespace
}  // namespace gpusight::report
