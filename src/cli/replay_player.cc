// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_player.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cli/top_mailbox.h"
#include "tui/update.h"

namespace gpusight::cli {
namespace {

constexpr double kPast = 300;         // seconds whose charts are there after a jump
constexpr double kLongestWait = 2;    // for the next frame, however long nothing was recorded
constexpr double kFollowEvery = 0.5;  // seconds between looks at whether a recording has grown

int64_t Ns(double seconds) { return std::llround(std::clamp(seconds, -1e9, 1e9) * 1e9); }

}  // namespace

ReplayPlayer::ReplayPlayer(record::Recording recording, const Clock& clock, double from,
                           double speed)
    : recording_(std::move(recording)),
      cursor_(recording_.Frames()),
      span_(recording_.Read().span),
      clock_(clock),
      event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      speed_(speed),
      seek_(from),
      seeks_(true) {
  Anchor(span_.begin);
  thread_ = std::jthread([this](const std::stop_token& stop) { Loop(stop); });
}

ReplayPlayer::~ReplayPlayer() = default;

void ReplayPlayer::SetSpeed(double speed) {
  const std::lock_guard lock(mutex_);
  Anchor(Now());
  speed_ = speed;
  hurry_ = true;
  changed_.notify_all();
}

void ReplayPlayer::Seek(double seconds) {
  const std::lock_guard lock(mutex_);
  seek_ += seconds;
  seeks_ = true;
  changed_.notify_all();
}

void ReplayPlayer::Feed(tui::State& state) {
  const std::lock_guard lock(mutex_);
  uint64_t count = 0;
  (void)!read(event_.get(), &count, sizeof count);
  if (offer_.past) tui::Restart(state, std::move(*offer_.past));
  offer_.past.reset();
  if (offer_.has_frame) tui::Update(state, offer_.frame);
  offer_.has_frame = false;
  if (!state.playback) return;
  state.playback->finished = offer_.finished;
  state.playback->end = std::max(state.playback->end, state.frame.time);
}

WallTime ReplayPlayer::Now() const {
  const double passed = static_cast<double>(clock_.Mono() - anchor_) * 1e-9;
  return {position_.ns + Ns(passed * speed_)};
}

void ReplayPlayer::Anchor(WallTime position) {
  position_ = position;
  anchor_ = clock_.Mono();
}

// Shows the last frame up to the place, with what came before it in the charts.
void ReplayPlayer::Jump(double seconds) {
  WallTime target, end = span_.end;
  {
    const std::lock_guard lock(mutex_);
    end = std::max(end, ahead_.time);
    target.ns = std::clamp(Now().ns + Ns(seconds), span_.begin.ns, std::max(span_.begin, end).ns);
  }
  tui::History past;
  Frame shown, next;
  bool has_shown = false;
  cursor_.Seek({target.ns - Ns(kPast)});
  while ((has_ahead_ = cursor_.Next(next)) && (next.time <= target || !has_shown)) {
    std::swap(shown, next);
    has_shown = true;
    past.Add(shown);
  }
  std::unique_lock lock(mutex_);
  if (has_ahead_) std::swap(ahead_, next);
  Anchor(has_shown ? std::max(target, shown.time) : target);
  if (!has_shown) return;
  // The screen adds it once more; that changes nothing, it is the newest.
  offer_.past = std::move(past);
  std::swap(offer_.frame, shown);
  Publish(lock);
}

void ReplayPlayer::Publish(std::unique_lock<std::mutex>& /*held*/) {
  offer_.has_frame = true;
  offer_.finished = !has_ahead_;
  const uint64_t one = 1;
  (void)!write(event_.get(), &one, sizeof one);
}

// False: something else is to be done first.
bool ReplayPlayer::WaitFor(const std::stop_token& stop, double seconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, std::chrono::nanoseconds(Ns(seconds)),
                    [this] { return seeks_ || hurry_; });
  return !seeks_ && !hurry_ && !stop.stop_requested();
}

void ReplayPlayer::Loop(const std::stop_token& stop) {
  pthread_setname_np(pthread_self(), "gpusight-replay");
  while (!stop.stop_requested()) {
    double seek = 0, speed = 0, wait = 0;
    bool seeks = false;
    {
      const std::lock_guard lock(mutex_);
      std::swap(seeks, seeks_);
      std::swap(seek, seek_);
      hurry_ = false;
      speed = speed_;
      wait = speed > 0 ? static_cast<double>(ahead_.time.ns - Now().ns) * 1e-9 / speed : 3600;
    }
    if (seeks) {
      Jump(seek);
      continue;
    }
    if (!has_ahead_) {
      if (!WaitFor(stop, kFollowEvery) || speed == 0) continue;
      has_ahead_ = cursor_.Next(ahead_);
      continue;
    }
    if (speed == 0) {
      (void)WaitFor(stop, wait);
      continue;
    }
    if (!WaitFor(stop, std::clamp(wait, 0.0, kLongestWait))) continue;
    const WallTime time = ahead_.time;
    Frame next;
    const bool has_next = cursor_.Next(next);
    std::unique_lock lock(mutex_);
    if (offer_.has_frame) InheritSamples(offer_.frame, ahead_);
    std::swap(offer_.frame, ahead_);
    has_ahead_ = has_next;
    if (has_next) std::swap(ahead_, next);
    // After a gap, or when the screen is slow, the time goes on from here.
    if (wait > kLongestWait || wait < -kLongestWait) Anchor(time);
    Publish(lock);
  }
}

}  // namespace gpusight::cli
