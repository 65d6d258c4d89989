// SPDX-License-Identifier: Apache-2.0
// Reads a recording into a report, in one pass over its frames. Next: builder.h.
#pragma once

#include "report/model.h"

namespace gpusight::report {

[[nodiscard]] Report ReadReport(const record::Recording& recording);

}  // namespace gpusight::report
