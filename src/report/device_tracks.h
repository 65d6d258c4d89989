// SPDX-License-Identifier: Apache-2.0
// Collects what the frames say of one device. Next: builder.h.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/busy_time.h"
#include "model/energy.h"
#include "report/model.h"

namespace gpusight::report {

// How many of the driver's utilisation samples a report keeps, of all devices together: two bytes
// or three each in a page of some megabytes.
inline constexpr size_t kMostSamples = 1'000'000;

class DeviceTracks {
 public:
  DeviceTracks(const Grid& grid, size_t most_samples);

  // `device` with the processes on it, which were given to memory() before.
  void Add(Reach reach, const DeviceSample& device);
  // Of a field whose frames were merged: what was seen in the time up to the end of `reach`.
  void AddExtremes(DeviceField field, Reach reach, double least, double most);
  // The fields that have a curve.
  static std::span<const DeviceField> Fields();
  MemoryBuilder& memory() { return memory_; }
  DeviceReport Take();

 private:
  void AddUtilization(Reach reach, const DeviceSample& device);
  void AddPower(Reach reach, const DeviceSample& device);
  void AddClocks(Reach reach, const DeviceSample& device);
  void AddPieces();
  void AddDetail(const std::vector<SubSample>& ring);

  const Grid* grid_;
  size_t most_samples_;
  DeviceInfo info_;
  CurveBuilder utilization_, power_;
  std::vector<CurveBuilder> curves_;  // of kFields
  MemoryBuilder memory_;
  EnergyMeter energy_;
  std::vector<double> mask_;  // per piece
  static constexpr size_t kReasons = 5;
  std::array<Growth, kReasons> reasons_;
  std::array<Missing, kReasons> reasons_missing_;
  Detail detail_;
  size_t samples_ = 0;
  BusyTime busy_;
  std::vector<BusyPiece> pieces_;  // kept for its capacity
};

}  // namespace gpusight::report
