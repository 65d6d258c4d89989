// SPDX-License-Identifier: Apache-2.0
#include "memory/oom_keeper.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpusight::memory {
namespace {

uint64_t Mix(uint64_t hash, uint64_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15ull + (hash >> 29);
}

// Equal for two messages with the same numbers.
uint64_t KeyOf(const OomText& text) {
  uint64_t key = Mix(1, static_cast<uint64_t>(text.form));
  const auto add = [&key](const std::optional<Amount>& amount) {
    key = Mix(key, amount ? static_cast<uint64_t>(std::llround(std::min(amount->bytes, 1e18))) : 7);
  };
  add(text.requested);
  add(text.allocated);
  add(text.free);
  add(text.process);
  return Mix(Mix(key, text.victim), static_cast<uint64_t>(text.device + 1));
}

// Whether the second is a further part of the first, which its writer printed just before.
bool IsPart(const OomText& last, const OomText& text) {
  constexpr uint64_t kNear = 20'000;  // lines: a pool's dump is long
  if (text.first_line > last.last_line + kNear) return false;
  // A pool tries again with less and less; the first is what was wanted.
  if (text.form == OomForm::kPoolGrowth) return last.form == text.form;
  const bool pool = text.form == OomForm::kPool || text.form == OomForm::kXla ||
                    text.form == OomForm::kTensorFlow;
  const bool one_writer = (text.form == OomForm::kOomKiller || text.form == OomForm::kPaddle) &&
                          text.backend == last.backend;
  return (pool || one_writer) && MayBeSame(last, text);
}

void Repeat(OomText& kept, const OomText& text) {
  Complete(kept, text);
  ++kept.times;
  kept.last_line = std::max(kept.last_line, text.last_line);
}

}  // namespace

OomText* OomKeeper::Get(Ref ref) {
  if (ref.id == 0 || ref.slot >= slots_.size() || slots_[ref.slot].id != ref.id) return nullptr;
  return &slots_[ref.slot].text;
}

void OomKeeper::Forget(const Slot& slot) {
  const auto [begin, end] = by_key_.equal_range(slot.key);
  const auto found =
      std::find_if(begin, end, [&slot](const auto& entry) { return entry.second.id == slot.id; });
  if (found != end) by_key_.erase(found);
}

OomKeeper::Ref OomKeeper::Add(OomText text, Ref last, bool& fresh) {
  fresh = false;
  const uint64_t key = KeyOf(text);
  const auto [begin, end] = by_key_.equal_range(key);
  for (auto it = begin; it != end; ++it) {
    OomText* kept = Get(it->second);
    if (kept == nullptr || !MayBeSame(*kept, text)) continue;
    Repeat(*kept, text);
    return it->second;
  }
  if (OomText* before = Get(last); before != nullptr && IsPart(*before, text)) {
    Repeat(*before, text);
    return last;
  }
  fresh = true;
  const Ref ref{next_slot_, next_id_++};
  if (next_slot_ == slots_.size()) {
    slots_.emplace_back();
  } else {
    ++left_out_;
    Forget(slots_[next_slot_]);
  }
  slots_[ref.slot] = {ref.id, key, std::move(text)};
  by_key_.emplace(key, ref);
  if (++next_slot_ >= kMost) next_slot_ = kMost / 2;
  return ref;
}

std::vector<OomText> OomKeeper::TakeAll() {
  std::vector<OomText> out;
  for (Slot& slot : slots_) out.push_back(std::move(slot.text));
  slots_.clear();
  std::sort(out.begin(), out.end(), [](const OomText& a, const OomText& b) {
    return std::pair(a.first_line, a.rank) < std::pair(b.first_line, b.rank);
  });
  return out;
}

}  // namespace gpusight::memory
