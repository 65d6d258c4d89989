// SPDX-License-Identifier: Apache-2.0
// The tables of memory settings as Markdown, for docs/memory-settings.md. Pure.
#pragma once

#include <span>
#include <string>

#include "base/language.h"
#include "cli/doctor/memory_flags.h"

namespace gpusight::doctor {

// Name, framework, accepted values, default, versions, meaning and pitfalls.
[[nodiscard]] std::string FlagTable(std::span<const MemoryFlag> flags, Language language);

// The keys of PyTorch's allocator settings.
[[nodiscard]] std::string ConfKeyTable(Language language);

}  // namespace gpusight::doctor
