// SPDX-License-Identifier: Apache-2.0
// The texts of /proc/<pid>: command line and environment. The environment may hold secrets, so
// only the few variables below are ever taken from it. Pure. Next: roles.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusight::host {

// What is looked at of a command line, which may be megabytes long: what program it is stands at
// its front.
inline constexpr size_t kMostCommandLine = size_t{64} << 10;

// The arguments of /proc/<pid>/cmdline. A program that wrote over them (setproctitle) gives one
// long argument, its padding removed.
[[nodiscard]] std::vector<std::string_view> Arguments(std::string_view text);

// The arguments joined by spaces.
[[nodiscard]] std::string CommandLine(std::string_view text);

// The variables of a job that gpusight needs.
struct JobEnvironment {
  std::optional<std::string> visible_devices;         // CUDA_VISIBLE_DEVICES
  std::optional<std::string> nvidia_visible_devices;  // NVIDIA_VISIBLE_DEVICES
  std::optional<std::string> device_order;            // CUDA_DEVICE_ORDER
  std::string slurm_job;                              // SLURM_JOB_ID
  std::string elastic_run;                            // TORCHELASTIC_RUN_ID
  int rank = -1;        // RANK, PADDLE_TRAINER_ID, PMI, OpenMPI, Slurm
  int local_rank = -1;  // LOCAL_RANK, …
  int world_size = -1;  // WORLD_SIZE, …
};
[[nodiscard]] JobEnvironment PickEnvironment(std::string_view text);

}  // namespace gpusight::host
