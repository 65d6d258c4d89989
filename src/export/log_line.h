// SPDX-License-Identifier: Apache-2.0
// The lines of `gpusight log`, in four formats. Pure; an encoder that appends to one string again
// and again allocates nothing once both have grown. A value that is not known keeps its reason: in
// the text form in its place ("fan=n/a(not supported)"), in the others in a last column or member
// "unknown", so that a column of numbers holds only numbers. Next: log_field.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/json.h"
#include "export/log_field.h"

namespace gpusight::exporting {

enum class LogFormat : uint8_t { kText, kLogfmt, kCsv, kJsonl };

struct LogLayout {
  LogFormat format = LogFormat::kText;
  std::vector<LogField> fields;
  bool processes = false;     // lines are about processes
  bool milliseconds = false;  // in the text form's time; the others always have them
};

// Whether a file that begins so was written by LogEncoder, in whatever format and of whatever
// fields; an empty one may have been.
[[nodiscard]] bool BeginsLikeLog(std::string_view text);

// Not thread-safe.
class LogEncoder {
 public:
  explicit LogEncoder(LogLayout layout) : layout_(std::move(layout)) {}
  const LogLayout& layout() const { return layout_; }

  // The text that opens a file: the header of a CSV, nothing for the others.
  [[nodiscard]] std::string Header() const;

  // Appends one line with its '\n'. A layout about processes needs a subject with one.
  void Append(std::string& out, const LogSubject& subject);

 private:
  LogLayout layout_;
  JsonScratch scratch_;
};

}  // namespace gpusight::exporting
