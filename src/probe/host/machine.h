// SPDX-License-Identifier: Apache-2.0
// The machine itself: CPU, memory, /dev/shm, disks, network, pressure; and to which NUMA node each
// device belongs. Next: machine_files.h for the parsers.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "model/frame.h"
#include "probe/host/machine_files.h"
#include "probe/host/proc_folder.h"

namespace gpusight::host {

class Machine {
 public:
  Machine(const Root& root, ProcFolder& proc, const Clock& clock);

  // All but the load is read every `slow_seconds` at most and stands in between: CPU time, disks
  // and network are dear. With `whole` false only what the processes need.
  void Sample(HostSample& host, bool whole, double slow_seconds);
  void ReadMemory(FieldSet<HostField>& fields);

  bool was_whole() const { return whole_; }         // the last sample read everything
  int cpus() const { return previous_stat_.cpus; }  // online; 0 when not known
  uint64_t boot_time() const { return boot_time_; }
  int last_pid() const { return last_pid_; }  // see LoadAverage

  // Fills numa_node and cpu_affinity of devices where the card did not.
  void PlaceDevices(std::vector<DeviceSample>& devices);

 private:
  enum File : uint8_t {
    kStat,
    kMemory,
    kLoad,
    kUptime,
    kDisks,
    kNetwork,
    kCpuPressure,
    kMemoryPressure,
    kIoPressure,
    kFiles
  };
  struct Counter {
    std::string name;
    uint64_t value = 0;
  };
  struct Place {
    int numa_node = -1;
    std::string cpus;
  };

  int Get(File file, const char* name, Pieces pieces = Pieces::kOne);
  void ReadCpu(FieldSet<HostField>& fields);
  void ReadShm(FieldSet<HostField>& fields);
  void ReadDisks(FieldSet<HostField>& fields);
  void ReadNetwork(FieldSet<HostField>& fields);
  void ReadPressure(FieldSet<HostField>& fields);
  bool IsHardware(std::string_view interface);

  const Root& root_;
  ProcFolder& proc_;
  const Clock& clock_;
  ReadBuffer buffer_;
  std::array<KeptFile, kFiles> files_;
  std::string shm_path_;
  std::string hostname_, kernel_, boot_id_;
  Known<double> shm_total_;  // of a recorded machine
  uint64_t boot_time_ = 0;
  int last_pid_ = 0;
  double ticks_per_second_;
  SystemStat previous_stat_;
  MonoTime stat_at_, disks_at_;
  MonoTime slow_at_;
  uint64_t slow_reads_ = 0;
  bool whole_ = false;
  bool has_previous_ = false;
  std::vector<Counter> busy_;                           // of each disk, in the file's order
  std::vector<std::pair<std::string, bool>> hardware_;  // interfaces: backed by a device?
  std::unordered_map<std::string, Place> places_;       // by PCI id
};

// "00000000:1B:00.0" (NVML) -> "0000:1b:00.0" (sysfs).
[[nodiscard]] std::string SysfsPciId(std::string_view bus_id);

}  // namespace gpusight::host
