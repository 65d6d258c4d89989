// SPDX-License-Identifier: Apache-2.0
// One device's block on the status page: a title, how busy, the memory account, heat and power,
// and remarks on what deserves attention. Pure. Next: account_text.h.
#pragma once

#include <string>

#include "export/footnotes.h"
#include "export/style.h"
#include "model/frame.h"

namespace gpusight::exporting {

[[nodiscard]] std::string DeviceBlock(const Style& style, const Frame& frame, size_t device,
                                      Footnotes& notes);

}  // namespace gpusight::exporting
