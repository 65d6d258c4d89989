// SPDX-License-Identifier: Apache-2.0
// A report as Markdown, for pull requests and chats: the same facts as the page, without its
// curves. Text from the recording cannot become markup. Next: sentences.h.
#pragma once

#include <string>

#include "base/language.h"
#include "report/model.h"

namespace gpusight::report {

[[nodiscard]] std::string Markdown(const Report& report, Language language);

}  // namespace gpusight::report
