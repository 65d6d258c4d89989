// SPDX-License-Identifier: Apache-2.0
#include "probe/host/process_reader.h"

#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "probe/host/proc_text.h"

namespace gpusight::host {
namespace {

using F = ProcessField;

double Number(uint64_t value) { return static_cast<double>(value); }

// A child forked without exec has its parent's command line.
uint64_t HashOf(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return text.empty() ? 0 : hash | 1;
}

void PutBytes(Known<double>& field, const std::optional<uint64_t>& bytes, Missing why) {
  field = bytes ? Known<double>(Number(*bytes)) : Known<double>(why);
}

}  // namespace

ProcessReader::ProcessReader(ProcFolder& proc, const Users& users, cgroup::Containers* containers,
                             const Clock& clock, const ProbeOptions& options)
    : proc_(proc),
      users_(users),
      containers_(containers),
      clock_(clock),
      mounts_(options.mounts),
      count_files_(options.open_files),
      files_(proc),
      own_uid_(geteuid()),
      ticks_per_second_(static_cast<double>(sysconf(_SC_CLK_TCK))),
      page_bytes_(static_cast<double>(sysconf(_SC_PAGESIZE))) {}

int ProcessReader::Get(KeptFile& file, int pid, const char* name, bool keep) {
  ++proc_.reads;
  if (keep && file.open()) return file.Read(proc_.folder.get(), name, keep, buffer_);
  return file.Read(proc_.folder.get(), ShortPath(pid, "/", name).c_str(), keep, buffer_);
}

void ProcessReader::Read(ProcessEntry& entry, bool keep, bool whole) {
  const int pid = entry.sample.pid;
  const bool was_open = entry.stat.open();
  int error = Get(entry.stat, pid, "stat", keep);
  if (error == ESRCH && was_open) {
    // The process that we knew ended. Its number may have been given to another one.
    entry.CloseFiles();
    error = Get(entry.stat, pid, "stat", keep);
  }
  const MonoTime now = clock_.Mono();
  const auto stat = error == 0 ? ParseProcStat(buffer_.text()) : std::nullopt;
  proc_.Note(error, stat.has_value());
  if (!stat) {
    if (error == ENOENT || error == ESRCH) {
      entry.gone = true;
      entry.CloseFiles();
    }
    entry.sample.fields.Fill(WhyProcess(error));
    return;
  }
  const uint64_t start = entry.sample.start_ticks;
  if (start != 0 && start != stat->start_ticks) {
    ProcessEntry fresh;
    fresh.sample.pid = pid;
    fresh.seen_in = entry.seen_in;
    fresh.kin.on_device = entry.kin.on_device;
    fresh.kept = entry.kept;
    fresh.stat = std::move(entry.stat);
    entry = std::move(fresh);
  }
  entry.gone = false;
  ProcessSample& sample = entry.sample;
  const bool renamed = !sample.command || *sample.command != stat->comm;
  if (sample.start_ticks != stat->start_ticks) {
    sample.start_ticks = stat->start_ticks;
    sample.start_time =
        boot_time_ == 0
            ? Known<double>(Absence::kNotSupported)
            : Known<double>(Number(boot_time_) + Number(stat->start_ticks) / ticks_per_second_);
  }
  if (renamed) sample.command = std::string(stat->comm);
  sample.parent = stat->parent;
  entry.state = stat->state;
  entry.thread_count = stat->threads;
  // A main thread that ended before the others is a "zombie" too, but its process lives.
  sample.zombie = (stat->state == 'Z' || stat->state == 'X') && stat->threads <= 1;

  auto& fields = sample.fields;
  const uint64_t ticks = stat->user_ticks + stat->system_ticks;
  fields[F::kCpu] = Absence::kNotSampledYet;
  const int64_t elapsed = now - entry.read_at;
  if (entry.rate_known && elapsed > 0 && ticks >= entry.cpu_ticks) {
    fields[F::kCpu] =
        Number(ticks - entry.cpu_ticks) / ticks_per_second_ / (static_cast<double>(elapsed) * 1e-9);
  }
  entry.rate_known = true;
  entry.cpu_ticks = ticks;
  entry.read_at = now;
  fields[F::kCpuUser] = Number(stat->user_ticks) / ticks_per_second_;
  fields[F::kCpuSystem] = Number(stat->system_ticks) / ticks_per_second_;
  fields[F::kThreads] = static_cast<double>(stat->threads);
  fields[F::kMinorFaults] = Number(stat->minor_faults);
  fields[F::kMajorFaults] = Number(stat->major_faults);
  fields[F::kBlockIoDelay] = Number(stat->block_io_ticks) / ticks_per_second_;
  fields[F::kResident] = Number(stat->resident_pages) * page_bytes_;
  if (stat->threads <= 1) {
    fields[F::kRunningThreads] = stat->state == 'R' ? 1.0 : 0.0;
    fields[F::kBlockedThreads] = stat->state == 'D' ? 1.0 : 0.0;
  } else {
    fields[F::kRunningThreads] = Absence::kNotSampledYet;
    fields[F::kBlockedThreads] = Absence::kNotSampledYet;
  }
  if (whole || !entry.has_details) {
    ReadStatus(entry, keep && whole);
  } else {
    entry.status.Close();
    ReadStatm(entry, keep);
  }
  ReadIo(entry, keep);
  const bool fresh = renamed || !entry.has_details;
  if (fresh || now >= entry.next_details) ReadDetails(entry, fresh, now);
}

void ProcessReader::ReadStatus(ProcessEntry& entry, bool keep) {
  auto& fields = entry.sample.fields;
  const int error = Get(entry.status, entry.sample.pid, "status", keep);
  const auto status = error == 0 ? ParseProcStatus(buffer_.text()) : std::nullopt;
  proc_.Note(error, status.has_value());
  if (!status) {
    for (const F field : {F::kPrivate, F::kShared, F::kSwapped, F::kVoluntarySwitches,
                          F::kInvoluntarySwitches, F::kAllowedCpus}) {
      fields[field] = WhyProcess(error);
    }
    return;
  }
  // A zombie has given its memory back; kernels before 4.5 do not divide it.
  const Missing why =
      entry.sample.zombie ? Missing{Absence::kGone} : Missing{Absence::kNotSupported};
  if (status->resident_bytes) fields[F::kResident] = Number(*status->resident_bytes);
  PutBytes(fields[F::kPrivate], status->anonymous_bytes, why);
  PutBytes(fields[F::kShared], status->shared_bytes, why);
  PutBytes(fields[F::kSwapped], status->swapped_bytes, why);
  if (entry.thread_count <= 1) {
    PutBytes(fields[F::kVoluntarySwitches], status->voluntary_switches, why);
    PutBytes(fields[F::kInvoluntarySwitches], status->involuntary_switches, why);
  } else {
    fields[F::kVoluntarySwitches] = Absence::kNotSampledYet;
    fields[F::kInvoluntarySwitches] = Absence::kNotSampledYet;
  }
  // The mask may name CPUs that the machine could have but has not.
  fields[F::kAllowedCpus] = status->allowed_cpus
                                ? Known<double>(std::min(*status->allowed_cpus, online_cpus_))
                                : Known<double>(Absence::kNotSupported);
  const auto pids = status->namespace_pids();
  entry.sample.namespace_pids.assign(pids.begin(), pids.end());
  if (!entry.sample.user || entry.real_uid != status->real_uid) {
    entry.sample.user = users_.NameOf(status->real_uid);
  }
  entry.real_uid = status->real_uid;
  entry.saved_uid = status->saved_uid;
  // A recorded machine's numbers name other processes here: no signal may go to them.
  entry.sample.ours =
      proc_.live && (own_uid_ == 0 || own_uid_ == entry.real_uid || own_uid_ == entry.saved_uid);
}

void ProcessReader::ReadStatm(ProcessEntry& entry, bool keep) {
  auto& fields = entry.sample.fields;
  const int error = Get(entry.statm, entry.sample.pid, "statm", keep);
  const auto statm = error == 0 ? ParseProcStatm(buffer_.text()) : std::nullopt;
  proc_.Note(error, statm.has_value());
  if (!statm) return;  // the last whole reading stands
  const uint64_t shared = std::min(statm->shared_pages, statm->resident_pages);
  fields[F::kResident] = Number(statm->resident_pages) * page_bytes_;
  fields[F::kPrivate] = Number(statm->resident_pages - shared) * page_bytes_;
}

void ProcessReader::ReadIo(ProcessEntry& entry, bool keep) {
  auto& fields = entry.sample.fields;
  constexpr F kIo[] = {F::kReadBytes,        F::kWrittenBytes, F::kReadCallBytes,
                       F::kWrittenCallBytes, F::kReadCalls,    F::kWriteCalls};
  std::optional<ProcIo> io;
  if (entry.io_error == 0) {
    entry.io_error = Get(entry.io, entry.sample.pid, "io", keep);
    if (entry.io_error == 0) io = ParseProcIo(buffer_.text());
    proc_.Note(entry.io_error, io.has_value());
  }
  if (!io) {
    // The kernel may be built without the file: then it is missing, not the process.
    const Missing why =
        entry.io_error == ENOENT ? Missing{Absence::kNotSupported} : WhyProcess(entry.io_error);
    for (const F field : kIo) fields[field] = why;
    return;
  }
  const uint64_t values[] = {io->read_bytes,         io->written_bytes, io->call_read_bytes,
                             io->call_written_bytes, io->read_calls,    io->write_calls};
  for (size_t i = 0; i < std::size(kIo); ++i) fields[kIo[i]] = Number(values[i]);
}

void ProcessReader::ReadDetails(ProcessEntry& entry, bool fresh, MonoTime now) {
  const auto after = [now](double seconds) {
    return MonoTime{now.ns + static_cast<int64_t>(seconds * 1e9)};
  };
  // Spread over the processes, so that they do not all come due in the same frame.
  const int pid = entry.sample.pid;
  const double spread = pid % 50 / 50.0;
  entry.next_details = after(kDetailSeconds * (fresh ? 1 + spread : 1));
  entry.has_details = true;
  entry.io_error = 0;
  if (fresh || now >= entry.next_program) {
    ReadCommand(entry);
    ReadContainer(entry);
    if (!entry.sample.pid_namespace) {
      entry.sample.pid_namespace = files_.NamespaceOf(pid, "pid");
    }
    // What has just begun is soon looked at again: a script may end in exec.
    entry.next_program = fresh ? entry.next_details : after(kProgramSeconds * (0.5 + spread));
  }
  if (look_for_nodes_ && entry.kin.on_device && entry.holds != HoldsDevice::kYes) {
    entry.holds = files_.FindDeviceNode(pid);
  }
  if (count_files_) entry.sample.fields[F::kOpenFiles] = files_.Count(pid);
  if (mounts_) files_.ListMounts(pid, entry.sample.mounts);
}

void ProcessReader::ReadCommand(ProcessEntry& entry) {
  ++proc_.reads;
  const int error = buffer_.ReadFront(
      proc_.folder.get(), ShortPath(entry.sample.pid, "/cmdline").c_str(), kMostCommandLine);
  if (error != 0) {
    entry.sample.command_line = WhyProcess(error);
    return;
  }
  const uint64_t hash = HashOf(buffer_.text());
  if (entry.sample.command_line && hash == entry.kin.command_hash) return;
  entry.kin.command_hash = hash;
  entry.kin.kind = KindOf(*entry.sample.command, Arguments(buffer_.text()));
  std::string line = Capped(CommandLine(buffer_.text()));
  // Zombies and kernel threads have none; shown as ps(1) does.
  if (line.empty()) line = "[" + *entry.sample.command + "]";
  entry.sample.command_line = std::move(line);
  // A new program has a new environment; one and the same program's stays as it was started.
  ReadEnvironment(entry);
}

void ProcessReader::ReadEnvironment(ProcessEntry& entry) {
  ProcessSample& sample = entry.sample;
  ++proc_.reads;
  const int error = buffer_.ReadOnce(proc_.folder.get(), ShortPath(sample.pid, "/environ").c_str());
  if (error != 0) {
    if (!sample.visible_devices) sample.visible_devices = WhyProcess(error);
    return;
  }
  JobEnvironment picked = PickEnvironment(buffer_.text());
  sample.visible_devices = picked.visible_devices
                               ? Known<std::string>(Capped(*picked.visible_devices))
                               : Known<std::string>(Absence::kNoLimit);
  sample.device_order = Capped(picked.device_order.value_or(""));
  sample.container_devices = Capped(picked.nvidia_visible_devices.value_or(""));
  sample.rank = picked.rank;
  sample.local_rank = picked.local_rank;
  sample.world_size = picked.world_size;
  sample.slurm_job = Capped(picked.slurm_job);
  entry.kin.has_rank = picked.rank >= 0;
}

void ProcessReader::ReadContainer(ProcessEntry& entry) {
  ProcessSample& sample = entry.sample;
  if (containers_ == nullptr) return;
  ++proc_.reads;
  const ShortPath path(sample.pid, "/cgroup");
  const int error = buffer_.ReadOnce(proc_.folder.get(), path.c_str());
  if (error != 0) {
    sample.container = WhyProcess(error);
    entry.container = -1;
    return;
  }
  entry.container = containers_->Find(buffer_.text(), ShortPath(sample.pid).c_str());
  const std::string& label = containers_->Label(entry.container);
  if (!sample.container || *sample.container != label) sample.container = label;
  if (sample.slurm_job.empty()) sample.slurm_job = containers_->Sample(entry.container).slurm_job;
}

}  // namespace gpusight::host
