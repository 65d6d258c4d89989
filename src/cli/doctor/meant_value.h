// SPDX-License-Identifier: Apache-2.0
// What somebody meant by a value that a framework reads otherwise: "8GB" for a flag in MiB is 8192,
// "1e3" is 1000, "yes" is true. A guess is made only where one reading is possible; else there is
// none, and the doctor says what the flag takes. Pure. Next: flag_values.cc and alloc_conf_mend.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/language.h"
#include "cli/doctor/memory_flags.h"

namespace gpusight::doctor {

// In what a number is counted.
enum class ValueUnit : uint8_t { kCount, kBytes, kKiB, kMiB, kGiB, kMilliseconds, kShare };

[[nodiscard]] ValueUnit UnitOf(const MemoryFlag& flag);

// "a whole number of MiB", as a text of what such a flag takes.
[[nodiscard]] const Text& Takes(ValueUnit unit, bool whole);

// The number in `unit` that was meant, written as every framework reads it.
[[nodiscard]] std::optional<std::string> MeantNumber(std::string_view value, ValueUnit unit,
                                                     bool whole);

// true for "on", "Yes", "1"; nullopt for what is neither.
[[nodiscard]] std::optional<bool> MeantBool(std::string_view value);

// The one of `words` (separated by '|') that was meant.
[[nodiscard]] std::optional<std::string> MeantWord(std::string_view value, std::string_view words);

// The value that was meant for a flag of any kind.
[[nodiscard]] std::optional<std::string> MeantValue(const MemoryFlag& flag, std::string_view value);

// A word as a shell takes it: in quotes where it needs them.
[[nodiscard]] std::string ShellWord(std::string_view word);

}  // namespace gpusight::doctor
