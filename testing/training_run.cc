// SPDX-License-Identifier: Apache-2.0
#include "testing/training_run.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace gpusight {
namespace {

constexpr double kGigabyte = 1024.0 * 1024 * 1024;
constexpr double kPeriod = 20;  // seconds of computing and waiting in turn

const std::vector<std::string> kStacks = {
    "train.py:12 <module>;train.py:98 main;model.py:20 build",
    "train.py:12 <module>;train.py:140 main;trainer.py:61 step;torch/_tensor.py:581 backward",
    "train.py:12 <module>;train.py:131 main;data.py:88 load",
    "train.py:12 <module>;train.py:129 main;torch/dataloader.py:631 __next__;python/queues.py:113 "
    "get",
    "train.py:12 <module>;train.py:170 main;evaluate.py:33 evaluate",
    "train.py:12 <module>;train.py:182 main;torch/serialization.py:943 save",
    "train.py:12 <module>;train.py:144 main",
};

WallTime WallAt(double seconds) {
  return {TrainingRun::kBegin + static_cast<int64_t>(std::llround(seconds * 1e9))};
}

}  // namespace

TrainingRun::TrainingRun(const TrainingRunOptions& options)
    : options_(options), random_(options.seed) {
  const auto count = static_cast<size_t>(options.devices);
  last_step_.resize(count, 12);
  next_step_.resize(count, 12);
  waited_.resize(count);
  steps_.resize(count);
  energy_.resize(count, 1e6);
}

double TrainingRun::Noise(double size) {
  return std::normal_distribution<double>(0, size)(random_);
}

TrainingRun::Doing TrainingRun::At(double seconds) const {
  if (seconds < 12) return Doing::kStarting;
  const double share = seconds / options_.seconds;
  if (share > 0.48 && share < 0.55) return Doing::kEvaluating;
  if (share >= 0.55 && share < 0.57) return Doing::kSaving;
  const double phase = std::fmod(seconds, kPeriod) / kPeriod;
  return phase < options_.stall_share ? Doing::kWaiting : Doing::kComputing;
}

bool TrainingRun::Next(Frame& frame) {
  if (now_ >= options_.seconds) return false;
  const double from = now_;
  now_ += options_.interval;
  frame.sequence = ++sequence_;
  frame.time = WallAt(now_);
  frame.mono = {static_cast<int64_t>(now_ * 1e9)};
  frame.interval_seconds = options_.interval;
  frame.driver.state = DriverState::kOk;
  frame.driver.version = "580.159.04";
  frame.driver.cuda_version = "13.0";
  frame.host.hostname = "node-7";
  frame.host.kernel = "6.8.0";
  auto& host = frame.host.fields;
  using H = HostField;
  host[H::kCpus] = 32;
  host[H::kCpu] = At(now_) == Doing::kWaiting ? 9 + Noise(0.5) : 3 + Noise(0.2);
  host[H::kCpuIoWait] = At(now_) == Doing::kWaiting ? 2.0 : 0.1;
  host[H::kMemoryTotal] = 256 * kGigabyte;
  host[H::kMemoryAvailable] = 180 * kGigabyte;
  host[H::kIoPressure] = At(now_) == Doing::kWaiting ? 0.3 : 0.01;
  read_ += (At(now_) == Doing::kWaiting ? 800e6 : 50e6) * options_.interval;
  host[H::kDiskRead] = read_;
  host[H::kDiskWritten] = 1e9;
  frame.devices.resize(static_cast<size_t>(options_.devices));
  FillProcesses(frame, now_);
  frame.frameworks.resize(static_cast<size_t>(options_.devices));
  for (int i = 0; i < options_.devices; ++i) {
    FillDevice(frame.devices[static_cast<size_t>(i)], i, from, now_);
    FillFramework(frame.frameworks[static_cast<size_t>(i)], i, from, now_);
  }
  frame.events.clear();
  const double mishap = options_.seconds * 0.7;
  if (from < mishap && now_ >= mishap) {
    frame.events.push_back({EventType::kXid, WallAt(mishap), frame.devices[0].info.uuid, 43});
  }
  return true;
}

