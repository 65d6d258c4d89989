// SPDX-License-Identifier: Apache-2.0
// What a program said when memory ran out: the numbers of one such message, in whatever words its
// framework, a library, the kernel or a batch system put it, and what stood around it in the log.
// A number that the message does not give is nullopt, never 0. Filled by the readers in *_forms.cc.
// Next: oom_scanner.h, which finds the messages; oom_verdict.h, which says what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory/amount.h"
#include "model/framework.h"

namespace gpusight::memory {

// Which kind of message it is.
enum class OomForm : uint8_t {
  kTorch,          // PyTorch's caching allocator (CUDA, HIP, XPU, NPU, …)
  kTorchAsync,     // PyTorch on cudaMallocAsync
  kTorchMps,       // PyTorch on Apple's devices
  kPaddle,         // Paddle's device allocators
  kXla,            // XLA: JAX, and TensorFlow compiled by it
  kTensorFlow,     // a TensorFlow operator
  kPool,           // the memory pool below XLA and TensorFlow
  kPoolGrowth,     // that pool asked the driver for more and was refused; it may have gone on
  kDriverCall,     // a call to the driver or runtime, outside any allocator
  kLibrary,        // cuBLAS, cuDNN and the like could not get their workspace
  kCollective,     // NCCL or RCCL could not get its buffers
  kHostAllocator,  // an allocation of host memory failed
  kOomKiller,      // the kernel, a batch system or Ray killed for want of host memory, and says so
  kWorkerKilled,   // a data loader's worker was killed
  kKilled,         // a process was killed (SIGKILL); by whom is not said
  kBusError,       // SIGBUS: a page of shared memory could not be had
  kSharedMemory,   // a shared-memory file could not be made or grown
};
// "torch", "paddle", …: the word in JSON.
[[nodiscard]] std::string_view Name(OomForm form);

// Which memory ran out.
enum class OomPlace : uint8_t { kDevice, kHost, kSharedMemory };
[[nodiscard]] OomPlace PlaceOf(OomForm form);
[[nodiscard]] std::string_view Name(OomPlace place);

// What the program was doing, as far as the log tells.
enum class OomPhase : uint8_t { kUnknown, kTraining, kEvaluation };
[[nodiscard]] std::string_view Name(OomPhase phase);

// What became of the program.
enum class OomAfter : uint8_t { kUnknown, kEnded, kWentOn };
[[nodiscard]] std::string_view Name(OomAfter after);

struct OomHolder {
  uint64_t pid = 0;
  Amount memory;
};

// One line of a traceback.
struct TraceLine {
  std::string file;  // as it stands there
  uint32_t line = 0;
  std::string function;
};

// A large buffer of a compiled program (XLA's list).
struct OomBuffer {
  Amount size;
  std::string what;  // shape and operator
};

// A memory setting that the log mentions: "PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True".
struct OomSetting {
  std::string name, value;
};

struct OomText {
  OomForm form = OomForm::kTorch;
  Framework framework = Framework::kOther;
  bool on_host = false;  // an allocator of devices failed on the CPU
  OomPlace place() const { return on_host ? OomPlace::kHost : PlaceOf(form); }

  std::string backend;  // who said so: "CUDA", "HIP", "cuBLAS", "NCCL", "Slurm", …; may be empty
  int device = -1;      // the program's own number of it
  std::optional<Amount> requested;
  std::optional<Amount> capacity;           // of the device
  std::optional<Amount> free;               // of the device
  std::optional<Amount> device_used;        // by all processes
  std::optional<Amount> limit;              // that the user set for this process or allocator
  std::optional<Amount> pool_limit;         // of the framework's pool, by default or set
  std::optional<Amount> process;            // held by this process in all
  std::optional<Amount> allocated;          // by tensors
  std::optional<Amount> reserved;           // by the allocator
  std::optional<Amount> cached;             // reserved, not allocated: free pieces
  std::optional<Amount> private_pools;      // part of allocated: free, but kept for CUDA graphs
  std::optional<Amount> other_allocations;  // by this process outside the allocator (MPS)
  std::optional<Amount> largest_free;       // piece of a pool
  std::optional<Amount> program;            // what a compiled program needs in all (XLA)
  std::optional<Amount> host_limit;         // of the control group
  std::vector<OomHolder> processes;         // that hold memory of the device, as listed
  std::vector<OomBuffer> buffers;           // largest first
  uint64_t victim = 0;                      // pid of who was killed
  std::string victim_name;
  std::vector<std::string> hints;  // settings that the message itself names

  std::vector<TraceLine> trace;  // of the traceback above it, outermost first
  OomPhase phase = OomPhase::kUnknown;
  bool no_grad = false;                 // gradients were off, as the traceback shows
  bool backward = false;                // in the backward pass, as the traceback shows
  std::optional<uint64_t> step, epoch;  // last that the log told before
  int rank = -1;
  uint64_t first_line = 0, last_line = 0;  // from 1: where it begins, where it was last repeated
  uint64_t times = 1;                      // how often it stands in the log
  OomAfter after = OomAfter::kUnknown;
  std::string excerpt;  // its beginning, as it stands there
};

// Whether two messages may be about the same failure: there is no field in which they differ.
[[nodiscard]] bool MayBeSame(const OomText& a, const OomText& b);

// Fills what `into` lacks from `more`, which is about the same failure.
void Complete(OomText& into, const OomText& more);

}  // namespace gpusight::memory
