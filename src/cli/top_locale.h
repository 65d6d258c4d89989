// SPDX-License-Identifier: Apache-2.0
// Which characters the terminal can show, as far as the environment tells.
#pragma once

#include "base/language.h"
#include "cli/context.h"

namespace gpusight::cli {

// Sets the C library's locale for characters. True when it is UTF-8. A locale that the
// environment names but that is not installed (usual in containers) is replaced by C.UTF-8 when
// its name says UTF-8; so is any when Chinese was asked for.
[[nodiscard]] bool PrepareCharacters(const Environment& env, Language language);

}  // namespace gpusight::cli
