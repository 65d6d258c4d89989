// SPDX-License-Identifier: Apache-2.0
#include "tui/signals.h"

#include <csignal>

#include "model/text/top.h"
#include "tui/format.h"

namespace gpusight::tui {
namespace {

constexpr SignalRow kSignals[] = {
    {SIGTERM, "TERM", text::kTopSigTerm}, {SIGINT, "INT", text::kTopSigInt},
    {SIGHUP, "HUP", text::kTopSigHup},    {SIGQUIT, "QUIT", text::kTopSigQuit},
    {SIGUSR1, "USR1", text::kTopSigUsr1}, {SIGUSR2, "USR2", text::kTopSigUsr1},
    {SIGSTOP, "STOP", text::kTopSigStop}, {SIGCONT, "CONT", text::kTopSigCont},
    {SIGKILL, "KILL", text::kTopSigKill},
};

}  // namespace

std::span<const SignalRow> SignalRows() { return kSignals; }

std::string SignalName(int number) {
  for (const SignalRow& row : kSignals) {
    if (row.number == number) return "SIG" + std::string(row.name);
  }
  return std::to_string(number);
}

std::optional<std::string> WhyNoSignal(const State& state, const ProcessSample* process) {
  const Language language = state.settings.language;
  if (state.settings.read_only) return Say(language, text::kTopRefuseReadOnly);
  if (state.settings.recorded) return Say(language, text::kTopRefuseRecorded);
  if (process == nullptr || process->pid <= 0) return Say(language, text::kTopRefuseNothing);
  if (process->pid == 1) return Say(language, text::kTopRefuseInit);
  if (!process->translated) return Say(language, text::kTopRefuseOutside, process->pid);
  if (process->zombie) return Say(language, text::kTopRefuseZombie, process->pid);
  if (!process->ours) {
    return Say(language, text::kTopRefuseNotOurs, process->pid,
               ShowText(process->user, language, GlyphsFor(state.settings.ascii)));
  }
  if (process->start_ticks == 0) return Say(language, text::kTopRefuseUnsure, process->pid);
  return std::nullopt;
}

}  // namespace gpusight::tui
