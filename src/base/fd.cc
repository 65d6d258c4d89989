// SPDX-License-Identifier: Apache-2.0
#include "base/fd.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace gpusight {

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  if (this != &other) {
    Reset();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void UniqueFd::Reset() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

Root::Root(std::string folder) : folder_(std::move(folder)) {
  while (!folder_.empty() && folder_.back() == '/') folder_.pop_back();
}

std::string Root::Path(std::string_view absolute) const {
  std::string path = folder_;
  path += absolute;
  return path;
}

Error ErrnoError(int error_number, const std::string& path) {
  ErrorCode code = ErrorCode::kIo;
  if (error_number == ENOENT || error_number == ESRCH || error_number == ENOTDIR) {
    code = ErrorCode::kNotFound;
  } else if (error_number == EACCES || error_number == EPERM) {
    code = ErrorCode::kNoPermission;
  }
  return Error{code, fmt::format("{}: {}", path, std::strerror(error_number)), {}, error_number};
}

int ReadSpace(const char* path, Space& space) {
  struct statvfs info{};
  if (statvfs(path, &info) != 0) return errno;
  const auto block = static_cast<double>(info.f_frsize);
  space.total = static_cast<double>(info.f_blocks) * block;
  space.used = static_cast<double>(info.f_blocks - info.f_bfree) * block;
  return 0;
}

namespace {

// Milliseconds; whoever writes a pipe for us does it at once.
constexpr int kWriterPatience = 5000;

Result<UniqueFd> Open(const std::string& path, int flags) {
  int fd;
  do {
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return tl::unexpected(ErrnoError(errno, path));
  return UniqueFd(fd);
}

// Fills the buffer with what `read_at` (like pread(2) without its descriptor) gives.
template <typename ReadAt>
Result<void> ReadAll(const ReadAt& read_at, std::string& buffer, size_t limit) {
  // The buffer keeps the size of its capacity while reading, so that nothing is cleared twice.
  buffer.resize(std::max(buffer.capacity(), size_t{1024}));
  size_t used = 0;
  for (;;) {
    if (used == buffer.size()) buffer.resize(buffer.size() * 2);
    const ssize_t n = read_at(buffer.data() + used, buffer.size() - used, static_cast<off_t>(used));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error_number = errno;
      buffer.clear();
      return tl::unexpected(ErrnoError(error_number, "read"));
    }
    if (n == 0) break;
    used += static_cast<size_t>(n);
    if (used > limit) {
      buffer.clear();
      return Fail(ErrorCode::kBadInput, fmt::format("the file is larger than {} bytes", limit));
    }
  }
  buffer.resize(used);
  return {};
}

Result<void> Named(Result<void> read, const std::string& path) {
  if (!read && read.error().what.starts_with("read:")) read.error().what.replace(0, 4, path);
  return read;
}

}  // namespace

Result<UniqueFd> OpenForRead(const std::string& path) {
  auto fd = Open(path, O_NONBLOCK);
  if (!fd) return fd;
  struct stat status{};
  if (fstat(fd->get(), &status) != 0) return tl::unexpected(ErrnoError(errno, path));
  if (S_ISREG(status.st_mode)) return fd;
  return tl::unexpected(ErrnoError(S_ISDIR(status.st_mode) ? EISDIR : ESPIPE, path));
}

Result<void> ReadFrom(const UniqueFd& fd, std::string& buffer, size_t limit) {
  return ReadAll([&fd](char* to, size_t room, off_t at) { return pread(fd.get(), to, room, at); },
                 buffer, limit);
}

Result<std::string> ReadInput(const std::string& path, size_t limit) {
  // Not waiting for the writer of a pipe: there may never be one.
  const auto fd = Open(path, O_NONBLOCK);
  if (!fd) return tl::unexpected(fd.error());
  struct stat status{};
  if (fstat(fd->get(), &status) != 0) return tl::unexpected(ErrnoError(errno, path));
  const bool pipe = S_ISFIFO(status.st_mode);
  if (!pipe) (void)fcntl(fd->get(), F_SETFL, 0);
  const auto read_some = [&fd, pipe](char* to, size_t room, off_t) -> ssize_t {
    pollfd ready{fd->get(), POLLIN, 0};
    if (pipe && poll(&ready, 1, kWriterPatience) == 0) {
      errno = ETIMEDOUT;
      return -1;
    }
    return read(fd->get(), to, room);
  };
  std::string buffer;
  auto all = Named(ReadAll(read_some, buffer, limit), path);
  if (!all) return tl::unexpected(std::move(all.error()));
  return buffer;
}

Result<void> ReadFileInto(const std::string& path, std::string& buffer, size_t limit) {
  auto fd = OpenForRead(path);
  if (!fd) return tl::unexpected(std::move(fd.error()));
  return Named(ReadFrom(*fd, buffer, limit), path);
}

Result<std::string> ReadFile(const std::string& path, size_t limit) {
  std::string buffer;
  auto read = ReadFileInto(path, buffer, limit);
  if (!read) return tl::unexpected(std::move(read.error()));
  return buffer;
}

Result<std::vector<std::string>> ListFolder(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
  if (!folder) return tl::unexpected(ErrnoError(errno, path));
  std::vector<std::string> names;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> ReadLink(const std::string& path) {
  std::string target(4096, '\0');
  const ssize_t n = readlink(path.c_str(), target.data(), target.size());
  if (n < 0) return tl::unexpected(ErrnoError(errno, path));
  target.resize(static_cast<size_t>(n));
  return target;
}

}  // namespace gpusight
