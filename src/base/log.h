// SPDX-License-Identifier: Apache-2.0
// Our own diary, apart from what commands print: one logfmt line per event, to a sink that is
// passed in (standard error, a file, a test's string). Functions return errors and do not log
// them; the place that decides to go on logs once. Repeats of one key are counted, not printed.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"

namespace gpusight {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// Thread-safe. The clock and the sink must outlive it.
class Log {
 public:
  using Sink = std::function<void(std::string_view line)>;  // one line with its '\n'
  using Fields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  Log(const Clock& clock, Sink sink, LogLevel least = LogLevel::kWarning);

  void Write(LogLevel level, std::string_view event, Fields fields = {});

  // Writes the first time that `key` is seen, counts from then on. True when it was written.
  bool Once(LogLevel level, std::string_view event, std::string_view key, Fields fields = {});

  // How often Once() was called with that key.
  uint64_t Count(std::string_view key) const;

 private:
  const Clock& clock_;
  Sink sink_;
  LogLevel least_;
  mutable std::mutex mutex_;
  std::map<std::string, uint64_t, std::less<>> seen_;
};

// `value` as a logfmt value: quoted and escaped where it must be.
[[nodiscard]] std::string LogfmtValue(std::string_view value);
void AppendLogfmtValue(std::string& out, std::string_view value);

// A moment as "2026-04-05T10:00:00.123Z".
[[nodiscard]] std::string FormatUtc(WallTime time);
void AppendUtc(std::string& out, WallTime time);

// A moment in the machine's time zone as "2026-04-05 10:00:00".
[[nodiscard]] std::string FormatLocal(WallTime time);
void AppendLocal(std::string& out, WallTime time);

}  // namespace gpusight
