// SPDX-License-Identifier: Apache-2.0
#include "record/idle_times.h"

#include <algorithm>

namespace gpusight::record {
namespace {

constexpr int64_t kLateMs = 15'000;                  // the driver's ring holds 14 s
constexpr int64_t kLongestSampleNs = 1'000'000'000;  // a sample stands for the time before it

}  // namespace

IdleTimes::IdleTimes(Database& database)
    : rows_(
          database.Prepare("SELECT s.device,s.utilization,f.time FROM device_samples s JOIN frame "
                           "f USING(t) WHERE s.t>? AND s.t<=? ORDER BY s.t")) {}

bool IdleTimes::Load(int64_t after, int64_t to) {
  rings_.clear();
  std::vector<SubSample> some;
  rows_.Bind(1, after).Bind(2, to + kLateMs);
  while (rows_.Row()) {
    DecodeSamples(rows_.Bytes(1), {rows_.Integer(2)}, kRatioUnit, some);
    auto& ring = rings_[rows_.Integer(0)];
    ring.insert(ring.end(), some.begin(), some.end());
  }
  const bool good = !rows_.failed();
  rows_.Reset();
  for (auto& [device, ring] : rings_) {
    std::stable_sort(ring.begin(), ring.end(),
                     [](const SubSample& a, const SubSample& b) { return a.time < b.time; });
  }
  return good;
}

std::optional<int64_t> IdleTimes::Count(std::span<const WallTime> moments,
                                        const std::set<int64_t>& devices) const {
  int64_t idle = 0;
  bool known = false;
  for (const WallTime moment : moments) {
    size_t resting = 0;
    for (const int64_t device : devices) {
      const auto found = rings_.find(device);
      if (found == rings_.end()) continue;
      const auto sample =
          std::lower_bound(found->second.begin(), found->second.end(), moment,
                           [](const SubSample& s, WallTime time) { return s.time < time; });
      if (sample == found->second.end() || sample->time.ns - moment.ns > kLongestSampleNs) continue;
      known = true;
      resting += sample->value == 0 ? 1 : 0;
    }
    idle += !devices.empty() && resting == devices.size() ? 1 : 0;
  }
  return known ? std::optional<int64_t>(idle) : std::nullopt;
}

}  // namespace gpusight::record
