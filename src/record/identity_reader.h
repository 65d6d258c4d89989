// SPDX-License-Identifier: Apache-2.0
// Reads identities back: devices, containers, processes, frameworks and stacks, by their numbers in
// the recording. Next: decoder.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/database.h"
#include "record/reader.h"

namespace gpusight::record {

class IdentityReader {
 public:
  explicit IdentityReader(Database& database);

  // Null when the file does not say.
  const DeviceInfo* Device(int64_t id);
  const ContainerSample* Container(int64_t id);
  const RecordedProcess* Process(int64_t id);
  // What the process told of its framework; null when nothing.
  const FrameworkSample* Framework(int64_t process);
  const std::string* Stack(int64_t id);
  // container.id of a process, 0 for none.
  int64_t ContainerOf(int64_t process);

  std::vector<RecordedDevice> Devices();
  std::vector<RecordedContainer> Containers();
  // `seen` in ms of the recording's clock, still; the end is -1 for "to the end".
  std::vector<RecordedProcess> Processes();

  // Another writer changed the file: what is known may have changed.
  void Clear();

 private:
  void ReadDevice(const Statement& row, DeviceInfo& info) const;
  void ReadContainer(const Statement& row, ContainerSample& sample) const;
  void ReadProcess(const Statement& row, RecordedProcess& process, int64_t& container);
  void ReadReasons(int64_t id, ProcessSample& process);

  Statement device_, devices_all_, container_, containers_all_, process_, processes_all_,
      framework_, stack_, reasons_;
  std::map<int64_t, DeviceInfo> devices_;
  std::map<int64_t, ContainerSample> containers_;
  struct ProcessEntry {
    RecordedProcess process;
    int64_t container = 0;
    bool found = false, has_framework = false;
  };
  ProcessEntry& Entry(int64_t id);
  std::map<int64_t, ProcessEntry> processes_;
  std::map<int64_t, std::string> stacks_;
};

}  // namespace gpusight::record
