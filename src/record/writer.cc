// SPDX-License-Identifier: Apache-2.0
#include "record/writer.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "base/fd.h"
#include "base/text.h"
#include "model/text/record.h"
#include "record/recorder.h"

namespace gpusight::record {
namespace {

bool IsSame(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.form == b.form && a.device_uuid == b.device_uuid && a.pid == b.pid &&
         a.start_ticks == b.start_ticks && a.opened == b.opened;
}

constexpr size_t kMostFindings = 10'000;

// Whether the file system locks at all. Asked before SQLite has the file, because closing a
// descriptor lets go of the locks that it holds.
bool CanLock(int fd) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  if (fcntl(fd, F_SETLK, &lock) == 0) {
    lock.l_type = F_UNLCK;
    fcntl(fd, F_SETLK, &lock);
    return true;
  }
  return errno == EAGAIN || errno == EACCES;
}

double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Error CannotMake(int error, const std::string& path, Language language) {
  if (error == EEXIST) {
    return {ErrorCode::kUsage, Say(language, text::kRecordExists, Printable(path)),
            Say(language, text::kRecordExistsRemedy)};
  }
  return {error == EACCES || error == EROFS ? ErrorCode::kNoPermission : ErrorCode::kIo,
          Say(language, text::kRecordCannotMake, Printable(path), std::strerror(error)),
          Say(language, text::kRecordCannotMakeRemedy)};
}

}  // namespace

class Writer::Impl {
 public:
  Impl(std::string path, const RunFacts& facts, const WriterOptions& options, WriterCalls calls,
       const Clock& clock, Language language, bool locks)
      : options_(options),
        calls_(std::move(calls)),
        path_(path),
        language_(language),
        recorder_(std::move(path), facts, options, clock, locks) {
    thread_ = std::jthread([this](const std::stop_token& stop) { Loop(stop); });
  }

  void Add(const Frame& frame) {
    std::unique_ptr<Frame> copy;
    {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        copy = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    if (!copy) copy = std::make_unique<Frame>();
    *copy = frame;
    copy->spare_processes.clear();
    const std::lock_guard lock(mutex_);
    pending_.frames.push_back(std::move(copy));
    MakeRoom();
    changed_.notify_all();
  }

  void AddOutput(WallTime time, Stream stream, std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes.size() > options_.output_bytes) {
      bytes.remove_prefix(bytes.size() - options_.output_bytes);
    }
    auto& list = pending_.output;
    // Many small writes of one second become one piece.
    if (!list.empty() && list.back().stream == stream && list.back().bytes.size() < 4096) {
      list.back().bytes.append(bytes);
    } else {
      list.push_back({time, stream, std::string(bytes)});
    }
    output_bytes_ += bytes.size();
    while (list.size() > 1 && output_bytes_ - list.front().bytes.size() >= options_.output_bytes) {
      output_bytes_ -= list.front().bytes.size();
      list.pop_front();
    }
  }

  void SetFinding(const Finding& finding) {
    const std::lock_guard lock(mutex_);
    for (Finding& waiting : pending_.findings) {
      if (!IsSame(waiting, finding)) continue;
      waiting = finding;
      return;
    }
    if (pending_.findings.size() < kMostFindings) pending_.findings.push_back(finding);
  }
  void AddVersion(std::string_view name, std::string_view version) {
    const std::lock_guard lock(mutex_);
    if (pending_.versions.size() < kMostFindings) pending_.versions.emplace_back(name, version);
  }
  void SetEnd(const RunEnd& end) {
    const std::lock_guard lock(mutex_);
    pending_.end = end;
  }

  WriterStats stats() const {
    const std::lock_guard lock(mutex_);
    WriterStats stats = stats_;
    stats.waiting = pending_.frames.size() + held_frames_;
    return stats;
  }

  Result<void> Finish() {
    if (thread_.joinable()) {
      thread_.request_stop();
      changed_.notify_all();
      thread_.join();
    }
    if (failure_) return tl::unexpected(*failure_);
    return {};
  }

 private:
  // The oldest go when there is no room in memory.
  void MakeRoom() {
    while (pending_.frames.size() + held_frames_ > std::max<size_t>(options_.most_frames, 1) &&
           pending_.frames.size() > 1) {
      spare_.push_back(std::move(pending_.frames.front()));
      pending_.frames.pop_front();
      ++stats_.lost;
    }
  }

  void Loop(const std::stop_token& stop) {
    pthread_setname_np(pthread_self(), "gpusight-record");
    Batch held;  // what is not in the file yet
    using std::chrono::steady_clock;
    const auto pause = std::chrono::duration_cast<steady_clock::duration>(
        std::chrono::duration<double>(options_.commit_seconds));
    auto next = steady_clock::now();
    while (true) {
      bool stopping = false;
      {
        std::unique_lock lock(mutex_);
        // Earlier than promised: a commit takes its time, too, and a frame a second wants one each.
        changed_.wait_until(lock, stop, next - pause * 2 / 5, [] { return false; });
        changed_.wait_for(lock, stop, pause, [this] { return !pending_.frames.empty(); });
        stopping = stop.stop_requested();
        Take(held);
      }
      next = steady_clock::now() + pause;
      Write(held, stopping);
      if (stopping) return;
    }
  }

