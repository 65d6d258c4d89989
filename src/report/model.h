// SPDX-License-Identifier: Apache-2.0
// What a report knows of a recording: everything that the page, the Markdown, the JSON and the
// comparison show, and nothing that grows with the recording's length. Next: report_data.h, which
// makes it; json.h, which writes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/idle_attribution.h"
#include "record/reader.h"
#include "report/curve.h"
#include "report/failure.h"
#include "report/memory_account.h"
#include "report/step_stats.h"

namespace gpusight::report {

using diagnose::ClockOffset;
using diagnose::IdleAttribution;
using diagnose::IdleReport;
using diagnose::InnermostFrame;
using diagnose::PlaceOf;
using diagnose::Places;
using diagnose::PlaceTime;

struct NamedCurve {
  std::string_view name;  // the catalogue's, or ours where it is worked out ("processes_cpu_cores")
  Unit unit = Unit::kNumber;
  Curve curve;
};

// The driver's own utilisation samples, where they are still kept: per cent every 200 ms.
struct Detail {
  struct Stretch {
    WallTime begin;
    std::vector<uint8_t> percent;  // kNoSample where there is none
  };
  static constexpr uint8_t kNoSample = 255;
  static constexpr double kStep = 0.2;  // seconds
  std::vector<Stretch> stretches;
  bool cut = false;  // older ones found no room
};

// For how long the clocks were held down, and why.
struct ClockReason {
  std::string_view name;  // "power_cap"
  Known<double> seconds;
};

// What was taken from the host by the process, or by its framework.
struct ProcessReport {
  ProcessSample identity;  // without numbers
  FrameworkSample framework;
  record::Span seen;
  std::vector<int> devices;                     // positions in Report::devices
  Known<double> memory_peak;                    // bytes on all devices at an instant
  Known<double> allocated_peak, reserved_peak;  // the largest of its devices
  Known<double> retries, out_of_memory;
  Known<double> cpu_mean, cpu_most;  // cores
  Known<double> resident_most;       // bytes
  Known<double> read_bytes, written_bytes;
  std::optional<StepReport> steps;
};

// What the process did while the device was idle.
struct IdleEntry {
  int process = 0, device = 0;  // positions
  IdleReport report;
};

struct DeviceReport {
  DeviceInfo info;
  std::vector<NamedCurve> curves;
  std::vector<double> clock_mask;  // per piece: reasons that were seen, NaN: not known
  std::vector<ClockReason> clock_reasons;
  MemoryReport memory;
  Detail detail;
  Known<double> energy;        // joules
  bool energy_counted = true;  // mostly by the driver's counter; false: power over time
  Known<double> idle_share;    // of the time that the driver's samples cover

  const Curve* Find(std::string_view name) const;
};

// A stretch of the run that the program named.
struct Phase {
  int process = 0;
  WallTime begin, end;
  std::string name;
};

struct ProcessMark {
  int process = 0;
  Mark mark;
};

// What the program measured itself (gpusight.metric()), over time.
struct Metric {
  std::string name;
  Curve curve;
};

struct ProcessOutOfMemory {
  int process = 0;
  OutOfMemory what;
};

struct Report {
  record::Summary summary;
  Grid grid;
  std::vector<DeviceReport> devices;
  std::vector<ProcessReport> processes;  // those that used most device memory first
  bool processes_cut = false;            // there were more
  std::vector<NamedCurve> host;          // the machine, the container and the job's processes
  std::vector<IdleEntry> idle;           // of the processes with a telemetry page
  std::vector<Phase> phases;
  std::vector<ProcessMark> marks;  // all but phases and metrics
  std::vector<Metric> metrics;
  std::vector<ProcessOutOfMemory> out_of_memory;
  Failure failure;  // how it ended, and why memory ran out
  std::vector<Event> events;
  std::vector<record::FindingRow> findings;
  std::vector<record::OutputPiece> output;
  uint64_t left_out = 0;  // marks and events beyond those that a page can hold
  // Of the recording's time, that which frames speak for, and that at full rate.
  double seconds_covered = 0, seconds_full = 0;
};

// Of all devices that have it: mean over time and devices. Missing: why none has.
[[nodiscard]] Known<double> MeanOf(const Report& report, std::string_view curve);
// Sum of the devices' energy; incomplete where one lacks it.
[[nodiscard]] Known<double> EnergyOf(const Report& report);
// The largest use of a device, and of a process.
[[nodiscard]] Known<double> PeakUsed(const Report& report);

}  // namespace gpusight::report
