// SPDX-License-Identifier: Apache-2.0
// The probe on this machine's own /proc: real children, compared with what getrusage(2) and ps(1)
// say of them, and a real PID namespace seen from both sides. Children wait on pipes, so nothing
// depends on time.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <ctime>
#include <functional>
#include <thread>

#include "base/text.h"
#include "probe/host/host_probe.h"

namespace gpusight::host {
namespace {

using F = ProcessField;

// A child process that runs `body`, then waits until it is released. `body` writes to the pipe that
// it is given; Line() reads what it wrote.
class Child {
 public:
  explicit Child(const std::function<void(int out)>& body) {
    int up[2];
    int down[2];
    EXPECT_EQ(pipe2(up, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(down, O_CLOEXEC), 0);
    pid_ = fork();
    if (pid_ == 0) {
      close(up[0]);
      close(down[1]);
      body(up[1]);
      char byte;
      while (read(down[0], &byte, 1) < 0 && errno == EINTR) {
      }
      _exit(0);
    }
    close(up[1]);
    close(down[0]);
    in_ = UniqueFd(up[0]);
    release_ = UniqueFd(down[1]);
  }
  ~Child() {
    release_.Reset();
    int status;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  int pid() const { return pid_; }
  // The next line that the child wrote; empty at the end.
  std::string Line() {
    std::string line;
    char byte;
    while (read(in_.get(), &byte, 1) == 1 && byte != '\n') line += byte;
    return line;
  }

 private:
  int pid_ = -1;
  UniqueFd in_, release_;
};

void Say(int out, const std::string& line) {
  const std::string text = line + "\n";
  if (write(out, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(1);
}

class Live {
 public:
  explicit Live(ProbeOptions options = {}, Root root = Root())
      : root_(std::move(root)),
        log_(clock_, [](std::string_view) {}),
        probe_(std::move(options), clock_, root_, log_) {}
  // As if the driver listed these.
  const Frame& Sample(const std::vector<int>& listed) {
    SetProcessCount(frame_, listed.size());
    for (size_t i = 0; i < listed.size(); ++i) {
      Reset(frame_.processes[i]);
      frame_.processes[i].pid = listed[i];
      frame_.processes[i].uses.assign(1, GpuUse{});
    }
    frame_.probes.clear();
    probe_.Sample(frame_);
    return frame_;
  }
  const ProcessSample& Process(int pid) {
    for (const ProcessSample& process : frame_.processes) {
      if (process.pid == pid) return process;
    }
    ADD_FAILURE() << "no process " << pid;
    static const ProcessSample kNone;
    return kNone;
  }

 private:
  SystemClock clock_;
  Root root_;
  Log log_;
  Probe probe_;
  Frame frame_;
};

// What `ps` prints for one process and column.
std::string Ps(int pid, const std::string& column) {
  const std::string command = "ps -o " + column + "= -p " + std::to_string(pid);
  FILE* pipe = popen(command.c_str(), "r");
  std::string text(4096, '\0');
  text.resize(fread(text.data(), 1, text.size(), pipe));
  pclose(pipe);
  return std::string(Trim(text));
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

TEST(LiveProc, AgreesWithWhatAProcessKnowsOfItself) {
  constexpr size_t kTouched = size_t{64} << 20;
  Child child([](int out) {
    void* memory =
        mmap(nullptr, kTouched, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) _exit(1);
    std::memset(memory, 1, kTouched);
    rusage usage{};
    do {
      getrusage(RUSAGE_SELF, &usage);
    } while (Seconds(usage.ru_utime) + Seconds(usage.ru_stime) < 0.3);
    Say(out, std::to_string(Seconds(usage.ru_utime) + Seconds(usage.ru_stime)));
    Say(out, std::to_string(usage.ru_minflt));
    Say(out, std::to_string(usage.ru_majflt));
    Say(out, std::to_string(usage.ru_nvcsw + usage.ru_nivcsw));
  });
  const double cpu = ParseNumber<double>(child.Line()).value_or(-1);
  const double minor = ParseNumber<double>(child.Line()).value_or(-1);
  const double major = ParseNumber<double>(child.Line()).value_or(-1);
  const double switches = ParseNumber<double>(child.Line()).value_or(-1);

  Live live;
  live.Sample({child.pid()});
  const auto& fields = live.Process(child.pid()).fields;
  EXPECT_NEAR(*fields[F::kCpuUser] + *fields[F::kCpuSystem], cpu, 0.05);
  EXPECT_NEAR(*fields[F::kMinorFaults], minor, 64);
  EXPECT_NEAR(*fields[F::kMajorFaults], major, 4);
  EXPECT_GE(*fields[F::kVoluntarySwitches] + *fields[F::kInvoluntarySwitches], switches);
  EXPECT_LE(*fields[F::kVoluntarySwitches] + *fields[F::kInvoluntarySwitches], switches + 64);
  EXPECT_GE(*fields[F::kPrivate], static_cast<double>(kTouched));
  EXPECT_GE(*fields[F::kResident], *fields[F::kPrivate]);
}

TEST(LiveProc, AgreesWithPs) {
  Child child([](int out) { Say(out, "ready"); });
  child.Line();
  Live live;
  live.Sample({child.pid()});
  const ProcessSample& process = live.Process(child.pid());
  EXPECT_EQ(std::to_string(process.parent), Ps(child.pid(), "ppid"));
  EXPECT_EQ(process.parent, getpid());
  EXPECT_EQ(*process.user, Ps(child.pid(), "ruser"));
  EXPECT_EQ(*process.command, Ps(child.pid(), "comm"));
  EXPECT_EQ(*process.command_line, Ps(child.pid(), "args"));
  EXPECT_EQ(*process.fields[F::kThreads],
            ParseNumber<double>(Ps(child.pid(), "nlwp")).value_or(-1));
  EXPECT_NEAR(*process.fields[F::kResident] / 1024,
              ParseNumber<double>(Ps(child.pid(), "rss")).value_or(-1), 1024);
  EXPECT_EQ(std::to_string(process.pid_namespace.value_or(0)), Ps(child.pid(), "pidns"));
  // ps rounds the age down to seconds.
  const double age = static_cast<double>(time(nullptr)) - *process.start_time;
  EXPECT_NEAR(age, ParseNumber<double>(Ps(child.pid(), "etimes")).value_or(-1), 2);
  EXPECT_TRUE(process.ours);
}

TEST(LiveProc, MeasuresTheRateOfTheCpu) {
  Child child([](int out) {
    Say(out, "spinning");
    const pid_t parent = getppid();
    while (getppid() == parent) {
    }
  });
  child.Line();
  clockid_t cpu_clock;
  ASSERT_EQ(clock_getcpuclockid(child.pid(), &cpu_clock), 0);
  const auto now = [](clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  Live live;
  live.Sample({child.pid()});
  const double cpu = now(cpu_clock);
  const double wall = now(CLOCK_MONOTONIC);
  while (now(cpu_clock) < cpu + 0.4) {
  }
  const double rate = (now(cpu_clock) - cpu) / (now(CLOCK_MONOTONIC) - wall);
  live.Sample({child.pid()});
  const Known<double> measured = live.Process(child.pid()).fields[F::kCpu];
  kill(child.pid(), SIGKILL);
  ASSERT_TRUE(measured);
  EXPECT_NEAR(*measured, rate, 0.15) << "in cores";
}

TEST(LiveProc, FindsForkedWorkersAndTheirEnd) {
  Child trainer([](int out) {
    for (int i = 0; i < 3; ++i) {
      const pid_t worker = fork();
      if (worker == 0) {
        pause();
        _exit(0);
      }
      Say(out, std::to_string(worker));
    }
    Say(out, "ready");
  });
  std::vector<int> workers;
  for (int i = 0; i < 3; ++i) workers.push_back(ParseNumber<int>(trainer.Line()).value_or(-1));
  ASSERT_EQ(trainer.Line(), "ready");

  Live live;
  live.Sample({trainer.pid()});
  EXPECT_EQ(live.Process(trainer.pid()).fields[F::kLoaderWorkers], 3.0);
  for (const int worker : workers) {
    EXPECT_EQ(live.Process(worker).parent, trainer.pid());
    EXPECT_EQ(live.Process(worker).role, ProcessRole::kLoaderWorker);
  }
  // One ends; its parent does not ask for it, so that it stays a zombie.
  kill(workers[0], SIGKILL);
  while (Ps(workers[0], "stat").front() != 'Z') {
  }
  live.Sample({trainer.pid()});
  EXPECT_TRUE(live.Process(workers[0]).zombie);
  for (const int worker : workers) kill(worker, SIGKILL);
}

TEST(LiveProc, KnowsOnWhichCpusAProcessMayRun) {
  Child child([](int out) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
    Say(out, sched_setaffinity(0, sizeof(one), &one) == 0 ? "pinned" : "refused");
  });
  ASSERT_EQ(child.Line(), "pinned");
  Live live;
  live.Sample({child.pid(), getpid()});
  EXPECT_EQ(live.Process(child.pid()).fields[F::kAllowedCpus], 1.0);
  cpu_set_t ours;
  ASSERT_EQ(sched_getaffinity(0, sizeof(ours), &ours), 0);
  EXPECT_EQ(live.Process(getpid()).fields[F::kAllowedCpus], static_cast<double>(CPU_COUNT(&ours)));
}

TEST(LiveProc, SeesThreads) {
  Child child([](int out) {
    for (int i = 0; i < 3; ++i) {
      std::thread([i] {
        const std::string name = "worker-" + std::to_string(i);
        pthread_setname_np(pthread_self(), name.c_str());
        pause();
      }).detach();
    }
    Say(out, "ready");
  });
  child.Line();
  ProbeOptions options;
  options.threads = true;
  Live live(options);
  const auto names = [&] {
    live.Sample({child.pid()});
    std::vector<std::string> found;
    for (const ThreadSample& thread : live.Process(child.pid()).threads) {
      found.push_back(thread.name);
    }
    return found;
  };
  const std::string main = Ps(child.pid(), "comm");
  // The threads name themselves in their own time.
  while (names() != std::vector<std::string>{main, "worker-0", "worker-1", "worker-2"} &&
         names().size() == 4) {
  }
  EXPECT_EQ(names().size(), 4u);
  const auto& fields = live.Process(child.pid()).fields;
  EXPECT_EQ(fields[F::kThreads], 4.0);
  EXPECT_TRUE(fields[F::kVoluntarySwitches]);
  EXPECT_EQ(fields[F::kBlockedThreads], 0.0);
}

TEST(LiveProc, ReadsItsOwnControlGroup) {
  Live live;
  const Frame& frame = live.Sample({getpid()});
  const ProcessSample& process = live.Process(getpid());
  ASSERT_GE(process.container_index, 0);
  const ContainerSample& group = frame.containers.at(static_cast<size_t>(process.container_index));
  EXPECT_TRUE(group.own);
  const auto text = ReadFile("/proc/self/cgroup");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, testing::HasSubstr(group.path));
  struct statvfs shm{};
  if (statvfs("/dev/shm", &shm) == 0) {
    EXPECT_EQ(group.fields[ContainerField::kShmTotal],
              static_cast<double>(shm.f_blocks) * static_cast<double>(shm.f_frsize));
  }
}

TEST(LiveProc, ReadsTheMachine) {
  Live live;
  const Frame& frame = live.Sample({});
  const auto& fields = frame.host.fields;
  EXPECT_EQ(fields[HostField::kCpus], static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)));
  const double total =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  EXPECT_NEAR(*fields[HostField::kMemoryTotal], total, total * 0.01);
  EXPECT_EQ(frame.probes.back().failures, 0u);
  EXPECT_EQ(frame.probes.back().rejected, 0u);
}

// A new PID namespace with its own /proc and /dev, as a container has it. Its first process runs
// `inside`; this is called in a child of the test. False when the kernel does not allow it.
bool EnterContainer(const std::string& root, const std::function<void()>& inside) {
  if (unshare(CLONE_NEWPID | CLONE_NEWNS) != 0) return false;
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  const pid_t first = fork();
  if (first != 0) {
    while (waitpid(first, nullptr, 0) < 0 && errno == EINTR) {
    }
    return true;
  }
  const std::string proc = root + "/proc";
  const std::string device = root + "/dev/nvidia0";
  if (mkdir(proc.c_str(), 0755) != 0 || mount("proc", proc.c_str(), "proc", 0, nullptr) != 0 ||
      mount("tmpfs", "/dev", "tmpfs", 0, nullptr) != 0 ||
      mkdir((root + "/dev").c_str(), 0755) != 0 ||
      !UniqueFd(open(device.c_str(), O_CREAT | O_RDWR, 0600)).valid()) {
    _exit(1);
  }
  inside();
  _exit(0);
}

struct TemporaryFolder {
  TemporaryFolder() { EXPECT_NE(mkdtemp(path.data()), nullptr); }
  ~TemporaryFolder() {
    unlink((path + "/dev/nvidia0").c_str());
    rmdir((path + "/dev").c_str());
    rmdir((path + "/proc").c_str());
    rmdir(path.c_str());
  }
  std::string path = testing::TempDir() + "container_XXXXXX";
};

TEST(LiveNamespace, IsSeenFromBothSides) {
  const TemporaryFolder folder;
  const std::string& root = folder.path;
  Child container([&](int out) {
    const bool entered = EnterContainer(root, [&] {
      // One process that holds a device, and one that does not: it is forked before.
      const pid_t bystander = fork();
      if (bystander == 0) {
        pause();
        _exit(0);
      }
      const int device = open("/dev/nvidia0", O_CREAT | O_RDWR, 0600);
      if (device < 0) Say(out, "no device");
      Live live({}, Root(root));
      live.Sample({1, bystander, 4000000});
      const auto say = [&](int pid) {
        const ProcessSample& process = live.Process(pid);
        Say(out, process.translated ? process.command_line.value_or("?") : "outside");
      };
      Say(out, "inside");
      Say(out, live.Process(1).command.value_or("?"));
      say(bystander);
      say(4000000);
      Say(out, std::to_string(live.Process(1).pid_namespace.value_or(0)));
      Say(out, "waiting");
      pause();
    });
    if (!entered) Say(out, std::string("refused: ") + std::strerror(errno));
  });
  const std::string answer = container.Line();
  if (answer != "inside") {
    GTEST_SKIP() << "this test needs the right to make namespaces (CAP_SYS_ADMIN): " << answer;
  }
  EXPECT_EQ(container.Line(), Ps(getpid(), "comm"));
  EXPECT_EQ(container.Line(), "outside") << "its number is known here, but it holds no device";
  EXPECT_EQ(container.Line(), "outside") << "no such number here";
  const std::string space = container.Line();
  ASSERT_EQ(container.Line(), "waiting");

  // From outside: the first process of the namespace is the child of our child.
  ProbeOptions options;
  options.extra_pids = {container.pid()};
  Live live(options);
  const Frame& frame = live.Sample({});
  int seen = 0;
  for (const ProcessSample& process : frame.processes) {
    if (process.parent != container.pid()) continue;
    ++seen;
    EXPECT_THAT(process.namespace_pids, testing::ElementsAre(process.pid, 1));
    EXPECT_EQ(std::to_string(process.pid_namespace.value_or(0)), space);
    kill(process.pid, SIGKILL);
  }
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace gpusight::host
