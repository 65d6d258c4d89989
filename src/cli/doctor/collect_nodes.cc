// SPDX-License-Identifier: Apache-2.0
// The driver's nodes in /dev: what they are and whether we may use them.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "cli/doctor/collect.h"

namespace gpusight::doctor {
namespace {

// "video" for 44, from the group file below the Root; else the number.
std::string GroupName(const Root& root, unsigned gid) {
  const std::string groups = TextOf(root, "/etc/group");
  std::string_view rest = groups;
  while (const auto line = NextLine(rest)) {
    const auto parts = Split(*line, ':');
    if (parts.size() > 2 && ParseNumber<unsigned>(parts[2]) == gid) return std::string(parts[0]);
  }
  return std::to_string(gid);
}

DeviceNode Look(const Root& root, const std::string& path, bool try_nodes) {
  DeviceNode node;
  node.path = path;
  struct stat status{};
  const std::string real = root.Path(path);
  if (stat(real.c_str(), &status) != 0) return node;
  node.present = true;
  node.is_device = S_ISCHR(status.st_mode) || !try_nodes;
  node.mode = status.st_mode & 07777U;
  node.uid = status.st_uid;
  node.gid = status.st_gid;
  node.group = GroupName(root, node.gid);
  if (try_nodes && access(real.c_str(), R_OK | W_OK) != 0) node.access_error = errno;
  return node;
}

}  // namespace

void CollectNodes(const Root& root, bool try_nodes, Facts& facts) {
  facts.nodes.push_back(Look(root, "/dev/nvidiactl", try_nodes));
  facts.nodes.push_back(Look(root, "/dev/nvidia-uvm", try_nodes));
  if (const auto names = ListFolder(root.Path("/dev"))) {
    for (const std::string& name : *names) {
      const bool numbered = name.starts_with("nvidia") &&
                            ParseNumber<int>(std::string_view(name).substr(6)).has_value();
      if (numbered) facts.nodes.push_back(Look(root, "/dev/" + name, try_nodes));
    }
  }
  // A control group can forbid a node whose mode allows it, and only opening tells. The control
  // node wakes no device. Not asked while the driver hangs.
  DeviceNode& control = facts.nodes.front();
  const DriverState state = facts.frame.driver.state;
  const bool ask = try_nodes && control.present && control.is_device && state != DriverState::kOk &&
                   state != DriverState::kNoAnswer;
  if (ask) {
    const UniqueFd fd(open(root.Path(control.path).c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    control.open_error = fd.valid() ? 0 : errno;
  }
}

}  // namespace gpusight::doctor
