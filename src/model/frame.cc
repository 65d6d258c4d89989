// SPDX-License-Identifier: Apache-2.0
#include "model/frame.h"

#include <algorithm>
#include <utility>

namespace gpusight {

bool IsOfAnotherJob(const FrameworkSample& framework, const Frame& frame) {
  return std::any_of(frame.processes.begin(), frame.processes.end(),
                     [&framework](const ProcessSample& process) {
                       return process.pid == framework.pid && !process.in_job;
                     });
}

void Reset(ProcessSample& process) {
  static const ProcessSample blank;
  process = blank;  // assigning an empty text or list keeps the memory of the one it replaces
}

void SetProcessCount(Frame& frame, size_t count) {
  while (frame.processes.size() > count) {
    frame.spare_processes.push_back(std::move(frame.processes.back()));
    frame.processes.pop_back();
  }
  while (frame.processes.size() < count && !frame.spare_processes.empty()) {
    frame.processes.push_back(std::move(frame.spare_processes.back()));
    frame.spare_processes.pop_back();
  }
  frame.processes.resize(count);
}

ProcessSample& AddProcess(Frame& frame) {
  SetProcessCount(frame, frame.processes.size() + 1);
  Reset(frame.processes.back());
  return frame.processes.back();
}

}  // namespace gpusight
