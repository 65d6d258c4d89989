// SPDX-License-Identifier: Apache-2.0
// A report as one HTML file that needs nothing else: no network, no other file. Whatever the
// recording says stands in it as data and can neither end its element nor become markup.
// Next: page.h.
#pragma once

#include <string>

#include "base/language.h"
#include "report/model.h"

namespace gpusight::report {

// What marks a file as one of ours, so that it may be replaced.
inline constexpr std::string_view kHtmlMark =
    "<meta name=\"generator\" content=\"gpusight report\">";

// Whether the program was built with the page.
[[nodiscard]] bool HasPage();

// `language`: in which it opens; it can be switched in the page.
[[nodiscard]] std::string Html(const Report& report, Language language);

}  // namespace gpusight::report
