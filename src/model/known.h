// SPDX-License-Identifier: Apache-2.0
// Known<T>: a value, or the reason why there is none. A missing signal is never 0 and never just
// left out: screens, JSON and metrics show the reason. Next: catalog.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/language.h"

namespace gpusight {

enum class Absence : uint8_t {
  kNotSampledYet,     // needs a second sample, or its lane has not run yet
  kNotSupported,      // this device, kernel or framework does not have it
  kNoSuchCall,        // the driver (or kernel) is too old to be asked
  kNoPermission,      // it is there, but not for us
  kUnderMig,          // the driver does not give it while MIG is on
  kLost,              // the device fell off the bus or needs a reset
  kNoAnswer,          // the driver did not answer in time
  kImplausible,       // the driver answered something that cannot be true
  kOutsideNamespace,  // the process lives outside this container
  kGone,              // the process ended while we looked
  kNoLimit,           // there is no such limit
  kCountersTaken,     // another profiler holds the counters
  kIncomplete,        // a sum of which a part is missing
  kNotApplicable,     // there is none here: the pod of a process in no pod
  kDriverError,       // the driver gave the code in `code`
  kSystemError,       // the kernel gave the errno in `code`
  kNotAsked,          // a quick look leaves it out
};

struct Missing {
  Absence why = Absence::kNotSampledYet;
  int code = 0;  // the number for kDriverError and kSystemError, else 0
  friend bool operator==(const Missing&, const Missing&) = default;
};

// The reason in plain words: "not supported", "driver error 999".
[[nodiscard]] std::string Describe(Missing missing, Language language = Language::kEnglish);
void AppendDescription(std::string& out, Missing missing, Language language = Language::kEnglish);

// A value type. Default: not sampled yet.
template <typename T>
class Known {
 public:
  Known() = default;
  Known(T value) : value_(std::move(value)), known_(true) {}  // NOLINT: a value is a known value
  Known(Missing missing) : missing_(missing) {}               // NOLINT
  Known(Absence why) : missing_{why, 0} {}                    // NOLINT

  bool known() const { return known_; }
  explicit operator bool() const { return known_; }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  T value_or(const T& other) const { return known_ ? value_ : other; }
  // Only meaningful when !known().
  Missing missing() const { return missing_; }

  friend bool operator==(const Known& a, const Known& b) {
    return a.known_ == b.known_ && (a.known_ ? a.value_ == b.value_ : a.missing_ == b.missing_);
  }

 private:
  T value_{};
  Missing missing_;
  bool known_ = false;
};

}  // namespace gpusight
