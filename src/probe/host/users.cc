// SPDX-License-Identifier: Apache-2.0
#include "probe/host/users.h"

#include <sys/stat.h>

#include "base/text.h"

namespace gpusight::host {

std::unordered_map<uint32_t, std::string> ParsePasswd(std::string_view text) {
  std::unordered_map<uint32_t, std::string> names;
  while (const auto line = NextLine(text)) {
    const size_t first = line->find(':');
    if (first == std::string_view::npos || first == 0 || line->front() == '#') continue;
    const size_t second = line->find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view rest = line->substr(second + 1);
    const auto uid = ParseNumber<uint32_t>(rest.substr(0, rest.find(':')));
    if (uid) names.emplace(*uid, line->substr(0, first));
  }
  return names;
}

void Users::Reload() {
  struct stat info{};
  if (stat(path_.c_str(), &info) != 0) return;
  const int64_t changed = int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  if (changed == changed_) return;
  changed_ = changed;
  if (const auto text = ReadFile(path_)) names_ = ParsePasswd(*text);
}

std::string Users::NameOf(uint32_t uid) const {
  const auto found = names_.find(uid);
  return found != names_.end() ? found->second : std::to_string(uid);
}

}  // namespace gpusight::host
