// SPDX-License-Identifier: Apache-2.0
#include "report/curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpusight::report {
void CurveBuilder::Add(Reach reach, const Known<double>& value) {
  Add(reach, value, value.value_or(0), value.value_or(0));
}

void CurveBuilder::Add(Reach reach, const Known<double>& value, double least, double most) {
  used_ = true;
  // The first frame of a recording has no time of its own.
  const double seconds = std::clamp(reach.seconds, 1e-3, kLongestReach);
  if (!value || !std::isfinite(*value)) {
    missing_seconds_ += seconds;
    missing_ = value ? Missing{Absence::kImplausible, 0} : value.missing();
    return;
  }
  if (pieces_.empty()) pieces_.resize(grid_->count);
  least = std::min(least, *value);
  most = std::max(most, *value);
  if (all_.weight == 0 || most > all_.most) most_at_ = reach.end;
  const auto put = [&](Piece& piece, double weight) {
    piece.weight += weight;
    piece.sum += weight * *value;
    piece.least = std::min(piece.least, least);
    piece.most = std::max(piece.most, most);
  };
  put(all_, seconds);
  // Spread over what it reaches back to, so that a piece between two frames does not look empty.
  const double end = static_cast<double>(reach.end.ns - grid_->start.ns) * 1e-9;
  const size_t last = grid_->At(reach.end);
  const double begin = end - seconds;
  size_t first = last;
  while (first > 0 && grid_->Begin(first) > begin) --first;
  for (size_t i = first; i <= last; ++i) {
    const double from = std::max(begin, grid_->Begin(i));
    const double to = std::min(end, grid_->Begin(i + 1));
    const double weight = i == last ? std::max(to - from, 1e-6) : to - from;
    if (weight > 1e-3 * grid_->step || i == last) put(pieces_[i], weight);
  }
}

void CurveBuilder::Widen(Reach reach, double least, double most) {
  if (pieces_.empty() || !std::isfinite(least) || !std::isfinite(most)) return;
  if (most > all_.most) most_at_ = reach.end;
  const auto widen = [&](Piece& piece) {
    if (piece.weight == 0) return;
    piece.least = std::min(piece.least, least);
    piece.most = std::max(piece.most, most);
  };
  widen(all_);
  const size_t last = grid_->At(reach.end);
  const size_t first = grid_->At({reach.end.ns - static_cast<int64_t>(reach.seconds * 1e9) + 1});
  for (size_t i = first; i <= last; ++i) widen(pieces_[i]);
}

Curve CurveBuilder::Take() {
  Curve curve;
  curve.missing_seconds = missing_seconds_;
  curve.missing = missing_;
  if (all_.weight == 0) {
    curve.level = missing_;
    return curve;
  }
  curve.level = Level{all_.weight, all_.sum / all_.weight, all_.least, all_.most, most_at_};
  for (std::vector<double>* part : {&curve.mean, &curve.least, &curve.most}) {
    part->resize(pieces_.size(), kNone);
  }
  for (size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.weight == 0) continue;
    curve.mean[i] = std::clamp(piece.sum / piece.weight, piece.least, piece.most);
    curve.least[i] = piece.least;
    curve.most[i] = piece.most;
  }
  pieces_ = {};
  return curve;
}

Known<double> Growth::Since(const Known<double>& counter) {
  if (!counter) return counter;
  const Known<double> before = std::exchange(last_, counter);
  if (!before) return Absence::kNotSampledYet;
  known_ = true;
  const double grown = *counter >= *before ? *counter - *before : *counter;
  total_ += grown;
  return grown;
}

}  // namespace gpusight::report
