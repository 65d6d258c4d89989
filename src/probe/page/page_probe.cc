// SPDX-License-Identifier: Apache-2.0
#include "probe/page/page_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "agent/page_layout.h"
#include "probe/cgroup/inside.h"
#include "probe/host/visible_devices.h"

namespace gpusight::page {
namespace {

constexpr std::string_view kEnding = ".page";
constexpr size_t kMostPages = 1024;   // of one folder
constexpr uint64_t kLookAgain = 10;   // frames until a process is asked again for its page
constexpr size_t kMostRefused = 256;  // remembered, so that each is told once

// A page in a folder of ours: a regular file that is no link.
UniqueFd OpenPage(const std::string& path) {
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat status{};
  if (!file.valid() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return file;
}

}  // namespace

Probe::Probe(ProbeOptions options, const Clock& clock, const Root& root, Log& log)
    : options_(std::move(options)), clock_(clock), root_(root), log_(log) {}

// Opens the page unless it is open or was refused. With a process, it must be that one's.
bool Probe::TryOpen(const std::string& key, UniqueFd file, const ProcessSample* process) {
  PageReader reader(std::move(file), key);
  ++calls_;
  if (auto header = reader.ReadHeader(); !header) {
    ++failures_;
    if (refused_.size() < kMostRefused && refused_.insert(key).second) {
      log_.Write(LogLevel::kWarning, "page", {{"error", header.error().what}});
    }
    return false;
  }
  if (process != nullptr && reader.start_ticks() != process->start_ticks) return false;  // older
  open_.emplace(key, Open{std::move(reader), {}});
  return true;
}

void Probe::LookInFolders() {
  for (const std::string& folder : options_.folders) {
    const auto names = ListFolder(folder);
    if (!names) continue;  // made by the first process that has a page
    size_t count = 0;
    for (const std::string& name : *names) {
      if (!name.ends_with(kEnding) || ++count > kMostPages) continue;
      const std::string path = folder + '/' + name;
      struct stat status{};
      if (refused_.contains(path) || lstat(path.c_str(), &status) != 0) continue;
      const auto open = open_.find(path);
      if (open != open_.end() && open->second.inode == status.st_ino) continue;
      // A process that begins anew (exec) puts a new page in the old one's place.
      if (open != open_.end()) open_.erase(open);
      UniqueFd file = OpenPage(path);
      if (!file.valid() || fstat(file.get(), &status) != 0) continue;
      if (TryOpen(path, std::move(file), nullptr)) open_.at(path).inode = status.st_ino;
    }
  }
}

// agent.h names the places. The process knows itself by the innermost of its numbers.
void Probe::LookInProcess(const ProcessSample& process, uint64_t sequence) {
  Search& search = searched_[process.pid];
  search.seen = sequence;
  if (search.start_ticks == process.start_ticks && sequence < search.next) return;
  search.start_ticks = process.start_ticks;
  search.next = sequence + kLookAgain;
  const std::string key = fmt::format("/proc/{}", process.pid);
  const auto open = open_.find(key);
  if (open != open_.end()) {
    if (open->second.reader.start_ticks() == process.start_ticks) return;
    open_.erase(open);
  }
  struct stat owner{};
  const std::string pid = std::to_string(process.pid);
  if (stat(root_.Path(key).c_str(), &owner) != 0) return;
  const int own = process.namespace_pids.empty() ? process.pid : process.namespace_pids.back();
  for (const std::string_view top : {"/dev/shm", "/tmp"}) {
    const std::string path = fmt::format("{}/gpusight-{}/{}{}", top, owner.st_uid, own, kEnding);
    UniqueFd file;
    ++calls_;
    if (cgroup::OpenInside(root_, pid, path.c_str(), file) != 0) continue;
    if (TryOpen(key, std::move(file), &process)) return;
  }
}

// Finds out which process of the frame it is, and which devices its allocators are on.
bool Probe::Place(const Frame& frame, FrameworkSample& sample) const {
  const ProcessSample* found = nullptr;
  for (const ProcessSample& process : frame.processes) {
    if (!process.translated || process.start_ticks != sample.start_ticks) continue;
    const bool same = process.pid == sample.pid || (!process.namespace_pids.empty() &&
                                                    process.namespace_pids.back() == sample.pid);
    if (same) found = &process;
  }
  if (found != nullptr) sample.pid = found->pid;
  for (AllocatorSample& allocator : sample.allocators) {
    allocator.device = -1;
    for (size_t i = 0; i < frame.devices.size() && !allocator.uuid.empty(); ++i) {
      if (frame.devices[i].info.uuid == allocator.uuid) allocator.device = static_cast<int>(i);
    }
    if (allocator.device >= 0 || found == nullptr) continue;
    if (const auto device = host::DeviceOfOrdinal(frame, *found, allocator.ordinal)) {
      allocator.device = *device;
    }
  }
  return found != nullptr;
}

void Probe::Sample(Frame& frame) {
  const MonoTime begin = clock_.Mono();
  LookInFolders();
  if (options_.of_processes) {
    // A job that was started with a folder of its own has its pages there.
    const bool everywhere = options_.folders.empty();
    for (const ProcessSample& process : frame.processes) {
      const bool wanted = !process.uses.empty() || (process.in_job && everywhere);
      if (process.translated && wanted) LookInProcess(process, frame.sequence);
    }
    std::erase_if(searched_, [&](const auto& entry) {
      if (entry.second.seen == frame.sequence) return false;
      open_.erase(fmt::format("/proc/{}", entry.first));
      return true;
    });
  }
  frame.frameworks.resize(open_.size());
  size_t count = 0;
  for (auto& [path, open] : open_) {
    ++calls_;
    const auto read = open.reader.Read(open.last, frame.time, frame.interval_seconds);
    if (!read) ++failures_;
    // One that cannot be read any more says nothing; one that was being written stays as it was.
    if (!read && read.error().code != ErrorCode::kIo) continue;
    open.last.pid = open.reader.pid();
    open.last.start_ticks = open.reader.start_ticks();
    FrameworkSample& out = frame.frameworks[count];
    out = open.last;
    const bool listed = Place(frame, out) || frame.processes.empty();
    // The page of a process that ended is read once more, for its last words.
    if (listed || !std::exchange(open.gone, true)) ++count;
  }
  frame.frameworks.resize(count);
  std::sort(frame.frameworks.begin(), frame.frameworks.end(),
            [](const auto& a, const auto& b) { return a.pid < b.pid; });
  if (open_.empty() && options_.folders.empty()) return;
  ProbeStats stats;
  stats.name = "page";
  stats.duration_seconds = static_cast<double>(clock_.Mono() - begin) * 1e-9;
  stats.failures = failures_;
  stats.calls = calls_;
  frame.probes.push_back(std::move(stats));
}

}  // namespace gpusight::page
