// SPDX-License-Identifier: Apache-2.0
// `gpusight top`: the live view. The screen is tui/'s; here it gets its frames, its terminal and
// its clock. Next: screen.h and top_loop.h.
#include <poll.h>

#include "cli/registry.h"
#include "cli/screen.h"
#include "cli/top_sampler.h"
#include "model/text/top.h"
#include "tui/terminal_guard.h"
#include "tui/update.h"

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
    screen_.Declare(options, true);
  }

  Result<ExitCode> Run(Context& context) override {
    if (auto possible = screen_.Check(context, name()); !possible) {
      return tl::unexpected(std::move(possible.error()));
    }
    screen_.Prepare(context, state_, interval_);
    return screen_.once ? RunOnce(context) : RunLive(context);
  }

 private:
  SamplerOptions NeedsOfTop() const {
    SamplerOptions needs;
    needs.nvml.patience = needs.nvml.first_patience = kPatience;
    needs.nvml.budget = kBudget;
    needs.nvml.memory_ring = true;
    needs.host.slow_seconds = 1;
    needs.pages = true;  // for the findings
    return needs;
  }

  // Checks what only the first frame can tell, and resolves --device.
  Result<void> Accept(const Context& context, const Frame& frame) {
    // A driver that hangs may come back; every other failure is the user's to mend first.
    if (frame.driver.state != DriverState::kNoAnswer || screen_.once) {
      if (auto usable = context.CheckUsable(frame); !usable) return usable;
    }
    return screen_.Choose(context, frame, state_);
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
    return screen_.Print(context, state_);
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
    return screen_.Show(context, state_, sampler, signals);
  }

  double interval_ = 1;
  Screen screen_;
  tui::State state_;
};

}  // namespace

std::unique_ptr<Command> MakeTop() { return std::make_unique<Top>(); }

}  // namespace gpusight::cli
