// SPDX-License-Identifier: Apache-2.0
#include "report/device_tracks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gpusight::report {
namespace {

using F = DeviceField;

// Shown as they are. Utilisation and power stand before them.
constexpr F kFields[] = {
    F::kMemoryActivity, F::kSmActivity,   F::kSmOccupancy,   F::kTensorActivity,
    F::kFp32Activity,   F::kDramActivity, F::kTemperature,   F::kMemoryTemperature,
    F::kPowerLimit,     F::kSmClock,      F::kMemoryClock,   F::kFan,
    F::kPcieReceive,    F::kPcieTransmit, F::kNvlinkReceive, F::kNvlinkTransmit,
};

struct Reason {
  F field;
  std::string_view name;
};
constexpr Reason kReasonFields[] = {
    {F::kClockEventPowerCap, "power_cap"},
    {F::kClockEventSyncBoost, "sync_boost"},
    {F::kClockEventSoftwareThermal, "software_thermal"},
    {F::kClockEventHardwareThermal, "hardware_thermal"},
    {F::kClockEventPowerBrake, "power_brake"},
};

const Known<double>& FirstKnown(const Known<double>& a, const Known<double>& b) {
  return a ? a : b;
}

}  // namespace

DeviceTracks::DeviceTracks(const Grid& grid, size_t most_samples)
    : grid_(&grid), most_samples_(most_samples), utilization_(grid), power_(grid), memory_(grid) {
  static_assert(std::size(kReasonFields) == kReasons);
  for ([[maybe_unused]] const F field : kFields) curves_.emplace_back(grid);
}

void DeviceTracks::Add(Reach reach, const DeviceSample& device) {
  info_ = device.info;
  AddUtilization(reach, device);
  AddPower(reach, device);
  AddClocks(reach, device);
  for (size_t i = 0; i < curves_.size(); ++i) curves_[i].Add(reach, device[kFields[i]]);
  memory_.Add(reach, device);
}

std::span<const DeviceField> DeviceTracks::Fields() {
  static constexpr auto kAll = [] {
    std::array<F, std::size(kFields) + 5> all{F::kUtilizationMean, F::kUtilizationMax,
                                              F::kPowerMean, F::kPowerMax, F::kMemoryUsed};
    for (size_t i = 0; i < std::size(kFields); ++i) all[i + 5] = kFields[i];
    return all;
  }();
  return kAll;
}

void DeviceTracks::AddExtremes(DeviceField field, Reach reach, double least, double most) {
  if (field == F::kMemoryUsed) return memory_.AddMost(most);
  CurveBuilder* curve = nullptr;
  if (field == F::kUtilizationMean || field == F::kUtilizationMax) curve = &utilization_;
  if (field == F::kPowerMean || field == F::kPowerMax) curve = &power_;
  for (size_t i = 0; i < curves_.size(); ++i) {
    if (kFields[i] == field) curve = &curves_[i];
  }
  if (curve != nullptr) curve->Widen(reach, least, most);
}

void DeviceTracks::AddUtilization(Reach reach, const DeviceSample& device) {
  pieces_.clear();
  busy_.Add(device, reach.end, std::min(reach.seconds, kLongestReach), pieces_);
  AddPieces();
  AddDetail(device.utilization_ring);
}

void DeviceTracks::AddPieces() {
  for (const BusyPiece& piece : pieces_) utilization_.Add({piece.end, piece.seconds}, piece.ratio);
}

void DeviceTracks::AddPower(Reach reach, const DeviceSample& device) {
  const auto& mean = FirstKnown(device[F::kPowerMean], device[F::kPower]);
  const double most = device[F::kPowerMax].value_or(mean.value_or(0));
  power_.Add(reach, mean, mean.value_or(0), most);
  energy_.Add(device, reach.seconds);
}

void DeviceTracks::AddClocks(Reach reach, const DeviceSample& device) {
  if (const auto& mask = device[F::kClockEventReasons]; mask && *mask >= 0 && *mask < 1e9) {
    if (mask_.empty()) mask_.resize(grid_->count, kNone);
    double& piece = mask_[grid_->At(reach.end)];
    const auto bits = static_cast<uint32_t>(*mask);
    piece = std::isnan(piece) ? bits : static_cast<double>(static_cast<uint32_t>(piece) | bits);
  }
  for (size_t i = 0; i < kReasons; ++i) {
    const auto& counter = device[kReasonFields[i].field];
    (void)reasons_[i].Since(counter);
    if (!counter) reasons_missing_[i] = counter.missing();
  }
}

void DeviceTracks::AddDetail(const std::vector<SubSample>& ring) {
  constexpr auto kStepNs = static_cast<int64_t>(Detail::kStep * 1e9);
  constexpr int64_t kLongestHole = 10'000'000'000;
  auto& stretches = detail_.stretches;
  for (const SubSample& sample : ring) {
    if (!IsSane(sample.time)) continue;
    const auto percent =
        static_cast<uint8_t>(std::lround(std::clamp(sample.value, 0.0, 1.0) * 100));
    if (!stretches.empty()) {
      Detail::Stretch& last = stretches.back();
      const int64_t since = sample.time.ns - last.begin.ns;
      const auto length = static_cast<int64_t>(last.percent.size()) * kStepNs;
      if (since >= 0 && since < length + kLongestHole) {
        const auto at = static_cast<size_t>(since / kStepNs);
        if (at >= last.percent.size()) {
          samples_ += at + 1 - last.percent.size();
          last.percent.resize(at + 1, Detail::kNoSample);
        }
        last.percent[at] = percent;
        continue;
      }
    }
    stretches.push_back({sample.time, {percent}});
    ++samples_;
  }
  // Whole stretches go first, then the older half of the only one.
  while (samples_ > most_samples_) {
    detail_.cut = true;
    Detail::Stretch& oldest = stretches.front();
    if (stretches.size() > 1) {
      samples_ -= oldest.percent.size();
      stretches.erase(stretches.begin());
      continue;
    }
    const size_t half = oldest.percent.size() / 2;
    oldest.percent.erase(oldest.percent.begin(), oldest.percent.begin() + static_cast<long>(half));
    oldest.begin.ns += static_cast<int64_t>(half) * kStepNs;
    samples_ -= half;
  }
}

DeviceReport DeviceTracks::Take() {
  DeviceReport report;
  report.info = info_;
  pieces_.clear();
  busy_.Rest(pieces_);
  AddPieces();
  const CatalogRow& busy = Row(F::kUtilization);
  report.curves.push_back({busy.name, busy.unit, utilization_.Take()});
  const CatalogRow& power = Row(F::kPower);
  report.curves.push_back({power.name, power.unit, power_.Take()});
  for (size_t i = 0; i < curves_.size(); ++i) {
    const CatalogRow& row = Row(kFields[i]);
    report.curves.push_back({row.name, row.unit, curves_[i].Take()});
  }
  report.clock_mask = std::move(mask_);
  for (size_t i = 0; i < kReasons; ++i) {
    const Known<double> seconds =
        reasons_[i].known() ? Known<double>(reasons_[i].total()) : reasons_missing_[i];
    report.clock_reasons.push_back({kReasonFields[i].name, seconds});
  }
  report.memory = memory_.Take();
  report.detail = std::move(detail_);
  report.energy = energy_.joules();
  report.energy_counted = energy_.counted();
  const Known<Level>& level = report.curves[0].curve.level;
  report.idle_share =
      level ? Known<double>(1 - std::clamp(level->mean, 0.0, 1.0)) : level.missing();
  return report;
}

}  // namespace gpusight::report
