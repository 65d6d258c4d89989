// SPDX-License-Identifier: Apache-2.0
#include "cli/run_job.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "base/text.h"
#include "cli/reason.h"
#include "launch/launcher.h"
#include "launch/own_process.h"
#include "launch/packet.h"
#include "launch/relay.h"
#include "model/text/cli.h"
#include "model/text/run.h"

namespace gpusight::cli {
namespace {

// Seconds that the end of gpusight may come after that of the job. The recorder needs a few
// hundredths; a driver or a disk that hangs takes longer, and then finishes alone.
constexpr double kPatience = 3;

// The sentence for a program that could not be started.
std::string Complaint(const launch::NotStarted& failure, const std::string& name,
                      Language language) {
  const std::string why = SystemReason(failure.error, language);
  const std::string shown = Printable(name);
  const auto both = [&](const std::string& what, const Text& remedy) {
    std::string out = Sentence(language, what);
    if (language != Language::kChinese) out += ' ';
    return out + Say(language, remedy);
  };
  if (failure.no_interpreter) {
    return both(Say(language, text::kRunNoInterpreter, shown), text::kRunNoInterpreterRemedy);
  }
  if (failure.error == ENOENT) {
    return both(Say(language, text::kRunNotFound, shown), text::kRunNotFoundRemedy);
  }
  return both(Say(language, text::kRunNotExecutable, shown, why), text::kRunNotExecutableRemedy);
}

// A job that was killed may leave the terminal without the translation of line ends.
std::string ForTerminal(std::string_view lines) {
  termios mode{};
  std::string out;
  const bool raw = tcgetattr(STDERR_FILENO, &mode) == 0 &&
                   ((mode.c_oflag & OPOST) == 0 || (mode.c_oflag & ONLCR) == 0);
  for (const char c : lines) {
    if (c == '\n' && raw) out += '\r';
    out += c;
  }
  return out;
}

// Of the terminal; 0 when there is none, or it does not say.
int Columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// To the beginning of a line, wherever the job left the cursor (a progress bar, the ^C): as many
// blanks as the line has cells but one go into the next line unless it is at the beginning, and
// leave nothing to be seen.
std::string FreshLine(int columns) {
  if (columns <= 1 || isatty(STDERR_FILENO) == 0) return "";
  return std::string(static_cast<size_t>(columns) - 1, ' ') + "\r";
}

// The launcher's side of the conversation with the recorder, and with what copies the output.
class Desk {
 public:
  Desk(const Context& context, launch::Launcher& launcher, bool keep_error)
      : context_(context), launcher_(launcher), keep_error_(keep_error) {}

  void Listen(int channel) { channel_ = channel; }
  // A descriptor to keep.
  void Keep(int fd) { kept_.push_back(fd); }
  void Copy(std::vector<std::unique_ptr<launch::Relay>> relays) { relays_ = std::move(relays); }

  // Standard error is given up as soon as nothing can be said about the start any more, unless it
  // changes nothing to keep it.
  void LetGo(bool begun) const {
    std::vector<int> keep = kept_;
    keep.push_back(channel_);
    for (const auto& relay : relays_) {
      const auto more = relay->descriptors();
      keep.insert(keep.end(), more.begin(), more.end());
    }
    if (keep_error_ || !begun) keep.push_back(STDERR_FILENO);
    launcher_.LetGo(std::move(keep));
  }

  [[nodiscard]] std::vector<launch::Launcher::Ear> Ears() {
    std::vector<launch::Launcher::Ear> ears{{channel_, [this] { Hear(); }}};
    for (const auto& relay : relays_) {
      ears.push_back({relay->channel(), [&relay] { relay->Attend(); }});
    }
    return ears;
  }

  // The job has the new size from its own terminal already, but may have asked before we knew.
  void Resize() const {
    bool changed = false;
    for (const auto& relay : relays_) changed = relay->Resize() || changed;
    if (changed) kill(launcher_.job(), SIGWINCH);
  }

  // The job has ended: what it printed comes before what we say, however long its reader takes.
  void Flush() {
    for (const auto& relay : relays_) relay->Flush();
    const auto flushed = [this] {
      return std::all_of(relays_.begin(), relays_.end(),
                         [](const auto& relay) { return relay->flushed(); });
    };
    constexpr double kForEver = 1e9;
    launcher_.WaitFor([this] { return Ears(); }, flushed, kForEver);
  }

  void TellEnd(const launch::Ending& ending) const {
    if (channel_ == -1) return;
    if (const int columns = Columns(); columns > 0) {
      launch::SendPacket(channel_, 'w', fmt::format("{}", columns));
    }
    launch::SendPacket(channel_, 'e', launch::Pack(ending));
  }

