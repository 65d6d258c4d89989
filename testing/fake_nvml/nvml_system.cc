// SPDX-License-Identifier: Apache-2.0
// Exported: life cycle, versions, and how a device is found.
#include <fmt/format.h>

#include <cstdio>

#include "testing/fake_nvml/driver.h"

namespace gpusight::nvml {

using namespace fake;  // NOLINT: these functions are one surface

namespace {

Return SystemText(Call call, const std::string& (*get)(const Scenario&), char* text,
                  unsigned size) {
  const Session session(call, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  return CopyText(get(session.scenario()), text, size);
}

Return CudaVersion(Call call, int* version) {
  const Session session(call, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (version == nullptr) return kInvalidArgument;
  *version = session.scenario().cuda_version;
  return kSuccess;
}

Return Count(Call call, unsigned* count) {
  const Session session(call, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (count == nullptr) return kInvalidArgument;
  if (session.replaced()) {
    *count = session.Get<unsigned>(0);
    return kSuccess;
  }
  *count = 0;
  for (size_t i = 0; i < session.scenario().devices.size(); ++i) {
    if (session.Present(static_cast<int>(i))) ++*count;
  }
  return kSuccess;
}

// Gives out the handle of the first device on the bus that is `wanted(spec, index, mig)`, where it
// may set the position of a MIG instance; `none` when there is no such device.
template <typename Wanted>
Return Find(Call call, Return none, Device* handle, const Wanted& wanted) {
  Session session(call, Session::Unaimed{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  int found = -1, mig = -1, index = 0;
  for (size_t i = 0; i < session.scenario().devices.size() && found < 0; ++i) {
    if (!session.Present(static_cast<int>(i))) continue;
    if (wanted(session.scenario().devices[i], index++, mig)) found = static_cast<int>(i);
  }
  const Return result = session.Aim(call, found);
  if (result != kSuccess) return result;
  if (handle == nullptr) return kInvalidArgument;
  if (found < 0) return none;
  *handle = MakeHandle(found, mig);
  session.GaveOut(*handle);
  return kSuccess;
}

Return ByIndex(Call call, unsigned index, Device* handle) {
  return Find(call, kInvalidArgument, handle,
              [&](const DeviceSpec&, int i, int&) { return i == static_cast<int>(index); });
}

// "00000000:00:06.0" "0000:00:06.0" "00:06.0" "0000:00:06": domain, bus, slot; false for anything
// else and for a function other than 0.
bool ParseBusId(const char* text, unsigned (&parts)[3]) {
  unsigned function = 0;
  int used = 0;
  const auto whole = [&] { return text[used] == '\0' && function == 0; };
  if (std::sscanf(text, "%8x:%2x:%2x%n.%1x%n", &parts[0], &parts[1], &parts[2], &used, &function,
                  &used) >= 3) {
    return whole();
  }
  parts[0] = 0;
  return std::sscanf(text, "%2x:%2x%n.%1x%n", &parts[1], &parts[2], &used, &function, &used) >= 2 &&
         whole();
}

Return ByBusId(Call call, const char* text, Device* handle) {
  unsigned parts[3] = {};
  const bool good = text != nullptr && ParseBusId(text, parts);
  const std::string wanted = fmt::format("{:08X}:{:02X}:{:02X}.0", parts[0], parts[1], parts[2]);
  return Find(call, good ? kNotFound : kInvalidArgument, handle,
              [&](const DeviceSpec& spec, int, int&) {
                const Entry* entry = spec.Find({Call::nvmlDeviceGetPciInfo_v3, 0});
                if (!good || entry == nullptr || entry->recorded.items.size() < 7) return false;
                const auto* id = std::get_if<std::string>(&entry->recorded.items[6]);
                return id != nullptr && *id == wanted;
              });
}

}  // namespace

extern "C" {

Return nvmlInit(void) { return Driver::Get().Init(Call::nvmlInit, 0); }
Return nvmlInit_v2(void) { return Driver::Get().Init(Call::nvmlInit_v2, 0); }
Return nvmlInitWithFlags(unsigned flags) {
  return Driver::Get().Init(Call::nvmlInitWithFlags, flags);
}
Return nvmlShutdown(void) { return Driver::Get().Shutdown(); }
const char* nvmlErrorString(Return code) { return CodeText(code); }

Return nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return SystemText(
      Call::nvmlSystemGetDriverVersion,
      [](const Scenario& s) -> const std::string& { return s.driver_version; }, text, size);
}
Return nvmlSystemGetNVMLVersion(char* text, unsigned size) {
  return SystemText(
      Call::nvmlSystemGetNVMLVersion,
      [](const Scenario& s) -> const std::string& { return s.nvml_version; }, text, size);
}
Return nvmlSystemGetCudaDriverVersion(int* version) {
  return CudaVersion(Call::nvmlSystemGetCudaDriverVersion, version);
}
Return nvmlSystemGetCudaDriverVersion_v2(int* version) {
  return CudaVersion(Call::nvmlSystemGetCudaDriverVersion_v2, version);
}

Return nvmlSystemGetProcessName(unsigned pid, char* text, unsigned size) {
  const Session session(Call::nvmlSystemGetProcessName, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (text == nullptr || size == 0) return kInvalidArgument;
  for (const DeviceSpec& device : session.scenario().devices) {
    for (const ProcessSpec& process : device.processes) {
      if (process.pid != pid || !process.alive.Has(session.now())) continue;
      // Cut short without an error, as the driver does.
      const std::string name = process.name.substr(0, size - 1);
      return CopyText(name, text, size);
    }
  }
  return kNotFound;
}

Return nvmlUnitGetCount(unsigned* count) {
  const Session session(Call::nvmlUnitGetCount, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (count == nullptr) return kInvalidArgument;
  *count = 0;  // S-class racks of the past
  return kSuccess;
}

Return nvmlDeviceGetCount(unsigned* count) { return Count(Call::nvmlDeviceGetCount, count); }
Return nvmlDeviceGetCount_v2(unsigned* count) { return Count(Call::nvmlDeviceGetCount_v2, count); }

Return nvmlDeviceGetHandleByIndex(unsigned index, Device* device) {
  return ByIndex(Call::nvmlDeviceGetHandleByIndex, index, device);
}
Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  return ByIndex(Call::nvmlDeviceGetHandleByIndex_v2, index, device);
}

Return nvmlDeviceGetHandleByUUID(const char* uuid, Device* handle) {
  const std::string wanted = uuid == nullptr ? "" : uuid;
  return Find(Call::nvmlDeviceGetHandleByUUID, uuid == nullptr ? kInvalidArgument : kNotFound,
              handle, [&](const DeviceSpec& spec, int, int& mig) {
                for (size_t i = 0; i < spec.mig.size(); ++i) {
                  if (spec.mig[i].uuid != wanted) continue;
                  mig = static_cast<int>(i);
                  return true;
                }
                const std::string own = spec.Text(Call::nvmlDeviceGetUUID);
                return own == wanted || own == "GPU-" + wanted;
              });
}

Return nvmlDeviceGetHandleBySerial(const char* serial, Device* handle) {
  const std::string wanted = serial == nullptr ? "" : serial;
  return Find(Call::nvmlDeviceGetHandleBySerial, serial == nullptr ? kInvalidArgument : kNotFound,
              handle, [&](const DeviceSpec& spec, int, int&) {
                return spec.Text(Call::nvmlDeviceGetSerial) == wanted;
              });
}

Return nvmlDeviceGetHandleByPciBusId(const char* id, Device* device) {
  return ByBusId(Call::nvmlDeviceGetHandleByPciBusId, id, device);
}
Return nvmlDeviceGetHandleByPciBusId_v2(const char* id, Device* device) {
  return ByBusId(Call::nvmlDeviceGetHandleByPciBusId_v2, id, device);
}

Return nvmlDeviceGetIndex(Device handle, unsigned* index) {
  const Session session(Call::nvmlDeviceGetIndex, handle);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (index == nullptr) return kInvalidArgument;
  *index = 0;
  if (session.mig() != nullptr) {
    *index = static_cast<unsigned>(session.mig() - session.device().mig.data());
    return kSuccess;
  }
  for (int i = 0; i < session.index(); ++i) {
    if (session.Present(i)) ++*index;
  }
  return kSuccess;
}

}  // extern "C"

}  // namespace gpusight::nvml
