// SPDX-License-Identifier: Apache-2.0
// The tables of docs/recording.md, made from the schema of the recording. Pure. Next: markdown.h.
#pragma once

#include <string>

#include "base/language.h"

namespace gpusight::cli {

// Every table in one line.
[[nodiscard]] std::string RecordingTables(Language language);
// A section for every table with all its columns.
[[nodiscard]] std::string RecordingColumns(Language language);
[[nodiscard]] std::string RecordingViews(Language language);

}  // namespace gpusight::cli
