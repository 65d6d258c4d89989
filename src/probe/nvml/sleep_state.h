// SPDX-License-Identifier: Apache-2.0
// Whether a card sleeps (runtime power management of the kernel, mostly in laptops), and who it
// is, read without touching it: one question to the driver would wake it and cost its owner
// several watts. Also who a card is that the driver does not let us open. Next: card_reader.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "model/frame.h"

namespace gpusight::nvml {

// "00000000:01:00.0", as the driver writes it, as "0000:01:00.0", as the kernel does.
[[nodiscard]] std::string KernelPciId(std::string_view driver_pci_id);

// One card's files about that. Asked at every poll, so asking allocates nothing.
class SleepState {
 public:
  SleepState() = default;
  SleepState(const Root& root, std::string_view pci_id);

  // The kernel may put it to sleep (power/control is "auto").
  [[nodiscard]] bool MaySleep() const;
  // It sleeps now. False when the kernel does not say.
  [[nodiscard]] bool IsAsleep() const;

 private:
  std::string control_, status_;  // paths
};

// The cards that the kernel's nvidia driver has, by PCI id (the order of the driver's indices).
// Empty where there is no such list (WSL2, Jetson, containers without it).
[[nodiscard]] std::vector<std::string> BoundCards(const Root& root);

// Fills name, UUID, PCI id, minor number and VBIOS from /proc/driver/nvidia/gpus/<pci>/information.
// The UUID is left out when the driver has not read it yet ("GPU-????????-…").
void ReadKernelInformation(const Root& root, std::string_view pci_id, DeviceInfo& info);

// The same from that file's text.
void ParseKernelInformation(std::string_view text, DeviceInfo& info);

}  // namespace gpusight::nvml
