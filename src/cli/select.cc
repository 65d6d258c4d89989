// SPDX-License-Identifier: Apache-2.0
#include "cli/select.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "export/device_label.h"
#include "model/device_key.h"
#include "model/text/log.h"

namespace gpusight::cli {
namespace {

bool BeginsWith(std::string_view text, std::string_view prefix) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

bool UuidFits(std::string_view uuid, std::string_view spec) {
  if (BeginsWith(uuid, spec)) return true;
  const size_t dash = uuid.find('-');
  return dash != std::string_view::npos && BeginsWith(uuid.substr(dash + 1), spec);
}

bool IsIndex(std::string_view text) {
  return text.size() < 4 && ParseNumber<uint32_t>(text).has_value();
}

// "0-3" as its ends; nothing for what is no range, such as the beginning of a UUID.
std::optional<std::pair<uint32_t, uint32_t>> RangeOf(std::string_view spec) {
  const size_t dash = spec.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view from = spec.substr(0, dash), to = spec.substr(dash + 1);
  if (!IsIndex(from) || !IsIndex(to)) return std::nullopt;
  return std::pair(*ParseNumber<uint32_t>(from), *ParseNumber<uint32_t>(to));
}

}  // namespace

Result<std::vector<size_t>> SelectDevices(const Frame& frame, std::span<const std::string> specs,
                                          Language language, const Origins& origins) {
  const auto refuse = [&](const std::string& spec, const std::string& what, const Text& remedy) {
    return Fail(ErrorCode::kUsage, origins.Place("--device", spec) + what, Say(language, remedy));
  };
  std::vector<bool> chosen(frame.devices.size(), specs.empty());
  std::vector<std::string> single;
  for (const std::string& spec : specs) {
    const auto range = RangeOf(spec);
    if (!range) {
      single.push_back(spec);
      continue;
    }
    if (range->first > range->second) {
      return refuse(spec, Say(language, text::kBackwardRange, Printable(spec)),
                    text::kForwardRange);
    }
    for (uint32_t i = range->first; i <= range->second; ++i) single.push_back(fmt::format("{}", i));
  }
  for (const std::string& spec : single) {
    std::vector<size_t> fits;
    for (size_t i = 0; i < frame.devices.size(); ++i) {
      if (exporting::DeviceLabel(frame, i) == spec) fits.push_back(i);
    }
    // A number is an index and never the beginning of a UUID: "1" must not find "GPU-1f3c…".
    const bool number = IsIndex(spec);
    if (fits.empty() && !number) {
      for (size_t i = 0; i < frame.devices.size(); ++i) {
        if (UuidFits(frame.devices[i].info.uuid, spec)) fits.push_back(i);
      }
    }
    if (fits.empty()) {
      return refuse(spec, Say(language, text::kNoSuchDevice, Printable(spec), frame.devices.size()),
                    text::kSeeDevices);
    }
    if (fits.size() > 1) {
      return refuse(spec, Say(language, text::kAmbiguousDevice, Printable(spec), fits.size()),
                    text::kLongerPrefix);
    }
    chosen[fits.front()] = true;
  }
  std::vector<size_t> positions;
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) positions.push_back(i);
  }
  return positions;
}

std::vector<std::string> KeysOf(const Frame& frame, std::span<const size_t> positions) {
  std::vector<std::string> keys;
  for (const size_t at : positions) keys.push_back(DeviceKey(frame.devices[at].info));
  return keys;
}

void FindPositions(const Frame& frame, std::span<const std::string> keys,
                   std::vector<size_t>& positions) {
  positions.clear();
  for (size_t i = 0; i < frame.devices.size(); ++i) {
    const DeviceInfo& info = frame.devices[i].info;
    if (std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return HasKey(info, key); })) {
      positions.push_back(i);
    }
  }
}

}  // namespace gpusight::cli
