// SPDX-License-Identifier: Apache-2.0
// `gpusight top`: the live view. The screen is tui/'s; here it gets its frames, its terminal and
// its clock. Next: top_loop.h.
#include <poll.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/held_error.h"
#include "cli/nearest.h"
#include "cli/registry.h"
#include "cli/select.h"
#include "cli/top_locale.h"
#include "cli/top_loop.h"
#include "model/text/cli.h"
#include "model/text/top.h"
#include "tui/render.h"
#include "tui/terminal_guard.h"

namespace gpusight::cli {
namespace {

constexpr double kLeastInterval = 0.1;  // below, the driver's own windows repeat themselves
constexpr double kPatience = 1;         // seconds for a driver call before a frame goes without it
constexpr int kFirstFrameMs = 3000;     // then the screen opens and says that it waits
// Somebody watches, so what is dear (use per process, the driver's rings) is asked every few
// seconds instead of every ten.
constexpr double kBudget = 0.002;

class Top : public Command {
 public:
  std::string_view name() const override { return "top"; }
  const Text& summary() const override { return text::kTopSummary; }
  const Text& description() const override { return text::kTopDescription; }

  void Declare(Options& options) override {
    options.Duration("-i,--interval", text::kTopOptInterval, interval_, kLeastInterval);
    options.List("-d,--device", "DEVICE", text::kTopOptDevice, devices_).offer = Offer::kDevices;
    std::vector<std::string_view> columns;
    for (const tui::ColumnRow& row : tui::ColumnRows()) columns.push_back(row.name);
    options.Choice("--sort", columns, text::kTopOptSort, sort_);
    options.Switch("--once", text::kTopOptOnce, once_).in_config = false;
    options.Switch("--read-only", text::kTopOptReadOnly, read_only_);
    options.Switch("--ascii", text::kTopOptAscii, ascii_);
    options.Switch("--no-color", text::kTopOptNoColor, no_color_);
  }

  Result<ExitCode> Run(Context& context) override {
    if (!once_ && !(context.in_is_terminal && context.out_is_terminal)) {
      return Fail(ErrorCode::kUsage, context.Say(text::kTopNoTerminal),
                  context.Say(text::kTopNoTerminalRemedy));
    }
    PrepareState(context);
    return once_ ? RunOnce(context) : RunLive(context);
  }

 private:
  SamplerOptions NeedsOfTop() const {
    SamplerOptions needs;
    needs.nvml.patience = needs.nvml.first_patience = kPatience;
    needs.nvml.budget = kBudget;
    needs.nvml.memory_ring = true;
    needs.host.slow_seconds = 1;
    return needs;
  }

  // The Linux console has neither braille nor Chinese in its font, and no room for more.
  bool OnConsole(const Context& context) const {
    const char* type = context.env("TERM");
    return !once_ && type != nullptr && std::string_view(type) == "linux";
  }

  void PrepareState(const Context& context) {
    const bool console = OnConsole(context);
    const bool asked = !context.options.lang.empty();
    const Language language = console && !asked ? Language::kEnglish : context.language;
    const bool utf8 = PrepareCharacters(context.env, language);
    state_.settings.language = language;
    state_.settings.ascii = ascii_ || !utf8 || console;
    state_.settings.read_only = read_only_;
    state_.settings.snapshot = once_;
    state_.settings.recorded = !context.root.live();
    if (const auto column = tui::FindColumn(sort_)) {
      state_.sort = *column;
      state_.falling = tui::RowOf(*column).falls;
    }
    tui::Begin(state_, interval_, context.clock.Mono());
  }

  // Checks what only the first frame can tell, and resolves --device.
  Result<void> Accept(const Context& context, const Frame& frame) {
    // A driver that hangs may come back; every other failure is the user's to mend first.
    if (frame.driver.state != DriverState::kNoAnswer || once_) {
      if (auto usable = context.CheckUsable(frame); !usable) return usable;
    }
    if (devices_.empty()) return {};
    auto chosen = SelectDevices(frame, devices_, context.language, context.origins);
    if (!chosen) return tl::unexpected(std::move(chosen.error()));
    state_.settings.devices = KeysOf(frame, *chosen);
    return {};
  }

  Result<ExitCode> RunOnce(Context& context) {
    const auto sampler = context.MakeSampler(NeedsOfTop());
    Frame frame;
    // Rates need two frames.
    for (int i = 0; i < 2; ++i) {
      if (i > 0) poll(nullptr, 0, static_cast<int>(interval_ * 1000));
      sampler->Sample(frame);
      if (i == 0) {
        if (auto accepted = Accept(context, frame); !accepted) {
          return tl::unexpected(std::move(accepted.error()));
        }
      }
      tui::Update(state_, context.clock.Wall(), context.clock.Mono());
      tui::Update(state_, frame);
    }
    tui::Update(state_, SizeFromEnvironment(context));
    if (auto written = context.out.Write(tui::Render(state_).ToText()); !written) {
      return tl::unexpected(std::move(written.error()));
    }
    return ExitCode::kOk;
  }

  static tui::Size SizeFromEnvironment(const Context& context) {
    const auto number = [&](const char* name, int otherwise) {
      const char* value = context.env(name);
      const auto parsed = value != nullptr ? ParseNumber<int>(value) : std::nullopt;
      return parsed && *parsed >= 1 && *parsed <= 1000 ? *parsed : otherwise;
    };
    return {number("COLUMNS", context.columns), number("LINES", 24)};
  }

  Result<ExitCode> RunLive(Context& context) {
    const tui::TerminalGuard guard;  // before the driver, of which it must hold nothing
    ScreenSignals signals;           // before the threads, which must not take them
    TopSampler sampler(context.MakeSampler(NeedsOfTop()), context.clock, interval_);
    pollfd first = {sampler.mailbox().fd(), POLLIN, 0};
    poll(&first, 1, kFirstFrameMs);
    Frame frame;
    if (sampler.mailbox().Take(frame)) {
      if (auto accepted = Accept(context, frame); !accepted) {
        return tl::unexpected(std::move(accepted.error()));
      }
      tui::Update(state_, context.clock.Wall(), context.clock.Mono());
      tui::Update(state_, frame);
    }
    // Declared before the terminal: handed on when that is closed again.
    const HeldError held(STDERR_FILENO);
    const char* type = context.env("TERM");
    const bool color = context.color && !no_color_;
    auto terminal = tui::Terminal::Open({type == nullptr ? "" : type, color, context.language});
    if (!terminal) return tl::unexpected(std::move(terminal.error()));
    TopLoop(state_, **terminal, sampler, signals, context.clock).Run();
    return ExitCode::kOk;
  }

  double interval_ = 1;
  std::vector<std::string> devices_;
  std::string sort_ = "memory";
  bool once_ = false, read_only_ = false, ascii_ = false, no_color_ = false;
  tui::State state_;
};

}  // namespace

std::unique_ptr<Command> MakeTop() { return std::make_unique<Top>(); }

}  // namespace gpusight::cli
