// SPDX-License-Identifier: Apache-2.0
// PYTORCH_ALLOC_CONF as PyTorch reads it: comma-separated key:value, lists in [], white space
// dropped, and anything unknown raises an exception when CUDA is first used. Pure: takes any bytes.
// The judge is a real PyTorch (testdata/frameworks/torch-alloc-conf-*.tsv). Next:
// alloc_conf_mend.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/language.h"

namespace gpusight::doctor {

// What kind of value a key takes.
enum class ConfRule : uint8_t {
  kBool,           // True or False, nothing else
  kMegabytes,      // a whole number, at least `least`
  kSegment,        // a whole number, at least that of large_segment_size_mb (20)
  kOpenFraction,   // in (0, 1)
  kFraction,       // in [0, 1]
  kThreads,        // a power of two up to 128
  kDivisions,      // a power of two, or a list [256:1,512:2,>:8]
  kBackend,        // native or cudaMallocAsync
  kReserve,        // 0.5 or 40G; anything else is ignored with a warning
  kReserveByClass  // [small:0.5,large:40G]
};

struct ConfKey {
  std::string_view name;
  ConfRule rule;
  uint64_t least;          // for kMegabytes
  std::string_view since;  // oldest of the PyTorch versions looked into that knows it, "" = 1.13
  bool native;             // without effect under backend:cudaMallocAsync
  Text meaning;
};

[[nodiscard]] std::span<const ConfKey> ConfKeys();
[[nodiscard]] const ConfKey* FindConfKey(std::string_view name);

enum class ConfFaultKind : uint8_t {
  // PyTorch refuses the whole text with an exception.
  kUnknownKey,      // `detail` = the nearest key, or empty
  kEqualsSign,      // key=value: `detail` = the key
  kNoSeparator,     // `detail` = the character that should stand there
  kNoValue,         //
  kNotBool,         //
  kNotNumber,       //
  kTooSmall,        // `detail` = the least value
  kNotInRange,      // `detail` = the range
  kNotPowerOfTwo,   //
  kUnclosedList,    //
  kNotList,         //
  kUnknownBackend,  //
  // PyTorch accepts it, but does not do what it says.
  kTrailing,          // `detail` = what PyTorch reads: "128" of "128MB"
  kNegative,          // wraps to a huge number
  kRepeated,          // the last one counts
  kIgnoredByBackend,  // has no effect under cudaMallocAsync
  kIgnoredReserve,    // PyTorch warns and uses the default
  kNeedsFraction,     // garbage collection works only below a memory fraction
};
[[nodiscard]] constexpr bool Refused(ConfFaultKind kind) {
  return kind <= ConfFaultKind::kUnknownBackend;
}

struct ConfFault {
  ConfFaultKind kind;
  std::string key;
  std::string value;
  std::string detail;
  size_t token;  // which of AllocConfTokens() is at fault
};

struct ConfItem {
  std::string key;
  std::string value;
  size_t token;  // where the value begins
};

struct AllocConf {
  std::vector<ConfItem> items;    // as far as it could be read
  std::vector<ConfFault> faults;  // reading stops at the first that is refused
  const ConfItem* Find(std::string_view key) const;
};

[[nodiscard]] AllocConf ParseAllocConf(std::string_view text);

// Its words and its separators, without white space.
[[nodiscard]] std::vector<std::string> AllocConfTokens(std::string_view text);

// The same without what PyTorch refuses or misreads; nullopt when it is not clear what was meant,
// or when faults of another kind remain. alloc_conf_mend.cc.
[[nodiscard]] std::optional<std::string> MendAllocConf(std::string_view text);

}  // namespace gpusight::doctor
