// SPDX-License-Identifier: Apache-2.0
#include "memory/keywords.h"

#include <algorithm>

namespace gpusight::memory {

Keywords::Keywords(std::span<const Word> words) : words_(words.begin(), words.end()) {
  constexpr State kNone = 0xffff;
  std::vector<std::array<State, kBytes>> trie(1);
  trie[0].fill(kNone);
  std::vector<std::vector<uint16_t>> ending(1);
  for (size_t w = 0; w < words_.size(); ++w) {
    State at = 0;
    for (const char c : words_[w].text) {
      State& child = trie[at][static_cast<unsigned char>(c)];
      if (child == kNone) {
        child = static_cast<State>(trie.size());
        at = child;  // the reference dies with the next line
        trie.emplace_back().fill(kNone);
        ending.emplace_back();
      } else {
        at = child;
      }
    }
    ending[at].push_back(static_cast<uint16_t>(w));
  }
  // Breadth first: where a byte has no child, the transition of the longest proper suffix holds.
  std::vector<State> suffix(trie.size(), 0), queue;
  for (State& child : trie[0]) {
    if (child == kNone) {
      child = 0;
    } else {
      queue.push_back(child);
    }
  }
  for (size_t i = 0; i < queue.size(); ++i) {
    const State at = queue[i];
    const auto& inherited = ending[suffix[at]];
    ending[at].insert(ending[at].end(), inherited.begin(), inherited.end());
    for (size_t c = 0; c < kBytes; ++c) {
      State& child = trie[at][c];
      const State other = trie[suffix[at]][c];
      if (child == kNone) {
        child = other;
      } else {
        suffix[child] = other;
        queue.push_back(child);
      }
    }
  }
  next_.resize(trie.size() * kBytes);
  for (size_t s = 0; s < trie.size(); ++s) {
    for (size_t c = 0; c < kBytes; ++c) {
      const size_t lower = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
      next_[s * kBytes + c] = c == 0 ? static_cast<State>(s) : trie[s][lower];
    }
    first_.push_back(static_cast<uint16_t>(ending_.size()));
    ending_.insert(ending_.end(), ending[s].begin(), ending[s].end());
    uint8_t kinds = 0;
    for (const uint16_t word : ending[s]) kinds = static_cast<uint8_t>(kinds | words_[word].kinds);
    kinds_.push_back(kinds);
  }
  first_.push_back(static_cast<uint16_t>(ending_.size()));
}

uint8_t Keywords::Kinds(std::string_view line) const {
  State state = 0;
  unsigned found = 0;
  for (const char c : line) {
    state = Next(state, c);
    found |= kinds_[state];
  }
  return static_cast<uint8_t>(found);
}

void Keywords::Find(std::string_view line, std::vector<Hit>& hits, size_t most) const {
  hits.clear();
  State state = 0;
  for (size_t i = 0; i < line.size() && hits.size() < most; ++i) {
    state = Next(state, line[i]);
    for (size_t e = first_[state]; e < first_[state + 1u]; ++e) {
      const size_t word = ending_[e];
      hits.push_back({word, i + 1 - words_[word].text.size(), i + 1});
    }
  }
}

}  // namespace gpusight::memory
