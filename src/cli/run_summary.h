// SPDX-License-Identifier: Apache-2.0
// The screen at the end of a run: how long, how fast, how busy, how much memory, how much energy.
// Frames are added as they come; nothing of them is kept but sums and peaks. What nobody told is
// said to be unknown, with the reason, and never 0. Pure. Next: run_recorder.h.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/language.h"
#include "model/busy_time.h"
#include "model/energy.h"
#include "model/exit_facts.h"
#include "model/frame.h"

namespace gpusight::cli {

class RunSummary {
 public:
  void Add(const Frame& frame);

  struct Numbers {
    bool told = false;  // a process of the job has a telemetry page
    Known<double> steps, step_median, data_wait_share;
    Known<double> utilization, sm_activity, idle_share;  // mean over the devices
    Known<double> allocated, reserved, process, device;  // peaks, bytes, of the fullest device
    Known<double> energy, mean_power;                    // joules, watts, of all devices
    size_t devices = 0;                                  // that the job used
    bool whole_machine = false;  // which it used cannot be told: all that there are
  };
  [[nodiscard]] Numbers numbers() const;

  // The driver's state in the last frame.
  [[nodiscard]] const DriverInfo& driver() const { return driver_; }

 private:
  struct Mean {
    double sum = 0, weight = 0;
    Missing missing;
    void Add(const Known<double>& value, double by);
    void Add(const std::vector<BusyPiece>& pieces, WallTime since);
    [[nodiscard]] Known<double> value() const;
  };
  struct Peak {
    Known<double> most;
    void Add(const Known<double>& value);
  };
  struct Device {
    bool used = false;  // by the job; what follows is since then
    WallTime since;
    BusyTime busy;  // also from before, for its samples come late
    Mean utilization, sm_activity;
    Peak process, device;
    EnergyMeter energy;
    void Add(const DeviceSample& sample, double seconds);
    [[nodiscard]] Known<double> Utilization() const;
  };
  void FindUses(const Frame& frame);
  void AddFramework(const FrameworkSample& sample, const Frame& frame);
  void AddStep(double seconds);
  [[nodiscard]] Known<double> MedianStep() const;

  DriverInfo driver_;
  std::map<std::string, Device> devices_;                 // by UUID
  std::vector<BusyPiece> pieces_;                         // kept for its capacity
  std::vector<std::optional<Known<double>>> job_memory_;  // by device, of this frame
  bool outsiders_ = false;  // the driver lists numbers of another PID namespace
  bool told_ = false;
  Peak allocated_, reserved_;
  Known<double> steps_;
  double step_seconds_ = 0, data_seconds_ = 0;
  // Steps by their length: a class is 1.1 % wide, the first begins at a microsecond.
  static constexpr double kShortest = 1e-6, kClassesPerDoubling = 64;
  static constexpr size_t kClasses = size_t{64} * 40;
  std::array<uint64_t, kClasses> step_classes_{};
  uint64_t timed_steps_ = 0;
};

struct Closing {
  std::string name;
  ExitFacts exit;
  Known<double> findings;  // how many causes were found
  std::string file;        // "" when nothing was recorded
  Known<double> file_bytes;
};

// The screen, in lines that end in '\n', as far as that can be no longer than `columns`.
[[nodiscard]] std::string SummaryText(const RunSummary& summary, const Closing& closing,
                                      int columns, Language language);

}  // namespace gpusight::cli
