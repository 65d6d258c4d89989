// SPDX-License-Identifier: Apache-2.0
#include "cli/screen.h"

#include <unistd.h>

#include <optional>

#include "base/text.h"
#include "cli/held_error.h"
#include "cli/select.h"
#include "cli/top_locale.h"
#include "model/text/top.h"
#include "tui/columns.h"
#include "tui/render.h"

namespace gpusight::cli {
namespace {

// The Linux console has neither braille nor Chinese in its font, and no room for more.
bool OnConsole(const Context& context) {
  const char* type = context.env("TERM");
  return type != nullptr && std::string_view(type) == "linux";
}

tui::Size SizeFromEnvironment(const Context& context) {
  const auto number = [&](const char* name, int otherwise) {
    const char* value = context.env(name);
    const auto parsed = value != nullptr ? ParseNumber<int>(value) : std::nullopt;
    return parsed && *parsed >= 1 && *parsed <= 1000 ? *parsed : otherwise;
  };
  return {number("COLUMNS", context.columns), number("LINES", 24)};
}

}  // namespace

void Screen::Declare(Options& options, bool signals) {
  options.List("-d,--device", "DEVICE", text::kTopOptDevice, devices).offer = Offer::kDevices;
  std::vector<std::string_view> columns;
  for (const tui::ColumnRow& row : tui::ColumnRows()) columns.push_back(row.name);
  options.Choice("--sort", columns, text::kTopOptSort, sort);
  options.Switch("--once", text::kTopOptOnce, once).in_config = false;
  if (signals) options.Switch("--read-only", text::kTopOptReadOnly, read_only);
  options.Switch("--ascii", text::kTopOptAscii, ascii);
  options.Switch("--no-color", text::kTopOptNoColor, no_color);
}

Result<void> Screen::Check(const Context& context, std::string_view command) const {
  if (once || (context.in_is_terminal && context.out_is_terminal)) return {};
  return Fail(ErrorCode::kUsage, context.Say(text::kTopNoTerminal, command),
              context.Say(text::kTopNoTerminalRemedy, command));
}

void Screen::Prepare(const Context& context, tui::State& state, double interval) const {
  const bool console = !once && OnConsole(context);
  const bool asked = !context.options.lang.empty();
  const Language language = console && !asked ? Language::kEnglish : context.language;
  const bool utf8 = PrepareCharacters(context.env, language);
  state.settings.language = language;
  state.settings.ascii = ascii || !utf8 || console;
  state.settings.read_only = read_only;
  state.settings.snapshot = once;
  state.settings.recorded = !context.root.live();
  if (const auto column = tui::FindColumn(sort)) {
    state.sort = *column;
    state.falling = tui::RowOf(*column).falls;
  }
  tui::Begin(state, interval, context.clock.Mono());
}

Result<void> Screen::Choose(const Context& context, const Frame& frame, tui::State& state) const {
  if (devices.empty()) return {};
  auto chosen = SelectDevices(frame, devices, context.language, context.origins);
  if (!chosen) return tl::unexpected(std::move(chosen.error()));
  state.settings.devices = KeysOf(frame, *chosen);
  return {};
}

Result<ExitCode> Screen::Print(const Context& context, tui::State& state) const {
  tui::Update(state, SizeFromEnvironment(context));
  if (auto written = context.out.Write(tui::Render(state).ToText()); !written) {
    return tl::unexpected(std::move(written.error()));
  }
  return ExitCode::kOk;
}

Result<ExitCode> Screen::Show(const Context& context, tui::State& state, TopSource& source,
                              ScreenSignals& signals) const {
  // Declared before the terminal: handed on when that is closed again.
  const HeldError held(STDERR_FILENO);
  const char* type = context.env("TERM");
  const bool color = context.color && !no_color;
  auto terminal = tui::Terminal::Open({type == nullptr ? "" : type, color, context.language});
  if (!terminal) return tl::unexpected(std::move(terminal.error()));
  TopLoop(state, **terminal, source, signals, context.clock).Run();
  return ExitCode::kOk;
}

}  // namespace gpusight::cli
