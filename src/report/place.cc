// SPDX-License-Identifier: Apache-2.0
// Names for places in a program, out of its stacks ("train.py:12 main;data.py:88 load").
#include <algorithm>
#include <array>
#include <map>

#include "report/idle_attribution.h"

namespace gpusight::report {
namespace {

struct Parts {
  std::string_view file, line, function;  // "data.py", "88", "load"
};

Parts PartsOf(std::string_view frame) {
  Parts parts;
  const size_t blank = frame.find(' ');
  const std::string_view where = frame.substr(0, blank);
  if (blank != std::string_view::npos) parts.function = frame.substr(blank + 1);
  const size_t colon = where.rfind(':');
  parts.file = where.substr(0, colon);
  if (colon != std::string_view::npos) parts.line = where.substr(colon + 1);
  return parts;
}

std::string_view Basename(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Files of Python's library and of the frameworks in which programs are found waiting. A path says
// more where the program told one.
constexpr std::array<std::string_view, 36> kLibraryFiles = {
    "_reduction.py",      "_tensor.py",    "adam.py",       "adamw.py",         "autocast_mode.py",
    "connection.py",      "container.py",  "context.py",    "conv.py",          "dataloader.py",
    "dataloader_iter.py", "decorators.py", "eval_frame.py", "fetch.py",         "functional.py",
    "grad_mode.py",       "graph.py",      "linear.py",     "lr_scheduler.py",  "module.py",
    "optimizer.py",       "pin_memory.py", "popen_fork.py", "process.py",       "queue.py",
    "queues.py",          "reductions.py", "selectors.py",  "serialization.py", "sgd.py",
    "socket.py",          "ssl.py",        "subprocess.py", "synchronize.py",   "threading.py",
    "worker.py"};

bool IsLibrary(std::string_view file) {
  const auto has = [file](std::string_view word) { return file.find(word) != file.npos; };
  if (has("site-packages/") || has("dist-packages/") || has("/lib/python")) return true;
  if (file.starts_with('<')) return true;  // "<frozen importlib._bootstrap>", "<string>"
  for (const std::string_view room : {"torch/", "paddle/", "jax/", "tensorflow/"}) {
    if (file.starts_with(room)) return true;
  }
  // With a path outside of the libraries it is the program's own.
  if (file.find('/') != file.npos) return false;
  return std::find(kLibraryFiles.begin(), kLibraryFiles.end(), file) != kLibraryFiles.end();
}

}  // namespace

std::string_view InnermostFrame(std::string_view stack) {
  while (stack.ends_with(';')) stack.remove_suffix(1);
  return stack.substr(stack.rfind(';') + 1);
}

std::string PlaceOf(std::string_view stack) {
  std::string_view outside_library, first_of_library;
  std::string_view outermost_file;
  for (std::string_view rest = stack; !rest.empty();) {
    const std::string_view frame = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), frame.size() + 1));
    if (frame.empty()) continue;
    const std::string_view file = PartsOf(frame).file;
    if (outermost_file.empty() && !file.starts_with('<')) outermost_file = file;
    if (file != outermost_file && IsLibrary(file)) {
      if (first_of_library.empty()) first_of_library = frame;
    } else if (!file.starts_with('<')) {
      outside_library = frame;
      first_of_library = {};
    }
  }
  if (outside_library.empty()) return std::string(InnermostFrame(stack));
  const auto name = [](std::string_view frame) {
    const Parts parts = PartsOf(frame);
    std::string out(Basename(parts.file));
    if (!parts.line.empty()) out.append(":").append(parts.line);
    if (!parts.function.empty() && parts.function != "<module>") {
      out.append(" ").append(parts.function);
    }
    return out;
  };
  std::string place = name(outside_library);
  if (first_of_library.empty()) return place;
  const Parts library = PartsOf(first_of_library);
  place += " > ";
  place += library.function.empty() ? Basename(library.file) : library.function;
  return place;
}

std::vector<PlaceTime> Places(const IdleReport& report) {
  std::map<std::string, double> idle;
  for (const StackTime& stack : report.stacks) idle[PlaceOf(stack.stack)] += stack.idle;
  std::vector<PlaceTime> places;
  places.reserve(idle.size());
  for (const auto& [place, seconds] : idle) places.push_back({place, seconds});
  std::stable_sort(places.begin(), places.end(),
                   [](const PlaceTime& a, const PlaceTime& b) { return a.idle > b.idle; });
  return places;
}

}  // namespace gpusight::report
