// SPDX-License-Identifier: Apache-2.0
#include "record/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace gpusight::record {
namespace {

constexpr size_t kLongestValue = 4096;

char Upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
bool IsWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

std::string Uppercase(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), Upper);
  return out;
}

// Parts of names that mean a secret wherever they stand.
constexpr std::array<std::string_view, 16> kAnywhere = {
    "KEY",        "TOKEN",      "SECRET",    "PASSWORD",   "PASSWD",
    "PASSPHRASE", "CREDENTIAL", "COOKIE",    "BEARER",     "AUTH_",
    "_AUTH",      "PRIVATE",    "SIGNATURE", "SESSION_ID", "CONNECTION_STRING",
    "DSN"};
// Those that would hit harmless names are only meant as whole words between '_' or '-'.
constexpr std::array<std::string_view, 8> kWords = {"PASS", "PWD",  "PW",  "AUTH",
                                                    "SAS",  "CERT", "JWT", "PIN"};
// Known to be harmless, though they look otherwise; compared as a whole.
constexpr std::array<std::string_view, 10> kHarmless = {"PWD",
                                                        "OLDPWD",
                                                        "SSH_AUTH_SOCK",
                                                        "TOKENIZERS_PARALLELISM",
                                                        "XDG_SESSION_ID",
                                                        "KEYTIMEOUT",
                                                        "DBUS_SESSION_BUS_ADDRESS",
                                                        "KEYBOARD",
                                                        "NCCL_IB_PKEY",
                                                        "MONKEY"};

// How well-known tokens begin, with the least length of the rest.
struct TokenForm {
  std::string_view begin;
  size_t rest;
};
constexpr std::array<TokenForm, 17> kForms = {{{"ghp_", 20},
                                               {"gho_", 20},
                                               {"ghs_", 20},
                                               {"ghu_", 20},
                                               {"github_pat_", 20},
                                               {"glpat-", 16},
                                               {"hf_", 20},
                                               {"sk-", 20},
                                               {"xoxb-", 16},
                                               {"xoxp-", 16},
                                               {"AKIA", 16},
                                               {"ASIA", 16},
                                               {"AIza", 30},
                                               {"eyJ", 40},
                                               {"npm_", 30},
                                               {"pypi-", 30},
                                               {"wandb_v1_", 20}}};

bool HasWord(std::string_view name, std::string_view word) {
  for (size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || name[at - 1] == '_' || name[at - 1] == '-';
    const bool ends = end == name.size() || name[end] == '_' || name[end] == '-';
    if (begins && ends) return true;
  }
  return false;
}

// "scheme://user:password@host": what stands between "//" and the last '@' before the path.
void HideUrls(std::string& text) {
  for (size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
    const size_t begin = at + 3;
    size_t end = begin;
    while (end < text.size() &&
           std::string_view("/?# \t\r\n\"'").find(text[end]) == std::string::npos) {
      ++end;
    }
    const size_t sign = text.rfind('@', end == 0 ? 0 : end - 1);
    if (sign != std::string::npos && sign >= begin) {
      text.replace(begin, sign - begin, kHidden);
    }
  }
}

// "?token=…&x=…" and "password=…;": the value after a name that means a secret.
void HideAssignments(std::string& text) {
  for (size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    size_t begin = at;
    while (begin > 0 && IsWordByte(text[begin - 1])) --begin;
    if (begin == at || !IsSecretName(std::string_view(text).substr(begin, at - begin))) continue;
    size_t end = at + 1;
    while (end < text.size() &&
           std::string_view("&;, \t\r\n\"'").find(text[end]) == std::string::npos) {
      ++end;
    }
    if (end > at + 1) text.replace(at + 1, end - at - 1, kHidden);
  }
}

void HideTokens(std::string& text) {
  size_t at = 0;
  while (at < text.size()) {
    if (!IsWordByte(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && (IsWordByte(text[end]) || text[end] == '.')) ++end;
    const std::string_view word = std::string_view(text).substr(at, end - at);
    const bool secret = std::any_of(kForms.begin(), kForms.end(), [&](const TokenForm& form) {
      return word.starts_with(form.begin) && word.size() >= form.begin.size() + form.rest;
    });
    if (secret) {
      text.replace(at, end - at, kHidden);
      end = at + kHidden.size();
    }
    at = end;
  }
}

}  // namespace

bool IsSecretName(std::string_view name) {
  std::string upper = Uppercase(name);
  while (upper.starts_with('-')) upper.erase(0, 1);
  if (std::find(kHarmless.begin(), kHarmless.end(), upper) != kHarmless.end()) return false;
  std::replace(upper.begin(), upper.end(), '-', '_');
  // "TOKENIZER", "KEYBOARD", "NUM_TOKENS", "MAX_KEYS": about training, not secrets.
  for (const std::string_view harmless :
       {"TOKENIZER", "KEYBOARD", "NUM_TOKEN", "MAX_TOKEN", "TOKENS_PER", "MAX_KEY", "KEYFRAME"}) {
    for (size_t at = upper.find(harmless); at != std::string::npos; at = upper.find(harmless)) {
      upper.erase(at, harmless.size());
    }
  }
  return std::any_of(
             kAnywhere.begin(), kAnywhere.end(),
             [&](std::string_view part) { return upper.find(part) != std::string::npos; }) ||
         std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return HasWord(upper, word); });
}

std::string HideSecrets(std::string_view value) {
  if (value.find("PRIVATE KEY") != std::string_view::npos) return std::string(kHidden);
  std::string out(value);
  HideUrls(out);
  HideAssignments(out);
  HideTokens(out);
  return out;
}

Pairs KeepHarmless(const char* const* environment) {
  Pairs out;
  if (environment == nullptr) return out;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const size_t sign = entry.find('=');
    if (sign == std::string_view::npos || sign == 0) continue;
    const std::string_view name = entry.substr(0, sign), value = entry.substr(sign + 1);
    out.emplace_back(Capped(name, kLongestValue), IsSecretName(name) && !value.empty()
                                                      ? std::string(kHidden)
                                                      : Capped(HideSecrets(value), kLongestValue));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> KeepHarmless(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  out.reserve(arguments.size());
  bool hide_next = false;
  for (const std::string& word : arguments) {
    const bool option = word.size() > 1 && word.front() == '-';
    if (hide_next && !option) {
      out.emplace_back(kHidden);
      hide_next = false;
      continue;
    }
    hide_next = option && word.find('=') == std::string::npos && IsSecretName(word);
    out.push_back(Capped(HideSecrets(word), kLongestValue));
  }
  return out;
}

}  // namespace gpusight::record
