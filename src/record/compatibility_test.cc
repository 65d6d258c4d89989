// SPDX-License-Identifier: Apache-2.0
// Recordings of every version of the format stay readable: testdata/recordings/v<N>.gpusight gives
// what v<N>.txt says. A file is never written anew; a new version adds one:
//   GPUSIGHT_NEW_RECORDING=1 build/debug/bin/record_test --gtest_filter='Compatibility*'
// writes that of the present version where there is none.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/fd.h"
#include "record/recorder.h"
#include "record/series.h"
#include "record/test_recording.h"
#include "record/test_stream.h"

namespace gpusight::record {
namespace {

const std::string kFolder = std::string(GPUSIGHT_TESTDATA) + "/recordings/";

Finding Slow() {
  Finding finding;
  finding.rule = "input.serial_loader";
  finding.pid = 1000;
  finding.severity = 0.4;
  finding.confidence = 0.9;
  finding.evidence = {{"gpu_idle", {{Unit::kRatio, 0.62}}}, {"no_workers", {}}};
  finding.place = "data.py:88 load";
  finding.opened = {1'000'000'000};
  finding.updated = {9'000'000'000};
  return finding;
}

// Some of everything that a recording can hold; old frames are merged.
void MakeOne(const std::string& path) {
  RunFacts facts;
  facts.name = "ablation";
  facts.arguments = {"python", "train.py", "--lr", "0.1"};
  facts.folder = "/home/ada/work";
  facts.pid = 1000;
  facts.gpusight = "0.1.0";
  facts.tags = {{"lr", "0.1"}};
  facts.environment = {{"CUDA_VISIBLE_DEVICES", "0,1"}, {"WANDB_API_KEY", "[hidden]"}};
  facts.versions = {{"torch", "2.4.1"}};
  facts.git_commit = "3f2a9c1";
  WriterOptions options;
  options.retention = {.full_seconds = 20, .tens_seconds = 60};
  TestStream stream({.devices = 2, .processes = 2});
  int i = 0;
  Record(path, 130,
         [&](Frame& frame) {
           stream.Next(frame);
           if (++i == 112) {
             frame.frameworks[0].marks.push_back({MarkType::kPhase, frame.time, 0, "eval"});
             frame.frameworks[0].out_of_memory.push_back(
                 {frame.time, 0, 20, 100, 5, 80, 90, 81, 7, "torch/nn.py:3 forward", true});
             frame.events.push_back({EventType::kXid, frame.time, frame.devices[1].info.uuid, 79});
           }
           if (i > 120)
             frame.devices[1].fields[DeviceField::kFan] = Missing{Absence::kDriverError, 9};
           if (i > 125) frame.processes.pop_back();
         },
         options, 5, facts, true, {Slow()});
}

// What a recording says, line by line.
std::string Tell(const Recording& recording) {
  std::string out;
  const auto line = [&](auto&&... words) {
    ((out += fmt::format("{} ", words)), ...);
    out.back() = '\n';
  };
  const Summary summary = recording.Read();
  line("run", summary.facts.name, summary.facts.folder, summary.facts.pid,
       summary.facts.git_commit);
  for (const auto& word : summary.facts.arguments) line("argument", word);
  for (const Pairs* pairs :
       {&summary.facts.tags, &summary.facts.environment, &summary.facts.versions}) {
    for (const auto& [name, value] : *pairs) line("fact", name, value);
  }
  line("host", summary.hostname, summary.kernel, summary.driver.version, summary.frames);
  for (const auto& d : recording.Devices()) line("device", d.info.uuid, d.info.name);
  for (const auto& p : recording.Processes()) {
    line("process", p.sample.pid, *p.sample.command_line, p.framework.version, p.seen.begin.ns,
         p.seen.end.ns);
  }
  for (const auto& c : recording.Containers()) line("container", c.sample.path, c.sample.name);
  FrameCursor cursor = recording.Frames();
  Frame frame;
  while (cursor.Next(frame)) {
    line("frame", frame.time.ns, frame.interval_seconds,
         frame.host.fields[HostField::kCpu].value_or(-1));
    for (const DeviceSample& d : frame.devices) {
      line(" device", *d[DeviceField::kPower], *d[DeviceField::kMemoryUsed],
           *d[DeviceField::kMemoryTotal], Describe(d[DeviceField::kFan].missing()),
           d.power_ring.size(), d.utilization_ring.size());
    }
    for (const ProcessSample& p : frame.processes) {
      line(" process", p.pid, *p.fields[ProcessField::kCpu], *p.fields[ProcessField::kThreads],
           p.uses.empty() ? -1 : *p.uses[0].fields[UseField::kMemory]);
    }
    for (const FrameworkSample& f : frame.frameworks) {
      line(" framework", f.pid, f.steps.size(), f.stack_samples.size(), f.marks.size(),
           f.allocators.empty() ? -1 : *f.allocators[0].fields[AllocatorField::kReserved]);
    }
  }
  for (const auto& e : recording.Events({}))
    line("event", EventName(e.type), e.device_uuid, e.number);
  for (const auto& m : recording.Marks(0, {})) line("mark", m.time.ns, m.text);
  for (const auto& o : recording.OutOfMemories(0, {})) line("oom", o.requested, o.free, o.stack);
  for (const auto& row : recording.Findings()) {
    const Finding& f = row.finding;
    line("finding", f.rule, f.pid, f.severity, f.confidence, f.place, f.opened.ns, f.updated.ns,
         f.closed.ns, f.evidence.size(), row.english, row.chinese);
    for (const Evidence& e : f.evidence) line(" evidence", e.key, e.figures.size());
  }
  for (const auto& s : recording.Stacks(0, {})) line("stack", s.samples, s.idle_samples, s.stack);
  uint64_t steps = 0;
  for (const auto& s : recording.Steps(0, {})) steps += s.merged;
  line("steps", steps);
  const DeviceField power[] = {DeviceField::kPower};
  const auto series = DeviceSeries(recording, 1, power, {}, 5);
  for (const Point& p : series[0]) {
    line("power", p.mean, p.least, p.most);
  }
  return out;
}

TEST(Compatibility, ThePresentVersionHasARecording) {
  const std::string base = fmt::format("{}v{}", kFolder, kSchemaVersion);
  const std::string path = base + ".gpusight";
  if (std::getenv("GPUSIGHT_NEW_RECORDING") != nullptr && !std::filesystem::exists(path)) {
    MakeOne(path);
    std::ofstream(base + ".txt") << Tell(*Recording::Open(path, Language::kEnglish));
  }
  EXPECT_TRUE(std::filesystem::exists(path)) << path;
}

TEST(Compatibility, EveryOldRecordingSaysWhatItSaid) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".gpusight") continue;
    const auto recording = Recording::Open(entry.path().string(), Language::kEnglish);
    ASSERT_TRUE(recording) << recording.error().what;
    const auto expected = ReadFile(std::filesystem::path(entry.path()).replace_extension(".txt"));
    ASSERT_TRUE(expected);
    EXPECT_EQ(Tell(*recording), *expected) << entry.path();
    ++files;
  }
  EXPECT_GE(files, kSchemaVersion);
}

}  // namespace
}  // namespace gpusight::record
