// SPDX-License-Identifier: Apache-2.0
#include "cli/top_sampler.h"

#include <pthread.h>

#include <chrono>
#include <cmath>
#include <utility>

#include "tui/update.h"

namespace gpusight::cli {

TopSampler::TopSampler(std::unique_ptr<Sampler> sampler, const Clock& clock, double interval)
    : sampler_(std::move(sampler)), clock_(clock), interval_(interval) {
  thread_ = std::jthread([this](const std::stop_token& stop) { Loop(stop); });
}

TopSampler::~TopSampler() = default;

void TopSampler::Feed(tui::State& state) {
  if (!mailbox_.Take(taken_)) return;
  {
    const std::lock_guard lock(mutex_);
    state.findings = findings_;
  }
  tui::Update(state, taken_);
}

void TopSampler::SetInterval(double seconds) {
  const std::lock_guard lock(mutex_);
  interval_ = seconds;
  hurry_ = true;
  changed_.notify_all();
}

void TopSampler::Watch(int pid) {
  const std::lock_guard lock(mutex_);
  if (watched_ == pid) return;
  watched_ = pid;
  hurry_ = pid != 0;
  changed_.notify_all();
}

void TopSampler::Loop(std::stop_token stop) {
  pthread_setname_np(pthread_self(), "gpusight-sample");
  Frame frame;
  // Who looks at a screen wants an answer within a minute.
  diagnose::Diagnoser diagnoser({}, {.time_scale = 0.5});
  MonoTime planned = clock_.Mono();
  while (!stop.stop_requested()) {
    int watched = 0;
    {
      const std::lock_guard lock(mutex_);
      watched = watched_;
    }
    sampler_->Watch(watched);
    sampler_->Sample(frame, planned);
    diagnoser.Add(frame);
    {
      const std::lock_guard lock(mutex_);
      findings_ = diagnoser.Open();
    }
    mailbox_.Publish(frame);

    std::unique_lock lock(mutex_);
    const auto step = static_cast<int64_t>(std::llround(interval_ * 1e9));
    const MonoTime now = clock_.Mono();
    // Deadlines that passed are skipped; samples never pile up.
    planned.ns += step;
    if (planned < now) planned = now;
    const auto wait = std::chrono::nanoseconds(planned - now);
    if (changed_.wait_for(lock, stop, wait, [this] { return hurry_; })) planned = clock_.Mono();
    hurry_ = false;
  }
}

}  // namespace gpusight::cli
