// SPDX-License-Identifier: Apache-2.0
#include "export/json_status.h"

#include "base/log.h"
#include "export/names.h"

namespace gpusight::exporting {
namespace {

void WriteTime(JsonWriter& json, WallTime time) {
  json.Member("time", FormatUtc(time));
  json.Member("time_seconds", time.seconds());
}

void WriteDriver(JsonWriter& json, const DriverInfo& driver) {
  json.Key("driver");
  json.BeginObject();
  json.Member("state", Name(driver.state));
  json.Member("code", driver.code);
  json.MemberOrNull("message", driver.message);
  json.MemberOrNull("version", driver.version);
  json.MemberOrNull("nvml_version", driver.nvml_version);
  json.MemberOrNull("cuda_version", driver.cuda_version);
  json.MemberOrNull("library", driver.library);
  json.EndObject();
}

void WriteHost(JsonWriter& json, const HostSample& host) {
  json.Key("host");
  json.BeginObject();
  json.MemberOrNull("hostname", host.hostname);
  json.MemberOrNull("kernel", host.kernel);
  json.MemberOrNull("boot_id", host.boot_id);
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

void WriteInfo(JsonWriter& json, const DeviceInfo& info) {
  json.Member("uuid", info.uuid);
  json.Member("index", info.index);
  json.Member("name", info.name);
  json.MemberOrNull("pci_bus_id", info.pci_bus_id);
  json.MemberOrNull("parent_uuid", info.parent_uuid);
  json.MemberUnless("gpu_instance", info.gpu_instance, -1);
  json.MemberUnless("compute_instance", info.compute_instance, -1);
  json.MemberOrNull("architecture", info.architecture);
  json.MemberOrNull("compute_capability", info.compute_capability);
  json.MemberOrNull("vbios", info.vbios);
  json.MemberUnless("minor", info.minor, -1);
  json.MemberUnless("multiprocessors", info.multiprocessors, 0);
  json.Member("unified_memory", info.unified_memory);
  json.Member("coherent_link", info.coherent_link);
  json.MemberUnless("numa_node", info.numa_node, -1);
  json.MemberOrNull("cpu_affinity", info.cpu_affinity);
}

void WriteDevice(JsonWriter& json, const Frame& frame, size_t at) {
  const DeviceSample& device = frame.devices[at];
  json.BeginObject();
  WriteInfo(json, device.info);
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
    json.MemberOrNull("id", container.id);
    json.MemberOrNull("runtime", container.runtime);
    json.MemberOrNull("name", container.name);
    json.MemberOrNull("pod_uid", container.pod_uid);
    json.MemberOrNull("pod_name", container.pod_name);
    json.MemberOrNull("pod_namespace", container.pod_namespace);
    json.MemberOrNull("slurm_job", container.slurm_job);
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
    json.MemberOrNull("device_uuid", event.device_uuid);
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

}  // namespace

void WriteProcessIdentity(JsonWriter& json, const Frame& frame, const ProcessSample& process) {
  json.Member("pid", process.pid);
  json.Member("start_time", process.start_time);
  json.Member("user", process.user);
  json.Member("command", process.command);
  json.Member("command_line", process.command_line);
  json.Member("container", process.container);
  const bool listed = process.container_index >= 0 &&
                      static_cast<size_t>(process.container_index) < frame.containers.size();
  json.MemberOrNull(
      "pod", listed ? std::string_view(
                          frame.containers[static_cast<size_t>(process.container_index)].pod_name)
                    : std::string_view());
  json.MemberOrNull("slurm_job", process.slurm_job);
  json.Member("visible_devices", process.visible_devices);
  json.MemberUnless("parent", process.parent, 0);
  json.Member("role", Name(process.role));
  json.Member("translated", process.translated);
  json.Member("zombie", process.zombie);
  json.MemberUnless("pid_namespace", static_cast<int64_t>(process.pid_namespace), 0);
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
