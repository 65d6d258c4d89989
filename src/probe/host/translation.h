// SPDX-License-Identifier: Apache-2.0
// Process numbers of the driver and ours. Newer drivers translate numbers into the PID namespace
// of whoever asks, older ones give the machine's own, and some calls of newer ones do too. So a
// number says "process 4711" but not in which namespace: before it is taken for one of ours, the
// process of that number here must be able to be the one that is meant.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "model/frame.h"
#include "probe/host/proc_folder.h"
#include "probe/host/process_entry.h"

namespace gpusight::host {

// The PID namespace that /proc shows.
struct Namespace {
  uint64_t inode = 0;    // 0: not known
  bool initial = false;  // the machine's own: every number of the driver is one of it
  bool known = false;    // whether anything told that it is, or that it is not
};
[[nodiscard]] Namespace FindNamespace(ProcFolder& proc);

// The device nodes below the Root.
class DeviceNodes {
 public:
  explicit DeviceNodes(const Root& root);
  // Whether there are any at all: where there are none (a driver that is played, a kernel without
  // nodes), not holding one says nothing.
  [[nodiscard]] bool Any() const;

 private:
  std::array<std::string, 4> paths_;
};

// What a process that the driver lists is to us.
[[nodiscard]] Holder Judge(const Namespace& here, bool device_nodes, const ProcessEntry& entry);

// Which process of the frame a number of another PID namespace means: the one that has `inner` as
// its own number there. `name_space` is the inode of that namespace (0: any; then the answer counts
// only if one process alone fits). -1 when there is none. The way back, from a process here to its
// numbers further in, is ProcessSample::namespace_pids.
[[nodiscard]] int TranslateFromInside(const Frame& frame, int inner, uint64_t name_space);

// The fields of a process of which only the number is known.
void DescribeOutsider(ProcessSample& process);
void DescribeEnded(ProcessSample& process);

}  // namespace gpusight::host
