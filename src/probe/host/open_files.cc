// SPDX-License-Identifier: Apache-2.0
#include "probe/host/open_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "base/text.h"

namespace gpusight::host {
namespace {

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

Folder OpenDescriptors(ProcFolder& proc, int pid) {
  ++proc.reads;
  const int fd = openat(proc.folder.get(), ShortPath("{}/fd", pid).c_str(),
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return {nullptr, closedir};
  DIR* folder = fdopendir(fd);
  if (folder == nullptr) close(fd);
  return {folder, closedir};
}

}  // namespace

bool IsDeviceNode(std::string_view target) {
  for (const std::string_view prefix :
       {"/dev/nvidia", "/dev/dxg", "/dev/nvhost-", "/dev/nvgpu", "/dev/nvmap"}) {
    if (target.starts_with(prefix)) return true;
  }
  return false;
}

HoldsDevice FindDeviceNode(ProcFolder& proc, int pid) {
  const Folder folder = OpenDescriptors(proc, pid);
  if (!folder) return HoldsDevice::kUnknown;
  size_t listed = 0;
  while (const dirent* entry = readdir(folder.get())) {
    if (entry->d_name[0] == '.') continue;
    std::array<char, 256> target;
    const ssize_t n = readlinkat(dirfd(folder.get()), entry->d_name, target.data(), target.size());
    if (n <= 0) continue;
    ++listed;
    if (IsDeviceNode({target.data(), static_cast<size_t>(n)})) return HoldsDevice::kYes;
  }
  // A process that is just ending has no descriptors left: that says nothing.
  return listed > 0 ? HoldsDevice::kNo : HoldsDevice::kUnknown;
}

Known<double> CountOpenFiles(ProcFolder& proc, int pid) {
  // Since Linux 6.2 the size of the folder is the number of descriptors.
  struct stat info{};
  ++proc.reads;
  if (fstatat(proc.folder.get(), ShortPath("{}/fd", pid).c_str(), &info, 0) == 0 && proc.live &&
      info.st_size > 0) {
    return static_cast<double>(info.st_size);
  }
  errno = 0;
  const Folder folder = OpenDescriptors(proc, pid);
  if (!folder) return WhyProcess(errno);
  double count = 0;
  while (const dirent* entry = readdir(folder.get())) count += entry->d_name[0] == '.' ? 0 : 1;
  return count;
}

uint64_t ParseNamespaceLink(std::string_view target) {
  if (!target.starts_with("pid:[") || !target.ends_with("]")) return 0;
  target.remove_prefix(5);
  target.remove_suffix(1);
  return ParseNumber<uint64_t>(target).value_or(0);
}

uint64_t NamespaceOf(ProcFolder& proc, int pid) {
  std::array<char, 64> target;
  ++proc.reads;
  const ssize_t n = readlinkat(proc.folder.get(), ShortPath("{}/ns/pid", pid).c_str(),
                               target.data(), target.size());
  if (n <= 0) return 0;
  return ParseNamespaceLink({target.data(), static_cast<size_t>(n)});
}

}  // namespace gpusight::host
