// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/track.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace gpusight::fake {

namespace {

constexpr double kShortestPeriod = 0.01, kLatest = 1e9;  // seconds

// A number in [-1, 1) that depends on nothing but `n` (the finalizer of SplitMix64).
double Noise(uint64_t n) {
  n += 0x9e3779b97f4a7c15u;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
  n ^= n >> 31;
  return static_cast<double>(n >> 11) * 0x1p-52 - 1.0;
}

}  // namespace

Track::Track(std::vector<Point> points, Shape shape) : points_(std::move(points)), shape_(shape) {}

double Track::Smooth(double time) const {
  if (points_.empty()) return 0;
  if (shape_.period > 0) time -= std::floor(time / shape_.period) * shape_.period;
  const auto after = std::upper_bound(points_.begin(), points_.end(), time,
                                      [](double t, const Point& p) { return t < p.time; });
  if (after == points_.begin()) return points_.front().value;
  const Point& left = *(after - 1);
  if (shape_.step || after == points_.end()) return left.value;
  return left.value + (after->value - left.value) * (time - left.time) / (after->time - left.time);
}

double Track::Jittered(double value, double time, double amount) const {
  if (amount == 0) return value;
  const auto slot = static_cast<int64_t>(std::floor(time / shape_.jitter_seconds));
  value += amount * Noise(static_cast<uint64_t>(slot));
  return std::min(std::max(value, shape_.min), shape_.max);
}

double Track::At(double time) const { return Jittered(Smooth(time), time, shape_.jitter); }

double Track::WithinPeriod(double time) const {
  double sum = std::min(time, points_.front().time) * points_.front().value;
  for (size_t i = 0; i < points_.size() && points_[i].time < time; ++i) {
    const Point& left = points_[i];
    const bool last = i + 1 == points_.size();
    const double end = last ? time : std::min(points_[i + 1].time, time);
    if (end <= left.time) continue;
    double right = left.value;
    if (!shape_.step && !last) {
      const Point& next = points_[i + 1];
      right += (next.value - left.value) * (end - left.time) / (next.time - left.time);
    }
    sum += (end - left.time) * (left.value + right) / 2;
  }
  return sum;
}

double Track::Integral(double time) const {
  if (points_.empty()) return 0;
  if (shape_.period <= 0) {
    return time < 0 ? time * points_.front().value : WithinPeriod(time);
  }
  const double periods = std::floor(time / shape_.period);
  const double whole = periods == 0 ? 0 : periods * WithinPeriod(shape_.period);
  return whole + WithinPeriod(time - periods * shape_.period);
}

double Track::Mean(double from, double to) const {
  if (to <= from) return At(to);
  const double mean = (Integral(to) - Integral(from)) / (to - from);
  const double slots = std::max(1.0, (to - from) / shape_.jitter_seconds);
  return Jittered(mean, to, shape_.jitter / std::sqrt(slots));
}

Track ReadTrack(const Node& node) {
  if (!node.there()) return {};
  if (node.is_number()) return Track(node.Number());
  std::vector<Node> elements;
  Track::Shape shape;
  if (node.is_array()) {
    elements = node.Elements();
  } else {
    node.Allow({"points", "step", "period", "jitter", "jitter_seconds", "min", "max"});
    elements = node["points"].Elements();
    shape.step = node["step"].Bool();
    shape.period = node["period"].Number();
    shape.jitter = node["jitter"].Number();
    shape.jitter_seconds = node["jitter_seconds"].Number(shape.jitter_seconds);
    if (!(shape.jitter_seconds >= kShortestPeriod)) {
      node["jitter_seconds"].Fail("must be at least 0.01");
    }
    shape.min = node["min"].Number(shape.min);
    shape.max = node["max"].Number(shape.max);
    if (shape.period != 0 && !(shape.period >= kShortestPeriod)) {
      node["period"].Fail("must be at least 0.01");
    }
  }
  std::vector<Track::Point> points;
  for (const Node& element : elements) {
    const std::vector<Node> pair = element.Elements();
    if (pair.size() != 2) {
      element.Fail("expected [seconds, value]");
      return {};
    }
    points.push_back({pair[0].Number(), pair[1].Number()});
    const double time = points.back().time;
    if (time < 0 || time > kLatest) element.Fail("a time must be 0 to 1e9");
    if (shape.period > 0 && time >= shape.period) element.Fail("a time must lie below the period");
    if (points.size() > 1 && time <= points[points.size() - 2].time) {
      element.Fail("times must increase");
    }
  }
  if (points.empty()) {
    node.Fail("a track needs at least one point");
    return {};
  }
  return {std::move(points), shape};
}

}  // namespace gpusight::fake
