// SPDX-License-Identifier: Apache-2.0
// Frames into windows: finds the processes that work on a device, and makes a tick of each for
// every frame. Frames come from the sampler or from a recording, it makes no difference; merged
// ones stand for more time and lack the driver's samples. Numbers that count become rates; where a
// counter went back, the rate is not known. Pure. Next: engine.h.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "diagnose/idle_attribution.h"
#include "diagnose/window.h"
#include "model/frame.h"

namespace gpusight::diagnose {

// Which processes are looked at; neither: all.
struct Which {
  int pid = 0;            // this one and its descendants
  bool job_only = false;  // those of the job that is recorded
};

class Collector {
 public:
  Collector(Which which, double time_scale) : which_(which), scale_(time_scale) {}

  void Add(const Frame& frame);
  // The subjects of the last frame, by process.
  const std::vector<Window*>& present() const { return present_; }
  // All that there were.
  std::vector<Window*> all();
  // Takes what idle attribution gathered into the windows; call once, at the end.
  void Finish();
  // Seconds between the first and the last frame.
  double seconds() const { return last_time_; }

 private:
  using Key = std::pair<int, uint64_t>;
  struct Kept {
    explicit Kept(double scale) : window(scale) {}
    Window window;
    IdleAttribution idle;
    std::set<int> workers;
    // What is made of a stack of this process, once for each.
    struct KnownStack {
      std::string text, place;
      uint8_t doing = 0;
    };
    std::vector<KnownStack> stacks;  // as the page numbers them, as far as they were read
    memory::OomPhase phase = memory::OomPhase::kUnknown;
  };

  void Forget();
  bool Wanted(const Frame& frame, const ProcessSample& process) const;
  void AddSubject(const Frame& frame, const ProcessSample& process, double dt);
  void Card(const Frame& frame, const ProcessSample& process, int device, double dt, Tick& tick,
            Kept& kept);
  void Tree(const Frame& frame, const ProcessSample& process, Tick& tick, Kept& kept);
  void Container(const Frame& frame, const ProcessSample& process, Tick& tick);
  void Pages(const Frame& frame, const ProcessSample& process, int device, Tick& tick, Kept& kept);
  // Of a counter, per second since it was last seen; not known when it went back.
  double Rate(Key key, int field, const Known<double>& value);

  Which which_;
  double scale_;
  std::map<Key, std::unique_ptr<Kept>> kept_;
  std::vector<Window*> present_;
  std::map<std::pair<Key, int>, std::pair<double, double>> counters_;  // value and its time
  double time_ = 0, last_time_ = 0;
  double offset_ = 0;  // wall seconds of our time 0
  double forgot_ = 0;
  bool began_ = false;
  MonoTime last_mono_;
};

}  // namespace gpusight::diagnose
