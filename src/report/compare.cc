// SPDX-License-Identifier: Apache-2.0
#include "report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gpusight::report {
namespace {

using Pieces = std::vector<RatioPiece>;

size_t FirstPiece(const Report& report, double skip) {
  return skip <= 0
             ? 0
             : report.grid.At({report.summary.span.begin.ns + static_cast<int64_t>(skip * 1e9)}) +
                   1;
}

// Of all processes that step: what StepSums says `above` and `below` are.
Pieces StepPieces(const Report& report, size_t first, double StepSums::* above,
                  double StepSums::* below) {
  Pieces pieces(report.grid.count);
  for (const ProcessReport& process : report.processes) {
    if (!process.steps) continue;
    const auto& sums = process.steps->sums;
    for (size_t i = first; i < sums.size(); ++i) {
      pieces[i].above += sums[i].*above;
      pieces[i].below += sums[i].*below;
    }
  }
  std::erase_if(pieces, [](const RatioPiece& p) { return p.below <= 0; });
  return pieces;
}

// The mean of all devices that have it.
Pieces DevicePieces(const Report& report, size_t first, std::string_view name) {
  Pieces pieces(report.grid.count);
  for (const DeviceReport& device : report.devices) {
    const Curve* curve = device.Find(name);
    if (curve == nullptr) continue;
    for (size_t i = first; i < curve->mean.size(); ++i) {
      if (std::isnan(curve->mean[i])) continue;
      pieces[i].above += curve->mean[i];
      pieces[i].below += 1;
    }
  }
  std::erase_if(pieces, [](const RatioPiece& p) { return p.below <= 0; });
  return pieces;
}

// Joules over steps, in pieces in which power is known.
Pieces EnergyPieces(const Report& report, size_t first) {
  Pieces pieces(report.grid.count);
  for (const DeviceReport& device : report.devices) {
    const Curve* power = device.Find("power_watts");
    if (power == nullptr) continue;
    double all = 0;
    for (const double watts : power->mean) all += std::isnan(watts) ? 0 : watts * report.grid.step;
    // So that all of them are the device's energy.
    const double scale = device.energy && all > 0 ? *device.energy / all : 1;
    for (size_t i = first; i < power->mean.size(); ++i) {
      if (std::isnan(power->mean[i])) continue;
      pieces[i].above += power->mean[i] * report.grid.step * scale;
    }
  }
  bool any = false;
  for (const ProcessReport& process : report.processes) {
    if (!process.steps) continue;
    const auto& sums = process.steps->sums;
    for (size_t i = first; i < sums.size(); ++i) {
      pieces[i].below += sums[i].steps;
      any = any || sums[i].steps > 0;
    }
  }
  if (!any) return {};
  // A piece without a step still took energy for those around it.
  std::erase_if(pieces, [](const RatioPiece& p) { return p.above <= 0 && p.below <= 0; });
  return pieces;
}

Comparison Resampled(std::string_view name, Unit unit, int better, const Pieces& a, const Pieces& b,
                     Missing without) {
  Comparison row{name, unit, without, without, Certainty::kTooShort, {}, better};
  if (!a.empty()) row.a = RatioOf(a);
  if (!b.empty()) row.b = RatioOf(b);
  if (!row.a || !row.b) return row;
  row.difference = Bootstrap(a, b);
  if (row.difference.known) row.certainty = Certainty::kResampled;
  return row;
}

Comparison Single(std::string_view name, Unit unit, int better, const Known<double>& a,
                  const Known<double>& b) {
  return {name, unit, a, b, Certainty::kSingle, {}, better};
}

Known<double> MostOf(const Report& report, Known<double> ProcessReport::* member) {
  Known<double> most = Absence::kNotApplicable;
  for (const ProcessReport& process : report.processes) {
    const Known<double>& value = process.*member;
    if (value && (!most || *value > *most)) most = value;
  }
  return most;
}

Known<double> StepPercentile(const Report& report, double StepReport::* member) {
  Known<double> slowest = Absence::kNotApplicable;
  for (const ProcessReport& process : report.processes) {
    if (!process.steps) continue;
    const double value = (*process.steps).*member;
    if (!slowest || value > *slowest) slowest = value;
  }
  return slowest;
}

Missing WhyWithout(const Report& report, std::string_view name) {
  const Known<double> mean = MeanOf(report, name);
  return mean ? Missing{Absence::kNotSampledYet, 0} : mean.missing();
}

std::map<std::string, std::string> FactsOf(const Report& report) {
  std::map<std::string, std::string> facts;
  const record::Summary& summary = report.summary;
  facts["arguments"] = fmt::format("{}", fmt::join(summary.facts.arguments, " "));
  facts["driver"] = summary.driver.version;
  facts["kernel"] = summary.kernel;
  facts["hostname"] = summary.hostname;
  facts["git_commit"] =
      summary.facts.git_commit + (summary.facts.git_changed.value_or(false) ? "*" : "");
  std::map<std::string, int> names;
  for (const DeviceReport& device : report.devices) ++names[device.info.name];
  for (const auto& [name, count] : names) {
    std::string& devices = facts["devices"];
    devices += fmt::format("{}{} × {}", devices.empty() ? "" : ", ", count, name);
  }
  for (const auto& [name, value] : summary.facts.versions) facts[name] = value;
  for (const auto& [name, value] : summary.facts.tags) facts["tag " + name] = value;
  for (const auto& [name, value] : summary.facts.environment) facts["env " + name] = value;
  for (const ProcessReport& process : report.processes) {
    if (process.framework.pid == 0) continue;
    facts["dtype"] = process.framework.dtype;
    facts["allocator_settings"] = process.framework.settings;
    facts["world_size"] = std::to_string(process.framework.world_size);
    break;
  }
  return facts;
}

std::vector<Unlike> UnlikeOf(const Report& a, const Report& b) {
  constexpr size_t kMost = 100;
  std::vector<Unlike> unlike;
  auto left = FactsOf(a), right = FactsOf(b);
  for (const auto& [name, value] : left) right.try_emplace(name);
  for (const auto& [name, value] : right) {
    const std::string& other = left[name];
    if (other != value && unlike.size() < kMost) unlike.push_back({name, other, value});
  }
  return unlike;
}

}  // namespace

