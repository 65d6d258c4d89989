// SPDX-License-Identifier: Apache-2.0
// What is known of one failure, from whatever source: the text in a log, the allocator's own
// observer, frames before it; and the account of the memory that follows from it. In bytes.
// Next: oom_verdict.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "memory/memory_history.h"
#include "memory/oom_text.h"
#include "model/frame.h"

namespace gpusight::memory {

struct OomFacts {
  OomPlace place = OomPlace::kDevice;
  OomForm form = OomForm::kTorch;
  Framework framework = Framework::kOther;
  std::string backend;
  int device = -1, rank = -1;
  std::optional<double> requested, capacity, free, limit, pool_limit;
  std::optional<double> allocated, reserved, cached, inactive_split, private_pools;
  std::optional<double> process;  // held by this process in all
  std::optional<double> others;   // held by other processes that are listed
  std::optional<double> device_used, other_allocations, largest_free, program, host_limit;
  std::vector<OomHolder> holders;  // the other processes
  double error = 0;                // that the roundings may add up to
  bool own_guessed = false;        // this process was told from the others by its size
  uint64_t victim = 0;             // who was killed
  std::string victim_name;
  bool killer_seen = false;  // something says that the kernel killed for want of memory
  bool in_cgroup = false;    // it was the limit of a control group
  std::optional<uint64_t> step;
  OomPhase phase = OomPhase::kUnknown;
  bool no_grad = false, backward = false;
  bool has_history = false;
  std::optional<Growth> growth;
  std::optional<EvaluationPeak> evaluation;
};

[[nodiscard]] OomFacts FactsOf(const OomText& text);

// From the observer's numbers. `frame` is the last one with the process in it, or nullptr: it knows
// the other processes and what this one holds in all.
[[nodiscard]] OomFacts FactsOf(const OutOfMemory& event, const FrameworkSample& sample,
                               const Frame* frame);

// What happened before, oldest first.
void AddHistory(OomFacts& facts, std::span<const MemoryPoint> points);

// Where the memory was when it ran out. The parts add up to the total.
enum class OomPart : uint8_t {
  kAllocated,  // by this process's tensors
  kPools,      // kept for CUDA graphs
  kCached,     // by its allocator, free in pieces
  kOutside,    // by it outside the allocator: context, NCCL, libraries
  kOthers,     // by other processes
  kUnlisted,   // by the driver, or processes that nobody lists
  kRest,       // outside this allocator, by whomever
  kUsed,       // by all processes together
  kFree,
};
[[nodiscard]] std::string_view Name(OomPart part);

enum class OomTotal : uint8_t { kNone, kCapacity, kPool, kLimit };

struct OomAccount {
  struct Row {
    OomPart part;
    double bytes;
  };
  std::vector<Row> rows;  // empty when too little is known
  OomTotal of = OomTotal::kNone;
  double total = 0;
  bool overfull = false;  // the parts are more than the total: part of it is in host memory

  [[nodiscard]] std::optional<double> Part(OomPart part) const;
};
[[nodiscard]] OomAccount AccountOf(const OomFacts& facts);

}  // namespace gpusight::memory
