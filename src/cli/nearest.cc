// SPDX-License-Identifier: Apache-2.0
#include "cli/nearest.h"

#include <algorithm>
#include <vector>

namespace gpusight::cli {

size_t EditDistance(std::string_view a, std::string_view b) {
  // Three rows of the table of distances between prefixes: `rows[0]` is the current one.
  std::vector<size_t> rows[3];
  for (auto& row : rows) row.resize(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(rows[2], rows[1]);
    std::swap(rows[1], rows[0]);
    rows[0][0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = rows[1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[0][j] = std::min({replace, rows[1][j] + 1, rows[0][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        rows[0][j] = std::min(rows[0][j], rows[2][j - 2] + 1);
      }
    }
  }
  return rows[0][b.size()];
}

std::optional<std::string_view> Nearest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  // A word far longer than any name was not a slip of the finger, and comparing it would be slow.
  constexpr size_t kLongest = 64;
  if (word.empty() || word.size() > kLongest) return std::nullopt;
  std::optional<std::string_view> best;
  size_t best_distance = 0;
  for (const std::string_view candidate : candidates) {
    // The dashes of options are always right and would make short names look alike.
    const size_t dashes = candidate.starts_with("--") && word.starts_with("--") ? 2 : 0;
    const size_t longer = std::max(word.size(), candidate.size()) - dashes;
    size_t distance = EditDistance(word, candidate);
    if (distance * 3 > longer) {
      if (word.size() < 2 || !candidate.starts_with(word)) continue;
      distance = longer;
    }
    if (!best || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace gpusight::cli
