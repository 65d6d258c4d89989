// SPDX-License-Identifier: Apache-2.0
// One line of a log as it should have been: without colours, without the label by which a launcher
// says whose line it is, without the frame of a boxed traceback; and what such a label says.
// Pure, takes any bytes. Next: progress.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusight::memory {

// Replaces `out` by `raw` without escape sequences and NUL bytes. In a line that is a JSON object,
// escape sequences and line ends may be spelled out; the latter become blanks.
void CleanLine(std::string_view raw, std::string& out);

// "[rank3]:", "[default3]:", "[1,3]<stderr>:", "3: ", "(Worker pid=812, ip=10.0.0.1) ", and the
// stamp of a container's log.
struct Label {
  size_t length = 0;    // of the line, with blanks behind it
  int rank = -1;        // -1: it does not say
  uint64_t source = 0;  // tells lines of different writers apart; 0: there is no label
};
[[nodiscard]] Label LabelOf(std::string_view clean);

// Without blanks and box-drawing bars at both ends.
[[nodiscard]] std::string_view Unboxed(std::string_view clean);

// Appends `line` to `text` behind one blank, with each run of blanks as one.
void AppendWords(std::string& text, std::string_view line);

}  // namespace gpusight::memory
