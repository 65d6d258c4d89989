// SPDX-License-Identifier: Apache-2.0
// What one sample costs beside the driver calls it makes: runs the Sampler at a steady pace with
// the driver behind the meter and prints one JSON object. Also shows the self-metrics of the last
// frame. Usage: bench_nvml_cost --meter PATH [--library PATH] [--ticks N] [--interval-ms N]
// [--warm N] [--no-gpm] [--no-processes] [--no-host]. Next: metered.h.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "base/log.h"
#include "bench/metered.h"

namespace {

using namespace gpusight;
using namespace gpusight::bench;

struct Arguments {
  std::string meter, library;
  int ticks = 30;
  int interval_ms = 1000;
  int warm = 5;  // samples before counting: first calls and growing buffers
  bool gpm = true, processes = true, host = true;
};

bool ReadNumber(std::string_view text, int& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size() && out >= 0;
}

bool Parse(int argc, char** argv, Arguments& out) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    const std::string_view next = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--no-gpm") {
      out.gpm = false;
    } else if (flag == "--no-processes") {
      out.processes = false;
    } else if (flag == "--no-host") {
      out.host = false;
    } else if (flag == "--meter" || flag == "--library") {
      (flag == "--meter" ? out.meter : out.library) = next;
      ++i;
    } else if (flag == "--ticks" || flag == "--interval-ms" || flag == "--warm") {
      int& number = flag == "--ticks" ? out.ticks : flag == "--warm" ? out.warm : out.interval_ms;
      if (!ReadNumber(next, number)) return false;
      ++i;
    } else {
      return false;
    }
  }
  return !out.meter.empty() && out.ticks > 0;
}

void Print(const Arguments& arguments, const Cost& cost, double sample_wall_us,
           const Frame& frame) {
  const double ticks = arguments.ticks;
  size_t uses = 0;
  for (const ProcessSample& process : frame.processes) uses += process.uses.size();
  fmt::print(
      "{{\"ticks\":{},\"interval_ms\":{},\"gpm\":{},\"processes\":{},\"host\":{},\"devices\":{},"
      "\"process_uses\":{},\"driver_state\":{},\"process_cpu_us\":{:.1f},\"driver_cpu_us\":{:.1f},"
      "\"caller_cpu_us\":{:.1f},\"driver_wall_us\":{:.1f},\"sample_wall_us\":{:.1f},"
      "\"ratio\":{:.3f},\"driver_calls\":{:.1f},\"allocations\":{:.2f},\"calls\":[",
      arguments.ticks, arguments.interval_ms, arguments.gpm, arguments.processes, arguments.host,
      frame.devices.size(), uses, static_cast<int>(frame.driver.state), cost.process_us / ticks,
      cost.driver_us / ticks, cost.caller_us / ticks, cost.driver_wall_us / ticks, sample_wall_us,
      cost.driver_us > 0 ? cost.process_us / cost.driver_us : 0.0,
      static_cast<double>(cost.driver_calls) / ticks,
      static_cast<double>(cost.allocations) / ticks);
  const char* comma = "";
  for (const CallCost& call : cost.calls) {
    fmt::print("{}{{\"name\":\"{}\",\"per_tick\":{:.2f},\"cpu_us\":{:.2f},\"failures\":{:.2f}}}",
               comma, call.name, static_cast<double>(call.calls) / ticks,
               static_cast<double>(call.cpu_ns) * 1e-3 / ticks,
               static_cast<double>(call.failures) / ticks);
    comma = ",";
  }
  fmt::print("],\"probes\":[");
  comma = "";
  for (const ProbeStats& probe : frame.probes) {
    fmt::print(
        "{}{{\"name\":\"{}\",\"duration_us\":{:.1f},\"lateness_us\":{:.1f},\"failures\":{},"
        "\"rejected\":{},\"calls\":{}}}",
        comma, probe.name, probe.duration_seconds * 1e6, probe.lateness_seconds * 1e6,
        probe.failures, probe.rejected, probe.calls);
    comma = ",";
  }
  fmt::print("]}}\n");
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!Parse(argc, argv, arguments)) {
    fmt::print(stderr, "usage: see the head of bench/nvml_cost.cc\n");
    return 2;
  }
  const auto metered = Metered::Load(arguments.meter, arguments.library);
  if (!metered) {
    fmt::print(stderr, "{}\n", metered.error().what);
    return 1;
  }
  SamplerOptions options;
  options.nvml.library = arguments.meter;
  options.nvml.leave_open = true;  // as the commands do
  options.nvml.gpm = arguments.gpm;
  options.nvml.processes = arguments.processes;
  options.host_facts = arguments.host;
  const SystemClock clock;
  Log log(clock, [](std::string_view line) { fmt::print(stderr, "{}", line); });
  Sampler sampler(options, clock, Root(), log);
  Frame frame;

  MonoTime due = clock.Mono();
  Reading before;
  double sample_wall_us = 0;
  for (int tick = -arguments.warm; tick < arguments.ticks; ++tick) {
    if (tick == 0) before = metered->Begin();
    due.ns += int64_t{arguments.interval_ms} * 1'000'000;
    std::this_thread::sleep_for(std::chrono::nanoseconds(due - clock.Mono()));
    const MonoTime begin = clock.Mono();
    sampler.Sample(frame, due);
    if (tick >= 0) sample_wall_us += static_cast<double>(clock.Mono() - begin) * 1e-3;
  }
  const Cost cost = Between(before, metered->End(), metered->clock_cost_ns());
  Print(arguments, cost, sample_wall_us / arguments.ticks, frame);
  return frame.driver.state == DriverState::kOk ? 0 : 1;
}
