// SPDX-License-Identifier: Apache-2.0
// Which option gets which value: defaults in the code, then the configuration file, then the
// command line. The keys of the file are the long names of the options, those of a command in a
// section with its name. Next: config.h, program.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/config.h"
#include "cli/context.h"
#include "cli/origins.h"
#include "cli/parse.h"

namespace gpusight::cli {

// The file to read: `named` (--config) or the usual one; "" when there is none.
[[nodiscard]] std::string ConfigPath(const std::string& named, const Environment& env);

// Its settings; none for an empty path. A missing file is only an error when it was `named`; the
// usual one that cannot be read is a kIo error, with which the program can go on. A named one may
// be a pipe.
[[nodiscard]] Result<std::vector<Setting>> ReadConfig(const std::string& path, bool named,
                                                      Language language);

// Checks all settings against the declarations and sets those of the top level (`command` -1) or
// of one command's section, remembering where they stand. Errors begin with the place in the file.
[[nodiscard]] Result<void> ApplyConfig(std::span<const Setting> settings, const std::string& path,
                                       const Options& global, const std::vector<Grammar>& commands,
                                       int command, Language language, Origins& origins);

}  // namespace gpusight::cli
