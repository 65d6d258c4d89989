// SPDX-License-Identifier: Apache-2.0
#include "model/busy_time.h"

#include <algorithm>
#include <cmath>

#include "model/sane_time.h"

namespace gpusight {
namespace {

// A distance to the sample before is only taken for a sample's length when it is about that; a
// longer one is a hole.
constexpr int64_t kUsualLength = 200'000'000, kMostLength = 500'000'000;
// The driver keeps 14 s of samples: what is older than this has waited in vain.
constexpr int64_t kLongestWait = 20'000'000'000;
constexpr size_t kMostWaiting = 1000;
// Frames of a recording's older part are merged, and stand for this long or longer.
constexpr double kMergedSeconds = 5;

int64_t Nanoseconds(double seconds) { return static_cast<int64_t>(seconds * 1e9); }

Known<double> OfFrame(const DeviceSample& device, bool merged) {
  const auto& now = device.fields[DeviceField::kUtilization];
  const auto& mean = device.fields[DeviceField::kUtilizationMean];
  // Between two lots a frame repeats the mean of the last one, which is of an earlier time.
  if (merged) return mean ? mean : now;
  return now ? now : mean;
}

}  // namespace

void BusyTime::AddSamples(const std::vector<SubSample>& ring, std::vector<BusyPiece>& pieces) {
  for (const SubSample& sample : ring) {
    if (!IsSane(sample.time) || !std::isfinite(sample.value)) continue;
    int64_t length = sample.time.ns - newest_;
    const bool again = length <= 0 && length > -kLongestWait;  // else the clock was set back
    if (again) continue;
    if (length < 0 || length > kMostLength) length = kUsualLength;
    newest_ = sample.time.ns;
    pieces.push_back(
        {sample.time, static_cast<double>(length) * 1e-9, std::clamp(sample.value, 0.0, 1.0)});
  }
}

// Of what waits: gives out what lies before the samples from `first` to `last`, or is too old, and
// drops what they have told better.
void BusyTime::Settle(int64_t first, int64_t last, std::vector<BusyPiece>& pieces) {
  std::deque<BusyPiece> kept;
  for (BusyPiece& piece : waiting_) {
    const int64_t end = piece.end.ns;
    const int64_t begin = end - Nanoseconds(piece.seconds);
    if (begin < first) {
      piece.end.ns = std::min(end, first);
      piece.seconds = static_cast<double>(piece.end.ns - begin) * 1e-9;
      pieces.push_back(piece);
    }
    if (end > last) {
      const int64_t from = std::max(begin, last);
      kept.push_back({{end}, static_cast<double>(end - from) * 1e-9, piece.ratio});
    }
  }
  waiting_ = std::move(kept);
}

void BusyTime::Add(const DeviceSample& device, WallTime time, double seconds,
                   std::vector<BusyPiece>& pieces) {
  const auto& ring = device.utilization_ring;
  constexpr double kMostSeconds = 1e7;
  seconds = IsSane(time) && time.ns != 0 && seconds > 0 ? std::min(seconds, kMostSeconds) : 0;
  const bool merged = ring.empty() && seconds >= kMergedSeconds;
  if (seconds > 0) waiting_.push_back({time, seconds, OfFrame(device, merged)});
  if (!ring.empty()) {
    const size_t before = pieces.size();
    AddSamples(ring, pieces);
    if (pieces.size() > before) {
      const int64_t first = pieces[before].end.ns - Nanoseconds(pieces[before].seconds);
      Settle(first, newest_, pieces);
    }
  }
  // Given out in order, whether merged, waiting in vain, too many, or after a clock that jumped.
  while (!waiting_.empty()) {
    const BusyPiece& oldest = waiting_.front();
    const int64_t age = time.ns - oldest.end.ns;
    if (!merged && age >= 0 && age < kLongestWait && waiting_.size() <= kMostWaiting) break;
    pieces.push_back(oldest);
    waiting_.pop_front();
  }
}

void BusyTime::Rest(std::vector<BusyPiece>& pieces) const {
  pieces.insert(pieces.end(), waiting_.begin(), waiting_.end());
}

}  // namespace gpusight
