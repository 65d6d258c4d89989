// SPDX-License-Identifier: Apache-2.0
#include "probe/host/proc_text.h"

#include "base/text.h"

namespace gpusight::host {
namespace {

// Takes the next zero-terminated piece off the front.
std::string_view NextPiece(std::string_view& rest) {
  const size_t end = rest.find('\0');
  const std::string_view piece = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return piece;
}

}  // namespace

std::vector<std::string_view> Arguments(std::string_view text) {
  // What a title left behind of the old arguments is zeros or blanks.
  const size_t last = text.find_last_not_of(std::string_view("\0 ", 2));
  if (last == std::string_view::npos) return {};
  // An empty last argument ("grep ''") is rare and says nothing.
  std::string_view rest = text.substr(0, last + 1);
  std::vector<std::string_view> arguments;
  while (!rest.empty()) arguments.push_back(NextPiece(rest));
  return arguments;
}

std::string CommandLine(std::string_view text) {
  std::string line;
  for (const std::string_view argument : Arguments(text)) {
    if (!line.empty()) line += ' ';
    line += argument;
  }
  return line;
}

JobEnvironment PickEnvironment(std::string_view text) {
  JobEnvironment picked;
  const auto number = [](std::string_view value, int& to) {
    const auto parsed = ParseNumber<int>(value);
    if (parsed && *parsed >= 0 && to < 0) to = *parsed;
  };
  int fallback_rank = -1;
  int fallback_local = -1;
  int fallback_world = -1;
  while (!text.empty()) {
    const std::string_view piece = NextPiece(text);
    const size_t equals = piece.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = piece.substr(0, equals);
    const std::string_view value = piece.substr(equals + 1);
    // A name may stand twice; getenv(3) answers with the first.
    const auto text_of = [&](std::string_view name, std::optional<std::string>& to) {
      if (key == name && !to) to = value;
    };
    text_of("CUDA_VISIBLE_DEVICES", picked.visible_devices);
    text_of("NVIDIA_VISIBLE_DEVICES", picked.nvidia_visible_devices);
    text_of("CUDA_DEVICE_ORDER", picked.device_order);
    if (key == "SLURM_JOB_ID" && picked.slurm_job.empty()) picked.slurm_job = value;
    if (key == "TORCHELASTIC_RUN_ID" && picked.elastic_run.empty()) picked.elastic_run = value;
    if (key == "RANK" || key == "PADDLE_TRAINER_ID") number(value, picked.rank);
    if (key == "LOCAL_RANK" || key == "PADDLE_RANK_IN_NODE") number(value, picked.local_rank);
    if (key == "WORLD_SIZE" || key == "PADDLE_TRAINERS_NUM") number(value, picked.world_size);
    if (key == "OMPI_COMM_WORLD_RANK" || key == "PMI_RANK" || key == "SLURM_PROCID") {
      number(value, fallback_rank);
    }
    if (key == "OMPI_COMM_WORLD_LOCAL_RANK" || key == "MPI_LOCALRANKID" || key == "SLURM_LOCALID") {
      number(value, fallback_local);
    }
    if (key == "OMPI_COMM_WORLD_SIZE" || key == "PMI_SIZE" || key == "SLURM_NTASKS") {
      number(value, fallback_world);
    }
  }
  // MPI's and Slurm's variables are also set for a batch script that starts one process.
  if (fallback_world <= 1) return picked;
  if (picked.rank < 0) picked.rank = fallback_rank;
  if (picked.local_rank < 0) picked.local_rank = fallback_local;
  if (picked.world_size < 0) picked.world_size = fallback_world;
  return picked;
}

}  // namespace gpusight::host
