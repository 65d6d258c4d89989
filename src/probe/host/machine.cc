// SPDX-License-Identifier: Apache-2.0
#include "probe/host/machine.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "probe/cgroup/mountinfo.h"
#include "probe/cgroup/pressure.h"

namespace gpusight::host {
namespace {

using F = HostField;

double Number(uint64_t value) { return static_cast<double>(value); }

std::string FirstLine(const Root& root, std::string_view path) {
  const auto text = ReadFile(root.Path(path), 4096);
  return text ? std::string(Trim(*text)) : std::string();
}

}  // namespace

Machine::Machine(const Root& root, ProcFolder& proc, const Clock& clock)
    : root_(root),
      proc_(proc),
      clock_(clock),
      shm_path_(root.Path("/dev/shm")),
      hostname_(FirstLine(root, "/proc/sys/kernel/hostname")),
      kernel_(FirstLine(root, "/proc/sys/kernel/osrelease")),
      boot_id_(FirstLine(root, "/proc/sys/kernel/random/boot_id")),
      ticks_per_second_(static_cast<double>(sysconf(_SC_CLK_TCK))) {
  if (hostname_.empty()) hostname_ = FirstLine(root, "/etc/hostname");
  shm_total_ = Absence::kNotSupported;
  if (root.live()) return;
  if (const auto mounts = ReadFile(root.Path("/proc/self/mountinfo"))) {
    if (const auto bytes = cgroup::ShmSize(*mounts)) shm_total_ = Number(*bytes);
  }
}

int Machine::Get(File file, const char* name, Pieces pieces) {
  ++proc_.reads;
  return files_[file].Read(proc_.folder.get(), name, proc_.live, buffer_, pieces);
}

void Machine::Sample(HostSample& host, bool whole, double slow_seconds) {
  host.hostname = hostname_;
  host.kernel = kernel_;
  host.boot_id = boot_id_;
  auto& fields = host.fields;
  int error = Get(kLoad, "loadavg");
  const auto load = error == 0 ? ParseLoadAverage(buffer_.text()) : std::nullopt;
  fields[F::kLoad1] = load ? Known<double>(load->one_minute) : Known<double>(WhyMachine(error));
  last_pid_ = load ? load->last_pid : 0;
  whole_ = false;
  if (!whole) {
    if (boot_time_ == 0) ReadCpu(fields);
    return;
  }
  const MonoTime now = clock_.Mono();
  // A sample comes a little early or late; what is due by then is due now.
  const auto due = static_cast<int64_t>(0.9 * slow_seconds * 1e9);
  if (slow_reads_ >= 2 && now - slow_at_ < due) return;  // two make the first rates
  whole_ = true;
  slow_at_ = now;
  ReadMemory(fields);
  ++slow_reads_;
  ReadCpu(fields);
  error = Get(kUptime, "uptime");
  const auto uptime = error == 0 ? ParseUptime(buffer_.text()) : std::nullopt;
  fields[F::kUptime] = uptime ? Known<double>(*uptime) : Known<double>(WhyMachine(error));
  ReadShm(fields);
  ReadDisks(fields);
  ReadNetwork(fields);
  ReadPressure(fields);
}

void Machine::ReadCpu(FieldSet<HostField>& fields) {
  const int error = Get(kStat, "stat");
  const MonoTime now = clock_.Mono();
  const auto stat = error == 0 ? ParseSystemStat(buffer_.text()) : std::nullopt;
  if (!stat) {
    for (const F field : {F::kCpus, F::kCpu, F::kCpuIoWait}) fields[field] = WhyMachine(error);
    has_previous_ = false;
    return;
  }
  if (stat->boot_time != 0) boot_time_ = stat->boot_time;
  fields[F::kCpus] = stat->cpus > 0 ? Known<double>(stat->cpus) : Absence::kNotSupported;
  fields[F::kCpu] = fields[F::kCpuIoWait] = Absence::kNotSampledYet;
  const double elapsed = static_cast<double>(now - stat_at_) * 1e-9;
  if (has_previous_ && elapsed > 0) {
    const auto rate = [&](uint64_t before, uint64_t after) -> Known<double> {
      // iowait may step back when a CPU goes offline
      if (after < before) return Absence::kImplausible;
      return Number(after - before) / ticks_per_second_ / elapsed;
    };
    fields[F::kCpu] = rate(previous_stat_.busy_ticks, stat->busy_ticks);
    fields[F::kCpuIoWait] = rate(previous_stat_.iowait_ticks, stat->iowait_ticks);
  }
  previous_stat_ = *stat;
  stat_at_ = now;
  has_previous_ = true;
}

void Machine::ReadMemory(FieldSet<HostField>& fields) {
  const int error = Get(kMemory, "meminfo");
  if (const auto info = error == 0 ? ParseMemoryInfo(buffer_.text()) : std::nullopt) {
    fields[F::kMemoryTotal] = Number(info->total);
    fields[F::kMemoryAvailable] = Number(info->available);
    fields[F::kSwapTotal] = Number(info->swap_total);
    fields[F::kSwapUsed] = Number(info->swap_total - std::min(info->swap_free, info->swap_total));
  } else {
    for (const F field : {F::kMemoryTotal, F::kMemoryAvailable, F::kSwapTotal, F::kSwapUsed}) {
      fields[field] = WhyMachine(error);
    }
  }
}

void Machine::ReadShm(FieldSet<HostField>& fields) {
  Space shm;
  if (!root_.live()) {
    // A recorded machine's /dev/shm is a folder on our own disk; only its mount tells a size.
    fields[F::kShmTotal] = shm_total_;
    fields[F::kShmUsed] = Absence::kNotSupported;
  } else if (const int error = ReadSpace(shm_path_.c_str(), shm); error != 0) {
    fields[F::kShmTotal] = fields[F::kShmUsed] = WhyMachine(error);
  } else {
    fields[F::kShmTotal] = shm.total;
    fields[F::kShmUsed] = shm.used;
  }
}

void Machine::ReadDisks(FieldSet<HostField>& fields) {
  const int error = Get(kDisks, "diskstats", Pieces::kMany);
  if (error != 0) {
    for (const F field : {F::kDiskRead, F::kDiskWritten, F::kDiskBusy}) {
      fields[field] = WhyMachine(error);
    }
    return;
  }
  const MonoTime now = clock_.Mono();
  const double elapsed = static_cast<double>(now - disks_at_) * 1e-9;
  uint64_t read = 0;
  uint64_t written = 0;
  Known<double> busiest = Absence::kNotSampledYet;
  size_t count = 0;
  std::string_view rest = buffer_.text();
  std::string_view disk_before;
  while (const auto line = NextLine(rest)) {
    const auto disk = ParseDiskLine(*line);
    if (!disk || !IsWholeDisk(disk->name, disk_before)) continue;
    disk_before = disk->name;
    read += disk->read_bytes;
    written += disk->written_bytes;
    if (count == busy_.size()) busy_.emplace_back();
    Counter& counter = busy_[count++];
    if (counter.name == disk->name && elapsed > 0 && disk->busy_ms >= counter.value) {
      const double share = Number(disk->busy_ms - counter.value) * 1e-3 / elapsed;
      busiest = std::max(busiest.value_or(0), std::min(share, 1.0));
    }
    if (counter.name != disk->name) counter.name = disk->name;
    counter.value = disk->busy_ms;
  }
  busy_.resize(count);
  disks_at_ = now;
  // Inside some containers the file is empty.
  const Known<double> none = Absence::kNotSupported;
  fields[F::kDiskRead] = count > 0 ? Known<double>(Number(read)) : none;
  fields[F::kDiskWritten] = count > 0 ? Known<double>(Number(written)) : none;
  fields[F::kDiskBusy] = count > 0 ? busiest : none;
}

// Bridges, tunnels, bonds and the host's ends of containers carry bytes that a network card
// carries too; only what has a device behind it counts. Inside a container nothing has, and all
// but the loopback counts.
bool Machine::IsHardware(std::string_view interface) {
  for (const auto& [name, hardware] : hardware_) {
    if (name == interface) return hardware;
  }
  std::string path = root_.Path("/sys/class/net/");
  path += interface;
  path += "/device";
  struct stat info{};
  const bool hardware = lstat(path.c_str(), &info) == 0;
  hardware_.emplace_back(interface, hardware);
  return hardware;
}

void Machine::ReadNetwork(FieldSet<HostField>& fields) {
  const int error = Get(kNetwork, "net/dev", Pieces::kMany);
  uint64_t received[2] = {0, 0};
  uint64_t sent[2] = {0, 0};
  bool any[2] = {false, false};
  if (error == 0) {
    // Machines that start containers all day make new names without end.
    if (hardware_.size() > 4096) hardware_.clear();
    std::string_view rest = buffer_.text();
    while (const auto line = NextLine(rest)) {
      const auto network = ParseNetworkLine(*line);
      if (!network || network->name == "lo") continue;
      const size_t kind = IsHardware(network->name) ? 1 : 0;
      received[kind] += network->received_bytes;
      sent[kind] += network->sent_bytes;
      any[kind] = true;
    }
  }
  const size_t kind = any[1] ? 1 : 0;
  const Missing why = error == 0 ? Missing{Absence::kNotSupported} : WhyMachine(error);
  fields[F::kNetworkReceive] = any[kind] ? Known<double>(Number(received[kind])) : why;
  fields[F::kNetworkTransmit] = any[kind] ? Known<double>(Number(sent[kind])) : why;
}

void Machine::ReadPressure(FieldSet<HostField>& fields) {
  const struct {
    F field;
    File file;
    const char* name;
  } rows[] = {{F::kCpuPressure, kCpuPressure, "pressure/cpu"},
              {F::kMemoryPressure, kMemoryPressure, "pressure/memory"},
              {F::kIoPressure, kIoPressure, "pressure/io"}};
  for (const auto& row : rows) {
    const int error = Get(row.file, row.name);
    const auto pressure = error == 0 ? cgroup::ParsePressure(buffer_.text()) : std::nullopt;
    fields[row.field] =
        pressure ? Known<double>(pressure->some.average10) : Known<double>(WhyMachine(error));
  }
}

std::string SysfsPciId(std::string_view bus_id) {
  std::string id(bus_id);
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // NVML writes the domain with eight digits, sysfs with four unless it needs more (Azure, VMD).
  while (id.find(':') != std::string::npos && id.find(':') > 4 && id.front() == '0') id.erase(0, 1);
  return id;
}

void Machine::PlaceDevices(std::vector<DeviceSample>& devices) {
  for (DeviceSample& device : devices) {
    DeviceInfo& info = device.info;
    if (info.pci_bus_id.empty()) continue;
    auto found = places_.find(info.pci_bus_id);
    if (found == places_.end()) {
      const std::string folder = "/sys/bus/pci/devices/" + SysfsPciId(info.pci_bus_id);
      Place place;
      place.numa_node = ParseNumber<int>(FirstLine(root_, folder + "/numa_node")).value_or(-1);
      place.cpus = FirstLine(root_, folder + "/local_cpulist");
      found = places_.emplace(info.pci_bus_id, std::move(place)).first;
    }
    if (info.numa_node < 0) info.numa_node = found->second.numa_node;
    if (info.cpu_affinity.empty()) info.cpu_affinity = found->second.cpus;
  }
}

}  // namespace gpusight::host
