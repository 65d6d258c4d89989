// SPDX-License-Identifier: Apache-2.0
// Any bytes as what control groups and container runtimes write: membership, paths, mount lists,
// pressure, limits, CPU lists, state files.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "probe/cgroup/cgroup_path.h"
#include "probe/cgroup/hierarchy.h"
#include "probe/cgroup/mountinfo.h"
#include "probe/cgroup/pressure.h"
#include "probe/cgroup/state_files.h"
#include "probe/cgroup/values.h"

namespace {

void Require(bool truth) {
  if (!truth) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gpusight::cgroup;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Membership membership = ParseMembership(text);
  for (const std::string& path : membership.paths) {
    Require(path.empty() || path.front() == '/');
    Require(Identify(path).length <= path.size());
  }
  (void)Identify(membership);
  Require(Identify(text).length <= size);

  const auto mounts = ParseMountInfo(text);
  const Hierarchy hierarchy(mounts);
  for (const Mount& mount : mounts) {
    (void)IdentifyFromMount(mount.root, mount.mount_point);
    (void)hierarchy.Folder(Controller::kUnified, mount.root);
    (void)hierarchy.Folder(Controller::kMemory, mount.root);
  }
  (void)IdentifyFromMount(text, "/etc/hostname");
  (void)ShmSize(text);

  if (const auto pressure = ParsePressure(text)) {
    Require(pressure->some.average10 >= 0 && pressure->some.average10 <= 1);
  }
  if (const auto limit = ParseLimit(text)) Require(limit->value >= 0);
  if (const auto limit = ParseCpuMax(text)) Require(limit->value >= 0);
  if (const auto count = CountCpuList(text)) Require(*count >= 0);
  (void)ParseKey(text, "oom_kill");
  (void)ParseCount(text);
  (void)DockerName(text);
  (void)OciNames(text);
  (void)StorageName(text, "aa");
  return 0;
}
