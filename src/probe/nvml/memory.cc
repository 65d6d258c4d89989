// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/memory.h"

#include "probe/nvml/errors.h"
#include "probe/nvml/read_device.h"

namespace gpusight::nvml {
namespace {

using F = DeviceField;

void FillMissing(Gpu& gpu, Missing missing) {
  for (const F field : {F::kMemoryTotal, F::kMemoryUsed, F::kMemoryFree, F::kMemoryDriverReserved})
    gpu.sample.fields[field] = missing;
}

void Fill(Gpu& gpu, const MemoryParts& parts, Known<double> reserved) {
  gpu.sample.fields[F::kMemoryTotal] = static_cast<double>(parts.total);
  gpu.sample.fields[F::kMemoryUsed] = static_cast<double>(parts.used);
  gpu.sample.fields[F::kMemoryFree] = static_cast<double>(parts.free);
  gpu.sample.fields[F::kMemoryDriverReserved] = reserved;
}

Return ReadV2(Pass& pass, Gpu& gpu) {
  MemoryV2 memory{kMemoryV2Version, 0, 0, 0, 0};
  const Return code = pass.driver.Ask(&Calls::nvmlDeviceGetMemoryInfo_v2, gpu.handle, &memory);
  if (code != kSuccess) return code;
  if (memory.total == 0 || memory.total == kValueNotAvailable) return kNotSupported;
  if (const auto parts = Settle(memory)) {
    Fill(gpu, *parts, static_cast<double>(parts->reserved));
  } else {
    ++pass.rejected;
    FillMissing(gpu, {Absence::kImplausible, 0});
  }
  return kSuccess;
}

Return ReadV1(Pass& pass, Gpu& gpu) {
  Memory memory{};
  const Return code = pass.driver.Ask(&Calls::nvmlDeviceGetMemoryInfo, gpu.handle, &memory);
  if (code != kSuccess) return code;
  if (memory.total == 0 || memory.total == kValueNotAvailable) return kNotSupported;
  if (memory.used > memory.total || memory.free > memory.total) {
    ++pass.rejected;
    FillMissing(gpu, {Absence::kImplausible, 0});
  } else {
    Fill(gpu, {memory.total, memory.used, memory.free, 0}, Absence::kNoSuchCall);
  }
  return kSuccess;
}

}  // namespace

std::optional<MemoryParts> Settle(const MemoryV2& memory) {
  MemoryParts parts{memory.total, memory.used, memory.free, memory.reserved};
  const auto fits = [&](uint64_t part) { return part <= parts.total; };
  if (!fits(parts.used) || !fits(parts.free) || !fits(parts.reserved)) return std::nullopt;
  if (parts.used + parts.free + parts.reserved == parts.total) return parts;
  if (parts.used + parts.free == parts.total && parts.used >= parts.reserved) {
    parts.used -= parts.reserved;  // it was counted twice
    return parts;
  }
  // Read while it changed, or rounded: total, used and free are what people check; the driver's
  // own share is the rest.
  if (parts.used + parts.free > parts.total) return std::nullopt;
  parts.reserved = parts.total - parts.used - parts.free;
  return parts;
}

Return ReadMemory(Pass& pass, Gpu& gpu) {
  // A part without memory of its own: the sampler fills in the host's (sampler.h).
  if (gpu.sample.info.unified_memory) {
    FillMissing(gpu, {Absence::kNotSupported, 0});
    return kSuccess;
  }
  Return code = kNotSupported;
  for (const Source source : {Source::kMemoryInfoV2, Source::kMemoryInfoV1}) {
    const auto i = static_cast<size_t>(source);
    if (gpu.refused[i]) {
      code = gpu.refusal[i];
      continue;
    }
    code = source == Source::kMemoryInfoV2 ? ReadV2(pass, gpu) : ReadV1(pass, gpu);
    if (code == kSuccess) {
      ++pass.answers;
      return kSuccess;
    }
    if (IsDeviceGone(code) || IsSessionLost(code)) return code;
    if (!IsRefusal(code)) break;
    gpu.refused[i] = true;
    gpu.refusal[i] = code;
  }
  if (!IsRefusal(code)) pass.Failed(code);
  FillMissing(gpu, MissingOf(code));
  return kSuccess;
}

}  // namespace gpusight::nvml
