// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace gpusight::nvml {
namespace {

constexpr double kWallStart = 1'775'383'200;  // where FakeClock stands

std::string Json(const FakeMachine& machine) {
  std::string devices = machine.devices;
  const std::string_view name = R"("recording": "h200")";
  for (size_t at = devices.find(name); at != std::string::npos; at = devices.find(name, at + 1)) {
    devices.replace(at, name.size(), fmt::format(R"("recording": "{}")", fake::Recording("h200")));
  }
  return fmt::format(
      R"({{"devices": [{}], "processes": [{}], "events": [{}], "rules": [{}], "quirks": {{{}}},
      "time": {{"wall_start": {:.0f}}}}})",
      devices, machine.processes, machine.events, machine.rules, machine.quirks, kWallStart);
}

}  // namespace

FakeCard::FakeCard(FakeMachine machine)
    : scenario_(Json(machine)),
      control_(scenario_.path(), machine.library),
      log_(clock_, [this](std::string_view line) { log += line; }) {
  control_.SetTime(0);
  machine.options.library = machine.library;
  machine.options.events = !machine.events.empty();
  const Root root = machine.root.empty() ? Root("/nonexistent") : Root(machine.root);
  probe_ = std::make_unique<Probe>(machine.options, clock_, root, log_);
}

void FakeCard::MoveTo(double seconds) {
  control_.SetTime(seconds);
  clock_.Advance(seconds - now_);
  now_ = seconds;
}

void FakeCard::StepWallClock(double seconds) {
  clock_.SetWall({clock_.Wall().ns + static_cast<int64_t>(seconds * 1e9)});
}

const Frame& FakeCard::At(double seconds) {
  MoveTo(seconds);
  return Again();
}

const Frame& FakeCard::Again() {
  frame.events.clear();
  frame.probes.clear();
  frame.time = clock_.Wall();
  frame.mono = clock_.Mono();
  probe_->Sample(frame);
  return frame;
}

bool FakeCard::AgainUntil(const std::function<bool(const Frame&)>& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < end) {
    if (done(Again())) return true;
    std::this_thread::yield();
  }
  return false;
}

const DeviceSample& Device0(const Frame& frame) {
  static const DeviceSample none;
  return frame.devices.empty() ? none : frame.devices.front();
}

Known<double> Field(const Frame& frame, DeviceField field, size_t device) {
  if (device >= frame.devices.size()) return {};
  return frame.devices[device][field];
}

const GpuUse* UseOf(const Frame& frame, int pid, int device) {
  for (const ProcessSample& process : frame.processes) {
    if (process.pid != pid) continue;
    for (const GpuUse& use : process.uses) {
      if (use.device == device) return &use;
    }
  }
  return nullptr;
}

int CountEvents(const Frame& frame, EventType type) {
  return static_cast<int>(std::count_if(frame.events.begin(), frame.events.end(),
                                        [&](const Event& event) { return event.type == type; }));
}

}  // namespace gpusight::nvml
