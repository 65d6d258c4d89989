// SPDX-License-Identifier: Apache-2.0
// File descriptors and whole-file reads. Readers of /proc and /sys take a Root, the folder that
// stands for "/", so that tests and `--root` can hand in a recorded machine. Next: text.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace gpusight {

// Owns one file descriptor; closes it when it goes. Movable, not copyable.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  ~UniqueFd() { Reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }
  void Reset();

 private:
  int fd_ = -1;
};

// The folder that stands for "/". Empty means the live machine. All paths given to it are absolute.
class Root {
 public:
  Root() = default;
  explicit Root(std::string folder);
  const std::string& folder() const { return folder_; }
  bool live() const { return folder_.empty(); }
  std::string Path(std::string_view absolute) const;

 private:
  std::string folder_;
};

// The size of the file system that holds `path`, and the part of it in use, in bytes. 0 or errno.
struct Space {
  double total = 0, used = 0;
};
[[nodiscard]] int ReadSpace(const char* path, Space& space);

// Opens for reading, close-on-exec, and never waits: what is no regular file (those of /proc and
// /sys are) is refused, a folder with EISDIR, a pipe or a device with ESPIPE. ENOENT and ESRCH
// become kNotFound, EACCES and EPERM kNoPermission, the rest kIo.
[[nodiscard]] Result<UniqueFd> OpenForRead(const std::string& path);

// Reads the descriptor from offset 0 to its end into `buffer` (replaced; its capacity is kept, so
// that a reader which comes back does not allocate). At most `limit` bytes; more is an error.
[[nodiscard]] Result<void> ReadFrom(const UniqueFd& fd, std::string& buffer,
                                    size_t limit = size_t{1} << 24);

// Opens, reads, closes.
[[nodiscard]] Result<std::string> ReadFile(const std::string& path, size_t limit = size_t{1} << 24);
[[nodiscard]] Result<void> ReadFileInto(const std::string& path, std::string& buffer,
                                        size_t limit = size_t{1} << 24);

// Reads a file that the user named to its end: may also be a pipe, a terminal or a device, whose
// writer is waited for.
[[nodiscard]] Result<std::string> ReadInput(const std::string& path,
                                            size_t limit = size_t{1} << 24);

// Names of a folder's entries without "." and "..", sorted. Same errors as OpenForRead.
[[nodiscard]] Result<std::vector<std::string>> ListFolder(const std::string& path);

// Where a symbolic link points, or an error.
[[nodiscard]] Result<std::string> ReadLink(const std::string& path);

// The Error for the current errno after an operation on `path`.
[[nodiscard]] Error ErrnoError(int error_number, const std::string& path);

}  // namespace gpusight
