// SPDX-License-Identifier: Apache-2.0
#include "record/test_stream.h"

#include <fmt/format.h>

#include <cmath>

#include "model/account.h"

namespace gpusight::record {
namespace {

constexpr int64_t kStart = 1'775'383'200'123'456'789;
constexpr double kGiB = 1024.0 * 1024 * 1024;

double Percent(double value) { return std::round(value * 100) / 100; }
double Whole(double value) { return std::floor(value); }

}  // namespace

TestStream::TestStream(const StreamOptions& options) : options_(options) {}

double TestStream::Noise(double from, double to) {
  return from + (to - from) * static_cast<double>(random_()) / 4294967296.0;
}

void TestStream::Next(Frame& frame) {
  frame = Frame{};
  frame.sequence = ++frames_;
  const double jitter = Noise(0, 0.0003);
  frame.time.ns = kStart + std::llround((seconds_ + jitter) * 1e9);
  frame.mono.ns = 5'000'000'000 + std::llround((seconds_ + jitter) * 1e9);
  frame.interval_seconds = frames_ == 1 ? 0 : options_.interval + jitter;
  frame.driver.library = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1";
  frame.driver.version = "580.159.04";
  frame.driver.nvml_version = "13.580.159.04";
  frame.driver.cuda_version = "13.0";
  HostAndContainer(frame);
  for (int d = 0; d < options_.devices; ++d) {
    Device(frame.devices.emplace_back(), d);
    if (options_.rings) {
      DeviceSample& device = frame.devices.back();
      const int64_t span = std::llround(options_.interval * 1e9);
      for (int64_t at = 200'000'000; at <= span; at += 200'000'000) {
        device.utilization_ring.push_back(
            {{frame.time.ns - span + at + std::llround(Noise(0, 400'000))},
             Percent(Noise(0.5, 1))});
      }
      for (int64_t at = 20'000'000; at <= span; at += 20'000'000) {
        device.power_ring.push_back({{frame.time.ns - span + at + std::llround(Noise(0, 200'000))},
                                     std::round(Noise(575'000, 625'000)) / 1000});
      }
    }
    for (int p = 0; p < options_.processes; ++p) {
      Process(frame.processes.emplace_back(), d, p);
      if (p == 0 && options_.framework) {
        FrameworkOf(frame.frameworks.emplace_back(), frame.processes.back(), d);
      }
    }
  }
  frame.probes.push_back({"nvml", Noise(0.001, 0.003), Noise(0, 1e-4), 0, 0, 40 * frames_});
  frame.probes.push_back({"host", Noise(0.001, 0.003), Noise(0, 1e-4), 0, 0, 90 * frames_});
  FillAccounts(frame);
  seconds_ += options_.interval;
}

void TestStream::Device(DeviceSample& device, int index) {
  using F = DeviceField;
  device.info.uuid = fmt::format("GPU-{0:08}-2222-3333-4444-{0:012}", index + 1);
  device.info.index = index;
  device.info.name = "NVIDIA H200";
  device.info.pci_bus_id = fmt::format("00000000:{:02X}:00.0", index + 6);
  device.info.architecture = "Hopper";
  device.info.compute_capability = "9.0";
  device.info.minor = index;
  device.info.multiprocessors = 132;
  device.process_count = static_cast<double>(options_.processes);
  device.fields.Fill({Absence::kNotSupported, 0});
  const auto set = [&](F field, double value) { device.fields[field] = value; };
  set(F::kUtilization, Percent(Noise(0.5, 1)));
  set(F::kUtilizationMean, Noise(0.5, 1));
  set(F::kUtilizationMax, 1);
  set(F::kIdleShare, Noise(0, 1) < 0.5 ? 0 : 0.2);
  set(F::kMemoryActivity, Percent(Noise(0.2, 0.6)));
  for (const F field : {F::kEncoder, F::kDecoder, F::kJpeg, F::kOfa, F::kTensorDouble,
                        F::kTensorInteger, F::kFp64Activity}) {
    set(field, 0);
  }
  for (const F field :
       {F::kGraphicsActivity, F::kSmActivity, F::kSmOccupancy, F::kTensorActivity, F::kTensorHalf,
        F::kFp32Activity, F::kFp16Activity, F::kIntegerActivity, F::kDramActivity}) {
    set(field, Noise(0.1, 0.9));
  }
  const double used = Whole(Noise(100, 101) * kGiB);
  set(F::kMemoryTotal, 150'754'820'096);
  set(F::kMemoryUsed, used);
  set(F::kMemoryDriverReserved, 500'000'000);
  set(F::kMemoryFree, 150'754'820'096 - 500'000'000 - used);
  set(F::kBar1Total, 256 * kGiB);
  set(F::kBar1Used, 30'000'000);
  set(F::kTemperature, Whole(Noise(50, 53)));
  set(F::kMemoryTemperature, Whole(Noise(55, 57)));
  set(F::kTemperatureSlowdown, 95);
  set(F::kTemperatureShutdown, 98);
  set(F::kTemperatureMargin, Whole(Noise(35, 38)));
  set(F::kPower, std::round(Noise(575'000, 625'000)) / 1000);
  set(F::kPowerMean, Noise(590, 610));
  set(F::kPowerMax, std::round(Noise(620'000, 625'000)) / 1000);
  for (const F field : {F::kPowerLimit, F::kPowerLimitDefault, F::kPowerLimitMax}) set(field, 700);
  set(F::kPowerLimitMin, 200);
  set(F::kEnergy, std::round((1e8 + seconds_ * 600 + Noise(0, 10)) * 1000) / 1000);
  set(F::kSmClock, 15e6 * Whole(Noise(120, 132)));
  set(F::kSmClockMax, 1980e6);
  set(F::kMemoryClock, 3201e6);
  set(F::kMemoryClockMax, 3201e6);
  set(F::kPerformanceState, 0);
  set(F::kClockEventReasons, Noise(0, 1) < 0.5 ? 4 : 0);
  set(F::kClockEventPowerCap, 1000 + seconds_ * 0.3);
  for (const F field : {F::kClockEventSyncBoost, F::kClockEventSoftwareThermal,
                        F::kClockEventHardwareThermal, F::kClockEventPowerBrake, F::kPcieReplays,
                        F::kEccCorrected, F::kEccUncorrected, F::kXidErrors, F::kMigMode}) {
    set(field, 0);
  }
  set(F::kPcieGeneration, 5);
  set(F::kPcieGenerationMax, 5);
  set(F::kPcieWidth, 16);
  set(F::kPcieWidthMax, 16);
  set(F::kPcieReceive, Noise(1e8, 1e9));
  set(F::kPcieTransmit, Noise(1e8, 1e9));
  set(F::kNvlinkReceive, Noise(1e9, 9e9));
  set(F::kNvlinkTransmit, Noise(1e9, 9e9));
}

void TestStream::Process(ProcessSample& process, int device, int index) {
  using F = ProcessField;
  process.pid = 1000 + 100 * device + index;
  process.start_ticks = 424'242;
  process.start_time = 1'775'380'000.25;
  process.pid_namespace = uint64_t{4'026'531'836};
  process.user = std::string("ada");
  process.command = std::string("python");
  process.command_line = fmt::format("python train.py --rank {}", index);
  process.container = std::string("trainer-0");
  process.container_index = 0;
  process.in_job = index == 0;
  process.role = index == 0 ? ProcessRole::kRank : ProcessRole::kOther;
  process.visible_devices = Absence::kNoLimit;
  const auto set = [&](F field, double value) { process.fields[field] = value; };
  const double s = seconds_;
  set(F::kCpu, Noise(0.9, 1.4));
  set(F::kCpuUser, Whole(s * 90 + Noise(0, 20)) / 100);
  set(F::kCpuSystem, Whole(s * 10 + Noise(0, 9)) / 100);
  set(F::kThreads, 41);
  set(F::kRunningThreads, Whole(Noise(1, 3)));
  set(F::kBlockedThreads, 0);
  set(F::kResident, 4096 * Whole(Noise(1'000'000, 1'001'000)));
  set(F::kPrivate, 4096 * Whole(900'000 + s / 10));
  set(F::kShared, 4096 * 100'000);
  set(F::kSwapped, 0);
  set(F::kMinorFaults, Whole(s * 900 + Noise(0, 500)));
  set(F::kMajorFaults, 12);
  set(F::kReadBytes, 4096 * Whole(s * 900 + Noise(0, 500)));
  set(F::kWrittenBytes, 4096 * Whole(s));
  set(F::kReadCallBytes, Whole(s * 9e6 + Noise(0, 1e6)));
  set(F::kWrittenCallBytes, Whole(s * 1000 + Noise(0, 900)));
  set(F::kReadCalls, Whole(s * 1000 + Noise(0, 900)));
  set(F::kWriteCalls, Whole(s * 100 + Noise(0, 90)));
  set(F::kBlockIoDelay, Whole(s / 5) / 100);
  set(F::kVoluntarySwitches, Whole(s * 700 + Noise(0, 90)));
  set(F::kInvoluntarySwitches, Whole(s * 5));
  set(F::kChildren, 4);
  set(F::kLoaderWorkers, 4);
  set(F::kOpenFiles, 120);
  set(F::kAllowedCpus, 16);
  GpuUse& use = process.uses.emplace_back();
  use.device = device;
  use.types = static_cast<uint8_t>(UseType::kCompute);
  use.fields.Fill({Absence::kNotSampledYet, 0});
  use.fields[UseField::kMemory] = Whole(18 * kGiB);
  // The driver's share per process comes every few seconds and stands in between.
  const double held = Whole(seconds_ / 3);
  use.fields[UseField::kSm] = Percent(0.15 + 0.05 * std::sin(held * 12.9898 + index));
  use.fields[UseField::kMemoryActivity] = Percent(0.1 + 0.05 * std::sin(held * 78.233 + index));
  use.fields[UseField::kEncoder] = 0.0;
  use.fields[UseField::kDecoder] = 0.0;
}

void TestStream::FrameworkOf(FrameworkSample& sample, const ProcessSample& process, int device) {
  sample.pid = process.pid;
  sample.start_ticks = process.start_ticks;
  sample.framework = Framework::kPyTorch;
  sample.version = "2.4.1";
  sample.python = "3.11.4";
  sample.script = "train.py";
  sample.dtype = "bfloat16";
  sample.rank = device;
  sample.local_rank = device;
  sample.world_size = options_.devices;
  const int64_t now = kStart + std::llround(seconds_ * 1e9);
  const auto count = static_cast<uint64_t>(options_.steps * options_.interval);
  for (uint64_t i = 0; i < count; ++i) {
    const double took = options_.interval / static_cast<double>(count) * Noise(0.95, 1.05);
    sample.steps.push_back(
        {steps_ + i + 1,
         {now - std::llround(options_.interval * 1e9 * static_cast<double>(count - 1 - i) /
                             static_cast<double>(count))},
         took,
         Noise(0, took / 10)});
  }
  if (device == options_.devices - 1) steps_ += count;
  sample.fields[FrameworkField::kSteps] = static_cast<double>(steps_ + count);
  sample.fields[FrameworkField::kStepTime] = Noise(0.19, 0.21);
  sample.fields[FrameworkField::kDataWait] = seconds_ * 0.05;
  sample.fields[FrameworkField::kDataWaitRatio] = Noise(0.04, 0.06);
  AllocatorSample& allocator = sample.allocators.emplace_back();
  allocator.ordinal = device;
  allocator.device = device;
  allocator.uuid = fmt::format("GPU-{0:08}-2222-3333-4444-{0:012}", device + 1);
  allocator.age = Noise(0, 0.2);
  using F = AllocatorField;
  allocator.fields.Fill({Absence::kNotSupported, 0});
  allocator.fields[F::kAllocated] = 512 * Whole(Noise(2e7, 3e7));
  allocator.fields[F::kAllocatedPeak] = 512 * 3e7;
  allocator.fields[F::kReserved] = 16 * kGiB;
  allocator.fields[F::kReservedPeak] = 16 * kGiB;
  allocator.fields[F::kActive] = 512 * Whole(Noise(2e7, 3e7));
  allocator.fields[F::kInactiveSplit] = 512 * Whole(Noise(1e6, 2e6));
  allocator.fields[F::kRetries] = 0.0;
  allocator.fields[F::kOutOfMemory] = 0.0;
  sample.stacks = {"train.py:12 main;train.py:88 step;data.py:40 __next__",
                   "train.py:12 main;train.py:90 step;optim.py:7 step",
                   "train.py:12 main;train.py:95 log;tensor.py:3 item"};
  const auto samples = static_cast<int64_t>(20 * options_.interval);
  for (int64_t i = 0; i < samples; ++i) {
    sample.stack_samples.push_back(
        {{now - (samples - 1 - i) * 50'000'000}, static_cast<uint32_t>(random_() % 3)});
  }
}

void TestStream::HostAndContainer(Frame& frame) {
  frame.host.hostname = "node-7";
  frame.host.kernel = "6.1.0";
  frame.host.boot_id = "b007";
  frame.host.sees_all_processes = true;
  using H = HostField;
  frame.host.fields.Fill({Absence::kNotSupported, 0});
  const auto set = [&](H field, double value) { frame.host.fields[field] = value; };
  const double s = seconds_;
  set(H::kCpus, 32);
  set(H::kCpu, Noise(4, 8));
  set(H::kCpuIoWait, Noise(0, 0.2));
  set(H::kLoad1, Percent(Noise(4, 8)));
  set(H::kMemoryTotal, 270'000'000'000);
  set(H::kMemoryAvailable, 1024 * Whole(Noise(1.9e8, 2e8)));
  set(H::kSwapTotal, 0);
  set(H::kSwapUsed, 0);
  set(H::kShmTotal, 64 * kGiB);
  set(H::kShmUsed, 4096 * Whole(Noise(1e5, 2e5)));
  set(H::kCpuPressure, Percent(Noise(0, 0.2)));
  set(H::kMemoryPressure, 0);
  set(H::kIoPressure, Percent(Noise(0, 0.1)));
  set(H::kDiskRead, 4096 * Whole(s * 1000));
  set(H::kDiskWritten, 4096 * Whole(s * 100));
  set(H::kDiskBusy, Noise(0, 0.5));
  set(H::kNetworkReceive, Whole(s * 1e6 + Noise(0, 1e5)));
  set(H::kNetworkTransmit, Whole(s * 1e6 + Noise(0, 1e5)));
  set(H::kUptime, 86'400 + s);
  ContainerSample& c = frame.containers.emplace_back();
  c.path = "/kubepods/pod1/abc";
  c.id = std::string(64, 'a');
  c.runtime = "containerd";
  c.name = "trainer-0";
  using C = ContainerField;
  c.fields.Fill({Absence::kNotSupported, 0});
  c.fields[C::kCpuQuota] = 16.0;
  c.fields[C::kCpuUsage] = s * 6 + Noise(0, 1);
  c.fields[C::kThrottledPeriods] = Whole(s / 4);
  c.fields[C::kPeriods] = Whole(s * 10);
  c.fields[C::kThrottledTime] = s / 100;
  c.fields[C::kMemoryCurrent] = 4096 * Whole(Noise(1e7, 1.1e7));
  c.fields[C::kMemoryLimit] = Absence::kNoLimit;
  c.fields[C::kOomKills] = 0.0;
  c.fields[C::kPidsCurrent] = 120.0;
  c.fields[C::kCpuPressure] = Percent(Noise(0, 0.2));
  c.fields[C::kMemoryPressure] = 0.0;
  c.fields[C::kIoPressure] = Percent(Noise(0, 0.1));
}

}  // namespace gpusight::record
