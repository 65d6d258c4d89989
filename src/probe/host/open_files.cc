// SPDX-License-Identifier: Apache-2.0
#include "probe/host/open_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "model/file_system.h"

namespace gpusight::host {
namespace {

constexpr size_t kMostFiles = 4096;  // looked at of one process
constexpr size_t kMostMounts = 16;   // named of one process
constexpr size_t kMostLists = 64;    // mount lists kept

}  // namespace

bool IsDeviceNode(std::string_view target) {
  for (const std::string_view prefix :
       {"/dev/nvidia", "/dev/dxg", "/dev/nvhost-", "/dev/nvgpu", "/dev/nvmap"}) {
    if (target.starts_with(prefix)) return true;
  }
  return false;
}

uint64_t ParseNamespaceLink(std::string_view target) {
  const size_t open = target.find(":[");
  if (open == std::string_view::npos || !target.ends_with("]")) return 0;
  target.remove_suffix(1);
  return ParseNumber<uint64_t>(target.substr(open + 2)).value_or(0);
}

const cgroup::Mount* MountOf(const std::vector<cgroup::Mount>& mounts, std::string_view path) {
  const cgroup::Mount* best = nullptr;
  for (const cgroup::Mount& mount : mounts) {
    const std::string_view point = mount.mount_point;
    const bool above = point == "/" || (path.starts_with(point) &&
                                        (path.size() == point.size() || path[point.size()] == '/'));
    if (above && (best == nullptr || point.size() >= best->mount_point.size())) best = &mount;
  }
  return best;
}

// Where a link below /proc points; empty when that cannot be read. Valid until the next call.
std::string_view OpenFiles::LinkOf(const char* path) {
  link_.resize(4096);
  ++proc_.reads;
  const ssize_t n = readlinkat(proc_.folder.get(), path, link_.data(), link_.size());
  return n > 0 ? std::string_view(link_).substr(0, static_cast<size_t>(n)) : std::string_view();
}

Known<uint64_t> OpenFiles::NamespaceOf(int pid, const char* kind) {
  const std::string_view link = LinkOf(ShortPath(pid, "/ns/", kind).c_str());
  if (link.empty()) {
    // A recorded machine may lack the folder.
    return errno == ENOENT && !proc_.live ? Missing{Absence::kNotSupported} : WhyProcess(errno);
  }
  const uint64_t inode = ParseNamespaceLink(link);
  return inode != 0 ? Known<uint64_t>(inode) : Known<uint64_t>(Absence::kImplausible);
}

HoldsDevice OpenFiles::FindDeviceNode(int pid) {
  ++proc_.reads;
  if (ListNumbers(proc_.folder.get(), ShortPath(pid, "/fd").c_str(), descriptors_) != 0) {
    return HoldsDevice::kUnknown;
  }
  size_t readable = 0;
  for (const int descriptor : descriptors_) {
    const std::string_view target = LinkOf(ShortPath(pid, "/fd/", descriptor).c_str());
    if (target.empty()) continue;
    if (IsDeviceNode(target)) return HoldsDevice::kYes;
    if (++readable == kMostFiles) return HoldsDevice::kUnknown;
  }
  // A process that is just ending has no descriptors left: that says nothing.
  return readable > 0 ? HoldsDevice::kNo : HoldsDevice::kUnknown;
}

Known<double> OpenFiles::Count(int pid) {
  const ShortPath path(pid, "/fd");
  // Since Linux 6.2 the size of the folder is the number of descriptors.
  struct stat info{};
  ++proc_.reads;
  if (proc_.live && fstatat(proc_.folder.get(), path.c_str(), &info, 0) == 0 && info.st_size > 0) {
    return static_cast<double>(info.st_size);
  }
  ++proc_.reads;
  const int error = ListNumbers(proc_.folder.get(), path.c_str(), descriptors_);
  // A recorded machine may lack the folder.
  if (error == ENOENT && !proc_.live) return Absence::kNotSupported;
  if (error != 0) return WhyProcess(error);
  return static_cast<double>(descriptors_.size());
}

const std::vector<cgroup::Mount>& OpenFiles::MountsOf(int pid) {
  static const std::vector<cgroup::Mount> kNone;
  const uint64_t name = NamespaceOf(pid, "mnt").value_or(0);
  if (const auto known = mounts_.find(name); name != 0 && known != mounts_.end()) {
    return known->second;
  }
  ++proc_.reads;
  if (buffer_.ReadOnce(proc_.folder.get(), ShortPath(pid, "/mountinfo").c_str()) != 0) {
    return kNone;
  }
  if (mounts_.size() >= kMostLists) mounts_.clear();
  return mounts_[name] = cgroup::ParseMountInfo(buffer_.text());
}

void OpenFiles::ListMounts(int pid, std::vector<std::string>& out) {
  out.clear();
  ++proc_.reads;
  if (ListNumbers(proc_.folder.get(), ShortPath(pid, "/fd").c_str(), descriptors_) != 0) return;
  const auto& mounts = MountsOf(pid);
  if (descriptors_.size() > kMostFiles) descriptors_.resize(kMostFiles);
  ptrdiff_t network = 0;  // how many of them stand in front
  for (const int descriptor : descriptors_) {
    const std::string_view target = LinkOf(ShortPath(pid, "/fd/", descriptor).c_str());
    // Pipes and sockets have no path; a path outside of the process's root starts otherwise.
    if (!target.starts_with('/') || target.starts_with("/proc/")) continue;
    if (target.starts_with("/dev/") && !target.starts_with("/dev/shm/")) continue;
    const cgroup::Mount* mount = MountOf(mounts, target);
    ++proc_.reads;
    // The descriptor's own word is exact also where one mount hides another.
    if (buffer_.ReadOnce(proc_.folder.get(), ShortPath(pid, "/fdinfo/", descriptor).c_str()) == 0) {
      std::string_view text = buffer_.text();
      while (const auto line = NextLine(text)) {
        if (!line->starts_with("mnt_id:")) continue;
        const auto id = ParseNumber<int>(Trim(line->substr(7)));
        for (const cgroup::Mount& candidate : mounts) {
          if (id == candidate.id) mount = &candidate;
        }
      }
    }
    if (mount == nullptr || IsPseudoFileSystem(mount->type)) continue;
    std::string name = mount->type + " " + mount->mount_point;
    if (std::find(out.begin(), out.end(), name) != out.end()) continue;
    const bool remote = IsNetworkFileSystem(mount->type);
    out.insert(remote ? out.begin() + network++ : out.end(), std::move(name));
    if (out.size() == kMostMounts) break;
  }
}

}  // namespace gpusight::host
