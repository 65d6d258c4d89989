// SPDX-License-Identifier: Apache-2.0
// For tests of the probe as a whole: a fake driver with its scenario, a clock that moves with it,
// a log, and the probe. One line in a test makes a machine, the next asks for a frame at a moment:
//
//   FakeCard card({.devices = R"({"recording": "h200"})"});
//   const Frame& frame = card.At(5);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.h"
#include "probe/nvml/nvml_probe.h"
#include "testing/fake_clock.h"
#include "testing/fake_nvml/fake.h"

namespace gpusight::nvml {

// The parts of a scenario; "recording": "h200" stands for that recording's path.
struct FakeMachine {
  std::string devices = R"({"recording": "h200"})";
  std::string processes = {};
  std::string events = {};  // with these the probe watches for events, else it does not
  std::string rules = {};
  std::string quirks = {};
  std::string library = fake::LibraryPath();
  std::string root = {};  // folder for /proc and /sys
  ProbeOptions options = {};
};

class FakeCard {
 public:
  explicit FakeCard(FakeMachine machine);

  // Moves driver and clock to `seconds` after the start and samples.
  const Frame& At(double seconds);
  // Samples again without moving.
  const Frame& Again();
  // Samples again and again until `done` holds: for what another thread must first get to do.
  // False when that takes longer than any thread can be kept waiting.
  bool AgainUntil(const std::function<bool(const Frame&)>& done);
  // Sets the wall clock forward without any time passing.
  void StepWallClock(double seconds);
  // Moves the driver and the clock only.
  void MoveTo(double seconds);

  uint64_t Calls(const char* function) const { return control_.Calls(function); }
  void Restart() { probe_.reset(); }  // ends the probe
  std::string log;
  Frame frame;

 private:
  fake::TempScenario scenario_;
  fake::Control control_;
  FakeClock clock_;
  Log log_;
  std::unique_ptr<Probe> probe_;
  double now_ = 0;
};

[[nodiscard]] const DeviceSample& Device0(const Frame& frame);
[[nodiscard]] Known<double> Field(const Frame& frame, DeviceField field, size_t device = 0);

// The process's use of a device, or nullptr.
[[nodiscard]] const GpuUse* UseOf(const Frame& frame, int pid, int device = 0);

// How many events of that type the frame has.
[[nodiscard]] int CountEvents(const Frame& frame, EventType type);

}  // namespace gpusight::nvml
