// SPDX-License-Identifier: Apache-2.0
#include "record/identity_reader.h"

#include <charconv>

#include "base/text.h"
#include "record/columns.h"
#include "record/reasons.h"
#include "record/roles.h"

namespace gpusight::record {
namespace {

constexpr size_t kMostKept = 20'000;  // of each kind, in memory
constexpr size_t kMostListed = 100'000;

const std::vector<std::string_view> kDeviceColumns = {
    "id",          "uuid",         "device_index",     "name",           "pci_bus_id",
    "parent_uuid", "gpu_instance", "compute_instance", "architecture",   "compute_capability",
    "vbios",       "minor",        "multiprocessors",  "unified_memory", "coherent_link",
    "numa_node",   "cpu_affinity"};
const std::vector<std::string_view> kContainerColumns = {
    "id",      "path",     "container_id",  "runtime",   "name",
    "pod_uid", "pod_name", "pod_namespace", "slurm_job", "own"};
const std::vector<std::string_view> kProcessColumns = {"id",
                                                       "pid",
                                                       "start_ticks",
                                                       "start_time",
                                                       "pid_namespace",
                                                       "namespace_pids",
                                                       "translated",
                                                       "ours",
                                                       "in_job",
                                                       "parent",
                                                       "role",
                                                       "user",
                                                       "command",
                                                       "command_line",
                                                       "container_name",
                                                       "container",
                                                       "slurm_job",
                                                       "visible_devices",
                                                       "device_order",
                                                       "container_devices",
                                                       "rank",
                                                       "local_rank",
                                                       "world_size",
                                                       "mounts",
                                                       "first_t",
                                                       "last_t"};
const std::vector<std::string_view> kFrameworkColumns = {
    "framework", "version",    "python",     "script",          "dtype",   "settings",
    "rank",      "local_rank", "world_size", "mixed_precision", "compiled"};

Known<std::string> KnownText(const Statement& row, int at) {
  return row.IsNull(at) ? Known<std::string>() : Known<std::string>(TextOf(row, at));
}

// The pieces between separators.
std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty() && out.size() < 1000) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

IdentityReader::IdentityReader(Database& database) {
  constexpr std::string_view kById = "WHERE id=?";
  constexpr std::string_view kAll = "ORDER BY id";
  device_ = Select(database, "device", kDeviceColumns, kById);
  devices_all_ = Select(database, "device", kDeviceColumns, kAll);
  container_ = Select(database, "container", kContainerColumns, kById);
  containers_all_ = Select(database, "container", kContainerColumns, kAll);
  process_ = Select(database, "process", kProcessColumns, kById);
  processes_all_ = Select(database, "process", kProcessColumns, kAll);
  framework_ = Select(database, "framework", kFrameworkColumns, "WHERE process=?");
  stack_ = Select(database, "stack", {"text"}, kById);
  reasons_ = Select(database, "absence", {"field", "reason", "code"},
                    "WHERE scope='identity' AND entity=? ORDER BY t");
}

void IdentityReader::Clear() {
  devices_.clear();
  containers_.clear();
  processes_.clear();
}

void IdentityReader::ReadDevice(const Statement& row, DeviceInfo& info) const {
  info.uuid = TextOf(row, 1);
  info.index = IntOf(row, 2);
  info.name = TextOf(row, 3);
  info.pci_bus_id = TextOf(row, 4);
  info.parent_uuid = TextOf(row, 5);
  info.gpu_instance = IntOf(row, 6, -1);
  info.compute_instance = IntOf(row, 7, -1);
  info.architecture = TextOf(row, 8);
  info.compute_capability = TextOf(row, 9);
  info.vbios = TextOf(row, 10);
  info.minor = IntOf(row, 11, -1);
  info.multiprocessors = IntOf(row, 12);
  info.unified_memory = row.Integer(13) != 0;
  info.coherent_link = row.Integer(14) != 0;
  info.numa_node = IntOf(row, 15, -1);
  info.cpu_affinity = TextOf(row, 16);
}

void IdentityReader::ReadContainer(const Statement& row, ContainerSample& sample) const {
  sample.path = TextOf(row, 1);
  sample.id = TextOf(row, 2);
  sample.runtime = TextOf(row, 3);
  sample.name = TextOf(row, 4);
  sample.pod_uid = TextOf(row, 5);
  sample.pod_name = TextOf(row, 6);
  sample.pod_namespace = TextOf(row, 7);
  sample.slurm_job = TextOf(row, 8);
  sample.own = row.Integer(9) != 0;
}

void IdentityReader::ReadProcess(const Statement& row, RecordedProcess& process,
                                 int64_t& container) {
  ProcessSample& p = process.sample;
  process.id = row.Integer(0);
  p.pid = IntOf(row, 1);
  p.start_ticks = static_cast<uint64_t>(row.Integer(2));
  if (!row.IsNull(3)) p.start_time = row.Real(3);
  if (!row.IsNull(4)) p.pid_namespace = static_cast<uint64_t>(row.Integer(4));
  for (const std::string& word : Split(row.Text(5), ' ')) {
    if (const auto pid = ParseNumber<int>(word)) p.namespace_pids.push_back(*pid);
  }
  p.translated = row.Integer(6) != 0;
  p.ours = row.Integer(7) != 0;
  p.in_job = row.Integer(8) != 0;
  p.parent = IntOf(row, 9);
  p.role = ParseRole(row.Text(10));
  p.user = KnownText(row, 11);
  p.command = KnownText(row, 12);
  p.command_line = KnownText(row, 13);
  p.container = KnownText(row, 14);
  container = row.Integer(15);
  p.slurm_job = TextOf(row, 16);
  p.visible_devices = KnownText(row, 17);
  p.device_order = TextOf(row, 18);
  p.container_devices = TextOf(row, 19);
  p.rank = IntOf(row, 20, -1);
  p.local_rank = IntOf(row, 21, -1);
  p.world_size = IntOf(row, 22, -1);
  p.mounts = Split(row.Text(23).substr(0, 65536), '\n');
  process.seen.begin.ns = row.Integer(24);
  process.seen.end.ns = row.IsNull(25) ? -1 : row.Integer(25);
  ReadReasons(process.id, p);
}

void IdentityReader::ReadReasons(int64_t id, ProcessSample& p) {
  if (!reasons_) return;
  reasons_.Bind(1, id);
  for (size_t i = 0; i < kMostKept && reasons_.Row(); ++i) {
    const std::string_view field = reasons_.Text(0);
    const Missing missing{ParseReason(reasons_.Text(1)), IntOf(reasons_, 2)};
    const auto put = [&](std::string_view name, auto& value) {
      if (name == field && !value) value = missing;
    };
    put("start_time", p.start_time);
    put("pid_namespace", p.pid_namespace);
    put("user", p.user);
    put("command", p.command);
    put("command_line", p.command_line);
    put("container_name", p.container);
    put("visible_devices", p.visible_devices);
  }
  reasons_.Reset();
}

const DeviceInfo* IdentityReader::Device(int64_t id) {
  const auto found = devices_.find(id);
  if (found != devices_.end()) return &found->second;
  if (!device_ || devices_.size() >= kMostKept) return nullptr;
  const DeviceInfo* info = nullptr;
  if (device_.Bind(1, id).Row()) {
    DeviceInfo& fresh = devices_[id];
    ReadDevice(device_, fresh);
    info = &fresh;
  }
  device_.Reset();
  return info;
}

const ContainerSample* IdentityReader::Container(int64_t id) {
  const auto found = containers_.find(id);
  if (found != containers_.end()) return &found->second;
  if (!container_ || containers_.size() >= kMostKept) return nullptr;
  const ContainerSample* sample = nullptr;
  if (container_.Bind(1, id).Row()) {
    ContainerSample& fresh = containers_[id];
    ReadContainer(container_, fresh);
    sample = &fresh;
  }
  container_.Reset();
  return sample;
}

IdentityReader::ProcessEntry& IdentityReader::Entry(int64_t id) {
  if (processes_.size() >= kMostKept && !processes_.contains(id)) processes_.clear();
  const auto [it, fresh] = processes_.try_emplace(id);
  ProcessEntry& entry = it->second;
  if (!fresh) return entry;
  if (process_ && process_.Bind(1, id).Row()) {
    ReadProcess(process_, entry.process, entry.container);
    entry.found = true;
  }
  if (process_) process_.Reset();
  if (!entry.found || !framework_) return entry;
  if (framework_.Bind(1, id).Row()) {
    FrameworkSample& f = entry.process.framework;
    f.pid = entry.process.sample.pid;
    f.start_ticks = entry.process.sample.start_ticks;
    f.framework = ParseFramework(framework_.Text(0));
    f.version = TextOf(framework_, 1);
    f.python = TextOf(framework_, 2);
    f.script = TextOf(framework_, 3);
    f.dtype = TextOf(framework_, 4);
    f.settings = TextOf(framework_, 5);
    f.rank = IntOf(framework_, 6, -1);
    f.local_rank = IntOf(framework_, 7, -1);
    f.world_size = IntOf(framework_, 8, -1);
    f.mixed_precision = framework_.Integer(9) != 0;
    f.compiled = framework_.Integer(10) != 0;
    entry.has_framework = true;
  }
  framework_.Reset();
  return entry;
}

const RecordedProcess* IdentityReader::Process(int64_t id) {
  const ProcessEntry& entry = Entry(id);
  return entry.found ? &entry.process : nullptr;
}

const FrameworkSample* IdentityReader::Framework(int64_t process) {
  const ProcessEntry& entry = Entry(process);
  return entry.has_framework ? &entry.process.framework : nullptr;
}

int64_t IdentityReader::ContainerOf(int64_t process) { return Entry(process).container; }

const std::string* IdentityReader::Stack(int64_t id) {
  const auto found = stacks_.find(id);
  if (found != stacks_.end()) return &found->second;
  if (!stack_) return nullptr;
  if (stacks_.size() >= kMostKept) stacks_.clear();
  const std::string* text = nullptr;
  if (stack_.Bind(1, id).Row()) text = &(stacks_[id] = TextOf(stack_, 0));
  stack_.Reset();
  return text;
}

std::vector<RecordedDevice> IdentityReader::Devices() {
  std::vector<RecordedDevice> out;
  while (devices_all_ && out.size() < kMostListed && devices_all_.Row()) {
    RecordedDevice& device = out.emplace_back();
    device.id = devices_all_.Integer(0);
    ReadDevice(devices_all_, device.info);
  }
  if (devices_all_) devices_all_.Reset();
  return out;
}

std::vector<RecordedContainer> IdentityReader::Containers() {
  std::vector<RecordedContainer> out;
  while (containers_all_ && out.size() < kMostListed && containers_all_.Row()) {
    RecordedContainer& container = out.emplace_back();
    container.id = containers_all_.Integer(0);
    ReadContainer(containers_all_, container.sample);
  }
  if (containers_all_) containers_all_.Reset();
  return out;
}

std::vector<RecordedProcess> IdentityReader::Processes() {
  std::vector<int64_t> ids;
  while (processes_all_ && ids.size() < kMostListed && processes_all_.Row()) {
    ids.push_back(processes_all_.Integer(0));
  }
  if (processes_all_) processes_all_.Reset();
  std::vector<RecordedProcess> out;
  for (const int64_t id : ids) {
    if (const RecordedProcess* process = Process(id)) out.push_back(*process);
  }
  return out;
}

}  // namespace gpusight::record
