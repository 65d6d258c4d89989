// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/memory_flags.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/text.h"
#include "cli/doctor/number_prefix.h"
#include "cli/nearest.h"

namespace gpusight::doctor {
namespace {

constexpr Folklore kFolklore[] = {
    {"FLAGS_malloc_trunk_size", "FLAGS_auto_growth_chunk_size_in_mb"},
    {"FLAGS_malloc_trunk_size_in_mb", "FLAGS_auto_growth_chunk_size_in_mb"},
    {"FLAGS_gpu_memory_fraction", "FLAGS_fraction_of_gpu_memory_to_use"},
    {"FLAGS_memory_fraction", "FLAGS_fraction_of_gpu_memory_to_use"},
    {"FLAGS_max_gpu_memory_mb", "FLAGS_gpu_memory_limit_mb"},
    {"FLAGS_allow_growth", "FLAGS_allocator_strategy=auto_growth"},
    {"FLAGS_gpu_allow_growth", "FLAGS_allocator_strategy=auto_growth"},
    {"FLAGS_expandable_segments", "FLAGS_use_virtual_memory_auto_growth"},
    {"PYTORCH_CUDA_ALLOC", "PYTORCH_CUDA_ALLOC_CONF"},
    {"PYTORCH_CUDA_ALLOC_CONFIG", "PYTORCH_CUDA_ALLOC_CONF"},
    {"PYTORCH_ALLOC_CONFIG", "PYTORCH_ALLOC_CONF"},
    {"PYTORCH_CUDA_ALLOCATOR_CONF", "PYTORCH_CUDA_ALLOC_CONF"},
    {"PYTORCH_CUDA_MEMORY_FRACTION", "PYTORCH_CUDA_ALLOC_CONF=per_process_memory_fraction:0.9"},
    {"JAX_PREALLOCATE", "XLA_PYTHON_CLIENT_PREALLOCATE"},
    {"XLA_PREALLOCATE", "XLA_PYTHON_CLIENT_PREALLOCATE"},
    {"XLA_MEM_FRACTION", "XLA_CLIENT_MEM_FRACTION"},
    {"TF_GPU_ALLOW_GROWTH", "TF_FORCE_GPU_ALLOW_GROWTH"},
    {"TF_ALLOW_GROWTH", "TF_FORCE_GPU_ALLOW_GROWTH"},
    {"NCCL_BUFFER_SIZE", "NCCL_BUFFSIZE"},
};

constexpr std::string_view kPrefixes[] = {"PYTORCH_", "TORCH_", "XLA_",   "JAX_",
                                          "TF_",      "CUDA_",  "CUBLAS", "NCCL_"};
// Names of other frameworks' settings resemble each other, so only slips of the finger count.
constexpr size_t kSlip = 2;

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool Hexadecimal(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return false;
  text.remove_prefix(2);
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
  });
  return digits && !text.empty() && text.size() <= 15;
}

template <typename Rows>
const auto* ByName(const Rows& rows, std::string_view name) {
  const auto found = std::find_if(std::begin(rows), std::end(rows),
                                  [name](const auto& row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : &*found;
}

std::optional<std::string> MeantPaddleFlag(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MemoryFlag& flag : PaddleFlags()) {
    if (Lower(flag.name) == Lower(name)) return std::string(flag.name);
    names.push_back(flag.name.substr(6));
  }
  if (!Lower(name).starts_with("flags_")) return std::nullopt;
  const auto near = cli::Nearest(name.substr(6), names);
  if (!near) return std::nullopt;
  return "FLAGS_" + std::string(*near);
}

// The settings that JAX's Python side reads; an empty one counts as not set.
ValueFault CheckJaxNumber(const MemoryFlag& flag, std::string_view value) {
  if (value.empty()) return ValueFault::kNone;
  const auto number = flag.rule == ValueRule::kUnsigned ? PythonInt(value) : PythonFloat(value);
  if (!number) return ValueFault::kRefused;
  if (*number >= 0) return ValueFault::kNone;
  return flag.rule == ValueRule::kUnsigned ? ValueFault::kNegative : ValueFault::kNotShare;
}

}  // namespace

std::string_view FrameworkName(Framework framework) {
  constexpr std::array<std::string_view, 6> kNames = {"PyTorch",    "Paddle", "JAX",
                                                      "TensorFlow", "CUDA",   "NCCL"};
  return kNames[static_cast<size_t>(framework)];
}

const MemoryFlag* FindFlag(std::string_view name) {
  const MemoryFlag* paddle = ByName(PaddleFlags(), name);
  return paddle != nullptr ? paddle : ByName(OtherFlags(), name);
}

const Folklore* FindFolklore(std::string_view name) { return ByName(kFolklore, name); }

std::optional<std::string> MeantFlag(std::string_view name) {
  if (const Folklore* folklore = FindFolklore(name)) return std::string(folklore->instead);
  if (auto paddle = MeantPaddleFlag(name)) return paddle;
  const bool ours = std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                                [&](std::string_view prefix) { return name.starts_with(prefix); });
  if (!ours || name.size() > 64) return std::nullopt;
  for (const MemoryFlag& flag : OtherFlags()) {
    if (cli::EditDistance(name, flag.name) <= kSlip) return std::string(flag.name);
  }
  return std::nullopt;
}

ValueFault CheckValue(const MemoryFlag& flag, std::string_view value) {
  // NCCL alone reads hexadecimal numbers.
  if (flag.framework == Framework::kNccl && Hexadecimal(Trim(value))) return ValueFault::kNone;
  const bool whole = flag.rule == ValueRule::kUnsigned || flag.rule == ValueRule::kInteger;
  switch (flag.rule) {
    case ValueRule::kBool: {
      const std::string word = Lower(value);
      const bool known = word == "true" || word == "false" || word == "1" || word == "0";
      return known ? ValueFault::kNone : ValueFault::kNotBool;
    }
    case ValueRule::kWords: {
      const auto words = Split(flag.values, '|');
      // JAX alone folds the case, and only there.
      const bool folds = flag.name == "XLA_PYTHON_CLIENT_ALLOCATOR";
      const std::string word = folds ? Lower(value) : std::string(value);
      if (std::find(words.begin(), words.end(), word) != words.end()) return ValueFault::kNone;
      if (folds) return ValueFault::kRefused;
      const bool unset = flag.framework == Framework::kJax && value.empty();
      return unset ? ValueFault::kNone : ValueFault::kNotWord;
    }
    case ValueRule::kUnsigned:
    case ValueRule::kInteger:
    case ValueRule::kNumber:
    case ValueRule::kShare: {
      if (flag.framework == Framework::kJax) return CheckJaxNumber(flag, value);
      const std::string_view text = Trim(value);
      const NumberPrefix number = whole ? WholePrefix(text) : RealPrefix(text);
      if (number.length == 0) return ValueFault::kNotNumber;
      if (number.length < text.size()) return ValueFault::kTrailing;
      if (number.negative && flag.rule == ValueRule::kUnsigned) return ValueFault::kNegative;
      const bool share = number.value >= 0 && number.value <= 1;
      if (flag.rule == ValueRule::kShare && !share) return ValueFault::kNotShare;
      return ValueFault::kNone;
    }
    case ValueRule::kText:
    case ValueRule::kAllocConf:
    case ValueRule::kWorkspace:
    case ValueRule::kFlags:
    case ValueRule::kDevices:
      return ValueFault::kNone;  // readers of their own
  }
  return ValueFault::kNone;
}

}  // namespace gpusight::doctor
