// SPDX-License-Identifier: Apache-2.0
#include "cli/context.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/demo.h"
#include "export/wrap.h"
#include "model/driver.h"
#include "model/text/cli.h"

namespace gpusight::cli {

std::unique_ptr<Sampler> Context::MakeSampler(SamplerOptions sampler_options) const {
  sampler_options.nvml.library = options.nvml;
  sampler_options.nvml.leave_open = true;  // a command's sampler lives as long as the program
  sampler_options.nvml.start_early = true;
  if (options.demo) sampler_options.finish = DemoLife(root, clock.Wall());
  return std::make_unique<Sampler>(std::move(sampler_options), clock, root, log);
}

Error Context::Blame(std::string_view option, std::string_view value, Error error) const {
  error.what.insert(0, origins.Place(option, value));
  return error;
}

std::string WarningLine(std::string_view sentence, int columns, Language language) {
  constexpr int kLeast = 20, kIndent = 2;
  std::string line = gpusight::Say(language, text::kErrorPrefix);
  line += sentence;
  if (columns >= kLeast) line = exporting::Wrap(line, columns, kIndent);
  return line + '\n';
}

void Context::Warn(std::string_view sentence) const {
  (void)err.Write(WarningLine(sentence, err_columns, language));
}

DriverInfo Context::StateOf(const Frame& frame) {
  DriverInfo shown = frame.driver;
  if (shown.state != DriverState::kOk) return shown;
  const auto closed = [](const DeviceSample& d) { return d.state == DeviceState::kNoPermission; };
  if (frame.devices.empty()) {
    shown.state = DriverState::kNoDevice;
  } else if (std::all_of(frame.devices.begin(), frame.devices.end(), closed)) {
    shown.state = DriverState::kNoPermission;
  }
  return shown;
}

Result<void> Context::CheckUsable(const Frame& frame) const {
  const DriverInfo& driver = frame.driver;
  if (driver.state == DriverState::kNoLibrary && !options.nvml.empty()) {
    return tl::unexpected(
        Blame("--nvml", options.nvml,
              {ErrorCode::kNoGpu, Say(text::kNamedLibrary, Printable(options.nvml)),
               Say(text::kNamedLibraryRemedy)}));
  }
  const DriverInfo shown = StateOf(frame);
  if (shown.state == DriverState::kOk) return {};
  std::string remedy = RemedyFor(shown, language);
  if (!remedy.empty()) remedy += Say(text::kClauseEnd);
  remedy += Say(text::kSeeDoctor);
  if (shown.state == DriverState::kNoLibrary) remedy += Say(text::kClauseEnd) + Say(text::kOrDemo);
  // A driver that is slow is no missing GPU: a script may try again.
  const ErrorCode code =
      shown.state == DriverState::kNoAnswer ? ErrorCode::kTimeout : ErrorCode::kNoGpu;
  return Fail(code, Describe(shown, language), std::move(remedy));
}

Result<void> Context::WriteUnusable(
    Frame& frame, const std::function<void(std::string&, std::span<const size_t>)>& append) const {
  frame.driver = StateOf(frame);
  std::vector<size_t> all(frame.devices.size());
  std::iota(all.begin(), all.end(), size_t{0});
  std::string document;
  append(document, all);
  document += '\n';
  return out.Write(document);
}

ExitCode Context::CodeOf(const Frame& frame) const {
  const bool any = std::any_of(frame.devices.begin(), frame.devices.end(), [](const auto& d) {
    return d.state == DeviceState::kOk || d.state == DeviceState::kSuspended;
  });
  if (any) return ExitCode::kOk;
  return frame.driver.state == DriverState::kNoAnswer ? ExitCode::kFailed : ExitCode::kNoGpu;
}

}  // namespace gpusight::cli
