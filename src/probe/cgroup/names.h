// SPDX-License-Identifier: Apache-2.0
// What a container is called: from the kubelet's log folders and the container's own files, which
// need no privilege, and from the runtimes' state files where we may read them.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "model/frame.h"
#include "probe/cgroup/cgroup_path.h"

namespace gpusight::cgroup {

// Completes `identity` from the mounts of the process, for a path that says nothing.
void IdentifyByMounts(const Root& root, std::string_view process, Identity& identity);

// Fills everything of `sample` but path and fields.
void FindNames(const Root& root, std::string_view process, const Identity& identity,
               ContainerSample& sample);

// The short name for a column: name, else "<pod>", else the first 12 digits of the id, else
// the systemd service; "" for the host itself.
[[nodiscard]] std::string LabelOf(const ContainerSample& sample);

}  // namespace gpusight::cgroup
