// SPDX-License-Identifier: Apache-2.0
// What a command gets to work with: the clock, the language, the sinks, and the samplers. cli/ is
// the only room that reads the environment and the system clock, and it does so in program.cc; all
// others, and all tests, receive them through this. Next: run.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "base/language.h"
#include "base/log.h"
#include "cli/exit_code.h"
#include "cli/origins.h"
#include "cli/output.h"
#include "export/style.h"
#include "launch/inherited.h"
#include "probe/sampler.h"

namespace gpusight::cli {

// The environment variables, passed in. The live one is program.cc's; a test hands in a map.
using Environment = std::function<const char*(const char* name)>;

struct Surface;  // surface.h

// Options that every command takes.
struct GlobalOptions {
  std::string nvml;    // --nvml: the driver's library
  std::string root;    // --root: the folder that stands for "/"
  std::string lang;    // --lang: en or zh
  std::string config;  // --config
  std::string log_file;
  std::string color = "auto";
  bool demo = false;
  bool help = false;
  bool version = false;
};

// A sentence for standard error, with our name in front: one line, on a terminal broken at blanks.
[[nodiscard]] std::string WarningLine(std::string_view sentence, int columns, Language language);

struct Context {
  const Clock& clock;
  Log& log;
  Output& out;
  Output& err;
  Environment env;
  const char* const* variables = nullptr;  // all of the environment, as environ(7)
  GlobalOptions options;
  Language language = Language::kEnglish;
  Root root;
  bool out_is_terminal = false;
  bool in_is_terminal = false;
  bool err_is_terminal = false;
  bool color = false;                // colours may be used on `out`
  bool unicode = true;               // `out` can show more than ASCII
  int columns = 80;                  // width of `out`; 80 when nothing tells it
  bool columns_known = false;        // the terminal or COLUMNS told it
  int err_columns = 0;               // width of `err`; 0 when it is no terminal
  std::string program;               // path of our own executable, "" when not known
  const Surface* surface = nullptr;  // all commands and options, for what is made from them
  int diary = -1;                    // descriptor of --log-file
  launch::Inherited inherited = {};  // for a program that we start
  Origins origins;                   // which options the configuration file gave their values

  template <typename... Args>
  std::string Say(const Text& text, const Args&... args) const {
    return gpusight::Say(language, text, args...);
  }

  // `error` is about `value` of that option: begins it with the place in the configuration file
  // when it stands there.
  Error Blame(std::string_view option, std::string_view value, Error error) const;

  // One sentence for the user on standard error, for what does not end the command.
  void Warn(std::string_view sentence) const;

  // How pages on `out` look.
  exporting::Style PageStyle() const {
    return {.columns = columns,
            .color = color,
            .unicode = unicode,
            .language = language,
            .cut_tables = columns_known || out_is_terminal};
  }

  // A sampler on the chosen library and root (--nvml, --root, --demo).
  std::unique_ptr<Sampler> MakeSampler(SamplerOptions sampler_options) const;

  // The error that stands for "nothing can be measured" when the frame's driver is not ok, lists
  // no device, or lets us open none; ok otherwise. Exit code 3; 1 for a driver that is silent.
  Result<void> CheckUsable(const Frame& frame) const;
  // The driver as the error describes it: ok only when there is a device to measure.
  static DriverInfo StateOf(const Frame& frame);
  // For programs, which get a whole document on standard output also then: `append` writes it with
  // the devices at those positions; the frame's driver says what is the matter.
  Result<void> WriteUnusable(
      Frame& frame, const std::function<void(std::string&, std::span<const size_t>)>& append) const;

  // The same for a frame that is shown: when all its devices are lost or the like.
  ExitCode CodeOf(const Frame& frame) const;
};

}  // namespace gpusight::cli
