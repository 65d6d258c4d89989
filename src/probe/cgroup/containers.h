// SPDX-License-Identifier: Apache-2.0
// The containers of a frame: each distinct control group that holds a process of interest, read
// once however many processes share it, and our own. Next: names.h (what a container is called).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/kept_file.h"
#include "model/frame.h"
#include "probe/cgroup/group.h"

namespace gpusight::cgroup {

// What Containers::Fill() reads of each; the rest stands as it was read last. Of one that is new
// all is read, unless nothing is.
enum class Facts {
  kNone,
  kQuick,   // what moves fast: CPU time and throttling, memory, kills, processes
  kUse,     // also pressure, swap and the peak of memory
  kLimits,  // also what it may use
};

// Not thread-safe. `root` must outlive it.
class Containers {
 public:
  explicit Containers(const Root& root);

  // The handle of the group of a process, by the text of its /proc/<pid>/cgroup. `process` is its
  // folder's name in /proc ("123", "self"): its mounts and files are asked for names the first
  // time. Allocates only for groups not seen in the last frame.
  int Find(std::string_view membership, std::string_view process);

  // Our own group; -1 when /proc/self says nothing.
  int FindOwn();

  // This group is in the present frame; process `pid` (0: ours) is in it.
  void Use(int handle, int pid) {
    Slot& slot = *slots_[static_cast<size_t>(handle)];
    if (!slot.used) slot.pid = pid;
    slot.used = true;
  }

  // What a screen shows for it: the container's name or short id; "" for the host itself.
  const std::string& Label(int handle) const { return slots_[static_cast<size_t>(handle)]->label; }
  const ContainerSample& Sample(int handle) const {
    return slots_[static_cast<size_t>(handle)]->sample;
  }
  // Its place in what Fill() wrote.
  int Position(int handle) const { return slots_[static_cast<size_t>(handle)]->position; }

  // Reads the used groups, writes them, forgets the others.
  void Fill(Facts facts, std::vector<ContainerSample>& out);

  uint64_t reads() const { return reads_; }

 private:
  struct Slot {
    std::string key;
    std::string label;
    ContainerSample sample;
    std::unique_ptr<Group> group;
    bool fresh = true;
    bool used = false;
    int pid = 0;  // one of its processes
    int position = -1;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  int Add(std::string_view text, std::string_view process);
  void ReadShm(Slot& slot);

  const Root& root_;
  Hierarchy hierarchy_;
  ReadBuffer buffer_;
  std::vector<std::unique_ptr<Slot>> slots_;  // freed ones are null
  // From the text of a /proc/<pid>/cgroup to a slot.
  std::unordered_map<std::string, int, Hash, std::equal_to<>> by_text_;
  std::string own_text_;
  uint64_t reads_ = 0;
};

}  // namespace gpusight::cgroup
