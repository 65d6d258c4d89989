// SPDX-License-Identifier: Apache-2.0
// The thread that samples for the screen. It owns the sampler, publishes each frame in a mailbox
// and never touches the screen; when the driver hangs, only this thread waits. Next: top_loop.h.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "cli/top_mailbox.h"
#include "cli/top_source.h"
#include "diagnose/engine.h"
#include "probe/sampler.h"

namespace gpusight::cli {

class TopSampler : public TopSource {
 public:
  // Starts at once. `clock` must outlive it. Block the signals of the screen before: the thread
  // inherits the mask.
  TopSampler(std::unique_ptr<Sampler> sampler, const Clock& clock, double interval);
  ~TopSampler() override;  // waits for the sample in progress, at most the probe's patience

  FrameMailbox& mailbox() { return mailbox_; }

  int fd() const override { return mailbox_.fd(); }
  void Feed(tui::State& state) override;
  // Thread-safe; take effect with the next sample, which comes at once when they shorten the wait.
  void SetInterval(double seconds) override;
  void Watch(int pid) override;

 private:
  void Loop(std::stop_token stop);

  std::unique_ptr<Sampler> sampler_;
  const Clock& clock_;
  FrameMailbox mailbox_;
  Frame taken_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  double interval_;
  int watched_ = 0;
  bool hurry_ = false;
  std::vector<Finding> findings_;  // of the newest frame
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace gpusight::cli
