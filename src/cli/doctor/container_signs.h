// SPDX-License-Identifier: Apache-2.0
// Whether a process runs in a container, told from several signs, since no single one is enough:
// a virtual machine made from an image has the image's /.dockerenv, a live system has an overlay
// as "/", and a service may have a namespace of its own. Judging is pure. Next: facts.h.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "cli/doctor/facts.h"

namespace gpusight::doctor {

struct ContainerSigns {
  const ContainerSample* sample = nullptr;  // of its control group
  std::string mark = {};  // a file that a runtime leaves in "/": "/.dockerenv", or empty
  std::string variable =
      {};            // the variable "container", as lxc, podman and nspawn set it, or empty
  bool pod = false;  // the variable KUBERNETES_SERVICE_HOST
  // Whether its PID or its control-group namespace is not the machine's.
  Known<bool> own_namespaces = Absence::kNotSupported;
  Known<bool> image_root = Absence::kNotSupported;  // "/" is a file system that runtimes make
};

[[nodiscard]] ContainerVerdict JudgeContainer(const ContainerSigns& signs);

// Whether "/" in a mount list looks made by a runtime: an overlay, or a folder below a runtime's
// own. Not known when the list has no "/".
[[nodiscard]] Known<bool> ImageRoot(std::string_view mountinfo);

// The signs of the process with that folder in /proc ("/proc/self"); facts.subject is known but for
// its container.
[[nodiscard]] ContainerSigns CollectContainerSigns(const Root& root, const std::string& folder,
                                                   const Facts& facts);

}  // namespace gpusight::doctor
