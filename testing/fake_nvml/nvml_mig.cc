// SPDX-License-Identifier: Apache-2.0
// Exported: what answers for a GPU and for a MIG instance alike, and what tells them apart.
#include "testing/fake_nvml/driver.h"

namespace gpusight::nvml {

using namespace fake;  // NOLINT: these functions are one surface

namespace {

Return InstanceText(Call call, Device handle, std::string MigInstance::* own, char* text,
                    unsigned size) {
  const Session session(call, handle);
  if (session.mig() == nullptr) return session.Text(text, size);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  return CopyText(session.mig()->*own, text, size);
}

Return InstanceId(Call call, Device handle, uint32_t MigInstance::* own, unsigned* id) {
  const Session session(call, handle);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (id == nullptr || session.mig() == nullptr) return kInvalidArgument;
  *id = session.mig()->*own;
  return kSuccess;
}

Return Attributes(Call call, Device handle, DeviceAttributes* a) {
  const Session session(call, handle);
  if (session.mig() == nullptr) {
    if (session.code() != kSuccess) return session.code();
    return kNotSupported;  // only MIG instances have them
  }
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (a == nullptr) return kInvalidArgument;
  const auto item = [&](size_t i) {
    const auto& items = session.mig()->attributes;
    return i < items.size() ? NumberOf<uint32_t>(items[i]) : 0u;
  };
  *a = {item(0), item(1), item(2), item(3), item(4), item(5), item(6), item(7), item(8)};
  return kSuccess;
}

}  // namespace

extern "C" {

Return nvmlDeviceGetName(Device h, char* text, unsigned size) {
  return InstanceText(Call::nvmlDeviceGetName, h, &MigInstance::name, text, size);
}
Return nvmlDeviceGetUUID(Device h, char* text, unsigned size) {
  return InstanceText(Call::nvmlDeviceGetUUID, h, &MigInstance::uuid, text, size);
}
Return nvmlDeviceGetGpuInstanceId(Device h, unsigned* id) {
  return InstanceId(Call::nvmlDeviceGetGpuInstanceId, h, &MigInstance::gpu_instance, id);
}
Return nvmlDeviceGetComputeInstanceId(Device h, unsigned* id) {
  return InstanceId(Call::nvmlDeviceGetComputeInstanceId, h, &MigInstance::compute_instance, id);
}
Return nvmlDeviceGetAttributes_v2(Device h, DeviceAttributes* a) {
  return Attributes(Call::nvmlDeviceGetAttributes_v2, h, a);
}
Return nvmlDeviceGetAttributes(Device h, DeviceAttributes* a) {
  return Attributes(Call::nvmlDeviceGetAttributes, h, a);
}

Return nvmlDeviceGetMigMode(Device h, unsigned* current, unsigned* pending) {
  const Session session(Call::nvmlDeviceGetMigMode, h);
  if (session.code() != kSuccess) return session.code();
  if (current == nullptr || pending == nullptr) return kInvalidArgument;
  *current = session.device().mig_mode ? 1 : session.Get<unsigned>(0);
  *pending = session.device().mig_mode ? 1 : session.Get<unsigned>(1);
  return kSuccess;
}

Return nvmlDeviceGetMaxMigDeviceCount(Device h, unsigned* count) {
  const Session session(Call::nvmlDeviceGetMaxMigDeviceCount, h);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (count == nullptr) return kInvalidArgument;
  *count = session.device().mig_mode ? 7 : 0;
  return kSuccess;
}

Return nvmlDeviceGetMigDeviceHandleByIndex(Device h, unsigned index, Device* mig) {
  Session session(Call::nvmlDeviceGetMigDeviceHandleByIndex, h);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (mig == nullptr || session.mig() != nullptr) return kInvalidArgument;
  if (index >= session.device().mig.size()) return kNotFound;
  *mig = MakeHandle(session.index(), static_cast<int>(index));
  session.GaveOut(*mig);
  return kSuccess;
}

Return nvmlDeviceIsMigDeviceHandle(Device h, unsigned* is) {
  const Session session(Call::nvmlDeviceIsMigDeviceHandle, h);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (is == nullptr) return kInvalidArgument;
  *is = session.mig() != nullptr ? 1 : 0;
  return kSuccess;
}

Return nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Device h, Device* parent) {
  Session session(Call::nvmlDeviceGetDeviceHandleFromMigDeviceHandle, h);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (parent == nullptr || session.mig() == nullptr) return kInvalidArgument;
  *parent = MakeHandle(session.index());
  session.GaveOut(*parent);
  return kSuccess;
}

}  // extern "C"

}  // namespace gpusight::nvml
