// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/group.h"

#include <fcntl.h>

#include <cerrno>

#include "base/text.h"

#include "probe/cgroup/pressure.h"

namespace gpusight::cgroup {
namespace {

using F = ContainerField;

constexpr size_t At(Controller c) { return static_cast<size_t>(c); }

// Keeps in `field` the smaller of itself and `limit`; true when `limit` won.
bool Tighten(Known<double>& field, const std::optional<Limit>& limit) {
  if (!limit || limit->unlimited) return false;
  if (field && *field <= limit->value) return false;
  field = limit->value;
  return true;
}

}  // namespace

Group::Group(const Root& root, const Hierarchy& hierarchy, const Membership& membership, bool keep)
    : root_(root), hierarchy_(hierarchy), keep_(keep) {
  for (size_t i = 0; i < kControllers; ++i) {
    const Controller serving = hierarchy.Serving(static_cast<Controller>(i));
    const auto folder = hierarchy.Folder(serving, membership[serving]);
    if (!folder) continue;
    UniqueFd open = OpenFolder(root.Path(*folder).c_str());
    if (!open.valid()) continue;
    folders_[i] = root.Path(*folder);
    open_folders_[i] = std::move(open);
  }
}

int Group::Get(File file, Controller controller, const char* name, ReadBuffer& buffer) {
  const UniqueFd& folder = open_folders_[At(controller)];
  if (!folder.valid()) return EXDEV;
  if (absent_[file]) return ENOENT;
  ++reads_;
  const int error = files_[file].Read(folder.get(), name, keep_, buffer);
  absent_[file] = error == ENOENT;
  return error;
}

Missing Group::Why(int error_number, Controller controller) const {
  switch (error_number) {
    case 0:  // read, but not what it should be
      return {Absence::kImplausible};
    case EXDEV:
      // Mounted, but not that far up; a recorded machine may just lack the folder.
      return hierarchy_.Top(hierarchy_.Serving(controller)).empty() || !root_.live()
                 ? Missing{Absence::kNotSupported}
                 : Missing{Absence::kOutsideNamespace};
    case ENOENT:
    case EOPNOTSUPP:  // PSI switched off
      return {Absence::kNotSupported};
    case ENODEV:
      return {Absence::kGone};
    case EACCES:
    case EPERM:
      return {Absence::kNoPermission};
    default:
      return {Absence::kSystemError, error_number};
  }
}

// Calls visit(folder) for the group's folder and each one above it.
template <typename Visit>
void Group::Climb(Controller controller, Visit visit) const {
  const size_t top = root_.folder().size() + hierarchy_.Top(hierarchy_.Serving(controller)).size();
  std::string_view folder = folders_[At(controller)];
  while (folder.size() >= top && !folder.empty()) {
    visit(folder);
    if (folder.size() == top) break;
    folder = folder.substr(0, folder.rfind('/'));
  }
}

void Group::ReadLimits(ReadBuffer& buffer) {
  const auto get = [&](std::string_view folder, std::string_view file) {
    ++reads_;
    path_ = folder;
    path_ += file;
    return buffer.ReadOnce(AT_FDCWD, path_.c_str()) == 0;
  };
  limits_.Fill({Absence::kNoLimit});
  absent_.reset();
  throttle_folder_.Reset();
  files_[kThrottle].Close();
  std::string_view tightest;
  const bool unified_cpu = hierarchy_.unified(Controller::kCpu);
  Climb(Controller::kCpu, [&](std::string_view folder) {
    std::optional<Limit> limit;
    if (unified_cpu) {
      if (get(folder, "/cpu.max")) limit = ParseCpuMax(buffer.text());
    } else if (get(folder, "/cpu.cfs_quota_us")) {
      const auto quota = ParseNumber<int64_t>(Trim(buffer.text()));
      if (quota && get(folder, "/cpu.cfs_period_us")) limit = ParseCpuQuota(*quota, buffer.text());
    }
    if (Tighten(limits_[F::kCpuQuota], limit)) tightest = folder;
  });
  if (!tightest.empty()) {
    path_ = tightest;
    throttle_folder_ = OpenFolder(path_.c_str());
  }

  const bool unified_memory = hierarchy_.unified(Controller::kMemory);
  Climb(Controller::kMemory, [&](std::string_view folder) {
    if (get(folder, unified_memory ? "/memory.max" : "/memory.limit_in_bytes")) {
      Tighten(limits_[F::kMemoryLimit], ParseLimit(buffer.text()));
    }
  });
  Climb(Controller::kPids, [&](std::string_view folder) {
    if (get(folder, "/pids.max")) Tighten(limits_[F::kPidsLimit], ParseLimit(buffer.text()));
  });

  // The nearest group that says which CPUs are allowed; a leaf need not have the file.
  Known<double> cpus = Absence::kNotSupported;
  Climb(Controller::kCpuset, [&](std::string_view folder) {
    if (cpus) return;
    for (const char* name : {"/cpuset.cpus.effective", "/cpuset.effective_cpus", "/cpuset.cpus"}) {
      if (!get(folder, name)) continue;
      const auto count = CountCpuList(buffer.text());
      if (count && *count > 0) {
        cpus = static_cast<double>(*count);
        return;
      }
    }
  });
  limits_[F::kCpusetCores] = cpus;

  const struct {
    F field;
    Controller controller;
  } kLimited[] = {{F::kCpuQuota, Controller::kCpu},
                  {F::kMemoryLimit, Controller::kMemory},
                  {F::kPidsLimit, Controller::kPids},
                  {F::kCpusetCores, Controller::kCpuset}};
  for (const auto& [field, controller] : kLimited) {
    if (!open_folders_[At(controller)].valid()) limits_[field] = Why(EXDEV, controller);
  }
}

void Group::Read(ReadBuffer& buffer, bool whole, FieldSet<ContainerField>& fields) {
  for (const F field : {F::kCpuQuota, F::kMemoryLimit, F::kPidsLimit, F::kCpusetCores}) {
    fields[field] = limits_[field];
  }
  ReadCpu(buffer, fields);
  ReadMemory(buffer, whole, fields);
  const int error = Get(kPidsCurrent, Controller::kPids, "pids.current", buffer);
  const auto pids = error == 0 ? ParseCount(buffer.text()) : std::nullopt;
  fields[F::kPidsCurrent] = pids ? Known<double>(static_cast<double>(*pids))
                                 : Known<double>(Why(error, Controller::kPids));
  if (whole) ReadPressure(buffer, fields);
}

void Group::ReadCpu(ReadBuffer& buffer, FieldSet<ContainerField>& fields) {
  const auto put = [&](F field, std::optional<uint64_t> value, double unit, Missing why) {
    fields[field] = value ? Known<double>(static_cast<double>(*value) * unit) : Known<double>(why);
  };
  const bool unified = hierarchy_.unified(Controller::kCpu);
  if (hierarchy_.unified(Controller::kCpuAcct)) {
    const int error = Get(kCpuStat, Controller::kCpuAcct, "cpu.stat", buffer);
    put(F::kCpuUsage, error == 0 ? ParseKey(buffer.text(), "usage_usec") : std::nullopt, 1e-6,
        Why(error, Controller::kCpuAcct));
  } else {
    const int error = Get(kCpuUsage, Controller::kCpuAcct, "cpuacct.usage", buffer);
    put(F::kCpuUsage, error == 0 ? ParseCount(buffer.text()) : std::nullopt, 1e-9,
        Why(error, Controller::kCpuAcct));
  }
  int error;
  if (throttle_folder_.valid()) {
    ++reads_;
    error = files_[kThrottle].Read(throttle_folder_.get(), "cpu.stat", keep_, buffer);
  } else if (!unified || !hierarchy_.unified(Controller::kCpuAcct)) {
    error = Get(kThrottle, Controller::kCpu, "cpu.stat", buffer);
  } else {
    // the text of the cpu.stat just read
    error = buffer.text().empty() ? ENOENT : 0;
  }
  // A group without a quota of its own has no periods to count; the top group lacks the lines.
  const Missing why = error == 0 ? Missing{Absence::kNoLimit} : Why(error, Controller::kCpu);
  const std::string_view text = error == 0 ? buffer.text() : std::string_view();
  put(F::kPeriods, ParseKey(text, "nr_periods"), 1, why);
  put(F::kThrottledPeriods, ParseKey(text, "nr_throttled"), 1, why);
  if (unified) {
    put(F::kThrottledTime, ParseKey(text, "throttled_usec"), 1e-6, why);
  } else {
    put(F::kThrottledTime, ParseKey(text, "throttled_time"), 1e-9, why);
  }
}

void Group::ReadMemory(ReadBuffer& buffer, bool whole, FieldSet<ContainerField>& fields) {
  constexpr Controller kMemory = Controller::kMemory;
  const bool unified = hierarchy_.unified(kMemory);
  const auto count = [&](F field, File file, const char* name) {
    const int error = Get(file, kMemory, name, buffer);
    const auto value = error == 0 ? ParseCount(buffer.text()) : std::nullopt;
    fields[field] =
        value ? Known<double>(static_cast<double>(*value)) : Known<double>(Why(error, kMemory));
  };
  count(F::kMemoryCurrent, kMemoryCurrent, unified ? "memory.current" : "memory.usage_in_bytes");
  if (whole) {
    count(F::kMemoryPeak, kMemoryPeak, unified ? "memory.peak" : "memory.max_usage_in_bytes");
    count(F::kMemorySwap, kMemorySwap,
          unified ? "memory.swap.current" : "memory.memsw.usage_in_bytes");
    if (!unified && fields[F::kMemorySwap] && fields[F::kMemoryCurrent]) {
      // v1 counts memory and swap together; the two were not read at the same instant.
      const double swap = *fields[F::kMemorySwap] - *fields[F::kMemoryCurrent];
      fields[F::kMemorySwap] = swap > 0 ? swap : 0;
    }
  }
  const int error =
      Get(kMemoryEvents, kMemory, unified ? "memory.events" : "memory.oom_control", buffer);
  const auto kills = error == 0 ? ParseKey(buffer.text(), "oom_kill") : std::nullopt;
  fields[F::kOomKills] = kills        ? Known<double>(static_cast<double>(*kills))
                         : error == 0 ? Known<double>(Absence::kNotSupported)
                                      : Known<double>(Why(error, kMemory));
}

void Group::ReadPressure(ReadBuffer& buffer, FieldSet<ContainerField>& fields) {
  const struct {
    F field;
    File file;
    const char* name;
  } kFilesOf[] = {{F::kCpuPressure, kCpuPressure, "cpu.pressure"},
                  {F::kMemoryPressure, kMemoryPressure, "memory.pressure"},
                  {F::kIoPressure, kIoPressure, "io.pressure"}};
  for (const auto& row : kFilesOf) {
    const int error = Get(row.file, Controller::kUnified, row.name, buffer);
    const auto pressure = error == 0 ? ParsePressure(buffer.text()) : std::nullopt;
    fields[row.field] = pressure ? Known<double>(pressure->some.average10)
                                 : Known<double>(Why(error, Controller::kUnified));
  }
}

}  // namespace gpusight::cgroup
