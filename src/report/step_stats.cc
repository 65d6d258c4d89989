// SPDX-License-Identifier: Apache-2.0
#include "report/step_stats.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpusight::report {
namespace {

constexpr double kShortest = 1e-6, kGrowth = 1.01;
constexpr size_t kBins = 2600;  // up to two days
constexpr size_t kMostSlowest = 64, kMostOutliers = 20, kMostShown = 60;

size_t BinOf(double seconds) {
  if (!(seconds > kShortest)) return 0;
  const double bin = std::log(seconds / kShortest) / std::log(kGrowth) + 1;
  return std::min(static_cast<size_t>(bin), kBins - 1);
}
double Lower(size_t bin) {
  return bin == 0 ? 0 : kShortest * std::pow(kGrowth, static_cast<double>(bin) - 1);
}

// The middle of the bin in which that share of all lies.
double Percentile(const std::vector<uint64_t>& bins, uint64_t count, double share) {
  const auto rank = static_cast<uint64_t>(std::ceil(share * static_cast<double>(count)));
  uint64_t seen = 0;
  for (size_t i = 0; i < bins.size(); ++i) {
    seen += bins[i];
    if (seen >= rank && seen > 0) return std::sqrt(std::max(Lower(i), 1e-9) * Lower(i + 1));
  }
  return 0;
}

// Bins joined until there are few enough to be drawn. What lies above `far` is one bin, so that a
// single slow step does not press all others into a corner.
std::vector<StepBin> Drawn(const std::vector<uint64_t>& bins, double far, double most) {
  std::vector<StepBin> drawn;
  const auto first = std::find_if(bins.begin(), bins.end(), [](uint64_t n) { return n > 0; });
  if (first == bins.end()) return drawn;
  const auto begin = static_cast<size_t>(first - bins.begin());
  const size_t end = std::max(BinOf(std::min(far, most)), begin) + 1;
  const size_t width = (end - begin + kMostShown - 2) / (kMostShown - 1);
  for (size_t i = begin; i < end; i += width) {
    const size_t stop = std::min(i + width, end);
    StepBin bin{Lower(i), Lower(stop), 0};
    for (size_t j = i; j < stop; ++j) bin.steps += bins[j];
    drawn.push_back(bin);
  }
  StepBin rest{Lower(end), most, 0};
  for (size_t j = end; j < bins.size(); ++j) rest.steps += bins[j];
  if (rest.steps > 0) drawn.push_back(rest);
  return drawn;
}

bool Slower(const StepSample& a, const StepSample& b) { return a.seconds > b.seconds; }

}  // namespace

void StepBuilder::Add(const record::RecordedStep& step) {
  const StepSample& s = step.step;
  // The first step of a program has no step before it.
  if (!(s.seconds > 0) || !std::isfinite(s.seconds) || step.merged == 0) return;
  const double data =
      std::clamp(std::isfinite(s.data_seconds) ? s.data_seconds : 0, 0.0, s.seconds);
  const auto count = static_cast<double>(step.merged);
  const bool one = step.merged == 1;
  const double least = one ? s.seconds : std::min(step.least, s.seconds);
  const double most = one ? s.seconds : std::max(step.most, s.seconds);
  StepReport& r = report_;
  r.least = r.steps == 0 ? least : std::min(r.least, least);
  r.most = std::max(r.most, most);
  r.steps += step.merged;
  r.merged += one ? 0 : step.merged;
  r.seconds += s.seconds * count;
  r.data_seconds += data * count;
  if (bins_.empty()) {
    bins_.resize(kBins);
    r.sums.resize(grid_->count);
    r.most_curve.resize(grid_->count, kNone);
  }
  bins_[BinOf(s.seconds)] += step.merged;
  const size_t piece = grid_->At(s.end);
  StepSums& sums = r.sums[piece];
  sums.steps += count;
  sums.seconds += s.seconds * count;
  sums.data_seconds += data * count;
  double& peak = r.most_curve[piece];
  peak = std::isnan(peak) ? most : std::max(peak, most);
  if (!one) return;
  if (slowest_.size() == kMostSlowest) {
    if (s.seconds <= slowest_.front().seconds) return;
    std::pop_heap(slowest_.begin(), slowest_.end(), Slower);
    slowest_.pop_back();
  }
  slowest_.push_back(s);
  std::push_heap(slowest_.begin(), slowest_.end(), Slower);
}

StepReport StepBuilder::Take() {
  StepReport r = std::exchange(report_, {});
  if (r.steps == 0) return r;
  r.mean = r.seconds / static_cast<double>(r.steps);
  const auto percentile = [&](double share) {
    return std::clamp(Percentile(bins_, r.steps, share), r.least, r.most);
  };
  r.p50 = percentile(0.5);
  r.p95 = percentile(0.95);
  r.p99 = percentile(0.99);
  r.histogram = Drawn(bins_, 1.5 * r.p99, r.most);
  for (size_t i = BinOf(2 * r.p50) + 1; i < bins_.size(); ++i) r.outlier_count += bins_[i];
  std::sort(slowest_.begin(), slowest_.end(), Slower);
  for (const StepSample& step : slowest_) {
    if (step.seconds <= 2 * r.p50 || r.outliers.size() == kMostOutliers) break;
    r.outliers.push_back(step);
  }
  r.outlier_count = std::max<uint64_t>(r.outlier_count, r.outliers.size());
  r.mean_curve.resize(r.sums.size(), kNone);
  r.data_share.resize(r.sums.size(), kNone);
  for (size_t i = 0; i < r.sums.size(); ++i) {
    const StepSums& sums = r.sums[i];
    if (sums.steps == 0) continue;
    r.mean_curve[i] = sums.seconds / sums.steps;
    r.data_share[i] = sums.data_seconds / sums.seconds;
  }
  bins_ = {};
  return r;
}

}  // namespace gpusight::report
