// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/capture_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include "probe/nvml/capture_processes.h"
#include "probe/nvml/capture_values.h"

namespace gpusight::nvml {
namespace {

using U64 = unsigned long long;

// The answers of one device, each with how long it took.
class Recorder {
 public:
  Recorder(Device device, const Clock& clock, CapturedDevice& out)
      : device_(device), clock_(clock), out_(out) {}

  // Calls `ask` once and keeps its answer; `values` makes the list of values of a success.
  template <typename Ask, typename Values>
  Return Keep(std::string key, const Ask& ask, const Values& values) {
    const Stopwatch watch(clock_);
    const Return code = ask();
    std::string members = watch.Members();
    members += code == kSuccess ? fmt::format("\"v\": {}", values()) : CodeText(code);
    out_.answers.push_back({std::move(key), std::move(members)});
    return code;
  }

  // Getters by their signature; those of any other are asked by name below.
  template <typename T>
  void Plain(const char* name, Return (*call)(Device, T*)) {
    if constexpr (std::is_same_v<T, unsigned> || std::is_same_v<T, U64>) {
      if (call == nullptr) return;
      T value{};
      Keep(name, [&] { return call(device_, &value); }, [&] { return List({value}); });
    }
  }
  template <typename T>
  void Plain(const char* name, Return (*call)(Device, T*, T*)) {
    if (call == nullptr) return;
    T a{}, b{};
    Keep(
        name, [&] { return call(device_, &a, &b); }, [&] { return fmt::format("[{}, {}]", a, b); });
  }
  void Plain(const char* name, Return (*call)(Device, char*, unsigned)) {
    if (call == nullptr) return;
    std::array<char, 97> text{};
    Keep(
        name, [&] { return call(device_, text.data(), 96); },
        [&] { return JsonText(text.data()); });
  }
  template <typename Other>
  void Plain(const char*, Other) {}

  // With one parameter, for 0 to `last`.
  void Each(const char* name, Return (*call)(Device, unsigned, unsigned*), unsigned last) {
    for (unsigned p = 0; call != nullptr && p <= last; ++p) {
      unsigned value = 0;
      Keep(
          fmt::format("{}/{}", name, p), [&] { return call(device_, p, &value); },
          [&] { return List({value}); });
    }
  }

  // A structure; `values` lists its fields.
  template <typename T, typename Values>
  void Struct(const char* name, Return (*call)(Device, T*), T value, const Values& values) {
    if (call == nullptr) return;
    Keep(name, [&] { return call(device_, &value); }, [&] { return values(value); });
  }

  static std::string List(std::initializer_list<uint64_t> values) {
    if (values.size() == 1) return fmt::format("{}", *values.begin());
    std::string text;
    for (const uint64_t value : values) {
      text += fmt::format("{}{}", text.empty() ? "[" : ", ", value);
    }
    return text + "]";
  }

