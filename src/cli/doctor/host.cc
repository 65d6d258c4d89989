// SPDX-License-Identifier: Apache-2.0
// Checks of what the host lets a job have: CPUs, memory, shared memory, processes, files.
#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "cli/doctor/check.h"
#include "model/text/doctor_host.h"

namespace gpusight::doctor {
namespace {

using C = ContainerField;
using H = HostField;

Known<double> Of(const Facts& facts, C field) {
  const ContainerSample* container = facts.Container();
  return container == nullptr ? Known<double>(Absence::kNotSupported) : container->fields[field];
}

// The CPUs that a program counts: os.cpu_count() and sched_getaffinity(2) differ, threads follow
// the latter.
int VisibleCpus(const Facts& facts) {
  if (facts.subject.cpus_allowed > 0) return facts.subject.cpus_allowed;
  return static_cast<int>(facts.frame.host.fields[H::kCpus].value_or(0));
}

std::optional<int> OmpThreads(const Facts& facts) {
  const auto value = facts.subject.Variable("OMP_NUM_THREADS");
  return value ? ParseNumber<int>(Trim(*value)) : std::nullopt;
}

}  // namespace

void CheckCpus(const Facts& facts, Report& report) {
  constexpr double kOftenThrottled = 0.1, kEnoughPeriods = 100;
  const int cpus = VisibleCpus(facts);
  if (cpus == 0) return;
  const auto quota = Of(facts, C::kCpuQuota);
  if (quota && *quota > 0 && *quota < cpus) {
    const int fitting = std::max(1, static_cast<int>(std::floor(*quota)));
    const double periods = Of(facts, C::kPeriods).value_or(0);
    const double throttled = Of(facts, C::kThrottledPeriods).value_or(0);
    if (periods > kEnoughPeriods && throttled > periods * kOftenThrottled) {
      report.Problem("host.cpu", text::kCpusThrottled, *quota, 100 * throttled / periods, cpus)
          .Remedy(text::kCpusQuotaRemedy, fitting, cpus);
    } else if (const auto threads = OmpThreads(facts); threads && *threads <= std::ceil(*quota)) {
      report.Ok("host.cpu", text::kCpusQuotaFits, *quota, *threads);
    } else {
      report.Note("host.cpu", text::kCpusQuota, *quota, cpus)
          .Remedy(text::kCpusQuotaRemedy, fitting, cpus);
    }
    return;
  }
  const auto& all = facts.frame.host.fields[H::kCpus];
  if (all && cpus < *all) {
    report.Ok("host.cpu", text::kCpusSet, cpus, *all);
  } else {
    report.Ok("host.cpu", text::kCpusOk, cpus);
  }
}

void CheckThreads(const Facts& facts, Report& report) {
  const int cpus = VisibleCpus(facts);
  const auto threads = OmpThreads(facts);
  if (!threads || cpus == 0) return;
  const auto quota = Of(facts, C::kCpuQuota);
  const int cores =
      quota && *quota > 0 ? std::min(cpus, static_cast<int>(std::ceil(*quota))) : cpus;
  if (*threads <= cores) return;
  report.Note("environment.threads", text::kThreadsTooMany, *threads, cores)
      .Remedy(text::kThreadsTooManyRemedy, cores);
}

void CheckMemoryLimit(const Facts& facts, Report& report) {
  constexpr double kNear = 0.9;
  const auto limit = Of(facts, C::kMemoryLimit);
  const auto& total = facts.frame.host.fields[H::kMemoryTotal];
  // A limit above the machine's memory is none.
  if (!limit || (total && *limit >= *total)) {
    if (total) report.Ok("host.memory", text::kMemoryNoLimit, FormatBytes(*total));
    return;
  }
  const double used = Of(facts, C::kMemoryCurrent).value_or(0);
  const double killed = Of(facts, C::kOomKills).value_or(0);
  if (killed > 0) {
    report.Problem("host.memory", text::kMemoryKilled, killed, FormatBytes(*limit))
        .Remedy(text::kMemoryRemedy);
  } else if (used > *limit * kNear) {
    report.Note("host.memory", text::kMemoryNear, FormatBytes(*limit), FormatBytes(used))
        .Remedy(text::kMemoryRemedy);
  } else {
    report.Ok("host.memory", text::kMemoryLimited, FormatBytes(*limit), FormatBytes(used));
  }
}

void CheckShm(const Facts& facts, Report& report) {
  constexpr double kTiny = 64 * kMiB, kSmall = kGiB, kFull = 0.8;
  const Text& larger =
      facts.subject.container.in ? text::kShmContainerRemedy : text::kShmHostRemedy;
  const auto& total = facts.subject.shm_total;
  const double used = facts.subject.shm_used.value_or(0);
  if (!total) {
    if (facts.subject.shm_missing) {
      report.Problem("host.shm", text::kShmMissing).Remedy(larger);
    }
    return;
  }
  if (*total <= kTiny) {
    report.Problem("host.shm", text::kShmTiny, FormatBytes(*total)).Remedy(larger);
  } else if (used > *total * kFull) {
    report.Problem("host.shm", text::kShmFull, FormatBytes(used), FormatBytes(*total))
        .Remedy(text::kShmFullRemedy);
  } else if (*total < kSmall) {
    report.Note("host.shm", text::kShmSmall, FormatBytes(*total)).Remedy(larger);
  } else {
    report.Ok("host.shm", text::kShmOk, FormatBytes(*total), FormatBytes(used));
  }
}

void CheckPids(const Facts& facts, Report& report) {
  constexpr double kFew = 1024;
  const auto limit = Of(facts, C::kPidsLimit);
  if (!limit || *limit >= kFew) return;
  report.Note("host.pids", text::kPidsLow, *limit, Of(facts, C::kPidsCurrent).value_or(0))
      .Remedy(text::kPidsLowRemedy);
}

void CheckLimits(const Facts& facts, Report& report) {
  constexpr double kFewFiles = 4096;
  const Subject& subject = facts.subject;
  if (subject.max_files) {
    if (*subject.max_files < kFewFiles) {
      report.Note("host.open_files", text::kFilesLow, *subject.max_files)
          .Remedy(text::kFilesLowRemedy);
    } else {
      report.Ok("host.open_files", text::kFilesOk, *subject.max_files);
    }
  } else if (subject.max_files.missing().why == Absence::kNoLimit) {
    report.Ok("host.open_files", text::kFilesUnlimited);
  }
  if (subject.max_address_bytes) {
    report
        .Problem("host.address_space", text::kAddressLimited,
                 FormatBytes(*subject.max_address_bytes))
        .Remedy(text::kAddressLimitedRemedy);
  }
  if (subject.max_locked_bytes && facts.machine.infiniband) {
    report.Note("host.locked_memory", text::kLockedLow, FormatBytes(*subject.max_locked_bytes))
        .Remedy(text::kLockedLowRemedy);
  }
}

void CheckOvercommit(const Facts& facts, Report& report) {
  constexpr int kStrict = 2;
  if (facts.machine.overcommit.value_or(0) != kStrict) return;
  report.Note("host.overcommit", text::kOvercommitStrict).Remedy(text::kOvercommitStrictRemedy);
}

void CheckGovernor(const Facts& facts, Report& report) {
  // Drivers that choose the clocks themselves call their normal way "powersave".
  const std::string_view driver = facts.machine.governor_driver;
  const bool own_way = driver == "intel_pstate" || driver.starts_with("amd-pstate-epp");
  if (facts.machine.governor != "powersave" || own_way) return;
  report.Note("host.governor", text::kGovernorSlow, driver).Remedy(text::kGovernorSlowRemedy);
}

}  // namespace gpusight::doctor
