// SPDX-License-Identifier: Apache-2.0
// Where the files of a control group lie: cgroup v1, v2 or both side by side (systemd's hybrid),
// with or without a control-group namespace. Pure apart from what it is given. Next: containers.h.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/cgroup/cgroup_path.h"
#include "probe/cgroup/mountinfo.h"

namespace gpusight::cgroup {

class Hierarchy {
 public:
  // From the mounts of our own process.
  explicit Hierarchy(const std::vector<Mount>& mounts = {});

  // The hierarchy whose files answer for a controller: its own v1 one where it is mounted, else
  // the unified one.
  [[nodiscard]] Controller Serving(Controller controller) const;
  [[nodiscard]] bool unified(Controller controller) const {
    return Serving(controller) == Controller::kUnified;
  }

  // The folder (absolute, below the Root) of the group `path` in that hierarchy. nullopt when it
  // lies outside of what is mounted here.
  [[nodiscard]] std::optional<std::string> Folder(Controller hierarchy,
                                                  std::string_view path) const;

  // Where that hierarchy is mounted: the topmost folder that we can see. Empty: not mounted.
  [[nodiscard]] const std::string& Top(Controller hierarchy) const {
    return places_[static_cast<size_t>(hierarchy)].mount_point;
  }

 private:
  struct Place {
    std::string mount_point;
    std::string root;
  };
  std::array<Place, kControllers> places_;
};

}  // namespace gpusight::cgroup
