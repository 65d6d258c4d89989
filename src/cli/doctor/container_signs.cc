// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/container_signs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/doctor/collect.h"
#include "cli/doctor/parse.h"
#include "probe/cgroup/cgroup_path.h"
#include "probe/cgroup/inside.h"
#include "probe/cgroup/mountinfo.h"

namespace gpusight::doctor {
namespace {

// The kernel's first one, like kInitialPidNamespace (include/linux/proc_ns.h).
constexpr uint64_t kInitialControlGroupNamespace = 0xEFFFFFFB;

std::string NameOf(const ContainerSample& sample) {
  std::string name;
  if (!sample.pod_name.empty()) {
    name = fmt::format("{} {}/{}", sample.runtime, sample.pod_namespace, sample.pod_name);
  } else if (!sample.name.empty()) {
    name = fmt::format("{} {}", sample.runtime, sample.name);
  } else {
    name = fmt::format("{} {}", sample.runtime, std::string_view(sample.id).substr(0, 12));
  }
  return std::string(Trim(name));
}

Known<bool> OwnNamespaces(const Root& root, const std::string& folder) {
  Known<bool> own = Absence::kNotSupported;
  for (const auto& [name, first] : {std::pair("pid", kInitialPidNamespace),
                                    std::pair("cgroup", kInitialControlGroupNamespace)}) {
    const auto link = ReadLink(root.Path(folder + "/ns/" + name));
    const auto inode = link ? ParseNamespaceLink(*link) : std::nullopt;
    if (inode) own = own.value_or(false) || *inode != first;
  }
  return own;
}

// Process 1 of a container has the variable; who was started by exec has not.
std::string ContainerVariable(const Root& root, const Facts& facts) {
  if (const auto own = facts.subject.Variable("container")) return std::string(*own);
  if (!facts.subject.self) return {};
  for (const auto& [key, value] : ParseEnvironment(TextOf(root, "/proc/1/environ"))) {
    if (key == "container") return value;
  }
  return {};
}

// Anybody may set a variable of that name; these are the values that runtimes set.
bool IsRuntime(std::string_view value) {
  constexpr std::string_view kRuntimes[] = {
      "lxc", "lxc-libvirt", "systemd-nspawn", "docker", "podman", "rkt", "oci"};
  return std::find(std::begin(kRuntimes), std::end(kRuntimes), value) != std::end(kRuntimes);
}

}  // namespace

ContainerVerdict JudgeContainer(const ContainerSigns& signs) {
  using E = ContainerEvidence;
  const auto in = [](std::string name, E evidence, std::string detail) {
    return ContainerVerdict{true, std::move(name), evidence, std::move(detail)};
  };
  const ContainerSample* sample = signs.sample;
  if (sample != nullptr && (!sample->id.empty() || !sample->pod_uid.empty())) {
    const bool path = cgroup::Identify(sample->path).container();
    return path ? in(NameOf(*sample), E::kControlGroup, sample->path)
                : in(NameOf(*sample), E::kMounts, {});
  }
  // What follows could be said of any machine whose files or variables were copied from a
  // container, so something that only a container has must agree with it.
  const bool apart = signs.own_namespaces.value_or(!signs.own_namespaces.known());
  const bool image = signs.image_root.value_or(true);
  if (IsRuntime(signs.variable) && apart) return in(signs.variable, E::kVariable, signs.variable);
  if (signs.pod && apart) return in("kubernetes", E::kPod, {});
  // Podman's mark lies in a tmpfs of its own; Docker's stays in every image that is made from a
  // container.
  const bool docker = signs.mark == "/.dockerenv";
  if (!signs.mark.empty() && apart && (image || !docker)) {
    return in(docker ? "docker" : "podman", E::kMark, signs.mark);
  }
  if (!signs.mark.empty()) return {false, {}, E::kMarkLeft, signs.mark};
  if (signs.own_namespaces && !*signs.own_namespaces) return {false, {}, E::kNamespaces, {}};
  return {};
}

Known<bool> ImageRoot(std::string_view mountinfo) {
  Known<bool> image = Absence::kNotSupported;
  while (const auto line = NextLine(mountinfo)) {
    const auto mount = cgroup::ParseMountLine(*line);
    if (!mount || mount->mount_point != "/") continue;
    const bool layers =
        mount->type == "overlay" || mount->type == "aufs" || mount->type == "fuse.fuse-overlayfs";
    const bool folder = mount->root == "/rootfs" || mount->root.ends_with("/merged") ||
                        mount->root.find("/docker/") != std::string::npos ||
                        mount->root.find("/containers/") != std::string::npos;
    image = layers || folder;  // the last one hides the others
  }
  return image;
}

ContainerSigns CollectContainerSigns(const Root& root, const std::string& folder,
                                     const Facts& facts) {
  ContainerSigns signs;
  signs.sample = facts.Container();
  const std::string_view process = std::string_view(folder).substr(folder.rfind('/') + 1);
  for (const char* mark : {"/.dockerenv", "/run/.containerenv"}) {
    // Where its own "/" may not be looked into, ours stands for it.
    const bool there =
        cgroup::FindInside(root, process, mark) == 0 || (facts.subject.self && Exists(root, mark));
    if (there) signs.mark = mark;
  }
  signs.variable = ContainerVariable(root, facts);
  signs.pod = facts.subject.Variable("KUBERNETES_SERVICE_HOST").has_value();
  signs.own_namespaces = OwnNamespaces(root, folder);
  signs.image_root = ImageRoot(TextOf(root, folder + "/mountinfo"));
  return signs;
}

}  // namespace gpusight::doctor
