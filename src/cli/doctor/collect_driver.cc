// SPDX-License-Identifier: Apache-2.0
// The kernel module, the cards on the PCI bus, the driver's libraries.
#include <algorithm>

#include "base/text.h"
#include "cli/doctor/collect.h"
#include "cli/doctor/parse.h"

namespace gpusight::doctor {
namespace {

constexpr std::string_view kLibraryFolders[] = {
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/lib/wsl/lib",
    "/usr/local/nvidia/lib64",
    "/usr/lib/x86_64-linux-gnu/nvidia/current",
    "/run/opengl-driver/lib",
};

void FindLibraries(const Root& root, Facts& facts) {
  for (const std::string_view folder : kLibraryFolders) {
    const auto names = ListFolder(root.Path(folder));
    if (!names) continue;
    for (const std::string& name : *names) {
      const std::string path = std::string(folder) + "/" + name;
      if (auto version = VersionOfLibrary(name, "libnvidia-ml.so.")) {
        facts.management_libraries.push_back({path, std::move(*version)});
      } else if (auto cuda = VersionOfLibrary(name, "libcuda.so.")) {
        facts.cuda_libraries.push_back({path, std::move(*cuda)});
      }
    }
  }
}

void FindCards(const Root& root, Facts& facts) {
  constexpr std::string_view kBus = "/sys/bus/pci/devices";
  const auto devices = ListFolder(root.Path(kBus));
  if (!devices) return;
  facts.pci_known = true;
  for (const std::string& bus_id : *devices) {
    const std::string folder = std::string(kBus) + "/" + bus_id;
    if (Trim(TextOf(root, folder + "/vendor")) != "0x10de") continue;
    const std::string kind = TextOf(root, folder + "/class");
    // 3D and VGA controllers; a bridge of kind "other" is an NVSwitch.
    const bool card = kind.starts_with("0x0300") || kind.starts_with("0x0302");
    const bool nvswitch = kind.starts_with("0x0680");
    if (!card && !nvswitch) continue;
    PciCard found{.bus_id = bus_id, .driver = {}, .is_switch = nvswitch};
    if (const auto driver = ReadLink(root.Path(folder + "/driver"))) {
      found.driver = driver->substr(driver->rfind('/') + 1);
    }
    found.numa_node = ParseNumber<int>(Trim(TextOf(root, folder + "/numa_node"))).value_or(-1);
    facts.cards.push_back(std::move(found));
  }
}

}  // namespace

void CollectDriver(const Root& root, Facts& facts) {
  KernelDriver& driver = facts.driver;
  ParseDriverVersion(TextOf(root, "/proc/driver/nvidia/version"), driver);
  if (const auto restricted = ParseProfilingParameter(TextOf(root, "/proc/driver/nvidia/params"))) {
    driver.profiling_for_admins_only = *restricted;
  } else {
    driver.profiling_for_admins_only = Absence::kNotSupported;
  }
  if (const auto modules = ReadFile(root.Path("/proc/modules"))) {
    driver.modules_known = true;
    driver.nvidia_loaded = HasModule(*modules, "nvidia");
    driver.uvm_loaded = HasModule(*modules, "nvidia_uvm");
    driver.nouveau_loaded = HasModule(*modules, "nouveau");
  }
  driver.nvidia_loaded = driver.nvidia_loaded || !driver.version.empty();
  const std::string kernel(Trim(TextOf(root, "/proc/sys/kernel/osrelease")));
  // The list is long, and only asked for when no module is loaded.
  if (!driver.nvidia_loaded) {
    if (const auto list = ReadFile(root.Path("/lib/modules/" + kernel + "/modules.dep"))) {
      driver.on_disk_known = true;
      driver.on_disk = NamesNvidiaModule(*list);
    }
  }
  FindCards(root, facts);
  FindLibraries(root, facts);
}

}  // namespace gpusight::doctor
