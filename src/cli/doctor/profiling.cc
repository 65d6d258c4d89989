// SPDX-License-Identifier: Apache-2.0
// Checks of what may be measured here, and of those who measure already.
#include <fmt/format.h>

#include "cli/doctor/check.h"
#include "cli/doctor/device_list.h"
#include "model/text/doctor_host.h"

namespace gpusight::doctor {
namespace {

constexpr int kCapPtrace = 19, kCapSysAdmin = 21, kCapPerfmon = 38;

bool Has(const Facts& facts, int capability) {
  const auto& mask = facts.subject.capabilities;
  return mask && ((*mask >> capability) & 1U) != 0;
}

// Programs that take the counters (the driver's daemons do not).
constexpr std::string_view kProfilers[] = {"nv-hostengine", "dcgm-exporter", "nsys",
                                           "ncu",           "nvprof",        "dynolog"};

}  // namespace

void CheckCapabilities(const Facts& facts, Report& report) {
  const auto& restricted = facts.driver.profiling_for_admins_only;
  if (restricted) {
    const bool may = !*restricted || Has(facts, kCapSysAdmin) || Has(facts, kCapPerfmon);
    if (may) {
      report.Ok("profiling.counters", text::kProfilingAllowed);
    } else {
      report.Note("profiling.counters", text::kProfilingForbidden)
          .Remedy(text::kProfilingForbiddenRemedy);
    }
  }
  const bool known = facts.subject.capabilities.known();
  if (known && !Has(facts, kCapPtrace) && facts.subject.self) {
    report.Note("profiling.ptrace", text::kNoPtrace).Remedy(text::kNoPtraceRemedy);
  }
}

void CheckMonitors(const Facts& facts, Report& report) {
  bool any = false;
  std::string names;
  for (const Bystander& process : facts.bystanders) {
    for (const std::string_view profiler : kProfilers) {
      if (process.name != profiler) continue;
      report.Note("monitor." + process.name, text::kMonitorRuns, process.name, process.pid)
          .Remedy(text::kMonitorRunsRemedy);
      names += (names.empty() ? "" : ", ") + process.name;
      any = true;
    }
    if (process.name == "nvidia-cuda-mps") {
      report.Note("monitor.mps", text::kMpsRuns, process.pid);
    }
  }
  const auto taken = Select(facts.frame, [](const DeviceSample& device) {
    const auto& activity = device[DeviceField::kSmActivity];
    return !activity && activity.missing().why == Absence::kCountersTaken;
  });
  if (!taken.empty()) {
    report.Problem("profiling.counters_taken", text::kCountersTakenNow, Named(taken))
        .Remedy(text::kCountersTakenRemedy, names.empty() ? "nv-hostengine, nsys, ncu" : names);
  } else if (!any) {
    report.Ok("profiling.monitors", text::kMonitorsNone);
  }
}

void CheckInjection(const Facts& facts, Report& report) {
  if (const auto library = facts.subject.Variable("CUDA_INJECTION64_PATH");
      library && !library->empty()) {
    report.Note("profiling.injection", text::kInjection, *library).Remedy(text::kInjectionRemedy);
  }
  const auto preload = facts.subject.Variable("LD_PRELOAD");
  if (preload && preload->find("libvgpu") != std::string_view::npos) {
    report.Note("profiling.vgpu", text::kVgpuPreload, *preload);
  }
}

}  // namespace gpusight::doctor
