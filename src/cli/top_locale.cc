// SPDX-License-Identifier: Apache-2.0
#include "cli/top_locale.h"

#include <langinfo.h>

#include <cctype>
#include <clocale>
#include <string>
#include <string_view>

namespace gpusight::cli {
namespace {

std::string_view Codeset() { return nl_langinfo(CODESET); }

bool NamesUtf8(const Environment& env) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = env(name);
    if (value == nullptr || *value == 0) continue;
    std::string lower;
    for (const char* c = value; *c != 0; ++c) {
      if (*c != '-') {
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
      }
    }
    return lower.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

bool PrepareCharacters(const Environment& env, Language language) {
  const bool found = std::setlocale(LC_CTYPE, "") != nullptr;
  const bool ascii = Codeset() == "ANSI_X3.4-1968";
  if ((!found && NamesUtf8(env)) || (language == Language::kChinese && (!found || ascii))) {
    std::setlocale(LC_CTYPE, "C.UTF-8");
  }
  return Codeset() == "UTF-8";
}

}  // namespace gpusight::cli
