// SPDX-License-Identifier: Apache-2.0
// Writes a recording. Frames are copied into a bounded queue, and a thread of the writer's own puts
// them into the file once a second, so that a sampler never waits for a disk. A commit is whole or
// not there: killed at any moment, the file holds everything up to the last second.
// Works without shared memory and, where they do not work, without file locks (NFS, Lustre).
// Next: reader.h; docs/recording.md for what is in the file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/language.h"
#include "base/result.h"
#include "model/frame.h"
#include "record/run_facts.h"

namespace gpusight::record {

// How long what is kept. Older frames are merged: means of levels, last values of counters, and
// least and most of each in tables of their own.
struct Retention {
  double full_seconds = 3600;      // every frame with its sub-samples
  double tens_seconds = 6 * 3600;  // then frames of 10 s; older ones of a minute
  uint64_t size_limit = 0;         // bytes of the file; 0: none. Over it, the oldest goes first
};

struct WriterOptions {
  Retention retention;
  double commit_seconds = 1;
  size_t most_frames = 300;  // kept in memory while they cannot be written; the newest stay
  uint64_t output_bytes = uint64_t{64} * 1024;  // of the job's output; the newest stay
  bool overwrite = false;             // an existing file; refused else
  double patience_seconds = 2;        // with a reader that keeps the file locked, within a commit
};

// Called from the writer's thread, once each time that writing stops working or works again.
struct WriterCalls {
  std::function<void(const Error& why)> stopped;
  std::function<void(uint64_t frames_lost)> resumed;
};

struct WriterStats {
  uint64_t frames = 0;      // written
  uint64_t lost = 0;        // frames that found no room in memory while nothing could be written
  uint64_t waiting = 0;     // frames in memory
  uint64_t commits = 0;     //
  double busy_seconds = 0;  // of CPU, by the writer's thread
  uint64_t file_bytes = 0;  //
};

class Writer {
 public:
  // Makes the file (mode 0600) with its first commit; errors say what is wrong with the path.
  // `clock` must outlive it. Block signals that the writer's thread must not take before.
  static Result<std::unique_ptr<Writer>> Create(const std::string& path, const RunFacts& facts,
                                                const WriterOptions& options, WriterCalls calls,
                                                const Clock& clock, Language language);
  // Finish(), if that was not called.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // All of them may be called from any thread, cost a copy, and never wait for the disk.
  void Add(const Frame& frame);
  void AddOutput(WallTime time, Stream stream, std::string_view bytes);
  // Once more when it was updated or closed: its rule, form, device, process and opening time say
  // that it is the same.
  void SetFinding(const Finding& finding);
  void AddVersion(std::string_view name, std::string_view version);
  void SetEnd(const RunEnd& end);  // may be called again; the last word counts
  WriterStats stats() const;

  // Writes what waits, ends the thread and leaves nothing beside the file. The error says why
  // something could not be written.
  Result<void> Finish();

 private:
  class Impl;
  explicit Writer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpusight::record
