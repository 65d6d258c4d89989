// SPDX-License-Identifier: Apache-2.0
// What the page says of one memory setting: is its value one that the framework reads as written,
// and what does it cost? Next: environment.cc, which finds the settings.
#pragma once

#include <string_view>

#include "cli/doctor/check.h"
#include "cli/doctor/memory_flags.h"

namespace gpusight::doctor {

void SayFlag(const MemoryFlag& flag, std::string_view value, Report& report);

}  // namespace gpusight::doctor
