// SPDX-License-Identifier: Apache-2.0
// What a process tells about its framework through its telemetry page: the allocator of each device
// it uses, its steps, its waits for data, what its main thread was doing, and what happened to it.
// All of it is the process's own word: it is bounded, but not trusted. Next: frame.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/catalog.h"
#include "model/field_set.h"
#include "model/known.h"

namespace gpusight {

enum class Framework : uint8_t { kOther, kPyTorch, kPaddle, kJax, kTensorFlow };

// "PyTorch", …; for kOther "".
[[nodiscard]] const char* FrameworkName(Framework framework);

// The allocator of one device, in the framework's own words.
struct AllocatorSample {
  int ordinal = 0;    // the framework's number of the device: cuda:1, gpu:1
  std::string uuid;   // of the device where the process told it, else empty
  int device = -1;    // position in Frame::devices, -1 when not known
  Known<double> age;  // seconds since the process wrote it
  FieldSet<AllocatorField> fields;
};

// One optimizer step.
struct StepSample {
  uint64_t number = 0;  // from 1
  WallTime end;
  double seconds = 0;       // since the end of the step before
  double data_seconds = 0;  // of it, spent waiting for the data loader
};

// One look at the main thread's stack.
struct StackSample {
  WallTime time;
  uint32_t stack = 0;  // position in FrameworkSample::stacks
};

enum class MarkType : uint8_t {
  kPhase = 1,   // text: "train", "eval", "checkpoint", …
  kCheckpoint,  // number = seconds it took
  kException,   // text: type and message of what ended the program
  kNote,        // gpusight.mark("…")
  kMetric,      // text: name; value
};

// "phase", "checkpoint", …: the words of recordings and exports, added to and never changed.
[[nodiscard]] std::string_view MarkName(MarkType type);

struct Mark {
  MarkType type = MarkType::kNote;
  WallTime time;
  double value = 0;
  std::string text;
};

// The numbers of an allocation that failed, from the allocator's own observer.
struct OutOfMemory {
  WallTime time;
  int ordinal = 0;
  uint64_t requested = 0;        // bytes; what the allocator asked the driver for
  uint64_t total = 0, free = 0;  // of the device
  uint64_t allocated = 0, reserved = 0, active = 0, inactive_split = 0;  // of the allocator
  std::string stack;    // innermost frame first, frames separated by ';'
  bool caught = false;  // the program went on
};

struct FrameworkSample {
  int pid = 0;
  uint64_t start_ticks = 0;
  Framework framework = Framework::kOther;
  std::string version;   // of the framework
  std::string python;    // "3.11.4"; empty for native programs
  std::string script;    // what runs, short
  std::string dtype;     // "float32", "bfloat16", …; empty when not known
  std::string settings;  // allocator settings and flags as given
  int rank = -1, local_rank = -1, world_size = -1;
  bool mixed_precision = false, compiled = false;
  FieldSet<FrameworkField> fields;
  std::vector<AllocatorSample> allocators;
  std::vector<StepSample> steps;           // since the frame before, oldest first
  std::vector<StackSample> stack_samples;  // since the frame before, oldest first
  std::vector<std::string> stacks;         // outermost frame first, separated by ';'
  std::vector<Mark> marks;                 // since the frame before
  std::vector<OutOfMemory> out_of_memory;  // since the frame before
  uint64_t lost = 0;                       // steps, samples and marks that were overwritten unread

  // Empties what is only of the time since the frame before.
  void ForgetNews();
};

}  // namespace gpusight
