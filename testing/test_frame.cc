// SPDX-License-Identifier: Apache-2.0
#include "testing/test_frame.h"

#include "model/account.h"

namespace gpusight {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

void FillFirst(DeviceSample& d) {
  d.info.uuid = "GPU-11111111-2222-3333-4444-555555555555";
  d.info.index = 0;
  d.info.name = "NVIDIA H200";
  d.info.pci_bus_id = "00000000:00:06.0";
  d.info.architecture = "Hopper";
  d.info.compute_capability = "9.0";
  d.info.minor = 0;
  d.info.multiprocessors = 132;
  d.info.cpu_affinity = "0-15";
  d.fields.Fill({Absence::kNotSupported, 0});
  const auto set = [&d](DeviceField f, double value) { d.fields[f] = value; };
  set(DeviceField::kUtilization, 0.78);
  set(DeviceField::kUtilizationMean, 0.7124);
  set(DeviceField::kUtilizationMax, 1);
  set(DeviceField::kIdleShare, 0.05);
  set(DeviceField::kMemoryActivity, 0.31);
  set(DeviceField::kSmActivity, 0.71);
  set(DeviceField::kTensorActivity, 0.203);
  set(DeviceField::kDramActivity, 0.28);
  set(DeviceField::kMemoryTotal, 16 * kGiB);
  set(DeviceField::kMemoryUsed, 13314398618);
  set(DeviceField::kMemoryFree, 3221225472);
  set(DeviceField::kMemoryDriverReserved, 16 * kGiB - 13314398618 - 3221225472);
  set(DeviceField::kTemperature, 52);
  set(DeviceField::kPower, 585.25);
  set(DeviceField::kPowerLimit, 700);
  set(DeviceField::kEnergy, 1.25e9);
  set(DeviceField::kSmClock, 1830e6);
  set(DeviceField::kSmClockMax, 1980e6);
  set(DeviceField::kMemoryClock, 3201e6);
  set(DeviceField::kMemoryClockMax, 3201e6);
  set(DeviceField::kPerformanceState, 0);
  set(DeviceField::kClockEventReasons, 4);
  set(DeviceField::kPcieGeneration, 5);
  set(DeviceField::kPcieGenerationMax, 5);
  set(DeviceField::kPcieWidth, 8);
  set(DeviceField::kPcieWidthMax, 16);
  set(DeviceField::kEccUncorrected, 0);
  set(DeviceField::kMigMode, 0);
  d.utilization_ring = {{{1'775'383'199'600'000'000}, 0.5}, {{1'775'383'199'800'000'000}, 1}};
  d.power_ring = {{{1'775'383'199'980'000'000}, 585.25}};
}

void FillSecond(DeviceSample& d) {
  d.info.uuid = "GPU-99999999-8888-7777-6666-555555555555";
  d.info.index = 1;
  d.info.name = "NVIDIA GeForce RTX 2080 Ti";
  d.info.pci_bus_id = "00000000:41:00.0";
  d.fields.Fill({Absence::kNoSuchCall, 0});
  d.fields[DeviceField::kUtilization] = 0.0;
  d.fields[DeviceField::kFan] = Missing{Absence::kDriverError, 999};
  d.fields[DeviceField::kMemoryTotal] = 11 * kGiB;
  d.fields[DeviceField::kMemoryUsed] = 1 * kGiB;
  d.fields[DeviceField::kMemoryFree] = 10 * kGiB;
}

ProcessSample Trainer() {
  ProcessSample p;
  p.pid = 1201;
  p.start_ticks = 4242;
  p.start_time = 1'775'379'600.25;
  p.namespace_pids = {1201, 17};
  p.user = std::string("ada");
  p.command = std::string("python");
  p.command_line = std::string("python train.py --name a,b");
  p.container = std::string("trainer-0");
  p.container_index = 0;
  p.ours = true;
  p.visible_devices = std::string("0");
  p.role = ProcessRole::kRank;
  p.fields.Fill({Absence::kNoPermission, 0});
  p.fields[ProcessField::kCpu] = 1.5;
  p.fields[ProcessField::kResident] = 2 * kGiB;
  GpuUse use;
  use.device = 0;
  use.types = static_cast<uint8_t>(UseType::kCompute);
  use.fields[UseField::kMemory] = 11 * kGiB;
  use.fields[UseField::kSm] = 0.66;
  p.uses.push_back(use);
  return p;
}

ProcessSample Outsider() {
  ProcessSample p;
  p.pid = 99817;
  p.translated = false;
  p.start_time = Absence::kOutsideNamespace;
  p.user = Absence::kOutsideNamespace;
  p.command = Absence::kOutsideNamespace;
  p.command_line = Absence::kOutsideNamespace;
  p.container = Absence::kOutsideNamespace;
  p.fields.Fill({Absence::kOutsideNamespace, 0});
  GpuUse use;
  use.device = 0;
  use.types = static_cast<uint8_t>(UseType::kCompute) | static_cast<uint8_t>(UseType::kGraphics);
  use.fields[UseField::kMemory] = 1 * kGiB;
  p.uses.push_back(use);
  return p;
}

ProcessSample Zombie() {
  ProcessSample p = Outsider();
  p.pid = 777;
  p.translated = true;
  p.zombie = true;
  p.user = std::string("ada");
  p.command = std::string("python");
  p.container = std::string();
  p.uses[0].device = 1;
  p.uses[0].fields[UseField::kMemory] = Absence::kNotSupported;
  return p;
}

ProcessSample Worker() {
  ProcessSample p;
  p.pid = 1310;
  p.parent = 1201;
  p.role = ProcessRole::kLoaderWorker;
  p.start_time = 1'775'379'601.0;
  p.user = std::string("ada");
  p.command = std::string("pt_data_worker");
  p.command_line = std::string("python\x1b[31m train.py \xff");
  p.container = std::string("trainer-0");
  p.container_index = 0;
  p.fields[ProcessField::kCpu] = 0.25;
  return p;
}

}  // namespace

