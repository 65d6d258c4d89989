// SPDX-License-Identifier: Apache-2.0
#include "export/style.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace gpusight::exporting {

std::string Paint(const Style& style, Tone tone, std::string_view text) {
  if (!style.color || tone == Tone::kPlain || text.empty()) return std::string(text);
  std::string_view code;
  switch (tone) {
    case Tone::kPlain:
      break;
    case Tone::kTitle:
      code = "1";
      break;
    case Tone::kDim:
      code = "2";
      break;
    case Tone::kBar:
      code = "36";
      break;
    case Tone::kNote:
      code = "33";
      break;
    case Tone::kProblem:
      code = "1;31";
      break;
  }
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string AsciiSigns(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"…", "..."}, {"→", "->"}, {"—", "-"}, {"–", "-"}, {"×", "x"},
      {"≠", "!="},  {"°", ""},   {"·", "|"}, {"±", "+-"}};
  std::string out;
  while (!text.empty()) {
    const auto* const sign = std::find_if(std::begin(kSigns), std::end(kSigns),
                                          [&](const auto& s) { return text.starts_with(s.first); });
    if (sign != std::end(kSigns)) {
      out += sign->second;
      text.remove_prefix(sign->first.size());
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string Meter(const Style& style, double ratio, int cells) {
  static constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double filled = std::clamp(std::isfinite(ratio) ? ratio : 0.0, 0.0, 1.0) * cells;
  std::string out;
  if (!style.unicode) {
    const auto whole = static_cast<size_t>(std::lround(filled));
    out.append(whole, '#').append(static_cast<size_t>(cells) - whole, '.');
    return out;
  }
  const auto eighths = static_cast<int>(std::lround(filled * 8));
  for (int i = 0; i < eighths / 8; ++i) out += "█";
  int used = eighths / 8;
  if (eighths % 8 != 0) {
    out += kEighths[eighths % 8];
    ++used;
  }
  out = Paint(style, Tone::kBar, out);
  std::string rest;
  for (int i = used; i < cells; ++i) rest += "·";
  return out + Paint(style, Tone::kDim, rest);
}

std::string StackedBar(const Style& style, std::span<const Part> parts, int cells) {
  std::vector<int> width(parts.size());
  int used = 0;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    const double share = std::clamp(parts[i].share, 0.0, 1.0);
    const int least = share > 0 ? 1 : 0;
    width[i] = std::max(least, static_cast<int>(std::lround(share * cells)));
    width[i] = std::min(width[i], cells - used);
    used += width[i];
  }
  if (!parts.empty()) width.back() = cells - used;
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string piece;
    for (int c = 0; c < width[i]; ++c) piece += style.unicode ? parts[i].fill : parts[i].ascii;
    out += Paint(style, i + 1 < parts.size() ? Tone::kBar : Tone::kDim, piece);
  }
  return out;
}

std::string Sparkline(const Style& style, std::span<const double> values) {
  static constexpr std::string_view kUnicode[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::string_view kAscii[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
  std::string out;
  for (const double value : values) {
    const double ratio = std::clamp(std::isfinite(value) ? value : 0.0, 0.0, 1.0);
    const auto level = static_cast<size_t>(std::lround(ratio * 7));
    out += style.unicode ? kUnicode[level] : kAscii[level];
  }
  return Paint(style, Tone::kBar, out);
}

}  // namespace gpusight::exporting
