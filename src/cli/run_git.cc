// SPDX-License-Identifier: Apache-2.0
#include "cli/run_git.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "base/text.h"
#include "launch/pidfd.h"

namespace gpusight::cli {
namespace {

bool IsCommit(std::string_view text) {
  const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return (text.size() == 40 || text.size() == 64) && std::all_of(text.begin(), text.end(), hex);
}

// The text of a small file without blanks around it; "" when it cannot be read.
std::string TextOf(const std::string& path) {
  const auto text = ReadFile(path, 4096);
  return text ? std::string(Trim(*text)) : "";
}

// A work tree's own folder may lie elsewhere, and share branches with another.
std::string CommitIn(const std::string& git) {
  const std::string head = TextOf(git + "/HEAD");
  if (IsCommit(head)) return head;
  constexpr std::string_view kRef = "ref: ";
  if (!head.starts_with(kRef)) return "";
  const std::string branch = head.substr(kRef.size());
  std::string common = TextOf(git + "/commondir");
  common = common.empty() ? git : common.starts_with('/') ? common : git + "/" + common;
  for (const std::string& place : {git, common}) {
    if (const std::string commit = TextOf(place + "/" + branch); IsCommit(commit)) return commit;
  }
  const auto packed = ReadFile(common + "/packed-refs");
  std::string_view rest = packed ? std::string_view(*packed) : std::string_view();
  while (const auto line = NextLine(rest)) {
    const size_t space = line->find(' ');
    if (space == std::string_view::npos || line->substr(space + 1) != branch) continue;
    if (IsCommit(line->substr(0, space))) return std::string(line->substr(0, space));
  }
  return "";
}

}  // namespace

std::string CommitOf(const std::string& folder) {
  constexpr int kHighest = 64;
  std::string at = folder;
  for (int height = 0; height < kHighest; ++height) {
    const std::string git = at + "/.git";
    struct stat info{};
    if (stat(git.c_str(), &info) == 0) {
      if (S_ISDIR(info.st_mode)) return CommitIn(git);
      constexpr std::string_view kFolder = "gitdir: ";
      const std::string text = TextOf(git);
      if (!text.starts_with(kFolder)) return "";
      const std::string other = text.substr(kFolder.size());
      return CommitIn(other.starts_with('/') ? other : at + "/" + other);
    }
    if (at.size() <= 1) return "";
    at.resize(std::max<size_t>(1, at.rfind('/')));
  }
  return "";
}

GitQuestion::GitQuestion(const std::string& folder) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (int fd = 0; fd < 3; ++fd) {
    posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  // Without locks, so that a git of the user's is not in its way.
  const std::string words[] = {"git", "--no-optional-locks", "-C", folder, "diff", "--quiet",
                               "HEAD"};
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (posix_spawnp(&pid_, "git", &files, &attributes, arguments.data(), environ) != 0) pid_ = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
}

GitQuestion::~GitQuestion() {
  if (pid_ == -1) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<bool> GitQuestion::Changed(double seconds) {
  if (pid_ == -1) return std::nullopt;
  const UniqueFd git = launch::OpenPidfd(pid_);
  pollfd wait{git.get(), POLLIN, 0};
  if (!git.valid() || poll(&wait, 1, static_cast<int>(seconds * 1000)) != 1) return std::nullopt;
  int status = 0;
  if (waitpid(pid_, &status, 0) != pid_) return std::nullopt;
  pid_ = -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) return std::nullopt;
  return WEXITSTATUS(status) == 1;
}

}  // namespace gpusight::cli
