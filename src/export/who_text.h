// SPDX-License-Identifier: Apache-2.0
// The page of `gpusight who` for people. Pure. Next: holders.h.
#pragma once

#include <span>
#include <string>

#include "export/style.h"
#include "model/frame.h"

namespace gpusight::exporting {

[[nodiscard]] std::string WhoPage(const Style& style, const Frame& frame,
                                  std::span<const size_t> devices);

}  // namespace gpusight::exporting
