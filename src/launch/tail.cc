// SPDX-License-Identifier: Apache-2.0
#include "launch/tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace gpusight::launch {

StreamKind KindOf(int fd) {
  struct stat info{};
  if (fstat(fd, &info) == -1) return StreamKind::kClosed;
  if (S_ISREG(info.st_mode)) return StreamKind::kFile;
  if (S_ISFIFO(info.st_mode)) return StreamKind::kPipe;
  if (S_ISSOCK(info.st_mode)) return StreamKind::kSocket;
  if (!S_ISCHR(info.st_mode)) return StreamKind::kOther;
  if (isatty(fd) == 1) return StreamKind::kTerminal;
  const bool null = major(info.st_rdev) == 1 && minor(info.st_rdev) == 3;
  return null ? StreamKind::kNull : StreamKind::kOther;
}

std::vector<TailSource> OpenTails() {
  std::vector<TailSource> out;
  struct stat first{};
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat info{};
    if (KindOf(fd) != StreamKind::kFile || fstat(fd, &info) == -1) continue;
    if (!out.empty() && info.st_dev == first.st_dev && info.st_ino == first.st_ino) continue;
    const int mode = fcntl(fd, F_GETFL);
    if (mode == -1 || (mode & O_ACCMODE) == O_RDONLY) continue;
    // A description of its own: whoever reads through a copy of the job's would move its offset.
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOATIME));
    if (!file.valid() && errno == EPERM) file = UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) continue;
    const off_t at = lseek(fd, 0, SEEK_CUR);
    const bool appends = (mode & O_APPEND) != 0;
    out.push_back({.file = std::move(file),
                   .begin = static_cast<uint64_t>(appends || at < 0 ? info.st_size : at),
                   .stream = fd});
    first = info;
  }
  return out;
}

std::string ReadTail(const TailSource& source, uint64_t limit) {
  struct stat info{};
  if (fstat(source.file.get(), &info) == -1) return "";
  const auto end = static_cast<uint64_t>(std::max<off_t>(0, info.st_size));
  uint64_t begin = source.begin;
  if (end < begin) begin = 0;  // somebody emptied it meanwhile
  if (end - begin > limit) begin = end - limit;
  std::string out(end - begin, '\0');
  size_t used = 0;
  while (used < out.size()) {
    const ssize_t got = pread(source.file.get(), out.data() + used, out.size() - used,
                              static_cast<off_t>(begin + used));
    if (got == -1 && errno == EINTR) continue;
    if (got <= 0) break;
    used += static_cast<size_t>(got);
  }
  out.resize(used);
  return out;
}

}  // namespace gpusight::launch
