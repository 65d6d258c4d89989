// SPDX-License-Identifier: Apache-2.0
#include "export/json_status.h"

#include "base/log.h"
#include "export/names.h"
#include "model/driver.h"

namespace gpusight::exporting {
namespace {

void WriteTime(JsonWriter& json, WallTime time) {
  json.Member("time", FormatUtc(time));
  json.Member("time_seconds", time.seconds());
}

}  // namespace

void WriteDriver(JsonWriter& json, const DriverInfo& driver) {
  const Absence untold =
      driver.state == DriverState::kNoAnswer ? Absence::kNoAnswer : Absence::kNotSupported;
  json.Key("driver");
  json.BeginObject();
  json.Member("state", Name(driver.state));
  json.Member("code", driver.code);
  const bool ok = driver.state == DriverState::kOk;
  json.MemberOr("reason", ok ? std::string() : Describe(driver, Language::kEnglish),
                Absence::kNotApplicable);
  json.MemberOr("message", driver.message, Absence::kNotApplicable);
  json.MemberOr("version", driver.version, untold);
  json.MemberOr("nvml_version", driver.nvml_version, untold);
  json.MemberOr("cuda_version", driver.cuda_version, untold);
  json.MemberOr("library", driver.library, untold);
  json.EndObject();
}

namespace {

void WriteHost(JsonWriter& json, const HostSample& host) {
  json.Key("host");
  json.BeginObject();
  json.MemberOr("hostname", host.hostname, Absence::kNotSupported);
  json.MemberOr("kernel", host.kernel, Absence::kNotSupported);
  json.MemberOr("boot_id", host.boot_id, Absence::kNotSupported);
  json.Member("sees_all_processes", host.sees_all_processes);
  json.Fields(HostRows(), host.fields);
  json.EndObject();
}

void WriteRing(JsonWriter& json, std::string_view key, const std::vector<SubSample>& ring) {
  json.Key(key);
  json.BeginArray();
  for (const SubSample& sample : ring) {
    json.BeginArray();
    json.Number(sample.time.seconds());
    json.Number(sample.value);
    json.EndArray();
  }
  json.EndArray();
}

void WriteUse(JsonWriter& json, const Frame& frame, const ProcessSample& process,
              const GpuUse& use) {
  json.BeginObject();
  WriteProcessIdentity(json, frame, process);
  json.Key("types");
  json.BeginArray();
  for (const UseType type : {UseType::kCompute, UseType::kGraphics, UseType::kMps}) {
    if ((use.types & static_cast<uint8_t>(type)) != 0) json.String(Name(type));
  }
  json.EndArray();
  json.Fields(UseRows(), use.fields);
  json.Fields(ProcessRows(), process.fields);
  json.EndObject();
}

void WriteInfo(JsonWriter& json, const DeviceSample& device) {
  const DeviceInfo& info = device.info;
  const Absence untold = WhyUntold(device.state);
  const Absence no_instance = device.is_mig_instance() ? untold : Absence::kNotApplicable;
  json.MemberOr("uuid", info.uuid, untold);
  json.Member("index", info.index);
  json.Member("name", info.name);
  json.MemberOr("pci_bus_id", info.pci_bus_id, untold);
  json.MemberOr("parent_uuid", info.parent_uuid, no_instance);
  json.MemberUnless("gpu_instance", info.gpu_instance, -1, no_instance);
  json.MemberUnless("compute_instance", info.compute_instance, -1, no_instance);
  json.MemberOr("architecture", info.architecture, untold);
  json.MemberOr("compute_capability", info.compute_capability, untold);
  json.MemberOr("vbios", info.vbios, untold);
  json.MemberUnless("minor", info.minor, -1, untold);
  json.MemberUnless("multiprocessors", info.multiprocessors, 0, untold);
  json.Member("unified_memory", info.unified_memory);
  json.Member("coherent_link", info.coherent_link);
  json.MemberUnless("numa_node", info.numa_node, -1, Absence::kNotSupported);
  json.MemberOr("cpu_affinity", info.cpu_affinity, untold);
}

void WriteDevice(JsonWriter& json, const Frame& frame, size_t at) {
  const DeviceSample& device = frame.devices[at];
  json.BeginObject();
  WriteInfo(json, device);
  json.Member("state", Name(device.state));
  json.Fields(DeviceRows(), device.fields);
  json.Key("xids");
  json.BeginArray();
  for (const uint32_t xid : device.xids) json.Int(xid);
  json.EndArray();
  json.Key("samples");
  json.BeginObject();
  WriteRing(json, "utilization_ratio", device.utilization_ring);
  WriteRing(json, "memory_activity_ratio", device.memory_activity_ring);
  WriteRing(json, "power_watts", device.power_ring);
  json.EndObject();
  json.Member("process_count", device.process_count);
  json.Key("processes");
  json.BeginArray();
  for (const ProcessSample& process : frame.processes) {
    for (const GpuUse& use : process.uses) {
      if (use.device == static_cast<int>(at)) WriteUse(json, frame, process, use);
    }
  }
  json.EndArray();
  json.EndObject();
}

void WriteRelatives(JsonWriter& json, const Frame& frame) {
  json.Key("relatives");
  json.BeginArray();
  for (const ProcessSample& process : frame.processes) {
    if (!process.uses.empty()) continue;
    json.BeginObject();
    WriteProcessIdentity(json, frame, process);
    json.Fields(ProcessRows(), process.fields);
    json.EndObject();
  }
  json.EndArray();
}

void WriteContainers(JsonWriter& json, const Frame& frame) {
  json.Key("containers");
  json.BeginArray();
  for (const ContainerSample& container : frame.containers) {
    json.BeginObject();
    json.Member("path", container.path);
    // Where there is a container or a pod, its runtime keeps the names from us.
    const bool inside = !container.id.empty() || !container.pod_uid.empty();
    const Absence nameless = inside ? Absence::kNotSupported : Absence::kNotApplicable;
    const Absence no_pod =
        container.pod_uid.empty() ? Absence::kNotApplicable : Absence::kNotSupported;
    json.MemberOr("id", container.id, nameless);
    json.MemberOr("runtime", container.runtime, nameless);
    json.MemberOr("name", container.name, nameless);
    json.MemberOr("pod_uid", container.pod_uid, no_pod);
    json.MemberOr("pod_name", container.pod_name, no_pod);
    json.MemberOr("pod_namespace", container.pod_namespace, no_pod);
    json.MemberOr("slurm_job", container.slurm_job, Absence::kNotApplicable);
    json.Fields(ContainerRows(), container.fields);
    json.EndObject();
  }
  json.EndArray();
}

void WriteEvents(JsonWriter& json, const Frame& frame) {
  json.Key("events");
  json.BeginArray();
  for (const Event& event : frame.events) {
    json.BeginObject();
    json.Member("type", EventName(event.type));
    WriteTime(json, event.time);
    json.MemberOr("device_uuid", event.device_uuid, Absence::kNotApplicable);
    json.Member("number", event.number);
    json.EndObject();
  }
  json.EndArray();
}

void WriteProbes(JsonWriter& json, const Frame& frame) {
  json.Key("probes");
  json.BeginArray();
  for (const ProbeStats& probe : frame.probes) {
    json.BeginObject();
    json.Member("name", probe.name);
    json.Member("duration_seconds", probe.duration_seconds);
    json.Member("lateness_seconds", probe.lateness_seconds);
    json.Member("failures", probe.failures);
    json.Member("rejected", probe.rejected);
    json.Member("calls", probe.calls);
    json.EndObject();
  }
  json.EndArray();
}

Known<std::string> PodOf(const Frame& frame, const ProcessSample& process) {
  const auto at = static_cast<size_t>(process.container_index);
  const bool listed = process.container_index >= 0 && at < frame.containers.size();
  if (listed && !frame.containers[at].pod_name.empty()) return frame.containers[at].pod_name;
  if (!process.container) return process.container.missing();
  const bool pod = listed && !frame.containers[at].pod_uid.empty();
  return pod ? Absence::kNotSupported : Absence::kNotApplicable;
}

}  // namespace

void WriteProcessIdentity(JsonWriter& json, const Frame& frame, const ProcessSample& process) {
  json.Member("pid", process.pid);
  json.Member("start_time", process.start_time);
  json.Member("user", process.user);
  json.Member("command", process.command);
  json.Member("command_line", process.command_line);
  json.Member("container", process.container);
  json.Member("pod", PodOf(frame, process));
  // The job is told by the environment or by the control group; where neither may be read, nobody
  // knows whether there is one.
  const Known<std::string>& environment = process.visible_devices;
  const bool told = environment || environment.missing().why == Absence::kNoLimit;
  json.MemberOr("slurm_job", process.slurm_job,
                told ? Missing{Absence::kNotApplicable, 0} : environment.missing());
  json.Member("visible_devices", process.visible_devices);
  json.MemberUnless(
      "parent", process.parent, 0,
      process.start_time ? Missing{Absence::kNotApplicable, 0} : process.start_time.missing());
  json.Member("role", Name(process.role));
  json.Member("translated", process.translated);
  json.Member("zombie", process.zombie);
  json.Member("pid_namespace", process.pid_namespace);
  json.Key("namespace_pids");
  json.BeginArray();
  for (const int pid : process.namespace_pids) json.Int(pid);
  json.EndArray();
}

void AppendStatusJson(std::string& out, const Frame& frame, std::span<const size_t> devices) {
  JsonWriter json(out);
  json.BeginObject();
  json.Member("schema", kStatusSchema);
  WriteTime(json, frame.time);
  json.Member("sequence", frame.sequence);
  json.Member("interval_seconds", frame.interval_seconds);
  WriteDriver(json, frame.driver);
  json.Key("devices");
  json.BeginArray();
  for (const size_t device : devices) WriteDevice(json, frame, device);
  json.EndArray();
  WriteRelatives(json, frame);
  WriteContainers(json, frame);
  WriteHost(json, frame.host);
  WriteEvents(json, frame);
  WriteProbes(json, frame);
  json.EndObject();
}

}  // namespace gpusight::exporting
