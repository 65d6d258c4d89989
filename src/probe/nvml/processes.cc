// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/processes.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace gpusight::nvml {
namespace {

constexpr size_t kWord = 8;
constexpr uint32_t kGreatestPid = 1u << 22;  // the kernel's PID_MAX_LIMIT

// Differs from word to word, so that no plausible content looks like it by accident.
constexpr uint64_t PatternOf(size_t word) {
  return 0xa5c3'96f0'5a3c'690fULL ^ (0x9e37'79b9'7f4a'7c15ULL * (word + 1));
}

template <typename T>
T Load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

ProcessRecord RecordAt(std::span<const std::byte> buffer, size_t i, Layout layout) {
  const std::byte* at = buffer.data() + i * layout.stride;
  ProcessRecord record;
  if (layout.swapped) {
    record.pid = Load<uint32_t>(at + kWord);
    record.memory = Load<uint64_t>(at);
    // Memory that was squeezed into the four bytes of a pid has lost its upper half.
    const uint64_t pattern = PatternOf(i * layout.stride / kWord);
    if (record.memory >> 32 == pattern >> 32) record.memory = kMemoryImplausible;
    return record;
  }
  record.pid = Load<uint32_t>(at);
  record.memory = Load<uint64_t>(at + kWord);
  if (layout.stride >= sizeof(ProcessInfo24)) {
    record.gpu_instance = Load<uint32_t>(at + 2 * kWord);
    record.compute_instance = Load<uint32_t>(at + 2 * kWord + 4);
  }
  return record;
}

bool PidCanBe(uint32_t pid) { return pid != 0 && pid <= kGreatestPid; }

bool MemoryCanBe(uint64_t memory, uint64_t total) {
  return memory == kValueNotAvailable || total == 0 || memory <= total;
}

// How many records make sense when read that way: a good pid counts two, good memory one.
unsigned Score(std::span<const std::byte> buffer, unsigned count, Layout layout, uint64_t total) {
  unsigned score = 0;
  for (unsigned i = 0; i < count; ++i) {
    const ProcessRecord record = RecordAt(buffer, i, layout);
    if (!PidCanBe(record.pid)) continue;
    score += 2;
    score += MemoryCanBe(record.memory, total) ? 1 : 0;
  }
  return score;
}

}  // namespace

void Prefill(std::span<std::byte> buffer) {
  for (size_t word = 0; (word + 1) * kWord <= buffer.size(); ++word) {
    const uint64_t pattern = PatternOf(word);
    std::memcpy(buffer.data() + word * kWord, &pattern, kWord);
  }
}

size_t WrittenBytes(std::span<const std::byte> buffer) {
  size_t words = buffer.size() / kWord;
  while (words > 0 && Load<uint64_t>(buffer.data() + (words - 1) * kWord) == PatternOf(words - 1)) {
    --words;
  }
  return words * kWord;
}

Layout FindLayout(std::span<const std::byte> buffer, unsigned count, uint64_t total) {
  if (count == 0) return {};
  // What was written says it, unless the driver cleared more than it filled.
  const size_t written = WrittenBytes(buffer);
  size_t told = sizeof(ProcessInfo16);
  if (written > count * sizeof(ProcessInfo16)) told = sizeof(ProcessInfo24);
  if (written > count * sizeof(ProcessInfo24)) told = sizeof(ProcessInfo32);

  const std::array<Layout, 6> candidates = {Layout{told, false},
                                            Layout{sizeof(ProcessInfo24), false},
                                            Layout{sizeof(ProcessInfo16), false},
                                            Layout{sizeof(ProcessInfo32), false},
                                            Layout{told, true},
                                            Layout{sizeof(ProcessInfo16), true}};
  Layout best;
  unsigned best_score = 0;
  for (const Layout& layout : candidates) {
    if (count * layout.stride > buffer.size()) continue;
    const unsigned score = Score(buffer, count, layout, total);
    if (score > best_score) {
      best = layout;
      best_score = score;
    }
    if (score == 3 * count) break;
  }
  // At least half of the records must have a believable pid, else the list is noise.
  return best_score >= count ? best : Layout{};
}

unsigned DecodeProcesses(std::span<const std::byte> buffer, unsigned count, Layout layout,
                         uint64_t total, std::vector<ProcessRecord>& out) {
  if (layout.stride == 0) return count;
  unsigned rejected = 0;
  for (unsigned i = 0; i < count && (i + 1) * layout.stride <= buffer.size(); ++i) {
    ProcessRecord record = RecordAt(buffer, i, layout);
    if (!PidCanBe(record.pid)) {
      ++rejected;
      continue;
    }
    if (!MemoryCanBe(record.memory, total)) {
      record.memory = kMemoryImplausible;
      ++rejected;
    }
    out.push_back(record);
  }
  return rejected;
}

}  // namespace gpusight::nvml