Known<double> Comparison::change() const {
  if (!a) return a;
  if (!b) return b;
  return *b - *a;
}

bool Comparison::sure() const {
  return certainty == Certainty::kResampled &&
         (difference.absolute.low > 0 || difference.absolute.high < 0);
}

Comparisons Compare(const Report& a, const Report& b, double skip) {
  Comparisons out;
  out.skipped_seconds = skip;
  out.unlike = UnlikeOf(a, b);
  const size_t first_a = FirstPiece(a, skip), first_b = FirstPiece(b, skip);
  const Missing no_steps{Absence::kNotApplicable, 0};
  const auto steps = [&](std::string_view name, Unit unit, int better, double StepSums::* above,
                         double StepSums::* below) {
    out.rows.push_back(Resampled(name, unit, better, StepPieces(a, first_a, above, below),
                                 StepPieces(b, first_b, above, below), no_steps));
  };
  steps("step_seconds", Unit::kSeconds, -1, &StepSums::seconds, &StepSums::steps);
  out.rows.push_back(Single("step_p50_seconds", Unit::kSeconds, -1,
                            StepPercentile(a, &StepReport::p50),
                            StepPercentile(b, &StepReport::p50)));
  out.rows.push_back(Single("step_p99_seconds", Unit::kSeconds, -1,
                            StepPercentile(a, &StepReport::p99),
                            StepPercentile(b, &StepReport::p99)));
  steps("data_wait_ratio", Unit::kRatio, -1, &StepSums::data_seconds, &StepSums::seconds);
  struct Resample {
    std::string_view name;
    Unit unit;
    int better;
  };
  for (const Resample& metric : {Resample{"utilization_ratio", Unit::kRatio, 1},
                                 Resample{"sm_activity_ratio", Unit::kRatio, 1},
                                 Resample{"tensor_activity_ratio", Unit::kRatio, 0},
                                 Resample{"dram_activity_ratio", Unit::kRatio, 0},
                                 Resample{"power_watts", Unit::kWatts, 0}}) {
    Comparison row =
        Resampled(metric.name, metric.unit, metric.better, DevicePieces(a, first_a, metric.name),
                  DevicePieces(b, first_b, metric.name), {});
    if (!row.a) row.a = WhyWithout(a, metric.name);
    if (!row.b) row.b = WhyWithout(b, metric.name);
    out.rows.push_back(std::move(row));
  }
  out.rows.push_back(Resampled("energy_per_step_joules", Unit::kJoules, -1,
                               EnergyPieces(a, first_a), EnergyPieces(b, first_b), no_steps));
  const auto single = [&](std::string_view name, Unit unit, int better, const Known<double>& x,
                          const Known<double>& y) {
    out.rows.push_back(Single(name, unit, better, x, y));
  };
  single("energy_joules", Unit::kJoules, -1, EnergyOf(a), EnergyOf(b));
  single("duration_seconds", Unit::kSeconds, -1, a.summary.span.seconds(),
         b.summary.span.seconds());
  single("memory_peak_bytes", Unit::kBytes, -1, PeakUsed(a), PeakUsed(b));
  const auto peak = [&](std::string_view name, Known<double> ProcessReport::* member) {
    single(name, Unit::kBytes, -1, MostOf(a, member), MostOf(b, member));
  };
  peak("process_memory_peak_bytes", &ProcessReport::memory_peak);
  peak("allocated_peak_bytes", &ProcessReport::allocated_peak);
  peak("reserved_peak_bytes", &ProcessReport::reserved_peak);
  return out;
}

}  // namespace gpusight::report
