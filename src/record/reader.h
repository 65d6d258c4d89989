// SPDX-License-Identifier: Apache-2.0
// Reads a recording, also one that is being written or whose writer was killed. The file is never
// changed and nothing is left beside it. What it holds is somebody else's word: everything is
// bounded, and texts go through Printable() before they reach a terminal.
// Frames() gives frames as a sampler would; series.h gives numbers over time for charts.
// Do not open a recording in the process that writes it: POSIX drops a file's locks when any
// descriptor of it is closed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/language.h"
#include "base/result.h"
#include "model/frame.h"
#include "record/run_facts.h"

namespace gpusight::record {

// [begin, end). An end of 0 means: to the end.
struct Span {
  WallTime begin, end;
  double seconds() const { return static_cast<double>(end.ns - begin.ns) * 1e-9; }
};

struct Summary {
  int schema = 0;       // version of the file
  RunFacts facts;       //
  RunEnd end;           // kind is empty when the recording was cut or is being written
  Span span;            // of all frames
  uint64_t frames = 0;  //
  uint64_t lost = 0;    // frames that the recorder had to drop
  std::string hostname, kernel;
  DriverInfo driver;  // the last one
};

// The identities in a recording. `id` is what the series and lists below are asked by.
struct RecordedDevice {
  int64_t id = 0;
  DeviceInfo info;
};
struct RecordedProcess {
  int64_t id = 0;
  ProcessSample sample;  // identity only: no numbers, no uses
  Span seen;             // first and last frame that had it
  // What it told of its framework; kOther and empty texts when it told nothing.
  FrameworkSample framework;
};
struct RecordedContainer {
  int64_t id = 0;
  ContainerSample sample;  // identity only
};

// Steps of a process over a span. Of old steps only the sums are kept (`merged`).
struct RecordedStep {
  StepSample step;
  uint32_t merged = 1;         // how many steps this stands for; `step` is their mean and last end
  double least = 0, most = 0;  // seconds of the shortest and the longest
};

// How often a stack was seen.
struct StackCount {
  std::string stack;  // outermost frame first, separated by ';'
  uint64_t samples = 0;
  uint64_t idle_samples = 0;  // of merged frames only: while all devices of the process were idle
};

class FrameCursor;

class Recording {
 public:
  // Errors: not there, not a recording, damaged, from a newer gpusight; one sentence each.
  static Result<Recording> Open(const std::string& path, Language language);
  // From memory, for tests. `bytes` is copied.
  static Result<Recording> FromBytes(std::string_view bytes, Language language);
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;
  ~Recording();

  // Of the moment of the call: a recording that is being written grows.
  Summary Read() const;
  std::vector<RecordedDevice> Devices() const;
  std::vector<RecordedProcess> Processes() const;
  std::vector<RecordedContainer> Containers() const;
  // Whether it tells the processes of a job from others.
  bool KnowsItsJob() const;

  // Lists are cut after some hundred thousand entries. `process` 0: of all processes.
  std::vector<Event> Events(Span span) const;
  std::vector<Mark> Marks(int64_t process, Span span) const;
  std::vector<OutOfMemory> OutOfMemories(int64_t process, Span span) const;
  std::vector<RecordedStep> Steps(int64_t process, Span span) const;
  std::vector<StackCount> Stacks(int64_t process, Span span) const;  // most often first
  std::vector<FindingRow> Findings() const;
  std::vector<OutputPiece> Output() const;

  // Frames in the order of time, from the first at or after `from`. The recording must outlive it.
  FrameCursor Frames(WallTime from = {}) const;

  class Impl;
  const Impl& impl() const { return *impl_; }

 private:
  explicit Recording(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// One pass over the frames. Holds no lock between calls.
class FrameCursor {
 public:
  FrameCursor(FrameCursor&&) noexcept;
  FrameCursor& operator=(FrameCursor&&) noexcept;
  ~FrameCursor();

  // Replaces `frame` by the next one, as a sampler made it; false: there is none (yet). Merged
  // frames have a longer interval, means for levels, and no sub-samples.
  bool Next(Frame& frame);
  // The next frame is the first at or after that.
  void Seek(WallTime time);
  // Why Next() said false, when that was not the end.
  std::optional<Error> trouble() const;

 private:
  friend class Recording;
  class Impl;
  explicit FrameCursor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpusight::record
