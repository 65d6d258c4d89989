// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/cgroup_path.h"

#include <algorithm>

#include "base/text.h"

namespace gpusight::cgroup {
namespace {

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

bool IsDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool IsContainerId(std::string_view text) { return text.size() == 64 && IsHex(text); }

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool TakeSuffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

// A pod's UID as in "pod0f3c…-…" or, from systemd's driver, "pod0f3c…_…"; also the 32 hex digits
// of a static pod. Empty when it is none.
std::string PodUid(std::string_view text) {
  std::string uid(text);
  std::replace(uid.begin(), uid.end(), '_', '-');
  if (uid.size() == 32 && IsHex(uid)) return uid;
  if (uid.size() != 36) return {};
  for (size_t i = 0; i < uid.size(); ++i) {
    const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (hyphen != (uid[i] == '-')) return {};
    if (!hyphen && !IsHex(std::string_view(uid).substr(i, 1))) return {};
  }
  return uid;
}

// systemd writes "-" in a name as "\x2d".
std::string Unescape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.size() >= 4 && text.starts_with("\\x")) {
      if (const auto code = ParseNumber<uint8_t>(text.substr(2, 2), 16)) {
        out += static_cast<char>(*code);
        text.remove_prefix(4);
        continue;
      }
    }
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

struct Prefix {
  std::string_view text;
  std::string_view runtime;
};
// "<prefix><id>.scope" (systemd's driver) and the same without ".scope".
constexpr Prefix kPrefixes[] = {
    {"docker-", "docker"},
    {"cri-containerd-", "containerd"},
    {"containerd-", "containerd"},
    {"nerdctl-", "containerd"},
    {"crio-", "cri-o"},
    {"libpod-", "podman"},
};
// Folders under which a bare id lies ("/docker/<id>": the cgroupfs driver).
constexpr Prefix kFolders[] = {
    {"docker", "docker"},     {"default", "containerd"},   {"k8s.io", "containerd"},
    {"moby", "docker"},       {"libpod_parent", "podman"}, {"containerd", "containerd"},
    {"buildkit", "buildkit"},
};

// The container that one path component names, given the component above it.
bool ContainerOf(std::string_view component, std::string_view above, Identity& found) {
  std::string_view name = component;
  // "system.slice:cri-containerd:<id>", made when runtime and kubelet disagree about the driver.
  if (const size_t colon = name.rfind(':'); colon != std::string_view::npos) {
    const std::string_view id = name.substr(colon + 1);
    const std::string_view before = name.substr(0, colon);
    if (!IsContainerId(id)) return false;
    found.id = id;
    found.runtime = before.ends_with(":crio")     ? "cri-o"
                    : before.ends_with(":docker") ? "docker"
                    : before.ends_with(":libpod") ? "podman"
                                                  : "containerd";
    if (const size_t pod = before.rfind("pod"); pod != std::string_view::npos) {
      std::string_view uid = before.substr(pod + 3);
      uid = uid.substr(0, uid.find('.'));
      if (const std::string whole = PodUid(uid); !whole.empty()) found.pod_uid = whole;
    }
    return true;
  }
  TakeSuffix(name, ".scope");
  for (const Prefix& prefix : kPrefixes) {
    std::string_view id = name;
    if (TakePrefix(id, prefix.text) && IsContainerId(id)) {
      found.id = id;
      found.runtime = prefix.runtime;
      return true;
    }
  }
  if (IsContainerId(name)) {
    found.id = name;
    for (const Prefix& folder : kFolders) {
      if (above == folder.text) found.runtime = folder.runtime;
    }
    if (found.runtime.empty() || above.starts_with("pod")) found.runtime = "kubernetes";
    return true;
  }
  std::string_view lxc = component;
  if ((above == "lxc" || above == "lxc.payload") && !component.empty()) {
    found.id = component;
    found.runtime = "lxc";
    return true;
  }
  if (TakePrefix(lxc, "lxc.payload.") && !lxc.empty()) {
    found.id = lxc;
    found.runtime = "lxc";
    return true;
  }
  std::string_view machine = component;
  if (TakePrefix(machine, "machine-") && TakeSuffix(machine, ".scope") &&
      !machine.starts_with("qemu")) {
    found.id = Unescape(machine);
    found.runtime = "systemd-nspawn";
    return true;
  }
  return false;
}

// "pod<uid>", "kubepods-burstable-pod<uid>.slice"
std::string PodOf(std::string_view component) {
  std::string_view name = component;
  if (TakePrefix(name, "pod")) return PodUid(name);
  if (!TakeSuffix(name, ".slice")) return {};
  const size_t pod = name.rfind("-pod");
  if (pod == std::string_view::npos) return {};
  return PodUid(name.substr(pod + 4));
}

int Rank(const Identity& identity) {
  if (!identity.id.empty()) return 4;
  if (!identity.pod_uid.empty()) return 3;
  if (!identity.slurm_job.empty()) return 2;
  return identity.runtime.empty() ? 0 : 1;
}

}  // namespace

