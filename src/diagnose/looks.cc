// SPDX-License-Identifier: Apache-2.0
#include "diagnose/looks.h"

#include <array>

#include "diagnose/idle_attribution.h"
#include "diagnose/window.h"

namespace gpusight::diagnose {
namespace {

bool HasAny(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text.find(word) != text.npos) return true;
  }
  return false;
}

}  // namespace

uint8_t DoingOf(std::string_view stack) {
  unsigned doing = 0;
  const auto add = [&](Doing bit) { doing |= static_cast<unsigned>(bit); };
  std::string_view rest = stack;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view frame = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t blank = frame.find(' ');
    const std::string_view file = frame.substr(0, blank);
    const std::string_view function = blank == frame.npos ? "" : frame.substr(blank + 1);
    // While a module is imported its name says nothing of what is done.
    if (function == "<module>") continue;
    if (HasAny(file, {"dataloader.py", "dataloader_iter.py", "fetch.py", "collate.py"})) {
      add(HasAny(function, {"_try_get_data", "_get_data"}) ? Doing::kWorkerWait : Doing::kData);
    }
    if (HasAny(function, {"__getitem__", "__getitems__"})) add(Doing::kData);
    // The program's own words for it.
    for (const std::string_view word :
         {"load", "load_batch", "next_batch", "get_batch", "read_batch"}) {
      if (function == word && file.find('/') == file.npos) add(Doing::kData);
    }
    if (HasAny(file, {"compile_fx", "inductor", "symbolic_convert", "convert_frame", "triton/",
                      "output_graph", "autotune"})) {
      add(Doing::kCompile);
    }
    if (file.find("serialization.py") != file.npos && function.find("save") != function.npos) {
      add(Doing::kCheckpoint);
    }
    if (HasAny(function, {"save_checkpoint", "save_pretrained", "_save_checkpoint"})) {
      add(Doing::kCheckpoint);
    }
    if (function.starts_with("eval") || function.starts_with("valid") ||
        function.ends_with("_eval") || function.ends_with("_validation")) {
      // torch's own eval_frame.py has functions of such names.
      if (file.find('/') == file.npos) add(Doing::kEvaluation);
    }
    if (HasAny(file, {"distributed_c10d.py"}) || HasAny(function, {"all_reduce", "barrier"})) {
      add(Doing::kCollective);
    }
  }
  // Frames of libraries stand behind their package; PlaceOf() puts them behind a '>'.
  const bool library = PlaceOf(stack).find(" > ") != std::string::npos;
  add(library ? Doing::kDispatch : Doing::kOwnLine);
  // One fetch by the loader in the main thread is no wait for others.
  if ((doing & static_cast<unsigned>(Doing::kWorkerWait)) != 0) {
    doing &= ~static_cast<unsigned>(Doing::kData);
  }
  return static_cast<uint8_t>(doing);
}

}  // namespace gpusight::diagnose
