// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/facts.h"

#include <algorithm>

namespace gpusight::doctor {

std::optional<std::string_view> Subject::Variable(std::string_view name) const {
  // getenv(3) takes the first one too.
  for (const auto& [key, value] : environment) {
    if (key == name) return value;
  }
  return std::nullopt;
}

const ContainerSample* Facts::Container() const {
  const auto index = static_cast<size_t>(subject.container_index);
  return subject.container_index >= 0 && index < frame.containers.size() ? &frame.containers[index]
                                                                         : nullptr;
}

bool Facts::WithoutCard() const {
  const bool card = std::any_of(cards.begin(), cards.end(),
                                [](const PciCard& found) { return !found.is_switch; });
  return pci_known && !card && !machine.wsl && frame.driver.state != DriverState::kOk;
}

bool Facts::WithoutAccess() const {
  const bool node = std::any_of(nodes.begin(), nodes.end(),
                                [](const DeviceNode& found) { return found.present; });
  return subject.container.in && !node && !machine.wsl &&
         frame.driver.state == DriverState::kNoLibrary;
}

bool Facts::Runs(std::string_view name) const {
  return std::any_of(bystanders.begin(), bystanders.end(),
                     [name](const Bystander& process) { return process.name == name; });
}

}  // namespace gpusight::doctor
