// SPDX-License-Identifier: Apache-2.0
#include "record/identities.h"

#include <fmt/format.h>

#include <tuple>

#include "base/text.h"
#include "record/roles.h"
#include "record/secrets.h"

namespace gpusight::record {
namespace {

// Texts of stacks kept in memory. Beyond, a stack may get a second number, which is harmless.
constexpr size_t kMostStacks = 20'000;

bool Same(const DeviceInfo& a, const DeviceInfo& b) {
  const auto all = [](const DeviceInfo& d) {
    return std::tie(d.uuid, d.index, d.name, d.pci_bus_id, d.parent_uuid, d.gpu_instance,
                    d.compute_instance, d.architecture, d.compute_capability, d.vbios, d.minor,
                    d.multiprocessors, d.unified_memory, d.coherent_link, d.numa_node,
                    d.cpu_affinity);
  };
  return all(a) == all(b);
}

bool Same(const ProcessSample& a, const ProcessSample& b) {
  const auto all = [](const ProcessSample& p) {
    return std::tie(p.start_time, p.pid_namespace, p.namespace_pids, p.translated, p.ours, p.in_job,
                    p.parent, p.role, p.user, p.command, p.command_line, p.container, p.slurm_job,
                    p.visible_devices, p.device_order, p.container_devices, p.rank, p.local_rank,
                    p.world_size, p.mounts);
  };
  return all(a) == all(b);
}

bool Same(const FrameworkSample& a, const FrameworkSample& b) {
  const auto all = [](const FrameworkSample& f) {
    return std::tie(f.framework, f.version, f.python, f.script, f.dtype, f.settings, f.rank,
                    f.local_rank, f.world_size, f.mixed_precision, f.compiled);
  };
  return all(a) == all(b);
}

// Only what Same() compares, so that frames of many threads and numbers are not kept.
void CopyIdentity(const ProcessSample& from, ProcessSample& to) {
  to.pid = from.pid;
  to.start_ticks = from.start_ticks;
  to.start_time = from.start_time;
  to.pid_namespace = from.pid_namespace;
  to.namespace_pids = from.namespace_pids;
  to.translated = from.translated;
  to.ours = from.ours;
  to.in_job = from.in_job;
  to.parent = from.parent;
  to.role = from.role;
  to.user = from.user;
  to.command = from.command;
  to.command_line = from.command_line;
  to.container = from.container;
  to.slurm_job = from.slurm_job;
  to.visible_devices = from.visible_devices;
  to.device_order = from.device_order;
  to.container_devices = from.container_devices;
  to.rank = from.rank;
  to.local_rank = from.local_rank;
  to.world_size = from.world_size;
  to.mounts = from.mounts;
}

void CopyIdentity(const FrameworkSample& from, FrameworkSample& to) {
  to.framework = from.framework;
  to.version = from.version;
  to.python = from.python;
  to.script = from.script;
  to.dtype = from.dtype;
  to.settings = from.settings;
  to.rank = from.rank;
  to.local_rank = from.local_rank;
  to.world_size = from.world_size;
  to.mixed_precision = from.mixed_precision;
  to.compiled = from.compiled;
}

template <typename List>
std::string Join(const List& list, char separator) {
  std::string out;
  for (const auto& item : list) {
    if (!out.empty()) out += separator;
    out += fmt::format("{}", item);
  }
  return out;
}

// A command line with its secrets hidden, as far as one can tell words apart in it.
std::string WithoutSecrets(const std::string& line) {
  std::vector<std::string> words;
  size_t at = 0;
  while (at <= line.size()) {
    const size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return Join(KeepHarmless(words), ' ');
}

// 0: there is none yet.
void BindId(Statement& statement, int at, int64_t id) {
  if (id != 0) {
    statement.Bind(at, id);
  } else {
    statement.BindNull(at);
  }
}

void BindKnown(Statement& statement, int at, const Known<std::string>& text) {
  if (text) {
    statement.BindText(at, *text);
  } else {
    statement.BindNull(at);
  }
}

std::string DeviceName(const DeviceInfo& info) {
  return info.uuid.empty() ? fmt::format("#{}", info.index) : info.uuid;
}

}  // namespace

Identities::Identities(Database& database, AbsenceTable& absences)
    : database_(database), absences_(absences) {
  const auto marks = [](int count) {
    std::string out = "?";
    for (int i = 1; i < count; ++i) out += ",?";
    return out;
  };
  const auto add = [&](const char* table, int count) {
    return database.Prepare(
        fmt::format("INSERT OR REPLACE INTO {} VALUES({})", table, marks(count)));
  };
  find_device_ = database.Prepare("SELECT id FROM device WHERE uuid=? AND device_index=?");
  find_container_ = database.Prepare("SELECT id FROM container WHERE path=?");
  find_process_ = database.Prepare("SELECT id FROM process WHERE pid=? AND start_ticks=?");
  add_device_ = add("device", 17);
  add_container_ = add("container", 10);
  add_process_ = add("process", 26);
  add_framework_ = add("framework", 12);
  end_process_ = database.Prepare("UPDATE process SET last_t=? WHERE id=?");
  add_stack_ = database.Prepare("INSERT INTO stack(text) VALUES(?)");
}

void Identities::Forget() {
  devices_.clear();
  containers_.clear();
  processes_.clear();
  stacks_.clear();
}

int64_t Identities::Look(Statement& find) {
  const int64_t id = find.Row() ? find.Integer(0) : 0;
  find.Reset();
  return id;
}

bool Identities::ResolveDevice(const DeviceInfo& info, int64_t& id) {
  auto& [number, written] = devices_[DeviceName(info)];
  if (number != 0 && Same(info, written)) {
    id = number;
    return true;
  }
  if (number == 0) {
    number = Look(find_device_.BindText(1, info.uuid).Bind(2, info.index));
  }
  Statement& s = add_device_;
  BindId(s, 1, number);
  s.BindText(2, info.uuid).Bind(3, info.index).BindText(4, info.name).BindText(5, info.pci_bus_id);
  s.BindText(6, info.parent_uuid).Bind(7, info.gpu_instance).Bind(8, info.compute_instance);
  s.BindText(9, info.architecture).BindText(10, info.compute_capability).BindText(11, info.vbios);
  s.Bind(12, info.minor).Bind(13, info.multiprocessors).Bind(14, info.unified_memory ? 1 : 0);
  s.Bind(15, info.coherent_link ? 1 : 0).Bind(16, info.numa_node).BindText(17, info.cpu_affinity);
  if (!s.Run()) return false;
  if (number == 0) number = database_.last_row();
  written = info;
  id = number;
  return true;
}

bool Identities::ResolveContainer(const ContainerSample& c, int64_t& id) {
  auto& [number, written] = containers_[c.path];
  const std::string known = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", c.id, c.runtime, c.name,
                                        c.pod_uid, c.pod_name, c.pod_namespace, c.slurm_job);
  if (number != 0 && written == known) {
    id = number;
    return true;
  }
  if (number == 0) number = Look(find_container_.BindText(1, c.path));
  Statement& s = add_container_;
  BindId(s, 1, number);
  s.BindText(2, c.path).BindText(3, c.id).BindText(4, c.runtime).BindText(5, c.name);
  s.BindText(6, c.pod_uid).BindText(7, c.pod_name).BindText(8, c.pod_namespace);
  s.BindText(9, c.slurm_job).Bind(10, c.own ? 1 : 0);
  if (!s.Run()) return false;
  if (number == 0) number = database_.last_row();
  written = known;
  id = number;
  return true;
}

bool Identities::WriteProcess(const ProcessSample& p, ProcessState& state, int64_t t, bool fresh) {
  Statement& s = add_process_;
  const std::string pids = Join(p.namespace_pids, ' '), mounts = Join(p.mounts, '\n');
  const Known<std::string> line =
      p.command_line ? Known<std::string>(Capped(WithoutSecrets(*p.command_line))) : p.command_line;
  int64_t first = t;
  if (!fresh) {
    first = database_.Number(fmt::format("SELECT first_t FROM process WHERE id={}", state.id))
                .value_or(t);
  }
  BindId(s, 1, state.id);
  s.Bind(2, p.pid).Bind(3, static_cast<int64_t>(p.start_ticks));
  if (p.start_time) {
    s.BindReal(4, *p.start_time);
  } else {
    s.BindNull(4);
  }
  if (p.pid_namespace) {
    s.Bind(5, static_cast<int64_t>(*p.pid_namespace));
  } else {
    s.BindNull(5);
  }
  s.BindText(6, pids)
      .Bind(7, p.translated ? 1 : 0)
      .Bind(8, p.ours ? 1 : 0)
      .Bind(9, p.in_job ? 1 : 0);
  s.Bind(10, p.parent).BindText(11, RoleName(p.role));
  BindKnown(s, 12, p.user);
  BindKnown(s, 13, p.command);
  BindKnown(s, 14, line);
  BindKnown(s, 15, p.container);
  BindId(s, 16, state.container);
  s.BindText(17, p.slurm_job);
  BindKnown(s, 18, p.visible_devices);
  s.BindText(19, p.device_order).BindText(20, p.container_devices);
  s.Bind(21, p.rank).Bind(22, p.local_rank).Bind(23, p.world_size).BindText(24, mounts);
  s.Bind(25, first).BindNull(26);
  if (!s.Run()) return false;
  if (state.id == 0) state.id = database_.last_row();
  const auto reason = [&](std::string_view field, const auto& now, const auto& before) {
    if (now.known() || now.missing() == before.missing()) return true;
    return absences_.Write(t, "identity", {state.id, 0}, field, now.missing());
  };
  const ProcessSample& w = state.written;
  return reason("start_time", p.start_time, w.start_time) &&
         reason("pid_namespace", p.pid_namespace, w.pid_namespace) &&
         reason("user", p.user, w.user) && reason("command", p.command, w.command) &&
         reason("command_line", p.command_line, w.command_line) &&
         reason("container_name", p.container, w.container) &&
         reason("visible_devices", p.visible_devices, w.visible_devices);
}

bool Identities::ResolveProcess(const ProcessSample& process, int64_t container, int64_t t,
                                int64_t& id) {
  ProcessState& state = processes_[{process.pid, process.start_ticks}];
  state.seen = t;
  if (state.id == 0 || !Same(process, state.written) || container != state.container) {
    const bool known = state.id != 0;
    if (!known) {
      state.id = Look(
          find_process_.Bind(1, process.pid).Bind(2, static_cast<int64_t>(process.start_ticks)));
    }
    state.container = container;
    if (!WriteProcess(process, state, t, state.id == 0)) return false;
    CopyIdentity(process, state.written);
  }
  id = state.id;
  return true;
}

bool Identities::ResolveFramework(const FrameworkSample& f, int64_t t, int64_t& id) {
  const ProcessKey key{f.pid, f.start_ticks};
  if (processes_.find(key) == processes_.end()) {
    ProcessSample unknown;  // a page without a process that we see
    unknown.pid = f.pid;
    unknown.start_ticks = f.start_ticks;
    if (!ResolveProcess(unknown, 0, t, id)) return false;
  }
  ProcessState& state = processes_[key];
  state.seen = t;
  id = state.id;
  if (state.has_framework && Same(f, state.framework)) return true;
  Statement& s = add_framework_;
  s.Bind(1, id).BindText(2, FrameworkName(f.framework)).BindText(3, f.version);
  s.BindText(4, f.python).BindText(5, f.script).BindText(6, f.dtype).BindText(7, f.settings);
  s.Bind(8, f.rank).Bind(9, f.local_rank).Bind(10, f.world_size);
  s.Bind(11, f.mixed_precision ? 1 : 0).Bind(12, f.compiled ? 1 : 0);
  if (!s.Run()) return false;
  CopyIdentity(f, state.framework);
  state.has_framework = true;
  return true;
}

bool Identities::EndProcesses(int64_t t) {
  for (auto it = processes_.begin(); it != processes_.end();) {
    if (it->second.seen == t) {
      ++it;
      continue;
    }
    if (!end_process_.Bind(1, it->second.seen).Bind(2, it->second.id).Run()) return false;
    it = processes_.erase(it);
  }
  return true;
}

bool Identities::Resolve(const Frame& frame, int64_t t, FrameIds& ids) {
  ids.Clear();
  for (const DeviceSample& device : frame.devices) {
    if (!ResolveDevice(device.info, ids.devices.emplace_back())) return false;
  }
  for (const ContainerSample& container : frame.containers) {
    if (!ResolveContainer(container, ids.containers.emplace_back())) return false;
  }
  for (const ProcessSample& process : frame.processes) {
    const auto at = static_cast<size_t>(process.container_index);
    const int64_t container =
        process.container_index >= 0 && at < ids.containers.size() ? ids.containers[at] : 0;
    if (!ResolveProcess(process, container, t, ids.processes.emplace_back())) return false;
  }
  for (const FrameworkSample& framework : frame.frameworks) {
    if (!ResolveFramework(framework, t, ids.frameworks.emplace_back())) return false;
  }
  return EndProcesses(t);
}

bool Identities::Stack(const std::string& text, int64_t& id) {
  const auto found = stacks_.find(text);
  if (found != stacks_.end()) {
    id = found->second;
    return true;
  }
  if (!add_stack_.BindText(1, text).Run()) return false;
  id = database_.last_row();
  if (stacks_.size() >= kMostStacks) stacks_.clear();
  stacks_.emplace(text, id);
  return true;
}

int64_t Identities::FindDevice(const std::string& uuid) const {
  const auto found = devices_.find(uuid);
  return found == devices_.end() ? 0 : found->second.first;
}

}  // namespace gpusight::record
