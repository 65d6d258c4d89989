// SPDX-License-Identifier: Apache-2.0
// Keeps the end of what the job prints to a terminal or a pipe, by standing in its way: only where
// the user asks for it. The job gets a pseudo terminal for a terminal and a pipe for a pipe, and
// nothing else of its world changes: standard input, controlling terminal, groups and signals are
// those that it would have had. A process of its own copies, so that the job goes on when gpusight
// is killed; when that process itself is killed, the launcher starts another. Next: tail.h for
// files, which need none of this.
#pragma once

#include <sys/types.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "launch/own_process.h"

namespace gpusight::launch {

// The newest bytes of a stream, in memory that outlives who writes them and is read by others.
class KeptBytes {
 public:
  KeptBytes();
  [[nodiscard]] bool valid() const { return memory_.valid(); }
  [[nodiscard]] int fd() const { return memory_.get(); }
  void Append(std::string_view bytes);
  [[nodiscard]] std::string Read() const;

  static constexpr uint64_t kMost = uint64_t{64} * 1024;

 private:
  UniqueFd memory_;
};

// One stream, or both where both go to the same place.
class Relay {
 public:
  // `stream` is 1 or 2; `both`: the other one as well. nullptr when it cannot be had.
  [[nodiscard]] static std::unique_ptr<Relay> Make(int stream, bool both);

  // What the job gets as that stream; let go of once it has it.
  [[nodiscard]] int for_job() const { return for_job_.get(); }
  void Release() { for_job_.Reset(); }
  [[nodiscard]] bool serves(int stream) const { return both_ || stream == stream_; }
  [[nodiscard]] int stream() const { return stream_; }
  [[nodiscard]] pid_t pid() const { return process_.pid; }

  // Starts the process that copies.
  void Start();

  // What whoever closes descriptors must leave open.
  [[nodiscard]] std::vector<int> descriptors() const;
  [[nodiscard]] int kept() const { return kept_.fd(); }
  [[nodiscard]] std::string tail() const { return kept_.Read(); }

  // Its process says something or has ended: starts another one, unless the stream has.
  [[nodiscard]] int channel() const { return process_.channel.get(); }
  void Attend();

  // The size of the terminal may have changed. True when it has.
  bool Resize() const;

  // Asks for everything that was printed so far to be passed on; Attend() hears of it.
  void Flush();
  [[nodiscard]] bool flushed() const { return flushed_; }

 private:
  int stream_ = 1;
  bool both_ = false;
  bool terminal_ = false;
  UniqueFd for_job_, from_job_, target_;
  KeptBytes kept_;
  OwnProcess process_;
  bool over_ = false, asked_ = false, flushed_ = false;
  int starts_ = 0;
};

// Those that the present standard output and error need.
[[nodiscard]] std::vector<std::unique_ptr<Relay>> MakeRelays();

}  // namespace gpusight::launch
