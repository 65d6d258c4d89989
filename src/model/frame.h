// SPDX-License-Identifier: Apache-2.0
// A Frame: everything known at one instant. Probes fill it, everything else reads it; it knows
// nothing of where it goes. A Frame is reused from sample to sample: filling it again assigns in
// place and, once its vectors have grown, allocates nothing.
// Next: account.h (where the memory of a device went).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/catalog.h"
#include "model/event.h"
#include "model/field_set.h"
#include "model/framework.h"
#include "model/known.h"

namespace gpusight {

// One of the driver's own samples between two frames.
struct SubSample {
  WallTime time;
  double value = 0;  // in the field's unit
};

enum class DeviceState : uint8_t {
  kOk,
  kLost,          // fell off the bus
  kNeedsReset,    // the driver asks for a reset
  kAbsent,        // was here earlier, is not listed any more
  kNoPermission,  // listed, but its device node may not be opened
  kSuspended,     // asleep, and left asleep: asking would wake it
  kNoAnswer,      // its driver call hangs
};

// What does not change while the device is there.
struct DeviceInfo {
  std::string uuid;  // "GPU-…" or "MIG-…": the identity
  int index = 0;     // the driver's (PCI bus order), as nvidia-smi counts
  std::string name;
  std::string pci_bus_id;          // "00000000:00:06.0"
  std::string parent_uuid;         // of a MIG instance, else empty
  int gpu_instance = -1;           // of a MIG instance, else -1
  int compute_instance = -1;       //
  std::string architecture;        // "Hopper"; empty when the driver does not say
  std::string compute_capability;  // "9.0"
  std::string vbios;               //
  int minor = -1;                  // /dev/nvidia<minor>
  int multiprocessors = 0;         // 0 when not known
  bool unified_memory = false;     // shares the host's memory (Grace, GB10, Jetson)
  bool coherent_link = false;      // C2C: PCIe figures are placeholders
  int numa_node = -1;              // -1 when the machine has one node or does not say
  std::string cpu_affinity;        // "0-31,64-95"; empty when not known
};

struct DeviceSample {
  DeviceInfo info;
  DeviceState state = DeviceState::kOk;
  bool is_mig_instance() const { return !info.parent_uuid.empty(); }
  FieldSet<DeviceField> fields;
  // The driver's rings since the last frame, oldest first: utilisation (ratio) every 200 ms or so,
  // memory-controller activity (ratio), and power (watts) every 20 ms or so.
  std::vector<SubSample> utilization_ring;
  std::vector<SubSample> memory_activity_ring;
  std::vector<SubSample> power_ring;
  // Why the process list is missing, if it is; known(n) = n processes were listed.
  Known<double> process_count;
  std::vector<uint32_t> xids;  // since the last frame
  const Known<double>& operator[](DeviceField f) const { return fields[f]; }
};

// Bits of how a process uses a device.
enum class UseType : uint8_t { kCompute = 1, kGraphics = 2, kMps = 4 };

// One process on one device.
struct GpuUse {
  int device = 0;     // position in Frame::devices
  uint8_t types = 0;  // UseType bits
  FieldSet<UseField> fields;
};

struct ThreadSample {
  int tid = 0;
  std::string name;
  char state = '?';  // R S D T Z …
  Known<double> cpu_cores;
};

// What a process is to its job, as far as parentage and name tell.
enum class ProcessRole : uint8_t { kOther, kLoaderWorker, kLauncher, kRank, kCompiler };

struct ProcessSample {
  int pid = 0;                      // in our PID namespace; the driver's number when not translated
  uint64_t start_ticks = 0;         // clock ticks after boot (/proc/<pid>/stat), 0 when not known
  Known<double> start_time;         // seconds since 1970
  Known<uint64_t> pid_namespace;    // inode
  std::vector<int> namespace_pids;  // NSpid: outermost first
  bool translated = true;  // false: the number belongs to another PID namespace; never signal it
  bool zombie = false;     // ended, but still listed by the driver
  bool ours = false;       // its user is ours (or we are root), so that a signal may be sent
  bool in_job = false;     // belongs to the job that is recorded (gpusight run, gpusight watch)
  int parent = 0;
  ProcessRole role = ProcessRole::kOther;
  Known<std::string> user;
  Known<std::string> command;       // short: the program's name
  Known<std::string> command_line;  // whole, arguments joined by spaces; as is, make it Printable()
  Known<std::string> container;     // short name or id; known("") = on the host itself
  int container_index = -1;         // position in Frame::containers
  std::string slurm_job;            // empty when none
  // CUDA_VISIBLE_DEVICES when the program was started; kNoLimit when it was not set (all devices).
  Known<std::string> visible_devices;
  std::string device_order;                         // CUDA_DEVICE_ORDER, empty when not set
  std::string container_devices;                    // NVIDIA_VISIBLE_DEVICES, empty when not set
  int rank = -1, local_rank = -1, world_size = -1;  // as its launcher set them, -1 when it did not
  FieldSet<ProcessField> fields;
  std::vector<GpuUse> uses;           // empty for host-only relatives (workers, parents)
  std::vector<ThreadSample> threads;  // busiest first; empty unless asked for
  std::vector<std::string> mounts;    // file systems of its open files: "nfs4 /data", …
};

struct ContainerSample {
  std::string path;     // of the control group
  std::string id;       // 64 hex digits, or empty
  std::string runtime;  // "docker" "containerd" "cri-o" "podman" "systemd" …
  std::string name;     // container or pod name where known
  std::string pod_uid, pod_name, pod_namespace;
  std::string slurm_job;
  bool own = false;  // gpusight runs in it
  FieldSet<ContainerField> fields;
};

struct HostSample {
  std::string hostname;
  std::string kernel;
  std::string boot_id;
  // Whether every process of the machine is one of ours: we are in its own PID namespace. Where
  // not, memory may be held by processes that nobody here can list.
  Known<bool> sees_all_processes;
  FieldSet<HostField> fields;
};

// How a probe itself did; in every frame.
struct ProbeStats {
  std::string name;             // "nvml", "host", …
  double duration_seconds = 0;  // of this sample
  double lateness_seconds = 0;  // start later than planned
  uint64_t failures = 0;        // since the start
  uint64_t rejected = 0;        // implausible values thrown away, since the start
  uint64_t calls = 0;           // driver calls or file reads, since the start
};

enum class DriverState : uint8_t {
  kOk,
  kNoLibrary,
  kMismatch,
  kNoPermission,
  kNoDevice,
  kError,
  kNoAnswer
};

struct DriverInfo {
  DriverState state = DriverState::kOk;
  int code = 0;               // NVML's, for kError
  std::string message;        // one sentence when not ok: what and what to do
  std::string library;        // path that was loaded
  std::string version;        // "580.159.04"
  std::string nvml_version;   // "13.580.159.04"
  std::string cuda_version;   // "13.0"
  double silent_seconds = 0;  // for kNoAnswer: how long
};

struct Frame {
  uint64_t sequence = 0;  // counts frames of one sampler from 1
  WallTime time;
  MonoTime mono;
  double interval_seconds = 0;  // since the frame before; 0 in the first
  DriverInfo driver;
  std::vector<DeviceSample> devices;     // by index; MIG instances follow their GPU
  std::vector<ProcessSample> processes;  // by pid
  std::vector<ContainerSample> containers;
  std::vector<FrameworkSample> frameworks;  // of processes with a telemetry page, by pid
  HostSample host;
  std::vector<Event> events;  // since the frame before
  std::vector<ProbeStats> probes;
  // Entries of earlier, longer lists, kept for the memory they own; nobody reads them.
  std::vector<ProcessSample> spare_processes;
};

// Whether the framework is that of a process outside the job, as far as the frame tells. Of one
// that has ended the page is read once more; pages of others are only looked for while they are in
// the frame.
[[nodiscard]] bool IsOfAnotherJob(const FrameworkSample& framework, const Frame& frame);

// As if new, but with the memory that its texts and lists own.
void Reset(ProcessSample& process);

// Makes frame.processes that long. Surplus entries go to the spare ones and come back from there;
// what is in those that were there or come back is stale: Reset() them.
void SetProcessCount(Frame& frame, size_t count);

// Appends one process, as if new.
ProcessSample& AddProcess(Frame& frame);

}  // namespace gpusight
