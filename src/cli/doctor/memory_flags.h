// SPDX-License-Identifier: Apache-2.0
// The environment variables by which PyTorch, Paddle, JAX, TensorFlow, CUDA and NCCL are told how
// to use device memory: one row each. Versions are those in which it was seen (testdata/frameworks/
// is the judge). To add one: a row in memory_flags_paddle.cc or memory_flags_other.cc.
// Next: environment.cc, which compares a process's environment with it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/language.h"

namespace gpusight::doctor {

enum class Framework : uint8_t { kTorch, kPaddle, kJax, kTensorFlow, kCuda, kNccl };
[[nodiscard]] std::string_view FrameworkName(Framework framework);

enum class ValueRule : uint8_t {
  kText,       // anything
  kWords,      // one of `values`, separated by '|'
  kBool,       // Paddle: true, false, 1, 0
  kUnsigned,   // a whole number of at least 0
  kInteger,    // a whole number
  kNumber,     //
  kShare,      // 0 to 1
  kAllocConf,  // alloc_conf.h
  kWorkspace,  // CUBLAS_WORKSPACE_CONFIG: ":4096:2:16:8"
  kFlags,      // XLA_FLAGS: "--a=b --c"
  kDevices,    // CUDA_VISIBLE_DEVICES
};

struct MemoryFlag {
  std::string_view name;
  Framework framework;
  ValueRule rule;
  std::string_view values;       // for kWords
  std::string_view fallback;     // what holds when it is not set
  std::string_view since;        // first version that has it; "" = older than any that matters
  std::string_view until;        // first version that lacks it again; "" = still there
  std::string_view replacement;  // the name to use instead; "" = none
  bool gpu_only;                 // known to CUDA builds only
  Text meaning;
  std::optional<Text> pitfall = std::nullopt;  // said whenever it is set
  std::string_view strategy = {};  // Paddle: has an effect only with this allocator strategy
};

[[nodiscard]] std::span<const MemoryFlag> PaddleFlags();
[[nodiscard]] std::span<const MemoryFlag> OtherFlags();

// By exact name, in both tables.
[[nodiscard]] const MemoryFlag* FindFlag(std::string_view name);

// Whether some Paddle since 2.5 reads that FLAGS_ name, about memory or not.
[[nodiscard]] bool KnownToPaddle(std::string_view name);

// A name that people set although nothing reads it, with the one that does what they want.
struct Folklore {
  std::string_view name;
  std::string_view instead;
};
[[nodiscard]] const Folklore* FindFolklore(std::string_view name);

// The flag that an unknown name was probably meant to be: by folklore, else by spelling. Names that
// no framework's prefix begins are never suggested for.
[[nodiscard]] std::optional<std::string> MeantFlag(std::string_view name);

// What is wrong with a value, if anything.
enum class ValueFault : uint8_t {
  kNone,
  kNotBool,
  kNotNumber,
  kTrailing,
  kNegative,
  kNotShare,
  kNotWord,
  kRefused,  // its framework does not start
};
[[nodiscard]] ValueFault CheckValue(const MemoryFlag& flag, std::string_view value);

}  // namespace gpusight::doctor
