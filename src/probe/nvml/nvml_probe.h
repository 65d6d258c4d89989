// SPDX-License-Identifier: Apache-2.0
// The card: everything that NVML tells about devices and the processes on them. One thread inside
// owns every driver call; Sample() asks it and waits at most `patience`, so a hung driver never
// hangs the caller. Start reading at fields.h (what is asked, how often, what absence means).
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "model/frame.h"

namespace gpusight::nvml {

struct ProbeOptions {
  // --nvml: a path; empty: the usual places
  std::string library = {};  // NOLINT(readability-redundant-member-init): may be left out
  bool processes = true;
  bool process_use = true;  // with processes: how busy each keeps the device; two milliseconds
  bool gpm = true;
  bool rings = true;      // drain the driver's 200 ms and 20 ms sample rings
  bool events = true;     // watch for XID errors on a thread of their own
  double patience = 2.0;  // seconds that Sample() waits for the driver
  // The same for the first answer: without persistence mode the driver loads when it is first
  // asked, which takes seconds, on a large machine with little CPU many of them.
  double first_patience = 15.0;
  // Say in the log when the driver falls silent and when it answers again. A command that looks
  // once has a better place to say it.
  bool log_silence = true;
  double slow_lane = 10.0;  // seconds between two runs of the slow lane
  // Only these fields are read; the others are absent as not asked for. A log of three fields asks
  // three calls. The fields of a device's memory are also read for the sake of its processes.
  FieldMask<DeviceField> wanted = FieldMask<DeviceField>().set();
  bool wants(DeviceField field) const { return wanted[static_cast<size_t>(field)]; }
  bool memory_ring = false;  // with rings: the memory controller's too, for charts of it
  // False makes the first sample a quick look: what costs half a millisecond a call (energy,
  // maximum clocks, times of clock events, rings, use per process) is left out, and of what is dear
  // only when it is first asked (power, error counts), as much as `quick_look` allows.
  bool first_slow_lane = true;
  // Seconds of CPU for each device after which a quick look asks only what it cannot do without.
  double quick_look = 0.0015;
  // Begin with the driver when the probe is made, for a first sample that follows at once.
  bool start_early = false;
  // The program ends with the probe: leave the driver's session to the kernel, which closes it
  // faster than the driver's own shutdown (3 ms).
  bool leave_open = false;
  // Seconds of CPU per second and device that calls which cost milliseconds (rings, use per
  // process, energy …) may take together; they are asked less often where they cost more. With
  // 0.01 they are asked at nearly every poll. Rings that a field needs are exempt (rings.h).
  double budget = 0.0005;
};

// Not thread-safe: one caller. `clock` and `log` must outlive it.
class Probe {
 public:
  Probe(ProbeOptions options, const Clock& clock, const Root& root, Log& log);
  ~Probe();  // does not wait for a hung driver call

  // Begins the reading that the next Sample() then only waits for: its moment is now. For doing
  // something else while the driver starts.
  void Ask();

  // The next reading leaves nothing out for its cost: the last one of a recording, after which
  // there is no later one to bring what the driver's rings still hold. It takes some ten
  // milliseconds.
  void AskForEverything();

  // Loads and initialises the driver if that has not been done (or tries again after a failure),
  // then fills frame.driver, frame.devices, frame.processes (pid and uses only: the host probe
  // adds the rest), frame.events and its own entry in frame.probes. Never fails as a whole: what
  // is missing carries its reason.
  void Sample(Frame& frame);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpusight::nvml
