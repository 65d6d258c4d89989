// SPDX-License-Identifier: Apache-2.0
// How long one frame of a large machine takes besides the driver's own time, and what it allocates,
// on the fake driver: the samples are taken at a steady pace (a probe that is asked again at once
// has nothing to do), and only what lies outside driver calls is counted as time.
// Usage: bench_frame METER LIBRARY INTERVAL-MS [ROOT] [--benchmark_...]; the scenario is named by
// GPUSIGHT_FAKE_SCENARIO. Next: metered.h.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/log.h"
#include "bench/metered.h"

namespace {

using namespace gpusight;
using namespace gpusight::bench;

std::string meter, root;
std::unique_ptr<Metered> metered;
int interval_ms = 500;

void Frames(benchmark::State& state, bool host_facts, bool gpm) {
  SamplerOptions options;
  options.nvml.library = meter;
  options.nvml.gpm = gpm;
  options.host_facts = host_facts;
  const SystemClock clock;
  Log log(clock, [](std::string_view line) { fwrite(line.data(), 1, line.size(), stderr); });
  Sampler sampler(options, clock, host_facts ? Root(root) : Root(), log);
  Frame frame;
  MonoTime due = clock.Mono();
  const auto sample = [&] {
    due.ns += int64_t{interval_ms} * 1'000'000;
    std::this_thread::sleep_for(std::chrono::nanoseconds(due - clock.Mono()));
    const Reading before = metered->Begin();
    sampler.Sample(frame, due);
    return Between(before, metered->End(), metered->clock_cost_ns());
  };
  for (int warm = 0; warm < 4; ++warm) sample();

  double driver_us = 0, allocations = 0, calls = 0, worst_us = 0, samples = 0;
  for ([[maybe_unused]] auto _ : state) {
    const Cost cost = sample();
    const double own_us = std::max(0.0, cost.wall_us - cost.driver_wall_us);
    state.SetIterationTime(own_us * 1e-6);
    worst_us = std::max(worst_us, own_us);
    driver_us += cost.driver_wall_us;
    allocations += static_cast<double>(cost.allocations);
    calls += static_cast<double>(cost.driver_calls);
    samples += 1;
  }
  size_t uses = 0;
  for (const ProcessSample& process : frame.processes) uses += process.uses.size();
  state.counters["devices"] = static_cast<double>(frame.devices.size());
  state.counters["processes"] = static_cast<double>(frame.processes.size());
  state.counters["uses"] = static_cast<double>(uses);
  state.counters["driver_us"] = driver_us / samples;
  state.counters["driver_calls"] = calls / samples;
  state.counters["allocations"] = allocations / samples;
  state.counters["worst_us"] = worst_us;
  if (frame.driver.state != DriverState::kOk) state.SkipWithError("the driver did not answer");
}

void Register(const char* name, bool host_facts, bool gpm) {
  benchmark::RegisterBenchmark(name, Frames, host_facts, gpm)
      ->UseManualTime()
      ->Iterations(10)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: bench_frame METER LIBRARY INTERVAL-MS [ROOT] [--benchmark_...]\n");
    return 2;
  }
  meter = argv[1];
  auto loaded = Metered::Load(meter, argv[2]);
  if (!loaded) {
    fprintf(stderr, "%s\n", loaded.error().what.c_str());
    return 1;
  }
  metered = std::make_unique<Metered>(*loaded);
  interval_ms = atoi(argv[3]);
  if (argc > 4 && argv[4][0] != '-') root = argv[4];
  Register("card", false, true);
  Register("card_without_gpm", false, false);
  if (!root.empty()) Register("card_and_host", true, true);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
