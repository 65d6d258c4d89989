// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/library.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <bit>

#include "model/text/driver.h"

namespace gpusight::nvml {
namespace {

constexpr const char* kPlaces[] = {
    "libnvidia-ml.so.1",
    "/usr/lib/wsl/lib/libnvidia-ml.so.1",
    "/usr/lib/x86_64-linux-gnu/nvidia/current/libnvidia-ml.so.1",
    "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1",
    "/usr/lib/aarch64-linux-gnu/nvidia/current/libnvidia-ml.so.1",
    "/usr/lib/aarch64-linux-gnu/libnvidia-ml.so.1",
    "/usr/lib64/libnvidia-ml.so.1",
    "/usr/local/nvidia/lib64/libnvidia-ml.so.1",
    "/run/nvidia/driver/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1",
    "/run/opengl-driver/lib/libnvidia-ml.so.1",
    "/usr/lib/nvidia/libnvidia-ml.so.1",
};

void Resolve(void* handle, Calls& calls){
#define GPUSIGHT_CALL(name, parameters) \
  calls.name = std::bit_cast<decltype(calls.name)>(dlsym(handle, #name));
    GPUSIGHT_NVML_CALLS(GPUSIGHT_CALL)
#undef GPUSIGHT_CALL
}

// The file behind the loaded library, or the name it was asked for by.
std::string FileOf(const Calls& calls, const char* name) {
  const auto* symbol = calls.nvmlInit_v2 != nullptr
                           ? std::bit_cast<const void*>(calls.nvmlInit_v2)
                           : std::bit_cast<const void*>(calls.nvmlInitWithFlags);
  Dl_info info{};
  if (dladdr(symbol, &info) != 0 && info.dli_fname != nullptr) return info.dli_fname;
  return name;
}

}  // namespace

std::span<const char* const> LibraryPlaces() { return kPlaces; }

Library& Library::operator=(Library&& other) noexcept {
  if (this != &other) {
    Close();
    handle_ = std::exchange(other.handle_, nullptr);
    calls_ = std::exchange(other.calls_, {});
    path_ = std::move(other.path_);
  }
  return *this;
}

void Library::Close() {
  if (handle_ != nullptr) dlclose(handle_);
  handle_ = nullptr;
  calls_ = {};
}

Result<Library> Library::Open(const std::string& path) {
  const auto remedy = text::kDriverNoLibraryRemedy.english;
  std::string first_reason;
  const auto try_one = [&](const char* name) -> Library {
    Library library;
    library.handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library.handle_ == nullptr) {
      const char* reason = dlerror();
      if (first_reason.empty() && reason != nullptr) first_reason = reason;
      return library;
    }
    Resolve(library.handle_, library.calls_);
    if (library.calls_.nvmlInit_v2 == nullptr && library.calls_.nvmlInitWithFlags == nullptr) {
      first_reason = fmt::format("{} has no nvmlInit", name);
      library.Close();
      return library;
    }
    library.path_ = FileOf(library.calls_, name);
    return library;
  };

  if (!path.empty()) {
    Library library = try_one(path.c_str());
    if (library.loaded()) return library;
    return Fail(ErrorCode::kNoGpu, first_reason, std::string(remedy));
  }
  for (const char* place : kPlaces) {
    Library library = try_one(place);
    if (library.loaded()) return library;
  }
  return Fail(ErrorCode::kNoGpu, first_reason, std::string(remedy));
}

}  // namespace gpusight::nvml
