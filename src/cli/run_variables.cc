// SPDX-License-Identifier: Apache-2.0
#include "cli/run_variables.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>

#include "base/fd.h"
#include "base/log.h"

namespace gpusight::cli {

std::vector<std::string> WithVariables(const char* const* environment, const Variables& set) {
  std::vector<std::string> out;
  std::vector<bool> done(set.size());
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::string_view name = entry.substr(0, entry.find('='));
    const auto at =
        std::find_if(set.begin(), set.end(), [&](const auto& one) { return one.first == name; });
    if (at == set.end() || name.size() == entry.size()) {
      out.emplace_back(entry);
      continue;
    }
    const auto index = static_cast<size_t>(at - set.begin());
    if (!done[index]) out.push_back(at->first + "=" + at->second);
    done[index] = true;
  }
  for (size_t i = 0; i < set.size(); ++i) {
    if (!done[i]) out.push_back(set[i].first + "=" + set[i].second);
  }
  return out;
}

// An empty entry of PYTHONPATH would mean the present folder. Within another run it stands there.
std::string InFront(std::string_view folder, std::string_view python_path) {
  std::string out(folder);
  if (python_path == out || python_path.starts_with(out + ":")) return std::string(python_path);
  if (!python_path.empty()) out += ":" + std::string(python_path);
  return out;
}

std::string BootstrapFolder(const std::string& program) {
  const std::string own = program.substr(0, program.rfind('/'));
  for (const std::string_view place : {"/../lib/gpusight/python/gpusight/bootstrap",
                                       "/../python/gpusight/bootstrap", "/../bootstrap"}) {
    const std::string folder = own + std::string(place);
    if (access((folder + "/sitecustomize.py").c_str(), R_OK) != 0) continue;
    char* const whole = realpath(folder.c_str(), nullptr);
    const std::string found = whole == nullptr ? "" : whole;
    free(whole);  // NOLINT: realpath(3) allocates so
    // No entry of PYTHONPATH can hold a colon.
    if (!found.empty() && found.find(':') == std::string::npos) return found;
  }
  return "";
}

std::string ChoosePlace(std::span<const PlaceForPages> places) {
  constexpr double kRoomy = 256.0 * 1024 * 1024;
  for (const PlaceForPages& place : places) {
    if (place.usable && place.in_memory && place.free_bytes >= kRoomy) return place.folder;
  }
  for (const PlaceForPages& place : places) {
    if (place.usable && !place.in_memory) return place.folder;
  }
  return "";
}

std::vector<PlaceForPages> PlacesForPages(const Environment& env) {
  std::vector<PlaceForPages> places;
  const auto add = [&places](const char* folder) {
    if (folder == nullptr || *folder != '/') return;
    struct statfs system{};
    struct stat info{};
    const bool usable = statfs(folder, &system) == 0 && stat(folder, &info) == 0 &&
                        S_ISDIR(info.st_mode) && access(folder, W_OK | X_OK) == 0;
    places.push_back(
        {.folder = folder,
         .usable = usable,
         .in_memory = system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC,
         .free_bytes = static_cast<double>(system.f_bavail) * static_cast<double>(system.f_bsize)});
  };
  // Not XDG_RUNTIME_DIR: it is taken away when the user logs out, and the job goes on.
  add("/dev/shm");
  add(env("TMPDIR"));
  add("/tmp");
  add("/var/tmp");
  return places;
}

std::string MakeRunId(WallTime now, uint32_t chance) {
  std::string id;
  for (const char c : FormatLocal(now)) {
    if (c == ' ') id += '-';
    if (c >= '0' && c <= '9') id += c;
  }
  return id + fmt::format("-{:08x}", chance);
}

}  // namespace gpusight::cli
