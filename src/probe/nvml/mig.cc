// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/mig.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "probe/nvml/errors.h"

namespace gpusight::nvml {
namespace {

using Letters = std::array<char, 96>;

std::string_view TextOf(Driver& driver, Return (*Calls::*call)(Device, char*, unsigned),
                        Device device, Letters& buffer) {
  if (driver.Ask(call, device, buffer.data(), static_cast<unsigned>(buffer.size())) != kSuccess) {
    return {};
  }
  buffer.back() = '\0';
  return buffer.data();
}

std::unique_ptr<Gpu> Instance(Driver& driver, const Gpu& parent, Device handle,
                              std::string_view uuid) {
  auto found = std::make_unique<Gpu>();
  found->handle = handle;
  found->mig_on = true;
  DeviceInfo& info = found->sample.info;
  info = parent.sample.info;
  info.parent_uuid = parent.sample.info.uuid;
  info.uuid = uuid;
  Letters buffer{};
  const std::string_view name = TextOf(driver, &Calls::nvmlDeviceGetName, handle, buffer);
  if (!name.empty()) info.name = name;
  unsigned id = 0;
  if (driver.Ask(&Calls::nvmlDeviceGetGpuInstanceId, handle, &id) == kSuccess) {
    info.gpu_instance = static_cast<int>(id);
    found->gpm.SampleInstance(parent.handle, id);
  }
  if (driver.Ask(&Calls::nvmlDeviceGetComputeInstanceId, handle, &id) == kSuccess) {
    info.compute_instance = static_cast<int>(id);
  }
  DeviceAttributes attributes{};
  info.multiprocessors = 0;
  if (driver.Ask(&Calls::nvmlDeviceGetAttributes_v2, handle, &attributes) == kSuccess) {
    info.multiprocessors = static_cast<int>(attributes.multiprocessors);
  }
  found->sample.fields.Fill({Absence::kUnderMig, 0});
  FillGpm(*found, {Absence::kNotSampledYet, 0});
  found->use.Refuse({Absence::kUnderMig, 0});
  return found;
}

}  // namespace

void ScanMig(Pass& pass, std::vector<std::unique_ptr<Gpu>>& gpus, std::vector<Event>& events) {
  Driver& driver = pass.driver;
  for (const auto& gpu : gpus) gpu->matched = !gpu->sample.is_mig_instance();
  const size_t parents = gpus.size();
  for (size_t i = 0; i < parents; ++i) {
    if (!gpus[i]->mig_on || gpus[i]->handle == nullptr || gpus[i]->sample.is_mig_instance()) {
      continue;
    }
    unsigned most = 0;
    if (driver.Ask(&Calls::nvmlDeviceGetMaxMigDeviceCount, gpus[i]->handle, &most) != kSuccess) {
      continue;
    }
    for (unsigned k = 0; k < most; ++k) {
      Device handle = nullptr;
      if (driver.Ask(&Calls::nvmlDeviceGetMigDeviceHandleByIndex, gpus[i]->handle, k, &handle) !=
          kSuccess) {
        continue;  // indices of instances may have gaps
      }
      Letters buffer{};
      const std::string_view uuid = TextOf(driver, &Calls::nvmlDeviceGetUUID, handle, buffer);
      const auto known = std::find_if(
          gpus.begin(), gpus.end(), [&](const auto& gpu) { return gpu->sample.info.uuid == uuid; });
      if (known == gpus.end()) {
        gpus.push_back(Instance(driver, *gpus[i], handle, uuid));
        gpus.back()->matched = true;
        continue;
      }
      if ((*known)->handle != handle) {
        (*known)->gpm.Free(driver);
        if ((*known)->sample.state != DeviceState::kOk) {
          events.push_back({EventType::kDeviceReturned, pass.wall, std::string(uuid), 0});
        }
        *known = Instance(driver, *gpus[i], handle, uuid);
      }
      (*known)->matched = true;
    }
  }
  // Instances come and go at an administrator's will; those that went are not missed.
  const auto gone = [&](const std::unique_ptr<Gpu>& gpu) {
    if (gpu->matched) return false;
    gpu->gpm.Free(driver);
    events.push_back({EventType::kDeviceLost, pass.wall, gpu->sample.info.uuid, 0});
    return true;
  };
  std::erase_if(gpus, gone);
}

}  // namespace gpusight::nvml
