// SPDX-License-Identifier: Apache-2.0
#include "cli/run_pages.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>

namespace gpusight::cli {
namespace {

constexpr std::string_view kPrefix = "gpusight-run-";

UniqueFd OpenLock(const std::string& path) {
  return UniqueFd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace

PageFolder MakePageFolder(const std::string& place, const std::string& run_id) {
  PageFolder folder;
  const std::string path = place + "/" + std::string(kPrefix) + run_id;
  if (place.empty() || mkdir(path.c_str(), 0700) != 0) return folder;
  folder.path = path;
  folder.lock = OpenLock(path);
  if (folder.lock.valid()) flock(folder.lock.get(), LOCK_SH | LOCK_NB);
  return folder;
}

void RemovePages(const std::string& folder) {
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
}

void RemoveAbandonedPages(const std::string& place, double least_age) {
  const auto names = ListFolder(place);
  if (!names) return;
  for (const std::string& name : *names) {
    if (!name.starts_with(kPrefix)) continue;
    const std::string path = place + "/" + name;
    const UniqueFd lock = OpenLock(path);
    struct stat info{};
    if (!lock.valid() || fstat(lock.get(), &info) != 0 || info.st_uid != geteuid()) continue;
    // One that is just being made has no lock yet.
    if (static_cast<double>(time(nullptr) - info.st_ctime) < least_age) continue;
    if (flock(lock.get(), LOCK_EX | LOCK_NB) == 0) RemovePages(path);
  }
}

}  // namespace gpusight::cli
