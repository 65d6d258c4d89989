// SPDX-License-Identifier: Apache-2.0
#include "memory/oom_verdict.h"

#include <algorithm>
#include <array>

namespace gpusight::memory {
namespace {

constexpr double kMiB = 1048576, kGiB = 1073741824, kTiB = 1099511627776;
// What a CUDA context with its kernels and libraries takes: 0.3 to 1.8 GiB on cards of today.
constexpr double kUsualOutside = 1.0 * kGiB;
constexpr double kMostContext = 2.0 * kGiB;

struct Candidate {
  OomClass cause;
  double confidence;
};

class Judgement {
 public:
  explicit Judgement(const OomFacts& facts) : f_(facts) { verdict_.account = AccountOf(facts); }

  OomVerdict Run() {
    if (f_.place == OomPlace::kDevice) {
      Device();
    } else {
      Host();
    }
    std::stable_sort(
        candidates_.begin(), candidates_.end(),
        [](const Candidate& a, const Candidate& b) { return a.confidence > b.confidence + 1e-9; });
    for (const Candidate& c : candidates_) {
      if (verdict_.confidence == 0) {
        verdict_.cause = c.cause;
        verdict_.confidence = c.confidence;
      } else if (c.cause != verdict_.cause && std::find(verdict_.also.begin(), verdict_.also.end(),
                                                        c.cause) == verdict_.also.end()) {
        verdict_.also.push_back(c.cause);
      }
    }
    const bool open = verdict_.cause == OomClass::kFull ||
                      (verdict_.cause == OomClass::kUnknown && f_.device_used);
    if (open && !f_.has_history) Gap(OomGap::kHistory);
    // What would only confirm a sure cause is not missed.
    if (verdict_.confidence >= 0.9) std::erase(verdict_.gaps, OomGap::kProcesses);
    return std::move(verdict_);
  }

 private:
  void Is(OomClass cause, double confidence) { candidates_.push_back({cause, confidence}); }
  void Note(OomNote note) { verdict_.notes.push_back(note); }
  void Gap(OomGap gap) { verdict_.gaps.push_back(gap); }
  bool Judged() const { return !candidates_.empty(); }

  void Host() {
    if (f_.place == OomPlace::kSharedMemory) {
      if (f_.killer_seen && f_.form == OomForm::kBusError) {
        // PyTorch guesses at /dev/shm whenever a worker dies in an unexpected way.
        Note(OomNote::kHintKilled);
        Is(OomClass::kHostMemory, 0.8);
      }
      Is(OomClass::kSharedMemory, f_.form == OomForm::kSharedMemory ? 0.95 : 0.75);
      return;
    }
    switch (f_.form) {
      case OomForm::kOomKiller:
        Is(OomClass::kHostMemory, 1.0);
        break;
      case OomForm::kWorkerKilled:
        Is(OomClass::kHostMemory, f_.killer_seen ? 0.95 : 0.75);
        if (!f_.killer_seen) Gap(OomGap::kKiller);
        break;
      case OomForm::kKilled:
        Is(OomClass::kHostMemory, f_.killer_seen ? 0.9 : 0.5);
        if (!f_.killer_seen) Gap(OomGap::kKiller);
        break;
      default:
        Is(OomClass::kHostMemory, 0.9);
        if (f_.requested && *f_.requested > 4 * kTiB) Note(OomNote::kAbsurd);
        if (!f_.host_limit) Gap(OomGap::kHost);
    }
  }

  void Device() {
    switch (f_.form) {
      case OomForm::kLibrary:
      case OomForm::kCollective:
        // Their memory comes from the driver; a framework's cache has taken the rest, or others
        // did.
        if (!f_.free) Is(OomClass::kOutside, 0.65);
        if (!f_.free) Gap(OomGap::kProcesses);
        break;
      case OomForm::kDriverCall:
        if (!f_.free) Is(OomClass::kOutside, 0.45);
        if (!f_.free) Gap(OomGap::kProcesses);
        break;
      case OomForm::kPoolGrowth:
        // At the start a pool wants most of the device.
        Is(OomClass::kNeighbour, 0.55);
        Gap(OomGap::kProcesses);
        break;
      default:
        break;
    }
    if (!f_.requested && !f_.program) Gap(OomGap::kNumbers);
    if (f_.requested && !f_.capacity && !f_.pool_limit && !f_.limit) Gap(OomGap::kCapacity);
    History();
    TooBig();
    Limit();
    if (f_.requested && f_.free) {
      Neighbour();
      Outside();
    }
    Fragmentation();
    Full();
    Remarks();
  }

