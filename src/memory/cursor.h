// SPDX-License-Identifier: Apache-2.0
// A place in a message that is read field by field: look for the words before a number, take the
// number, go on behind it. What is not found leaves the place where it was. Pure. Next: form.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "memory/amount.h"

namespace gpusight::memory {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : whole_(text), rest_(text) {}

  std::string_view rest() const { return rest_; }
  // Bytes of the text that lie behind us.
  size_t consumed() const { return whole_.size() - rest_.size(); }

  // Goes behind the next `words`, at most `within` bytes away.
  bool Find(std::string_view words, size_t within = kAnywhere) {
    const size_t at = rest_.substr(0, Reach(words, within)).find(words);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + words.size());
    return true;
  }
  // Whether they come, at most that far away; stays here.
  bool Ahead(std::string_view words, size_t within = kAnywhere) const {
    return rest_.substr(0, Reach(words, within)).find(words) != std::string_view::npos;
  }
  // Goes behind `words` if they are next.
  bool Skip(std::string_view words) {
    if (!rest_.starts_with(words)) return false;
    rest_.remove_prefix(words.size());
    return true;
  }
  std::optional<Amount> Size(bool bare = false) { return TakeAmount(rest_, bare); }
  std::optional<uint64_t> Whole() { return TakeWhole(rest_); }

  // The size behind the next `words`; stays here when there is none.
  std::optional<Amount> SizeAfter(std::string_view words, size_t within = kAnywhere,
                                  bool bare = false) {
    Cursor ahead = *this;
    if (!ahead.Find(words, within)) return std::nullopt;
    const auto size = ahead.Size(bare);
    if (size) *this = ahead;
    return size;
  }
  std::optional<uint64_t> WholeAfter(std::string_view words, size_t within = kAnywhere) {
    Cursor ahead = *this;
    if (!ahead.Find(words, within)) return std::nullopt;
    const auto number = ahead.Whole();
    if (number) *this = ahead;
    return number;
  }
  // The text up to the next of `ends`, at most `most` bytes of it; goes behind it.
  std::string_view Until(std::string_view ends, size_t most) {
    const std::string_view out = rest_.substr(0, std::min(rest_.find_first_of(ends), most));
    rest_.remove_prefix(out.size());
    return out;
  }

 private:
  static constexpr size_t kAnywhere = 1 << 20;
  size_t Reach(std::string_view words, size_t within) const {
    return within > rest_.size() ? rest_.size() : within + words.size();
  }
  std::string_view whole_, rest_;
};

}  // namespace gpusight::memory
