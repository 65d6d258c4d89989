// SPDX-License-Identifier: Apache-2.0
#include "export/footnotes.h"

#include <algorithm>

#include "base/text.h"
#include "export/wrap.h"
#include "model/text/status.h"

namespace gpusight::exporting {

std::string Footnotes::Missed(const Style& style, std::string_view what, Missing why) {
  // One reason for both where one look is why: a GPU and its instances differ in which they say.
  if (sampling_helps_ && why.why == Absence::kNotSampledYet) why = {Absence::kNotAsked, 0};
  std::string reason = Describe(why, style.language);
  auto note =
      std::find_if(notes_.begin(), notes_.end(), [&](const Note& n) { return n.reason == reason; });
  if (note == notes_.end()) note = notes_.insert(note, {std::move(reason), {}});
  auto& whats = note->whats;
  if (std::find(whats.begin(), whats.end(), what) == whats.end()) whats.emplace_back(what);
  return "n/a";
}

std::string Footnotes::Render(const Style& style) const {
  const bool chinese = style.language == Language::kChinese;
  std::string out;
  for (const Note& note : notes_) {
    const int indent = 5;
    std::string line = Wrap("n/a  " + note.reason + (chinese ? "：" : ":"), style.columns, indent);
    if (!chinese) line += ' ';
    int used = DisplayWidth(std::string_view(line).substr(line.rfind('\n') + 1));
    // A name that holds a comma itself would look like two.
    const bool commas = std::any_of(note.whats.begin(), note.whats.end(), [](const auto& what) {
      return what.find(',') != std::string::npos || what.find("，") != std::string::npos;
    });
    const std::string_view between = chinese ? (commas ? "；" : "、") : (commas ? ";" : ",");
    for (size_t i = 0; i < note.whats.size(); ++i) {
      std::string piece = note.whats[i];
      const bool last = i + 1 == note.whats.size();
      if (!last) piece += between;
      if (used + DisplayWidth(piece) > style.columns) {
        while (line.ends_with(' ')) line.pop_back();
        out += Paint(style, Tone::kDim, line) + '\n';
        line = std::string(indent, ' ');
        used = indent;
      }
      if (!last && !chinese) piece += ' ';
      line += piece;
      used += DisplayWidth(piece);
    }
    while (line.ends_with(' ')) line.pop_back();
    out += Paint(style, Tone::kDim, line) + '\n';
  }
  return out;
}

}  // namespace gpusight::exporting
