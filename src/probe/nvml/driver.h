// SPDX-License-Identifier: Apache-2.0
// The one way by which gpusight calls the driver: it treats a missing function as an answer,
// counts the calls, and stops calling once its owner has gone. Next: errors.h.
#pragma once

#include <atomic>
#include <cstdint>

#include "probe/nvml/library.h"

namespace gpusight::nvml {

// Belongs to the driver thread, except for Abandon().
class Driver {
 public:
  explicit Driver(const Calls* calls = nullptr) : calls_(calls) {}

  void Use(const Calls* calls) { calls_ = calls; }

  // Calls it, or answers kFunctionNotFound when this driver has no such function.
  template <typename... Parameters, typename... Arguments>
  Return Ask(Return (*Calls::*call)(Parameters...), Arguments... arguments) {
    if (calls_ == nullptr || abandoned_.load(std::memory_order_relaxed)) return kUninitialized;
    const auto function = calls_->*call;
    if (function == nullptr) return kFunctionNotFound;
    ++count_;
    return function(arguments...);
  }

  bool Has(auto Calls::* call) const { return calls_ != nullptr && calls_->*call != nullptr; }

  uint64_t count() const { return count_; }

  // From another thread: no further call reaches the library. One that hangs goes on hanging.
  void Abandon() { abandoned_ = true; }
  bool abandoned() const { return abandoned_; }

 private:
  const Calls* calls_;
  uint64_t count_ = 0;
  std::atomic<bool> abandoned_{false};
};

}  // namespace gpusight::nvml
