// SPDX-License-Identifier: Apache-2.0
#include "model/known.h"

#include "model/text/absence.h"

namespace gpusight {

std::string Describe(Missing missing, Language language) {
  switch (missing.why) {
    case Absence::kNotSampledYet:
      return Say(language, text::kNotSampledYet);
    case Absence::kNotSupported:
      return Say(language, text::kNotSupported);
    case Absence::kNoSuchCall:
      return Say(language, text::kNoSuchCall);
    case Absence::kNoPermission:
      return Say(language, text::kNoPermission);
    case Absence::kUnderMig:
      return Say(language, text::kUnderMig);
    case Absence::kLost:
      return Say(language, text::kLost);
    case Absence::kNoAnswer:
      return Say(language, text::kNoAnswer);
    case Absence::kImplausible:
      return Say(language, text::kImplausible);
    case Absence::kOutsideNamespace:
      return Say(language, text::kOutsideNamespace);
    case Absence::kGone:
      return Say(language, text::kGone);
    case Absence::kNoLimit:
      return Say(language, text::kNoLimit);
    case Absence::kCountersTaken:
      return Say(language, text::kCountersTaken);
    case Absence::kIncomplete:
      return Say(language, text::kIncomplete);
    case Absence::kDriverError:
      return Say(language, text::kDriverError, missing.code);
  }
  return {};
}

}  // namespace gpusight
