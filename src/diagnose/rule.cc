// SPDX-License-Identifier: Apache-2.0
#include "diagnose/rule.h"

#include <algorithm>

namespace gpusight::diagnose {
namespace {

constexpr double kEase = 0.8;

}  // namespace

bool View::Needs(std::initializer_list<Signal> signals) {
  bool all = true;
  for (const Signal signal : signals) {
    if (!std::isnan(Now(signal))) continue;
    missing_.push_back(signal);
    all = false;
  }
  return all;
}

void View::Wants(std::initializer_list<Signal> signals) {
  for (const Signal signal : signals) {
    if (std::isnan(Now(signal))) wanted_.push_back(signal);
  }
}

bool View::Is(double value, Limit limit) const {
  const bool at_least = LimitRows()[static_cast<size_t>(limit)].at_least;
  const double edge = At(limit);
  if (at_least) return value >= (eased_ ? edge * kEase : edge);
  return value <= (eased_ ? edge / kEase : edge);
}

bool View::WarmedUp() const {
  const Window& w = window();
  const double seconds = At(Limit::kWarmupSeconds) * w.scale();
  if (w.subject.has_page && !std::isnan(w.first_step)) {
    return static_cast<double>(w.steps) >= At(Limit::kWarmupSteps) * std::min(1.0, w.scale() * 2) &&
           w.now() - w.first_step >= seconds;
  }
  if (w.subject.has_page) return false;  // it could tell, and has made no step yet
  return w.seconds() >= seconds;
}

bool View::Starved() const {
  if (!WarmedUp() || !Is(Signal::kIdle, Limit::kIdleWarn)) return false;
  // Where steps are told they must go on.
  return !window().subject.has_page || !(Now(Signal::kSteps) <= 0);
}

Finding View::Make(double severity, double confidence, std::vector<Evidence> evidence) const {
  Finding finding;
  const Subject& subject = window().subject;
  finding.pid = subject.pid;
  finding.start_ticks = subject.start_ticks;
  finding.rank = subject.rank;
  finding.device_uuid = subject.device_uuid;
  finding.severity = std::isfinite(severity) ? std::clamp(severity, 0.0, 1.0) : 0;
  finding.confidence = std::clamp(confidence, 0.0, 1.0);
  finding.evidence = std::move(evidence);
  finding.level =
      severity >= At(Limit::kIdleCritical) ? FindingLevel::kCritical : FindingLevel::kWarning;
  return finding;
}

const Rule* FindRule(std::string_view name) {
  for (const Rule& rule : Rules()) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

}  // namespace gpusight::diagnose
