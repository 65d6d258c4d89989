// SPDX-License-Identifier: Apache-2.0
// A Window: what is known of one process on its device over the last minutes, as ticks, and what is
// kept of the whole run: stalls, memory, the steps' times. Features are what rules see of it: means
// over a short and a long time, worked out once per evaluation. Frames become ticks in collector.h;
// text cases make ticks by hand. Pure. Next: rule.h.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "diagnose/signal.h"
#include "diagnose/statistics.h"
#include "memory/memory_history.h"
#include "memory/oom_verdict.h"
#include "model/framework.h"

namespace gpusight::diagnose {

// A time without steps, far longer than a step.
enum class StallKind : uint8_t { kUnknown, kCheckpoint, kCompile, kRestart, kEvaluation };
struct Stall {
  double begin = 0, seconds = 0;
  StallKind kind = StallKind::kUnknown;
  double written = 0;   // bytes in it
  double main_cpu = 0;  // cores, mean
  uint64_t step = 0;    // that was under way
};

// What the main thread was doing at one look: bits.
enum class Doing : uint8_t {
  kData = 1,
  kWorkerWait = 2,
  kCompile = 4,
  kCheckpoint = 8,
  kEvaluation = 16,
  kCollective = 32,
  kDispatch = 64,
  kOwnLine = 128,  // within a call of the program itself into something that is not Python
};

struct Look {
  double time = 0;
  uint8_t doing = 0;   // Doing bits
  uint32_t place = 0;  // number of its place
};

struct Neighbour {
  int pid = 0;
  double memory = 0, sm = 0;
};

// An allocation that failed, judged.
struct Failure {
  memory::OomVerdict verdict;
  double requested = 0, free = 0, allocated = 0, reserved = 0, total = 0, others = 0;
};

struct Subject {
  int pid = 0;
  uint64_t start_ticks = 0;
  int rank = -1;
  std::string device_uuid;
  Framework framework = Framework::kOther;
  bool has_page = false;  // tells its steps
};

class Window {
 public:
  static constexpr double kShort = 30, kLong = 300;  // seconds, times the time scale

  explicit Window(double time_scale = 1) : scale_(time_scale) {}

  // In the order of time. Values that cannot be are dropped; a time that does not rise drops the
  // tick.
  void Add(const Tick& tick);
  // A step that ended at `time`.
  void AddStep(double time, uint64_t number, double seconds);
  void AddLook(double time, uint8_t doing, const std::string& place);
  void AddMemory(const memory::MemoryPoint& point);
  // A sample of the driver's, at its own time, which may be seconds ago.
  void AddRing(double time, double busy);

  const std::deque<Tick>& ticks() const { return ticks_; }
  double now() const { return ticks_.empty() ? 0 : ticks_.back().time; }
  double seconds() const { return seconds_; }  // that all ticks stand for
  double scale() const { return scale_; }
  double StepMedian() const;
  // The growth of what is allocated, looked for now and then only.
  const std::optional<memory::Growth>& Growth();
  const std::string& PlaceName(uint32_t place) const { return places_[place]; }

  Subject subject;
  double began = kNotKnown;       // the process, in ticks' time
  double first_step = kNotKnown;  //
  double last_step = kNotKnown;
  uint64_t steps = 0;
  std::vector<Stall> stalls;
  std::deque<double> step_times;  // the last ones
  std::deque<Look> looks;         // of the long time
  std::deque<Sample> ring;        // the driver's samples of that time: x seconds, y share busy
  std::vector<memory::MemoryPoint> memory;
  std::vector<int> xids;
  Neighbour neighbour;   // that holds most, the last that was seen
  std::string mount;     // of a network file system
  std::string compiler;  // that ran
  std::optional<Failure> failure;
  // Where the program stood while the device was idle, and the share of its idle time.
  std::string idle_place;
  double idle_place_share = 0;
  // Over all of the run.
  double first_retries = kNotKnown, first_oom_kills = kNotKnown, first_ecc = kNotKnown;
  int worker_generations = 0;  // how often all loader processes were replaced

 private:
  void AddStall(double time, uint64_t number, double seconds);

  double scale_;
  double seconds_ = 0;
  std::deque<Tick> ticks_;
  std::vector<std::string> places_;
  std::optional<memory::Growth> growth_;
  double growth_at_ = kNotKnown;
  size_t memory_stride_ = 1, memory_skipped_ = 0;
};

// What rules see.
struct Features {
  Window* window = nullptr;
  std::array<double, kSignals> now{}, lately{}, most{}, last{};
  double stack_looks = 0;
  std::string top_place;
};
[[nodiscard]] Features FeaturesOf(Window& window);

}  // namespace gpusight::diagnose
