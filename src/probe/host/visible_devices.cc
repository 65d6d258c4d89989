// SPDX-License-Identifier: Apache-2.0
#include "probe/host/visible_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/text.h"

namespace gpusight::host {
namespace {

using Devices = std::span<const DeviceInfo* const>;

bool IsInstance(const DeviceInfo& device) { return !device.parent_uuid.empty(); }

// Splits off the text before the next comma; nullopt when none is left. "a," has two entries.
class Entries {
 public:
  explicit Entries(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> Next() {
    if (ended_) return std::nullopt;
    const size_t comma = rest_.find(',');
    const std::string_view entry = rest_.substr(0, comma);
    ended_ = comma == std::string_view::npos;
    if (!ended_) rest_.remove_prefix(comma + 1);
    return entry;
  }

 private:
  std::string_view rest_;
  bool ended_ = false;
};

// The number at the front of the text, as strtoul(3) reads it; -1 when there is none or it is
// negative. "-0" is 0.
int LeadingNumber(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n\v\f\r");
  if (begin == std::string_view::npos) return -1;
  text.remove_prefix(begin);
  bool negative = false;
  if (text.front() == '+' || text.front() == '-') {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  int64_t number = -1;
  for (const char c : text) {
    if (c < '0' || c > '9') break;
    number = (number < 0 ? 0 : number) * 10 + (c - '0');
    if (number > 1'000'000) break;  // no device has it; more digits do not change that
  }
  if (number < 0 || (negative && number != 0)) return -1;
  return static_cast<int>(number);
}

// The one device whose UUID begins with `text`; -1 none, -2 several.
int ByPrefix(Devices devices, std::string_view text, bool instances) {
  int found = -1;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (IsInstance(*devices[i]) != instances || !devices[i]->uuid.starts_with(text)) continue;
    if (found != -1) return -2;
    found = static_cast<int>(i);
  }
  return found;
}

// "MIG-GPU-<uuid>/<gpu instance>/<compute instance>", the form of drivers before 470.
int ByInstance(Devices devices, std::string_view text) {
  const size_t first = text.find('/');
  const size_t second = first == std::string_view::npos ? first : text.find('/', first + 1);
  if (second == std::string_view::npos) return -1;
  const std::string_view parent = text.substr(4, first - 4);
  const int gpu = LeadingNumber(text.substr(first + 1, second - first - 1));
  const int compute = LeadingNumber(text.substr(second + 1));
  int found = -1;
  for (size_t i = 0; i < devices.size(); ++i) {
    const DeviceInfo& device = *devices[i];
    if (!IsInstance(device) || !device.parent_uuid.starts_with(parent)) continue;
    if (device.gpu_instance != gpu || device.compute_instance != compute) continue;
    if (found != -1) return -2;
    found = static_cast<int>(i);
  }
  return found;
}

int FirstInstanceOf(Devices devices, int gpu) {
  for (size_t i = 0; i < devices.size(); ++i) {
    // A GPU that did not tell its UUID is not the parent of those that have none.
    if (IsInstance(*devices[i]) &&
        devices[i]->parent_uuid == devices[static_cast<size_t>(gpu)]->uuid) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

// CUDA's numbering of the GPUs. Fastest first: CUDA does not say how it compares; generation and
// size come close. Among equals the place on the bus decides.
std::vector<int> InOrder(Devices devices, bool by_bus, bool& certain) {
  std::vector<int> gpus;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (!IsInstance(*devices[i])) gpus.push_back(static_cast<int>(i));
  }
  const auto at = [&](int i) -> const DeviceInfo& { return *devices[static_cast<size_t>(i)]; };
  // std::pair and std::tuple compare from the left; the position makes the order whole.
  const auto by_place = [&](int i) { return std::pair(std::string_view(at(i).pci_bus_id), i); };
  std::sort(gpus.begin(), gpus.end(), [&](int a, int b) { return by_place(a) < by_place(b); });
  if (by_bus || gpus.empty()) return gpus;
  const bool alike = std::all_of(gpus.begin(), gpus.end(),
                                 [&](int i) { return at(i).name == at(gpus.front()).name; });
  if (alike) return gpus;
  certain = false;
  const auto slowness = [&](int i) {
    const double capability = ParseNumber<double>(at(i).compute_capability).value_or(0);
    const bool number = capability > 0;  // also not "nan"
    return std::tuple(number ? -capability : 0.0, -at(i).multiprocessors, by_place(i));
  };
  std::sort(gpus.begin(), gpus.end(), [&](int a, int b) { return slowness(a) < slowness(b); });
  return gpus;
}

// CUDA shows one MIG instance at most, and then nothing else.
void ApplyMig(Devices devices, VisibleDevices& visible) {
  int instance = -1;
  for (const int position : visible.devices) {
    const bool is_instance = IsInstance(*devices[static_cast<size_t>(position)]);
    instance = is_instance ? position : FirstInstanceOf(devices, position);
    if (instance >= 0) break;
  }
  if (instance < 0) return;
  if (visible.devices.size() > 1) visible.end = ListEnd::kMig;
  visible.devices.assign(1, instance);
}

enum class EntryKind : uint8_t { kNumber, kGpu, kMig };

EntryKind KindOfEntry(std::string_view entry) {
  if (entry.starts_with("GPU-")) return EntryKind::kGpu;
  return entry.starts_with("MIG-") ? EntryKind::kMig : EntryKind::kNumber;
}

int Find(Devices devices, const std::vector<int>& numbered, EntryKind kind,
         std::string_view entry) {
  switch (kind) {
    case EntryKind::kGpu:
      return ByPrefix(devices, entry, false);
    case EntryKind::kMig:
      return entry.starts_with("MIG-GPU-") ? ByInstance(devices, entry)
                                           : ByPrefix(devices, entry, true);
    case EntryKind::kNumber:
      break;
  }
  const int number = LeadingNumber(entry);
  if (number < 0 || static_cast<size_t>(number) >= numbered.size()) return -1;
  return numbered[static_cast<size_t>(number)];
}

}  // namespace

VisibleDevices ParseCudaVisibleDevices(std::optional<std::string_view> variable,
                                       std::string_view order, Devices devices) {
  VisibleDevices visible;
  bool certain = true;
  const std::vector<int> numbered = InOrder(devices, order == "PCI_BUS_ID", certain);
  if (!variable) {
    visible.devices = numbered;
    visible.certain = certain;
    ApplyMig(devices, visible);
    return visible;
  }
  if (variable->empty()) {
    visible.end = ListEnd::kEmpty;
    return visible;
  }
  const EntryKind kind = KindOfEntry(*variable);
  if (kind == EntryKind::kNumber) visible.certain = certain;
  const auto stop = [&](ListEnd why, std::string_view entry) {
    visible.end = why;
    visible.entry = entry;
  };
  // CUDA first takes the entries apart, where one that stands twice spoils all, also when it names
  // no device; then it looks for the devices.
  std::vector<std::string_view> taken;
  Entries entries(*variable);
  while (const auto entry = entries.Next()) {
    const int number = kind == EntryKind::kNumber ? LeadingNumber(*entry) : 0;
    if (number < 0 || KindOfEntry(*entry) != kind) {
      stop(KindOfEntry(*entry) != kind ? ListEnd::kWrongKind : ListEnd::kNoDevice, *entry);
      break;
    }
    const auto same = [&](std::string_view other) {
      return kind == EntryKind::kNumber ? LeadingNumber(other) == number : other == *entry;
    };
    if (std::any_of(taken.begin(), taken.end(), same)) {
      stop(ListEnd::kRepeated, *entry);
      return visible;
    }
    taken.push_back(*entry);
  }
  for (const std::string_view entry : taken) {
    const int found = Find(devices, numbered, kind, entry);
    if (found < 0) {
      stop(found == -2 ? ListEnd::kAmbiguous : ListEnd::kNoDevice, entry);
      break;
    }
    if (std::find(visible.devices.begin(), visible.devices.end(), found) != visible.devices.end()) {
      visible.devices.clear();
      stop(ListEnd::kRepeated, entry);
      return visible;
    }
    visible.devices.push_back(found);
  }
  ApplyMig(devices, visible);
  return visible;
}

std::optional<std::vector<int>> ParseNvidiaVisibleDevices(std::string_view variable,
                                                          Devices devices) {
  std::vector<int> chosen;
  const std::string_view text = Trim(variable);
  if (text == "void") return std::nullopt;
  if (text.empty() || text == "none") return chosen;
  if (text == "all") {
    chosen.resize(devices.size());
    std::iota(chosen.begin(), chosen.end(), 0);
    return chosen;
  }
  Entries entries(text);
  while (auto entry = entries.Next()) {
    *entry = Trim(*entry);
    int found = -1;
    const size_t colon = entry->find(':');
    if (entry->starts_with("GPU-")) {
      found = ByPrefix(devices, *entry, false);
    } else if (entry->starts_with("MIG-")) {
      found = entry->starts_with("MIG-GPU-") ? ByInstance(devices, *entry)
                                             : ByPrefix(devices, *entry, true);
    } else {
      // Numbers are the driver's here, whatever CUDA's order is.
      const auto gpu = ParseNumber<int>(entry->substr(0, colon));
      const auto instance = colon == std::string_view::npos
                                ? std::optional<int>(-1)
                                : ParseNumber<int>(entry->substr(colon + 1));
      int nth = -1;
      std::string_view parent;
      for (size_t i = 0; gpu && instance && i < devices.size() && found < 0; ++i) {
        if (!IsInstance(*devices[i])) {
          if (devices[i]->index == *gpu) parent = devices[i]->uuid;
          if (!parent.empty() && *instance < 0) found = static_cast<int>(i);
        } else if (!parent.empty() && devices[i]->parent_uuid == parent && ++nth == *instance) {
          found = static_cast<int>(i);
        }
      }
    }
    // The toolkit refuses to start a container with an unknown device: such a list is not ours.
    if (found < 0) return std::nullopt;
    if (std::find(chosen.begin(), chosen.end(), found) == chosen.end()) chosen.push_back(found);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

namespace {

std::string_view EndText(ListEnd end) {
  switch (end) {
    case ListEnd::kEmpty:
      return "is empty and hides every device";
    case ListEnd::kNoDevice:
      return "ends at an entry that names no device";
    case ListEnd::kAmbiguous:
      return "ends at a UUID that is cut so short that it names several devices";
    case ListEnd::kWrongKind:
      return "ends at an entry of another kind than its first";
    case ListEnd::kRepeated:
      return "names a device twice, which hides every device";
    case ListEnd::kMig:
      return "shows one MIG instance only";
    case ListEnd::kWhole:
      break;
  }
  return "has fewer devices";
}

}  // namespace

Result<int> DeviceOfOrdinal(const Frame& frame, const ProcessSample& process, int ordinal) {
  const Known<std::string>& variable = process.visible_devices;
  const bool not_set = !variable && variable.missing().why == Absence::kNoLimit;
  if (!variable && !not_set) {
    return Fail(ErrorCode::kNoPermission,
                fmt::format("the environment of process {} cannot be read ({}), so it is not known "
                            "which device it calls {}",
                            process.pid, Describe(variable.missing()), ordinal),
                "run gpusight as the same user or as root");
  }
  std::vector<const DeviceInfo*> devices;
  std::vector<int> positions;
  for (size_t i = 0; i < frame.devices.size(); ++i) {
    devices.push_back(&frame.devices[i].info);
    positions.push_back(static_cast<int>(i));
  }
  // Seen from outside of its container, a process may have fewer devices than we.
  const auto container = static_cast<size_t>(process.container_index);
  if (process.container_index >= 0 && container < frame.containers.size() &&
      !frame.containers[container].own && !frame.containers[container].id.empty() &&
      !process.container_devices.empty()) {
    if (const auto chosen = ParseNvidiaVisibleDevices(process.container_devices, devices)) {
      std::vector<const DeviceInfo*> fewer;
      for (const int position : *chosen) fewer.push_back(devices[static_cast<size_t>(position)]);
      devices = std::move(fewer);
      positions = *chosen;
    }
  }
  const VisibleDevices visible =
      ParseCudaVisibleDevices(not_set ? std::nullopt : std::optional<std::string_view>(*variable),
                              process.device_order, devices);
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= visible.devices.size()) {
    std::string what = fmt::format("process {} has no device {}: it sees {}", process.pid, ordinal,
                                   visible.devices.size());
    if (!not_set) {
      what += fmt::format(", its CUDA_VISIBLE_DEVICES=\"{}\" {}", Printable(*variable),
                          EndText(visible.end));
      if (!visible.entry.empty()) what += fmt::format(" (\"{}\")", Printable(visible.entry));
    }
    return Fail(ErrorCode::kNotFound, std::move(what), "mend CUDA_VISIBLE_DEVICES of the job");
  }
  return positions[static_cast<size_t>(visible.devices[static_cast<size_t>(ordinal)])];
}

}  // namespace gpusight::host
