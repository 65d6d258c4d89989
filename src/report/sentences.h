// SPDX-License-Identifier: Apache-2.0
// Sentences about a report for the terminal and for Markdown; the page says the same in its own
// program (web/report/sections.ts). Next: markdown.h.
#pragma once

#include <string>

#include "base/language.h"
#include "report/model.h"

namespace gpusight::report {

// "GPU 0", "GPU 0/7/1" for a MIG instance.
[[nodiscard]] std::string DeviceName(const DeviceReport& device);
// "python3 4100"
[[nodiscard]] std::string ProcessName(const Report& report, int process);
// "exit code 0", "ended by signal 9", "no end recorded"
[[nodiscard]] std::string EndText(const record::RunEnd& end, Language language);
// "GPU 0 idle 41% of the time; while idle the main thread was at data.py:88 load (71%), …", or why
// that cannot be known.
[[nodiscard]] std::string IdleSentence(const Report& report, const IdleEntry& entry,
                                       Language language);
// A word of the data for people: a layer, an event, a reason.
[[nodiscard]] std::string WordFor(std::string_view name, Language language);

// Numbers for people; what is not known becomes its reason.
[[nodiscard]] std::string Show(Unit unit, const Known<double>& value, Language language);
[[nodiscard]] std::string ShowSeconds(double seconds);  // "249 ms", "2.31 s"
[[nodiscard]] std::string ShowEnergy(double joules);    // "1.24 kWh"

}  // namespace gpusight::report
