// SPDX-License-Identifier: Apache-2.0
// Older drivers lack functions, and dlsym() must really not find them: this makes a copy of the
// fake library whose dynamic symbol names were changed. variant_main.cc does so at build time.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace gpusight::fake {

// `image` is a shared library's bytes; every name must be one that it exports.
[[nodiscard]] Result<std::string> WithoutSymbols(std::string image,
                                                 const std::vector<std::string>& names);

}  // namespace gpusight::fake
