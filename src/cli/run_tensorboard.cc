// SPDX-License-Identifier: Apache-2.0
#include "cli/run_tensorboard.h"

#include <fmt/format.h>
#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/text.h"
#include "cli/reason.h"
#include "model/finding_text.h"
#include "model/text/tensorboard.h"

namespace gpusight::cli {
namespace {

using Pieces = std::vector<exporting::TensorBoardRuns::Piece>;

constexpr size_t kMostWaiting = size_t{16} << 20;
constexpr std::chrono::seconds kPatience{1};  // with the disk, at the end

std::string FreeFolder(const std::string& folder) {
  constexpr int kMost = 10000;
  std::string free = folder;
  for (int i = 2; HoldsEventFiles(free) && i < kMost; ++i) free = fmt::format("{}-{}", folder, i);
  return free;
}

}  // namespace

// Between the sampler and the thread that writes.
class RunTensorBoard::Desk {
 public:
  Desk(TensorBoardFolder folder, Sayer say, Language language)
      : folder_(std::move(folder)), say_(std::move(say)), language_(language) {}

  void Write(Pieces pieces) {
    const auto written = folder_.Write(std::move(pieces));
    if (written || std::exchange(complained_, true)) return;
    say_(Say(language_, text::kTensorBoardLost, Reason(written.error(), language_)));
  }

  // What the thread does until the end.
  void Loop() {
    pthread_setname_np(pthread_self(), "gpusight-events");
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !pieces_.empty() || ending_; });
      const bool last = ending_;
      Pieces pieces = std::exchange(pieces_, {});
      bytes_ = 0;
      lock.unlock();
      Write(std::move(pieces));
      lock.lock();
      if (last) break;
    }
    over_ = true;
    changed_.notify_all();
  }

  // Drops them where the thread has hung for long.
  void Give(Pieces pieces) {
    const std::lock_guard lock(mutex_);
    if (bytes_ > kMostWaiting) return;
    for (auto& piece : pieces) {
      bytes_ += piece.bytes.size();
      pieces_.push_back(std::move(piece));
    }
    changed_.notify_all();
  }

  // Whether all has been written, or tried.
  bool End() {
    std::unique_lock lock(mutex_);
    ending_ = true;
    changed_.notify_all();
    return changed_.wait_for(lock, kPatience, [this] { return over_; });
  }

 private:
  // The thread's own, once it runs.
  TensorBoardFolder folder_;
  Sayer say_;
  Language language_;
  bool complained_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  Pieces pieces_;
  size_t bytes_ = 0;
  bool ending_ = false, over_ = false;
};

RunTensorBoard::RunTensorBoard(const std::string& folder, const record::RunFacts& facts,
                               const Frame& first, const Sayer& say, Language language)
    : language_(language), runs_(first.time, language) {
  const std::string free = FreeFolder(folder);
  auto made = TensorBoardFolder::Create(free, first.time, first.host.hostname, language);
  if (!made) {
    say(Say(language, text::kTensorBoardLost, Reason(made.error(), language)));
    return;
  }
  if (free != folder) {
    say(Say(language, text::kTensorBoardElsewhere, Printable(folder), Printable(free)));
  }
  desk_ = std::make_unique<Desk>(std::move(*made), say, language);
  // At once, so that a folder that may not be written to shows while that can still be said.
  AddFacts(facts, {}, first);
  desk_->Write(runs_.Take());
  thread_ = std::thread([desk = desk_.get()] { desk->Loop(); });
}

RunTensorBoard::~RunTensorBoard() {
  if (!thread_.joinable()) return;
  if (desk_->End()) {
    thread_.join();
    return;
  }
  // The thread hangs in the kernel, and needs its desk until the process ends.
  thread_.detach();
  [[maybe_unused]] const Desk* const kept = desk_.release();
}

void RunTensorBoard::Add(const Frame& frame) {
  if (!desk_) return;
  runs_.Add(frame);
  desk_->Give(runs_.Take());
}

void RunTensorBoard::End(const record::RunFacts& facts, const record::RunEnd& end,
                         std::span<const Finding> findings, const Frame& last) {
  if (!desk_) return;
  AddFacts(facts, end, last);
  std::vector<std::string> lines;
  for (const Finding& finding : findings) lines.push_back(Tell(finding, language_));
  if (!lines.empty()) runs_.AddText(exporting::kFindingsTag, last.time, AsMarkdown(lines));
  desk_->Give(runs_.Take());
}

void RunTensorBoard::AddFacts(const record::RunFacts& facts, const record::RunEnd& end,
                              const Frame& frame) {
  std::vector<DeviceInfo> devices;
  for (const DeviceSample& device : frame.devices) devices.push_back(device.info);
  runs_.AddText(exporting::kRunTag, frame.time,
                RunAsMarkdown(facts, end, frame.host.hostname, frame.driver, devices, language_));
}

}  // namespace gpusight::cli
