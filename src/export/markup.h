// SPDX-License-Identifier: Apache-2.0
// Text from outside inside markup: it cannot become markup itself.
#pragma once

#include <string>
#include <string_view>

namespace gpusight::exporting {

// For the text of an element or an attribute in double quotes.
void AppendHtmlSafe(std::string& out, std::string_view text);

// For a cell of a table or a line of Markdown; Printable(), too.
[[nodiscard]] std::string MarkdownSafe(std::string_view text);

}  // namespace gpusight::exporting
