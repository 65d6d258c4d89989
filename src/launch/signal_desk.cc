// SPDX-License-Identifier: Apache-2.0
#include "launch/signal_desk.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace gpusight::launch {
namespace {

// What the witness saw and nobody asked for: two signals that the launcher got as one. It must not
// be taken for the next one.
constexpr int64_t kStale = 100'000'000;  // nanoseconds

constexpr int64_t kMerged = 1'000'000;

bool IsJobControl(int number) {
  return number == SIGTSTP || number == SIGTTIN || number == SIGTTOU || number == SIGCONT;
}

}  // namespace

void SignalDesk::Confirm(int number, MonoTime at) { seen_.push_back({number, at}); }

void SignalDesk::ForgetJobControl() {
  std::erase_if(waiting_, [](const Incoming& signal) { return IsJobControl(signal.number); });
  std::erase_if(seen_, [](const Seen& seen) { return IsJobControl(seen.number); });
}

// The first of that number; and those that came no later than the signal itself, which were merged
// into it while it was pending.
bool SignalDesk::TakeConfirmations(const Incoming& signal) {
  bool first = true;
  const auto taken = [&](const Seen& seen) {
    if (seen.number != signal.number) return false;
    return std::exchange(first, false) || seen.at - signal.at <= kMerged;
  };
  return std::erase_if(seen_, taken) > 0;
}

std::optional<SignalDesk::Decision> SignalDesk::Next(MonoTime now, const JobPlace& place,
                                                     bool witness) {
  std::optional<Decision> decision;
  for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
    bool confirmed = TakeConfirmations(*at);
    if (!confirmed && !at->for_leader && witness && now - at->at < patience_) continue;
    if (!confirmed && !witness) confirmed = at->sender == 0 && !at->for_leader;
    decision = Decision{*at, Delivery::kJob};
    // The job left the group that the signal was for; had it been started without us, it would lead
    // that group and could not have left it.
    if (confirmed && place.in_our_group) decision->delivery = Delivery::kNone;
    if (confirmed && !place.in_our_group && place.leads_a_group) {
      decision->delivery = Delivery::kJobGroup;
    }
    waiting_.erase(at);
    break;
  }
  std::erase_if(seen_, [now](const Seen& seen) { return now - seen.at > kStale; });
  return decision;
}

std::optional<MonoTime> SignalDesk::due() const {
  if (waiting_.empty()) return std::nullopt;
  return MonoTime{waiting_.front().at.ns + patience_};
}

}  // namespace gpusight::launch
