// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/capture.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

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

// How long the driver's farewell is waited for, when everything is known already.
constexpr std::chrono::milliseconds kFarewell(500);

// The calls are made by a thread of their own, which is left to a call that hangs.
struct Attempt {
  CaptureOptions options;
  const Clock& clock;
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Result<Captured>> answer;  // guarded by mutex, as are the others
  bool ended = false;
  bool orphaned = false;  // nobody waits any more: the thread frees this
};

Result<Captured> Ask(const Library& library, const CaptureOptions& options, const Clock& clock) {
  const Calls& calls = library.calls();
  const Return code =
      calls.nvmlInit_v2 != nullptr ? calls.nvmlInit_v2() : calls.nvmlInitWithFlags(0);
  if (code != kSuccess) {
    return Fail(ErrorCode::kNoGpu,
                fmt::format("the driver does not start (code {})", static_cast<int>(code)),
                "Run `gpusight doctor` for the reason");
  }
  return CaptureMachine(calls, options, clock);
}

void Work(Attempt* attempt) {
  {
    auto library = Library::Open(attempt->options.library);
    auto answer = library ? Ask(*library, attempt->options, attempt->clock)
                          : Result<Captured>(tl::unexpected(library.error()));
    const bool started = answer.has_value();
    {
      const std::lock_guard lock(attempt->mutex);
      attempt->answer = std::move(answer);
      attempt->changed.notify_all();
    }
    if (started && library->calls().nvmlShutdown != nullptr) library->calls().nvmlShutdown();
  }
  std::unique_lock lock(attempt->mutex);
  attempt->ended = true;
  attempt->changed.notify_all();
  const bool mine = attempt->orphaned;
  lock.unlock();
  if (mine) delete attempt;
}

Result<Captured> AskInTime(const CaptureOptions& options, const Clock& clock) {
  std::unique_ptr<Attempt> attempt(new Attempt{options, clock, {}, {}, {}, false, false});
  std::thread thread(Work, attempt.get());
  std::unique_lock lock(attempt->mutex);
  const std::chrono::duration<double> patience(options.patience);
  attempt->changed.wait_for(lock, patience, [&] { return attempt->answer.has_value(); });
  Result<Captured> answer =
      attempt->answer ? std::move(*attempt->answer)
                      : Result<Captured>(Fail(ErrorCode::kTimeout, "the driver does not answer"));
  const bool told = attempt->answer.has_value();
  if (told && attempt->changed.wait_for(lock, kFarewell, [&] { return attempt->ended; })) {
    lock.unlock();
    thread.join();
    return answer;
  }
  attempt->orphaned = true;
  lock.unlock();
  thread.detach();
  [[maybe_unused]] Attempt* its_own = attempt.release();
  return answer;
}

}  // namespace

Result<void> Capture(const CaptureOptions& options, const Clock& clock) {
  const auto captured = AskInTime(options, clock);
  if (!captured) return tl::unexpected(captured.error());

  if (mkdir(options.folder.c_str(), 0755) != 0 && errno != EEXIST) {
    return tl::unexpected(ErrnoError(errno, options.folder));
  }
  Pseudonyms pseudonyms;
  for (size_t i = 0; i < captured->devices.size(); ++i) {
    const CapturedDevice& device = captured->devices[i];
    if (device.handle != kSuccess) continue;
    auto written =
        Write(fmt::format("{}/gpu-{}.json", options.folder, i), RecordingText(device, pseudonyms));
    if (!written) return written;
  }
  return Write(options.folder + "/scenario.json", ScenarioText(*captured, pseudonyms));
}

}  // namespace gpusight::nvml
