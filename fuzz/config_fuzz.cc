// SPDX-License-Identifier: Apache-2.0
// Any bytes as a configuration file: either settings or an error that names a place.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cli/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gpusight;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto settings = cli::ParseConfig(text, "config.toml", Language::kEnglish);
  if (!settings) {
    if (settings.error().what.empty() || settings.error().remedy.empty()) std::abort();
    return 0;
  }
  for (const cli::Setting& setting : *settings) {
    for (const cli::Position& at : {setting.key_at, setting.at}) {
      if (at.line == 0 || at.column == 0) std::abort();
    }
    for (const cli::Setting::Item& item : setting.items) {
      if (item.at.line < setting.at.line) std::abort();
    }
  }
  return 0;
}
