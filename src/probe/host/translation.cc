// SPDX-License-Identifier: Apache-2.0
#include "probe/host/translation.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/kept_file.h"
#include "base/text.h"
#include "probe/host/open_files.h"

namespace gpusight::host {
namespace {

// The kernel gives its first PID namespace this inode (PROC_PID_INIT_INO).
constexpr uint64_t kInitialInode = 0xEFFFFFFC;

void Blank(ProcessSample& process, Missing why) {
  ProcessSample blank;
  blank.pid = process.pid;
  blank.uses = std::move(process.uses);
  blank.fields.Fill(why);
  blank.start_time = why;
  blank.pid_namespace = why;
  blank.user = why;
  blank.command = why;
  blank.command_line = why;
  blank.container = why;
  blank.visible_devices = why;
  process = std::move(blank);
}

}  // namespace

Namespace FindNamespace(ProcFolder& proc) {
  Namespace here;
  std::array<char, 64> target;
  const ssize_t n = readlinkat(proc.folder.get(), "self/ns/pid", target.data(), target.size());
  if (n > 0) here.inode = ParseNamespaceLink({target.data(), static_cast<size_t>(n)});
  if (here.inode != 0) {
    here.initial = here.inode == kInitialInode;
    here.known = true;
    return here;
  }
  // Number 2 is the kernel's thread starter in the first namespace, and only there.
  ReadBuffer buffer;
  const bool second = buffer.ReadOnce(proc.folder.get(), "2/comm") == 0;
  here.initial = second && Trim(buffer.text()) == "kthreadd";
  here.known = second || faccessat(proc.folder.get(), "1", F_OK, 0) == 0;
  return here;
}

DeviceNodes::DeviceNodes(const Root& root)
    : paths_{root.Path("/dev/nvidiactl"), root.Path("/dev/nvidia0"), root.Path("/dev/dxg"),
             root.Path("/dev/nvmap")} {}

bool DeviceNodes::Any() const {
  return std::any_of(paths_.begin(), paths_.end(),
                     [](const std::string& path) { return access(path.c_str(), F_OK) == 0; });
}

Holder Judge(const Namespace& here, bool device_nodes, const ProcessEntry& entry) {
  if (entry.gone) {
    // Where all numbers are ours, a number without a process is that of an ended one. Elsewhere
    // that is known only of a process that was seen here.
    // A driver without device nodes is no driver of this machine (it is played): its numbers are
    // those of another one, and say nothing of processes here.
    const bool all_ours = here.initial && device_nodes;
    return all_ours || entry.was_here ? Holder::kEnded : Holder::kOutside;
  }
  if (entry.sample.zombie) return Holder::kEnded;
  // A process with no device node open uses no device: the number means one of another namespace.
  if (!here.initial && device_nodes && entry.holds == HoldsDevice::kNo) return Holder::kOutside;
  return Holder::kHere;
}

int TranslateFromInside(const Frame& frame, int inner, uint64_t name_space) {
  int found = -1;
  for (const ProcessSample& process : frame.processes) {
    if (!process.translated || process.namespace_pids.empty()) continue;
    if (process.namespace_pids.back() != inner) continue;
    if (name_space != 0 && process.pid_namespace.value_or(0) != name_space) continue;
    if (found != -1) return -1;
    found = process.pid;
  }
  return found;
}

void DescribeOutsider(ProcessSample& process) {
  Blank(process, {Absence::kOutsideNamespace});
  process.translated = false;
}

void DescribeEnded(ProcessSample& process) {
  // Of one that was seen alive, name, user and times are still known.
  if (!process.command) Blank(process, {Absence::kGone});
  process.zombie = true;
  process.ours = false;
}

}  // namespace gpusight::host
