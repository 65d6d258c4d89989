// SPDX-License-Identifier: Apache-2.0
// What a list of fields needs to be sampled: a log of three cheap fields should cost three cheap
// driver calls. Pure.
#pragma once

#include <span>

#include "export/log_field.h"
#include "probe/sampler.h"

namespace gpusight::cli {

[[nodiscard]] SamplerOptions NeedsOf(std::span<const exporting::LogField> fields, bool processes);

}  // namespace gpusight::cli
