// SPDX-License-Identifier: Apache-2.0
#include "tui/state.h"

#include <algorithm>

namespace gpusight::tui {

namespace {

bool IsWanted(const State& state, const DeviceInfo& info) {
  const auto& wanted = state.settings.devices;
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(),
                                       [&](const std::string& key) { return HasKey(info, key); });
}

}  // namespace

std::vector<size_t> ChosenDevices(const State& state) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < state.frame.devices.size(); ++i) {
    if (IsWanted(state, state.frame.devices[i].info)) chosen.push_back(i);
  }
  return chosen;
}

std::vector<size_t> ShownDevices(const State& state) {
  std::vector<size_t> shown = ChosenDevices(state);
  if (state.focus.empty()) return shown;
  std::erase_if(shown,
                [&](size_t i) { return DeviceKey(state.frame.devices[i].info) != state.focus; });
  return shown;
}

bool Shows(const State& state, size_t device) {
  if (device >= state.frame.devices.size()) return false;
  const DeviceInfo& info = state.frame.devices[device].info;
  if (!state.focus.empty() && DeviceKey(info) != state.focus) return false;
  return IsWanted(state, info);
}

const ProcessSample* FindProcess(const State& state, const ProcessKey& key) {
  for (const ProcessSample& process : state.frame.processes) {
    if (KeyOf(process) == key) return &process;
  }
  return nullptr;
}

const ProcessSample* SelectedProcess(const State& state) {
  return FindProcess(state, state.selected);
}

Known<double> AgeOf(const State& state, const ProcessSample& process) {
  constexpr double kTicksPerSecond = 100;  // USER_HZ, the same on every machine that we record
  const Known<double>& uptime = state.frame.host.fields[HostField::kUptime];
  if (state.settings.recorded && uptime && process.start_ticks > 0) {
    return std::max(0.0, *uptime - static_cast<double>(process.start_ticks) / kTicksPerSecond);
  }
  if (!process.start_time) return process.start_time;
  return std::max(0.0, state.frame.time.seconds() - *process.start_time);
}

Silence SilenceOf(const State& state) {
  // A frame may come late by its own sampling time and by the probe's patience with the driver.
  constexpr double kPatience = 3;
  if (state.playback) return {};
  const MonoTime last = state.has_frame ? state.frame_arrived : state.started;
  const double age = static_cast<double>(state.mono - last) * 1e-9;
  if (state.has_frame && state.frame.driver.state == DriverState::kNoAnswer) {
    return {state.frame.driver.silent_seconds + std::max(age, 0.0), true};
  }
  if (state.paused || age < state.interval + kPatience) return {};
  return {age, false};
}

const std::vector<double>& DotSpans() {
  static const std::vector<double> spans = {0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300};
  return spans;
}

size_t DefaultZoom(double interval) {
  const auto& spans = DotSpans();
  for (size_t i = 0; i < spans.size(); ++i) {
    if (spans[i] >= interval / 2 * 0.999) return i;
  }
  return spans.size() - 1;
}

}  // namespace gpusight::tui
