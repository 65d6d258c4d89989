// SPDX-License-Identifier: Apache-2.0
// The lines of `gpusight log`, in four formats. Pure; appending to one string again and again
// allocates nothing once it has grown. A value that is not known keeps its reason: in the text
// form in its place ("fan=n/a(not supported)"), in the others in a last column or member
// "unknown", so that a column of numbers holds only numbers. Next: log_field.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "export/log_field.h"

namespace gpusight::exporting {

enum class LogFormat : uint8_t { kText, kLogfmt, kCsv, kJsonl };

struct LogLayout {
  LogFormat format = LogFormat::kText;
  std::vector<LogField> fields;
  bool processes = false;     // lines are about processes
  bool milliseconds = false;  // in the text form's time; the others always have them
};

// The text that opens a file: the header of a CSV, nothing for the others.
[[nodiscard]] std::string LogHeader(const LogLayout& layout);

// Appends one line with its '\n'.
void AppendLogLine(std::string& out, const LogLayout& layout, const LogSubject& subject);

}  // namespace gpusight::exporting
