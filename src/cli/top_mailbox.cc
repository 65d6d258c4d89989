// SPDX-License-Identifier: Apache-2.0
#include "cli/top_mailbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "model/device_key.h"

namespace gpusight::cli {
namespace {

// A screen that is stopped for hours must not collect for hours.
constexpr size_t kMostSamples = 20'000;

template <typename T>
void Prepend(std::vector<T>& older, std::vector<T>& newer) {
  if (older.empty() || newer.size() >= kMostSamples) return;
  const size_t room = kMostSamples - newer.size();
  const size_t skip = older.size() > room ? older.size() - room : 0;
  newer.insert(newer.begin(), older.begin() + static_cast<std::ptrdiff_t>(skip), older.end());
}

}  // namespace

void InheritSamples(Frame& older, Frame& newer) {
  newer.interval_seconds += older.interval_seconds;
  Prepend(older.events, newer.events);
  for (DeviceSample& device : newer.devices) {
    for (DeviceSample& before : older.devices) {
      if (!SameDevice(before.info, device.info)) continue;
      Prepend(before.utilization_ring, device.utilization_ring);
      Prepend(before.memory_activity_ring, device.memory_activity_ring);
      Prepend(before.power_ring, device.power_ring);
      Prepend(before.xids, device.xids);
      break;
    }
  }
}

FrameMailbox::FrameMailbox() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void FrameMailbox::Publish(Frame& frame) {
  const std::lock_guard lock(mutex_);
  if (full_) InheritSamples(frame_, frame);
  std::swap(frame_, frame);
  full_ = true;
  const uint64_t one = 1;
  (void)!write(event_.get(), &one, sizeof one);
}

bool FrameMailbox::Take(Frame& frame) {
  const std::lock_guard lock(mutex_);
  uint64_t count = 0;
  (void)!read(event_.get(), &count, sizeof count);
  if (!full_) return false;
  std::swap(frame_, frame);
  full_ = false;
  return true;
}

}  // namespace gpusight::cli
