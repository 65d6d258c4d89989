// SPDX-License-Identifier: Apache-2.0
// What a process holds open: how many files, whether a device node of the driver, and on which
// file systems. Needs the right to look into the process; where it lacks, the answer says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/known.h"
#include "probe/host/proc_folder.h"
#include "probe/host/process_entry.h"

namespace gpusight::host {

// Whether the target of a descriptor is a GPU's device node: /dev/nvidia0, /dev/nvidiactl,
// /dev/nvidia-uvm, /dev/dxg (WSL2), /dev/nvhost-… and /dev/nvgpu/… (Jetson).
[[nodiscard]] bool IsDeviceNode(std::string_view target);

[[nodiscard]] HoldsDevice FindDeviceNode(ProcFolder& proc, int pid);

[[nodiscard]] Known<double> CountOpenFiles(ProcFolder& proc, int pid);

// The inode that names its PID namespace; 0 when not readable. `process` is a folder of /proc.
[[nodiscard]] uint64_t NamespaceOf(ProcFolder& proc, int pid);

// "pid:[4026531836]" -> 4026531836; 0 when it is no such text.
[[nodiscard]] uint64_t ParseNamespaceLink(std::string_view target);

}  // namespace gpusight::host
