// SPDX-License-Identifier: Apache-2.0
// The fields of `gpusight log`: the device rows of the catalogue by their names, and, for lines
// about one process, its rows with "proc_" in front. Next: log_line.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/frame.h"

namespace gpusight::exporting {

struct LogField {
  enum class Scope : uint8_t { kDevice, kUse, kProcess };
  Scope scope = Scope::kDevice;
  uint8_t index = 0;  // into the scope's rows
  friend bool operator==(const LogField&, const LogField&) = default;
};

// What one line is about.
struct LogSubject {
  const Frame& frame;
  size_t device;                           // into frame.devices
  const ProcessSample* process = nullptr;  // with the use below, or none
  const GpuUse* use = nullptr;
};

[[nodiscard]] const CatalogRow& RowOf(LogField field);
[[nodiscard]] const Known<double>& ValueOf(LogField field, const LogSubject& subject);

// "util", "proc_mem" (text), and "utilization_ratio", "proc_memory_bytes" (all other formats).
[[nodiscard]] std::string_view ShortName(LogField field);
[[nodiscard]] std::string_view LongName(LogField field);

// By either name.
[[nodiscard]] std::optional<LogField> FindLogField(std::string_view name);

// Every field there is; those of processes too if asked for.
[[nodiscard]] std::vector<LogField> AllLogFields(bool processes);

}  // namespace gpusight::exporting
