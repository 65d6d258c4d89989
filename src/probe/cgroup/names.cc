// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "probe/cgroup/inside.h"
#include "probe/cgroup/mountinfo.h"
#include "probe/cgroup/state_files.h"

namespace gpusight::cgroup {
namespace {

// /var/log/pods holds one folder "<namespace>_<pod>_<uid>" for each pod; everyone may list it.
void AskPodLogs(const Root& root, ContainerSample& sample) {
  if (sample.pod_uid.empty()) return;
  const auto folders = ListFolder(root.Path("/var/log/pods"));
  if (!folders) return;
  for (const std::string& folder : *folders) {
    const auto parts = Split(folder, '_');
    if (parts.size() != 3 || parts[2] != sample.pod_uid) continue;
    sample.pod_namespace = parts[0];
    sample.pod_name = parts[1];
    return;
  }
}

// /var/log/containers holds links "<pod>_<namespace>_<container>-<id>.log", also for everyone.
void AskContainerLogs(const Root& root, ContainerSample& sample) {
  if (sample.id.size() != 64) return;
  const auto names = ListFolder(root.Path("/var/log/containers"));
  if (!names) return;
  const std::string end = fmt::format("-{}.log", sample.id);
  for (const std::string& name : *names) {
    if (!name.ends_with(end)) continue;
    const auto parts = Split(std::string_view(name).substr(0, name.size() - end.size()), '_');
    if (parts.size() != 3) continue;
    sample.pod_name = parts[0];
    sample.pod_namespace = parts[1];
    sample.name = parts[2];
    return;
  }
}

// A label of RFC 1123, as Kubernetes has it: lower case, digits, '-' between them.
bool IsLabel(std::string_view text) {
  const auto alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !text.empty() && text.size() <= 63 && alphanumeric(text.front()) &&
         alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return alphanumeric(c) || c == '-'; });
}

bool IsSubdomain(std::string_view text) {
  if (text.size() > 253) return false;
  const auto parts = Split(text, '.');
  return std::all_of(parts.begin(), parts.end(), IsLabel);
}

// The container's own files, seen through the process: its host name is the pod's name, and a
// service account's folder has the namespace. What is in them is the pod's to choose.
void AskInside(const Root& root, std::string_view process, ContainerSample& sample) {
  if (sample.pod_uid.empty()) return;
  std::string text;
  const auto ask = [&](const char* path, bool (*fits)(std::string_view), std::string& name) {
    if (!name.empty() || ReadInside(root, process, path, 4096, text) != 0) return;
    if (const auto word = Trim(text); fits(word)) name = word;
  };
  ask("/etc/hostname", IsSubdomain, sample.pod_name);
  ask("/var/run/secrets/kubernetes.io/serviceaccount/namespace", IsLabel, sample.pod_namespace);
}

// The runtimes' own state, readable for root.
void AskRuntime(const Root& root, ContainerSample& sample) {
  if (sample.id.size() != 64) return;
  const auto read = [&](std::string_view path) {
    auto text = ReadFile(root.Path(path));
    return text ? std::move(*text) : std::string();
  };
  if (sample.runtime == "docker") {
    sample.name =
        DockerName(read(fmt::format("/var/lib/docker/containers/{}/config.v2.json", sample.id)));
    return;
  }
  if (sample.runtime == "podman") {
    sample.name = StorageName(
        read("/var/lib/containers/storage/overlay-containers/containers.json"), sample.id);
    return;
  }
  for (const char* form :
       {"/run/containerd/io.containerd.runtime.v2.task/k8s.io/{}/config.json",
        "/run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/{}/config.json",
        "/run/containers/storage/overlay-containers/{}/userdata/config.json"}) {
    const BundleNames names = OciNames(read(fmt::format(fmt::runtime(form), sample.id)));
    if (names.container.empty()) continue;
    sample.name = names.container;
    sample.pod_name = names.pod;
    sample.pod_namespace = names.pod_namespace;
    return;
  }
}

}  // namespace

void IdentifyByMounts(const Root& root, std::string_view process, Identity& identity) {
  const auto text = ReadFile(root.Path(fmt::format("/proc/{}/mountinfo", process)));
  if (!text) return;
  std::string_view rest = *text;
  while (const auto line = NextLine(rest)) {
    const auto mount = ParseMountLine(*line);
    if (!mount) continue;
    const Identity found = IdentifyFromMount(mount->root, mount->mount_point);
    if (!found.id.empty()) identity.id = found.id;
    if (!found.pod_uid.empty()) identity.pod_uid = found.pod_uid;
    if (!found.runtime.empty()) identity.runtime = found.runtime;
  }
  if (identity.container()) identity.unit.clear();
}

void FindNames(const Root& root, std::string_view process, const Identity& identity,
               ContainerSample& sample) {
  sample.id = identity.id;
  sample.runtime = identity.runtime;
  sample.pod_uid = identity.pod_uid;
  sample.slurm_job = identity.slurm_job;
  sample.name = identity.unit;
  if (!identity.container()) return;
  AskPodLogs(root, sample);
  AskContainerLogs(root, sample);
  if (sample.name.empty()) AskRuntime(root, sample);
  AskInside(root, process, sample);
}

std::string LabelOf(const ContainerSample& sample) {
  if (!sample.pod_name.empty() && !sample.name.empty()) return sample.pod_name + "/" + sample.name;
  if (!sample.pod_name.empty()) return sample.pod_name;
  if (!sample.name.empty()) return sample.name;
  if (sample.id.size() == 64) return sample.id.substr(0, 12);
  if (!sample.id.empty()) return sample.id;
  if (!sample.pod_uid.empty()) return "pod " + sample.pod_uid.substr(0, 8);
  return {};
}

}  // namespace gpusight::cgroup
