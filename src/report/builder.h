// SPDX-License-Identifier: Apache-2.0
// Makes a report of frames, one after the other, and of the lists beside them. Knows no file, so
// that tests hand it frames made by hand. Next: report_data.h, which feeds it a recording.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "record/series.h"
#include "report/device_tracks.h"
#include "report/host_tracks.h"
#include "report/process_tracks.h"

namespace gpusight::report {

class Builder {
 public:
  // `devices`: how many there are, for sharing out the room for samples.
  Builder(record::Summary summary, size_t devices);
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  // In the order of time.
  void Add(const Frame& frame);
  // Beside the frames, in any order.
  void AddStep(ProcessKey process, const record::RecordedStep& step);
  void AddMarks(ProcessKey process, std::vector<Mark> marks);
  void AddOutOfMemory(ProcessKey process, std::vector<OutOfMemory> list);
  void AddStacks(ProcessKey process, const std::vector<record::StackCount>& stacks);
  // The least and the most that merged frames no longer hold, one point per piece of grid().
  // `uuid` names the device.
  void AddExtremes(const std::string& uuid, DeviceField field, const record::Series& series);
  const Grid& grid() const { return grid_; }
  // The end of the last merged frame; 0 when there was none.
  WallTime merged_until() const { return merged_until_; }
  void AddFailure(Failure failure);
  void AddEvents(std::vector<Event> events);
  void AddFindings(std::vector<record::FindingRow> findings);
  void AddOutput(std::vector<record::OutputPiece> output);

  Report Take();

 private:
  int Device(const DeviceSample& device);
  void AddProcesses(const Frame& frame, const std::vector<int>& devices);
  void AddMetric(const Mark& mark);
  void AddIdle(const Frame& frame, const std::vector<int>& devices);
  void OrderProcesses();

  const Grid grid_;  // the tracks keep its address
  Report report_;
  size_t samples_per_device_;
  WallTime merged_until_;
  std::vector<double> reach_;  // per piece: seconds of the longest merged frame that ends in it
  std::map<std::string, int, std::less<>> device_numbers_;
  std::vector<DeviceTracks> devices_;
  ProcessTracks processes_;
  HostTracks host_;
  std::map<std::string, CurveBuilder, std::less<>> metrics_;
  std::map<std::pair<int, int>, IdleAttribution> idle_;  // by process and device
};

}  // namespace gpusight::report
