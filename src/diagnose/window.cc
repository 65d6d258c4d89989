// SPDX-License-Identifier: Apache-2.0
#include "diagnose/window.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "diagnose/statistics.h"

namespace gpusight::diagnose {
namespace {

constexpr double kAbsurd = 1e18;     // no signal is larger
constexpr size_t kMostTicks = 2000;  // of fast samplers
constexpr size_t kMostLooks = 10'000;
constexpr size_t kMostStalls = 5000;
constexpr size_t kMostPlaces = 4096;
constexpr size_t kMostMemory = 800;  // points; every other goes when there are more
constexpr size_t kMostStepTimes = 512;
constexpr double kLeastStall = 1;  // seconds, times the time scale, but for blinks
constexpr double kBlink = 0.3;
constexpr double kStallTimesMedian = 5;
constexpr size_t kFewestLooks = 15;
constexpr double kTrendEvery = 60;  // seconds

}  // namespace

void Window::Add(const Tick& given) {
  if (!std::isfinite(given.time) || !(given.seconds > 0) || given.seconds > 86400) return;
  if (!ticks_.empty() && given.time <= ticks_.back().time) return;
  Tick tick = given;
  for (double& value : tick.values) {
    if (!(value >= 0) || value > kAbsurd) value = kNotKnown;
  }
  const auto first = [](double& kept, double value) {
    if (std::isnan(kept)) kept = value;
  };
  first(first_retries, tick[Signal::kRetries]);
  first(first_oom_kills, tick[Signal::kOomKills]);
  first(first_ecc, tick[Signal::kEccUncorrected]);
  if (std::isnan(began)) began = tick.time - tick.seconds;
  seconds_ += tick.seconds;
  ticks_.push_back(tick);
  const double oldest = tick.time - kLong * scale_;
  while (ticks_.size() > kMostTicks || (ticks_.size() > 2 && ticks_.front().time < oldest)) {
    ticks_.pop_front();
  }
  while (!looks.empty() && looks.front().time < oldest) looks.pop_front();
}

double Window::StepMedian() const {
  return Median({step_times.begin(), step_times.end()}).value_or(kNotKnown);
}

void Window::AddStep(double time, uint64_t number, double length) {
  if (!std::isfinite(time) || !(length >= 0) || length > 86400) return;
  if (std::isnan(first_step)) first_step = time;
  if (!(time <= last_step)) last_step = time;
  // The first step holds what came before it.
  if (++steps > 1) {
    AddStall(time, number, length);
    step_times.push_back(length);
    if (step_times.size() > kMostStepTimes) step_times.pop_front();
  }
}

void Window::AddStall(double time, uint64_t number, double length) {
  if (step_times.size() < 5 || length < kBlink) return;
  const double median = StepMedian();
  if (step_times.size() < 5 || length < std::max(kBlink, kLeastStall * scale_) ||
      !(length >= kStallTimesMedian * median))
    return;
  if (stalls.size() >= kMostStalls) return;
  Stall stall{time - length, length - median, StallKind::kUnknown, 0, 0, number};
  double compilers = 0, replaced = 0, cpu = 0, cpu_seconds = 0;
  for (const Tick& tick : ticks_) {
    if (tick.time <= stall.begin || tick.time - tick.seconds >= time) continue;
    if (const double rate = tick[Signal::kWriteRate]; rate > 0)
      stall.written += rate * tick.seconds;
    if (tick[Signal::kCompilers] > 0) compilers += tick[Signal::kCompilers];
    if (tick[Signal::kWorkersReplaced] > 0) replaced += tick[Signal::kWorkersReplaced];
    if (tick[Signal::kMainCpu] >= 0) {
      cpu += tick[Signal::kMainCpu] * tick.seconds;
      cpu_seconds += tick.seconds;
    }
  }
  if (cpu_seconds > 0) stall.main_cpu = cpu / cpu_seconds;
  double seen = 0, compile = 0, checkpoint = 0, evaluation = 0;
  for (const Look& look : looks) {
    if (look.time < stall.begin || look.time > time) continue;
    ++seen;
    const auto is = [&](Doing doing) { return (look.doing & static_cast<uint8_t>(doing)) != 0; };
    compile += is(Doing::kCompile);
    checkpoint += is(Doing::kCheckpoint);
    evaluation += is(Doing::kEvaluation);
  }
  if (compilers > 0 || (seen > 0 && compile >= 0.3 * seen)) {
    stall.kind = StallKind::kCompile;
  } else if ((seen > 0 && checkpoint >= 0.3 * seen) || stall.written >= 50e6 * length) {
    stall.kind = StallKind::kCheckpoint;
  } else if (seen > 0 && evaluation >= 0.3 * seen) {
    stall.kind = StallKind::kEvaluation;
  } else if (replaced > 0) {
    stall.kind = StallKind::kRestart;
  }
  stalls.push_back(stall);
}

void Window::AddLook(double time, uint8_t doing, const std::string& place) {
  if (!std::isfinite(time) || looks.size() >= kMostLooks) return;
  const auto found = std::find(places_.begin(), places_.end(), place);
  if (found == places_.end() && places_.size() >= kMostPlaces) return;
  const auto number = static_cast<uint32_t>(found - places_.begin());
  if (found == places_.end()) places_.push_back(place);
  looks.push_back({time, doing, number});
}

void Window::AddRing(double time, double busy) {
  constexpr size_t kMostSamples = 4000;
  if (!std::isfinite(time) || !(busy >= 0) || busy > 1) return;
  ring.push_back({time, busy});
  if (ring.size() > kMostSamples) ring.pop_front();
}

void Window::AddMemory(const memory::MemoryPoint& point) {
  if (++memory_skipped_ < memory_stride_) return;
  memory_skipped_ = 0;
  memory.push_back(point);
  if (memory.size() < kMostMemory) return;
  for (size_t i = 0; i < memory.size() / 2; ++i) memory[i] = memory[2 * i];
  memory.resize(memory.size() / 2);
  memory_stride_ *= 2;
}

const std::optional<memory::Growth>& Window::Growth() {
  if (!(now() - growth_at_ < kTrendEvery * scale_)) {
    growth_at_ = now();
    const double total = ticks_.empty() ? kNotKnown : ticks_.back()[Signal::kMemoryTotal];
    growth_ = memory::FindGrowth(memory, total > 0 ? total : 0);
  }
  return growth_;
}

Features FeaturesOf(Window& window) {
  Features f;
  f.window = &window;
  f.now.fill(kNotKnown);
  f.lately.fill(kNotKnown);
  f.most.fill(kNotKnown);
  f.last.fill(kNotKnown);
  const double edge = window.now() - Window::kShort * window.scale();
  std::array<double, kSignals> sum{}, weight{}, long_sum{}, long_weight{};
  double short_seconds = 0, long_seconds = 0;
  for (const Tick& tick : window.ticks()) {
    const bool is_short = tick.time > edge;
    long_seconds += tick.seconds;
    if (is_short) short_seconds += tick.seconds;
    for (size_t i = 0; i < kSignals; ++i) {
      const double value = tick.values[i];
      if (std::isnan(value)) continue;
      long_sum[i] += value * tick.seconds;
      long_weight[i] += tick.seconds;
      f.last[i] = value;
      if (!is_short) continue;
      sum[i] += value * tick.seconds;
      weight[i] += tick.seconds;
      if (!(f.most[i] >= value)) f.most[i] = value;
    }
  }
  // What is known of a small part of the time only says nothing of the whole.
  for (size_t i = 0; i < kSignals; ++i) {
    if (weight[i] > 0.3 * short_seconds) f.now[i] = sum[i] / weight[i];
    if (long_weight[i] > 0.3 * long_seconds) f.lately[i] = long_sum[i] / long_weight[i];
  }
  // Gaps by the samples of the time in which steps were made.
  constexpr size_t kFewestSamples = 8;
  constexpr double kGap = 0.05;  // of a sample of 200 ms that is busy: none of it
  const double ring_edge = std::max(window.now() - Window::kLong * window.scale(),
                                    std::isnan(window.first_step) ? 0 : window.first_step + 1);
  size_t samples = 0, gaps = 0;
  for (const Sample& sample : window.ring) {
    if (sample.x <= ring_edge) continue;
    ++samples;
    gaps += sample.y <= kGap;
  }
  if (samples >= kFewestSamples) {
    f.now[static_cast<size_t>(Signal::kGapShare)] =
        static_cast<double>(gaps) / static_cast<double>(samples);
  }
  std::array<double, 8> doing{};
  std::map<uint32_t, size_t> places;
  for (const Look& look : window.looks) {
    if (look.time <= edge) continue;
    ++f.stack_looks;
    for (size_t bit = 0; bit < doing.size(); ++bit) doing[bit] += (look.doing >> bit) & 1;
    if ((look.doing & static_cast<uint8_t>(Doing::kOwnLine)) != 0) ++places[look.place];
  }
  if (f.stack_looks < kFewestLooks) return f;
  const auto put = [&](Signal signal, double count) {
    f.now[static_cast<size_t>(signal)] = count / f.stack_looks;
  };
  put(Signal::kStackData, doing[0]);
  put(Signal::kStackWorkerWait, doing[1]);
  put(Signal::kStackCompile, doing[2]);
  put(Signal::kStackCheckpoint, doing[3]);
  put(Signal::kStackEvaluation, doing[4]);
  put(Signal::kStackCollective, doing[5]);
  put(Signal::kStackDispatch, doing[6]);
  size_t most = 0;
  for (const auto& [place, count] : places) {
    if (count <= most) continue;
    most = count;
    f.top_place = window.PlaceName(place);
  }
  put(Signal::kStackTop, static_cast<double>(most));
  return f;
}

}  // namespace gpusight::diagnose