 private:
  Device device_;
  const Clock& clock_;
  CapturedDevice& out_;
};

void RecordStructs(const Calls& calls, Recorder& r) {
  r.Struct("nvmlDeviceGetUtilizationRates", calls.nvmlDeviceGetUtilizationRates, Utilization{},
           [](const Utilization& u) { return Recorder::List({u.gpu, u.memory}); });
  r.Struct("nvmlDeviceGetDynamicPstatesInfo", calls.nvmlDeviceGetDynamicPstatesInfo,
           DynamicPstates{}, [](const DynamicPstates& info) {
             return Recorder::List({info.domains[0].percent, info.domains[1].percent});
           });
  r.Struct("nvmlDeviceGetMemoryInfo", calls.nvmlDeviceGetMemoryInfo, Memory{},
           [](const Memory& m) { return Recorder::List({m.total, m.free, m.used}); });
  MemoryV2 v2{};
  v2.version = kMemoryV2Version;
  r.Struct("nvmlDeviceGetMemoryInfo_v2", calls.nvmlDeviceGetMemoryInfo_v2, v2,
           [](const MemoryV2& m) { return Recorder::List({m.total, m.reserved, m.free, m.used}); });
  r.Struct("nvmlDeviceGetBAR1MemoryInfo", calls.nvmlDeviceGetBAR1MemoryInfo, Bar1Memory{},
           [](const Bar1Memory& m) { return Recorder::List({m.total, m.free, m.used}); });
  r.Struct("nvmlDeviceGetMarginTemperature", calls.nvmlDeviceGetMarginTemperature,
           MarginTemperature{kMarginTemperatureVersion, 0},
           [](const MarginTemperature& t) { return fmt::format("{}", t.margin); });
  r.Struct("nvmlDeviceGetPciInfo_v3", calls.nvmlDeviceGetPciInfo_v3, PciInfo{},
           [](const PciInfo& p) {
             return fmt::format("[{}, {}, {}, {}, {}, {}, {}]", JsonText(p.bus_id_legacy), p.domain,
                                p.bus, p.device, p.pci_device_id, p.pci_subsystem_id,
                                JsonText(p.bus_id));
           });
  r.Struct("nvmlGpmQueryDeviceSupport", calls.nvmlGpmQueryDeviceSupport, GpmSupport{kGpmVersion, 0},
           [](const GpmSupport& s) { return Recorder::List({s.supported}); });
}

void RecordParameters(const Calls& calls, Device device, Recorder& r) {
  r.Each("nvmlDeviceGetTemperature", calls.nvmlDeviceGetTemperature, 2);
  r.Each("nvmlDeviceGetTemperatureThreshold", calls.nvmlDeviceGetTemperatureThreshold, 8);
  r.Each("nvmlDeviceGetClockInfo", calls.nvmlDeviceGetClockInfo, 4);
  r.Each("nvmlDeviceGetMaxClockInfo", calls.nvmlDeviceGetMaxClockInfo, 4);
  r.Each("nvmlDeviceGetPcieThroughput", calls.nvmlDeviceGetPcieThroughput, 2);
  r.Each("nvmlDeviceGetNvLinkState", calls.nvmlDeviceGetNvLinkState, 18);
  for (unsigned p = 0; calls.nvmlDeviceGetViolationStatus != nullptr && p <= 12; ++p) {
    ViolationTime time{};
    r.Keep(
        fmt::format("nvmlDeviceGetViolationStatus/{}", p),
        [&] { return calls.nvmlDeviceGetViolationStatus(device, p, &time); },
        [&] { return Recorder::List({0, time.violation_ns}); });  // the first is the time of now
  }
  for (unsigned p = 0; calls.nvmlDeviceGetTotalEccErrors != nullptr && p < 4; ++p) {
    U64 errors = 0;
    r.Keep(
        fmt::format("nvmlDeviceGetTotalEccErrors/{},{}", p / 2, p % 2),
        [&] { return calls.nvmlDeviceGetTotalEccErrors(device, p / 2, p % 2, &errors); },
        [&] { return Recorder::List({errors}); });
  }
  if (calls.nvmlDeviceGetRemappedRows != nullptr) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    r.Keep(
        "nvmlDeviceGetRemappedRows",
        [&] { return calls.nvmlDeviceGetRemappedRows(device, &a, &b, &c, &d); },
        [&] { return Recorder::List({a, b, c, d}); });
  }
  if (calls.nvmlDeviceGetCpuAffinity != nullptr) {
    std::array<unsigned long, 16> set{};
    r.Keep(
        "nvmlDeviceGetCpuAffinity",
        [&] { return calls.nvmlDeviceGetCpuAffinity(device, set.size(), set.data()); },
        [&] { return ListText(set); });
  }
  for (unsigned cause = 0; calls.nvmlDeviceGetRetiredPages != nullptr && cause < 2; ++cause) {
    std::array<U64, 64> pages{};
    unsigned count = pages.size();
    r.Keep(
        fmt::format("nvmlDeviceGetRetiredPages/{}", cause),
        [&] { return calls.nvmlDeviceGetRetiredPages(device, cause, &count, pages.data()); },
        [&] { return ListText(std::span(pages).first(std::min<size_t>(count, pages.size()))); });
  }
}

void RecordMemory(const Calls& calls, Device device, CapturedMemory& out) {
  MemoryV2 v2{};
  v2.version = kMemoryV2Version;
  Memory v1{};
  if (calls.nvmlDeviceGetMemoryInfo_v2 != nullptr &&
      calls.nvmlDeviceGetMemoryInfo_v2(device, &v2) == kSuccess) {
    out = {v2.total, v2.reserved, v2.used, true};
  } else if (calls.nvmlDeviceGetMemoryInfo != nullptr &&
             calls.nvmlDeviceGetMemoryInfo(device, &v1) == kSuccess) {
    out = {v1.total, 0, v1.used, true};
  }
}

std::string TextOf(Return (*call)(Device, char*, unsigned), Device device) {
  std::array<char, 97> text{};
  return call != nullptr && call(device, text.data(), 96) == kSuccess ? text.data() : "";
}

void RecordMig(const Calls& calls, Device device, CapturedDevice& out) {
  unsigned current = 0, pending = 0, most = 0;
  if (calls.nvmlDeviceGetMigMode == nullptr ||
      calls.nvmlDeviceGetMigMode(device, &current, &pending) != kSuccess || current != 1) {
    return;
  }
  out.mig_mode = true;
  if (calls.nvmlDeviceGetMaxMigDeviceCount == nullptr ||
      calls.nvmlDeviceGetMigDeviceHandleByIndex == nullptr ||
      calls.nvmlDeviceGetMaxMigDeviceCount(device, &most) != kSuccess) {
    return;
  }
  for (unsigned i = 0; i < std::min(most, 64u); ++i) {
    Device handle = nullptr;
    if (calls.nvmlDeviceGetMigDeviceHandleByIndex(device, i, &handle) != kSuccess) continue;
    CapturedMig mig;
    mig.uuid = TextOf(calls.nvmlDeviceGetUUID, handle);
    mig.name = TextOf(calls.nvmlDeviceGetName, handle);
    if (calls.nvmlDeviceGetGpuInstanceId != nullptr) {
      calls.nvmlDeviceGetGpuInstanceId(handle, &mig.gpu_instance);
    }
    if (calls.nvmlDeviceGetComputeInstanceId != nullptr) {
      calls.nvmlDeviceGetComputeInstanceId(handle, &mig.compute_instance);
    }
    if (calls.nvmlDeviceGetAttributes_v2 != nullptr) {
      calls.nvmlDeviceGetAttributes_v2(handle, &mig.attributes);
    }
    RecordMemory(calls, handle, mig.memory);
    out.mig.push_back(std::move(mig));
  }
}

void RecordDevice(const Calls& calls, Device device, const Clock& clock, Captured& captured,
                  CapturedDevice& out) {
  RecordRings(calls, device, clock, out);  // first: they are of this moment
  Recorder recorder(device, clock, out);
#define GPUSIGHT_CAPTURE(name, parameters) recorder.Plain(#name, calls.name);
  GPUSIGHT_NVML_CALLS(GPUSIGHT_CAPTURE)
#undef GPUSIGHT_CAPTURE
  RecordStructs(calls, recorder);
  RecordParameters(calls, device, recorder);
  RecordFields(calls, device, out);
  RecordMemory(calls, device, out.memory);
  RecordMig(calls, device, out);
  RecordProcesses(calls, device, clock, out, captured.record_bytes);
}

std::string SystemText(Return (*call)(char*, unsigned)) {
  std::array<char, 97> text{};
  return call != nullptr && call(text.data(), 96) == kSuccess ? text.data() : "";
}

}  // namespace

