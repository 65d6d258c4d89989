// SPDX-License-Identifier: Apache-2.0
#include "cli/run_summary.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpusight::cli {
void RunSummary::Mean::Add(const Known<double>& value, double by) {
  if (!value) {
    if (weight == 0) missing = value.missing();
    return;
  }
  sum += *value * by;
  weight += by;
}

Known<double> RunSummary::Mean::value() const {
  return weight > 0 ? Known<double>(sum / weight) : Known<double>(missing);
}

void RunSummary::Peak::Add(const Known<double>& value) {
  const bool better = value ? !most || *value > *most : !most;
  if (better) most = value;
}

void RunSummary::Mean::Add(const std::vector<BusyPiece>& pieces, WallTime since) {
  for (const BusyPiece& piece : pieces) {
    // A lot of the driver's samples begins before the job came to the device.
    const double within = static_cast<double>(piece.end.ns - since.ns) * 1e-9;
    if (within > 0) Add(piece.ratio, std::min(piece.seconds, within));
  }
}

// With what still waits for samples of the driver.
Known<double> RunSummary::Device::Utilization() const {
  std::vector<BusyPiece> rest;
  busy.Rest(rest);
  Mean all = utilization;
  all.Add(rest, since);
  return all.value();
}

void RunSummary::Device::Add(const DeviceSample& sample, double seconds) {
  const auto& fields = sample.fields;
  sm_activity.Add(fields[DeviceField::kSmActivity], seconds);
  device.Add(fields[DeviceField::kMemoryUsed]);
  energy.Add(sample, seconds);
}

// What the job holds on each device, and whether it is there at all.
void RunSummary::FindUses(const Frame& frame) {
  job_memory_.assign(frame.devices.size(), std::nullopt);
  for (const ProcessSample& process : frame.processes) {
    outsiders_ = outsiders_ || !process.translated;
    if (!process.in_job) continue;
    for (const GpuUse& use : process.uses) {
      const auto at = static_cast<size_t>(use.device);
      if (at >= job_memory_.size()) continue;
      std::optional<Known<double>>& sum = job_memory_[at];
      const Known<double>& memory = use.fields[UseField::kMemory];
      sum = sum && *sum && memory ? Known<double>(**sum + *memory) : memory;
    }
  }
}

void RunSummary::Add(const Frame& frame) {
  driver_ = frame.driver;
  FindUses(frame);
  for (size_t i = 0; i < frame.devices.size(); ++i) {
    Device& device = devices_[frame.devices[i].info.uuid];
    if (job_memory_[i] && !device.used) {
      // What it did before the job came to it is not the job's.
      Device fresh;
      fresh.energy = device.energy;
      fresh.energy.Restart();
      fresh.busy = std::move(device.busy);
      device = std::move(fresh);
      device.used = true;
      device.since.ns = frame.time.ns - static_cast<int64_t>(frame.interval_seconds * 1e9);
    }
    if (job_memory_[i]) device.process.Add(*job_memory_[i]);
    pieces_.clear();
    device.busy.Add(frame.devices[i], frame.time, frame.interval_seconds, pieces_);
    device.utilization.Add(pieces_, device.since);
    device.Add(frame.devices[i], frame.interval_seconds);
  }
  for (const FrameworkSample& sample : frame.frameworks) AddFramework(sample, frame);
}

void RunSummary::AddFramework(const FrameworkSample& sample, const Frame& frame) {
  if (IsOfAnotherJob(sample, frame)) return;
  told_ = true;
  for (const AllocatorSample& allocator : sample.allocators) {
    allocated_.Add(allocator.fields[AllocatorField::kAllocatedPeak]);
    reserved_.Add(allocator.fields[AllocatorField::kReservedPeak]);
  }
  // Ranks step together: the one with the most steps speaks for all.
  const Known<double>& steps = sample.fields[FrameworkField::kSteps];
  if (steps && (!steps_ || *steps > *steps_)) steps_ = steps;
  for (const StepSample& step : sample.steps) {
    if (step.number > 1) AddStep(step.seconds);  // the first is since the program began
    step_seconds_ += step.seconds;
    data_seconds_ += step.data_seconds;
  }
}

void RunSummary::AddStep(double seconds) {
  const double place = std::log2(std::max(seconds, kShortest) / kShortest) * kClassesPerDoubling;
  const auto at = std::min(static_cast<size_t>(place), kClasses - 1);
  ++step_classes_[at];
  ++timed_steps_;
}

Known<double> RunSummary::MedianStep() const {
  uint64_t below = 0;
  for (size_t at = 0; at < kClasses; ++at) {
    below += step_classes_[at];
    if (2 * below < timed_steps_ || below == 0) continue;
    return kShortest * std::exp2((static_cast<double>(at) + 0.5) / kClassesPerDoubling);
  }
  return Absence::kNotSampledYet;
}

RunSummary::Numbers RunSummary::numbers() const {
  Numbers out;
  // Where no process of the job was seen on a device because the driver lists the numbers of
  // another PID namespace, or none at all, everything that the machine did is shown, and said so.
  const auto used = [](const auto& one) { return one.second.used; };
  out.whole_machine = outsiders_ && std::none_of(devices_.begin(), devices_.end(), used);
  Mean utilization, sm_activity, energy, power;
  Peak process, device;
  for (const auto& [uuid, one] : devices_) {
    if (!one.used && !out.whole_machine) continue;
    ++out.devices;
    utilization.Add(one.Utilization(), 1);
    sm_activity.Add(one.sm_activity.value(), 1);
    energy.Add(one.energy.joules(), 1);
    power.Add(one.energy.mean_watts(), 1);
    process.Add(one.process.most);
    device.Add(one.device.most);
  }
  out.utilization = utilization.value();
  out.sm_activity = sm_activity.value();
  // A device is busy when a kernel runs, and idle in all other time.
  out.idle_share = out.utilization ? Known<double>(1 - *out.utilization) : out.utilization;
  out.energy = energy.weight > 0 ? Known<double>(energy.sum) : Known<double>(energy.missing);
  out.mean_power = power.weight > 0 ? Known<double>(power.sum) : Known<double>(power.missing);
  out.process = process.most;
  out.device = device.most;
  out.allocated = allocated_.most;
  out.reserved = reserved_.most;
  out.steps = steps_;
  out.step_median = MedianStep();
  if (step_seconds_ > 0) out.data_wait_share = std::min(1.0, data_seconds_ / step_seconds_);
  out.told = told_;
  return out;
}

}  // namespace gpusight::cli
