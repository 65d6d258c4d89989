// SPDX-License-Identifier: Apache-2.0
#include "base/kept_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "base/text.h"

namespace gpusight {
namespace {

constexpr size_t kFirstSize = size_t{16} << 10;
constexpr size_t kLargest = size_t{16} << 20;

UniqueFd OpenAt(int folder, const char* name) {
  int fd;
  do {
    fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  return UniqueFd(fd);
}

}  // namespace

// Reads to the end of the file, or as many bytes as `limit` says.
int ReadBuffer::Fill(int fd, Pieces pieces, size_t limit) {
  if (bytes_.empty()) bytes_.resize(kFirstSize);
  used_ = 0;
  size_t got = 0;
  while (got < limit) {
    if (got == bytes_.size()) {
      if (got >= kLargest) return EFBIG;
      bytes_.resize(got * 2);
    }
    const size_t room = std::min(bytes_.size(), limit) - got;
    const ssize_t n = pread(fd, bytes_.data() + got, room, static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) break;
    got += static_cast<size_t>(n);
    if (pieces == Pieces::kOne && got < bytes_.size()) break;
  }
  used_ = got;
  return 0;
}

int ReadBuffer::ReadFrom(int fd, Pieces pieces) { return Fill(fd, pieces, SIZE_MAX); }

int ReadBuffer::ReadOnce(int folder, const char* name, Pieces pieces) {
  used_ = 0;
  const UniqueFd fd = OpenAt(folder, name);
  if (!fd.valid()) return errno;
  return ReadFrom(fd.get(), pieces);
}

int ReadBuffer::ReadFront(int folder, const char* name, size_t limit) {
  used_ = 0;
  const UniqueFd fd = OpenAt(folder, name);
  if (!fd.valid()) return errno;
  return Fill(fd.get(), Pieces::kMany, limit);
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

int ListNumbers(int folder, const char* name, std::vector<int>& out) {
  out.clear();
  const UniqueFd fd(openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return errno;
  // readdir(3) would allocate its buffer anew for each folder.
  alignas(dirent64) std::array<char, size_t{16} << 10> buffer;
  for (;;) {
    const ssize_t n = getdents64(fd.get(), buffer.data(), buffer.size());
    if (n < 0) return errno;
    if (n == 0) break;
    for (size_t at = 0; at < static_cast<size_t>(n);) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
      if (const auto number = ParseNumber<int>(entry->d_name)) {
        if (*number >= 0) out.push_back(*number);
      }
      at += entry->d_reclen;
    }
  }
  std::sort(out.begin(), out.end());
  return 0;
}

UniqueFd OpenFolder(const char* path) {
  return UniqueFd(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace gpusight
