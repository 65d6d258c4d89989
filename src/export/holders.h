// SPDX-License-Identifier: Apache-2.0
// Who holds the memory of a device: the processes by size, what of it is hidden from this
// container or left by processes that ended, and what the residual is. Pure. Next: who_text.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/account.h"
#include "model/frame.h"

namespace gpusight::exporting {

struct Holder {
  const ProcessSample* process;
  const GpuUse* use;
};

// What the residual of a device most likely is, told from what is known.
enum class ResidualKind : uint8_t {
  kUnknown,   // the account has a hole
  kNone,      // everything belongs to a process
  kNegative,  // the processes' memory adds up to more than is used: some is counted twice
  kUnlisted,  // much is listed under nobody: its owners are hidden from us
  kUnowned,   // much is listed under nobody, although nobody is hidden from us
  kContexts,  // some beside listed processes: contexts and the driver's own
  kIdle,      // a little without any process: the driver's own
};
[[nodiscard]] std::string_view Name(ResidualKind kind);

struct DeviceHolders {
  Account account;
  std::vector<Holder> holders;  // largest first, those of unknown size last
  double hidden_bytes = 0;      // of holders outside this container
  int hidden = 0;               // how many they are
  double zombie_bytes = 0;      // of holders that have ended
  int zombies = 0;              // how many they are
  ResidualKind residual = ResidualKind::kUnknown;
};

// The pointers point into `frame`.
[[nodiscard]] DeviceHolders HoldersOf(const Frame& frame, size_t device);

// What the holders that have ended still hold: "2.0GiB", "an unknown amount".
[[nodiscard]] std::string ZombieAmount(const DeviceHolders& device, Language language);

// The container's or pod's name; the pod's when there is one. Empty on the host itself.
[[nodiscard]] Known<std::string> ContainerOrPod(const Frame& frame, const ProcessSample& process);

// The batch job: Slurm's, of the process or of its container. Empty when none.
[[nodiscard]] std::string_view JobOf(const Frame& frame, const ProcessSample& process);

}  // namespace gpusight::exporting