Captured CaptureMachine(const Calls& calls, const CaptureOptions& options, const Clock& clock) {
  Captured captured;
  captured.driver_version = SystemText(calls.nvmlSystemGetDriverVersion);
  captured.nvml_version = SystemText(calls.nvmlSystemGetNVMLVersion);
  for (const auto cuda :
       {calls.nvmlSystemGetCudaDriverVersion_v2, calls.nvmlSystemGetCudaDriverVersion}) {
    if (cuda != nullptr && cuda(&captured.cuda_version) == kSuccess) break;
  }
#define GPUSIGHT_CAPTURE(name, parameters) \
  if (calls.name == nullptr) captured.missing.emplace_back(#name);
  GPUSIGHT_NVML_CALLS(GPUSIGHT_CAPTURE)
#undef GPUSIGHT_CAPTURE

  unsigned count = 0;
  if (calls.nvmlDeviceGetCount_v2 != nullptr) calls.nvmlDeviceGetCount_v2(&count);
  if (calls.nvmlDeviceGetHandleByIndex_v2 == nullptr) count = 0;
  std::vector<Device> handles(std::min(count, 64u));
  for (unsigned i = 0; i < handles.size(); ++i) {
    CapturedDevice& out = captured.devices.emplace_back();
    out.handle = calls.nvmlDeviceGetHandleByIndex_v2(i, &handles[i]);
    if (out.handle == kSuccess) RecordDevice(calls, handles[i], clock, captured, out);
  }
  RecordGpm(calls, handles, options, clock, captured.devices);
  return captured;
}

}  // namespace gpusight::nvml
