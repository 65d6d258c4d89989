// SPDX-License-Identifier: Apache-2.0
#include "diagnose/collector.h"

#include <gmock/gmock.h>

#include <chrono>

#include "diagnose/engine.h"

namespace gpusight::diagnose {
namespace {

// A machine with one device and a training process on it; `second` counts frames.
class Machine {
 public:
  Machine() {
    frame_.devices.resize(1);
    frame_.devices[0].info.uuid = "GPU-0";
    frame_.devices[0].fields[DeviceField::kUtilizationMean] = 0.9;
    frame_.devices[0].process_count = 1.0;
    frame_.processes.push_back(Process(100, 7));
  }

  static ProcessSample Process(int pid, uint64_t start) {
    ProcessSample process;
    process.pid = pid;
    process.start_ticks = start;
    process.fields[ProcessField::kCpu] = 1.0;
    GpuUse use;
    use.fields[UseField::kMemory] = 1e9;
    process.uses.push_back(use);
    return process;
  }

  Frame& Next(double seconds = 1) {
    frame_.time.ns += static_cast<int64_t>(seconds * 1e9);
    frame_.mono.ns += static_cast<int64_t>(seconds * 1e9);
    frame_.interval_seconds = seconds;
    return frame_;
  }
  Frame& frame() { return frame_; }

 private:
  Frame frame_ = [] {
    Frame frame;
    frame.time.ns = 1'700'000'000'000'000'000;
    frame.mono.ns = 1'000'000'000;
    return frame;
  }();
};

double Last(Collector& collector, Signal signal, size_t subject = 0) {
  return collector.present().at(subject)->ticks().back()[signal];
}

TEST(Collector, ACounterBecomesARate) {
  Machine machine;
  Collector collector({}, 1);
  auto& written = machine.frame().processes[0].fields[ProcessField::kWrittenCallBytes];
  written = 1000.0;
  collector.Add(machine.Next());
  EXPECT_TRUE(std::isnan(Last(collector, Signal::kWriteRate)));
  written = 5000.0;
  collector.Add(machine.Next(2));
  EXPECT_EQ(Last(collector, Signal::kWriteRate), 2000);
}

TEST(Collector, ACounterThatWentBackIsNotKnown) {
  Machine machine;
  Collector collector({}, 1);
  auto& written = machine.frame().processes[0].fields[ProcessField::kWrittenCallBytes];
  written = 1000.0;
  collector.Add(machine.Next());
  written = 10.0;
  collector.Add(machine.Next());
  EXPECT_TRUE(std::isnan(Last(collector, Signal::kWriteRate)));
}

TEST(Collector, AProcessWithAReusedNumberIsAnotherOne) {
  Machine machine;
  Collector collector({}, 1);
  collector.Add(machine.Next());
  machine.frame().processes[0].start_ticks = 99;
  collector.Add(machine.Next());
  EXPECT_EQ(collector.all().size(), 2u);
  EXPECT_EQ(collector.present().size(), 1u);
}

TEST(Collector, TwoProcessesOnOneDeviceBothSeeItsClocks) {
  Machine machine;
  machine.frame().processes.push_back(Machine::Process(101, 8));
  machine.frame().devices[0].fields[DeviceField::kClockEventReasons] = 4.0;
  machine.frame().devices[0].fields[DeviceField::kClockEventHardwareThermal] = 0.0;
  machine.frame().devices[0].fields[DeviceField::kClockEventPowerCap] = 0.0;
  Collector collector({}, 1);
  for (int i = 0; i < 3; ++i) collector.Add(machine.Next());
  for (const size_t subject : {0, 1}) {
    EXPECT_EQ(Last(collector, Signal::kSlowdown, subject), 0);
    EXPECT_EQ(Last(collector, Signal::kPowerCap, subject), 1);
    EXPECT_EQ(Last(collector, Signal::kMemoryOthers, subject), 1e9);
  }
}

TEST(Collector, AWallClockThatJumpsMovesNoTick) {
  Machine machine;
  Collector collector({}, 1);
  collector.Add(machine.Next());
  machine.frame().time.ns -= 3'600'000'000'000;
  collector.Add(machine.Next());
  EXPECT_EQ(collector.present()[0]->ticks().back().seconds, 1);
  EXPECT_EQ(collector.present()[0]->ticks().size(), 2u);
}

TEST(Collector, OfARecordedJobOthersAreNotLookedAt) {
  Machine machine;
  Collector collector({.job_only = true}, 1);
  collector.Add(machine.Next());
  EXPECT_THAT(collector.present(), testing::IsEmpty());
  machine.frame().processes[0].in_job = true;
  collector.Add(machine.Next());
  EXPECT_EQ(collector.present().size(), 1u);
}

TEST(Collector, ItsDescendantsAreItsTreeAndNobodyElseIs) {
  Machine machine;
  ProcessSample worker;
  worker.pid = 200;
  worker.start_ticks = 9;
  worker.parent = 100;
  worker.role = ProcessRole::kLoaderWorker;
  worker.fields[ProcessField::kCpu] = 0.5;
  ProcessSample stranger = worker;
  stranger.pid = 201;
  stranger.parent = 1;
  machine.frame().processes.push_back(worker);
  machine.frame().processes.push_back(stranger);
  Collector collector({}, 1);
  collector.Add(machine.Next());
  EXPECT_EQ(Last(collector, Signal::kWorkers), 1);
  EXPECT_EQ(Last(collector, Signal::kTreeCpu), 1.5);
  EXPECT_EQ(Last(collector, Signal::kWorkerCpu), 0.5);
}

TEST(Collector, OneFrameAloneFindsNothing) {
  Machine machine;
  Diagnoser diagnoser;
  diagnoser.Add(machine.Next());
  const Diagnosis diagnosis = diagnoser.Finish();
  EXPECT_THAT(diagnosis.findings, testing::IsEmpty());
  EXPECT_EQ(diagnosis.verdict.rule, kUnknownCause);
}

// 8 devices, a rank with 16 loader processes on each. Optimised it is far below; the limit is loose
// for builds that are not.
TEST(Collector, ATickOfALargeJobCostsLittle) {
  Machine machine;
  Frame& frame = machine.frame();
  frame.devices.resize(8, frame.devices[0]);
  frame.processes.clear();
  for (int rank = 0; rank < 8; ++rank) {
    ProcessSample process = Machine::Process(1000 + rank, 1);
    process.uses[0].device = rank;
    process.rank = rank;
    process.role = ProcessRole::kRank;
    frame.processes.push_back(process);
    for (int i = 0; i < 2; ++i) {
      ProcessSample worker;
      worker.pid = 2000 + 20 * rank + i;
      worker.parent = process.pid;
      worker.role = ProcessRole::kLoaderWorker;
      worker.fields[ProcessField::kCpu] = 0.5;
      frame.processes.push_back(worker);
    }
  }
  Diagnoser diagnoser;
  const auto start = std::chrono::steady_clock::now();
  constexpr int kTicks = 600;
  for (int i = 0; i < kTicks; ++i) diagnoser.Add(machine.Next());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  RecordProperty("microseconds_per_tick", static_cast<int>(took.count() / kTicks * 1e6));
  EXPECT_LT(took.count() / kTicks, 0.010);
}

}  // namespace
}  // namespace gpusight::diagnose
