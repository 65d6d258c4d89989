// SPDX-License-Identifier: Apache-2.0
// Which of a few dozen words stand in a line, found in one pass (Aho-Corasick), whatever their case
// and with NUL bytes ignored. It is what makes gigabytes of a log cheap: nothing else looks at a
// line without a hit. Next: form.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gpusight::memory {

class Keywords {
 public:
  struct Hit {
    size_t word = 0;   // position among the words
    size_t begin = 0;  // in the line
    size_t end = 0;
  };

  struct Word {
    std::string_view text;  // in lower case; must outlive this
    uint8_t kinds = 1;      // bits
  };
  explicit Keywords(std::span<const Word> words);

  // The kinds of all words that stand in `line`; 0 when none does.
  [[nodiscard]] uint8_t Kinds(std::string_view line) const;

  // All of them, by their end; at most `most`.
  void Find(std::string_view line, std::vector<Hit>& hits, size_t most = 256) const;

 private:
  using State = uint16_t;
  static constexpr size_t kBytes = 256;
  State Next(State state, char c) const {
    return next_[state * kBytes + static_cast<unsigned char>(c)];
  }

  std::vector<Word> words_;
  std::vector<State> next_;
  // For each state the words that end there: [first_[s], first_[s + 1]) of ending_.
  std::vector<uint16_t> first_;
  std::vector<uint16_t> ending_;
  std::vector<uint8_t> kinds_;  // of those
};

}  // namespace gpusight::memory
