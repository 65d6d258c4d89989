// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/sleep_state.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cctype>

#include "base/text.h"

namespace gpusight::nvml {
namespace {

// Whether the file is there and holds that word and nothing else but white space.
bool Says(const std::string& path, std::string_view word) {
  if (path.empty()) return false;
  // Asked for at every sample, and mostly not there: without OpenForRead()'s error, which is text.
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.valid()) return false;
  std::array<char, 64> buffer{};
  const ssize_t n = read(file.get(), buffer.data(), buffer.size());
  return n > 0 && Trim({buffer.data(), static_cast<size_t>(n)}) == word;
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

SleepState::SleepState(const Root& root, std::string_view pci_id) {
  const std::string folder = "/sys/bus/pci/devices/" + KernelPciId(pci_id) + "/power/";
  control_ = root.Path(folder + "control");
  status_ = root.Path(folder + "runtime_status");
}

bool SleepState::MaySleep() const { return Says(control_, "auto"); }
bool SleepState::IsAsleep() const { return Says(status_, "suspended"); }

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
      info.pci_bus_id = LooksLikePciId(value) ? "0000" + std::string(value) : std::string(value);
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
  if (info.pci_bus_id.empty()) info.pci_bus_id = "0000" + id;
}

}  // namespace gpusight::nvml
