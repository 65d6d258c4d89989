// SPDX-License-Identifier: Apache-2.0
#include "cli/run_name.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/log.h"
#include "base/text.h"
#include "model/text/run.h"

namespace gpusight::cli {
namespace {

constexpr int kLongest = 40;  // cells of a name within a file's name

std::string_view Last(std::string_view path, char separator) {
  while (path.size() > 1 && path.ends_with(separator)) path.remove_suffix(1);
  return path.substr(path.rfind(separator) + 1);
}

std::string Variable(const Environment& env, const char* name) {
  const char* value = env(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string NameOfRun(const std::vector<std::string>& command) {
  for (size_t i = 1; i < command.size(); ++i) {
    std::string_view word = command[i];
    for (const std::string_view ending : {".py", ".sh"}) {
      if (word.starts_with('-') || !word.ends_with(ending)) continue;
      word = Last(word, '/');
      word.remove_suffix(ending.size());
      if (!word.empty()) return std::string(word);
    }
  }
  // A launcher that is itself a module (python -m torch.distributed.run) is followed by a script,
  // which was found above.
  for (size_t i = 1; i + 1 < command.size(); ++i) {
    if (command[i] == "-m" && !command[i + 1].empty()) {
      return std::string(Last(command[i + 1], '.'));
    }
  }
  return command.empty() ? "" : std::string(Last(command.front(), '/'));
}

std::vector<std::string> RunFolders(const Environment& env) {
  std::vector<std::string> folders{"gpusight-runs"};
  const std::string state = Variable(env, "XDG_STATE_HOME");
  const std::string home = Variable(env, "HOME");
  if (state.starts_with('/')) {
    folders.push_back(state + "/gpusight/runs");
  } else if (home.starts_with('/')) {
    folders.push_back(home + "/.local/state/gpusight/runs");
  }
  const std::string temporary = Variable(env, "TMPDIR");
  folders.push_back((temporary.starts_with('/') ? temporary : "/tmp") + "/gpusight-runs-" +
                    std::to_string(geteuid()));
  return folders;
}

std::string FileOfRun(WallTime now, const std::string& name) {
  std::string file;
  for (const char c : FormatLocal(now)) {
    if (c == ' ') file += '-';
    if (c >= '0' && c <= '9') file += c;
  }
  std::string part;
  for (const char c : name) {
    const bool plain = static_cast<unsigned char>(c) > ' ' && c != '/' && c != 127;
    part += plain ? c : '_';
  }
  part = Truncate(Printable(part), kLongest, "");
  if (!part.empty()) file += "-" + part;
  return file + std::string(kRecordingSuffix);
}

std::string FreeName(const std::string& path) {
  struct stat info{};
  const auto free = [&info](const std::string& one) {
    return lstat(one.c_str(), &info) != 0 && errno == ENOENT;
  };
  if (lstat(path.c_str(), &info) != 0) return path;  // free, or an error that opening will tell
  const bool suffix = path.ends_with(kRecordingSuffix);
  const std::string front = suffix ? path.substr(0, path.size() - kRecordingSuffix.size()) : path;
  for (int number = 2;; ++number) {
    std::string one = fmt::format("{}-{}{}", front, number, suffix ? kRecordingSuffix : "");
    if (free(one) || number == 10000) return one;
  }
}

std::string CurrentFolder() {
  char* const here = getcwd(nullptr, 0);
  std::string out = here == nullptr ? "" : here;
  free(here);  // NOLINT: getcwd(3) allocates so
  return out;
}

std::string Absolute(const std::string& path) {
  const std::string here = path.starts_with('/') ? "" : CurrentFolder();
  return here.empty() ? path : here + "/" + path;
}

Result<void> CheckTag(std::string_view word, Language language) {
  if (word.find('=') != std::string_view::npos && !word.starts_with('=')) return {};
  return Fail(ErrorCode::kUsage, Say(language, text::kRunBadTag, Printable(word)),
              Say(language, text::kRunTagForm));
}

std::vector<std::pair<std::string, std::string>> TagPairs(const std::vector<std::string>& tags) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& tag : tags) {
    const size_t sign = tag.find('=');
    out.emplace_back(tag.substr(0, sign), tag.substr(sign + 1));
  }
  return out;
}

}  // namespace gpusight::cli
