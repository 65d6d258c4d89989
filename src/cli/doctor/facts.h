// SPDX-License-Identifier: Apache-2.0
// What the doctor looks at: everything is collected once, by collect.h, and the checks are pure
// functions of it. The subject is the process whose surroundings are examined: ours, or --pid's.
// Next: check.h for what is made of it, collect.h for where it comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/frame.h"

namespace gpusight::doctor {

// The kernel's side of the driver.
struct KernelDriver {
  std::string version;       // of the loaded module, "" when none is
  bool open_source = false;  // the open flavour of the module
  bool nvidia_loaded = false, uvm_loaded = false, nouveau_loaded = false;
  bool modules_known = false;  // /proc/modules could be read
  bool on_disk = false;        // a module nvidia exists for the running kernel
  bool on_disk_known = false;
  Known<bool> profiling_for_admins_only;  // the module's parameter RmProfilingAdminOnly
};

// A device of NVIDIA on the PCI bus.
struct PciCard {
  std::string bus_id;      // "0000:17:00.0"
  std::string driver;      // "nvidia", "nouveau", "vfio-pci", "" = none
  bool is_switch = false;  // an NVSwitch
  int numa_node = -1;
};

// A file of the driver's libraries that carries its version in its name.
struct LibraryFile {
  std::string path;
  std::string version;
};

struct DeviceNode {
  std::string path;
  bool present = false;
  bool is_device = false;  // a character device
  unsigned mode = 0;
  unsigned uid = 0, gid = 0;
  std::string group;     // its name, or the number
  int access_error = 0;  // errno of access(2) for reading and writing
  int open_error = -1;   // errno of open(2); 0 = it opened; -1 = not tried
};

// A process of which the doctor knows something: another monitor, a daemon of the driver.
struct Bystander {
  int pid = 0;
  std::string name;
};

struct CdiSpec {
  std::string path;
  std::vector<std::string> versions;  // of the driver files that it names
};

// What containers are started with on this machine.
struct Toolkit {
  std::vector<std::string> engines;  // "docker", "podman", "containerd", "cri-o"
  bool toolkit = false;              // nvidia-container-toolkit
  bool docker_runtime = false;       // Docker's configuration names the nvidia runtime
  bool cdi_configured = false;       // there is a specification of nvidia.com/gpu
  std::vector<CdiSpec> specs;
  bool char_links = false;  // /dev/char has links to the driver's nodes
};

// Whether the process that --pid names can be examined.
enum class Presence : uint8_t {
  kHere,
  kEnded,    // it ended, but the driver still lists it
  kOutside,  // the driver lists it, but its number is one of another PID namespace
  kNowhere,
};

// What told that a process is in a container, or that it is not.
enum class ContainerEvidence : uint8_t {
  kNothing,
  kControlGroup,  // its path
  kMounts,        // what lies over /etc/hostname and the like
  kVariable,      // "container" in the environment
  kMark,          // a runtime's file in "/", on a file system that runtimes make
  kPod,           // KUBERNETES_SERVICE_HOST
  kNamespaces,    // not: PID and control-group namespace are the machine's
  kMarkLeft,      // not: a runtime's file is there, and nothing else of a container
};

struct ContainerVerdict {
  bool in = false;
  std::string name;  // "docker 0123456789ab", "containerd ml/train-0", "podman"
  ContainerEvidence evidence = ContainerEvidence::kNothing;
  std::string detail;  // the path, the file, the value
};

struct Subject {
  int pid = 0;
  bool self = true;
  Presence presence = Presence::kHere;
  std::string user;
  unsigned uid = 0;
  Known<uint64_t> capabilities;   // effective
  Known<uint64_t> pid_namespace;  // inode
  ContainerVerdict container;
  int container_index = -1;                                      // in frame.containers
  int cpus_allowed = 0;                                          // by affinity; 0 = not known
  Known<double> max_files, max_locked_bytes, max_address_bytes;  // soft limits
  Known<double> shm_total, shm_used;                             // bytes of its /dev/shm
  bool shm_missing = false;                                      // it has none
  bool environment_known = false;
  std::vector<std::pair<std::string, std::string>> environment;  // as started, in its order

  // nullopt when it is not set.
  std::optional<std::string_view> Variable(std::string_view name) const;
};

// A message of the driver in the kernel's log.
struct XidMessage {
  int xid = 0;
  std::string bus_id;
  double seconds = 0;  // after boot
};

struct Machine {
  std::string kernel;
  bool wsl = false;
  bool live = true;  // false: a recorded machine (--root)
  Known<bool> secure_boot;
  Known<int> overcommit;        // vm.overcommit_memory
  std::string governor;         // of CPU 0, "" = not known
  std::string governor_driver;  //
  int numa_nodes = 0;           // 0 = not known
  bool infiniband = false;
  Known<bool> kernel_log;  // whether it could be read
  std::vector<XidMessage> xids;
};

struct Facts {
  Frame frame;
  KernelDriver driver;
  std::vector<PciCard> cards;
  bool pci_known = false;
  std::vector<LibraryFile> management_libraries;  // libnvidia-ml.so.*
  std::vector<LibraryFile> cuda_libraries;        // libcuda.so.*
  std::vector<DeviceNode> nodes;
  Toolkit toolkit;
  Subject subject;
  Machine machine;
  std::vector<Bystander> bystanders;

  const ContainerSample* Container() const;
  // The bus was looked at, and no NVIDIA card is on it: what else is missing follows from that.
  bool WithoutCard() const;
  // A container that was started without a GPU: the same.
  bool WithoutAccess() const;
  bool Runs(std::string_view name) const;
};

}  // namespace gpusight::doctor
