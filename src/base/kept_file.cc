// SPDX-License-Identifier: Apache-2.0
#include "base/kept_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace gpusight {
namespace {

constexpr size_t kFirstSize = size_t{16} << 10;
constexpr size_t kLargest = size_t{16} << 20;

UniqueFd OpenAt(int folder, const char* name) {
  int fd;
  do {
    fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  } while (fd < 0 && errno == EINTR);
  return UniqueFd(fd);
}

}  // namespace

int ReadBuffer::ReadFrom(int fd, Pieces pieces) {
  if (bytes_.empty()) bytes_.resize(kFirstSize);
  used_ = 0;
  size_t got = 0;
  for (;;) {
    if (got == bytes_.size()) {
      if (got >= kLargest) return EFBIG;
      bytes_.resize(got * 2);
    }
    const ssize_t n = pread(fd, bytes_.data() + got, bytes_.size() - got, static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) break;
    got += static_cast<size_t>(n);
    if (pieces == Pieces::kOne && got < bytes_.size()) break;
  }
  used_ = got;
  return 0;
}

int ReadBuffer::ReadOnce(int folder, const char* name, Pieces pieces) {
  used_ = 0;
  const UniqueFd fd = OpenAt(folder, name);
  if (!fd.valid()) return errno;
  return ReadFrom(fd.get(), pieces);
}

int KeptFile::Read(int folder, const char* name, bool keep, ReadBuffer& buffer, Pieces pieces) {
  if (!keep) {
    fd_.Reset();
    return buffer.ReadOnce(folder, name, pieces);
  }
  if (!fd_.valid()) {
    fd_ = OpenAt(folder, name);
    if (!fd_.valid()) return errno;
  }
  return buffer.ReadFrom(fd_.get(), pieces);
}

UniqueFd OpenFolder(const char* path) {
  return UniqueFd(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace gpusight
