// SPDX-License-Identifier: Apache-2.0
// Checks of the driver's nodes in /dev: there, ours to use, and not forbidden by the control group.
#include <fmt/format.h>

#include <cerrno>

#include "cli/doctor/check.h"
#include "model/text/doctor.h"
#include "model/text/doctor_driver.h"

namespace gpusight::doctor {
namespace {

constexpr unsigned kGroupMayUse = 0060;
constexpr std::string_view kUvm = "/dev/nvidia-uvm";

// Reports what is wrong with a node that is there; false when nothing is.
bool Denied(const Facts& facts, const DeviceNode& node, Report& report) {
  if (!node.is_device) {
    report.Problem("nodes.kind", text::kNodesNotDevice, node.path)
        .Remedy(text::kNodesNotDeviceRemedy, node.path);
    return true;
  }
  if (node.access_error == 0) return false;
  report.Problem("nodes.permission", text::kNodesDenied, node.path, facts.subject.user, node.mode,
                 node.group);
  if ((node.mode & kGroupMayUse) == kGroupMayUse && node.gid != 0) {
    report.Remedy(text::kNodesDeniedGroupRemedy, node.group, facts.subject.user);
  } else {
    report.Remedy(text::kNodesDeniedModeRemedy, node.path);
  }
  return true;
}

}  // namespace

void CheckNodes(const Facts& facts, Report& report) {
  // WSL has one node for all, and a driver named by --nvml needs none.
  const bool answers = facts.frame.driver.state == DriverState::kOk;
  if (facts.machine.wsl || facts.nodes.empty()) return;
  if (facts.WithoutCard() || facts.WithoutAccess()) return;
  const DeviceNode& control = facts.nodes.front();
  std::vector<std::string> good;
  bool bad = false;
  size_t numbered = 0;
  for (const DeviceNode& node : facts.nodes) {
    if (!node.present || node.path == kUvm) continue;
    numbered += &node == &control ? 0 : 1;
    if (Denied(facts, node, report)) {
      bad = true;
    } else {
      good.push_back(node.path);
    }
  }
  if (control.open_error == EPERM) {
    bad = true;
    // In a container CheckReload knows more.
    if (!facts.subject.container.in) {
      report.Problem("nodes.control_group", text::kNodesForbidden, control.path)
          .Remedy(text::kAskOperator);
    }
  }
  const bool missing = !control.present || numbered == 0;
  if (missing && !answers) {
    const std::string_view what =
        control.present ? std::string_view("/dev/nvidia0") : std::string_view(control.path);
    report.Problem("nodes.missing", text::kNodesMissing, what)
        .Remedy(facts.subject.container.in ? text::kNodesMissingContainerRemedy
                                           : text::kNodesMissingRemedy);
    bad = true;
  }
  if (!bad && !good.empty())
    report.Ok("nodes", text::kNodesOk, fmt::format("{}", fmt::join(good, " ")));
}

void CheckUvm(const Facts& facts, Report& report) {
  if (facts.machine.wsl || facts.nodes.empty() || !facts.nodes.front().present) return;
  for (const DeviceNode& node : facts.nodes) {
    if (node.path != kUvm) continue;
    if (node.present) {
      Denied(facts, node, report);
      return;
    }
    report.Problem("nodes.uvm", text::kUvmMissing)
        .Remedy(facts.subject.container.in ? text::kNodesMissingContainerRemedy
                                           : text::kUvmMissingRemedy);
  }
}

}  // namespace gpusight::doctor
