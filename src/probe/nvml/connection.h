// SPDX-License-Identifier: Apache-2.0
// The driver's session: loading the library, initialising it, and trying again after a failure,
// each time after a longer pause. Every try loads the library anew, because after an update of
// the driver the old one stays wrong for ever. Next: card_reader.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/clock.h"
#include "model/frame.h"
#include "probe/nvml/driver.h"
#include "probe/nvml/library.h"
#include "probe/nvml/pace.h"

namespace gpusight::nvml {

class Connection {
 public:
  explicit Connection(std::string library) : wanted_(std::move(library)) {}
  ~Connection();

  bool open() const { return open_; }
  Driver& driver() { return driver_; }
  const Driver& driver() const { return driver_; }
  const DriverInfo& info() const { return info_; }
  const Library& library() const { return library_; }

  // Opens it when the pause is over. True when it is open afterwards.
  bool Open(MonoTime now);

  // Closes it because the driver answered `code`; the next try comes after a pause that doubles
  // from failure to failure.
  void Fail(MonoTime now, DriverState state, Return code);

  // Closes it although the driver is well: no device needs it now, and an open session would keep
  // an administrator from resetting one. Opens again after `seconds`.
  void Rest(MonoTime now, double seconds);

  uint64_t failures() const { return failures_; }

  // The pauses start small again.
  void Praise() { back_off_ = 0; }

  // From now on the library stays loaded and its session open: a thread is still inside, or the
  // program ends anyway.
  void LeaveLoaded() { leave_loaded_ = true; }

 private:
  void Close();

  std::string wanted_;
  Library library_;
  Driver driver_;
  DriverInfo info_;
  bool open_ = false;
  bool leave_loaded_ = false;
  MonoTime next_try_ = kNever;
  double back_off_ = 0;  // seconds
  uint64_t failures_ = 0;
};

}  // namespace gpusight::nvml
