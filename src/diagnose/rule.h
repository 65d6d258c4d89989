// SPDX-License-Identifier: Apache-2.0
// A rule: a pure function from features to perhaps a finding, in one file of rules/, and one row in
// registry.cc. A rule first says what it needs: where one of these is missing it abstains, and the
// name of the signal is kept. Comparisons with what is not known are false, so that a rule asks for
// what must hold and never for what must not. Next: rules/, registry.cc; engine.h, which asks them.
#pragma once

#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "diagnose/thresholds.h"
#include "diagnose/window.h"
#include "model/finding_text.h"

namespace gpusight::diagnose {

// What one rule is given in one evaluation.
class View {
 public:
  // `eased`: it holds already; it ends at 0.8 of its thresholds only.
  View(const Features& features, const Thresholds& thresholds, bool eased)
      : features_(features), thresholds_(thresholds), eased_(eased) {}

  // Whether all are known. Those that are not are kept.
  bool Needs(std::initializer_list<Signal> signals);
  // Of these it would have been surer; they are named in the finding.
  void Wants(std::initializer_list<Signal> signals);
  // The mean over the short time; not a number where it is not known.
  double Now(Signal signal) const { return features_.now[static_cast<size_t>(signal)]; }
  double Lately(Signal signal) const { return features_.lately[static_cast<size_t>(signal)]; }
  double Most(Signal signal) const { return features_.most[static_cast<size_t>(signal)]; }
  double Last(Signal signal) const { return features_.last[static_cast<size_t>(signal)]; }
  // 0 where it is not known.
  double Or0(Signal signal) const { return std::isnan(Now(signal)) ? 0 : Now(signal); }

  // Whether the value reaches the limit, on the side on which it counts.
  bool Is(double value, Limit limit) const;
  bool Is(Signal signal, Limit limit) const { return Is(Now(signal), limit); }
  double At(Limit limit) const { return thresholds_[limit]; }

  Window& window() const { return *features_.window; }
  const Features& features() const { return features_; }
  // After the warm-up, steps go on, and the device idles.
  bool Starved() const;
  bool WarmedUp() const;
  double Idle() const { return Now(Signal::kIdle); }
  // Seconds of the run that a phase's share is taken of.
  double Observed() const { return window().seconds(); }

  // A finding with what all have; `severity` is the share of wall time lost.
  Finding Make(double severity, double confidence, std::vector<Evidence> evidence) const;
  const std::vector<Signal>& missing() const { return missing_; }
  const std::vector<Signal>& wanted() const { return wanted_; }

 private:
  const Features& features_;
  const Thresholds& thresholds_;
  bool eased_;
  std::vector<Signal> missing_, wanted_;
};

using Decide = std::optional<Finding> (*)(View& view);

// The order in which a finding may explain others: the lower explains the higher.
enum class Tier : uint8_t {
  kHardware,    // G4
  kProgress,    // E4
  kHostMemory,  // F5
  kStart,       // E3
  kCompile,     // C4
  kPhase,       // E1 E2 A8
  kQuota,       // A4
  kLink,        // B3
  kNeighbour,   // F6
  kClock,       // G2 G3
  kInput,       // A and B
  kHost,        // C
  kEfficiency,  // D1
  kInfo,        // D2 G1
  kRisk,        // memory: outside the order
};

struct Rule {
  std::string_view name;
  Tier tier;
  double hold;  // seconds in which it must be true in three of four looks; 0: at once
  Decide decide;
};
[[nodiscard]] std::span<const Rule> Rules();
[[nodiscard]] const Rule* FindRule(std::string_view name);

inline Figure Ratio(double value) { return {Unit::kRatio, value}; }
inline Figure Bytes(double value) { return {Unit::kBytes, value}; }
inline Figure Speed(double value) { return {Unit::kBytesPerSecond, value}; }
inline Figure Seconds(double value) { return {Unit::kSeconds, value}; }
inline Figure Cores(double value) { return {Unit::kCores, value}; }
inline Figure Count(double value) { return {Unit::kCount, value}; }
inline Figure Times(double value) { return {Unit::kNumber, value}; }

}  // namespace gpusight::diagnose
