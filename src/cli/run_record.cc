// SPDX-License-Identifier: Apache-2.0
// The recorder's process of `gpusight run`: its loop, and what it knows of the job's end, which is
// the launcher's word, or the kernel's when the launcher was killed.
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <utility>

#include "base/text.h"
#include "cli/run_job.h"
#include "launch/packet.h"
#include "launch/pidfd.h"

namespace gpusight::cli {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// How long the launcher may take to tell of an end that the kernel has told already.
constexpr int64_t kGrace = 2 * kSecond;

class Loop {
 public:
  Loop(const Context& context, JobRecorder& recorder, int channel, int job)
      : clock_(context.clock),
        recorder_(recorder),
        channel_(channel),
        pid_(job),
        job_(launch::OpenPidfd(job)),
        columns_(context.columns) {}

  // Of the terminal, as it was at the end.
  [[nodiscard]] int columns() const { return columns_; }

  // Samples at every multiple of the interval until the job has ended.
  ExitFacts Run(double interval, WallTime began) {
    const auto step = std::max<int64_t>(1, std::llround(interval * kSecond));
    const MonoTime start = clock_.Mono();
    for (int64_t tick = 1; !Ended();) {
      const MonoTime planned{start.ns + tick * step};
      Wait(gone_at_ ? std::min(planned, MonoTime{gone_at_->ns + kGrace}) : planned);
      if (Ended() || clock_.Mono() < planned) continue;
      recorder_.Sample(planned);
      tick = std::max(tick + 1, (clock_.Mono() - start) / step + 1);
    }
    if (!ending_) {
      // Nobody is left to say how; the kernel may, once somebody has waited for the job.
      ending_.emplace();
      ending_->began = began;
      ending_->ended = clock_.Wall();
      ending_->seconds = static_cast<double>(clock_.Mono() - start) * 1e-9;
      const auto status = launch::StatusOf(job_);
      ending_->status = status.value_or(0);
      ExitFacts facts = FactsOf(*ending_);
      if (!status) facts.kind = EndKind::kUnknown;
      // What the parent is told by wait4(2), nobody else is.
      for (Known<double>* number :
           {&facts.cpu_user, &facts.cpu_system, &facts.peak_resident, &facts.major_faults,
            &facts.blocks_read, &facts.blocks_written}) {
        *number = Absence::kGone;
      }
      return facts;
    }
    return FactsOf(*ending_);
  }

 private:
  bool Ended() {
    if (ending_) return true;
    if (!job_.valid() && channel_ == -1 && kill(pid_, 0) == -1 && errno == ESRCH) return true;
    return gone_at_ && (channel_ == -1 || clock_.Mono() - *gone_at_ >= kGrace);
  }

  void Wait(MonoTime deadline) {
    const int64_t left = std::max<int64_t>(0, deadline - clock_.Mono());
    const timespec timeout{left / kSecond, left % kSecond};
    pollfd fds[] = {{channel_, POLLIN, 0}, {gone_at_ ? -1 : job_.get(), POLLIN, 0}};
    if (ppoll(fds, 2, &timeout, nullptr) <= 0) return;
    if (fds[1].revents != 0) gone_at_ = clock_.Mono();
    if (fds[0].revents == 0) return;
    const launch::Packet packet = launch::ReceivePacket(channel_);
    if (packet.type == 'w') columns_ = ParseNumber<int>(packet.bytes).value_or(columns_);
    if (packet.type == 'e') ending_ = launch::Unpack(packet.bytes);
    if (packet.type == 0) channel_ = -1;
  }

  const Clock& clock_;
  JobRecorder& recorder_;
  int channel_;
  int pid_;
  UniqueFd job_;
  std::optional<MonoTime> gone_at_;
  std::optional<launch::Ending> ending_;
  int columns_;
};

}  // namespace

ExitFacts FactsOf(const launch::Ending& ending) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  ExitFacts facts;
  facts.kind = ending.exited() ? EndKind::kExited : EndKind::kSignal;
  facts.code = ending.exited() ? ending.code() : 0;
  facts.signal = ending.exited() ? 0 : ending.signal();
  facts.core_dumped = ending.core();
  facts.began = ending.began;
  facts.ended = ending.ended;
  facts.seconds = ending.seconds;
  facts.cpu_user = seconds(ending.usage.ru_utime);
  facts.cpu_system = seconds(ending.usage.ru_stime);
  facts.peak_resident = static_cast<double>(ending.usage.ru_maxrss) * 1024;
  facts.major_faults = static_cast<double>(ending.usage.ru_majflt);
  facts.blocks_read = static_cast<double>(ending.usage.ru_inblock);
  facts.blocks_written = static_cast<double>(ending.usage.ru_oublock);
  for (const launch::Received& one : ending.received) {
    facts.signals.push_back({one.number, one.at, one.sender, one.sender_name});
  }
  return facts;
}

int RecordJob(const Context& context, RecorderPlan plan, int channel) {
  // While the driver starts, the job may end; its descriptor keeps telling who it was.
  const int job = plan.job.root;
  const double interval = plan.interval;
  const std::string pages = plan.page_folder;
  const WallTime began = plan.facts.start;
  plan.job.earliest_ticks = StartTicksOf(job);
  plan.say = [channel](const std::string& sentence) { launch::SendPacket(channel, 't', sentence); };
  JobRecorder recorder(context, std::move(plan));
  Loop loop(context, recorder, channel, job);
  recorder.Begin();
  launch::SendPacket(channel, 'b', recorder.path());
  recorder.End(loop.Run(interval, began));
  RemovePages(pages);
  launch::SendPacket(channel, 's', recorder.Screen(loop.columns()));
  return 0;
}

}  // namespace gpusight::cli
