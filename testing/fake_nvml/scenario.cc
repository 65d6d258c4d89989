// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/scenario.h"

#include "base/text.h"

namespace gpusight::fake {

uint64_t Pack(std::initializer_list<uint64_t> parameters) {
  uint64_t packed = 0;
  int shift = 0;
  for (const uint64_t parameter : parameters) {
    packed |= parameter << shift;
    shift += shift == 32 ? 16 : 32;
    if (shift > 48) break;
  }
  return packed;
}

std::optional<Key> KeyNamed(std::string_view text) {
  const size_t slash = text.find('/');
  const std::optional<Call> call = CallNamed(text.substr(0, slash));
  if (!call) return std::nullopt;
  Key key{*call, 0};
  if (slash == std::string_view::npos) return key;
  uint64_t numbers[3] = {};
  size_t count = 0;
  for (const std::string_view part : Split(text.substr(slash + 1), ',')) {
    const auto number = ParseNumber<uint32_t>(part);
    if (!number || count == 3) return std::nullopt;
    numbers[count++] = *number;
  }
  key.parameters = Pack({numbers[0], numbers[1], numbers[2]});
  return key;
}

const Entry* DeviceSpec::Find(Key key) const {
  const auto found = answers.find(key);
  return found == answers.end() ? nullptr : &found->second;
}

std::string DeviceSpec::Text(Call call) const {
  const Entry* entry = Find({call, 0});
  if (entry == nullptr || entry->recorded.items.empty()) return {};
  const auto* text = std::get_if<std::string>(&entry->recorded.items.front());
  return text == nullptr ? std::string() : *text;
}

}  // namespace gpusight::fake