  // What is left to say.
  void Close(bool show_summary) const {
    if (done_) {
      if (show_summary) (void)context_.err.Write(FreshLine(Columns()) + ForTerminal(summary_));
      return;
    }
    if (!keep_error_) return;
    if (channel_ != -1) {
      Warn(context_.Say(text::kRunRecorderSlow, Printable(path_)));
      return;
    }
    const auto status = launcher_.companion_status();
    const std::string how = status && WIFSIGNALED(*status)
                                ? SignalName(WTERMSIG(*status))
                                : fmt::format("{}", status ? WEXITSTATUS(*status) : -1);
    Warn(context_.Say(text::kRunRecorderDied, how, path_.empty() ? "-" : Printable(path_)));
  }

  // The recorder has ended.
  [[nodiscard]] bool over() const { return channel_ == -1; }

 private:
  void Hear() {
    const launch::Packet packet = launch::ReceivePacket(channel_);
    switch (packet.type) {
      case 'b':
        path_ = packet.bytes;
        LetGo(true);
        break;
      case 't':
        Warn(packet.bytes);
        break;
      case 's':
        summary_ = packet.bytes;
        done_ = true;
        break;
      case 0:
        channel_ = -1;
        break;
      default:
        break;
    }
  }

  void Warn(const std::string& sentence) const {
    (void)context_.err.Write(ForTerminal(WarningLine(sentence, Columns(), context_.language)));
  }

  const Context& context_;
  launch::Launcher& launcher_;
  bool keep_error_;
  int channel_ = -1;
  std::vector<int> kept_;
  std::vector<std::unique_ptr<launch::Relay>> relays_;
  bool done_ = false;
  std::string path_, summary_;
};

}  // namespace

ExitCode RunJob(Context& context, RunPlan plan) {
  // Standard error stays open where that changes nothing for who reads it: on a terminal and in a
  // file; in a pipe, whose reader waits for the last writer, only if something is to be printed.
  const launch::StreamKind kind = launch::KindOf(STDERR_FILENO);
  const bool keep_error = plan.show_summary || kind == launch::StreamKind::kTerminal ||
                          kind == launch::StreamKind::kFile;
  RecorderPlan& recorder = plan.recorder;
  const std::string pages = plan.pages.path;
  recorder.page_folder = pages;
  std::vector<int> of_recorder{context.diary, plan.pages.lock.get()};
  if (plan.tail != TailMode::kNever) recorder.tails = launch::OpenTails();
  for (const launch::TailSource& tail : recorder.tails) of_recorder.push_back(tail.file.get());

  launch::Launcher launcher(context.inherited, context.clock);
  std::vector<std::unique_ptr<launch::Relay>> relays;
  if (plan.tail == TailMode::kAlways) relays = launch::MakeRelays();
  for (const auto& relay : relays) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      if (relay->serves(stream)) {
        plan.program.streams[static_cast<size_t>(stream)] = relay->for_job();
      }
    }
    of_recorder.push_back(relay->kept());
  }
  auto started = launcher.Start(plan.program);
  if (!started && started.error().step == launch::NotStarted::Step::kFork) {
    // No descriptor or no process to spare: the job runs all the same, as this process.
    launcher.Dismiss();
    RemovePages(pages);
    context.Warn(
        context.Say(text::kRunNotRecorded, SystemReason(started.error().error, context.language)));
    plan.program.streams = {-1, -1, -1};
    started = tl::unexpected(launch::ExecInPlace(plan.program, context.inherited));
  }
  if (!started) {
    RemovePages(pages);
    launcher.Dismiss();
    context.Warn(Complaint(started.error(), plan.program.arguments.front(), context.language));
    return static_cast<ExitCode>(started.error().ExitCode());
  }
  for (const auto& relay : relays) {
    relay->Release();
    relay->Start();
    recorder.read_tail.emplace_back(relay->stream(), [kept = relay.get()] { return kept->tail(); });
  }
  recorder.facts.pid = launcher.job();
  recorder.facts.start = launcher.began();
  recorder.job.root = launcher.job();
  recorder.job.everything = getpid() == 1;
  recorder.job.without = {getpid(), launcher.witness()};
  for (const auto& relay : relays) recorder.job.without.push_back(relay->pid());
  const launch::OwnProcess other = launch::StartOwn(
      launch::Where::kOwnSession, "gpusight-record", of_recorder, [&](int channel) {
        recorder.job.without.push_back(getpid());
        return RecordJob(context, std::move(recorder), channel);
      });
  launcher.Remember(other.pid);

  Desk desk(context, launcher, keep_error);
  desk.Listen(other.channel.get());
  desk.Keep(plan.pages.lock.get());
  desk.Copy(std::move(relays));
  desk.LetGo(false);
  launcher.OnResize([&desk] { desk.Resize(); });
  const auto ears = [&desk] { return desk.Ears(); };
  const launch::Ending ending = launcher.Wait(ears);
  desk.Flush();
  desk.TellEnd(ending);
  launcher.WaitFor(ears, [&desk] { return desk.over(); }, kPatience);
  desk.Close(plan.show_summary);
  launcher.Dismiss();
  if (desk.over()) RemovePages(pages);  // else the recorder does
  return static_cast<ExitCode>(launch::EndLike(ending));
}

}  // namespace gpusight::cli
