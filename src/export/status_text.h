// SPDX-License-Identifier: Apache-2.0
// The page of `gpusight status` for people. Pure. Next: device_text.h, process_table.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "export/style.h"
#include "model/frame.h"

namespace gpusight::exporting {

// `program`: "gpusight 0.1.0", at the page's head. `devices`: positions in frame.devices to show,
// with the processes that use them.
[[nodiscard]] std::string StatusPage(const Style& style, const Frame& frame,
                                     std::span<const size_t> devices, std::string_view program);

}  // namespace gpusight::exporting