void TrainingRun::FillDevice(DeviceSample& device, int index, double from, double to) {
  using F = DeviceField;
  device.info.uuid = "GPU-00000000-0000-0000-0000-00000000000" + std::to_string(index);
  device.info.index = index;
  device.info.name = "NVIDIA H200";
  device.utilization_ring.clear();
  double sum = 0;
  const auto busy = [this](double t) {
    switch (At(t)) {
      case Doing::kStarting:
        return 0.0;
      case Doing::kWaiting:
        return 0.02;
      case Doing::kSaving:
        return 0.0;
      case Doing::kEvaluating:
        return 0.6;
      case Doing::kComputing:
        return 0.97;
    }
    return 0.0;
  };
  for (double t = from + 0.2; t <= to + 1e-9; t += 0.2) {
    const double value = std::clamp(busy(t - 0.1) + Noise(0.02), 0.0, 1.0);
    device.utilization_ring.push_back({WallAt(t), std::round(value * 100) / 100});
    sum += value;
  }
  const double mean =
      sum / static_cast<double>(std::max<size_t>(device.utilization_ring.size(), 1));
  auto& f = device.fields;
  f[F::kUtilization] = f[F::kUtilizationMean] = mean;
  f[F::kSmActivity] = std::clamp(mean * 0.84 + Noise(0.01), 0.0, 1.0);
  f[F::kSmOccupancy] = mean * 0.38;
  f[F::kTensorActivity] = std::clamp(mean * 0.45 + Noise(0.01), 0.0, 1.0);
  f[F::kDramActivity] = std::clamp(mean * 0.3 + Noise(0.01), 0.0, 1.0);
  f[F::kMemoryActivity] = mean * 0.33;
  f[F::kTemperature] = 34 + 30 * mean + Noise(0.3);
  f[F::kFan] = Absence::kNotSupported;
  f[F::kNvlinkReceive] = Absence::kNotSupported;
  f[F::kNvlinkTransmit] = Absence::kNotSupported;
  f[F::kPcieReceive] = 75e6 + Noise(5e6);
  f[F::kPcieTransmit] = 20e6 + Noise(2e6);
  const double watts = 110 + (options_.power - 110) * mean + Noise(4);
  f[F::kPower] = f[F::kPowerMean] = watts;
  f[F::kPowerMax] = watts + 25;
  f[F::kPowerLimit] = 700;
  double& energy = energy_[static_cast<size_t>(index)];
  energy += watts * (to - from);
  f[F::kEnergy] = energy;
  const bool hot = mean > 0.9 && to > options_.seconds * 0.8;
  f[F::kSmClock] = mean > 0.1 ? (hot ? 1.59e9 : 1.98e9) : 0.345e9;
  f[F::kMemoryClock] = 3.2e9;
  f[F::kClockEventReasons] = hot ? 4.0 : mean > 0.1 ? 0.0 : 1.0;
  if (hot) held_ += (to - from) / options_.devices;
  f[F::kClockEventPowerCap] = held_;
  device.process_count = index == 0 ? 2.0 : 1.0;
}

