// SPDX-License-Identifier: Apache-2.0
// Names of users, from the passwd file below the Root. Directory services (LDAP, SSSD) are not
// asked: their answer would come from this machine also when --root names another, and may take
// seconds. An unknown user is shown by number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/fd.h"

namespace gpusight::host {

// The names in a passwd file; the first line of a number counts, as in getpwuid(3).
[[nodiscard]] std::unordered_map<uint32_t, std::string> ParsePasswd(std::string_view text);

class Users {
 public:
  explicit Users(const Root& root) : path_(root.Path("/etc/passwd")) { Reload(); }
  // Reads the file again if it changed.
  void Reload();
  // The name, or the number as text.
  [[nodiscard]] std::string NameOf(uint32_t uid) const;

 private:
  std::string path_;
  int64_t changed_ = -1;
  std::unordered_map<uint32_t, std::string> names_;
};

}  // namespace gpusight::host
