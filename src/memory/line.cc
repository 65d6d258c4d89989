// SPDX-License-Identifier: Apache-2.0
#include "memory/line.h"

#include "base/text.h"
#include "memory/amount.h"

namespace gpusight::memory {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The length of the escape sequence whose ESC stood just before `rest`.
size_t EscapeLength(std::string_view rest) {
  if (rest.empty()) return 0;
  if (rest.front() == '[') {  // CSI: parameters, then one byte from '@' to '~'
    size_t n = 1;
    while (n < rest.size() && rest[n] >= ' ' && rest[n] < '@') ++n;
    return n < rest.size() && rest[n] >= '@' && rest[n] <= '~' ? n + 1 : n;
  }
  if (rest.front() == ']') {  // OSC: up to BEL or ESC backslash
    constexpr size_t kMost = 2048;
    for (size_t n = 1; n < rest.size() && n < kMost; ++n) {
      if (rest[n] == '\a') return n + 1;
      if (rest[n] == '\x1b') return n + (n + 1 < rest.size() && rest[n + 1] == '\\' ? 2 : 0);
    }
    return 1;  // never ends: only its head is dropped
  }
  return rest.front() >= ' ' && rest.front() <= '~' ? 1 : 0;
}

uint64_t Hash(std::string_view text) {
  uint64_t hash = 14695981039346656037ull;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash | 1;
}

// Takes "[rank3]:" or the like off `rest`.
bool TakeBracket(std::string_view& rest, Label& label) {
  std::string_view text = rest;
  if (text.empty() || text.front() != '[') return false;
  text.remove_prefix(1);
  bool of_mpi = false;
  if (text.starts_with("rank")) {
    text.remove_prefix(4);
    if (text.starts_with(' ')) text.remove_prefix(1);
  } else if (text.starts_with("default")) {
    text.remove_prefix(7);
  } else {
    const auto job = TakeWhole(text);  // "[1,3]<stderr>:"
    if (!job || !text.starts_with(',')) return false;
    text.remove_prefix(1);
    of_mpi = true;
  }
  if (text.empty() || !IsDigit(text.front())) return false;
  const auto rank = TakeWhole(text);
  if (!rank || *rank > 10'000'000 || !text.starts_with(']')) return false;
  text.remove_prefix(1);
  if (of_mpi) {
    if (!text.starts_with('<')) return false;
    const size_t end = text.find('>');
    if (end == std::string_view::npos || end > 12) return false;
    text.remove_prefix(end + 1);
  }
  if (!text.starts_with(':')) return false;
  text.remove_prefix(1);
  label.rank = static_cast<int>(*rank);
  label.source = *rank + 2;
  rest = text;
  return true;
}

// "3: " of `srun --label`.
bool TakeNumber(std::string_view& rest, Label& label) {
  std::string_view text = rest;
  if (text.empty() || !IsDigit(text.front())) return false;
  const auto rank = TakeWhole(text);
  if (!rank || *rank > 99'999 || !text.starts_with(": ")) return false;
  text.remove_prefix(2);
  label.rank = static_cast<int>(*rank);
  label.source = *rank + 2;
  rest = text;
  return true;
}

// "(RayTrainWorker pid=812, ip=10.0.0.1) " and "(EngineCore_0 pid=812) ".
bool TakePid(std::string_view& rest, Label& label) {
  if (rest.empty() || rest.front() != '(') return false;
  const size_t end = rest.substr(0, 160).find(')');
  if (end == std::string_view::npos) return false;
  const std::string_view inside = rest.substr(1, end - 1);
  const size_t at = inside.find("pid=");
  if (at == std::string_view::npos) return false;
  label.source = Hash(inside);
  rest.remove_prefix(end + 1);
  return true;
}

// "2026-11-30T19:35:10.123456789Z stderr F " of a container runtime.
bool TakeStamp(std::string_view& rest) {
  const size_t blank = rest.substr(0, 48).find(' ');
  if (blank == std::string_view::npos || blank < 20 || rest[4] != '-' || rest[10] != 'T') {
    return false;
  }
  std::string_view text = rest.substr(blank + 1);
  for (const std::string_view stream :
       {"stdout F ", "stderr F ", "stdout P ", "stderr P ", "stdout ", "stderr "}) {
    if (!text.starts_with(stream)) continue;
    rest = text.substr(stream.size());
    return true;
  }
  return false;
}

}  // namespace

void CleanLine(std::string_view raw, std::string& out) {
  out.clear();
  const std::string_view head = Trim(raw);
  const bool json = !head.empty() && head.front() == '{';
  const std::string_view kSpecial("\x1b\0\\", json ? 3 : 2);
  while (!raw.empty()) {
    const size_t at = std::min(raw.find_first_of(kSpecial), raw.size());
    out += raw.substr(0, at);
    raw.remove_prefix(at);
    if (raw.empty()) break;
    const char c = raw.front();
    raw.remove_prefix(1);
    if (c == '\x1b') {
      raw.remove_prefix(EscapeLength(raw));
    } else if (c == '\\') {  // a line inside a JSON string
      if (raw.starts_with("u001b") || raw.starts_with("u001B")) {
        raw.remove_prefix(5);
        raw.remove_prefix(EscapeLength(raw));
      } else if (raw.starts_with('n') || raw.starts_with('t') || raw.starts_with('r')) {
        raw.remove_prefix(1);
        out += ' ';
      } else {
        out += c;
      }
    }
  }
}

Label LabelOf(std::string_view clean) {
  Label label;
  std::string_view rest = clean;
  const auto skip_blanks = [&rest] {
    while (!rest.empty() && IsBlank(rest.front())) rest.remove_prefix(1);
  };
  // Several may stand one after another: a launcher's, then PyTorch's own.
  constexpr int kMostLabels = 4;
  for (int i = 0; i < kMostLabels; ++i) {
    const std::string_view before = rest;
    skip_blanks();
    if (TakeBracket(rest, label) || TakePid(rest, label) || TakeStamp(rest)) continue;
    if (i == 0 && TakeNumber(rest, label)) continue;
    rest = before;
    break;
  }
  if (label.source != 0 || rest.size() != clean.size()) {
    if (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  }
  label.length = clean.size() - rest.size();
  return label;
}

std::string_view Unboxed(std::string_view clean) {
  constexpr std::string_view kBar = "│";
  const auto trim = [&clean] {
    while (!clean.empty() && IsBlank(clean.front())) clean.remove_prefix(1);
    while (!clean.empty() && IsBlank(clean.back())) clean.remove_suffix(1);
  };
  trim();
  if (clean.starts_with(kBar)) clean.remove_prefix(kBar.size());
  if (clean.ends_with(kBar)) clean.remove_suffix(kBar.size());
  trim();
  return clean;
}

void AppendWords(std::string& text, std::string_view line) {
  bool blank = !text.empty();
  for (const char c : line) {
    if (IsBlank(c)) {
      blank = true;
      continue;
    }
    if (blank && !text.empty() && text.back() != ' ') text += ' ';
    blank = false;
    text += c;
  }
}

}  // namespace gpusight::memory
