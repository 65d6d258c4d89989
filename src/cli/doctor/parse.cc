// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/parse.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "probe/cgroup/values.h"

namespace gpusight::doctor {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// "580.159.04": digits and points, at least one point, ending in a digit.
bool IsVersion(std::string_view text) {
  const bool shape =
      std::all_of(text.begin(), text.end(), [](char c) { return IsDigit(c) || c == '.'; });
  return shape && !text.empty() && IsDigit(text.front()) && IsDigit(text.back()) &&
         text.find('.') != std::string_view::npos;
}

// The run of digits and points at the front.
std::string_view VersionPrefix(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) ++end;
  while (end > 0 && text[end - 1] == '.') --end;
  return text.substr(0, end);
}

// What follows `key` on its line of a "Key:\tvalue" file, trimmed.
std::optional<std::string_view> ValueOf(std::string_view text, std::string_view key) {
  while (const auto line = NextLine(text)) {
    if (line->starts_with(key)) return Trim(line->substr(key.size()));
  }
  return std::nullopt;
}

// The records of the kernel's log name a bus as "PCI:0000:00:06"; the whole form has ".0" behind.
std::string BusOf(std::string_view message) {
  const size_t begin = message.find("(PCI:");
  const size_t end = message.find(')', begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return {};
  return std::string(message.substr(begin + 5, end - begin - 5));
}

}  // namespace

void ParseDriverVersion(std::string_view text, KernelDriver& driver) {
  const auto line = ValueOf(text, "NVRM version:");
  if (!line) return;
  driver.open_source = line->find("Open Kernel Module") != std::string_view::npos;
  std::string_view rest = *line;
  while (const auto word = NextWord(rest)) {
    if (!IsVersion(*word)) continue;
    driver.version = *word;
    return;
  }
}

std::optional<bool> ParseProfilingParameter(std::string_view text) {
  const auto value = ValueOf(text, "RmProfilingAdminOnly:");
  const auto number = value ? ParseNumber<int>(*value) : std::nullopt;
  if (!number) return std::nullopt;
  return *number != 0;
}

bool HasModule(std::string_view modules, std::string_view name) {
  while (const auto line = NextLine(modules)) {
    std::string_view rest = *line;
    if (NextWord(rest) == name) return true;
  }
  return false;
}

bool NamesNvidiaModule(std::string_view dependencies) {
  while (const auto line = NextLine(dependencies)) {
    const std::string_view path = line->substr(0, line->find(':'));
    if (path.find("/nvidia.ko") != std::string_view::npos) return true;
  }
  return false;
}

std::optional<std::string> VersionOfLibrary(std::string_view file_name, std::string_view stem) {
  if (!file_name.starts_with(stem)) return std::nullopt;
  const std::string_view version = file_name.substr(stem.size());
  return IsVersion(version) ? std::optional(std::string(version)) : std::nullopt;
}

std::vector<std::string> VersionsInSpec(std::string_view text) {
  std::vector<std::string> versions;
  for (const std::string_view stem : {"libcuda.so.", "libnvidia-ml.so."}) {
    for (size_t at = text.find(stem); at != std::string_view::npos; at = text.find(stem, at + 1)) {
      const std::string_view version = VersionPrefix(text.substr(at + stem.size()));
      if (!IsVersion(version)) continue;
      if (std::find(versions.begin(), versions.end(), version) == versions.end()) {
        versions.emplace_back(version);
      }
    }
  }
  return versions;
}

Known<double> ParseLimitLine(std::string_view limits, std::string_view name) {
  auto value = ValueOf(limits, name);
  const auto word = value ? NextWord(*value) : std::nullopt;
  if (!word) return Absence::kNotSupported;
  if (*word == "unlimited") return Absence::kNoLimit;
  const auto number = ParseNumber<uint64_t>(*word);
  if (!number) return Absence::kImplausible;
  return static_cast<double>(*number);
}

std::optional<uint64_t> ParseStatusMask(std::string_view status, std::string_view key) {
  const auto value = ValueOf(status, key);
  return value ? ParseNumber<uint64_t>(*value, 16) : std::nullopt;
}

std::optional<uint64_t> ParseStatusNumber(std::string_view status, std::string_view key) {
  auto value = ValueOf(status, key);
  const auto word = value ? NextWord(*value) : std::nullopt;
  return word ? ParseNumber<uint64_t>(*word) : std::nullopt;
}

int ParseCpusAllowed(std::string_view status) {
  const auto value = ValueOf(status, "Cpus_allowed_list:");
  return value ? cgroup::CountCpuList(*value).value_or(0) : 0;
}

std::optional<uint64_t> ParseNamespaceLink(std::string_view link) {
  const size_t open = link.find(":[");
  if (open == std::string_view::npos || !link.ends_with(']')) return std::nullopt;
  return ParseNumber<uint64_t>(link.substr(open + 2, link.size() - open - 3));
}

std::vector<std::pair<std::string, std::string>> ParseEnvironment(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const std::string_view entry : Split(text, '\0')) {
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    variables.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return variables;
}

std::vector<XidMessage> ParseKernelLog(std::string_view records) {
  std::vector<XidMessage> messages;
  while (const auto line = NextLine(records)) {
    const size_t semicolon = line->find(';');
    if (semicolon == std::string_view::npos) continue;
    const std::string_view message = line->substr(semicolon + 1);
    if (!message.starts_with("NVRM: Xid (")) continue;
    const size_t colon = message.find("): ");
    if (colon == std::string_view::npos) continue;
    std::string_view number = message.substr(colon + 3);
    number = number.substr(0, number.find(','));
    const auto xid = ParseNumber<int>(Trim(number));
    const auto prefix = Split(line->substr(0, semicolon), ',');
    const auto time = prefix.size() > 2 ? ParseNumber<uint64_t>(prefix[2]) : std::nullopt;
    if (!xid || !time) continue;
    messages.push_back({*xid, BusOf(message), static_cast<double>(*time) * 1e-6});
  }
  return messages;
}

}  // namespace gpusight::doctor
