// SPDX-License-Identifier: Apache-2.0
// `gpusight replay`: plays a recording in the live view. Next: replay_player.h.
#include "model/text/replay.h"
#include "base/text.h"
#include "cli/registry.h"
#include "cli/replay_player.h"
#include "cli/screen.h"
#include "tui/terminal_guard.h"
#include "tui/update.h"

namespace gpusight::cli {
namespace {

constexpr uint64_t kFastest = 600;

class Replay : public Command {
 public:
  std::string_view name() const override { return "replay"; }
  const Text& summary() const override { return text::kReplaySummary; }
  const Text& description() const override { return text::kReplayDescription; }

  void Declare(Options& options) override {
    options.File("FILE", "", text::kReplayFile, file_).in_config = false;
    options.Number("--speed", text::kReplaySpeed, speed_, 1, kFastest);
    options.Duration("--from", text::kReplayFrom, from_, 0).in_config = false;
    screen_.Declare(options, false);
  }

  Result<ExitCode> Run(Context& context) override {
    if (file_.empty()) {
      return Fail(ErrorCode::kUsage, context.Say(text::kReplayNoFile, name()),
                  context.Say(text::kReplayNoFileRemedy, name()));
    }
    if (auto possible = screen_.Check(context, name()); !possible) {
      return tl::unexpected(std::move(possible.error()));
    }
    auto recording = record::Recording::Open(file_, context.language);
    if (!recording) return tl::unexpected(std::move(recording.error()));
    const record::Summary summary = recording->Read();
    if (summary.frames == 0) {
      return Fail(ErrorCode::kBadInput, context.Say(text::kReplayNothing, Printable(file_)), {});
    }
    screen_.Prepare(context, state_, 1);
    state_.settings.recorded = true;
    state_.playback =
        tui::Playback{summary.span.begin, summary.span.end, static_cast<double>(speed_)};
    if (auto chosen = Choose(context, *recording, summary); !chosen) {
      return tl::unexpected(std::move(chosen.error()));
    }
    return screen_.once ? RunOnce(context, *recording, summary)
                        : RunLive(context, std::move(*recording));
  }

 private:
  // By the last frame, which has all devices that there were as a rule.
  Result<void> Choose(const Context& context, const record::Recording& recording,
                      const record::Summary& summary) {
    Frame frame;
    if (!recording.Frames(summary.span.end).Next(frame)) return {};
    state_.interval = std::max(frame.interval_seconds, 0.1);
    return screen_.Choose(context, frame, state_);
  }

  // The screen as it was at --from; at the end without it.
  Result<ExitCode> RunOnce(Context& context, const record::Recording& recording,
                           const record::Summary& summary) {
    const int64_t place = summary.span.begin.ns + static_cast<int64_t>(from_ * 1e9);
    const WallTime until{from_ > 0 ? std::min(place, summary.span.end.ns) : summary.span.end.ns};
    constexpr int64_t kPastNs = 300'000'000'000;
    record::FrameCursor cursor = recording.Frames({until.ns - kPastNs});
    Frame frame;
    bool any = false;
    while (cursor.Next(frame) && (!any || frame.time <= until)) {
      any = true;
      tui::Update(state_, frame.time, frame.mono);
      tui::Update(state_, frame);
    }
    if (auto trouble = cursor.trouble()) return tl::unexpected(std::move(*trouble));
    return screen_.Print(context, state_);
  }

  Result<ExitCode> RunLive(Context& context, record::Recording recording) {
    const tui::TerminalGuard guard;
    ScreenSignals signals;  // before the thread, which must not take them
    ReplayPlayer player(std::move(recording), context.clock, from_, static_cast<double>(speed_));
    return screen_.Show(context, state_, player, signals);
  }

  std::string file_;
  uint64_t speed_ = 1;
  double from_ = 0;
  Screen screen_;
  tui::State state_;
};

}  // namespace

std::unique_ptr<Command> MakeReplay() { return std::make_unique<Replay>(); }

}  // namespace gpusight::cli