Frame TestFrame() {
  Frame f;
  f.sequence = 2;
  f.time = {1'775'383'200'123'000'000};
  f.mono = {5'000'000'000};
  f.interval_seconds = 0.5;
  f.driver.library = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1";
  f.driver.version = "580.159.04";
  f.driver.nvml_version = "13.580.159.04";
  f.driver.cuda_version = "13.0";
  f.devices.resize(2);
  FillFirst(f.devices[0]);
  FillSecond(f.devices[1]);
  f.devices[0].process_count = 2.0;
  f.devices[1].process_count = 1.0;
  f.processes = {Zombie(), Trainer(), Worker(), Outsider()};
  f.containers.resize(1);
  ContainerSample& c = f.containers[0];
  c.path = "/kubepods/pod1/abc";
  c.id = std::string(64, 'a');
  c.runtime = "containerd";
  c.name = "trainer-0";
  c.pod_uid = "0000-1111";
  c.pod_name = "train-job-0";
  c.pod_namespace = "ml";
  c.slurm_job = "";
  c.fields.Fill({Absence::kNoPermission, 0});
  c.fields[ContainerField::kCpuQuota] = 4.0;
  c.fields[ContainerField::kMemoryLimit] = Absence::kNoLimit;
  f.host.hostname = "node-7";
  f.host.kernel = "6.1.0";
  f.host.boot_id = "b007";
  f.host.fields[HostField::kCpus] = 16.0;
  f.host.fields[HostField::kLoad1] = 3.25;
  Event event;
  event.type = EventType::kXid;
  event.time = f.time;
  event.device_uuid = f.devices[0].info.uuid;
  event.number = 79;
  f.events.push_back(event);
  f.probes.push_back({"nvml", 0.0031, 0, 0, 1, 812});
  FillAccounts(f);
  return f;
}

}  // namespace gpusight
