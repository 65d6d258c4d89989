// SPDX-License-Identifier: Apache-2.0
// Watches for errors that the driver reports by itself: XID and ECC. A thread of its own waits in
// the driver, half a second at a time so that it can be stopped; what comes is fetched by the
// driver thread. Nothing that moves with the load is subscribed to. Next: card_reader.h.
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "probe/nvml/driver.h"

namespace gpusight::nvml {

// All functions belong to the driver thread.
class EventWatch {
 public:
  EventWatch();
  ~EventWatch();  // stops it; a thread that hangs in the driver is left to itself

  // Subscribes one device; kSuccess when its errors will be told. Before Start().
  Return Subscribe(Driver& driver, Device device);

  // Begins to wait, when at least one device is subscribed. With `long_waits` it costs next to
  // nothing, but Stop() may take twenty seconds: for a watch that will be left running.
  void Start(const Calls& calls, bool long_waits);

  // From now on waits are short, as Stop() may follow: a device is in trouble.
  void ExpectStop();

  // Ends the thread and gives the event set back. False when the thread hangs in the driver and
  // was left there: the library must stay loaded then.
  bool Stop(Driver& driver);

  // The program ends: leaves the thread to it instead of waiting for its end.
  void LeaveRunning();

  // Moves what has come since the last time to `out` (replaced).
  void Fetch(std::vector<EventData>& out);

 private:
  struct State;
  void Orphan();
  static void Loop(State* state);

  EventSet set_ = nullptr;
  std::unique_ptr<State> state_;
  std::thread thread_;
};

}  // namespace gpusight::nvml
