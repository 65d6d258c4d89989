// SPDX-License-Identifier: Apache-2.0
#include "memory/progress.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "memory/amount.h"

namespace gpusight::memory {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return Lower(c) >= 'a' && Lower(c) <= 'z'; }

size_t FindWord(std::string_view line, std::string_view word, size_t from) {
  const auto at = std::search(line.begin() + static_cast<ptrdiff_t>(from), line.end(), word.begin(),
                              word.end(), [](char a, char b) { return Lower(a) == b; });
  return static_cast<size_t>(at - line.begin());
}

// The whole number behind `word` and at most a few of " :=[(#'\"_": "step: 120", "Epoch [3/10]",
// "global_step=120", "'step': 120". Words between ("step time: 0.3") make it no number of steps.
std::optional<uint64_t> NumberBehind(std::string_view line, std::string_view word) {
  for (size_t at = FindWord(line, word, 0); at < line.size(); at = FindWord(line, word, at + 1)) {
    size_t i = at + word.size();
    if (line.substr(i).starts_with("ation")) i += 5;  // iteration
    if (i < line.size() && Lower(line[i]) == 's' && word != "it") ++i;
    const size_t limit = std::min(line.size(), i + 12);
    const size_t begin = i;
    while (i < limit && std::string_view(" :=[(#'\"\t").find(line[i]) != std::string_view::npos)
      ++i;
    if (i == begin || i >= line.size() || !IsDigit(line[i])) continue;
    std::string_view rest = line.substr(i);
    const auto number = TakeWhole(rest);
    if (!number) continue;
    // "epoch 0.43" is epoch 0; "step 0.3s" is a time.
    if (rest.size() > 1 && rest[0] == '.' && IsDigit(rest[1]) && word != "epoch") continue;
    if (!rest.empty() && IsLetter(rest[0]) && !rest.starts_with("th")) continue;
    return number;
  }
  return std::nullopt;
}

// tqdm: " 12%|█▏        | 120/1000 [00:10<01:20"
std::optional<uint64_t> BarCount(std::string_view line) {
  const size_t bar = line.find("%|");
  if (bar == std::string_view::npos) return std::nullopt;
  const size_t end = line.find("| ", bar + 2);
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(end + 1);
  const auto count = TakeWhole(rest);
  return count && rest.starts_with('/') ? count : std::nullopt;
}

bool Has(std::string_view text, std::string_view part) {
  return FindWord(text, part, 0) < text.size();
}

// `File "train.py", line 140, in f`
std::optional<TraceLine> PythonLine(std::string_view line) {
  constexpr std::string_view kHead = "File \"";
  if (!line.starts_with(kHead)) return std::nullopt;
  line.remove_prefix(kHead.size());
  const size_t quote = line.find('"');
  if (quote == std::string_view::npos) return std::nullopt;
  TraceLine out;
  out.file = Capped(line.substr(0, quote), 256);
  line.remove_prefix(quote + 1);
  if (!line.starts_with(", line ")) return std::nullopt;
  line.remove_prefix(7);
  const auto number = TakeWhole(line);
  if (!number || *number > UINT32_MAX) return std::nullopt;
  out.line = static_cast<uint32_t>(*number);
  if (line.starts_with(", in ")) out.function = Capped(Trim(line.substr(5)), 96);
  return out;
}

// "/job/train.py:140 in training_step"
std::optional<TraceLine> RichLine(std::string_view line) {
  const size_t at = line.find(".py:");
  if (at == std::string_view::npos || at > 512) return std::nullopt;
  const std::string_view file = line.substr(0, at + 3);
  if (file.find(' ') != std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + 4);
  const auto number = TakeWhole(rest);
  if (!number || *number > UINT32_MAX) return std::nullopt;
  if (rest.starts_with(',')) rest.remove_prefix(1);
  if (!rest.starts_with(" in ")) return std::nullopt;
  TraceLine out;
  out.file = Capped(file, 256);
  out.line = static_cast<uint32_t>(*number);
  out.function = Capped(Trim(rest.substr(4)), 96);
  return out;
}

}  // namespace

Progress ProgressOf(std::string_view line) {
  Progress out;
  out.epoch = NumberBehind(line, "epoch");
  out.step = NumberBehind(line, "step");
  if (!out.step) out.step = NumberBehind(line, "iter");
  if (!out.step) out.step = BarCount(line);
  return out;
}

bool IsLater(const Progress& before, const Progress& after) {
  if (before.epoch && after.epoch && *after.epoch != *before.epoch) {
    return *after.epoch > *before.epoch;
  }
  if (before.step && after.step) return *after.step > *before.step;
  return !before.step && !before.epoch && (after.step || after.epoch);
}

std::optional<TraceLine> TraceLineOf(std::string_view line) {
  line = Trim(line);
  if (auto python = PythonLine(line)) return python;
  return RichLine(line);
}

bool IsLibrary(const TraceLine& line) {
  constexpr std::string_view kPlaces[] = {"site-packages/", "dist-packages/", "/lib/python",
                                          "<frozen ",       "<string>",       "site-packages\\",
                                          "\\lib\\"};
  return std::any_of(std::begin(kPlaces), std::end(kPlaces), [&line](std::string_view place) {
    return line.file.find(place) != std::string::npos;
  });
}

const TraceLine* OwnLine(std::span<const TraceLine> trace) {
  for (size_t i = trace.size(); i > 0; --i) {
    if (!IsLibrary(trace[i - 1])) return &trace[i - 1];
  }
  return trace.empty() ? nullptr : &trace.back();
}

Framework FrameworkOf(std::span<const TraceLine> trace) {
  for (size_t i = trace.size(); i > 0; --i) {
    const std::string& file = trace[i - 1].file;
    if (!IsLibrary(trace[i - 1])) continue;
    for (const auto& [part, framework] : {std::pair("/torch/", Framework::kPyTorch),
                                          {"/paddle/", Framework::kPaddle},
                                          {"/jax/", Framework::kJax},
                                          {"/tensorflow/", Framework::kTensorFlow},
                                          {"/keras/", Framework::kTensorFlow}}) {
      if (file.find(part) != std::string::npos) return framework;
    }
  }
  return Framework::kOther;
}

void ReadTrace(std::span<const TraceLine> trace, OomText& out) {
  for (const TraceLine& line : trace) {
    if (line.function == "decorate_context" || line.function == "_decorate_function") {
      out.no_grad = true;  // @torch.no_grad(), @paddle.no_grad()
    }
    if (IsLibrary(line) && line.function == "backward") out.backward = true;
    if (IsLibrary(line) && line.file.find("lightning") == std::string::npos &&
        line.file.find("transformers/trainer") == std::string::npos) {
      continue;
    }
    if (Has(line.function, "eval") || Has(line.function, "valid")) {
      out.phase = OomPhase::kEvaluation;
    } else if (Has(line.function, "train") && out.phase == OomPhase::kUnknown) {
      out.phase = OomPhase::kTraining;
    }
  }
  if (out.backward) out.phase = OomPhase::kTraining;
}

}  // namespace gpusight::memory
