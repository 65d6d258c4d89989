// SPDX-License-Identifier: Apache-2.0
// Reads everything that the driver tells, once per call of Read(). Owns the loaded driver and what
// is known of each device; belongs to the driver thread. Here lies the life cycle: connecting,
// retrying with patience, telling a lost device from a lost driver. Next: read_device.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "model/frame.h"
#include "probe/nvml/driver.h"
#include "probe/nvml/gpu.h"
#include "probe/nvml/library.h"
#include "probe/nvml/pass.h"
#include "probe/nvml/process_list.h"

namespace gpusight::nvml {

// The moment that a reading is for; passed in, the driver thread has no clock.
struct Moment {
  MonoTime mono;
  WallTime wall;
};

class CardReader {
 public:
  CardReader(ProbeOptions options, Root root);
  ~CardReader();

  // Connects when need be, then reads all devices.
  void Read(Moment now);

  // Between two readings that are far apart: saves the samples that the driver would overwrite.
  void Rescue(Moment now);

  // What was read. Only while no reading is going on.
  void Fill(Frame& frame);
  uint64_t failures() const { return failures_; }
  uint64_t rejected() const { return rejected_; }
  uint64_t calls() const { return driver_.count(); }

  // From another thread: the owner has gone while a call hangs. Calls nothing any more.
  void Abandon() { driver_.Abandon(); }

 private:
  bool Connect(Moment now);
  void Disconnect();
  void Refused(Moment now, DriverState state, Return code);
  void Enumerate(Pass& pass);
  void EnumerateOne(Pass& pass, unsigned index);
  Gpu& GpuFor(std::unique_ptr<Gpu> found);
  void ReadGpu(Pass& pass, size_t position);
  Return ReadAll(Pass& pass, Gpu& gpu, uint16_t position);
  void Lose(Gpu& gpu, Return code, WallTime time);
  void RetryLost(Pass& pass);
  void Note(EventType type, WallTime time, const std::string& uuid, int64_t number = 0);
  Pass PassFor(Moment now);

  ProbeOptions options_;
  Root root_;
  Library library_;
  Driver driver_;
  DriverInfo info_;
  bool connected_ = false;
  bool was_connected_ = false;
  MonoTime next_try_ = kNever;
  double back_off_ = 0;  // seconds
  MonoTime next_device_try_ = kNever;
  MonoTime previous_ = kNever;

  std::vector<std::unique_ptr<Gpu>> gpus_;  // in the frame's order
  ProcessLists lists_;
  std::vector<Use> uses_;
  std::vector<Event> events_;
  uint64_t failures_ = 0, rejected_ = 0;
};

}  // namespace gpusight::nvml
