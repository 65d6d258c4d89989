// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/control.h"

#include "testing/fake_nvml/driver.h"

using gpusight::fake::CallNamed;
using gpusight::fake::Driver;

void gpusightFakeSetTime(double seconds) { Driver::Get().SetTime(seconds); }

int gpusightFakeReload(const char* path) { return Driver::Get().Reload(path); }

uint64_t gpusightFakeCalls(const char* name) {
  const auto call = CallNamed(name);
  return call ? Driver::Get().Calls(*call) : ~uint64_t{0};
}

namespace {

// For programs that end without nvmlShutdown().
[[gnu::destructor]] void AtExit() { Driver::Get().WriteCalls(); }

}  // namespace
