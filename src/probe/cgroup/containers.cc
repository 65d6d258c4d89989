// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/containers.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "probe/cgroup/inside.h"
#include "probe/cgroup/names.h"

namespace gpusight::cgroup {
namespace {

// More groups than these are read without keeping their files open: each has a dozen.
constexpr size_t kKeptOpen = 24;

// The mounts that tell where the control groups are; without them (a recorded machine may lack
// the file) the usual places are tried.
std::vector<Mount> OwnMounts(const Root& root) {
  if (const auto text = ReadFile(root.Path("/proc/self/mountinfo"))) return ParseMountInfo(*text);
  std::vector<Mount> mounts;
  const auto add = [&](const char* folder, const char* file, const char* type,
                       const char* options) {
    const std::string path = std::string(folder) + "/" + file;
    if (!OpenForRead(root.Path(path))) return;
    mounts.push_back({0, "/", folder, type, type, options});
  };
  add("/sys/fs/cgroup", "cgroup.controllers", "cgroup2", "rw");
  add("/sys/fs/cgroup/unified", "cgroup.controllers", "cgroup2", "rw");
  for (const char* name : {"cpu", "cpuacct", "cpuset", "memory", "pids"}) {
    const std::string folder = std::string("/sys/fs/cgroup/") + name;
    add(folder.c_str(), "cgroup.procs", "cgroup", name);
  }
  return mounts;
}

// The paths cut at the container's or job's own folder: what it makes below is part of it.
void CutToContainer(Membership& membership, const Identity& identity) {
  for (std::string& path : membership.paths) {
    const Identity own = Identify(path);
    const bool same =
        (!identity.id.empty() && own.id == identity.id) ||
        (identity.id.empty() && !identity.pod_uid.empty() && own.pod_uid == identity.pod_uid) ||
        (!identity.container() && !identity.slurm_job.empty() &&
         own.slurm_job == identity.slurm_job) ||
        (!identity.container() && !identity.unit.empty() && own.unit == identity.unit);
    if (same) path.resize(own.length);
  }
}

}  // namespace

Containers::Containers(const Root& root) : root_(root), hierarchy_(OwnMounts(root)) {
  if (auto text = ReadFile(root.Path("/proc/self/cgroup"))) own_text_ = std::move(*text);
}

int Containers::FindOwn() { return own_text_.empty() ? -1 : Find(own_text_, "self"); }

int Containers::Find(std::string_view membership, std::string_view process) {
  const auto found = by_text_.find(membership);
  return found != by_text_.end() ? found->second : Add(membership, process);
}

int Containers::Add(std::string_view text, std::string_view process) {
  Membership membership = ParseMembership(text);
  Identity identity = Identify(membership);
  if (!identity.container()) IdentifyByMounts(root_, process, identity);
  CutToContainer(membership, identity);

  std::string key;
  for (const std::string& path : membership.paths) key += path + '\n';
  // Groups that a container without a visible path shares with others ("/") are told apart by it.
  key += identity.id + '\n' + identity.pod_uid;

  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i] && slots_[i]->key == key) {
      by_text_.emplace(text, static_cast<int>(i));
      return static_cast<int>(i);
    }
  }
  auto slot = std::make_unique<Slot>();
  slot->key = std::move(key);
  const size_t open = static_cast<size_t>(
      std::count_if(slots_.begin(), slots_.end(), [](const auto& s) { return s != nullptr; }));
  slot->group =
      std::make_unique<Group>(root_, hierarchy_, membership, root_.live() && open < kKeptOpen);
  ContainerSample& sample = slot->sample;
  for (const Controller c : {Controller::kUnified, Controller::kMemory, Controller::kCpu,
                             Controller::kPids, Controller::kNamed}) {
    // The path that tells most: of several hierarchies the deepest.
    if (membership[c].size() > sample.path.size()) sample.path = membership[c];
  }
  FindNames(root_, process, identity, sample);
  slot->label = LabelOf(sample);

  const auto free = std::find(slots_.begin(), slots_.end(), nullptr);
  const size_t at = static_cast<size_t>(free - slots_.begin());
  if (free == slots_.end()) {
    slots_.push_back(std::move(slot));
  } else {
    *free = std::move(slot);
  }
  by_text_.emplace(text, static_cast<int>(at));
  return static_cast<int>(at);
}

// The /dev/shm that a process of the group sees: a container has its own, often of 64 MiB only.
void Containers::ReadShm(Slot& slot) {
  using F = ContainerField;
  auto& fields = slot.sample.fields;
  std::array<char, 16> process;
  const auto end = slot.pid == 0 ? fmt::format_to_n(process.data(), process.size(), "self")
                                 : fmt::format_to_n(process.data(), process.size(), "{}", slot.pid);
  const std::string_view name(process.data(), std::min(end.size, process.size()));
  if (!root_.live()) {
    // The folder of a recorded machine lies on our own disk; only its mount tells a size.
    if (!slot.fresh) return;
    fields[F::kShmTotal] = fields[F::kShmUsed] = Absence::kNotSupported;
    const auto mounts = ReadFile(root_.Path(fmt::format("/proc/{}/mountinfo", name)));
    const auto size = mounts ? ShmSize(*mounts) : std::nullopt;
    if (size) fields[F::kShmTotal] = static_cast<double>(*size);
    return;
  }
  Space shm;
  ++reads_;
  if (const int error = SpaceInside(root_, name, "/dev/shm", shm); error != 0) {
    const bool none = error == ENOENT || error == ENOTDIR || error == ENOSYS;
    const Missing why = error == EACCES || error == EPERM ? Missing{Absence::kNoPermission}
                        : none                            ? Missing{Absence::kNotSupported}
                                                          : Missing{Absence::kGone};
    fields[F::kShmTotal] = fields[F::kShmUsed] = why;
    return;
  }
  fields[F::kShmTotal] = shm.total;
  fields[F::kShmUsed] = shm.used;
}

void Containers::Fill(Facts facts, std::vector<ContainerSample>& out) {
  size_t count = 0;
  const auto own = by_text_.find(own_text_);
  for (size_t i = 0; i < slots_.size(); ++i) {
    auto& slot = slots_[i];
    if (!slot) continue;
    if (!slot->used) {
      std::erase_if(by_text_, [&](const auto& pair) { return pair.second == static_cast<int>(i); });
      slot.reset();
      continue;
    }
    if (facts != Facts::kNone) {
      const uint64_t before = slot->group->reads();
      const Facts these = slot->fresh ? Facts::kLimits : facts;
      if (these == Facts::kLimits) slot->group->ReadLimits(buffer_);
      slot->group->Read(buffer_, these != Facts::kQuick, slot->sample.fields);
      reads_ += slot->group->reads() - before;
      if (these != Facts::kQuick) ReadShm(*slot);
    }
    slot->fresh = slot->used = false;
    slot->sample.own = own != by_text_.end() && own->second == static_cast<int>(i);
    slot->position = static_cast<int>(count);
    if (count < out.size()) {
      out[count] = slot->sample;
    } else {
      out.push_back(slot->sample);
    }
    ++count;
  }
  out.resize(count);
}

}  // namespace gpusight::cgroup
