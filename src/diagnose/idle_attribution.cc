// SPDX-License-Identifier: Apache-2.0
#include "diagnose/idle_attribution.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "model/sane_time.h"

namespace gpusight::diagnose {
namespace {

constexpr double kNano = 1e-9;
constexpr int64_t kMinute = 60'000'000'000;
// The driver's samples come every 167 or 200 ms, looks at the stack every 50 ms. A period is only
// taken for a sample's length when it is about that; a longer one is a hole.
constexpr double kUsualPeriod = 0.2, kLongestPeriod = 0.5;
constexpr double kLookPeriod = 0.05;
// The newest sample may be that much newer than its frame: the frame is dated at its beginning.
constexpr double kAhead = 0.1;
// Programs have few stacks; a hostile one may have many.
constexpr size_t kMostStacks = 4096;
constexpr size_t kMostWaiting = 20'000;
// The driver keeps 14 s of samples, and is asked at least that often.
constexpr int64_t kLongestWait = 15'000'000'000;

}  // namespace

void IdleAttribution::AddRing(std::span<const SubSample> ring, WallTime time, double interval) {
  if (began_ == 0) began_ = time.ns;
  if (!ring.empty() && IsSane(ring.back().time)) {
    any_ring_ = true;
    driver_ages_.seconds.push_back(static_cast<double>(time.ns - ring.back().time.ns) * kNano);
    driver_ages_.interval = std::max(driver_ages_.interval, interval);
  }
  for (const SubSample& sample : ring) {
    if (!IsSane(sample.time)) continue;
    const int64_t end = sample.time.ns;
    double length = static_cast<double>(end - last_sample_) * kNano;
    if (length <= 0 && last_sample_ != 0) continue;  // a clock that went back
    if (length > kLongestPeriod) length = kUsualPeriod;
    windows_.push_back(
        {end - static_cast<int64_t>(length * 1e9), end, std::clamp(sample.value, 0.0, 1.0)});
    last_sample_ = end;
  }
  if (time.ns - began_ >= kMinute || windows_.size() > kMostWaiting) {
    Join(false);
    began_ = time.ns;
  }
}

void IdleAttribution::AddStacks(std::span<const StackSample> samples,
                                std::span<const std::string> stacks, WallTime time,
                                double interval) {
  const StackSample* newest = nullptr;
  for (const StackSample& sample : samples) {
    if (!IsSane(sample.time) || sample.stack >= stacks.size() || looks_.size() > 4 * kMostWaiting)
      continue;
    looks_.push_back({sample.time.ns, Number(stacks[sample.stack])});
    newest = &sample;
  }
  if (newest == nullptr) return;
  any_stack_ = true;
  program_ages_.seconds.push_back(static_cast<double>(time.ns - newest->time.ns) * kNano);
  program_ages_.interval = std::max(program_ages_.interval, interval);
}

void IdleAttribution::AddMerged(double seconds, const Known<double>& utilization) {
  if (!utilization) return;
  any_ring_ = true;
  merged_seconds_ += seconds;
  merged_idle_ += seconds * (1 - std::clamp(*utilization, 0.0, 1.0));
}

void IdleAttribution::AddCount(const std::string& stack, uint64_t idle_looks) {
  if (idle_looks == 0) return;
  any_stack_ = true;
  counts_.emplace_back(Number(stack), idle_looks);
}

void IdleAttribution::ClockWasSet() {
  Join(true);
  // Samples of either side of the jump are not compared.
  windows_.clear();
  looks_.clear();
  last_sample_ = 0;
  began_ = 0;
}

uint32_t IdleAttribution::Number(const std::string& stack) {
  const auto found = numbers_.find(stack);
  if (found != numbers_.end()) return found->second;
  if (stacks_.size() + 1 >= kMostStacks) {
    // All others share the last place.
    if (stacks_.size() < kMostStacks) stacks_.push_back({"…", 0, 0, 0});
    return static_cast<uint32_t>(kMostStacks - 1);
  }
  const auto number = static_cast<uint32_t>(stacks_.size());
  stacks_.push_back({stack, 0, 0, 0});
  numbers_.emplace(stack, number);
  return number;
}

IdleAttribution::Judged IdleAttribution::OffsetOf(Ages& ages, double period) {
  std::vector<double>& seconds = ages.seconds;
  Judged judged;
  if (seconds.empty()) return judged;
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    return seconds[static_cast<size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  const double youngest = at(0.1);
  // Where samples wait for their frame, the newest may be as old as the frame's interval.
  const double slack = period + std::min(ages.interval, 1.0) * 0.5;
  if (youngest < -kAhead || youngest > slack) judged.offset = youngest;
  // Half of the newest samples lie within a period, and what was late by its own fault lies above.
  judged.steady = at(0.5) - at(0.0) <= std::max(1.0, 2 * ages.interval);
  return judged;
}

void IdleAttribution::Join(bool all) {
  const bool both = !windows_.empty() && !looks_.empty();
  const Judged driver = OffsetOf(driver_ages_, kUsualPeriod);
  const Judged program = OffsetOf(program_ages_, kLookPeriod);
  driver_ages_ = {};
  program_ages_ = {};
  const auto widen = [this](ClockOffset& kept, double offset) {
    kept.least = any_offset_ ? std::min(kept.least, offset) : offset;
    kept.most = any_offset_ ? std::max(kept.most, offset) : offset;
  };
  if (both) {
    widen(report_.driver_clock, driver.offset);
    widen(report_.program_clock, program.offset);
    any_offset_ = true;
  }
  std::stable_sort(looks_.begin(), looks_.end(),
                   [](const Look& a, const Look& b) { return a.time < b.time; });
  // What to add to a sample of the driver to have it on the program's clock.
  const auto shift = static_cast<int64_t>((driver.offset - program.offset) * 1e9);
  // Samples may be ahead of the looks that belong to them, and the other way round: both wait.
  int64_t until = INT64_MAX;
  if (!all && !windows_.empty()) {
    until = windows_.back().end + shift - kLongestWait;
    if (!looks_.empty()) until = std::max(until, looks_.back().time);
  }
  size_t done = 0, next = 0;
  for (; done < windows_.size(); ++done) {
    const Window& window = windows_[done];
    const int64_t begin = window.begin + shift, end = window.end + shift;
    if (end > until) break;
    const double length = static_cast<double>(end - begin) * kNano;
    const double idle = length * (1 - window.busy);
    report_.seconds += length;
    report_.idle_seconds += idle;
    while (next < looks_.size() && looks_[next].time <= begin) ++next;
    size_t stop = next;
    while (stop < looks_.size() && looks_[stop].time <= end) ++stop;
    if (stop == next) continue;
    if (!driver.steady || !program.steady) {
      report_.unsteady_seconds += length;
      continue;
    }
    const double share = 1.0 / static_cast<double>(stop - next);
    report_.explained_seconds += idle;
    for (; next < stop; ++next) {
      StackTime& stack = stacks_[looks_[next].stack];
      stack.idle += idle * share;
      stack.busy += (length - idle) * share;
      ++stack.looks;
    }
  }
  windows_.erase(windows_.begin(), windows_.begin() + static_cast<ptrdiff_t>(done));
  if (all) next = looks_.size();
  looks_.erase(looks_.begin(), looks_.begin() + static_cast<ptrdiff_t>(next));
}

IdleReport IdleAttribution::Finish() {
  Join(true);
  IdleReport report = std::exchange(report_, {});
  report.seconds += merged_seconds_;
  report.idle_seconds += merged_idle_;
  double looks = 0;
  for (const auto& [stack, count] : counts_) looks += static_cast<double>(count);
  if (looks > 0 && merged_idle_ > 0) {
    report.explained_seconds += merged_idle_;
    report.counted_seconds = merged_idle_;
    for (const auto& [stack, count] : counts_) {
      stacks_[stack].idle += merged_idle_ * static_cast<double>(count) / looks;
      stacks_[stack].looks += count;
    }
  }
  for (StackTime& stack : stacks_) {
    if (stack.looks > 0) report.stacks.push_back(std::move(stack));
  }
  stacks_.clear();
  numbers_.clear();
  std::stable_sort(report.stacks.begin(), report.stacks.end(),
                   [](const StackTime& a, const StackTime& b) { return a.idle > b.idle; });
  using Why = IdleReport::Why;
  if (!report.stacks.empty()) {
    report.why = Why::kKnown;
  } else if (!any_ring_) {
    report.why = Why::kNoSamples;
  } else if (!any_stack_) {
    report.why = Why::kNoStacks;
  } else {
    report.why = report.unsteady_seconds > 0 ? Why::kUnsteadyClock : Why::kNeverMet;
  }
  return report;
}

}  // namespace gpusight::diagnose
