// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/gpm.h"

#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "probe/nvml/chores.h"
#include "probe/nvml/errors.h"
#include "probe/nvml/read_device.h"

namespace gpusight::nvml {
namespace {

using F = DeviceField;

// Two samples nearer than this give zeros and call it a success.
constexpr double kLeastInterval = 0.1;

struct Metric {
  GpmMetricId id;
  F field;
};
// Of two metrics for one field the later one that exists wins.
constexpr Metric kMetrics[] = {
    {kGpmSm, F::kSmActivity},
    {kGpmOccupancy, F::kSmOccupancy},
    {kGpmAnyTensor, F::kTensorActivity},
    {kGpmHmmaTensor, F::kTensorHalf},
    {kGpmDfmaTensor, F::kTensorDouble},
    {kGpmDmmaTensor, F::kTensorDouble},
    {kGpmImmaTensor, F::kTensorInteger},
    {kGpmFp64, F::kFp64Activity},
    {kGpmFp32, F::kFp32Activity},
    {kGpmFp16, F::kFp16Activity},
    {kGpmInteger, F::kIntegerActivity},
    {kGpmDram, F::kDramActivity},
    {kGpmPcieRx, F::kPcieReceive},
    {kGpmPcieTx, F::kPcieTransmit},
    {kGpmNvlinkRx, F::kNvlinkReceive},
    {kGpmNvlinkTx, F::kNvlinkTransmit},
};
// Metric 1 costs a thousand times as much as all others together, so it comes last or not at all.
constexpr Metric kGraphics{kGpmGraphics, F::kGraphicsActivity};

bool IsPcie(F field) { return field == F::kPcieReceive || field == F::kPcieTransmit; }
bool IsNvlink(F field) { return field == F::kNvlinkReceive || field == F::kNvlinkTransmit; }
bool IsLink(F field) { return IsPcie(field) || IsNvlink(field); }

// A metric that this library does not know "succeeds" with 0; only its empty name gives it away.
bool Exists(const GpmMetric& metric) {
  return metric.result == kSuccess && metric.short_name != nullptr && metric.short_name[0] != '\0';
}

bool IsTaken(Return code) {
  return code == kInUse || code == kInsufficientResources || code == kInvalidState;
}

}  // namespace

void FillGpm(Gpu& gpu, Missing missing) {
  for (const Metric& metric : kMetrics) {
    if (!IsLink(metric.field)) gpu.sample.fields[metric.field] = missing;
  }
  gpu.sample.fields[kGraphics.field] = missing;
}

Return Gpm::Read(Pass& pass, Gpu& gpu) {
  if (refused_) return kSuccess;
  if (base_ == nullptr) {
    if (const Return code = Prepare(pass, gpu); code != kSuccess || refused_) return code;
  }
  const double elapsed = static_cast<double>(pass.mono - base_time_) * 1e-9;
  const bool have_base = base_time_ != kNever;
  if (have_base && elapsed < kLeastInterval) return kSuccess;  // too soon: the figures stay

  Return code = parent_ != nullptr
                    ? pass.driver.Ask(&Calls::nvmlGpmMigSampleGet, parent_, instance_, next_)
                    : pass.driver.Ask(&Calls::nvmlGpmSampleGet, gpu.handle, next_);
  if (code != kSuccess) {
    base_time_ = kNever;
    return Refuse(gpu, code);
  }
  if (have_base) {
    code = Ask(pass, IsDue(pass, graphics_, kShareOfGraphicsActivity, 0));
    if (code != kSuccess) return Refuse(gpu, code);
    // The driver's own grid may have put both samples into one slot: then wait for a longer one.
    if (Take(pass, gpu) == Window::kTooShort) return kSuccess;
  }
  std::swap(base_, next_);
  base_time_ = pass.mono;
  return kSuccess;
}

Return Gpm::Prepare(Pass& pass, Gpu& gpu) {
  if (parent_ == nullptr) {
    GpmSupport support{kGpmVersion, 0};
    const Return code = pass.driver.Ask(&Calls::nvmlGpmQueryDeviceSupport, gpu.handle, &support);
    if (code != kSuccess) return Refuse(gpu, code);
    if (support.supported == 0) return Refuse(gpu, kNotSupported);
  }
  for (GpmSample* sample : {&base_, &next_}) {
    const Return code = pass.driver.Ask(&Calls::nvmlGpmSampleAlloc, sample);
    if (code != kSuccess) {
      Free(pass.driver);
      return Refuse(gpu, code);
    }
  }
  request_ = std::make_unique<GpmMetricsGet>();
  return kSuccess;
}

Return Gpm::Ask(Pass& pass, bool graphics) {
  GpmMetricsGet& request = *request_;
  request.version = kGpmVersion;
  request.count = 0;
  request.first = base_;
  request.second = next_;
  const auto want = [&](GpmMetricId id) {
    request.metrics[request.count++] = {id, static_cast<Return>(-1), 0, nullptr, nullptr, nullptr};
  };
  for (const Metric& metric : kMetrics) want(metric.id);
  if (!graphics) return pass.driver.Ask(&Calls::nvmlGpmMetricsGet, &request);
  const Timed timed(pass, graphics_);
  want(kGraphics.id);
  return pass.driver.Ask(&Calls::nvmlGpmMetricsGet, &request);
}

Gpm::Window Gpm::Take(Pass& pass, Gpu& gpu) {
  const std::span<const GpmMetric> metrics(request_->metrics, request_->count);
  bool all_zero = true, dram_unknown = false;
  for (const GpmMetric& metric : metrics) {
    if (!Exists(metric) || metric.id >= kGpmPcieTx) continue;
    if (std::isnan(metric.value)) {
      dram_unknown = dram_unknown || metric.id == kGpmDram;
    } else {
      all_zero = all_zero && metric.value == 0;
    }
  }
  if (all_zero && dram_unknown) return Window::kTooShort;

  const bool no_nvlink = gpu.sample.fields[F::kNvlinkLinks].value_or(0) == 0;
  for (size_t i = 0; i < metrics.size(); ++i) {
    const Metric& row = i < std::size(kMetrics) ? kMetrics[i] : kGraphics;
    Known<double>& field = gpu.sample.fields[row.field];
    const bool placeholder = IsPcie(row.field) && gpu.sample.info.coherent_link;
    if (!Exists(metrics[i])) {
      if (row.id != kGpmDmmaTensor) field = Absence::kNotSupported;
    } else if ((IsNvlink(row.field) && no_nvlink) || placeholder) {
      field = Absence::kNotSupported;  // it would say 0 without a link
    } else if (std::isnan(metrics[i].value)) {
      field = Absence::kNotSampledYet;
    } else {
      const FieldRow& limits = RowOf(row.field);
      double value = metrics[i].value * limits.picks[0].scale;
      if (limits.most == 1 && value > 1 && value < 1.05) value = 1;  // rounding of the counters
      field = Judge(pass, limits, value);
    }
  }
  // A share of an earlier interval says nothing of this one.
  Known<double>& graphics = gpu.sample.fields[kGraphics.field];
  if (metrics.size() <= std::size(kMetrics) && graphics) graphics = Absence::kNotSampledYet;
  WatchForThieves(gpu, all_zero);
  return Window::kGood;
}

// When another profiler holds the counters, some drivers do not refuse: everything reads 0, even
// the memory traffic that an idle device has, while the device is visibly busy.
void Gpm::WatchForThieves(Gpu& gpu, bool all_zero) {
  const bool busy = gpu.sample.fields[F::kUtilization].value_or(0) >= 0.05;
  zeros_ = all_zero && busy ? zeros_ + 1 : 0;
  if (zeros_ >= 2) FillGpm(gpu, {Absence::kCountersTaken, 0});
}

Return Gpm::Refuse(Gpu& gpu, Return code) {
  if (IsDeviceGone(code) || IsSessionLost(code)) return code;
  if (IsTaken(code)) {
    FillGpm(gpu, {Absence::kCountersTaken, 0});  // and try again: it may let go of them
    return kSuccess;
  }
  refused_ = IsRefusal(code);
  const bool under_mig = gpu.mig_on && !gpu.sample.is_mig_instance();
  FillGpm(gpu, under_mig ? Missing{Absence::kUnderMig, 0} : MissingOf(code));
  return kSuccess;
}

void Gpm::Free(Driver& driver) {
  for (GpmSample* sample : {&base_, &next_}) {
    if (*sample != nullptr) driver.Ask(&Calls::nvmlGpmSampleFree, *sample);
  }
  Forget();
}

void Gpm::Forget() {
  base_ = next_ = nullptr;
  base_time_ = kNever;
  refused_ = false;
  zeros_ = 0;
}

}  // namespace gpusight::nvml
