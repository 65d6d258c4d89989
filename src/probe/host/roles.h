// SPDX-License-Identifier: Apache-2.0
// What a process is to its job, told from its command line, its name and its parent: data-loader
// worker, launcher, rank, compiler. Pure. Next: process_table.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/frame.h"

namespace gpusight::host {

// What the command line alone says.
enum class CommandKind : uint8_t {
  kPlain,
  kLauncher,      // torchrun, accelerate launch, paddle.distributed.launch, mpirun, …
  kNamedWorker,   // a PyTorch loader worker that named itself "pt_data_worker"
  kSpawned,       // started by multiprocessing's "spawn" method
  kForkServer,    // multiprocessing's fork server: the parent of workers, none itself
  kTracker,       // multiprocessing's resource tracker: belongs to the job, does no work
  kCompilerPool,  // torch inductor's compile workers
  kCompilerTool,  // nvcc, ptxas, cc1plus, …
};

[[nodiscard]] CommandKind KindOf(std::string_view comm,
                                 const std::vector<std::string_view>& arguments);

struct Kin {
  CommandKind kind = CommandKind::kPlain;
  bool on_device = false;     // the driver lists it
  bool has_rank = false;      // RANK or a relative in its environment
  uint64_t command_hash = 0;  // equal for a child forked without exec; 0: no command line
};

// `parent` and `grandparent` may be null.
[[nodiscard]] ProcessRole RoleOf(const Kin& self, const Kin* parent, const Kin* grandparent);

}  // namespace gpusight::host
