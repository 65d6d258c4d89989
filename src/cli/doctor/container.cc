// SPDX-License-Identifier: Apache-2.0
// Checks of the container we are in, and of what containers are started with.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "cli/doctor/check.h"
#include "cli/doctor/meant_value.h"
#include "cli/doctor/parse.h"
#include "model/text/doctor.h"
#include "model/text/doctor_driver.h"

namespace gpusight::doctor {
namespace {

bool NoDevice(const Facts& facts) {
  return facts.frame.driver.state != DriverState::kOk || facts.frame.devices.empty();
}

bool Names(std::string_view list, std::string_view word) {
  const auto words = Split(list, ',');
  return std::any_of(words.begin(), words.end(),
                     [word](std::string_view own) { return Trim(own) == word; });
}

const Text* EvidenceText(ContainerEvidence evidence) {
  switch (evidence) {
    case ContainerEvidence::kNothing:
      return nullptr;
    case ContainerEvidence::kControlGroup:
      return &text::kEvidenceControlGroup;
    case ContainerEvidence::kMounts:
      return &text::kEvidenceMounts;
    case ContainerEvidence::kVariable:
      return &text::kEvidenceVariable;
    case ContainerEvidence::kMark:
      return &text::kEvidenceMark;
    case ContainerEvidence::kPod:
      return &text::kEvidencePod;
    case ContainerEvidence::kNamespaces:
      return &text::kEvidenceNamespaces;
    case ContainerEvidence::kMarkLeft:
      return &text::kEvidenceMarkLeft;
  }
  return nullptr;
}

}  // namespace

void CheckContainer(const Facts& facts, Report& report) {
  const ContainerVerdict& container = facts.subject.container;
  const Text* evidence = EvidenceText(container.evidence);
  if (evidence == nullptr) {
    report.Ok("container", text::kContainerNone);
  } else {
    report.Ok("container", container.in ? text::kContainerIn : text::kContainerNot, container.name,
              Say(report.language(), *evidence, container.detail));
  }
  if (facts.WithoutAccess() && !facts.WithoutCard()) {
    report.Problem("container.no_gpu", text::kContainerNoGpu)
        .Remedy(text::kNodesMissingContainerRemedy);
  }
}

void CheckNvidiaVariables(const Facts& facts, Report& report) {
  if (!facts.subject.container.in) return;
  if (const auto devices = facts.subject.Variable("NVIDIA_VISIBLE_DEVICES")) {
    const bool none = devices->empty() || *devices == "void" || *devices == "none";
    if (!none) {
      report.Ok("container.visible_devices", text::kVisibleAll, *devices);
    } else if (NoDevice(facts)) {
      report.Problem("container.visible_devices", text::kVisibleVoid, *devices)
          .Remedy(text::kVisibleVoidRemedy);
    } else {
      // CDI and Kubernetes set "void" and give the devices in another way.
      report.Ok("container.visible_devices", text::kVisibleVoid, *devices);
    }
  }
  const auto capabilities = facts.subject.Variable("NVIDIA_DRIVER_CAPABILITIES");
  if (!capabilities || capabilities->empty() || Names(*capabilities, "all")) return;
  const std::pair<const char*, const char*> needed[] = {{"compute", "libcuda.so.1"},
                                                        {"utility", "libnvidia-ml.so.1"}};
  for (const auto& [word, library] : needed) {
    if (Names(*capabilities, word)) continue;
    report
        .Problem("container.capabilities", text::kCapabilitiesMissing, *capabilities, word, library)
        .Remedy(text::kCapabilitiesMissingRemedy);
  }
}

void CheckReload(const Facts& facts, Report& report) {
  // In the container: the nodes are there by name, but may not be opened any more; the driver says
  // "unknown error" or "no permission".
  if (facts.subject.container.in && !facts.nodes.empty()) {
    const DeviceNode& control = facts.nodes.front();
    if (control.present && control.is_device && control.open_error == EPERM) {
      report.Problem("container.lost_devices", text::kReloadLost, control.path)
          .Remedy(text::kReloadLostRemedy);
    }
    return;
  }
  // On the host: will it happen to the containers here?
  const Toolkit& toolkit = facts.toolkit;
  const bool docker =
      std::find(toolkit.engines.begin(), toolkit.engines.end(), "docker") != toolkit.engines.end();
  if (docker && toolkit.toolkit && !toolkit.cdi_configured && !toolkit.char_links) {
    report.Note("container.reload", text::kReloadRisk).Remedy(text::kReloadRiskRemedy);
  }
}

void CheckPidNamespace(const Facts& facts, Report& report) {
  const auto& inode = facts.subject.pid_namespace;
  if (!inode) return;
  if (*inode == kInitialPidNamespace) {
    report.Ok("container.pid_namespace", text::kPidNamespaceHost);
  } else {
    report.Note("container.pid_namespace", text::kPidNamespaceOwn)
        .Remedy(text::kPidNamespaceOwnRemedy);
  }
}

void CheckToolkit(const Facts& facts, Report& report) {
  const Toolkit& toolkit = facts.toolkit;
  if (facts.subject.container.in || toolkit.engines.empty()) return;
  const std::string engines = fmt::format("{}", fmt::join(toolkit.engines, ", "));
  const bool docker =
      std::find(toolkit.engines.begin(), toolkit.engines.end(), "docker") != toolkit.engines.end();
  if (!toolkit.toolkit) {
    report.Note("container.toolkit", text::kToolkitMissing, engines)
        .Remedy(text::kToolkitMissingRemedy);
  } else if (docker && !toolkit.docker_runtime && !toolkit.cdi_configured) {
    report.Note("container.toolkit", text::kToolkitUnconfigured)
        .Remedy(text::kToolkitUnconfiguredRemedy);
  } else {
    report.Ok("container.toolkit", text::kToolkitOk, engines);
  }
}

void CheckCdi(const Facts& facts, Report& report) {
  const std::string& loaded = facts.driver.version;
  if (facts.subject.container.in || loaded.empty()) return;
  for (const CdiSpec& spec : facts.toolkit.specs) {
    const auto stale = std::find_if(spec.versions.begin(), spec.versions.end(),
                                    [&](const std::string& version) { return version != loaded; });
    if (stale != spec.versions.end()) {
      report.Problem("container.cdi", text::kCdiStale, spec.path, *stale, loaded)
          .Remedy(text::kCdiStaleRemedy, ShellWord(spec.path));
    } else if (!spec.versions.empty()) {
      report.Ok("container.cdi", text::kCdiOk, spec.path);
    }
  }
}

}  // namespace gpusight::doctor
