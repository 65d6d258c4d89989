// SPDX-License-Identifier: Apache-2.0
// The state files in which container runtimes keep the names that they gave. Only root may read
// most of them; names.cc asks where it may. Pure: text in, names out, nothing for malformed text.
#pragma once

#include <string>
#include <string_view>

namespace gpusight::cgroup {

// "Name" of Docker's config.v2.json without its slash.
[[nodiscard]] std::string DockerName(std::string_view json);

// The annotations of an OCI bundle's config.json, as containerd (CRI) and CRI-O write them.
struct BundleNames {
  std::string container, pod, pod_namespace;
};
[[nodiscard]] BundleNames OciNames(std::string_view json);

// The first name of container `id` in containers.json of containers/storage (Podman).
[[nodiscard]] std::string StorageName(std::string_view json, std::string_view id);

}  // namespace gpusight::cgroup
