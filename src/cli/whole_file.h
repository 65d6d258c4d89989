// SPDX-License-Identifier: Apache-2.0
// Writes a file whole or not at all: into a neighbour first, which then takes its name. A file that
// somebody else made is left alone. Next: report.cc.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gpusight::cli {

// `ours` says by the beginning of an existing file whether it may be replaced; without it any may.
// kUsage: it may not, and nothing was written.
[[nodiscard]] Result<void> WriteWholeFile(
    const std::string& path, std::string_view bytes,
    const std::function<bool(std::string_view beginning)>& ours);

}  // namespace gpusight::cli
