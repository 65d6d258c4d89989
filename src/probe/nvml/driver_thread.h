// SPDX-License-Identifier: Apache-2.0
// The one thread that calls the driver. Whoever asks it waits for a limited time only. When a call
// hangs, the thread is left to it and the caller goes on without; when the owner goes meanwhile,
// the thread inherits everything it still touches and frees it when the call returns, if ever.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "probe/nvml/card_reader.h"

namespace gpusight::nvml {

class DriverThread {
 public:
  explicit DriverThread(std::unique_ptr<CardReader> reader);
  ~DriverThread();
  DriverThread(const DriverThread&) = delete;
  DriverThread& operator=(const DriverThread&) = delete;

  // Asks for the card to be read. False when an earlier reading hangs, or does not end within
  // `patience` seconds; what that one brings in the end is thrown away: it is not of now.
  bool Ask(Moment now, double patience);

  // Waits for what was asked for. True when that was done within `patience` seconds; then reader()
  // may be used until it is asked again.
  bool Await(double patience);

  // How long the last reading took that came to its end, in time or not; 0 before the first.
  double last_reading_seconds() const;

  CardReader& reader();

 private:
  struct State;
  static void Loop(State* state);

  std::unique_ptr<State> state_;
  std::thread thread_;
  bool late_ = false;  // somebody gave up waiting
};

}  // namespace gpusight::nvml
