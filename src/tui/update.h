// SPDX-License-Identifier: Apache-2.0
// What happens to the state when something happens outside: a key, the mouse, a frame, the clock,
// another size. Pure but for the state: what must be done in the world is returned as an Effect.
// Next: render.h.
#pragma once

#include <optional>

#include "tui/keys.h"
#include "tui/state.h"

namespace gpusight::tui {

struct SignalRequest {
  SignalTarget target;
  int signal = 0;
};

struct Effect {
  bool quit = false;
  bool suspend = false;
  bool redraw = false;                   // the whole screen, whatever is thought to be on it
  std::optional<double> interval;        // sample that often from now on
  std::optional<double> speed;           // of a recording: play it that fast, 0 = stand still
  double seek = 0;                       // of a recording: seconds on, or back
  std::optional<SignalRequest> request;  // the user said yes
};

// Fills what depends on the interval; call once, before anything else.
void Begin(State& state, double interval, MonoTime now);

Effect Update(State& state, const Key& key);
Effect Update(State& state, const Mouse& mouse);
void Update(State& state, Size size);
void Update(State& state, WallTime now, MonoTime mono);  // a tick of the clock
// Takes the frame and leaves an old one in its place, so that its memory is used again.
void Update(State& state, Frame& frame);
// Another place of a recording: what was seen before does not belong to the next frame's past.
void Restart(State& state, History past);

// A sentence for the last line.
void Tell(State& state, std::string message, bool bad = false);

}  // namespace gpusight::tui