  // The most that this allocator could ever have: the pool, the limit, or the device.
  double Most() const {
    if (f_.pool_limit) return *f_.pool_limit;
    double most = f_.capacity.value_or(f_.limit.value_or(0));
    if (f_.limit) most = std::min(most, *f_.limit);
    return most;
  }

  // What the allocator could still get: of the device, and of its limit.
  std::optional<double> Available() const {
    if (!f_.free || !f_.limit || !f_.reserved) return f_.free;
    return std::min(*f_.free, std::max(0.0, *f_.limit - *f_.reserved));
  }

  bool IsFound(OomClass cause) const {
    return std::any_of(candidates_.begin(), candidates_.end(),
                       [cause](const Candidate& c) { return c.cause == cause; });
  }

  void TooBig() {
    if (!f_.requested && !f_.program) return;
    const double wanted = std::max(f_.requested.value_or(0), f_.program.value_or(0));
    const double most = f_.capacity ? *f_.capacity : f_.pool_limit.value_or(0);
    if (most > 0 && wanted > most) {
      Is(OomClass::kTooBig, 1.0);
      if (wanted > 20 * most) Note(OomNote::kAbsurd);
      return;
    }
    if (most == 0 && f_.requested && *f_.requested > 4 * kTiB) {
      Is(OomClass::kTooBig, 0.95);
      Note(OomNote::kAbsurd);
      return;
    }
    if (most == 0 || !f_.requested || *f_.requested < 0.5 * most || !f_.free) return;
    // More than half of the device at once, and emptying the cache would not make room for it.
    Note(OomNote::kLargeShare);
    if (*f_.free + f_.cached.value_or(0) + f_.error < *f_.requested) Is(OomClass::kTooBig, 0.7);
  }

  void Limit() {
    if (!f_.limit || !f_.requested || f_.form == OomForm::kTorchMps) return;
    if (f_.capacity && *f_.limit >= *f_.capacity) return;
    if (*f_.requested > *f_.limit) {
      if (!f_.capacity || *f_.requested <= *f_.capacity) Is(OomClass::kLimit, 0.9);
      return;
    }
    if (f_.free && (f_.capacity || f_.form != OomForm::kPaddle)) {
      if (*f_.free + f_.error >= *f_.requested) Is(OomClass::kLimit, 0.97);
      return;
    }
    // Paddle: what is free is what the limit leaves; the device may have had more.
    Is(OomClass::kLimit, 0.85);
  }

  void Neighbour() {
    const double wanted = *f_.requested - *f_.free;
    if (wanted <= 0) return;
    const double notable = std::max(512 * kMiB, 0.02 * f_.capacity.value_or(0));
    const auto others = verdict_.account.Part(OomPart::kOthers);
    if (others && *others >= notable && *others + f_.error >= wanted) {
      // Half of the device and more: nothing that this job changes helps as much.
      const bool most = f_.capacity && *others >= 0.5 * *f_.capacity;
      Is(OomClass::kNeighbour, f_.own_guessed ? 0.75 : most ? 0.97 : 0.9);
    }
    const auto unlisted = verdict_.account.Part(OomPart::kUnlisted);
    if (unlisted && *unlisted - kUsualOutside >= std::max(notable, wanted)) {
      Note(OomNote::kUnlistedMuch);
      Is(OomClass::kNeighbour, 0.7);
    }
    const auto rest = verdict_.account.Part(OomPart::kRest);
    if (!rest) return;
    Gap(OomGap::kProcesses);
    if (*rest - kMostContext >= std::max({notable, wanted, 0.1 * f_.capacity.value_or(0)})) {
      // Somebody holds it: others, or this process outside its allocator.
      Is(OomClass::kNeighbour, 0.55);
      Is(OomClass::kOutside, 0.4);
    }
  }

  void Outside() {
    const auto outside = verdict_.account.Part(OomPart::kOutside);
    if (!outside || f_.form == OomForm::kTorchMps) return;
    const double excess = *outside - kUsualOutside;
    const double wanted = *f_.requested - *f_.free;
    if (excess < std::max(kGiB, 0.05 * f_.capacity.value_or(0)) || wanted <= 0) return;
    if (excess + f_.error >= wanted) Is(OomClass::kOutside, f_.own_guessed ? 0.6 : 0.8);
  }

