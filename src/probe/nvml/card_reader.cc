// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/card_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "model/driver.h"
#include "probe/nvml/errors.h"
#include "probe/nvml/memory.h"
#include "probe/nvml/read_device.h"

namespace gpusight::nvml {
namespace {

constexpr double kFirstBackOff = 1, kMostBackOff = 30;  // seconds
constexpr double kDeviceBackOff = 10;

// What this thread has cost so far. Not the world's time: only for deciding what is worth asking.
double ThreadCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

MonoTime After(MonoTime time, double seconds) {
  return {time.ns + static_cast<int64_t>(seconds * 1e9)};
}

std::string SystemText(Driver& driver, Return (*Calls::*call)(char*, unsigned)) {
  std::array<char, 96> buffer{};
  if (driver.Ask(call, buffer.data(), static_cast<unsigned>(buffer.size())) != kSuccess) return {};
  buffer.back() = '\0';
  return buffer.data();
}

std::string CudaVersion(Driver& driver) {
  int version = 0;
  if (driver.Ask(&Calls::nvmlSystemGetCudaDriverVersion_v2, &version) != kSuccess &&
      driver.Ask(&Calls::nvmlSystemGetCudaDriverVersion, &version) != kSuccess) {
    return {};
  }
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

CardReader::CardReader(ProbeOptions options, Root root)
    : options_(std::move(options)), root_(std::move(root)) {}

CardReader::~CardReader() {
  if (driver_.abandoned()) {
    library_.Forget();
  } else {
    Disconnect();
  }
}

Pass CardReader::PassFor(Moment now) {
  const double interval =
      previous_ == kNever ? 0 : static_cast<double>(now.mono - previous_) * 1e-9;
  return {driver_, options_, now.mono, now.wall, interval, failures_, rejected_, ThreadCpuSeconds};
}

void CardReader::Note(EventType type, WallTime time, const std::string& uuid, int64_t number) {
  events_.push_back({type, time, uuid, number});
}

void CardReader::Refused(Moment now, DriverState state, Return code) {
  info_.state = state;
  info_.code = code;
  info_.message = Describe(info_, Language::kEnglish);
  if (const std::string remedy = RemedyFor(info_, Language::kEnglish); !remedy.empty()) {
    info_.message += ". " + remedy;
  }
  ++failures_;
  Disconnect();
  back_off_ = std::clamp(2 * back_off_, kFirstBackOff, kMostBackOff);
  // A little less than a whole number of seconds, so that a poll at that time counts.
  next_try_ = After(now.mono, 0.9 * back_off_);
}

bool CardReader::Connect(Moment now) {
  if (now.mono < next_try_) return false;
  Result<Library> library = Library::Open(options_.library);
  if (!library) {
    info_ = {};
    Refused(now, DriverState::kNoLibrary, kLibraryNotFound);
    info_.library = options_.library;
    info_.message += fmt::format(" ({})", library.error().what);
    return false;
  }
  library_ = std::move(*library);
  driver_.Use(&library_.calls());
  info_ = {};
  info_.library = library_.path();

  Return code = driver_.Ask(&Calls::nvmlInit_v2);
  if (code == kFunctionNotFound) code = driver_.Ask(&Calls::nvmlInitWithFlags, 0U);
  if (code != kSuccess && code != kAlreadyInitialized) {
    Refused(now, DriverStateOf(code), code);
    return false;
  }
  connected_ = true;
  info_.version = SystemText(driver_, &Calls::nvmlSystemGetDriverVersion);
  info_.nvml_version = SystemText(driver_, &Calls::nvmlSystemGetNVMLVersion);
  info_.cuda_version = CudaVersion(driver_);
  if (std::exchange(was_connected_, true)) Note(EventType::kDriverReloaded, now.wall, {});
  return true;
}

void CardReader::Disconnect() {
  for (const auto& gpu : gpus_) {
    gpu->gpm.Free(driver_);
    gpu->Forget();
  }
  lists_.Forget();
  if (std::exchange(connected_, false)) driver_.Ask(&Calls::nvmlShutdown);
  driver_.Use(nullptr);
  library_.Close();
}

void CardReader::Enumerate(Pass& pass) {
  unsigned count = 0;
  const Return code = driver_.Ask(&Calls::nvmlDeviceGetCount_v2, &count);
  if (code != kSuccess) {
    Refused({pass.mono, pass.wall}, DriverStateOf(code), code);
    return;
  }
  for (const auto& gpu : gpus_) gpu->handle = nullptr;
  for (unsigned i = 0; i < count; ++i) EnumerateOne(pass, i);
  for (const auto& gpu : gpus_) {
    if (gpu->handle == nullptr && gpu->sample.state == DeviceState::kOk) {
      Lose(*gpu, kGpuNotFound, pass.wall);
    }
  }
  std::stable_sort(gpus_.begin(), gpus_.end(), [](const auto& a, const auto& b) {
    const auto absent = [](const Gpu& gpu) { return gpu.sample.state == DeviceState::kAbsent; };
    return std::pair(absent(*a), a->sample.info.index) <
           std::pair(absent(*b), b->sample.info.index);
  });
  if (count == 0) Refused({pass.mono, pass.wall}, DriverState::kNoDevice, kNotFound);
}

void CardReader::EnumerateOne(Pass& pass, unsigned index) {
  auto found = std::make_unique<Gpu>();
  found->sample.info.index = static_cast<int>(index);
  Return code = driver_.Ask(&Calls::nvmlDeviceGetHandleByIndex_v2, index, &found->handle);
  if (code == kSuccess) code = ReadIdentity(pass, *found);
  Gpu& gpu = GpuFor(std::move(found));
  if (code != kSuccess) {
    gpu.handle = nullptr;
    if (gpu.sample.state == DeviceState::kOk) Lose(gpu, code, pass.wall);
  } else if (gpu.sample.state != DeviceState::kOk) {
    gpu.sample.state = DeviceState::kOk;
    Note(EventType::kDeviceReturned, pass.wall, gpu.sample.info.uuid);
  }
}

// The device that we know already under this UUID (or, if it did not tell it, under this index),
// with its new handle and facts; else a new one.
Gpu& CardReader::GpuFor(std::unique_ptr<Gpu> found) {
  const DeviceInfo& info = found->sample.info;
  for (auto& gpu : gpus_) {
    if (gpu->handle != nullptr) continue;  // matched already
    const bool same = info.uuid.empty() ? gpu->sample.info.index == info.index
                                        : gpu->sample.info.uuid == info.uuid;
    if (!same) continue;
    if (!info.uuid.empty()) {
      found->xid_count = gpu->xid_count;
      found->sample.state = gpu->sample.state;
      gpu = std::move(found);
    }
    return *gpu;
  }
  gpus_.push_back(std::move(found));
  return *gpus_.back();
}

void CardReader::Lose(Gpu& gpu, Return code, WallTime time) {
  DeviceSample& sample = gpu.sample;
  sample.state = DeviceStateOf(code);
  sample.fields.Fill(MissingOf(code));
  sample.process_count = MissingOf(code);
  sample.utilization_ring.clear();
  sample.memory_activity_ring.clear();
  sample.power_ring.clear();
  gpu.gpm.Forget();
  gpu.handle = nullptr;
  Note(EventType::kDeviceLost, time, sample.info.uuid);
}

void CardReader::RetryLost(Pass& pass) {
  if (pass.mono < next_device_try_) return;
  for (const auto& gpu : gpus_) {
    if (gpu->handle != nullptr || gpu->sample.info.uuid.empty()) continue;
    next_device_try_ = After(pass.mono, kDeviceBackOff);
    Device handle = nullptr;
    const Return code =
        driver_.Ask(&Calls::nvmlDeviceGetHandleByUUID, gpu->sample.info.uuid.c_str(), &handle);
    if (code != kSuccess) continue;
    gpu->Forget();
    gpu->handle = handle;
    if (ReadIdentity(pass, *gpu) != kSuccess) {
      gpu->handle = nullptr;
      continue;
    }
    gpu->sample.state = DeviceState::kOk;
    Note(EventType::kDeviceReturned, pass.wall, gpu->sample.info.uuid);
  }
}

Return CardReader::ReadAll(Pass& pass, Gpu& gpu, uint16_t position) {
  Return code = ReadFields(pass, gpu);
  if (code == kSuccess) code = ReadMemory(pass, gpu);
  if (code == kSuccess && options_.rings) code = gpu.rings.Read(pass, gpu);
  if (code == kSuccess && options_.gpm) code = gpu.gpm.Read(pass, gpu);
  if (code == kSuccess) code = gpu.links.Read(pass, gpu);
  if (code == kSuccess && options_.processes) code = lists_.Read(pass, gpu, position, uses_);
  if (code == kSuccess && options_.processes) code = gpu.use.Read(pass, gpu);
  return code;
}

void CardReader::ReadGpu(Pass& pass, size_t position) {
  Gpu& gpu = *gpus_[position];
  if (gpu.handle == nullptr) return;
  const size_t first = uses_.size();
  const Return code = ReadAll(pass, gpu, static_cast<uint16_t>(position));
  if (code == kSuccess) return;
  uses_.resize(first);
  if (IsSessionLost(code)) {
    Refused({pass.mono, pass.wall}, DriverStateOf(code), code);
    next_try_ = kNever;  // the first try follows at once
    back_off_ = 0;
    return;
  }
  Lose(gpu, code, pass.wall);
  next_device_try_ = After(pass.mono, kDeviceBackOff);
}

void CardReader::Read(Moment now) {
  Pass pass = PassFor(now);
  uses_.clear();
  if (!connected_ && Connect(now)) Enumerate(pass);
  if (connected_) {
    back_off_ = 0;
    RetryLost(pass);
    for (size_t i = 0; i < gpus_.size() && connected_; ++i) ReadGpu(pass, i);
    MergeUses(uses_);
  }
  if (!connected_) {
    const Missing missing = MissingOf(static_cast<Return>(info_.code));
    for (const auto& gpu : gpus_) {
      gpu->sample.fields.Fill(missing);
      gpu->sample.process_count = missing;
      if (gpu->sample.state == DeviceState::kOk) gpu->sample.state = DeviceState::kLost;
    }
  }
  previous_ = now.mono;
}

void CardReader::Rescue(Moment now) {
  if (!connected_ || !options_.rings) return;
  Pass pass = PassFor(now);
  for (const auto& gpu : gpus_) {
    if (gpu->handle != nullptr) (void)gpu->rings.Rescue(pass, *gpu);  // the next Read() tells
  }
}

}  // namespace gpusight::nvml
