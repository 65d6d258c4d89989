// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/inside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace gpusight::cgroup {
namespace {

// A path made without allocating: these are asked for at every sample.
class ShortPath {
 public:
  template <typename... Args>
  explicit ShortPath(fmt::format_string<const Args&...> form, const Args&... args) {
    const auto end = fmt::format_to_n(text_.data(), text_.size() - 1, form, args...);
    if (end.size >= text_.size()) text_[0] = '\0';  // opens nothing
  }
  const char* get() const { return text_.data(); }

 private:
  std::array<char, 256> text_{};
};

// glibc has no function for it before 2.42.
int OpenBelow(int folder, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(syscall(SYS_openat2, folder, path, &how, sizeof how));
}

// The name alone (O_PATH): opening a device for reading may already do something to it.
int Open(const Root& root, std::string_view process, const char* path, UniqueFd& fd) {
  if (root.live()) {
    // The link leads out of our own "/", which nothing else may.
    const ShortPath top("/proc/{}/root", process);
    const UniqueFd folder(open(top.get(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid()) return errno;
    fd = UniqueFd(OpenBelow(folder.get(), path, O_PATH));
    return fd.valid() ? 0 : errno;
  }
  // In a recorded machine everything is below its folder, the link included.
  const UniqueFd machine(open(root.folder().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!machine.valid()) return errno;
  const ShortPath top("/proc/{}/root", process);
  const UniqueFd folder(OpenBelow(machine.get(), top.get(), O_PATH | O_DIRECTORY));
  if (!folder.valid()) return errno;
  fd = UniqueFd(OpenBelow(folder.get(), path, O_PATH));
  return fd.valid() ? 0 : errno;
}

}  // namespace

int OpenInside(const Root& root, std::string_view process, const char* path, UniqueFd& file) {
  UniqueFd name;
  if (const int error = Open(root, process, path, name); error != 0) return error;
  struct stat status{};
  if (fstat(name.get(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return ESPIPE;
  const ShortPath again("/proc/self/fd/{}", name.get());
  file = UniqueFd(open(again.get(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  return file.valid() ? 0 : errno;
}

int ReadInside(const Root& root, std::string_view process, const char* path, size_t limit,
               std::string& text) {
  text.clear();
  UniqueFd file;
  if (const int error = OpenInside(root, process, path, file); error != 0) return error;
  if (const auto read = ReadFrom(file, text, limit); !read) {
    return read.error().system != 0 ? read.error().system : EFBIG;
  }
  return 0;
}

int SpaceInside(const Root& root, std::string_view process, const char* path, Space& space) {
  // Our own "/" is no stranger's, and the answer must not depend on openat2(2).
  if (root.live() && process == "self") return ReadSpace(path, space);
  UniqueFd folder;
  if (const int error = Open(root, process, path, folder); error != 0) return error;
  struct stat status{};
  if (fstat(folder.get(), &status) != 0) return errno;
  if (!S_ISDIR(status.st_mode)) return ENOTDIR;
  return ReadSpace(ShortPath("/proc/self/fd/{}", folder.get()).get(), space);
}

int FindInside(const Root& root, std::string_view process, const char* path) {
  if (root.live() && process == "self") return access(path, F_OK) == 0 ? 0 : errno;
  UniqueFd name;
  return Open(root, process, path, name);
}

}  // namespace gpusight::cgroup
