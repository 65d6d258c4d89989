// SPDX-License-Identifier: Apache-2.0
#include "bench/metered.h"

#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>

#include "bench/allocations.h"

namespace gpusight::bench {
namespace {

uint64_t Now(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

void ReadClocks(Reading& reading) {
  reading.allocations = AllocationCount();
  reading.wall_ns = Now(CLOCK_MONOTONIC);
  reading.thread_cpu_ns = Now(CLOCK_THREAD_CPUTIME_ID);
  reading.process_cpu_ns = Now(CLOCK_PROCESS_CPUTIME_ID);
}

template <typename Function>
Function Find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

Result<Metered> Metered::Load(const std::string& meter, const std::string& library) {
  if (!library.empty()) setenv("GPUSIGHT_METER_LIBRARY", library.c_str(), 1);
  // Stays loaded: the sampler opens the same path and gets the same library.
  void* handle = dlopen(meter.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Fail(ErrorCode::kNotFound, dlerror());
  Metered metered;
  metered.records_ = Find<MeterRecordsFn>(handle, "gpusight_meter_records");
  const auto clock_cost = Find<MeterClockCostFn>(handle, "gpusight_meter_clock_cost");
  const auto inside = Find<MeterInsideFn>(handle, "gpusight_meter_inside");
  if (metered.records_ == nullptr || clock_cost == nullptr || inside == nullptr) {
    return Fail(ErrorCode::kBadInput, meter + " is not the meter");
  }
  metered.clock_cost_ns_ = clock_cost();
  IgnoreAllocationsInside(inside);
  return metered;
}

void Metered::ReadCalls(Reading& reading) const {
  size_t count = 0;
  const MeterRecord* records = records_(&count);
  for (size_t i = 0; i < count; ++i) {
    reading.calls.push_back({records[i].name, records[i].calls.load(), records[i].failures.load(),
                             records[i].cpu_ns.load(), records[i].wall_ns.load()});
  }
}

Reading Metered::Begin() const {
  Reading reading;
  ReadCalls(reading);
  ReadClocks(reading);
  return reading;
}

Reading Metered::End() const {
  Reading reading;
  ReadClocks(reading);
  ReadCalls(reading);
  return reading;
}

Cost Between(const Reading& before, const Reading& after, uint64_t clock_cost_ns) {
  Cost cost;
  for (size_t i = 0; i < after.calls.size(); ++i) {
    CallCost call = after.calls[i];
    call.calls -= before.calls[i].calls;
    if (call.calls == 0) continue;
    call.failures -= before.calls[i].failures;
    call.cpu_ns -= before.calls[i].cpu_ns;
    call.wall_ns -= before.calls[i].wall_ns;
    const uint64_t own = call.calls * clock_cost_ns;
    call.cpu_ns -= std::min(call.cpu_ns, own);
    cost.driver_calls += call.calls;
    cost.driver_us += static_cast<double>(call.cpu_ns) * 1e-3;
    if (!call.name.starts_with("nvmlEventSetWait")) {  // sleeps, on a thread of its own
      cost.driver_wall_us += static_cast<double>(call.wall_ns) * 1e-3;
    }
    cost.calls.push_back(std::move(call));
  }
  std::sort(cost.calls.begin(), cost.calls.end(),
            [](const CallCost& a, const CallCost& b) { return a.cpu_ns > b.cpu_ns; });
  const double meter_us = static_cast<double>(2 * cost.driver_calls * clock_cost_ns) * 1e-3;
  cost.process_us =
      static_cast<double>(after.process_cpu_ns - before.process_cpu_ns) * 1e-3 - meter_us;
  cost.caller_us = static_cast<double>(after.thread_cpu_ns - before.thread_cpu_ns) * 1e-3;
  cost.wall_us = static_cast<double>(after.wall_ns - before.wall_ns) * 1e-3;
  cost.allocations = after.allocations - before.allocations;
  return cost;
}

}  // namespace gpusight::bench
