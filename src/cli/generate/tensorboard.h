// SPDX-License-Identifier: Apache-2.0
// The charts that TensorBoard shows, as a table for docs/. Next: ../../export/tensorboard_tags.h.
#pragma once

#include <string>

#include "base/language.h"

namespace gpusight::cli {

[[nodiscard]] std::string TensorBoardCharts(Language language);

}  // namespace gpusight::cli
