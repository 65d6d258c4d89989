// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/hierarchy.h"

#include <algorithm>

namespace gpusight::cgroup {
namespace {

// Whether the comma-separated `list` has `word`.
bool Lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == word) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

}  // namespace

Hierarchy::Hierarchy(const std::vector<Mount>& mounts) {
  struct Name {
    Controller controller;
    std::string_view option;
  };
  constexpr Name kNames[] = {
      {Controller::kCpu, "cpu"},       {Controller::kCpuAcct, "cpuacct"},
      {Controller::kCpuset, "cpuset"}, {Controller::kMemory, "memory"},
      {Controller::kPids, "pids"},     {Controller::kNamed, "name=systemd"},
  };
  for (const Mount& mount : mounts) {
    // The first mount of a hierarchy is the machine's; later ones are copies that tools made.
    const auto put = [&](Controller controller) {
      Place& place = places_[static_cast<size_t>(controller)];
      if (place.mount_point.empty()) place = Place{mount.mount_point, mount.root};
    };
    if (mount.type == "cgroup2") put(Controller::kUnified);
    if (mount.type != "cgroup") continue;
    for (const Name& name : kNames) {
      if (Lists(mount.options, name.option)) put(name.controller);
    }
  }
}

Controller Hierarchy::Serving(Controller controller) const {
  return Top(controller).empty() ? Controller::kUnified : controller;
}

std::optional<std::string> Hierarchy::Folder(Controller hierarchy, std::string_view path) const {
  const Place& place = places_[static_cast<size_t>(hierarchy)];
  if (place.mount_point.empty() || path.empty()) return std::nullopt;
  // "/../…": outside of our control-group namespace.
  if (path.starts_with("/..")) return std::nullopt;
  std::string_view relative = path;
  if (place.root != "/") {
    // Without a namespace a container sees the host's paths, and its own folder as the mount.
    if (relative.starts_with(place.root) &&
        (relative.size() == place.root.size() || relative[place.root.size()] == '/')) {
      relative.remove_prefix(place.root.size());
    } else {
      return std::nullopt;
    }
  }
  std::string folder = place.mount_point;
  if (relative != "/") folder += relative;
  return folder;
}

}  // namespace gpusight::cgroup
