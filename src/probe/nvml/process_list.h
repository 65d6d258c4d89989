// SPDX-License-Identifier: Apache-2.0
// Asks for the processes of a device and merges the three lists (compute, graphics, MPS) into one
// use per pid and device. Which version of each call this driver has is remembered.
// Next: process_use.h for how busy each process keeps the device.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "model/frame.h"
#include "probe/nvml/abi.h"
#include "probe/nvml/pace.h"
#include "probe/nvml/processes.h"

namespace gpusight::nvml {

struct Pass;
struct Gpu;

// What is remembered of one list of one device.
struct ListState {
  bool refused = false;
  Return refusal = kSuccess;
  std::vector<ProcessRecord> records;  // of the last answer
  bool good = false;                   // it was one
  double used = -1;                    // bytes of the device that were used at that time
  Pace pace;
};
using ListStates = std::array<ListState, 3>;  // compute, graphics, MPS

// One process on one device, small enough to sort by the thousand.
struct Use {
  int pid = 0;
  uint16_t device = 0;  // position in Frame::devices
  uint8_t types = 0;    // UseType bits
  uint64_t memory = kMemoryUnknown;
};

// Sorts by pid and device and merges what is listed twice. The lists of one device repeat a
// process with the same memory, they do not split it.
void MergeUses(std::vector<Use>& uses);

class ProcessLists {
 public:
  explicit ProcessLists(Root root) : root_(std::move(root)) {}

  // Appends the device's processes to `uses` and sets gpu.sample.process_count. The lists of
  // graphics and MPS are asked less often while they are empty. No list is asked while the device
  // uses as many bytes as at the last answer and all of its processes live (nobody can have come
  // or gone then, short of an exact swap), but for every ten seconds to make sure.
  Return Read(Pass& pass, Gpu& gpu, uint16_t device, std::vector<Use>& uses);

  // Another driver may have other versions of the calls.
  void Forget() { version_ = {}; }

 private:
  struct Outcome {
    Return code = kSuccess;
    bool noise = false;  // the driver answered, but no reading of it makes sense
  };
  static constexpr double kListSeconds = 10, kEmptySeconds = 20;
  static constexpr size_t kMostLooked = 64;  // processes whose being alive is worth looking up

  [[nodiscard]] bool StillTrue(const Pass& pass, const Gpu& gpu, const ListState& state) const;
  [[nodiscard]] bool Lives(unsigned pid) const;
  size_t Room() const { return buffer_.size() / kRecordRoom; }  // in records
  Outcome ReadKind(Pass& pass, Gpu& gpu, size_t kind, uint64_t total);

  Root root_;
  std::array<uint8_t, 3> version_{};  // per list: position of the call to use
  std::vector<std::byte> buffer_;
  std::vector<ProcessRecord> records_;
};

}  // namespace gpusight::nvml
