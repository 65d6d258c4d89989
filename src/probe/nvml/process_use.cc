// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/process_use.h"

#include <algorithm>

#include "probe/nvml/chores.h"
#include "probe/nvml/errors.h"

namespace gpusight::nvml {
namespace {

constexpr uint64_t kSecondUs = 1'000'000;
constexpr uint64_t kSlotUs = 200'000;  // the driver's own grid
// Drivers ask for all their slots (72 or 100), however few rows there are.
constexpr size_t kFirstRoom = 128;
constexpr size_t kMostRoom = 1 << 16;
constexpr uint32_t kGreatestPid = 1u << 22;

bool CanBe(const ProcessUtilization& row, uint64_t last_seen_us, uint64_t now_us) {
  return row.pid != 0 && row.pid <= kGreatestPid && row.sm <= 100 && row.memory <= 100 &&
         row.encoder <= 100 && row.decoder <= 100 && row.time_us > last_seen_us &&
         row.time_us < now_us + 10 * kSecondUs;
}

}  // namespace

void ProcessUse::Take(std::span<const ProcessUtilization> rows, uint64_t now_us,
                      uint64_t& rejected) {
  rows_.clear();
  uint64_t newest = last_seen_us_;
  for (const ProcessUtilization& row : rows) {
    if (!CanBe(row, last_seen_us_, now_us)) {
      ++rejected;
      continue;
    }
    newest = std::max(newest, row.time_us);
    const auto percent = [](uint32_t value) { return static_cast<uint8_t>(value); };
    rows_.push_back(
        {row.pid,
         row.time_us,
         {percent(row.sm), percent(row.memory), percent(row.encoder), percent(row.decoder), true}});
  }
  last_seen_us_ = newest;
  std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return a.pid != b.pid ? a.pid < b.pid : a.time_us > b.time_us;
  });
  size_t kept = 0;
  for (const Row& row : rows_) {
    if (kept > 0 && rows_[kept - 1].pid == row.pid) {
      if (rows_[kept - 1].time_us == row.time_us) {
        rows_[kept - 1].sample.known = false;
        ++rejected;
      }
      continue;
    }
    rows_[kept++] = row;
  }
  rows_.resize(kept);
  answered_ = true;
}

ProcessUse::Sample ProcessUse::Of(int pid) const {
  if (!answered_) return {};
  const auto key = static_cast<uint32_t>(pid);
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), key,
                                   [](const Row& row, uint32_t p) { return row.pid < p; });
  if (at != rows_.end() && at->pid == key) return at->sample;
  return {0, 0, 0, 0, true};
}

Return ProcessUse::Read(Pass& pass, Gpu& gpu) {
  if (refused_ || pass.lazy()) return kSuccess;
  if (!IsDue(pass, pace_, kShareOfProcessUse, 0)) return kSuccess;
  const Timed timed(pass, pace_);
  const auto now_us = static_cast<uint64_t>(pass.wall.ns / 1000);
  // Before the first answer, and after the wall clock was set back: the last second.
  if (last_seen_us_ == 0 || last_seen_us_ > now_us + kSecondUs) last_seen_us_ = now_us - kSecondUs;
  if (buffer_.empty()) buffer_.resize(kFirstRoom);

  for (int tries = 0; tries < 4; ++tries) {
    auto count = static_cast<unsigned>(buffer_.size());
    const Return code =
        pass.driver.Ask(&Calls::nvmlDeviceGetProcessUtilization, gpu.handle, buffer_.data(), &count,
                        static_cast<unsigned long long>(last_seen_us_));
    if (code == kInsufficientSize && buffer_.size() < kMostRoom) {
      buffer_.resize(std::max<size_t>(2 * buffer_.size(), count));
      continue;
    }
    if (code == kNotFound) {
      Take({}, now_us, pass.rejected);
      // Nobody was active up to the newest slot, so the next answer is about the time from there.
      last_seen_us_ = std::max(last_seen_us_, now_us - kSlotUs);
      return kSuccess;
    }
    if (code == kSuccess) {
      const size_t n = std::min<size_t>(count, buffer_.size());
      Take({buffer_.data(), n}, now_us, pass.rejected);
      return kSuccess;
    }
    answered_ = false;
    missing_ = gpu.mig_on ? Missing{Absence::kUnderMig, 0} : MissingOf(code);
    if (IsDeviceGone(code) || IsSessionLost(code)) return code;
    refused_ = IsRefusal(code);
    if (!refused_) pass.Failed(code);
    return kSuccess;
  }
  return kSuccess;
}

}  // namespace gpusight::nvml
