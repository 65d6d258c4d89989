// SPDX-License-Identifier: Apache-2.0
// The machine: kernel, firmware, processor, other monitors, and what the driver wrote into the
// kernel's log.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "base/text.h"
#include "cli/doctor/collect.h"
#include "cli/doctor/parse.h"

namespace gpusight::doctor {
namespace {

constexpr std::string_view kSecureBoot =
    "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

// /dev/kmsg gives one record a read and blocks at the end unless told not to.
Known<bool> ReadKernelLog(const Root& root, std::vector<XidMessage>& xids) {
  const UniqueFd fd(open(root.Path("/dev/kmsg").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) {
    return errno == EACCES || errno == EPERM ? Absence::kNoPermission : Absence::kNotSupported;
  }
  constexpr size_t kMost = size_t{16} << 20;
  std::string text;
  std::string record(8192, '\0');
  while (text.size() < kMost) {
    const ssize_t n = read(fd.get(), record.data(), record.size());
    if (n < 0 && (errno == EPIPE || errno == EINTR)) continue;  // overwritten while we read
    if (n < 0 && errno == EPERM) return Absence::kNoPermission;
    if (n <= 0) break;
    text.append(record, 0, static_cast<size_t>(n));
  }
  xids = ParseKernelLog(text);
  return true;
}

// Programs that the doctor has something to say about, by the kernel's name for them (15 letters).
constexpr std::pair<std::string_view, std::string_view> kBystanders[] = {
    {"nv-hostengine", "nv-hostengine"},
    {"dcgm-exporter", "dcgm-exporter"},
    {"nv-fabricmanage", "nv-fabricmanager"},
    {"nvidia-persiste", "nvidia-persistenced"},
    {"nvidia-cuda-mps", "nvidia-cuda-mps"},
    {"nsys", "nsys"},
    {"nsys-launcher", "nsys"},
    {"ncu", "ncu"},
    {"nvprof", "nvprof"},
    {"dynolog", "dynolog"},
};

void FindBystanders(const Root& root, Facts& facts) {
  const auto names = ListFolder(root.Path("/proc"));
  if (!names) return;
  for (const std::string& name : *names) {
    const auto pid = ParseNumber<int>(name);
    if (!pid) continue;
    const std::string text = TextOf(root, "/proc/" + name + "/comm");
    const std::string_view comm = Trim(text);
    for (const auto& [short_name, full_name] : kBystanders) {
      if (comm == short_name) facts.bystanders.push_back({*pid, std::string(full_name)});
    }
  }
}

}  // namespace

void CollectMachine(const Root& root, Facts& facts) {
  Machine& machine = facts.machine;
  machine.live = root.live();
  machine.kernel = Trim(TextOf(root, "/proc/sys/kernel/osrelease"));
  std::string lower = machine.kernel;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  machine.wsl = lower.find("microsoft") != std::string::npos || Exists(root, "/dev/dxg");

  // Four bytes of attributes, then the value.
  const std::string secure = TextOf(root, kSecureBoot);
  machine.secure_boot =
      secure.size() >= 5 ? Known<bool>(secure[4] == 1) : Known<bool>(Absence::kNotSupported);
  const auto overcommit = ParseNumber<int>(Trim(TextOf(root, "/proc/sys/vm/overcommit_memory")));
  machine.overcommit = overcommit ? Known<int>(*overcommit) : Known<int>(Absence::kNotSupported);
  constexpr std::string_view kPolicy = "/sys/devices/system/cpu/cpu0/cpufreq/";
  machine.governor = Trim(TextOf(root, std::string(kPolicy) + "scaling_governor"));
  machine.governor_driver = Trim(TextOf(root, std::string(kPolicy) + "scaling_driver"));
  if (const auto nodes = ListFolder(root.Path("/sys/devices/system/node"))) {
    machine.numa_nodes =
        static_cast<int>(std::count_if(nodes->begin(), nodes->end(), [](const std::string& name) {
          return name.starts_with("node") && ParseNumber<int>(name.substr(4)).has_value();
        }));
  }
  const auto links = ListFolder(root.Path("/sys/class/infiniband"));
  machine.infiniband = links && !links->empty();
  machine.kernel_log = ReadKernelLog(root, machine.xids);
  FindBystanders(root, facts);
}

}  // namespace gpusight::doctor
