// SPDX-License-Identifier: Apache-2.0
// When devices were idle, by the driver's own samples, and how many moments of a process fell into
// that. Asked when frames are merged: their samples go then, and with them the times. Next:
// rollup.h.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "record/database.h"
#include "record/samples.h"

namespace gpusight::record {

class IdleTimes {
 public:
  explicit IdleTimes(Database& database);

  // Loads the samples about the frames after `after` up to `to`; the driver gives them some seconds
  // late. False on an error.
  bool Load(int64_t after, int64_t to);

  // How many of the moments, in the order of time, fell into a sample without work of every one of
  // the devices; nullopt when none of them has a sample there.
  std::optional<int64_t> Count(std::span<const WallTime> moments,
                               const std::set<int64_t>& devices) const;

 private:
  Statement rows_;
  std::map<int64_t, std::vector<SubSample>> rings_;
};

}  // namespace gpusight::record
