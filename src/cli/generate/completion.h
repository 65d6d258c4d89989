// SPDX-License-Identifier: Apache-2.0
// Completion scripts for bash, zsh and fish, made from the declarations. What changes from machine
// to machine (devices) the scripts ask of the program itself, by `gpusight __complete devices`.
// Pure.
#pragma once

#include <string>

#include "cli/surface.h"

namespace gpusight::cli {

[[nodiscard]] std::string BashCompletion(const Surface& surface);
[[nodiscard]] std::string ZshCompletion(const Surface& surface, Language language);
[[nodiscard]] std::string FishCompletion(const Surface& surface, Language language);

// The names of fields, separated by blanks, for Offer::kFields.
[[nodiscard]] std::string FieldWords();

}  // namespace gpusight::cli
