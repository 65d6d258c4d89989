// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/log.h"
#include "base/text.h"
#include "model/driver.h"
#include "model/text/top.h"
#include "tui/format.h"
#include "tui/line.h"
#include "tui/pages.h"
#include "tui/panels.h"

namespace gpusight::tui {
namespace {

// "10:00:00" of "2026-04-05 10:00:00".
std::string ClockTime(WallTime time) {
  const std::string full = FormatLocal(time);
  const size_t blank = full.find(' ');
  return blank == std::string::npos ? full : full.substr(blank + 1);
}

// "8 GPUs", "1 GPU + 3 MIG instances"; nothing while no driver says how many there are.
std::string CountOfDevices(const State& state) {
  const Language language = state.settings.language;
  size_t gpus = 0, instances = 0;
  for (const size_t i : ShownDevices(state)) {
    ++(state.frame.devices[i].is_mig_instance() ? instances : gpus);
  }
  const DriverState driver = state.frame.driver.state;
  const bool counted = driver == DriverState::kOk || driver == DriverState::kNoDevice;
  if (gpus + instances == 0 && (!state.has_frame || !counted)) return {};
  if (instances == 0) return SayCount(language, text::kTopDevices, gpus);
  std::string out = SayCount(language, text::kTopInstances, instances);
  if (gpus > 0) out.insert(0, SayCount(language, text::kTopDevices, gpus) + " + ");
  return out;
}

void AddHost(Line& line, const State& state) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const auto& host = state.frame.host.fields;
  const auto& cpu = host[HostField::kCpu];
  const auto& cpus = host[HostField::kCpus];
  if (cpu || cpus) {
    line.Add(Say(language, text::kTopCpu, cpu ? fmt::format("{:.1f}", *cpu) : glyphs.missing,
                 cpus ? fmt::format("{:.0f}", *cpus) : glyphs.missing),
             Role::kText, 6, 2);
  }
  const auto& total = host[HostField::kMemoryTotal];
  const auto& available = host[HostField::kMemoryAvailable];
  if (total && available) {
    const Known<double> used = *total - *available;
    const std::string both = ShowBytesOf(used, total, glyphs);
    const size_t slash = both.find('/');
    line.Add(Say(language, text::kTopHostMemory, both.substr(0, slash), both.substr(slash + 1)),
             Role::kText, 7, 2);
  }
  if (const auto& load = host[HostField::kLoad1]) {
    line.Add(Say(language, text::kTopLoad, fmt::format("{:.1f}", *load)), Role::kText, 9, 2);
  }
}

// What is played, how fast and where in it: "×2  00:12:05/01:00:00  10:12:05".
void AddPlayback(Line& line, const State& state) {
  const Language language = state.settings.language;
  const Playback& playback = *state.playback;
  const auto since = [&](WallTime time) {
    return ShowPosition(static_cast<double>(time.ns - playback.begin.ns) * 1e-9);
  };
  const bool still = state.paused || playback.finished;
  line.Add(state.paused        ? Say(language, text::kTopPaused)
           : playback.finished ? Say(language, text::kTopFinished)
                               : Say(language, text::kTopPlaying, ShowSpeed(playback.speed)),
           still ? Role::kBanner : Role::kKey, 0, 2);
  line.Add(since(state.frame.time) + "/" + since(playback.end), Role::kTitle, 2, 2);
  line.Add(ClockTime(state.frame.time), Role::kMuted, 4, 2);
}

void AddDriver(Line& line, const State& state) {
  const Language language = state.settings.language;
  const DriverInfo& driver = state.frame.driver;
  if (!driver.version.empty()) {
    line.Add(Say(language, text::kTopDriver, Printable(driver.version)), Role::kMuted, 8, 2);
  }
  if (!driver.cuda_version.empty()) {
    line.Add("CUDA " + Printable(driver.cuda_version), Role::kMuted, 10);
  }
}

}  // namespace

void DrawHeader(const Pane& pane, const State& state, const Layout& layout) {
  const Language language = state.settings.language;
  Line line;
  if (IsPage(state.mode)) {
    line.Add(PageOf(state, pane.width()).title, Role::kTitle);
  } else {
    line.Add("gpusight", Role::kTitle, 8);
    if (!state.frame.host.hostname.empty()) {
      line.Add(Printable(state.frame.host.hostname), Role::kText, 5, 1);
    }
    const auto devices = ShownDevices(state).size();
    line.Add(CountOfDevices(state), Role::kText, 2, 2);
    if (layout.devices.size() < devices && !layout.devices.empty()) {
      const auto first = static_cast<size_t>(state.first_device);
      line.Add(Say(language, text::kTopDeviceWindow, first + 1, first + layout.devices.size()),
               Role::kWarning, 3);
    }
    AddDriver(line, state);
    AddHost(line, state);
  }
  line.Right();
  if (state.playback) {
    AddPlayback(line, state);
    return line.Draw(pane, 0);
  }
  if (state.paused) line.Add(Say(language, text::kTopPaused), Role::kBanner, 0, 2);
  if (state.settings.read_only) {
    line.Add(Say(language, text::kTopReadOnly), Role::kMuted, 7, 2);
  }
  line.Add(Say(language, text::kTopEvery, ShowSpan(state.interval)), Role::kMuted, 4, 2);
  line.Add(ClockTime(state.now), Role::kTitle, 1, 2);
  line.Draw(pane, 0);
}

void DrawBanner(const Pane& pane, const State& state) {
  const Silence silence = SilenceOf(state);
  const std::string time = ShowSpan(std::max(1.0, std::floor(silence.seconds)));
  const Text& text = !state.has_frame ? text::kTopWaiting
                     : silence.driver ? text::kTopDriverSilent
                                      : text::kTopNoFrames;
  pane.Fill({0, 0, pane.width(), 1}, U' ', Role::kBanner);
  const std::string sentence = Say(state.settings.language, text, time);
  pane.Put(pane.width() > 30 ? 1 : 0, 0,
           Truncate(sentence, pane.width(), GlyphsFor(state.settings.ascii).ellipsis),
           Role::kBanner);
}

void DrawNoDevices(const Pane& pane, const State& state) {
  const Language language = state.settings.language;
  if (!state.has_frame) return;
  const DriverInfo& driver = state.frame.driver;
  // A driver that hangs may have many; for how long it hangs stands in the banner, and ticks there.
  const bool silent = driver.state == DriverState::kNoAnswer;
  std::vector<std::string> lines = {
      Say(language, silent ? text::kTopNothingKnown : text::kTopNoDevices)};
  if (driver.state != DriverState::kOk) {
    for (const std::string& sentence :
         {silent ? std::string() : Describe(driver, language), RemedyFor(driver, language)}) {
      for (auto& piece : Wrap(Sentence(language, sentence), std::max(1, pane.width()))) {
        lines.push_back(std::move(piece));
      }
    }
  }
  for (int row = 0; row < pane.height() && static_cast<size_t>(row) < lines.size(); ++row) {
    pane.Put(0, row, lines[static_cast<size_t>(row)], row == 0 ? Role::kBad : Role::kText);
  }
}

}  // namespace gpusight::tui
