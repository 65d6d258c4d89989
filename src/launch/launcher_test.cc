// SPDX-License-Identifier: Apache-2.0
// The launcher with real children. It takes over all signals of its process, so each test runs it
// in a child; what whole programs see is compared in tests/run.
#include "launch/launcher.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "launch/packet.h"
#include "launch/pidfd.h"

namespace gpusight::launch {
namespace {

Program Shell(const std::string& line) {
  return {.arguments = {"sh", "-c", line}, .environment = {"PATH=/usr/bin:/bin"}};
}

// The exit code of `body` in a process of its own.
template <typename Body>
int InAChild(const Body& body) {
  const pid_t pid = fork();
  if (pid == 0) _exit(body());
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<Launcher::Ear> Nothing() { return {}; }

// Runs the program; the exit code of what it came to.
int CodeOf(const Program& program) {
  return InAChild([&program] {
    const Inherited inherited = TakeOver();
    const SystemClock clock;
    Launcher launcher(inherited, clock);
    if (const auto started = launcher.Start(program); !started) return started.error().ExitCode();
    const Ending ending = launcher.Wait(Nothing);
    launcher.Dismiss();
    return EndLike(ending);
  });
}

TEST(Launcher, EndsAsTheProgramEnds) {
  EXPECT_EQ(CodeOf(Shell("exit 5")), 5);
  EXPECT_EQ(CodeOf(Shell("kill -TERM $$")), 128 + SIGTERM);
  EXPECT_EQ(CodeOf(Shell("kill -KILL $$")), 128 + SIGKILL);
}

TEST(Launcher, SaysWhyThereIsNoProgram) {
  EXPECT_EQ(CodeOf({.arguments = {"/no/such/program"}, .environment = {}}), 127);
  EXPECT_EQ(CodeOf({.arguments = {"no-such-program"}, .environment = {"PATH=/bin"}}), 127);
  EXPECT_EQ(CodeOf({.arguments = {"/etc/passwd"}, .environment = {}}), 126);
  EXPECT_EQ(CodeOf({.arguments = {""}, .environment = {}}), 127);
}

TEST(Launcher, LeavesNoProcessBehind) {
  EXPECT_EQ(InAChild([] {
              const Inherited inherited = TakeOver();
              const SystemClock clock;
              Launcher launcher(inherited, clock);
              if (!launcher.Start(Shell("true"))) return 2;
              (void)launcher.Wait(Nothing);
              launcher.Dismiss();
              return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD ? 0 : 1;
            }),
            0);
}

TEST(Launcher, GivesTheProgramItsOwnNumberWhereOursStood) {
  EXPECT_EQ(InAChild([] {
              const Inherited inherited = TakeOver();
              const SystemClock clock;
              Launcher launcher(inherited, clock);
              Program program = Shell("test $LISTEN_PID = $$ && test $WATCHDOG_PID = 1");
              program.environment.push_back("LISTEN_PID=" + std::to_string(getpid()));
              program.environment.push_back("WATCHDOG_PID=1");
              if (!launcher.Start(program)) return 2;
              return launcher.Wait(Nothing).code();
            }),
            0);
}

TEST(Launcher, RemembersWhoSentASignal) {
  EXPECT_EQ(
      InAChild([] {
        const Inherited inherited = TakeOver();
        const SystemClock clock;
        Launcher launcher(inherited, clock);
        // The program signals its parent, which passes it back.
        const Program program =
            Shell("trap 'exit 6' USR1; kill -USR1 $PPID; while :; do sleep 0.01; done");
        if (!launcher.Start(program)) return 2;
        const Ending ending = launcher.Wait(Nothing);
        if (ending.code() != 6 || ending.received.size() != 1) return 1;
        const Received& one = ending.received[0];
        return one.number == SIGUSR1 && one.sender == launcher.job() && one.sender_name == "sh" ? 0
                                                                                                : 3;
      }),
      0);
}

TEST(Launcher, ListensToItsCompanion) {
  EXPECT_EQ(InAChild([] {
              const Inherited inherited = TakeOver();
              const SystemClock clock;
              Launcher launcher(inherited, clock);
              if (!launcher.Start(Shell("sleep 0.2"))) return 2;
              const OwnProcess other =
                  StartOwn(Where::kOwnSession, "companion", {}, [](int channel) {
                    SendPacket(channel, 'x', "hello");
                    // Neither the group nor the terminal reach it.
                    return getsid(0) == getpid() ? 0 : 1;
                  });
              launcher.Remember(other.pid);
              int channel = other.channel.get();
              std::string heard;
              const auto ears = [&]() -> std::vector<Launcher::Ear> {
                return {{channel, [&] {
                           const Packet packet = ReceivePacket(channel);
                           heard += packet.bytes;
                           if (packet.type == 0) channel = -1;
                         }}};
              };
              (void)launcher.Wait(ears);
              launcher.WaitFor(ears, [&] { return channel == -1; }, 5);
              launcher.Dismiss();
              return heard == "hello" && launcher.companion_status() == 0 ? 0 : 1;
            }),
            0);
}

TEST(OwnProcess, HasNothingOpenButItsChannel) {
  EXPECT_EQ(InAChild([] {
              const UniqueFd kept(open("/dev/zero", O_RDONLY));
              const UniqueFd other(open("/dev/zero", O_RDONLY));
              const OwnProcess own =
                  StartOwn(Where::kSameGroup, "own", {kept.get()}, [&](int channel) {
                    for (int fd = 3; fd < 64; ++fd) {
                      const bool there = fcntl(fd, F_GETFD) != -1;
                      if (there != (fd == channel || fd == kept.get())) return 1;
                    }
                    return 0;
                  });
              int status = -1;
              waitpid(own.pid, &status, 0);
              return status;
            }),
            0);
}

TEST(Pidfd, TellsTheStatusOfWhomSomebodyElseWaitedFor) {
  const pid_t pid = fork();
  if (pid == 0) _exit(9);
  const UniqueFd child = OpenPidfd(pid);
  if (!child.valid()) GTEST_SKIP() << "this kernel has no pidfd";
  EXPECT_FALSE(StatusOf(child)) << "nobody has waited for it";
  int status = 0;
  waitpid(pid, &status, 0);
  const auto told = StatusOf(child);
  EXPECT_TRUE(!told || *told == status);
}

TEST(Packet, IsHeardAsItWasSaid) {
  const OwnProcess own = StartOwn(Where::kSameGroup, "own", {}, [](int channel) {
    SendPacket(channel, 'a', "one");
    SendPacket(channel, 'b', std::string(100'000, 'x'));
    return 0;
  });
  int status = -1;
  waitpid(own.pid, &status, 0);
  const Packet first = ReceivePacket(own.channel.get());
  EXPECT_EQ(first.type, 'a');
  EXPECT_EQ(first.bytes, "one");
  const Packet second = ReceivePacket(own.channel.get());
  EXPECT_EQ(second.type, 'b');
  EXPECT_EQ(second.bytes.size(), 65535u) << "cut";
  EXPECT_EQ(ReceivePacket(own.channel.get()).type, 0);
}

}  // namespace
}  // namespace gpusight::launch
