// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/device_list.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "probe/nvml/descriptors.h"
#include "probe/nvml/errors.h"
#include "probe/nvml/mig.h"
#include "probe/nvml/read_device.h"
#include "probe/nvml/sleep_state.h"

namespace gpusight::nvml {
namespace {

void Blank(DeviceSample& sample, Missing missing) {
  sample.fields.Fill(missing);
  sample.process_count = missing;
  sample.utilization_ring.clear();
  sample.memory_activity_ring.clear();
  sample.power_ring.clear();
}

std::vector<std::string> Asleep(const Root& root, const std::vector<std::string>& cards) {
  std::vector<std::string> asleep;
  for (const std::string& card : cards) {
    if (SleepState(root, card).IsAsleep()) asleep.push_back(card);
  }
  return asleep;
}

}  // namespace

bool DeviceList::AnyUsable() const {
  return std::any_of(gpus_.begin(), gpus_.end(), [](const auto& gpu) {
    return gpu->handle != nullptr || gpu->sample.state == DeviceState::kSuspended;
  });
}

void DeviceList::Note(EventType type, WallTime time, const Gpu& gpu) {
  events_.push_back({type, time, gpu.sample.info.uuid, 0});
}

void DeviceList::Sort() {
  const auto key = [](const Gpu& gpu) {
    const DeviceInfo& info = gpu.sample.info;
    return std::tuple(gpu.sample.state == DeviceState::kAbsent, info.index,
                      !info.parent_uuid.empty(), info.gpu_instance, info.compute_instance,
                      std::string_view(info.uuid));
  };
  std::sort(gpus_.begin(), gpus_.end(),
            [&](const auto& a, const auto& b) { return key(*a) < key(*b); });
}

Return DeviceList::Enumerate(Pass& pass) {
  Return code = pass.driver.Ask(&Calls::nvmlDeviceGetCount_v2, &count_);
  if (code != kSuccess) return code;
  for (const auto& gpu : gpus_) gpu->matched = gpu->sample.is_mig_instance();
  const std::vector<std::string> cards = BoundCards(root_);
  if (Asleep(root_, cards).empty()) {
    for (unsigned i = 0; i < count_; ++i) {
      auto found = std::make_unique<Gpu>();
      found->sample.info.index = static_cast<int>(i);
      code = pass.driver.Ask(&Calls::nvmlDeviceGetHandleByIndex_v2, i, &found->handle);
      if (code != kSuccess && cards.size() == count_) {
        ReadKernelInformation(root_, cards[i], found->sample.info);
      }
      Add(pass, std::move(found), code);
    }
  } else {
    EnumerateAwake(pass, cards);
  }
  if (std::exchange(starved_, false)) return kNoDescriptors;
  for (const auto& gpu : gpus_) {
    if (!gpu->matched && gpu->sample.state != DeviceState::kAbsent) {
      Lose(*gpu, kGpuNotFound, pass.wall);
    }
  }
  ScanMig(pass, gpus_, events_);
  Sort();
  return gpus_.empty() ? kNotFound : kSuccess;
}

// Some card sleeps: asking for handles by index would wake it, so the others are asked for by
// where they are on the bus. Cards that this container does not see are not listed.
Return DeviceList::EnumerateAwake(Pass& pass, const std::vector<std::string>& cards) {
  int index = 0;
  for (const std::string& card : cards) {
    if (SleepState(root_, card).IsAsleep()) {
      AddAsleep(card, index++);
      continue;
    }
    auto found = std::make_unique<Gpu>();
    found->sample.info.index = index;
    const Return code =
        pass.driver.Ask(&Calls::nvmlDeviceGetHandleByPciBusId_v2, card.c_str(), &found->handle);
    if (code == kNotFound || code == kInvalidArgument) continue;
    Add(pass, std::move(found), code);
    ++index;
  }
  return kSuccess;
}

void DeviceList::AddAsleep(const std::string& card, int index) {
  auto found = std::make_unique<Gpu>();
  ReadKernelInformation(root_, card, found->sample.info);
  found->sample.info.index = index;
  found->sample.state = DeviceState::kSuspended;
  found->sleep = SleepState(root_, card);
  found->may_sleep = true;
  for (const auto& gpu : gpus_) {
    const DeviceInfo& info = gpu->sample.info;
    if (gpu->matched || KernelPciId(info.pci_bus_id) != card) continue;
    gpu->matched = true;
    gpu->sample.state = DeviceState::kSuspended;
    Blank(gpu->sample, {Absence::kNotSampledYet, 0});
    return;
  }
  found->matched = true;
  gpus_.push_back(std::move(found));
}

bool DeviceList::AllAsleep(WallTime) {
  const std::vector<std::string> cards = BoundCards(root_);
  if (cards.empty() || Asleep(root_, cards).size() != cards.size()) return false;
  for (const auto& gpu : gpus_) gpu->matched = gpu->sample.is_mig_instance();
  int index = 0;
  for (const std::string& card : cards) AddAsleep(card, index++);
  Sort();
  return true;
}

// Takes a device that the driver listed with what it answered to the question for its handle.
void DeviceList::Add(Pass& pass, std::unique_ptr<Gpu> found, Return code) {
  if (code == kSuccess) code = ReadIdentity(pass, *found);
  if (code != kSuccess) found->handle = nullptr;
  starved_ = starved_ || (MayLackDescriptors(code) && FewDescriptorsLeft());
  found->sleep = SleepState(root_, found->sample.info.pci_bus_id);
  found->may_sleep = found->sleep.MaySleep();
  Gpu& gpu = Match(pass.driver, std::move(found));
  gpu.matched = true;
  if (code != kSuccess) {
    if (gpu.sample.state != DeviceStateOf(code)) Lose(gpu, code, pass.wall);
    return;
  }
  const DeviceState before = std::exchange(gpu.sample.state, DeviceState::kOk);
  if (before != DeviceState::kOk && before != DeviceState::kSuspended) {
    Note(EventType::kDeviceReturned, pass.wall, gpu);
  }
}

// The device that we know already under this UUID (or, if it did not tell it, under this index);
// else the new one. One that is still the same under the same handle keeps all its memory.
Gpu& DeviceList::Match(Driver& driver, std::unique_ptr<Gpu> found) {
  const DeviceInfo& info = found->sample.info;
  for (auto& gpu : gpus_) {
    if (gpu->matched) continue;
    const DeviceInfo& known = gpu->sample.info;
    const bool same = info.uuid.empty() ? known.index == info.index : known.uuid == info.uuid;
    if (!same) continue;
    if (info.uuid.empty()) return *gpu;
    if (found->handle != nullptr && gpu->handle == found->handle) {
      gpu->sample.info = info;
      return *gpu;
    }
    gpu->gpm.Free(driver);
    found->xid_count = gpu->xid_count;
    found->last_xid = gpu->last_xid;
    found->sample.state = gpu->sample.state;
    gpu = std::move(found);
    return *gpu;
  }
  gpus_.push_back(std::move(found));
  return *gpus_.back();
}

bool DeviceList::Wake(Pass& pass, Gpu& gpu) {
  Device handle = nullptr;
  const std::string& pci = gpu.sample.info.pci_bus_id;
  Return code = pass.driver.Ask(&Calls::nvmlDeviceGetHandleByPciBusId_v2, pci.c_str(), &handle);
  gpu.handle = handle;
  if (code == kSuccess) code = ReadIdentity(pass, gpu);
  if (code != kSuccess) {
    Lose(gpu, code, pass.wall);
    return false;
  }
  return true;
}

bool DeviceList::LeaveAsleep(Pass& pass, Gpu& gpu) {
  if (!gpu.may_sleep) return false;
  DeviceSample& sample = gpu.sample;
  if (gpu.sleep.IsAsleep()) {
    sample.state = DeviceState::kSuspended;
    Blank(sample, {Absence::kNotSampledYet, 0});
    return true;
  }
  if (sample.state != DeviceState::kSuspended) return false;
  sample.state = DeviceState::kOk;
  gpu.still_read = false;
  return gpu.handle == nullptr && !Wake(pass, gpu);
}

void DeviceList::Retry(Pass& pass, Gpu& gpu) {
  Device handle = nullptr;
  const DeviceInfo& info = gpu.sample.info;
  // Without a UUID only its place tells it, and that may be another's once it has gone.
  if (info.uuid.empty() && gpu.sample.state == DeviceState::kAbsent) return;
  const Return code =
      info.uuid.empty()
          ? pass.driver.Ask(&Calls::nvmlDeviceGetHandleByIndex_v2,
                            static_cast<unsigned>(info.index), &handle)
          : pass.driver.Ask(&Calls::nvmlDeviceGetHandleByUUID, info.uuid.c_str(), &handle);
  if (code != kSuccess) return;
  gpu.Forget();
  gpu.handle = handle;
  if (ReadIdentity(pass, gpu) != kSuccess) {
    gpu.handle = nullptr;
    return;
  }
  gpu.sample.state = DeviceState::kOk;
  Note(EventType::kDeviceReturned, pass.wall, gpu);
}

// Since Hopper the mode may change without a reset. What was refused before may be given now.
void DeviceList::CheckMigMode(Pass& pass, Gpu& gpu) {
  // A device that tells its utilisation is not divided. The mode costs a quarter of a millisecond.
  if (!gpu.mig_on && gpu.sample.fields[DeviceField::kUtilization]) return;
  unsigned current = 0, pending = 0;
  const Return code = pass.driver.Ask(&Calls::nvmlDeviceGetMigMode, gpu.handle, &current, &pending);
  if (code != kSuccess || (current == 1) == gpu.mig_on) return;
  const Device handle = gpu.handle;
  gpu.gpm.Free(pass.driver);
  gpu.Forget();
  gpu.handle = handle;
  gpu.sample.fields.Fill({Absence::kNotSampledYet, 0});
  (void)ReadIdentity(pass, gpu);  // a device that goes right now is noticed by the reading
}

Return DeviceList::Refresh(Pass& pass) {
  unsigned count = 0;
  const Return code = pass.driver.Ask(&Calls::nvmlDeviceGetCount_v2, &count);
  if (code != kSuccess) return code;
  if (count != count_) return Enumerate(pass);
  for (const auto& gpu : gpus_) {
    if (gpu->sample.is_mig_instance()) continue;
    gpu->may_sleep = gpu->sleep.MaySleep();
    const bool lost = gpu->handle == nullptr && gpu->sample.state != DeviceState::kSuspended;
    if (lost) Retry(pass, *gpu);
    if (gpu->handle != nullptr) CheckMigMode(pass, *gpu);
  }
  ScanMig(pass, gpus_, events_);
  Sort();
  return kSuccess;
}

void DeviceList::Lose(Gpu& gpu, Return code, WallTime time) {
  gpu.sample.state = DeviceStateOf(code);
  Blank(gpu.sample, MissingOf(code));
  gpu.gpm.Forget();
  gpu.handle = nullptr;
  Note(EventType::kDeviceLost, time, gpu);
  if (gpu.sample.is_mig_instance()) return;
  for (const auto& child : gpus_) {
    // A card that was lost before it told its UUID has an empty one, as the cards have a parent's.
    const bool its =
        child->sample.is_mig_instance() && child->sample.info.parent_uuid == gpu.sample.info.uuid;
    if (its && child->handle != nullptr) Lose(*child, code, time);
  }
}

void DeviceList::LoseAll(Return code, WallTime time) {
  for (const auto& gpu : gpus_) {
    if (gpu->handle != nullptr) Lose(*gpu, code, time);
    Blank(gpu->sample, MissingOf(code));
  }
}

void DeviceList::Release(Driver& driver) {
  for (const auto& gpu : gpus_) {
    gpu->gpm.Free(driver);
    gpu->Forget();
  }
}

}  // namespace gpusight::nvml
