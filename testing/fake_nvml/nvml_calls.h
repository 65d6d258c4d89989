// SPDX-License-Identifier: Apache-2.0
// For tests of the fake itself: its functions by name, looked up as any program would.
#pragma once

#include <dlfcn.h>

#include <string>
#include <type_traits>

#include "testing/fake_nvml/calls.h"
#include "testing/fake_nvml/fake.h"

namespace gpusight::fake {

// A member of each function's name, null where dlsym() does not find it.
struct NvmlCalls {
  explicit NvmlCalls(const std::string& library = LibraryPath()) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
#define GPUSIGHT_FAKE_RESOLVE(name, parameters) \
  name = reinterpret_cast<decltype(name)>(handle == nullptr ? nullptr : dlsym(handle, #name));
    GPUSIGHT_NVML_CALLS(GPUSIGHT_FAKE_RESOLVE)
    GPUSIGHT_FAKE_EXTRA_CALLS(GPUSIGHT_FAKE_RESOLVE)
#undef GPUSIGHT_FAKE_RESOLVE
  }
#define GPUSIGHT_FAKE_MEMBER(name, parameters) decltype(&nvml::name) name = nullptr;
  GPUSIGHT_NVML_CALLS(GPUSIGHT_FAKE_MEMBER)
  GPUSIGHT_FAKE_EXTRA_CALLS(GPUSIGHT_FAKE_MEMBER)
#undef GPUSIGHT_FAKE_MEMBER
};

// An initialised driver that stands at time 0, with the first device's handle.
struct Played {
  explicit Played(const std::string& scenario, const std::string& library = LibraryPath())
      : control(scenario, library), call(library) {
    control.SetTime(0);
    init = call.nvmlInit_v2();
    if (init == nvml::kSuccess) call.nvmlDeviceGetHandleByIndex_v2(0, &device);
  }
  ~Played() { call.nvmlShutdown(); }
  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;

  Control control;
  NvmlCalls call;
  nvml::Return init = nvml::kUnknown;
  nvml::Device device = nullptr;
};

}  // namespace gpusight::fake
