// SPDX-License-Identifier: Apache-2.0
#include "cli/run_job.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <utility>

#include "base/text.h"
#include "cli/reason.h"
#include "launch/launcher.h"
#include "launch/own_process.h"
#include "launch/packet.h"
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
  const auto both = [&](std::string what, const Text& remedy) {
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

// The launcher's side of the conversation with the recorder.
class Desk {
 public:
  Desk(const Context& context, launch::Launcher& launcher, int channel, int lock, bool keep_error)
      : context_(context),
        launcher_(launcher),
        channel_(channel),
        lock_(lock),
        keep_error_(keep_error) {}

  int Attend() {
    const launch::Packet packet = launch::ReceivePacket(channel_);
    switch (packet.type) {
      case 'b':
        path_ = packet.bytes;
        if (!keep_error_) launcher_.LetGo({channel_, lock_});
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
    return channel_;
  }

  // The job has ended; what is left to say.
  void Close(bool show_summary) {
    if (done_) {
      if (show_summary) (void)context_.err.Write(ForTerminal(summary_));
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

  [[nodiscard]] int channel() const { return channel_; }
  [[nodiscard]] bool done() const { return done_; }

 private:
  void Warn(const std::string& sentence) const {
    (void)context_.err.Write(
        ForTerminal(Say(context_.language, text::kErrorPrefix) + sentence + "\n"));
  }

  const Context& context_;
  launch::Launcher& launcher_;
  int channel_;
  int lock_;  // on the folder of pages
  bool keep_error_;
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
  if (plan.read_tails) recorder.tails = launch::OpenTails();
  std::vector<int> of_recorder{context.diary, plan.pages.lock.get()};
  for (const launch::TailSource& tail : recorder.tails) of_recorder.push_back(tail.file.get());

  launch::Launcher launcher(context.inherited, context.clock);
  auto started = launcher.Start(plan.program);
  if (!started && started.error().step == launch::NotStarted::Step::kFork) {
    // No descriptor or no process to spare: the job runs all the same, as this process.
    launcher.Dismiss();
    RemovePages(pages);
    context.Warn(
        context.Say(text::kRunNotRecorded, SystemReason(started.error().error, context.language)));
    started = tl::unexpected(launch::ExecInPlace(plan.program, context.inherited));
  }
  if (!started) {
    RemovePages(pages);
    launcher.Dismiss();
    context.Warn(Complaint(started.error(), plan.program.arguments.front(), context.language));
    return static_cast<ExitCode>(started.error().ExitCode());
  }
  recorder.facts.pid = launcher.job();
  recorder.facts.start = launcher.began();
  recorder.job.root = launcher.job();
  recorder.job.everything = getpid() == 1;
  recorder.job.without = {getpid(), launcher.witness()};
  const launch::OwnProcess other = launch::StartOwn(
      launch::Where::kOwnSession, "gpusight-record", of_recorder, [&](int channel) {
        recorder.job.without.push_back(getpid());
        return RecordJob(context, std::move(recorder), channel);
      });
  launcher.Remember(other.pid);
  const int channel = other.channel.get();
  launcher.LetGo({channel, plan.pages.lock.get(), STDERR_FILENO});

  Desk desk(context, launcher, channel, plan.pages.lock.get(), keep_error);
  const auto attend = [&desk] { return desk.Attend(); };
  const launch::Ending ending = launcher.Wait(channel, attend);
  if (desk.channel() != -1) launch::SendPacket(desk.channel(), 'e', launch::Pack(ending));
  launcher.WaitFor(desk.channel(), attend, kPatience);
  desk.Close(plan.show_summary);
  launcher.Dismiss();
  if (desk.channel() == -1) RemovePages(pages);  // else the recorder does
  return static_cast<ExitCode>(launch::EndLike(ending));
}

}  // namespace gpusight::cli