void TrainingRun::FillProcesses(Frame& frame, double to) {
  const auto count = static_cast<size_t>(options_.devices);
  SetProcessCount(frame, count + 1);
  for (size_t i = 0; i <= count; ++i) {
    ProcessSample& process = frame.processes[i];
    Reset(process);
    const bool neighbour = i == count;
    process.pid = static_cast<int>(neighbour ? 9000 : 4100 + i);
    process.start_ticks = 77'000 + i;
    process.user = std::string(neighbour ? "wang" : "lin");
    process.command = std::string("python3");
    process.command_line =
        std::string(neighbour ? "python3 -m ipykernel_launcher" : "python3 train.py --epochs 3");
    if (!neighbour && i < options_.names.size()) process.command = options_.names[i];
    process.container = std::string();
    process.role = neighbour ? ProcessRole::kOther : ProcessRole::kRank;
    if (!neighbour) {
      process.rank = process.local_rank = static_cast<int>(i);
      process.world_size = options_.devices;
    }
    process.fields[ProcessField::kCpu] = neighbour ? 0.02 : 1.1 + Noise(0.05);
    process.fields[ProcessField::kResident] = 6 * kGigabyte;
    process.fields[ProcessField::kReadBytes] = neighbour ? 0 : read_ / options_.devices;
    process.fields[ProcessField::kWrittenBytes] = 1e6;
    GpuUse use;
    use.device = static_cast<int>(neighbour ? 0 : i);
    use.types = static_cast<uint8_t>(UseType::kCompute);
    const double grown = std::min(1.0, to / 60);
    use.fields[UseField::kMemory] =
        neighbour ? 3.0 * kGigabyte : std::round((12 + 60 * grown) * kGigabyte);
    process.uses.push_back(use);
  }
  for (size_t i = 0; i < count; ++i) {
    auto& f = frame.devices[i].fields;
    const double total = 141 * kGigabyte, reserved = kGigabyte;
    double used = *frame.processes[i].uses[0].fields[UseField::kMemory] + 0.6 * kGigabyte;
    if (i == 0) used += 3 * kGigabyte;
    used = std::round(used);
    f[DeviceField::kMemoryTotal] = total;
    f[DeviceField::kMemoryUsed] = used;
    f[DeviceField::kMemoryDriverReserved] = reserved;
    f[DeviceField::kMemoryFree] = total - reserved - used;
  }
}

