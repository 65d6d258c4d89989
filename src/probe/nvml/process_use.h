// SPDX-License-Identifier: Apache-2.0
// How busy each process keeps the device. The driver answers one row per process that was active,
// averaged since the timestamp that it is given; "not found" means that nobody was. So the newest
// timestamp seen is kept per device, the first question is about the last second (0 would mean
// everything still buffered, many seconds), and a process without a row was idle.
// Next: process_list.h, which joins it to the processes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/frame.h"
#include "probe/nvml/abi.h"
#include "probe/nvml/pace.h"

namespace gpusight::nvml {

struct Pass;
struct Gpu;

class ProcessUse {
 public:
  // Percent. `known` is false when there is no such figure for the process.
  struct Sample {
    uint8_t sm = 0, memory = 0, encoder = 0, decoder = 0;
    bool known = false;
  };
  struct Row {
    uint32_t pid = 0;
    uint64_t time_us = 0;
    Sample sample;
  };

  // Takes what the driver wrote: drops junk and stale rows (counted in `rejected`), keeps the
  // newest row of each process. Two rows of one pid and moment are two processes of different PID
  // namespaces that we cannot tell apart: neither is believed. Sorted by pid.
  void Take(std::span<const ProcessUtilization> rows, uint64_t now_us, uint64_t& rejected);

  // The use of `pid` in the last answer; idle when it has no row; !known before the first answer.
  Sample Of(int pid) const;

  // Asks the driver when it is due. The process lists stay valid whatever it answers.
  Return Read(Pass& pass, Gpu& gpu);

  // It is not to be had here; not asked any more.
  void Refuse(Missing why) {
    refused_ = true;
    missing_ = why;
  }

  // Why Of() knows nothing, when it does not.
  Missing missing() const { return missing_; }

 private:
  uint64_t last_seen_us_ = 0;
  bool answered_ = false;
  bool refused_ = false;
  Missing missing_{Absence::kNotSampledYet, 0};
  std::vector<Row> rows_;
  std::vector<ProcessUtilization> buffer_;
  Pace pace_;
};

}  // namespace gpusight::nvml
