// SPDX-License-Identifier: Apache-2.0
// Reads everything that the driver tells, once per call of Read(). Belongs to the driver thread.
// It joins the parts: connection.h (the session), device_list.h (who is there), read_device.h and
// its neighbours (what each says), events.h (what happened), fill_frame.cc (into a frame).
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "model/frame.h"
#include "probe/nvml/connection.h"
#include "probe/nvml/device_list.h"
#include "probe/nvml/events.h"
#include "probe/nvml/process_list.h"

namespace gpusight::nvml {

// The moment that a reading is for; passed in, the driver thread has no clock.
struct Moment {
  MonoTime mono;
  WallTime wall;
  bool after_silence = false;  // the last reading came too late: its times are not true
  bool everything = false;     // however dear (Probe::AskForEverything)
};

class CardReader {
 public:
  CardReader(ProbeOptions options, const Root& root);
  ~CardReader();

  // Connects when need be, then reads all devices.
  void Read(Moment now);

  // Between two readings that are far apart: saves the samples that the driver would overwrite.
  void Rescue(Moment now);
  bool needs_rescue() const { return options_.rings; }

  // What was read. Only while no reading is going on.
  void Fill(Frame& frame);  // fill_frame.cc
  uint64_t failures() const { return failures_ + connection_.failures(); }
  uint64_t rejected() const { return rejected_; }
  uint64_t calls() const { return connection_.driver().count(); }

  // From another thread: the owner has gone while a call hangs. Calls nothing any more.
  void Abandon() { connection_.driver().Abandon(); }

 private:
  Pass PassFor(Moment now);
  bool Connect(Pass& pass);
  void Disconnect();
  void Lose(Pass& pass, Return code);
  void RestUnlessUsable(Pass& pass);
  void Watch(Driver& driver);
  void TakeEvents(Pass& pass);
  Return ReadGpu(Pass& pass, Gpu& gpu, uint16_t position);
  Return ReadInstance(Pass& pass, Gpu& gpu, uint16_t position);
  void ReadAll(Pass& pass);

  ProbeOptions options_;
  bool reads_memory_ = true;
  Connection connection_;
  DeviceList devices_;
  EventWatch watch_;
  ProcessLists lists_;
  std::vector<Use> uses_;
  std::vector<EventData> fetched_;
  MonoTime previous_ = kNever;  // the last reading
  MonoTime refreshed_ = kNever;
  MonoTime lost_since_ = kNever;  // some device is in trouble
  bool driver_lost_ = false;
  uint64_t failures_ = 0, rejected_ = 0;
};

}  // namespace gpusight::nvml
