// SPDX-License-Identifier: Apache-2.0
// Plays a recording to the screen: a frame when its time has come, faster or slower, from any
// place. A recording that is still being written is followed. Next: replay.cc.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/fd.h"
#include "cli/top_source.h"
#include "record/reader.h"

namespace gpusight::cli {

class ReplayPlayer : public TopSource {
 public:
  // Begins to play at once, `from` seconds after the beginning. `clock` must outlive it. Block the
  // signals of the screen before: the thread inherits the mask.
  ReplayPlayer(record::Recording recording, const Clock& clock, double from, double speed);
  ~ReplayPlayer() override;

  int fd() const override { return event_.get(); }
  void Feed(tui::State& state) override;
  void SetSpeed(double speed) override;
  void Seek(double seconds) override;

 private:
  // What the screen has not taken yet.
  struct Offer {
    std::optional<tui::History> past;  // of another place than before
    Frame frame;
    bool has_frame = false, finished = false;
  };
  void Loop(const std::stop_token& stop);
  void Jump(double seconds);
  bool WaitFor(const std::stop_token& stop, double seconds);
  void Publish(std::unique_lock<std::mutex>& lock);
  WallTime Now() const;
  void Anchor(WallTime position);

  record::Recording recording_;
  record::FrameCursor cursor_;
  const record::Span span_;
  const Clock& clock_;
  UniqueFd event_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  Offer offer_;
  double speed_;
  double seek_ = 0;
  bool seeks_ = false, hurry_ = false;

  // The thread's own.
  Frame ahead_;  // the next one to show
  bool has_ahead_ = false;
  WallTime position_;  // at anchor_
  MonoTime anchor_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace gpusight::cli
