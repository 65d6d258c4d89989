// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/sleep_state.h"

#include <cctype>

#include "base/text.h"

namespace gpusight::nvml {
namespace {

std::string PowerFile(const Root& root, std::string_view pci_id, std::string_view file) {
  std::string path = "/sys/bus/pci/devices/";
  path += KernelPciId(pci_id);
  path += "/power/";
  path += file;
  return root.Path(path);
}

bool Says(const std::string& path, std::string_view word) {
  const Result<std::string> text = ReadFile(path, 64);
  return text && Trim(*text) == word;
}

bool LooksLikePciId(std::string_view name) {
  return name.size() == 12 && name[4] == ':' && name[7] == ':' && name[10] == '.';
}

}  // namespace

std::string KernelPciId(std::string_view driver_pci_id) {
  std::string id(driver_pci_id);
  const size_t colon = id.find(':');
  if (colon != std::string::npos && colon > 4) id.erase(0, colon - 4);
  for (char& c : id) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return id;
}

bool MaySleep(const Root& root, std::string_view pci_id) {
  return Says(PowerFile(root, pci_id, "control"), "auto");
}

bool IsAsleep(const Root& root, std::string_view pci_id) {
  return Says(PowerFile(root, pci_id, "runtime_status"), "suspended");
}

std::vector<std::string> BoundCards(const Root& root) {
  std::vector<std::string> cards;
  const auto names = ListFolder(root.Path("/sys/bus/pci/drivers/nvidia"));
  if (!names) return cards;
  for (const std::string& name : *names) {
    if (LooksLikePciId(name)) cards.push_back(name);
  }
  return cards;
}

void ParseKernelInformation(std::string_view text, DeviceInfo& info) {
  while (const auto line = NextLine(text)) {
    const size_t colon = line->find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = Trim(line->substr(0, colon));
    const std::string_view value = Trim(line->substr(colon + 1));
    if (key == "Model") {
      info.name = value;
    } else if (key == "GPU UUID") {
      if (value.find('?') == std::string_view::npos) info.uuid = value;
    } else if (key == "Video BIOS") {
      if (value.find('?') == std::string_view::npos) info.vbios = value;
    } else if (key == "Bus Location") {
      info.pci_bus_id = value;
    } else if (key == "Device Minor") {
      info.minor = ParseNumber<int>(value).value_or(-1);
    }
  }
}

void ReadKernelInformation(const Root& root, std::string_view pci_id, DeviceInfo& info) {
  const std::string id = KernelPciId(pci_id);
  const auto text =
      ReadFile(root.Path("/proc/driver/nvidia/gpus/" + id + "/information"), size_t{1} << 16);
  if (text) ParseKernelInformation(*text, info);
  if (info.pci_bus_id.empty()) info.pci_bus_id = id;
}

}  // namespace gpusight::nvml
