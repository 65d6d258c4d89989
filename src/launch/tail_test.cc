// SPDX-License-Identifier: Apache-2.0
#include "launch/tail.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <pty.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace gpusight::launch {
namespace {

TEST(StreamKind, IsToldByTheDescriptor) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd reader(ends[0]), writer(ends[1]);
  EXPECT_EQ(KindOf(writer.get()), StreamKind::kPipe);
  const UniqueFd null(open("/dev/null", O_WRONLY | O_CLOEXEC));
  EXPECT_EQ(KindOf(null.get()), StreamKind::kNull);
  const UniqueFd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  EXPECT_EQ(KindOf(full.get()), StreamKind::kOther);
  const UniqueFd folder(open("/", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(KindOf(folder.get()), StreamKind::kOther);
  const UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(KindOf(socket.get()), StreamKind::kSocket);
  EXPECT_EQ(KindOf(12345), StreamKind::kClosed);
  int main = -1;
  int side = -1;
  ASSERT_EQ(openpty(&main, &side, nullptr, nullptr, nullptr), 0);
  const UniqueFd main_end(main), side_end(side);
  EXPECT_EQ(KindOf(side), StreamKind::kTerminal);
}

// A program whose standard output and error are files, in a process of its own.
class Tails : public ::testing::Test {
 protected:
  Tails() {
    std::string name = testing::TempDir() + "tailXXXXXX";
    file_ = UniqueFd(mkstemp(name.data()));
    path_ = name;
  }
  ~Tails() override { unlink(path_.c_str()); }
  void Put(const std::string& text) {
    ASSERT_EQ(write(file_.get(), text.data(), text.size()), std::ssize(text));
  }
  UniqueFd Open(int flags) const { return UniqueFd(open(path_.c_str(), flags | O_CLOEXEC)); }
  // What `body` returns when these are its standard output and error.
  template <typename Body>
  std::string With(const UniqueFd& out, const UniqueFd& error, const Body& body) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const pid_t pid = fork();
    if (pid == 0) {
      dup2(out.get(), 1);
      dup2(error.get(), 2);
      const std::string result = body();
      _exit(write(ends[1], result.data(), result.size()) < 0);
    }
    close(ends[1]);
    std::string result(4096, '\0');
    const ssize_t got = read(ends[0], result.data(), result.size());
    result.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
    close(ends[0]);
    waitpid(pid, nullptr, 0);
    return result;
  }
  static std::string Say(int fd, const std::string& text) {
    return write(fd, text.data(), text.size()) == std::ssize(text) ? "" : "failed";
  }

  UniqueFd file_;
  std::string path_;
};

TEST_F(Tails, AreReadBackFromTheFile) {
  const UniqueFd null = UniqueFd(open("/dev/null", O_WRONLY | O_CLOEXEC));
  const std::string got = With(Open(O_WRONLY), null, [] {
    const auto tails = OpenTails();
    Say(1, "one two three");
    return std::to_string(tails.size()) + ReadTail(tails.at(0), 100) + "|" +
           ReadTail(tails.at(0), 5) + "|" + std::to_string(lseek(1, 0, SEEK_CUR));
  });
  EXPECT_EQ(got, "1one two three|three|13") << "the job's own offset is where it was";
}

TEST_F(Tails, BeginWhereTheJobBegan) {
  Put("of an earlier run\n");
  EXPECT_EQ(With(Open(O_WRONLY | O_APPEND), Open(O_RDONLY),
                 [] {
                   const auto tails = OpenTails();
                   Say(1, "mine");
                   return ReadTail(tails.at(0), 100);
                 }),
            "mine");
}

TEST_F(Tails, AreOneWhenBothStreamsGoToOneFile) {
  EXPECT_EQ(With(Open(O_WRONLY), Open(O_WRONLY), [] { return std::to_string(OpenTails().size()); }),
            "1");
}

TEST_F(Tails, SurviveAFileThatIsEmptied) {
  Put("0123456789");
  EXPECT_EQ(With(Open(O_WRONLY | O_APPEND), Open(O_RDONLY),
                 [this] {
                   const auto tails = OpenTails();
                   if (truncate(path_.c_str(), 0) != 0) return std::string("failed");
                   Say(1, "new");
                   return ReadTail(tails.at(0), 100);
                 }),
            "new");
}

TEST_F(Tails, AreNoneWhereNothingCanBeReadBack) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const UniqueFd reader(ends[0]), writer(ends[1]);
  EXPECT_EQ(With(writer, writer, [] { return std::to_string(OpenTails().size()); }), "0");
}

}  // namespace
}  // namespace gpusight::launch
