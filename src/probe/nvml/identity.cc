// SPDX-License-Identifier: Apache-2.0
// Who and what a device is: everything that does not change while it is there.
#include <fmt/core.h>

#include <array>
#include <iterator>

#include "probe/nvml/errors.h"
#include "probe/nvml/read_device.h"

namespace gpusight::nvml {
namespace {

// A text of the driver, or "" when it gives none. At most 95 characters: the longest is a UUID.
std::string TextOf(Driver& driver, Return (*Calls::*call)(Device, char*, unsigned), Device device,
                   Return* answer = nullptr) {
  std::array<char, 96> buffer{};
  const Return code = driver.Ask(call, device, buffer.data(), static_cast<unsigned>(buffer.size()));
  if (answer != nullptr) *answer = code;
  if (code != kSuccess) return {};
  buffer.back() = '\0';
  return buffer.data();
}

std::string_view ArchitectureName(unsigned number) {
  constexpr std::array<std::string_view, 11> kNames = {"",       "",       "Kepler",   "Maxwell",
                                                       "Pascal", "Volta",  "Turing",   "Ampere",
                                                       "Ada",    "Hopper", "Blackwell"};
  return number < kNames.size() ? kNames[number] : std::string_view();
}

std::string PciBusId(Driver& driver, Device device) {
  PciInfo pci{};
  if (driver.Ask(&Calls::nvmlDeviceGetPciInfo_v3, device, &pci) == kSuccess) {
    pci.bus_id[sizeof(pci.bus_id) - 1] = '\0';
    return pci.bus_id;
  }
  if (driver.Ask(&Calls::nvmlDeviceGetPciInfo_v2, device, &pci) == kSuccess) {
    return fmt::format("{:08X}:{:02X}:{:02X}.0", pci.domain, pci.bus, pci.device);
  }
  return {};
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

bool IsIntegratedPart(std::string_view name) {
  for (const std::string_view part : {"GB10", "Orin", "Thor", "Xavier", "Tegra", "nvgpu"}) {
    const size_t at = name.find(part);
    if (at == std::string_view::npos) continue;
    const size_t end = at + part.size();  // "GB10" but not "GB100"
    if (end >= name.size() || name[end] < '0' || name[end] > '9') return true;
  }
  return false;
}

bool IsCoherentPart(std::string_view name) {
  return IsIntegratedPart(name) || Contains(name, "GH200") || Contains(name, "GB200") ||
         Contains(name, "GB300");
}

unsigned CoresPerMultiprocessor(std::string_view compute_capability) {
  const std::string_view major = compute_capability.substr(0, compute_capability.find('.'));
  if (major == "3") return 192;
  if (major == "7" || compute_capability == "6.0" || compute_capability == "8.0") return 64;
  const bool known = major == "5" || major == "6" || major == "8" || major == "9" ||
                     major == "10" || major == "11" || major == "12";
  return known ? 128 : 0;
}

namespace {

void ReadMultiprocessors(Pass& pass, Gpu& gpu) {
  unsigned cores = 0;
  const unsigned each = CoresPerMultiprocessor(gpu.sample.info.compute_capability);
  if (each != 0 &&
      pass.driver.Ask(&Calls::nvmlDeviceGetNumGpuCores, gpu.handle, &cores) == kSuccess) {
    gpu.sample.info.multiprocessors = static_cast<int>(cores / each);
  }
}

// Parts that are not known by name. A third of a millisecond.
bool HasCoherentLink(Pass& pass, Gpu& gpu) {
  C2cMode mode{};
  return pass.driver.Ask(&Calls::nvmlDeviceGetC2cModeInfoV, gpu.handle, &mode) == kSuccess &&
         mode.enabled == 1;
}

}  // namespace

void ReadStillFacts(Pass& pass, Gpu& gpu) {
  DeviceInfo& info = gpu.sample.info;
  info.coherent_link = info.coherent_link || HasCoherentLink(pass, gpu);
  ReadMultiprocessors(pass, gpu);
}

Return ReadIdentity(Pass& pass, Gpu& gpu) {
  Driver& driver = pass.driver;
  DeviceInfo& info = gpu.sample.info;
  Return code = kSuccess;
  info.uuid = TextOf(driver, &Calls::nvmlDeviceGetUUID, gpu.handle, &code);
  if (IsDeviceGone(code) || IsSessionLost(code)) return code;
  info.name = TextOf(driver, &Calls::nvmlDeviceGetName, gpu.handle);
  info.vbios = TextOf(driver, &Calls::nvmlDeviceGetVbiosVersion, gpu.handle);
  info.pci_bus_id = PciBusId(driver, gpu.handle);
  info.unified_memory = IsIntegratedPart(info.name);
  info.coherent_link = IsCoherentPart(info.name);

  unsigned number = 0;
  if (driver.Ask(&Calls::nvmlDeviceGetMinorNumber, gpu.handle, &number) == kSuccess) {
    info.minor = static_cast<int>(number);
  }
  if (driver.Ask(&Calls::nvmlDeviceGetArchitecture, gpu.handle, &number) == kSuccess) {
    info.architecture = ArchitectureName(number);
  }
  int major = 0, minor = 0;
  if (driver.Ask(&Calls::nvmlDeviceGetCudaComputeCapability, gpu.handle, &major, &minor) ==
      kSuccess) {
    info.compute_capability = fmt::format("{}.{}", major, minor);
  }
  if (driver.Ask(&Calls::nvmlDeviceGetNumaNodeId, gpu.handle, &number) == kSuccess) {
    info.numa_node = static_cast<int>(number);
  }
  gpu.look_cost = 0;
  const Return once = ReadOnce(pass, gpu);
  gpu.mig_on = gpu.sample.fields[DeviceField::kMigMode].value_or(0) == 1;
  return once;
}

}  // namespace gpusight::nvml
