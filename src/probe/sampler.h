// SPDX-License-Identifier: Apache-2.0
// The sampler joins the probes into frames: card first, then host, then frameworks, then the
// memory accounts. To add a probe: one folder here, one call in sampler.cc.
// Next: ../model/frame.h for what comes out.
#pragma once

#include <functional>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "model/frame.h"
#include "probe/host/host_probe.h"
#include "probe/nvml/nvml_probe.h"
#include "probe/page/page_probe.h"

namespace gpusight {

struct SamplerOptions {
  nvml::ProbeOptions nvml;
  host::ProbeOptions host;
  page::ProbeOptions page;
  bool host_facts = true;                   // false: the card only
  bool pages = false;                       // telemetry pages too
  std::function<void(Frame&)> finish = {};  // has the last word on each frame
};

// Not thread-safe: one caller. `clock` and `log` must outlive it.
class Sampler {
 public:
  Sampler(SamplerOptions options, const Clock& clock, Root root, Log& log);

  // Replaces `frame` by the state of now; reusing one Frame allocates nothing in steady state.
  // `planned` is when this sample should have begun (for the probes' lateness); {} = now.
  void Sample(Frame& frame, MonoTime planned = {});

  // The next sample leaves nothing of the card out for its cost (nvml::Probe::AskForEverything).
  void AskForEverything() { card_.AskForEverything(); }

  // Reads the threads of that process too, from the next sample on; 0: of none.
  void Watch(int pid) { host_.Watch(pid); }

 private:
  SamplerOptions options_;
  const Clock& clock_;
  Root root_;
  nvml::Probe card_;
  host::Probe host_;
  page::Probe page_;
  uint64_t sequence_ = 0;
  MonoTime previous_{};
};

}  // namespace gpusight
