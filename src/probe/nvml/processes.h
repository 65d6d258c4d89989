// SPDX-License-Identifier: Apache-2.0
// The driver's process lists, as bytes. Three generations of records exist (16, 24 and 32 bytes),
// drivers of one branch disagreed about which function writes which, and some swapped pid and
// memory; so nothing is believed but what was written. The buffer is filled with a pattern before
// the call, and how far the pattern is gone afterwards tells the stride. Pure functions only; the
// calls are in process_list.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "probe/nvml/abi.h"

namespace gpusight::nvml {

// Room for one record of any generation, with some to spare for the next.
inline constexpr size_t kRecordRoom = 64;

inline constexpr uint64_t kMemoryUnknown = kValueNotAvailable;          // the driver does not say
inline constexpr uint64_t kMemoryImplausible = kValueNotAvailable - 1;  // more than there is
inline constexpr uint32_t kNoInstance = 0xffffffff;

struct ProcessRecord {
  uint32_t pid = 0;
  uint64_t memory = kMemoryUnknown;  // bytes
  uint32_t gpu_instance = kNoInstance, compute_instance = kNoInstance;
};

// Fills the buffer with the pattern.
void Prefill(std::span<std::byte> buffer);

// Bytes from the start up to the last 8-byte word in which the pattern is gone.
[[nodiscard]] size_t WrittenBytes(std::span<const std::byte> buffer);

// How the records lie in the buffer.
struct Layout {
  size_t stride = 0;     // 16, 24 or 32; 0: no reading of these bytes makes sense
  bool swapped = false;  // memory first, then pid
};

// The layout under which `count` records make sense. `total` is the device's memory (0: unknown).
[[nodiscard]] Layout FindLayout(std::span<const std::byte> buffer, unsigned count, uint64_t total);

// Appends the believable records to `out` and returns how many were not.
[[nodiscard]] unsigned DecodeProcesses(std::span<const std::byte> buffer, unsigned count,
                                       Layout layout, uint64_t total,
                                       std::vector<ProcessRecord>& out);

}  // namespace gpusight::nvml
