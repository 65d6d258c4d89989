// SPDX-License-Identifier: Apache-2.0
#include "cli/origins.h"

#include <algorithm>

#include "base/text.h"

namespace gpusight::cli {
namespace {

bool Holds(std::string_view item, std::string_view word) {
  const auto parts = Split(item, ',');
  return std::any_of(parts.begin(), parts.end(),
                     [word](std::string_view part) { return Trim(part) == word; });
}

}  // namespace

void Origins::Remember(const Option& option, const Setting& setting, std::string_view path) {
  Forget(option);
  origins_.push_back({option.long_name(), std::string(path), setting});
}

void Origins::Forget(const Option& option) {
  std::erase_if(origins_, [&](const Origin& o) { return o.long_name == option.long_name(); });
}

const Origins::Origin* Origins::Find(std::string_view long_name) const {
  const auto at = std::find_if(origins_.begin(), origins_.end(),
                               [&](const Origin& o) { return o.long_name == long_name; });
  return at == origins_.end() ? nullptr : &*at;
}

bool Origins::FromConfig(std::string_view long_name) const { return Find(long_name) != nullptr; }

std::string Origins::Place(std::string_view long_name, std::string_view word) const {
  const Origin* origin = Find(long_name);
  if (origin == nullptr) return {};
  const auto& items = origin->setting.items;
  const auto item = std::find_if(items.begin(), items.end(),
                                 [&](const Setting::Item& i) { return Holds(i.text, word); });
  return PlaceInFile(origin->path, item == items.end() ? origin->setting.at : item->at);
}

}  // namespace gpusight::cli
