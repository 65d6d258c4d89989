// SPDX-License-Identifier: Apache-2.0
#include "cli/line_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace gpusight::cli {
namespace {

// When the file was made, where the file system knows it; else now.
WallTime Birth(int fd, WallTime now) {
  struct statx x{};
  if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &x) == 0 && (x.stx_mask & STATX_BTIME) != 0) {
    return {x.stx_btime.tv_sec * 1'000'000'000 + x.stx_btime.tv_nsec};
  }
  return now;
}

Error WriteError(int number, const std::string& name) {
  return {ErrorCode::kIo, fmt::format("{}: {}", name, std::strerror(number)), {}, number};
}

constexpr size_t kBeginning = 4096;  // bytes by which a file is known

// Behind links; the path itself where there is nothing yet.
std::string RealPath(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

LineFile::LineFile(int fd, std::string name, std::string header, const Clock& clock)
    : fd_(fd), name_(std::move(name)), header_(std::move(header)), clock_(&clock) {
  header_due_ = !header_.empty();
}

Result<LineFile> LineFile::Open(std::string path, std::string header, Rotation rotation,
                                const Clock& clock) {
  LineFile file(-1, path, std::move(header), clock);
  file.path_ = std::move(path);
  file.rotation_ = rotation;
  if (rotation.ours != nullptr && (rotation.size > 0 || rotation.age > 0)) {
    const std::string real = RealPath(file.path_);
    for (uint64_t i = 0; i <= rotation.keep; ++i) {
      const std::string one = i == 0 ? real : fmt::format("{}.{}", real, i);
      if (auto mine = file.CheckOwner(one); !mine) return tl::unexpected(std::move(mine.error()));
    }
  }
  if (auto opened = file.OpenPath(); !opened) return tl::unexpected(std::move(opened.error()));
  return file;
}

Result<void> LineFile::OpenPath() {
  UniqueFd fd(open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0644));
  if (!fd.valid()) {
    const int number = errno;
    // A terminal, a FIFO or a device may be for writing only.
    fd = UniqueFd(open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY));
    if (!fd.valid()) return tl::unexpected(ErrnoError(number, path_));
  }
  struct stat status{};
  if (fstat(fd.get(), &status) != 0) return tl::unexpected(ErrnoError(errno, path_));
  const bool regular = S_ISREG(status.st_mode);
  const auto size = static_cast<uint64_t>(status.st_size);
  if (regular && size > 0) {
    if (auto same = CheckHeader(fd.get()); !same) return same;
  }
  struct stat old{};
  const bool again = owned_.valid() && fstat(fd_, &old) == 0 && SameFile(status, old);
  if (regular && !again) {
    // Where a file system has no locks, the user must see to it himself.
    const bool rotates = rotation_.size > 0 || rotation_.age > 0;
    if (flock(fd.get(), (rotates ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      return tl::unexpected(ErrnoError(EWOULDBLOCK, path_));
    }
  }
  regular_ = regular;
  size_ = size;
  header_due_ = !header_.empty() && (!regular_ || size_ == 0);
  if (again) return {};  // the old descriptor has the lock
  born_ = size_ == 0 ? clock_->Wall() : Birth(fd.get(), clock_->Wall());
  owned_ = std::move(fd);
  fd_ = owned_.get();
  return {};
}

// What is no regular file is not read, and never moved.
Result<void> LineFile::CheckOwner(const std::string& path) const {
  if (rotation_.ours == nullptr) return {};
  struct stat status{};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  std::string text(kBeginning, '\0');
  const ssize_t n = fd.valid() ? read(fd.get(), text.data(), text.size()) : -1;
  if (n < 0) return tl::unexpected(ErrnoError(errno, path));
  text.resize(static_cast<size_t>(n));
  return rotation_.ours(text) ? Result<void>() : Fail(ErrorCode::kBadInput, path);
}

Result<void> LineFile::CheckHeader(int fd) const {
  if (header_.empty()) return {};
  std::string first(header_.size(), '\0');
  const ssize_t n = pread(fd, first.data(), first.size(), 0);
  if (n < 0) return tl::unexpected(ErrnoError(errno == EBADF ? EACCES : errno, path_));
  if (n == static_cast<ssize_t>(first.size()) && first == header_) return {};
  return Fail(ErrorCode::kUsage, path_);
}

Result<void> LineFile::Reopen() {
  if (path_.empty()) return {};
  return OpenPath();
}

Result<void> LineFile::RotateIfDue(size_t more) {
  if (path_.empty() || !regular_ || size_ == 0) return {};
  const bool large = rotation_.size > 0 && size_ + more > rotation_.size;
  const double age = clock_->Wall().seconds() - born_.seconds();
  const bool old = rotation_.age > 0 && age >= rotation_.age;
  if (!large && !old) return {};
  // Another program may have moved our file already; what lies there now is not ours to move.
  struct stat ours{}, there{};
  const bool moved =
      fstat(fd_, &ours) != 0 || stat(path_.c_str(), &there) != 0 || !SameFile(ours, there);
  if (!moved) {
    if (auto away = MoveAway(); !away) return away;
  }
  return OpenPath();
}

Result<void> LineFile::MoveAway() const {
  const auto fail = [](int number, const std::string& path) -> Result<void> {
    return tl::unexpected(ErrnoError(number, path));
  };
  // A link stays where it is; the old files lie beside the file itself.
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path_.c_str(), nullptr), std::free);
  if (!real) return fail(errno, path_);
  const std::string path = real.get();
  if (rotation_.keep == 0) {
    return unlink(path.c_str()) == 0 ? Result<void>() : fail(errno, path);
  }
  const auto name = [&path](uint64_t i) { return fmt::format("{}.{}", path, i); };
  // The first number without a file; the last file is replaced when there is none.
  uint64_t free = 1;
  for (;; ++free) {
    struct stat status{};
    if (lstat(name(free).c_str(), &status) != 0) break;
    if (!S_ISREG(status.st_mode)) {
      return fail(S_ISDIR(status.st_mode) ? EISDIR : ESPIPE, name(free));  // not one of ours
    }
    if (auto mine = CheckOwner(name(free)); !mine) return mine;
    if (free >= rotation_.keep) break;
  }
  // Out of the way first: where that is refused (no permission, a file mounted alone into a
  // container) the old files must stay as they are, however often it is tried.
  const std::string aside = name(0);
  if (access(aside.c_str(), F_OK) == 0) return fail(EEXIST, aside);
  if (std::rename(path.c_str(), aside.c_str()) != 0) return fail(errno, path);
  for (uint64_t i = free; i > 1; --i) (void)std::rename(name(i - 1).c_str(), name(i).c_str());
  if (std::rename(aside.c_str(), name(1).c_str()) == 0) return {};
  const int number = errno;
  (void)std::rename(aside.c_str(), path.c_str());
  return fail(number, name(1));
}

