// SPDX-License-Identifier: Apache-2.0
#include "model/known.h"

#include <fmt/format.h>

#include <cerrno>
#include <iterator>

#include "model/text/absence.h"

namespace gpusight {

namespace {

const Text& TextOf(Absence why) {
  switch (why) {
    case Absence::kNotSampledYet:
      return text::kNotSampledYet;
    case Absence::kNotSupported:
      return text::kNotSupported;
    case Absence::kNoSuchCall:
      return text::kNoSuchCall;
    case Absence::kNoPermission:
      return text::kNoPermission;
    case Absence::kUnderMig:
      return text::kUnderMig;
    case Absence::kLost:
      return text::kLost;
    case Absence::kNoAnswer:
      return text::kNoAnswer;
    case Absence::kImplausible:
      return text::kImplausible;
    case Absence::kOutsideNamespace:
      return text::kOutsideNamespace;
    case Absence::kGone:
      return text::kGone;
    case Absence::kNoLimit:
      return text::kNoLimit;
    case Absence::kCountersTaken:
      return text::kCountersTaken;
    case Absence::kIncomplete:
      return text::kIncomplete;
    case Absence::kNotApplicable:
      return text::kNotApplicable;
    case Absence::kDriverError:
      return text::kDriverError;
    case Absence::kSystemError:
      return text::kSystemError;
    case Absence::kNotAsked:
      return text::kNotAsked;
  }
  return text::kNotSampledYet;
}

}  // namespace

void AppendDescription(std::string& out, Missing missing, Language language) {
  const bool system = missing.why == Absence::kSystemError;
  const bool full = system && (missing.code == EMFILE || missing.code == ENFILE);
  const Text& text = full ? text::kTooManyFiles : TextOf(missing.why);
  if (!full && (system || missing.why == Absence::kDriverError)) {
    fmt::format_to(std::back_inserter(out), fmt::runtime(text.In(language)), missing.code);
  } else {
    out += text.In(language);
  }
}

std::string Describe(Missing missing, Language language) {
  std::string out;
  AppendDescription(out, missing, language);
  return out;
}

}  // namespace gpusight
