// SPDX-License-Identifier: Apache-2.0
// Manual pages (roff, man macros), made from the declarations. Pure.
#pragma once

#include <string>

#include "cli/surface.h"

namespace gpusight::cli {

// gpusight(1), the program.
[[nodiscard]] std::string ProgramMan(const Surface& surface, Language language);
// gpusight-log(1), one command.
[[nodiscard]] std::string CommandMan(const Surface& surface, const SurfaceCommand& command,
                                     Language language);

}  // namespace gpusight::cli