  void Fragmentation() {
    if (!f_.requested) return;
    if (f_.pool_limit && f_.allocated && f_.largest_free) {
      if (*f_.pool_limit - *f_.allocated >= *f_.requested && *f_.largest_free < *f_.requested) {
        Is(OomClass::kFragmentation, 0.93);
      }
      return;
    }
    const std::optional<double> pieces = f_.inactive_split ? f_.inactive_split : f_.cached;
    if (!pieces || *pieces + f_.error < *f_.requested || *pieces <= 0) return;
    if (const auto free = Available(); free && *free >= *f_.requested) return;
    const double most = std::max(Most(), 1.0), reserved = f_.reserved.value_or(most);
    if (*pieces < 0.02 * most) {
      Note(OomNote::kSmallPieces);
      Is(OomClass::kFragmentation, 0.5);
    } else if (*pieces >= 0.25 * reserved) {
      Is(OomClass::kFragmentation, 0.95);
    } else {
      Is(OomClass::kFragmentation, *pieces >= 0.1 * reserved ? 0.92 : 0.82);
    }
  }

  void History() {
    if (f_.evaluation && f_.evaluation->evaluation >= 1.5 * f_.evaluation->training &&
        !f_.no_grad) {
      Is(OomClass::kEvaluation, 0.88);
    }
    if (!f_.growth) return;
    const double rise = f_.growth->last - f_.growth->first;
    const double wanted = f_.requested.value_or(0) - Available().value_or(0);
    if (rise + f_.error < wanted) return;
    Is(f_.growth->what == GrowthOf::kOutside ? OomClass::kOutside : OomClass::kLeak, 0.93);
  }

  void Full() {
    if (!f_.allocated) {
      if (f_.device_used && !Judged()) Gap(OomGap::kAllocator);
      return;
    }
    const double most = Most();
    if (f_.free && f_.requested && *f_.free > *f_.requested + f_.error && !Judged()) {
      Note(OomNote::kFreeEnough);
      return;
    }
    if (most <= 0 || *f_.allocated < 0.5 * most) return;
    if (IsFound(OomClass::kLimit)) return;  // it is not the device that is full
    const bool first = f_.step && *f_.step <= 1;
    if (first) Note(OomNote::kFirstStep);
    if (f_.step && *f_.step >= 50) Note(OomNote::kLateStep);
    const bool pieces = IsFound(OomClass::kFragmentation);
    // Where it is full from the start, the job does not fit.
    Is(first ? OomClass::kTooBig : OomClass::kFull, pieces ? 0.7 : 0.78);
    // The log's functions alone are no proof.
    if (f_.phase == OomPhase::kEvaluation && !f_.no_grad && !f_.backward && !f_.evaluation &&
        f_.form == OomForm::kTorch) {
      Note(OomNote::kEvaluating);
      Is(OomClass::kEvaluation, 0.45);
    }
  }

  void Remarks() {
    if (f_.form == OomForm::kTorch && f_.requested &&
        (*f_.requested == 2 * kMiB || *f_.requested == 20 * kMiB)) {
      Note(OomNote::kSegment);
    }
    if (f_.own_guessed) Note(OomNote::kOwnGuessed);
    if (verdict_.account.overfull) Note(OomNote::kOverfull);
    if (f_.private_pools && *f_.private_pools >= 0.05 * std::max(Most(), 1.0)) {
      Note(OomNote::kPrivatePools);
    }
    if (f_.requested && f_.form == OomForm::kTorch && f_.capacity && !f_.free) Gap(OomGap::kFree);
  }

  const OomFacts& f_;
  OomVerdict verdict_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::string_view Name(OomClass cause) {
  constexpr std::array<std::string_view, 11> kNames = {
      "unknown",    "too_big", "full",  "fragmentation", "leak",         "neighbour",
      "evaluation", "outside", "limit", "host_memory",   "shared_memory"};
  return kNames[static_cast<size_t>(cause)];
}

std::string_view Name(OomNote note) {
  constexpr std::array<std::string_view, 13> kNames = {
      "segment",      "absurd_size",   "large_share",   "own_process_guessed", "overfull",
      "free_enough",  "private_pools", "first_step",    "late_step",           "evaluating",
      "small_pieces", "much_unlisted", "killed_not_shm"};
  return kNames[static_cast<size_t>(note)];
}

std::string_view Name(OomGap gap) {
  constexpr std::array<std::string_view, 8> kNames = {
      "numbers", "free", "capacity", "processes", "allocator", "history", "killer", "host"};
  return kNames[static_cast<size_t>(gap)];
}

bool OomVerdict::Has(OomNote note) const {
  return std::find(notes.begin(), notes.end(), note) != notes.end();
}

OomVerdict Judge(const OomFacts& facts) { return Judgement(facts).Run(); }

}  // namespace gpusight::memory
