// SPDX-License-Identifier: Apache-2.0
#include "probe/host/roles.h"

#include <algorithm>
#include <array>

namespace gpusight::host {
namespace {

std::string_view BaseName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

template <size_t N>
bool IsOneOf(std::string_view text, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool IsPython(std::string_view program) {
  return program.starts_with("python") || program.starts_with("pypy");
}

constexpr std::array<std::string_view, 15> kLaunchers = {
    "torchrun", "accelerate",      "deepspeed",  "fleetrun",   "mpirun",
    "mpiexec",  "mpiexec.hydra",   "orterun",    "prterun",    "orted",
    "prted",    "hydra_pmi_proxy", "horovodrun", "colossalai", "srun"};
constexpr std::array<std::string_view, 9> kLaunchModules = {
    "torch.distributed.run",           "torch.distributed.launch",  "accelerate.commands.launch",
    "deepspeed.launcher.launch",       "deepspeed.launcher.runner", "paddle.distributed.launch",
    "paddle.distributed.fleet.launch", "horovod.runner.launch",     "colossalai.cli.launcher"};
constexpr std::array<std::string_view, 20> kCompilers = {
    "nvcc",    "ptxas",    "cicc", "cudafe++", "fatbinary", "nvlink", "cc1",
    "cc1plus", "collect2", "gcc",  "g++",      "c++",       "cc",     "clang",
    "clang++", "as",       "ld",   "ninja",    "lld",       "cmake"};

// The part of a Python command line after the interpreter's own options.
struct PythonRun {
  std::string_view script;  // path
  std::string_view module;  // after -m
  std::string_view code;    // after -c
};

PythonRun RunOf(const std::vector<std::string_view>& arguments) {
  PythonRun run;
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const std::string_view next = i + 1 < arguments.size() ? arguments[i + 1] : std::string_view();
    if (argument == "-m") {
      run.module = next;
      return run;
    }
    if (argument == "-c") {
      run.code = next;
      return run;
    }
    if (argument == "-W" || argument == "-X") {  // these take a value
      ++i;
      continue;
    }
    if (!argument.empty() && argument.front() == '-') {
      // "-um", "-Ic": letters together, the last may be m or c
      if (argument.size() > 2 && argument[1] != '-') {
        if (argument.back() == 'm') {
          run.module = next;
          return run;
        }
        if (argument.back() == 'c') {
          run.code = next;
          return run;
        }
      }
      continue;
    }
    run.script = argument;
    return run;
  }
  return run;
}

CommandKind KindOfPython(const std::vector<std::string_view>& arguments) {
  const PythonRun run = RunOf(arguments);
  if (!run.code.empty()) {
    const auto has = [&](std::string_view part) {
      return run.code.find(part) != std::string_view::npos;
    };
    if (has("multiprocessing.spawn import spawn_main")) return CommandKind::kSpawned;
    if (has("multiprocessing.forkserver import main")) return CommandKind::kForkServer;
    if (has("multiprocessing.resource_tracker import main") ||
        has("multiprocessing.semaphore_tracker import main")) {
      return CommandKind::kTracker;
    }
    return CommandKind::kPlain;
  }
  if (!run.module.empty()) {
    if (run.module == "torch._inductor.compile_worker") return CommandKind::kCompilerPool;
    return IsOneOf(run.module, kLaunchModules) ? CommandKind::kLauncher : CommandKind::kPlain;
  }
  if (run.script.find("torch/_inductor/compile_worker/") != std::string_view::npos) {
    return CommandKind::kCompilerPool;
  }
  if (IsOneOf(BaseName(run.script), kLaunchers)) return CommandKind::kLauncher;
  for (const std::string_view path :
       {"/torch/distributed/run.py", "/torch/distributed/launch.py",
        "/accelerate/commands/launch.py", "/deepspeed/launcher/launch.py",
        "/paddle/distributed/launch/main.py", "/paddle/distributed/launch/__main__.py"}) {
    if (run.script.ends_with(path)) return CommandKind::kLauncher;
  }
  return CommandKind::kPlain;
}

}  // namespace

CommandKind KindOf(std::string_view comm, const std::vector<std::string_view>& arguments) {
  if (comm.starts_with("pt_data_worker")) return CommandKind::kNamedWorker;
  if (arguments.empty()) return CommandKind::kPlain;
  const std::string_view program = BaseName(arguments.front());
  if (IsPython(program)) return KindOfPython(arguments);
  if (IsOneOf(program, kLaunchers)) return CommandKind::kLauncher;
  if (IsOneOf(program, kCompilers)) return CommandKind::kCompilerTool;
  return CommandKind::kPlain;
}

ProcessRole RoleOf(const Kin& self, const Kin* parent, const Kin* grandparent) {
  switch (self.kind) {
    case CommandKind::kNamedWorker:
      return ProcessRole::kLoaderWorker;
    case CommandKind::kCompilerPool:
    case CommandKind::kCompilerTool:
      return ProcessRole::kCompiler;
    case CommandKind::kLauncher:
      return ProcessRole::kLauncher;
    case CommandKind::kTracker:
      return ProcessRole::kOther;
    case CommandKind::kForkServer:
    case CommandKind::kSpawned:
    case CommandKind::kPlain:
      break;
  }
  // A worker asks for no device of its own; its parent trains on one. With the fork server in
  // between, the trainer is the grandparent.
  const bool served = parent != nullptr && parent->kind == CommandKind::kForkServer;
  const Kin* trainer = served ? grandparent : parent;
  const bool below_trainer =
      trainer != nullptr && trainer->kind != CommandKind::kLauncher && trainer->on_device;
  const bool forked =
      parent != nullptr && self.command_hash != 0 && self.command_hash == parent->command_hash;
  if (self.kind == CommandKind::kForkServer && !forked) return ProcessRole::kOther;
  if (!self.on_device && below_trainer && (forked || self.kind == CommandKind::kSpawned)) {
    return ProcessRole::kLoaderWorker;
  }
  const bool launched = parent != nullptr && parent->kind == CommandKind::kLauncher;
  if (launched) return self.has_rank || self.on_device ? ProcessRole::kRank : ProcessRole::kOther;
  if (self.on_device && (self.has_rank || self.kind == CommandKind::kSpawned)) {
    return ProcessRole::kRank;
  }
  return ProcessRole::kOther;
}

}  // namespace gpusight::host
