// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <fmt/core.h>

#include <ctime>
#include <iterator>

#include "base/text.h"

namespace gpusight {
namespace {

constexpr std::string_view Name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "?";
}

std::tm Broken(WallTime time, bool utc) {
  const auto seconds = static_cast<std::time_t>(time.ns / 1'000'000'000);
  std::tm parts{};
  if (utc) {
    gmtime_r(&seconds, &parts);
  } else {
    localtime_r(&seconds, &parts);
  }
  return parts;
}

}  // namespace

Log::Log(const Clock& clock, Sink sink, LogLevel least)
    : clock_(clock), sink_(std::move(sink)), least_(least) {}

void Log::Write(LogLevel level, std::string_view event, Fields fields) {
  if (level < least_) return;
  std::string line = fmt::format("time={} level={} event={}", FormatUtc(clock_.Wall()), Name(level),
                                 LogfmtValue(event));
  for (const auto& [key, value] : fields) line += fmt::format(" {}={}", key, LogfmtValue(value));
  line += '\n';
  const std::lock_guard lock(mutex_);
  sink_(line);
}

bool Log::Once(LogLevel level, std::string_view event, std::string_view key, Fields fields) {
  {
    const std::lock_guard lock(mutex_);
    const auto it = seen_.find(key);
    if (it != seen_.end()) {
      ++it->second;
      return false;
    }
    seen_.emplace(key, 1);
  }
  Write(level, event, fields);
  return true;
}

uint64_t Log::Count(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto it = seen_.find(key);
  return it == seen_.end() ? 0 : it->second;
}

void AppendLogfmtValue(std::string& out, std::string_view value) {
  std::string room;
  const std::string_view clean = Printable(value, room);
  if (!clean.empty() && clean.find_first_of(" =\"\\") == std::string_view::npos) {
    out += clean;
    return;
  }
  out += '"';
  for (const char c : clean) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

std::string LogfmtValue(std::string_view value) {
  std::string out;
  AppendLogfmtValue(out, value);
  return out;
}

void AppendUtc(std::string& out, WallTime time) {
  const std::tm t = Broken(time, true);
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
                 t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec,
                 time.ns / 1'000'000 % 1000);
}

std::string FormatUtc(WallTime time) {
  std::string out;
  AppendUtc(out, time);
  return out;
}

void AppendLocal(std::string& out, WallTime time) {
  const std::tm t = Broken(time, false);
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02} {:02}:{:02}:{:02}", t.tm_year + 1900,
                 t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
}

std::string FormatLocal(WallTime time) {
  std::string out;
  AppendLocal(out, time);
  return out;
}

}  // namespace gpusight
