// SPDX-License-Identifier: Apache-2.0
// Reads one telemetry page (agent/page_layout.h) into a FrameworkSample. The page belongs to
// another process and is hostile: it is read by calls, never mapped, so that one that is cut short
// cannot harm the reader; every count, text, time and number is bounded. Next: page_probe.h, which
// finds the pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "model/framework.h"

namespace gpusight::page {

// Not thread-safe. Remembers what it has read, so that steps, marks and samples come once each.
class PageReader {
 public:
  // `file` is the open page; `name` is for messages.
  PageReader(UniqueFd file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

  // Who wrote it: from the header, which has to be read first. kBadInput: no page, another version
  // (says which), cut short; kIo.
  Result<void> ReadHeader();
  int pid() const { return pid_; }  // as the process sees itself
  uint64_t start_ticks() const { return start_ticks_; }
  // When the process ended in order; 0 ns: it runs or was killed. Of the last ReadHeader().
  WallTime ended() const { return ended_; }

  // Replaces what `sample` says of the framework and of what was new since the last call, except
  // pid, start_ticks, and the devices of its allocators. `now`: the time of the frame;
  // `interval_seconds`: since the frame before, 0 in the first. What is being written just now
  // stays as it was.
  Result<void> Read(FrameworkSample& sample, WallTime now, double interval_seconds);

 private:
  bool ReadBytes(size_t offset, void* out, size_t size) const;
  template <typename Section>
  bool ReadSection(size_t offset, Section& out) const;
  template <typename Entry>
  void ReadRing(size_t offset, uint64_t size, uint64_t newest, uint64_t& last,
                std::vector<Entry>& out, uint64_t& lost) const;

  void FillIdentity(FrameworkSample& sample);
  void FillAllocators(FrameworkSample& sample, WallTime now) const;
  void FillSteps(FrameworkSample& sample, uint64_t newest);
  void FillMarks(FrameworkSample& sample, uint64_t newest);
  void FillOutOfMemory(FrameworkSample& sample, uint64_t newest);
  void FillStacks(FrameworkSample& sample, uint64_t newest);
  uint32_t StackOf(FrameworkSample& sample, uint64_t number);
  bool IsPlausible(uint64_t time) const;

  UniqueFd file_;
  std::string name_;
  int pid_ = 0;
  uint64_t start_ticks_ = 0, created_ = 0;
  WallTime ended_, now_;
  uint32_t identity_lock_ = 1;  // odd: never read
  uint64_t last_step_ = 0, last_mark_ = 0, last_oom_ = 0, last_sample_ = 0;
  double last_wait_ = 0;
  bool begun_ = false;
};

}  // namespace gpusight::page
