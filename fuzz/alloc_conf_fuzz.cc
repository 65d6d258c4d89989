// SPDX-License-Identifier: Apache-2.0
// PYTORCH_ALLOC_CONF and single values of memory flags: whatever stands in an environment.
#include <cstdint>
#include <string_view>

#include "cli/doctor/alloc_conf.h"
#include "cli/doctor/meant_value.h"
#include "cli/doctor/memory_flags.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpusight::doctor::ParseAllocConf(text);
  // What is proposed instead is itself without fault.
  if (const auto mended = gpusight::doctor::MendAllocConf(text)) {
    for (const auto& fault : gpusight::doctor::ParseAllocConf(*mended).faults) {
      if (gpusight::doctor::Refused(fault.kind)) __builtin_trap();
    }
  }
  (void)gpusight::doctor::MeantFlag(text);
  for (const auto& flag : gpusight::doctor::PaddleFlags()) {
    (void)gpusight::doctor::CheckValue(flag, text);
    if (const auto meant = gpusight::doctor::MeantValue(flag, text)) {
      if (gpusight::doctor::CheckValue(flag, *meant) != gpusight::doctor::ValueFault::kNone) {
        __builtin_trap();
      }
    }
  }
  return 0;
}
