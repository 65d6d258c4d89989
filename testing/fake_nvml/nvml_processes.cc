// SPDX-License-Identifier: Apache-2.0
// Exported: who is on a device. Records of 16, 24 or 32 bytes are written as the scenario says,
// whatever the caller made room for: that is what drivers do. Padding is left as it was.
#include "testing/fake_nvml/driver.h"
#include "testing/fake_nvml/processes.h"

namespace gpusight::nvml {

using namespace fake;  // NOLINT: these functions are one surface

namespace {

struct Kind {
  bool ProcessSpec::* flag;
  size_t generation;
};

bool Listed(const Session& session, const ProcessSpec& process, const Kind& kind) {
  return process.listed && process.*kind.flag && process.alive.Has(session.now()) &&
         IsOn(process, session.mig());
}

unsigned CountListed(const Session& session, const Kind& kind) {
  unsigned count = 0;
  for (const ProcessSpec& process : session.device().processes) {
    if (Listed(session, process, kind)) ++count;
  }
  return count;
}

void Put(char* record, size_t offset, const void* value, size_t size) {
  std::memcpy(record + offset, value, size);
}

struct Fields {
  uint32_t pid;
  uint64_t used;
  uint32_t gpu_instance, compute_instance;
};

Fields FieldsOf(const Session& session, const ProcessSpec& process) {
  Fields f{process.pid, NumberOf<uint64_t>(process.memory.At(session.now())),
           static_cast<uint32_t>(process.gpu_instance),
           static_cast<uint32_t>(process.compute_instance)};
  if (process.hidden) f.used = kValueNotAvailable;
  return f;
}

// 7 when there is no room (needed count told, nothing written), 2 for room without a buffer.
Return Room(unsigned* count, unsigned listed, bool buffer) {
  const unsigned room = *count;
  *count = listed;
  if (listed == 0) return kSuccess;
  if (room < listed) return kInsufficientSize;
  return buffer ? kSuccess : kInvalidArgument;
}

Return List(Call call, Device handle, unsigned* count, void* records, const Kind& kind) {
  const Session session(call, handle);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (count == nullptr) return kInvalidArgument;
  const Return room = Room(count, CountListed(session, kind), records != nullptr);
  if (room != kSuccess || *count == 0) return room;

  const uint32_t stride = session.scenario().quirks.record_bytes[kind.generation];
  auto* record = static_cast<char*>(records);
  for (const ProcessSpec& process : session.device().processes) {
    if (!Listed(session, process, kind)) continue;
    const Fields f = FieldsOf(session, process);
    const bool swapped = session.scenario().quirks.swap_pid_and_memory;
    Put(record, swapped ? 8 : 0, &f.pid, 4);
    Put(record, swapped ? 0 : 8, &f.used, 8);
    if (stride >= 24) {
      Put(record, 16, &f.gpu_instance, 4);
      Put(record, 20, &f.compute_instance, 4);
    }
    if (stride >= 32) {
      const uint64_t protected_memory = 0;
      Put(record, 24, &protected_memory, 8);
    }
    record += stride;
  }
  return kSuccess;
}

constexpr bool ProcessSpec::* kCompute = &ProcessSpec::compute;
constexpr bool ProcessSpec::* kGraphics = &ProcessSpec::graphics;
constexpr bool ProcessSpec::* kMps = &ProcessSpec::mps;

}  // namespace

// NOLINTBEGIN: the macro writes functions
#define FAKE_LIST(name, flag, generation)                               \
  Return name(Device h, unsigned* count, void* records) {               \
    return List(Call::name, h, count, records, Kind{flag, generation}); \
  }

extern "C" {

FAKE_LIST(nvmlDeviceGetComputeRunningProcesses, kCompute, 1)
FAKE_LIST(nvmlDeviceGetComputeRunningProcesses_v2, kCompute, 2)
FAKE_LIST(nvmlDeviceGetComputeRunningProcesses_v3, kCompute, 3)
FAKE_LIST(nvmlDeviceGetGraphicsRunningProcesses, kGraphics, 1)
FAKE_LIST(nvmlDeviceGetGraphicsRunningProcesses_v2, kGraphics, 2)
FAKE_LIST(nvmlDeviceGetGraphicsRunningProcesses_v3, kGraphics, 3)
FAKE_LIST(nvmlDeviceGetMPSComputeRunningProcesses, kMps, 1)
FAKE_LIST(nvmlDeviceGetMPSComputeRunningProcesses_v2, kMps, 2)
FAKE_LIST(nvmlDeviceGetMPSComputeRunningProcesses_v3, kMps, 3)

Return nvmlDeviceGetRunningProcessDetailList(Device h, ProcessDetailList* list) {
  const Session session(Call::nvmlDeviceGetRunningProcessDetailList, h);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (list == nullptr) return kInvalidArgument;
  if (list->mode > 2) return kInvalidArgument;
  if (list->version != (sizeof(ProcessDetailList) | 1u << 24)) return kArgumentVersionMismatch;
  constexpr bool ProcessSpec::* kFlags[] = {kCompute, kGraphics, kMps};
  const Kind kind{kFlags[list->mode], 3};
  const Return room = Room(&list->count, CountListed(session, kind), list->processes != nullptr);
  if (room != kSuccess || list->count == 0) return room;
  ProcessDetail* detail = list->processes;
  for (const ProcessSpec& process : session.device().processes) {
    if (!Listed(session, process, kind)) continue;
    const Fields f = FieldsOf(session, process);
    *detail++ = {f.pid, f.used, f.gpu_instance, f.compute_instance, 0};
  }
  return kSuccess;
}

}  // extern "C"
// NOLINTEND

}  // namespace gpusight::nvml
