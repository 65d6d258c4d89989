// SPDX-License-Identifier: Apache-2.0
// The messages that a scan has found so far: each failure once, however often it was printed and in
// however many parts, and a bounded number of them. Next: oom_scanner.cc, which fills it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "memory/oom_text.h"
#include "memory/progress.h"

namespace gpusight::memory {

class OomKeeper {
 public:
  // The first half of them and the last are kept.
  static constexpr size_t kMost = 1000;

  // A place that may have been given to another message since.
  struct Ref {
    size_t slot = 0;
    uint64_t id = 0;
  };

  // Adds a message; `last` is the one before of the same writer, of which it may be a part. Returns
  // where it is now, and in `fresh` whether it is another failure.
  Ref Add(OomText text, Ref last, bool& fresh);

  [[nodiscard]] OomText* Get(Ref ref);

  // Messages so far, repetitions not counted.
  uint64_t found() const { return next_id_ - 1; }
  uint64_t left_out() const { return left_out_; }

  // All that were kept, by where they begin; none is left.
  [[nodiscard]] std::vector<OomText> TakeAll();

 private:
  struct Slot {
    uint64_t id = 0;
    uint64_t key = 0;
    OomText text;
  };
  void Forget(const Slot& slot);

  std::vector<Slot> slots_;
  std::unordered_multimap<uint64_t, Ref> by_key_;
  size_t next_slot_ = 0;
  uint64_t next_id_ = 1;
  uint64_t left_out_ = 0;
};

}  // namespace gpusight::memory
