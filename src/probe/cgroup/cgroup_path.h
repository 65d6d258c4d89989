// SPDX-License-Identifier: Apache-2.0
// Which control groups a process is in (/proc/<pid>/cgroup), and what their path says: container
// id and runtime, Kubernetes pod, Slurm job, systemd unit. Pure. Next: hierarchy.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpusight::cgroup {

// The hierarchies that we read. With cgroup v2 all are the same one.
enum class Controller : uint8_t {
  kUnified,
  kCpu,
  kCpuAcct,
  kCpuset,
  kMemory,
  kPids,
  kNamed,
  kCount
};
inline constexpr size_t kControllers = static_cast<size_t>(Controller::kCount);

// The path of a process in each hierarchy; empty where it is in none. kNamed is v1's
// "name=systemd".
struct Membership {
  std::array<std::string, kControllers> paths;
  std::string& operator[](Controller c) { return paths[static_cast<size_t>(c)]; }
  const std::string& operator[](Controller c) const { return paths[static_cast<size_t>(c)]; }
};

[[nodiscard]] Membership ParseMembership(std::string_view text);

// What a path says.
struct Identity {
  std::string id;       // 64 hex digits, or lxc's, nspawn's name; empty: no container
  std::string runtime;  // "docker", "containerd", "cri-o", "podman", "lxc", "systemd-nspawn",
                        // "kubernetes" (a pod whose runtime the path does not tell), "systemd"
                        // (a service or scope, no container), or empty
  std::string unit;     // systemd's service, for runtime "systemd"
  std::string pod_uid;  // with hyphens
  std::string slurm_job;
  // How many bytes of the path are the container (or job, or service); what follows was made
  // inside it.
  size_t length = 0;

  bool container() const { return !id.empty() || !pod_uid.empty(); }
};

[[nodiscard]] Identity Identify(std::string_view path);

// The path that says most: a container's before a job's before a service's.
[[nodiscard]] Identity Identify(const Membership& membership);

// The id of the container that a mount list was made for, for a process whose path says nothing
// (inside a control-group namespace everything is "/"): the sources that the runtimes bind over
// /etc/hostname, /etc/hosts and /etc/resolv.conf hold it. `root` is the mount's source path,
// `mount_point` where it lies.
[[nodiscard]] Identity IdentifyFromMount(std::string_view root, std::string_view mount_point);

}  // namespace gpusight::cgroup