  // Moves what came since into `held`, which keeps the newest. Under the lock.
  void Take(Batch& held) {
    for (auto& frame : pending_.frames) held.frames.push_back(std::move(frame));
    pending_.frames.clear();
    while (held.frames.size() > std::max<size_t>(options_.most_frames, 1)) {
      spare_.push_back(std::move(held.frames.front()));
      held.frames.pop_front();
      ++stats_.lost;
    }
    held.lost = stats_.lost;
    for (auto& piece : pending_.output) held.output.push_back(std::move(piece));
    pending_.output.clear();
    output_bytes_ = 0;
    size_t bytes = 0;
    for (const auto& piece : held.output) bytes += piece.bytes.size();
    while (held.output.size() > 1 &&
           bytes - held.output.front().bytes.size() >= options_.output_bytes) {
      bytes -= held.output.front().bytes.size();
      held.output.pop_front();
    }
    for (auto& finding : pending_.findings) held.findings.push_back(std::move(finding));
    pending_.findings.clear();
    for (auto& version : pending_.versions) held.versions.push_back(std::move(version));
    pending_.versions.clear();
    if (pending_.end) held.end = std::exchange(pending_.end, std::nullopt);
    held_frames_ = held.frames.size();
  }

  void Write(Batch& held, bool stopping) {
    const double begin = ThreadSeconds();
    const bool good = recorder_.Write(held, stopping);
    std::optional<Error> why;
    if (!good) why = Explain();
    {
      const std::lock_guard lock(mutex_);
      stats_.busy_seconds += ThreadSeconds() - begin;
      if (good) {
        stats_.frames += held.frames.size();
        stats_.commits += 1;
        stats_.file_bytes = recorder_.file_bytes();
        constexpr size_t kMostSpare = 4;
        for (auto& frame : held.frames) {
          if (spare_.size() < kMostSpare) spare_.push_back(std::move(frame));
        }
        held_frames_ = 0;
      }
    }
    if (good) {
      held = Batch{};
      if (failure_ && calls_.resumed) calls_.resumed(stats().lost - lost_before_);
      failure_.reset();
      return;
    }
    if (!failure_) {
      lost_before_ = stats().lost;
      if (calls_.stopped) calls_.stopped(*why);
    }
    failure_ = std::move(why);
  }

  Error Explain() const {
    const std::string path = Printable(path_);
    const auto say = [&](const Text& sentence, auto&&... more) {
      return Error{ErrorCode::kIo, Say(language_, sentence, path, more...),
                   Say(language_, text::kRecordMakeRoom)};
    };
    switch (recorder_.trouble()) {
      case Trouble::kFull:
        return say(text::kRecordFull);
      case Trouble::kBusy:
        return {ErrorCode::kIo, Say(language_, text::kRecordStuck, path), {}};
      default:
        return {ErrorCode::kIo, Say(language_, text::kRecordFailed, path, recorder_.error()), {}};
    }
  }

  const WriterOptions options_;
  const WriterCalls calls_;
  const std::string path_;
  const Language language_;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  Batch pending_;                              // what came since the writer's thread looked
  std::vector<std::unique_ptr<Frame>> spare_;  // frames whose memory is used again
  size_t output_bytes_ = 0, held_frames_ = 0;
  WriterStats stats_;

  // The thread's own.
  Recorder recorder_;
  std::optional<Error> failure_;
  uint64_t lost_before_ = 0;
  std::jthread thread_;  // last: it uses all of the above
};

Result<std::unique_ptr<Writer>> Writer::Create(const std::string& path, const RunFacts& facts,
                                               const WriterOptions& options, WriterCalls calls,
                                               const Clock& clock, Language language) {
  // O_EXCL, so that nothing is overwritten and no link is followed.
  if (options.overwrite && unlink(path.c_str()) != 0 && errno != ENOENT) {
    return tl::unexpected(CannotMake(errno, path, language));
  }
  UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid()) return tl::unexpected(CannotMake(errno, path, language));
  const bool locks = CanLock(fd.get());
  fd.Reset();
  return std::unique_ptr<Writer>(new Writer(
      std::make_unique<Impl>(path, facts, options, std::move(calls), clock, language, locks)));
}

Writer::Writer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Writer::~Writer() { (void)impl_->Finish(); }
void Writer::Add(const Frame& frame) { impl_->Add(frame); }
void Writer::AddOutput(WallTime time, Stream stream, std::string_view bytes) {
  impl_->AddOutput(time, stream, bytes);
}
void Writer::SetFinding(const Finding& finding) { impl_->SetFinding(finding); }
void Writer::AddVersion(std::string_view name, std::string_view version) {
  impl_->AddVersion(name, version);
}
void Writer::SetEnd(const RunEnd& end) { impl_->SetEnd(end); }
WriterStats Writer::stats() const { return impl_->stats(); }
Result<void> Writer::Finish() { return impl_->Finish(); }

}  // namespace gpusight::record
