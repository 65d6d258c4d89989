// SPDX-License-Identifier: Apache-2.0
// CUBLAS_WORKSPACE_CONFIG as cuBLAS and PyTorch read it: pairs ":KiB:count". Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpusight::doctor {

// Bytes that one handle and stream keep; nullopt when the text has another form.
[[nodiscard]] std::optional<double> WorkspaceBytes(std::string_view text);

}  // namespace gpusight::doctor
