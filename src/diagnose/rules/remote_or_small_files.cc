// SPDX-License-Identifier: Apache-2.0
// A7: the loader sleeps, the local disk is quiet, and the data come over the network or in crumbs.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> RemoteOrSmallFiles(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kReadRate, Signal::kWorkers, Signal::kMainCpu}) ||
      !view.Starved())
    return {};
  view.Wants({Signal::kDataWait, Signal::kNetworkReceive});
  const bool workers = view.Now(Signal::kWorkers) >= 0.5;
  const double cpu = workers ? view.Now(Signal::kWorkerCpu) : view.Now(Signal::kMainCpu);
  if (!view.Is(cpu, Limit::kRemoteAsleep) || !view.Is(Signal::kReadRate, Limit::kStorageQuiet))
    return {};
  const bool told = view.Is(Signal::kDataWait, Limit::kDataWait);
  const bool mount = view.Now(Signal::kRemoteMount) > 0;
  const bool network = view.Is(Signal::kNetworkReceive, Limit::kNetworkBusy);
  // One fact of the host's is needed beside the idle device.
  if (!told && !(mount && network)) return {};
  std::vector<Evidence> evidence = {Fact("gpu_idle", {Ratio(view.Idle())})};
  if (told) evidence.push_back(Fact("data_wait", {Ratio(view.Now(Signal::kDataWait))}));
  if (workers)
    evidence.push_back(
        Fact("workers_idle", {Count(view.Now(Signal::kWorkers)), Ratio(std::min(1.0, cpu))}));
  if (!workers) evidence.push_back(Fact("main_cpu", {Cores(cpu)}));
  if (mount) evidence.push_back(Fact("remote_mount", {view.window().mount}));
  if (network) evidence.push_back(Fact("network_rate", {Speed(view.Now(Signal::kNetworkReceive))}));
  const double calls = view.Now(Signal::kReadCalls), bytes = view.Now(Signal::kReadCallRate);
  if (calls >= 50) evidence.push_back(Fact("read_rate_calls", {Speed(bytes), Count(calls)}));
  Finding finding =
      view.Make(told ? std::max(view.Idle(), view.Now(Signal::kDataWait)) : view.Idle(),
                0.62 + 0.13 * mount + 0.1 * network, std::move(evidence));
  if (workers) finding.proposal = std::min(32.0, 4 * view.Now(Signal::kWorkers));
  if (!workers) finding.proposal = 8.0;
  return finding;
}

}  // namespace gpusight::diagnose
