// SPDX-License-Identifier: Apache-2.0
// Which values come from the configuration file, and from which place in it. A mistake that only
// the command itself can notice (a device that this machine has not) is told with its place, too.
// Filled by settings.h; asked through context.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/config.h"
#include "cli/options.h"

namespace gpusight::cli {

class Origins {
 public:
  // `setting` of the file `path` is now the option's value.
  void Remember(const Option& option, const Setting& setting, std::string_view path);
  // The command line gave it another.
  void Forget(const Option& option);

  [[nodiscard]] bool FromConfig(std::string_view long_name) const;

  // "config.toml:3:11: " for the item that is or holds `word`, else for the whole value; "" when
  // the option's value is not the file's.
  [[nodiscard]] std::string Place(std::string_view long_name, std::string_view word) const;

 private:
  struct Origin {
    std::string_view long_name;
    std::string path;
    Setting setting;
  };
  const Origin* Find(std::string_view long_name) const;
  std::vector<Origin> origins_;
};

}  // namespace gpusight::cli
