// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/rings.h"

#include <algorithm>
#include <utility>

#include "probe/nvml/chores.h"
#include "probe/nvml/errors.h"
#include "probe/nvml/read_device.h"

namespace gpusight::nvml {
namespace {

constexpr uint64_t kSecondUs = 1'000'000;

}  // namespace

void RingStats::Add(double value) {
  max = count == 0 ? value : std::max(max, value);
  ++count;
  sum += value;
  idle += value == 0 ? 1 : 0;
}

void Ring::Take(std::span<const nvml::Sample> samples, ValueType type, uint64_t now_us,
                uint64_t& rejected) {
  for (const nvml::Sample& sample : samples) {
    if (sample.time_us == 0 || sample.time_us > now_us + 10 * kSecondUs) {
      ++rejected;
      continue;
    }
    if (sample.time_us < last_seen_us_ + spacing_us_ / 2) continue;  // seen already
    const double value = Scaled(NumberOf(type, sample.value), scale_);
    const bool plausible = value >= 0 && value <= most_;  // NaN is not
    if (!plausible) {
      ++rejected;
      continue;
    }
    last_seen_us_ = sample.time_us;
    if (waiting_.size() >= kMostWaiting) {
      waiting_.erase(waiting_.begin(), waiting_.begin() + kMostWaiting / 2);
    }
    waiting_.push_back({WallTime{static_cast<int64_t>(sample.time_us) * 1000}, value});
    stats_.Add(value);
  }
}

Return Ring::Read(Pass& pass, Gpu& gpu, double next) {
  if (refused_) return kSuccess;
  const auto slots = static_cast<double>(buffer_.size());
  const double elapsed = static_cast<double>(pass.mono - pace_.last) * 1e-9;
  const double depth = slots * static_cast<double>(spacing_us_) * 1e-6;
  const bool would_lose = pace_.last != kNever && elapsed + next > 0.97 * depth;
  if (!would_lose && !IsDue(pass, pace_, kShareOfRing, 0)) return kSuccess;

  const auto now_us = static_cast<uint64_t>(pass.wall.ns / 1000);
  if (last_seen_us_ > now_us + kSecondUs) last_seen_us_ = 0;  // the clock was set back
  const Timed timed(pass, pace_);
  ValueType type = kUnsignedInt;
  if (buffer_.empty()) {
    // Asked without room, the driver says how many slots it has. A buffer with fewer would get the
    // oldest samples instead of the newest.
    unsigned slots_needed = 0;
    const Return code = pass.driver.Ask(&Calls::nvmlDeviceGetSamples, gpu.handle, type_, 0ULL,
                                        &type, &slots_needed, static_cast<nvml::Sample*>(nullptr));
    buffer_.resize(code == kSuccess ? std::clamp(slots_needed, 16U, 65536U) : 128);
    waiting_.reserve(2 * buffer_.size());
  }
  // What was before we came is not ours, but a second of it makes the first frame worth reading.
  const double since = pace_.last == kNever ? std::max(pass.interval, 1.0) : elapsed;
  if (last_seen_us_ == 0) last_seen_us_ = now_us - static_cast<uint64_t>(since * 1e6);
  auto count = static_cast<unsigned>(buffer_.size());
  const Return code = pass.driver.Ask(&Calls::nvmlDeviceGetSamples, gpu.handle, type_,
                                      static_cast<unsigned long long>(last_seen_us_), &type, &count,
                                      buffer_.data());
  if (code == kSuccess) {
    std::span<const nvml::Sample> samples(buffer_.data(), std::min<size_t>(count, buffer_.size()));
    // The driver dates samples anew when the wall clock is set, so that after a large step all of
    // them look new. There cannot be more than fit into the time that has passed.
    const auto most = static_cast<size_t>(since * 1e6 / static_cast<double>(spacing_us_)) + 2;
    if (samples.size() > most) samples = samples.last(most);
    Take(samples, type, now_us, pass.rejected);
    return kSuccess;
  }
  if (code == kNotFound || code == kNoData) return kSuccess;  // nothing new
  missing_ = gpu.mig_on ? Missing{Absence::kUnderMig, 0} : MissingOf(code);
  if (IsDeviceGone(code) || IsSessionLost(code)) return code;
  refused_ = IsRefusal(code);
  if (!refused_) pass.Failed(code);
  return kSuccess;
}

RingStats Ring::Give(std::vector<SubSample>& out) {
  if (out.capacity() < waiting_.size()) out.reserve(waiting_.capacity());
  out.assign(waiting_.begin(), waiting_.end());
  waiting_.clear();
  return std::exchange(stats_, {});
}

bool Rings::IsWanted(const Pass& pass, const Ring& ring) const {
  using F = DeviceField;
  const auto wants = [&](F field) { return pass.options.wants(field); };
  if (&ring == &memory_activity_) return pass.options.memory_ring;
  if (&ring == &power_) return wants(F::kPowerMean) || wants(F::kPowerMax);
  return wants(F::kUtilizationMean) || wants(F::kUtilizationMax) || wants(F::kIdleShare);
}

Return Rings::Read(Pass& pass, Gpu& gpu) {
  DeviceSample& sample = gpu.sample;
  if (pass.lazy()) return kSuccess;
  for (Ring* ring : {&utilization_, &memory_activity_, &power_}) {
    if (!IsWanted(pass, *ring)) continue;
    const Return code = ring->Read(pass, gpu, std::min(pass.interval, kRescuePeriod));
    if (code != kSuccess) return code;
  }
  using F = DeviceField;
  // Frames between two drains keep the figures of the last one.
  const auto fill = [&](F field, const Ring& ring, bool known, double value) {
    if (known) {
      sample.fields[field] = value;
    } else if (ring.refused() || !sample.fields[field]) {
      sample.fields[field] = ring.missing();
    }
  };
  const RingStats busy = utilization_.Give(sample.utilization_ring);
  fill(F::kUtilizationMean, utilization_, busy.count > 0, busy.mean());
  fill(F::kUtilizationMax, utilization_, busy.count > 0, busy.max);
  fill(F::kIdleShare, utilization_, busy.count > 0, busy.idle_share());
  memory_activity_.Give(sample.memory_activity_ring);
  const RingStats watts = power_.Give(sample.power_ring);
  fill(F::kPowerMean, power_, watts.count > 0, watts.mean());
  fill(F::kPowerMax, power_, watts.count > 0, watts.max);
  return kSuccess;
}

Return Rings::Rescue(Pass& pass, Gpu& gpu) {
  for (Ring* ring : {&utilization_, &power_}) {
    if (!IsWanted(pass, *ring)) continue;
    const Return code = ring->Read(pass, gpu, kRescuePeriod);
    if (code != kSuccess) return code;
  }
  return kSuccess;
}

}  // namespace gpusight::nvml
