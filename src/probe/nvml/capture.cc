// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/capture.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "probe/nvml/capture_device.h"

namespace gpusight::nvml {
namespace {

Result<void> Write(const std::string& path, const std::string& text) {
  const UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  size_t written = 0;
  while (fd.valid() && written < text.size()) {
    const ssize_t n = write(fd.get(), text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    written += static_cast<size_t>(n);
  }
  if (!fd.valid() || written < text.size()) return tl::unexpected(ErrnoError(errno, path));
  return {};
}

}  // namespace

Result<void> Capture(const CaptureOptions& options, const Clock& clock) {
  auto library = Library::Open(options.library);
  if (!library) return tl::unexpected(library.error());
  const Calls& calls = library->calls();
  const Return code =
      calls.nvmlInit_v2 != nullptr ? calls.nvmlInit_v2() : calls.nvmlInitWithFlags(0);
  if (code != kSuccess) {
    return Fail(ErrorCode::kNoGpu,
                fmt::format("the driver does not start (code {})", static_cast<int>(code)),
                "Run `gpusight doctor` for the reason");
  }
  const Captured captured = CaptureMachine(calls, options, clock);
  if (calls.nvmlShutdown != nullptr) calls.nvmlShutdown();

  if (mkdir(options.folder.c_str(), 0755) != 0 && errno != EEXIST) {
    return tl::unexpected(ErrnoError(errno, options.folder));
  }
  Pseudonyms pseudonyms;
  for (size_t i = 0; i < captured.devices.size(); ++i) {
    const CapturedDevice& device = captured.devices[i];
    if (device.handle != kSuccess) continue;
    auto written =
        Write(fmt::format("{}/gpu-{}.json", options.folder, i), RecordingText(device, pseudonyms));
    if (!written) return written;
  }
  return Write(options.folder + "/scenario.json", ScenarioText(captured, pseudonyms));
}

}  // namespace gpusight::nvml
