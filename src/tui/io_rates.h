// SPDX-License-Identifier: Apache-2.0
// How fast processes read and write: the catalogue has counters, a screen wants rates.
#pragma once

#include <map>

#include "model/frame.h"

namespace gpusight::tui {

// A process's identity on the screen. A number from another PID namespace may equal one of ours.
struct ProcessKey {
  int pid = 0;
  uint64_t start_ticks = 0;
  bool translated = true;
  friend auto operator<=>(const ProcessKey&, const ProcessKey&) = default;
};
[[nodiscard]] inline ProcessKey KeyOf(const ProcessSample& process) {
  return {process.pid, process.start_ticks, process.translated};
}

class IoRates {
 public:
  void Add(const Frame& frame);
  // Bytes per second between the last two frames.
  Known<double> Read(const ProcessSample& process) const;
  Known<double> Written(const ProcessSample& process) const;

 private:
  struct Entry {
    Known<double> read, written;            // counters
    Known<double> read_rate, written_rate;  //
    uint64_t sequence = 0;                  // of the frame that had it
  };
  std::map<ProcessKey, Entry> entries_;
};

}  // namespace gpusight::tui
