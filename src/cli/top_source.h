// SPDX-License-Identifier: Apache-2.0
// Where the frames on the screen come from: a machine that is sampled (top_sampler.h) or a
// recording that is played (replay_player.h). Each has a thread of its own, so that the screen
// waits for neither. Next: top_loop.h.
#pragma once

#include "tui/state.h"

namespace gpusight::cli {

class TopSource {
 public:
  TopSource() = default;
  virtual ~TopSource() = default;
  TopSource(const TopSource&) = delete;
  TopSource& operator=(const TopSource&) = delete;

  virtual int fd() const = 0;                // can be polled for reading while something waits
  virtual void Feed(tui::State& state) = 0;  // gives what waits to the screen

  // What keys ask for; each source takes what it understands. They take effect soon after.
  virtual void SetInterval(double /*seconds*/) {}  // between two frames
  virtual void Watch(int /*pid*/) {}          // read the threads of that process too; 0: of none
  virtual void SetSpeed(double /*speed*/) {}  // 0: stand still
  virtual void Seek(double /*seconds*/) {}    // on, or back
};

}  // namespace gpusight::cli
