// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/nvml_probe.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/driver.h"
#include "probe/nvml/driver_thread.h"

namespace gpusight::nvml {

struct Probe::Impl {
  Impl(ProbeOptions wanted, const Clock& its_clock, const Root& root, Log& its_log)
      : options(wanted),
        clock(its_clock),
        log(its_log),
        thread(std::make_unique<CardReader>(std::move(wanted), root)) {}

  double Patience() const;
  void Silent(Frame& frame, MonoTime now);
  void Answered(Frame& frame, MonoTime now);

  ProbeOptions options;
  const Clock& clock;
  Log& log;
  DriverThread thread;

  DriverInfo driver;                // of the last answer
  std::vector<DeviceInfo> devices;  // of the last answer
  uint64_t calls = 0, failures = 0, rejected = 0, silences = 0;
  bool silent = false, answered_once = false;
  std::optional<MonoTime> began;  // the reading that was asked for ahead
  bool asked = false;             // the driver's thread has taken that up
  bool everything = false;        // asked for the next reading
  MonoTime silent_since;
};

Probe::Probe(ProbeOptions options, const Clock& clock, const Root& root, Log& log)
    : impl_(std::make_unique<Impl>(std::move(options), clock, root, log)) {
  if (impl_->options.start_early) Ask();
}
Probe::~Probe() = default;

void Probe::Impl::Answered(Frame& frame, MonoTime now) {
  if (std::exchange(silent, false)) {
    const double seconds = static_cast<double>(now - silent_since) * 1e-9;
    frame.events.push_back(
        {EventType::kDriverAnswered, frame.time, {}, static_cast<int64_t>(seconds)});
    if (options.log_silence) {
      log.Write(LogLevel::kWarning, "driver_answered",
                {{"silent_seconds", std::to_string(static_cast<int64_t>(seconds))}});
    }
  }
  answered_once = true;
  CardReader& reader = thread.reader();
  reader.Fill(frame);
  calls = reader.calls();
  failures = reader.failures();
  rejected = reader.rejected();
  driver = frame.driver;
  devices.resize(frame.devices.size());
  for (size_t i = 0; i < devices.size(); ++i) devices[i] = frame.devices[i].info;
  if (driver.state != DriverState::kOk) {
    log.Once(LogLevel::kInfo, "driver", driver.message, {{"message", driver.message}});
  }
}

// A driver that takes longer each time than it is waited for would never be heard: what a reading
// took, also one that came too late, is waited for in the next.
double Probe::Impl::Patience() const {
  if (!answered_once) return options.first_patience;
  constexpr double kSlack = 1.5;
  const double needed = kSlack * thread.last_reading_seconds();
  return std::clamp(needed, options.patience, std::max(options.patience, options.first_patience));
}

// Nothing of the last answer is repeated: who is there, and that nothing is known of them.
void Probe::Impl::Silent(Frame& frame, MonoTime now) {
  if (!std::exchange(silent, true)) {
    silent_since = frame.mono;
    frame.events.push_back({EventType::kDriverSilent, frame.time, {}, 0});
    if (options.log_silence) log.Write(LogLevel::kWarning, "driver_silent");
  }
  ++silences;
  frame.driver = driver;
  frame.driver.state = DriverState::kNoAnswer;
  frame.driver.silent_seconds = static_cast<double>(now - silent_since) * 1e-9;
  frame.driver.message = Describe(frame.driver, Language::kEnglish) + ". " +
                         RemedyFor(frame.driver, Language::kEnglish);
  frame.devices.resize(devices.size());
  for (size_t i = 0; i < devices.size(); ++i) {
    DeviceSample& sample = frame.devices[i];
    sample.info = devices[i];
    sample.state = DeviceState::kNoAnswer;
    sample.fields.Fill({Absence::kNoAnswer, 0});
    sample.process_count = Absence::kNoAnswer;
    sample.utilization_ring.clear();
    sample.memory_activity_ring.clear();
    sample.power_ring.clear();
    sample.xids.clear();
  }
  SetProcessCount(frame, 0);
}

void Probe::Ask() {
  impl_->began = impl_->clock.Mono();
  impl_->asked = impl_->thread.Ask(
      {*impl_->began, impl_->clock.Wall(), impl_->silent, std::exchange(impl_->everything, false)},
      impl_->Patience());
}

void Probe::AskForEverything() { impl_->everything = true; }

void Probe::Sample(Frame& frame) {
  if (!impl_->began) Ask();
  const MonoTime start = *std::exchange(impl_->began, std::nullopt);
  const bool answered = impl_->asked && impl_->thread.Await(impl_->Patience());
  const MonoTime end = impl_->clock.Mono();
  if (answered) {
    impl_->Answered(frame, end);
  } else {
    impl_->Silent(frame, end);
  }
  ProbeStats& stats = frame.probes.emplace_back();
  stats.name = "nvml";
  stats.duration_seconds = static_cast<double>(impl_->clock.Mono() - start) * 1e-9;
  stats.failures = impl_->failures + impl_->silences;
  stats.rejected = impl_->rejected;
  stats.calls = impl_->calls;
}

}  // namespace gpusight::nvml
