// SPDX-License-Identifier: Apache-2.0
#include "cli/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/fd.h"

namespace gpusight::cli {
namespace {

constexpr size_t kBeginning = 4096;

tl::unexpected<Error> Failed(int number, const std::string& path) {
  Error error = ErrnoError(number, path);
  error.code = ErrorCode::kIo;
  return tl::unexpected(std::move(error));
}

// 0 or errno.
int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

std::string Beginning(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string text(kBeginning, '\0');
  const ssize_t n = fd.valid() ? read(fd.get(), text.data(), text.size()) : 0;
  text.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return text;
}

}  // namespace

Result<void> WriteWholeFile(const std::string& path, std::string_view bytes,
                            const std::function<bool(std::string_view)>& ours) {
  struct stat there{};
  const bool exists = stat(path.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) return Failed(EISDIR, path);
  if (exists && S_ISREG(there.st_mode)) {
    if (ours && there.st_size > 0 && !ours(Beginning(path))) return Fail(ErrorCode::kUsage, path);
  } else if (exists) {
    // A pipe or a device takes the bytes as they come.
    const UniqueFd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    const int number = fd.valid() ? WriteAll(fd.get(), bytes) : errno;
    if (number != 0) return Failed(number, path);
    return {};
  }
  // A link stays one: what it points at is replaced.
  std::string target = path;
  if (char* const real = exists ? realpath(path.c_str(), nullptr) : nullptr) {
    target = real;
    std::free(real);
  }
  const std::string neighbour = fmt::format("{}.{}.tmp", target, getpid());
  const mode_t mode = exists ? there.st_mode & 0777 : 0666;
  UniqueFd fd(open(neighbour.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd.valid()) return Failed(errno, path);
  int number = WriteAll(fd.get(), bytes);
  // Network file systems say only now that there was no room.
  if (number == 0 && close(fd.Release()) != 0) number = errno;
  if (number == 0 && rename(neighbour.c_str(), target.c_str()) != 0) number = errno;
  if (number != 0) {
    (void)unlink(neighbour.c_str());
    return Failed(number, path);
  }
  return {};
}

}  // namespace gpusight::cli
