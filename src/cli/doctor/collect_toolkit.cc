// SPDX-License-Identifier: Apache-2.0
// What containers are started with: engines, NVIDIA's toolkit, CDI specifications.
#include <algorithm>

#include "base/text.h"
#include "cli/doctor/collect.h"
#include "cli/doctor/parse.h"

namespace gpusight::doctor {
namespace {

bool Program(const Root& root, std::string_view name) {
  const auto folders = {"/usr/bin/", "/usr/local/bin/", "/usr/sbin/"};
  return std::any_of(folders.begin(), folders.end(),
                     [&](const char* folder) { return Exists(root, folder + std::string(name)); });
}

}  // namespace

void CollectToolkit(const Root& root, Facts& facts) {
  Toolkit& toolkit = facts.toolkit;
  if (Program(root, "dockerd") || Exists(root, "/var/run/docker.sock")) {
    toolkit.engines.emplace_back("docker");
  }
  if (Program(root, "podman")) toolkit.engines.emplace_back("podman");
  if (Program(root, "containerd")) toolkit.engines.emplace_back("containerd");
  if (Program(root, "crio")) toolkit.engines.emplace_back("cri-o");
  toolkit.toolkit = Program(root, "nvidia-ctk") || Program(root, "nvidia-container-runtime") ||
                    Program(root, "nvidia-container-cli");
  toolkit.docker_runtime =
      TextOf(root, "/etc/docker/daemon.json").find("nvidia-container-runtime") != std::string::npos;
  for (const std::string_view folder : {"/etc/cdi", "/var/run/cdi"}) {
    const auto names = ListFolder(root.Path(folder));
    if (!names) continue;
    for (const std::string& name : *names) {
      const std::string path = std::string(folder) + "/" + name;
      const std::string text = TextOf(root, path);
      if (text.find("nvidia.com/gpu") == std::string::npos) continue;
      toolkit.cdi_configured = true;
      toolkit.specs.push_back({path, VersionsInSpec(text)});
    }
  }
  // 195:255 is the control node; the toolkit's command makes links for all.
  toolkit.char_links = Exists(root, "/dev/char/195:255");
}

}  // namespace gpusight::doctor
