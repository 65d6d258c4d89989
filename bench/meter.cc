// SPDX-License-Identifier: Apache-2.0
// The meter: a stand-in libnvidia-ml that forwards every call to the real library and counts it:
// how often, how much CPU, how long. Handed to gpusight as --nvml, it tells what exactly the driver
// calls of one sample cost, in the same process and at the same pace, so that gpusight's own cost
// is what remains. GPUSIGHT_METER_LIBRARY names the real library, GPUSIGHT_METER_OUT a file that
// mirrors the counters (optional). Next: nvml_cost.cc.
#include "bench/meter.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "probe/nvml/abi.h"

using namespace gpusight::nvml;  // the parameter lists of GPUSIGHT_NVML_CALLS are written for it
using gpusight::bench::MeterRecord;

namespace {

#define ENUMERATE(name, parameters) k_##name,
enum CallId : size_t { GPUSIGHT_NVML_CALLS(ENUMERATE) kCallCount };
#undef ENUMERATE
#define NAME(name, parameters) #name,
constexpr std::array<const char*, kCallCount> kNames = {GPUSIGHT_NVML_CALLS(NAME)};
#undef NAME

uint64_t Read(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

struct Meter {
  MeterRecord* records = nullptr;
  std::array<void*, kCallCount> real{};
  uint64_t clock_cost_ns = 0;

  Meter() {
    records = static_cast<MeterRecord*>(Map(getenv("GPUSIGHT_METER_OUT")));
    const char* path = getenv("GPUSIGHT_METER_LIBRARY");
    void* library = dlopen(path != nullptr ? path : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fprintf(stderr, "meter: %s\n", dlerror());
    for (size_t i = 0; i < kCallCount; ++i) {
      strncpy(records[i].name, kNames[i], sizeof records[i].name - 1);
      if (library != nullptr) real[i] = dlsym(library, kNames[i]);
    }
    constexpr uint64_t kRounds = 2000;
    const uint64_t begin = Read(CLOCK_THREAD_CPUTIME_ID);
    for (uint64_t i = 0; i < kRounds; ++i) Read(CLOCK_THREAD_CPUTIME_ID);
    clock_cost_ns = (Read(CLOCK_THREAD_CPUTIME_ID) - begin) / kRounds;
  }

  static void* Map(const char* path) {
    constexpr size_t kBytes = kCallCount * sizeof(MeterRecord);
    if (path != nullptr) {
      const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
      if (fd >= 0 && ftruncate(fd, kBytes) == 0) {
        void* file = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
        if (file != MAP_FAILED) return file;
      }
      fprintf(stderr, "meter: cannot write %s\n", path);
    }
    alignas(MeterRecord) static char memory[kBytes];
    return memory;
  }
};

Meter& TheMeter() {
  static Meter meter;
  return meter;
}

thread_local bool inside = false;

template <CallId kId, typename F>
struct Forward;

template <CallId kId, typename... A>
struct Forward<kId, Return(A...)> {
  static Return Call(A... arguments) {
    Meter& meter = TheMeter();
    auto* call = reinterpret_cast<Return (*)(A...)>(meter.real[kId]);
    if (call == nullptr) return kFunctionNotFound;
    inside = true;
    const uint64_t wall = Read(CLOCK_MONOTONIC);
    const uint64_t cpu = Read(CLOCK_THREAD_CPUTIME_ID);
    const Return result = call(arguments...);
    const uint64_t cpu_spent = Read(CLOCK_THREAD_CPUTIME_ID) - cpu;
    const uint64_t wall_spent = Read(CLOCK_MONOTONIC) - wall;
    inside = false;
    MeterRecord& record = meter.records[kId];
    record.calls.fetch_add(1, std::memory_order_relaxed);
    record.failures.fetch_add(result != kSuccess, std::memory_order_relaxed);
    record.cpu_ns.fetch_add(cpu_spent, std::memory_order_relaxed);
    record.wall_ns.fetch_add(wall_spent, std::memory_order_relaxed);
    return result;
  }
};

}  // namespace

// Each exported name is an indirect function: its resolver hands out the forwarder, so that no
// parameter has to be named a second time.
#define EXPORT(name, parameters)                                                          \
  extern "C" __attribute__((visibility("hidden"))) Return(*Resolve_##name()) parameters { \
    return &Forward<k_##name, Return parameters>::Call;                                   \
  }                                                                                       \
  extern "C" __attribute__((visibility("default"), ifunc("Resolve_" #name))) Return name parameters;
GPUSIGHT_NVML_CALLS(EXPORT)
#undef EXPORT

extern "C" __attribute__((visibility("default"))) const MeterRecord* gpusight_meter_records(
    size_t* count) {
  *count = kCallCount;
  return TheMeter().records;
}
extern "C" __attribute__((visibility("default"))) uint64_t gpusight_meter_clock_cost() {
  return TheMeter().clock_cost_ns;
}
extern "C" __attribute__((visibility("default"))) bool gpusight_meter_inside() { return inside; }