void TrainingRun::FillFramework(FrameworkSample& framework, int rank, double from, double to) {
  const auto at = static_cast<size_t>(rank);
  framework.pid = 4100 + rank;
  framework.start_ticks = 77'000 + at;
  framework.framework = Framework::kPyTorch;
  framework.version = "2.11.0+cu130";
  framework.python = "3.11.9";
  framework.script = "train.py";
  framework.dtype = "bfloat16";
  framework.mixed_precision = true;
  framework.rank = framework.local_rank = rank;
  framework.world_size = options_.devices;
  framework.allocators.resize(1);
  AllocatorSample& allocator = framework.allocators[0];
  allocator.ordinal = allocator.device = rank;
  const double grown = std::min(1.0, to / 60);
  const double reserved = std::round((11.2 + 60 * grown) * kGigabyte);
  const double split = std::round((1 + 4 * to / options_.seconds) * kGigabyte);
  const double live = At(to) == Doing::kEvaluating ? 0.5 : 0.8;
  auto& a = allocator.fields;
  a[AllocatorField::kReserved] = a[AllocatorField::kReservedPeak] = reserved;
  a[AllocatorField::kInactiveSplit] = split;
  a[AllocatorField::kAllocated] = std::round((reserved - split) * live);
  a[AllocatorField::kAllocatedPeak] = std::round((reserved - split) * 0.8);
  a[AllocatorField::kRetries] = 0;
  a[AllocatorField::kOutOfMemory] = 0;
  framework.steps.clear();
  const uint64_t step_before = steps_[at];
  while (next_step_[at] <= to) {
    const Doing doing = At(next_step_[at]);
    const bool steps = doing == Doing::kComputing || doing == Doing::kWaiting;
    if (steps && next_step_[at] > last_step_[at]) {
      const double seconds = next_step_[at] - last_step_[at];
      framework.steps.push_back(
          {++steps_[at], WallAt(next_step_[at]), seconds, std::min(waited_[at], seconds * 0.9)});
      last_step_[at] = next_step_[at];
    }
    const double wait = doing == Doing::kWaiting ? options_.step_seconds * 3 : 0.01;
    waited_[at] = wait;
    double seconds = options_.step_seconds * (1 + std::fabs(Noise(0.04))) + wait;
    if (steps_[at] == 200) seconds += 2.5;  // one that everybody asks about
    next_step_[at] += seconds;
  }
  framework.fields[FrameworkField::kSteps] = static_cast<double>(steps_[at]);
  framework.stacks = kStacks;
  framework.stack_samples.clear();
  for (double t = from + 0.05; t <= to + 1e-9; t += 0.05) {
    const Doing doing = At(t);
    const double draw = std::uniform_real_distribution<double>(0, 1)(random_);
    uint32_t stack = 1;
    if (doing == Doing::kStarting) stack = 0;
    if (doing == Doing::kWaiting) stack = draw < 0.75 ? 2 : 3;
    if (doing == Doing::kEvaluating) stack = 4;
    if (doing == Doing::kSaving) stack = 5;
    if (doing == Doing::kComputing && draw < 0.1) stack = 6;
    framework.stack_samples.push_back({WallAt(t), stack});
  }
  framework.marks.clear();
  const auto mark = [&](double when, MarkType type, const char* text, double value = 0) {
    if (from < when && to >= when) framework.marks.push_back({type, WallAt(when), value, text});
  };
  mark(12, MarkType::kPhase, "train");
  mark(options_.seconds * 0.48, MarkType::kPhase, "eval");
  mark(options_.seconds * 0.55, MarkType::kPhase, "checkpoint");
  mark(options_.seconds * 0.57, MarkType::kPhase, "train");
  mark(options_.seconds * 0.57, MarkType::kCheckpoint, "", options_.seconds * 0.02);
  if (rank == 0 && steps_[at] / 20 != step_before / 20) {
    const double loss = 1.5 + 3 * std::exp(-static_cast<double>(steps_[at]) / 400);
    framework.marks.push_back({MarkType::kMetric, WallAt(to), loss + Noise(0.02), "loss"});
  }
  framework.out_of_memory.clear();
  const double failed = options_.seconds * 0.97;
  if (options_.fails && rank == 0 && from < failed && to >= failed) {
    const auto bytes = [](double gigabytes) {
      return static_cast<uint64_t>(gigabytes * kGigabyte);
    };
    framework.out_of_memory.push_back(
        {.time = WallAt(failed),
         .ordinal = 0,
         .requested = bytes(90),
         .total = bytes(141),
         .free = bytes(64.4),
         .allocated = static_cast<uint64_t>(*a[AllocatorField::kAllocated]),
         .reserved = static_cast<uint64_t>(reserved),
         .active = static_cast<uint64_t>(*a[AllocatorField::kAllocated]),
         .inactive_split = static_cast<uint64_t>(split),
         .stack = "model.py:40 forward;trainer.py:58 step;train.py:140 main;train.py:12 <module>",
         .caught = false});
    mark(failed, MarkType::kException, "OutOfMemoryError: CUDA out of memory");
  }
  mark(options_.seconds * 0.9, MarkType::kNote, "learning rate lowered");
}

std::vector<Frame> FramesOfTraining(double seconds) {
  TrainingRun run({.devices = 1, .seconds = seconds});
  std::vector<Frame> frames;
  Frame frame;
  while (run.Next(frame)) frames.push_back(frame);
  return frames;
}

OutOfMemory FailedAllocation(WallTime time) {
  constexpr uint64_t kGiB = uint64_t{1} << 30;
  return {.time = time,
          .ordinal = 0,
          .requested = 90 * kGiB,
          .total = 141 * kGiB,
          .free = 40 * kGiB,
          .allocated = 55 * kGiB,
          .reserved = 70 * kGiB,
          .active = 55 * kGiB,
          .inactive_split = 2 * kGiB,
          .stack = "model.py:40 forward;train.py:12 main",
          .caught = false};
}

}  // namespace gpusight
