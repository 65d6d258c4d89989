// SPDX-License-Identifier: Apache-2.0
// Numbers for machines: the same text in every locale, the shortest that reads back as the same
// double, and whole numbers (bytes, counts) without a point or an exponent. Next: json.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpusight::exporting {

// Appends `value`; appends nothing for infinities and NaN, which most formats cannot write.
void AppendNumber(std::string& out, double value);

// The same into a buffer; returns what was written.
[[nodiscard]] std::string_view WriteNumber(std::span<char, 32> buffer, double value);

}  // namespace gpusight::exporting
