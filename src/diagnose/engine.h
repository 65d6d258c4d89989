// SPDX-License-Identifier: Apache-2.0
// The engine asks all rules every few seconds and gives findings a life: one opens when its rule
// held in three of four looks of its time, is updated while it holds, and closes when it held in
// one of four only. A finding that explains others keeps them from counting (arbitration); they
// stay to be seen. At the end one verdict stands for all. Pure. Next: rule.h.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/collector.h"
#include "diagnose/rule.h"

namespace gpusight::diagnose {

struct EngineOptions {
  Thresholds thresholds = {};
  // Multiplies all times: 1 for long looks, 0.25 for half a minute.
  double time_scale = 1;
};

// The scale that fits a look of so many seconds.
[[nodiscard]] double TimeScaleFor(double seconds);

class Engine {
 public:
  explicit Engine(EngineOptions options = {}) : options_(options) {}
  double time_scale() const { return options_.time_scale; }

  // All windows of now, after each tick; `wall` dates the findings. Rules are asked when it is
  // time.
  void Evaluate(const std::vector<Window*>& windows, WallTime wall);
  // Those that hold now, those to act upon first coming first.
  std::vector<Finding> Open() const;
  // All that held, and the verdict, over the whole time.
  Diagnosis Finish(const std::vector<Window*>& windows) const;

 private:
  struct Life {
    std::deque<std::pair<double, bool>> looks;  // time and whether it held
    bool open = false, was_open = false;
    Finding finding;       // as it was last
    double lost = 0;       // seconds
    double pending = 0;    // seconds lost since it began to hold, before it opened
    double best = 0;       // severity
    double closed_at = 0;  // in ticks' time
    double told_lost = 0;  // severity at its best evidence
  };
  struct PerSubject {
    std::map<std::string_view, Life> lives;
    double asked_at = kNotKnown;
    std::map<Signal, int> missing;  // in how many looks, after the warm-up
    int looks = 0;
    double seconds = 0;             // after the warm-up
    double healthy = 0, known = 0;  // seconds in which the device was well used; could be judged
    double sm = 0, tensor = 0, idle = 0, dram = 0, power = 0;  // sums over `known`
    double idle_known = 0, idle_sum = 0;                       // after the warm-up
  };
  void Ask(Window& window, PerSubject& subject, WallTime wall);
  void Arbitrate(PerSubject& subject);
  void Stragglers(const std::vector<Window*>& windows, WallTime wall);
  static void Order(std::vector<Finding>& findings);

  EngineOptions options_;
  std::map<std::pair<int, uint64_t>, PerSubject> subjects_;
  std::optional<Finding> straggler_;
};

// Frames in, diagnosis out: a collector and an engine.
class Diagnoser {
 public:
  explicit Diagnoser(Which which = {}, EngineOptions options = {})
      : collector_(which, options.time_scale), engine_(options) {}
  void Add(const Frame& frame) {
    collector_.Add(frame);
    engine_.Evaluate(collector_.present(), frame.time);
  }
  std::vector<Finding> Open() const { return engine_.Open(); }
  // Ends it.
  Diagnosis Finish();
  bool saw_a_job() { return !collector_.all().empty(); }

 private:
  Collector collector_;
  Engine engine_;
};

}  // namespace gpusight::diagnose
