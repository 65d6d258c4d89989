// SPDX-License-Identifier: Apache-2.0
// How long one frame of a large machine takes besides the driver's own time, and what it allocates,
// on the fake driver: the samples are taken at a steady pace (a probe that is asked again at once
// has nothing to do), and only what lies outside driver calls is counted as time. Also what a line
// of `log` costs. Usage: bench_frame METER LIBRARY INTERVAL-MS [--benchmark_...]; the scenario is
// named by GPUSIGHT_FAKE_SCENARIO, and its processes are live ones. Next: metered.h.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "bench/allocations.h"
#include "bench/metered.h"
#include "export/log_line.h"

namespace {

using namespace gpusight;
using namespace gpusight::bench;

std::string meter;
std::unique_ptr<Metered> metered;
int interval_ms = 500;

void Frames(benchmark::State& state, bool host_facts, bool gpm) {
  SamplerOptions options;
  options.nvml.library = meter;
  options.nvml.gpm = gpm;
  options.host_facts = host_facts;
  const SystemClock clock;
  Log log(clock, [](std::string_view line) { fwrite(line.data(), 1, line.size(), stderr); });
  Sampler sampler(options, clock, Root(), log);
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

  double driver_us = 0, cpu_us = 0, allocations = 0, calls = 0, worst_us = 0, samples = 0;
  for ([[maybe_unused]] auto _ : state) {
    const Cost cost = sample();
    const double own_us = std::max(0.0, cost.wall_us - cost.driver_wall_us);
    state.SetIterationTime(own_us * 1e-6);
    worst_us = std::max(worst_us, own_us);
    driver_us += cost.driver_wall_us;
    cpu_us += cost.process_us - cost.driver_us;
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
  state.counters["own_cpu_us"] = cpu_us / samples;
  state.counters["driver_calls"] = calls / samples;
  state.counters["allocations"] = allocations / samples;
  state.counters["worst_us"] = worst_us;
  if (frame.driver.state != DriverState::kOk) state.SkipWithError("the driver did not answer");
}

// What the kernel itself takes for the files that the host's probe reads of each process again and
// again (stat, status, io): the least that host facts can cost.
void ProcessFiles(benchmark::State& state) {
  SamplerOptions options;
  options.nvml.library = meter;
  const SystemClock clock;
  Log log(clock, [](std::string_view line) { fwrite(line.data(), 1, line.size(), stderr); });
  Frame frame;
  Sampler(options, clock, Root(), log).Sample(frame);
  std::vector<UniqueFd> files;
  for (const ProcessSample& process : frame.processes) {
    for (const char* name : {"stat", "status", "io"}) {
      auto file = OpenForRead("/proc/" + std::to_string(process.pid) + "/" + name);
      if (process.translated && file) files.push_back(std::move(*file));
    }
  }
  std::array<char, 4096> buffer{};
  for ([[maybe_unused]] auto _ : state) {
    for (const UniqueFd& file : files) {
      benchmark::DoNotOptimize(pread(file.get(), buffer.data(), buffer.size(), 0));
    }
  }
  state.counters["files"] = static_cast<double>(files.size());
  if (files.empty()) state.SkipWithError("no live processes");
}

// One line a device, all its fields.
void LogLines(benchmark::State& state, exporting::LogFormat format) {
  SamplerOptions options;
  options.nvml.library = meter;
  const SystemClock clock;
  Log log(clock, [](std::string_view line) { fwrite(line.data(), 1, line.size(), stderr); });
  Frame frame;
  Sampler(options, clock, Root(), log).Sample(frame);
  exporting::LogLayout layout;
  layout.format = format;
  layout.fields = exporting::AllLogFields(false);
  exporting::LogEncoder encoder(std::move(layout));
  std::string lines;
  const auto append = [&] {
    lines.clear();
    for (size_t i = 0; i < frame.devices.size(); ++i) {
      encoder.Append(lines, {frame, i});
    }
  };
  append();
  const uint64_t allocations = AllocationCount();
  int64_t samples = 0;
  for ([[maybe_unused]] auto _ : state) {
    append();
    benchmark::DoNotOptimize(lines.data());
    ++samples;
  }
  state.counters["allocations"] =
      static_cast<double>(AllocationCount() - allocations) / static_cast<double>(samples);
  state.counters["lines"] = static_cast<double>(frame.devices.size());
  state.counters["bytes"] = static_cast<double>(lines.size());
  if (frame.devices.empty()) state.SkipWithError("no devices");
}

void Register(const char* name, exporting::LogFormat format) {
  benchmark::RegisterBenchmark(name, LogLines, format)->Unit(benchmark::kMicrosecond);
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
    fprintf(stderr, "usage: bench_frame METER LIBRARY INTERVAL-MS [--benchmark_...]\n");
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
  Register("card", false, true);
  Register("card_without_gpm", false, false);
  Register("card_and_host", true, true);
  benchmark::RegisterBenchmark("files", ProcessFiles)->Unit(benchmark::kMicrosecond);
  Register("log_text", exporting::LogFormat::kText);
  Register("log_jsonl", exporting::LogFormat::kJsonl);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
