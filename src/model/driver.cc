// SPDX-License-Identifier: Apache-2.0
#include "model/driver.h"

#include <cerrno>

#include "model/text/driver.h"

namespace gpusight {
namespace {

// The driver's own numbers (NVML's return codes) that have a sentence of their own.
constexpr int kNotLoaded = 9, kLost = 15, kUnknown = 999, kNoDescriptors = -EMFILE;

struct Words {
  const Text* what;
  const Text* remedy;
};

Words WordsFor(const DriverInfo& driver) {
  switch (driver.state) {
    case DriverState::kOk:
      return {&text::kDriverOk, nullptr};
    case DriverState::kNoLibrary:
      return {&text::kDriverNoLibrary, &text::kDriverNoLibraryRemedy};
    case DriverState::kMismatch:
      return {&text::kDriverMismatch, &text::kDriverMismatchRemedy};
    case DriverState::kNoPermission:
      return {&text::kDriverNoPermission, &text::kDriverNoPermissionRemedy};
    case DriverState::kNoDevice:
      return {&text::kDriverNoDevice, &text::kDriverNoDeviceRemedy};
    case DriverState::kNoAnswer:
      if (driver.version.empty()) return {&text::kDriverNotYet, &text::kDriverNotYetRemedy};
      return {&text::kDriverNoAnswer, &text::kDriverNoAnswerRemedy};
    case DriverState::kError:
      break;
  }
  switch (driver.code) {
    case kNotLoaded:
      return {&text::kDriverNotLoaded, &text::kDriverNotLoadedRemedy};
    case kLost:
      return {&text::kDriverLost, &text::kDriverLostRemedy};
    case kNoDescriptors:
      return {&text::kDriverNoDescriptors, &text::kDriverNoDescriptorsRemedy};
    case kUnknown:
      return {&text::kDriverUnknown, &text::kDriverUnknownRemedy};
    default:
      return {&text::kDriverInitError, &text::kDriverInitErrorRemedy};
  }
}

}  // namespace

std::string Describe(const DriverInfo& driver, Language language) {
  const Text& what = *WordsFor(driver).what;
  if (&what == &text::kDriverInitError) return Say(language, what, driver.code);
  if (driver.state == DriverState::kNoAnswer) return Say(language, what, driver.silent_seconds);
  return Say(language, what);
}

std::string RemedyFor(const DriverInfo& driver, Language language) {
  const Text* remedy = WordsFor(driver).remedy;
  return remedy == nullptr ? std::string() : Say(language, *remedy);
}

}  // namespace gpusight
