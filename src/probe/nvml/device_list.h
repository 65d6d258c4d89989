// SPDX-License-Identifier: Apache-2.0
// Which devices there are and how each is: present, lost, asleep, back again. A device is known by
// its UUID; its handle and index may change under it. One that is in trouble never affects the
// others. MIG instances follow their GPU. Next: read_device.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "model/frame.h"
#include "probe/nvml/gpu.h"
#include "probe/nvml/pass.h"

namespace gpusight::nvml {

class DeviceList {
 public:
  explicit DeviceList(const Root& root) : root_(root) {}

  std::vector<std::unique_ptr<Gpu>>& gpus() { return gpus_; }
  const std::vector<std::unique_ptr<Gpu>>& gpus() const { return gpus_; }
  // At least one device that can be asked, or that will be when it wakes.
  bool AnyUsable() const;

  // Asks the driver which devices there are. Known ones keep what they have counted; those that
  // are missing become absent. kNotFound when there are none at all.
  Return Enumerate(Pass& pass);

  // True, and the list says so, when every card of this machine sleeps: then the driver must not
  // even be opened.
  bool AllAsleep(WallTime now);

  // Every ten seconds or so: devices that came, those that were lost, MIG instances, who may sleep.
  Return Refresh(Pass& pass);

  // Looks whether a device that may sleep does. True when it must be left alone in this pass.
  bool LeaveAsleep(Pass& pass, Gpu& gpu);

  // The device (and its MIG instances) answered `code` in the middle of a reading.
  void Lose(Gpu& gpu, Return code, WallTime time);
  // The driver has gone: all handles are void.
  void LoseAll(Return code, WallTime time);
  // The session is being closed.
  void Release(Driver& driver);

  // What happened since the last time; the caller clears it.
  std::vector<Event>& events() { return events_; }

 private:
  Return EnumerateAwake(Pass& pass, const std::vector<std::string>& cards);
  void Add(Pass& pass, std::unique_ptr<Gpu> found, Return code);
  Gpu& Match(Driver& driver, std::unique_ptr<Gpu> found);
  void AddAsleep(const std::string& card, int index);
  bool Wake(Pass& pass, Gpu& gpu);
  void Retry(Pass& pass, Gpu& gpu);
  void CheckMigMode(Pass& pass, Gpu& gpu);
  void Note(EventType type, WallTime time, const Gpu& gpu);
  void Sort();

  Root root_;
  std::vector<std::unique_ptr<Gpu>> gpus_;  // in the frame's order
  std::vector<Event> events_;
  unsigned count_ = 0;    // devices that the driver listed
  bool starved_ = false;  // a device was not opened for want of file descriptors
};

}  // namespace gpusight::nvml
