// SPDX-License-Identifier: Apache-2.0
// For the doctor's tests: the facts of a healthy machine with one H200, to be spoilt by a test,
// and questions to the lines of a check.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "cli/doctor/check.h"

namespace gpusight::doctor {

inline DeviceNode GoodNode(std::string path) {
  DeviceNode node;
  node.path = std::move(path);
  node.present = node.is_device = true;
  node.mode = 0666;
  node.group = "root";
  return node;
}

inline DeviceSample HealthyDevice(int index) {
  DeviceSample device;
  device.info.index = index;
  device.info.uuid = "GPU-0000000" + std::to_string(index);
  device.info.name = "NVIDIA H200";
  device.info.pci_bus_id = "00000000:0" + std::to_string(index) + ":00.0";
  using F = DeviceField;
  const std::pair<F, double> fields[] = {{F::kUtilization, 0},
                                         {F::kPersistenceMode, 1},
                                         {F::kComputeMode, 0},
                                         {F::kMigMode, 0},
                                         {F::kPcieGeneration, 5},
                                         {F::kPcieGenerationMax, 5},
                                         {F::kPcieWidth, 16},
                                         {F::kPcieWidthMax, 16},
                                         {F::kPowerLimit, 700},
                                         {F::kPowerLimitDefault, 700},
                                         {F::kTemperature, 40},
                                         {F::kTemperatureMargin, 45},
                                         {F::kClockEventReasons, 1},
                                         {F::kEccMode, 1},
                                         {F::kEccUncorrected, 0},
                                         {F::kEccUncorrectedLifetime, 0},
                                         {F::kRemapPending, 0},
                                         {F::kRemapFailed, 0},
                                         {F::kRemappedUncorrectable, 0},
                                         {F::kXidErrors, 0}};
  for (const auto& [field, value] : fields) device.fields[field] = value;
  return device;
}

inline Facts HealthyFacts() {
  Facts facts;
  Frame& frame = facts.frame;
  frame.driver.library = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1";
  frame.driver.version = "580.159.04";
  frame.driver.nvml_version = "13.580.159.04";
  frame.driver.cuda_version = "13.0";
  frame.host.hostname = "gpu-01";
  frame.host.fields[HostField::kCpus] = 16;
  frame.host.fields[HostField::kMemoryTotal] = 256.0 * (1 << 30);
  frame.devices.push_back(HealthyDevice(0));
  KernelDriver& driver = facts.driver;
  driver.version = "580.159.04";
  driver.open_source = driver.modules_known = true;
  driver.nvidia_loaded = driver.uvm_loaded = true;
  driver.profiling_for_admins_only = false;
  facts.pci_known = true;
  facts.cards.push_back({.bus_id = "0000:00:00.0", .driver = "nvidia", .numa_node = 0});
  facts.management_libraries.push_back(
      {"/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.580.159.04", "580.159.04"});
  facts.cuda_libraries.push_back({"/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04", "580.159.04"});
  facts.nodes = {GoodNode("/dev/nvidiactl"), GoodNode("/dev/nvidia-uvm"), GoodNode("/dev/nvidia0")};
  Subject& subject = facts.subject;
  subject.user = "lin";
  subject.uid = 1000;
  subject.capabilities = ~uint64_t{0};
  subject.pid_namespace = uint64_t{0xEFFFFFFC};
  subject.cpus_allowed = 16;
  subject.max_files = 65536;
  subject.max_locked_bytes = Absence::kNoLimit;
  subject.max_address_bytes = Absence::kNoLimit;
  subject.shm_total = 64.0 * (1 << 30);
  subject.shm_used = 0;
  subject.environment_known = true;
  facts.machine.kernel = "6.1.0-30-amd64";
  facts.machine.kernel_log = true;
  facts.machine.overcommit = 0;
  facts.machine.numa_nodes = 1;
  return facts;
}

// A container with such limits, as the subject's own.
inline void PutIntoContainer(Facts& facts) {
  facts.subject.container = {true, "docker 0123456789ab", ContainerEvidence::kControlGroup, {}};
  facts.subject.container_index = 0;
  ContainerSample& container = facts.frame.containers.emplace_back();
  container.own = true;
  container.runtime = "docker";
  container.fields.Fill({Absence::kNoLimit, 0});
}

inline std::vector<Line> RunCheck(Check check, const Facts& facts,
                                  Language language = Language::kEnglish) {
  Report report(language);
  check(facts, report);
  return report.lines();
}

// "problem driver.module", one for each line.
inline std::vector<std::string> Verdicts(Check check, const Facts& facts) {
  std::vector<std::string> verdicts;
  for (const Line& line : RunCheck(check, facts)) {
    const char* const words[] = {"ok ", "note ", "problem "};
    verdicts.push_back(words[static_cast<size_t>(line.state)] + line.id);
  }
  return verdicts;
}

// The remedy of the first line that has one.
inline std::string RemedyOf(Check check, const Facts& facts) {
  for (const Line& line : RunCheck(check, facts)) {
    if (!line.remedy.empty()) return line.remedy;
  }
  return {};
}

}  // namespace gpusight::doctor