Membership ParseMembership(std::string_view text) {
  Membership membership;
  while (const auto line = NextLine(text)) {
    const size_t first = line->find(':');
    if (first == std::string_view::npos) continue;
    const size_t second = line->find(':', first + 1);
    if (second == std::string_view::npos) continue;
    std::string_view controllers = line->substr(first + 1, second - first - 1);
    const std::string_view path = line->substr(second + 1);
    if (path.empty() || path.front() != '/') continue;
    if (controllers.empty()) {
      membership[Controller::kUnified] = path;
      continue;
    }
    while (!controllers.empty()) {
      const size_t comma = std::min(controllers.find(','), controllers.size());
      const std::string_view name = controllers.substr(0, comma);
      controllers.remove_prefix(std::min(comma + 1, controllers.size()));
      if (name == "cpu") membership[Controller::kCpu] = path;
      if (name == "cpuacct") membership[Controller::kCpuAcct] = path;
      if (name == "cpuset") membership[Controller::kCpuset] = path;
      if (name == "memory") membership[Controller::kMemory] = path;
      if (name == "pids") membership[Controller::kPids] = path;
      if (name == "name=systemd") membership[Controller::kNamed] = path;
    }
  }
  return membership;
}

Identity Identify(std::string_view path) {
  Identity found;
  std::string_view above;
  bool slurm = false;
  size_t at = 0;
  while (at < path.size()) {
    size_t end = path.find('/', at);
    if (end == std::string_view::npos) end = path.size();
    const std::string_view component = path.substr(at, end - at);
    std::string_view job = component;
    if (component.empty()) {
      // a doubled or leading slash
    } else if (Identity inner; ContainerOf(component, above, inner)) {
      // The innermost container is the one in which the process lives.
      found.id = inner.id;
      found.runtime = inner.runtime;
      found.unit.clear();
      if (!inner.pod_uid.empty()) found.pod_uid = inner.pod_uid;
      found.length = end;
    } else if (const std::string uid = PodOf(component); !uid.empty()) {
      found.pod_uid = uid;
      found.runtime = "kubernetes";
      found.id.clear();
      found.length = end;
    } else if (component == "slurm" || component.starts_with("slurm_") ||
               component == "slurmstepd.scope" || component.ends_with("_slurmstepd.scope")) {
      slurm = true;
    } else if (slurm && TakePrefix(job, "job_") && IsDigits(job)) {
      found.slurm_job = job;
      found.length = end;
    } else if (found.id.empty() && found.pod_uid.empty() && found.slurm_job.empty() &&
               component.ends_with(".service") && !component.starts_with("user@")) {
      found.runtime = "systemd";
      found.unit = Unescape(component);
      found.length = end;
    }
    above = component;
    at = end + 1;
  }
  if (found.length == 0) found.length = path.size();
  return found;
}

Identity Identify(const Membership& membership) {
  Identity best;
  bool any = false;
  for (const Controller c : {Controller::kUnified, Controller::kMemory, Controller::kCpu,
                             Controller::kPids, Controller::kNamed}) {
    if (membership[c].empty()) continue;
    Identity identity = Identify(membership[c]);
    // A job's number may stand in one hierarchy and the container in another.
    const std::string job = identity.slurm_job.empty() ? best.slurm_job : identity.slurm_job;
    if (!any || Rank(identity) > Rank(best)) best = std::move(identity);
    best.slurm_job = job;
    any = true;
  }
  return best;
}

Identity IdentifyFromMount(std::string_view root, std::string_view mount_point) {
  Identity found;
  if (mount_point != "/etc/hostname" && mount_point != "/etc/hosts" &&
      mount_point != "/etc/resolv.conf" && mount_point != "/run/.containerenv" &&
      mount_point != "/dev/termination-log") {
    return found;
  }
  std::string_view above;
  size_t at = 0;
  while (at < root.size()) {
    size_t end = root.find('/', at);
    if (end == std::string_view::npos) end = root.size();
    const std::string_view component = root.substr(at, end - at);
    if (IsContainerId(component)) {
      if (above == "containers") {
        found.id = component;  // /var/lib/docker/containers/<id>/hostname
        found.runtime = "docker";
      } else if (above == "overlay-containers") {
        found.id = component;  // …/overlay-containers/<id>/userdata/hostname: podman and cri-o
        found.runtime =
            root.find("/libpod") != std::string_view::npos || mount_point == "/run/.containerenv"
                ? "podman"
                : "";
      } else if (above == "sandboxes") {
        found.runtime = "containerd";  // io.containerd.grpc.v1.cri/sandboxes/<pod's id>/hostname
      }
    } else if (above == "pods") {
      found.pod_uid = PodUid(component);  // /var/lib/kubelet/pods/<uid>/etc-hosts
      if (!found.pod_uid.empty()) found.runtime = "kubernetes";
    }
    above = component;
    at = end + 1;
  }
  return found;
}

}  // namespace gpusight::cgroup
