// SPDX-License-Identifier: Apache-2.0
#include "cli/context.h"

#include <algorithm>

#include "model/text/cli.h"

namespace gpusight::cli {

std::unique_ptr<Sampler> Context::MakeSampler(SamplerOptions sampler_options) const {
  sampler_options.nvml.library = options.nvml;
  return std::make_unique<Sampler>(std::move(sampler_options), clock, root, log);
}

void Context::Warn(std::string_view sentence) const {
  std::string line = Say(text::kErrorPrefix);
  line += sentence;
  line += '\n';
  (void)err.Write(line);
}

Result<void> Context::CheckUsable(const Frame& frame) const {
  const auto fail = [this](std::string what, const Text& remedy) {
    return Fail(ErrorCode::kNoGpu, std::move(what), Say(remedy));
  };
  switch (frame.driver.state) {
    case DriverState::kOk:
      break;
    case DriverState::kNoLibrary:
      return fail(Say(text::kNoLibrary), text::kNoLibraryRemedy);
    case DriverState::kMismatch:
      return fail(Say(text::kMismatch), text::kMismatchRemedy);
    case DriverState::kNoPermission:
      return fail(Say(text::kDriverNoPermission), text::kDriverNoPermissionRemedy);
    case DriverState::kNoDevice:
      return fail(Say(text::kNoDevice), text::kNoDeviceRemedy);
    case DriverState::kError:
      return fail(Say(text::kDriverFailed, frame.driver.code), text::kNoDeviceRemedy);
    case DriverState::kNoAnswer:
      return fail(Say(text::kDriverSilent), text::kNoDeviceRemedy);
  }
  if (frame.devices.empty()) return fail(Say(text::kNoDevice), text::kNoDeviceRemedy);
  return {};
}

}  // namespace gpusight::cli