Result<void> LineFile::Append(std::string_view lines) {
  struct stat status{};
  const bool seekable = fstat(fd_, &status) == 0 && S_ISREG(status.st_mode);
  const bool appending = (fcntl(fd_, F_GETFL) & O_APPEND) != 0;
  const off_t before = !seekable ? 0 : appending ? status.st_size : lseek(fd_, 0, SEEK_CUR);
  size_t done = 0;
  while (done < lines.size()) {
    const ssize_t n = write(fd_, lines.data() + done, lines.size() - done);
    if (n >= 0) {
      done += static_cast<size_t>(n);
      continue;
    }
    if (errno == EINTR) continue;
    const int number = errno;
    reader_gone_ = number == EPIPE;
    // Take the half line back, unless another program has written behind it meanwhile.
    const off_t end = before + static_cast<off_t>(done);
    if (done > 0 && seekable && fstat(fd_, &status) == 0 && status.st_size == end &&
        ftruncate(fd_, before) == 0) {
      lseek(fd_, before, SEEK_SET);
    }
    return tl::unexpected(WriteError(number, name_));
  }
  size_ += lines.size();
  return {};
}

std::optional<Error> LineFile::TakeRotationError() {
  return std::exchange(rotation_error_, std::nullopt);
}

Result<void> LineFile::Write(std::string_view lines) {
  struct stat status{};
  if (!path_.empty() && fstat(fd_, &status) == 0) {
    // A file that was removed would take the lines with it.
    if (status.st_nlink == 0) {
      if (auto opened = OpenPath(); !opened) return opened;
    } else if (regular_) {
      // Others may have written or cut it meanwhile.
      size_ = static_cast<uint64_t>(status.st_size);
      header_due_ = !header_.empty() && size_ == 0;
    }
  }
  if (auto rotated = RotateIfDue(lines.size()); rotated) {
    rotation_failed_ = false;
  } else if (!std::exchange(rotation_failed_, true)) {
    rotation_error_ = std::move(rotated.error());
  }
  if (!header_due_) return Append(lines);
  // In one piece, so that a header never stands alone after a failure.
  std::string both = header_;
  both += lines;
  auto written = Append(both);
  header_due_ = !written.has_value();
  return written;
}

}  // namespace gpusight::cli
