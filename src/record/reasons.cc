// SPDX-License-Identifier: Apache-2.0
#include "record/reasons.h"

namespace gpusight::record {
namespace {

// In the order of the enum.
constexpr int kLast = static_cast<int>(Absence::kNotAsked);

}  // namespace

std::string_view ReasonName(Absence why) {
  switch (why) {
    case Absence::kNotSampledYet:
      return "not_sampled_yet";
    case Absence::kNotSupported:
      return "not_supported";
    case Absence::kNoSuchCall:
      return "no_such_call";
    case Absence::kNoPermission:
      return "no_permission";
    case Absence::kUnderMig:
      return "under_mig";
    case Absence::kLost:
      return "lost";
    case Absence::kNoAnswer:
      return "no_answer";
    case Absence::kImplausible:
      return "implausible";
    case Absence::kOutsideNamespace:
      return "outside_namespace";
    case Absence::kGone:
      return "gone";
    case Absence::kNoLimit:
      return "no_limit";
    case Absence::kCountersTaken:
      return "counters_taken";
    case Absence::kIncomplete:
      return "incomplete";
    case Absence::kNotApplicable:
      return "not_applicable";
    case Absence::kDriverError:
      return "driver_error";
    case Absence::kSystemError:
      return "system_error";
    case Absence::kNotAsked:
      return "not_asked";
  }
  return "not_asked";
}

Absence ParseReason(std::string_view name) {
  for (int i = 0; i <= kLast; ++i) {
    if (ReasonName(static_cast<Absence>(i)) == name) return static_cast<Absence>(i);
  }
  return Absence::kNotAsked;
}

}  // namespace gpusight::record
