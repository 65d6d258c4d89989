// SPDX-License-Identifier: Apache-2.0
// Exported: memory. Used is what the processes hold and the residual, unless the scenario says it.
#include <algorithm>

#include "testing/fake_nvml/driver.h"
#include "testing/fake_nvml/processes.h"

namespace gpusight::nvml {

using namespace fake;  // NOLINT: these functions are one surface

namespace {

// A part whose memory nobody described does not tell it.
Return CodeOf(const Session& session) {
  const MigInstance* mig = session.mig();
  const bool silent = session.index() >= 0 && !session.replaced() &&
                      (mig != nullptr ? mig->memory : session.device().memory).total == 0;
  const Return code = session.CodeBesideRecord();
  return code == kSuccess && silent ? kNotSupported : code;
}

struct Account {
  uint64_t total, reserved, free, used;
};

Account AccountOf(const Session& session) {
  const MigInstance* mig = session.mig();
  const MemorySpec& memory = mig != nullptr ? mig->memory : session.device().memory;
  const double now = session.now();
  uint64_t used = 0;
  if (!memory.used.empty()) {
    used = NumberOf<uint64_t>(memory.used.At(now));
  } else {
    used = NumberOf<uint64_t>(memory.residual.At(now));
    for (const ProcessSpec& process : session.device().processes) {
      if (process.alive.Has(now) && IsOn(process, mig)) {
        used += NumberOf<uint64_t>(process.memory.At(now));
      }
    }
  }
  const uint64_t room = memory.total - std::min(memory.reserved, memory.total);
  used = std::min(used, room);
  return {memory.total, memory.reserved, room - used, used};
}

}  // namespace

extern "C" {

Return nvmlDeviceGetMemoryInfo(Device h, Memory* memory) {
  const Session session(Call::nvmlDeviceGetMemoryInfo, h);
  if (CodeOf(session) != kSuccess) return CodeOf(session);
  if (memory == nullptr) return kInvalidArgument;
  if (session.replaced()) {
    *memory = {session.Get<uint64_t>(0), session.Get<uint64_t>(1), session.Get<uint64_t>(2)};
    return kSuccess;
  }
  const Account account = AccountOf(session);
  *memory = {account.total, account.free, account.used + account.reserved};
  return kSuccess;
}

Return nvmlDeviceGetMemoryInfo_v2(Device h, MemoryV2* memory) {
  const Session session(Call::nvmlDeviceGetMemoryInfo_v2, h);
  if (CodeOf(session) != kSuccess) return CodeOf(session);
  if (memory == nullptr) return kInvalidArgument;
  // Not 25 as elsewhere: this is what the driver says.
  if (memory->version != kMemoryV2Version) return kFunctionNotFound;
  if (session.replaced()) {
    *memory = {kMemoryV2Version, session.Get<uint64_t>(0), session.Get<uint64_t>(1),
               session.Get<uint64_t>(2), session.Get<uint64_t>(3)};
    return kSuccess;
  }
  const Account account = AccountOf(session);
  *memory = {kMemoryV2Version, account.total, account.reserved, account.free, account.used};
  return kSuccess;
}

Return nvmlDeviceGetBAR1MemoryInfo(Device h, Bar1Memory* memory) {
  if (memory == nullptr) return kInvalidArgument;
  return Answered(Call::nvmlDeviceGetBAR1MemoryInfo, h, 0, &memory->total, &memory->free,
                  &memory->used);
}

}  // extern "C"

}  // namespace gpusight::nvml
