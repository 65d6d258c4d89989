// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/connection.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "model/driver.h"
#include "probe/nvml/descriptors.h"
#include "probe/nvml/errors.h"

namespace gpusight::nvml {
namespace {

constexpr double kFirstBackOff = 1, kMostBackOff = 30;  // seconds

// A little earlier than asked, so that a poll at a whole number of seconds counts.
MonoTime After(MonoTime time, double seconds) {
  return {time.ns + static_cast<int64_t>(0.9 * seconds * 1e9)};
}

std::string TextOf(Driver& driver, Return (*Calls::*call)(char*, unsigned)) {
  std::array<char, 96> buffer{};
  if (driver.Ask(call, buffer.data(), static_cast<unsigned>(buffer.size())) != kSuccess) return {};
  buffer.back() = '\0';
  return buffer.data();
}

std::string CudaVersion(Driver& driver) {
  int version = 0;
  if (driver.Ask(&Calls::nvmlSystemGetCudaDriverVersion_v2, &version) != kSuccess &&
      driver.Ask(&Calls::nvmlSystemGetCudaDriverVersion, &version) != kSuccess) {
    return {};
  }
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

Connection::~Connection() { Close(); }

void Connection::Close() {
  if (driver_.abandoned()) {
    library_.Forget();  // a call hangs in it
    return;
  }
  if (leave_loaded_) {
    open_ = false;
    library_.Forget();
  }
  if (std::exchange(open_, false)) driver_.Ask(&Calls::nvmlShutdown);
  driver_.Use(nullptr);
  library_.Close();
}

bool Connection::Open(MonoTime now) {
  if (open_) return true;
  if (now < next_try_) return false;
  info_ = {};
  Result<Library> library = Library::Open(wanted_);
  if (!library) {
    Fail(now, DriverState::kNoLibrary, kLibraryNotFound);
    info_.library = wanted_;
    info_.message += fmt::format(" ({})", library.error().what);
    return false;
  }
  library_ = std::move(*library);
  driver_.Use(&library_.calls());
  info_.library = library_.path();

  Return code = driver_.Ask(&Calls::nvmlInit_v2);
  if (code == kFunctionNotFound) code = driver_.Ask(&Calls::nvmlInitWithFlags, 0U);
  if (code != kSuccess && code != kAlreadyInitialized) {
    Fail(now, DriverStateOf(code), code);
    return false;
  }
  open_ = true;
  info_.version = TextOf(driver_, &Calls::nvmlSystemGetDriverVersion);
  info_.nvml_version = TextOf(driver_, &Calls::nvmlSystemGetNVMLVersion);
  info_.cuda_version = CudaVersion(driver_);
  return true;
}

void Connection::Fail(MonoTime now, DriverState state, Return code) {
  ++failures_;
  if (MayLackDescriptors(code) && FewDescriptorsLeft()) {
    state = DriverState::kError;
    code = kNoDescriptors;
  }
  info_.state = state;
  info_.code = code;
  info_.message = Describe(info_, Language::kEnglish);
  const std::string remedy = RemedyFor(info_, Language::kEnglish);
  if (!remedy.empty()) info_.message += ". " + remedy;
  Close();
  back_off_ = std::clamp(2 * back_off_, kFirstBackOff, kMostBackOff);
  next_try_ = After(now, back_off_);
}

void Connection::Rest(MonoTime now, double seconds) {
  Close();
  next_try_ = After(now, seconds);
}

}  // namespace gpusight::nvml
