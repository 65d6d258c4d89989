// SPDX-License-Identifier: Apache-2.0
// What the fake library exports besides NVML, for tests in the same process (dlsym or fake.h).
#pragma once

#include <cstdint>

extern "C" {
// Stops the scenario's time and sets it; calls that hang or wait for events notice.
void gpusightFakeSetTime(double seconds);
// Loads another scenario (null: GPUSIGHT_FAKE_SCENARIO again) and starts its time; 0 or an NVML
// code. Handles and event sets of before are gone; users stay counted.
int gpusightFakeReload(const char* path);
// How often a function was called in this process; ~0 when the fake has no such function.
uint64_t gpusightFakeCalls(const char* name);
}
