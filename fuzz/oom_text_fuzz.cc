// SPDX-License-Identifier: Apache-2.0
// Logs, in pieces of a size that the first byte gives: what is found may not depend on it.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "memory/oom_scanner.h"

namespace {

gpusight::memory::OomScan Scan(std::string_view log, size_t piece) {
  gpusight::memory::OomScanner scanner;
  for (size_t at = 0; at < log.size(); at += piece) scanner.Feed(log.substr(at, piece));
  return scanner.Finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view log(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = Scan(log, log.size() + 1);
  const auto pieces = Scan(log, data[0] + size_t{1});
  if (whole.texts.size() != pieces.texts.size() || whole.lines != pieces.lines) std::abort();
  for (size_t i = 0; i < whole.texts.size(); ++i) {
    if (whole.texts[i].requested != pieces.texts[i].requested) std::abort();
  }
  return 0;
}
