// SPDX-License-Identifier: Apache-2.0
// Where the page lies, who may write to it, what a fork, a full file system and a hostile folder do
// to it, and what becomes of the pages of the dead.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>

#include "agent/test_page.h"

namespace gpusight {
namespace {

namespace fs = std::filesystem;

class PageFile : public PageTest {
 protected:
  gpusight_status StatusOfOpen() {
    gpusight_status status = GPUSIGHT_OK;
    agent_ = gpusight_open("test", &status);
    EXPECT_EQ(agent_ == nullptr, status != GPUSIGHT_OK);
    return status;
  }
  // The exit status of a child that runs `body`.
  static int InChild(long child, const std::function<int()>& body) {
    if (child == 0) _exit(body());
    int status = 0;
    waitpid(static_cast<pid_t>(child), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // A page that process `pid` left, which said its last word `seconds` ago.
  fs::path Leave(int pid, uint64_t start_ticks, uint64_t seconds) const {
    const auto path = folder_ / (std::to_string(pid) + ".page");
    gpusight_page_header header = {};
    memcpy(header.magic, GPUSIGHT_PAGE_MAGIC, 8);
    header.pid = pid;
    header.start_ticks = start_ticks;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    header.beat =
        static_cast<uint64_t>(std::chrono::nanoseconds(now).count()) - seconds * 1'000'000'000;
    std::ofstream(path).write(reinterpret_cast<const char*>(&header), sizeof header);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(30));
    return path;
  }
  static constexpr int kNobody = 2'000'000'000;  // above the largest pid
};

TEST_F(PageFile, CarriesTheProcessInItsHeaderAndIsForItsOwnerOnly) {
  Open();
  EXPECT_EQ(gpusight_path(agent_), PagePath());
  const MappedPage page(PagePath());
  EXPECT_EQ(memcmp(page->header.magic, "GPUSIGHT", 8), 0);
  EXPECT_EQ(page->header.version, GPUSIGHT_PAGE_VERSION);
  EXPECT_EQ(page->header.size, 358400u);
  EXPECT_EQ(page->header.pid, getpid());
  EXPECT_STREQ(page->header.writer, "test 1.0");
  EXPECT_EQ(page->header.ended, 0u);
  EXPECT_GE(page->header.beat, page->header.created);
  struct stat info;
  ASSERT_EQ(stat(PagePath().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(info.st_size, 358400);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(PageFile, StartTicksAreThoseOfProc) {
  Open();
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream rest(text.substr(text.rfind(')') + 2));
  std::string word;
  for (int field = 3; field <= 22; field++) rest >> word;
  EXPECT_EQ(std::to_string(MappedPage(PagePath())->header.start_ticks), word);
}

TEST_F(PageFile, AnOrderlyEndIsWrittenAndTheFileStays) {
  Open();
  const MappedPage page(PagePath());
  EXPECT_EQ(gpusight_close(agent_), GPUSIGHT_OK);
  agent_ = nullptr;
  EXPECT_GT(page->header.ended, 0u);
  EXPECT_TRUE(fs::exists(PagePath()));
}

TEST_F(PageFile, AFolderThatIsMissingIsMadeForTheOwnerOnly) {
  const auto inner = folder_ / "pages";
  setenv("GPUSIGHT_PAGE_DIR", inner.c_str(), 1);
  EXPECT_EQ(StatusOfOpen(), GPUSIGHT_OK);
  struct stat info;
  ASSERT_EQ(stat(inner.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(PageFile, WithoutAFolderOfItsOwnItLiesInSharedMemory) {
  unsetenv("GPUSIGHT_PAGE_DIR");
  ASSERT_EQ(StatusOfOpen(), GPUSIGHT_OK);
  const std::string path = gpusight_path(agent_);
  EXPECT_EQ(path, "/dev/shm/gpusight-" + std::to_string(geteuid()) + "/" +
                      std::to_string(getpid()) + ".page");
  fs::remove(path);
}

TEST_F(PageFile, ALinkInsteadOfAFolderIsRefused) {
  const auto link = folder_ / "link";
  fs::create_directory(folder_ / "real");
  fs::create_directory_symlink(folder_ / "real", link);
  setenv("GPUSIGHT_PAGE_DIR", link.c_str(), 1);
  EXPECT_EQ(StatusOfOpen(), GPUSIGHT_FOREIGN);
}

TEST_F(PageFile, AFolderThatOthersMayWriteIsRefused) {
  fs::permissions(folder_, fs::perms::others_all, fs::perm_options::add);
  EXPECT_EQ(StatusOfOpen(), GPUSIGHT_FOREIGN);
}

TEST_F(PageFile, AFolderBelowNothingAndAFileAreRefused) {
  setenv("GPUSIGHT_PAGE_DIR", (folder_ / "a" / "b").c_str(), 1);
  EXPECT_EQ(StatusOfOpen(), GPUSIGHT_NO_FOLDER);
  std::ofstream(folder_ / "file") << "x";
  setenv("GPUSIGHT_PAGE_DIR", (folder_ / "file").c_str(), 1);
  EXPECT_EQ(StatusOfOpen(), GPUSIGHT_FOREIGN);
  setenv("GPUSIGHT_PAGE_DIR", std::string(600, 'x').c_str(), 1);
  EXPECT_EQ(StatusOfOpen(), GPUSIGHT_NO_FOLDER);
}

TEST_F(PageFile, ALinkUnderThePagesNameIsReplacedAndItsTargetUntouched) {
  std::ofstream(folder_ / "precious") << "x";
  fs::create_symlink(folder_ / "precious", PagePath());
  fs::create_symlink(folder_ / "precious", folder_ / (std::to_string(getpid()) + ".new"));
  EXPECT_EQ(StatusOfOpen(), GPUSIGHT_OK);
  EXPECT_FALSE(fs::is_symlink(PagePath()));
  EXPECT_EQ(fs::file_size(folder_ / "precious"), 1u);
}

TEST_F(PageFile, TheSwitchTurnsItOff) {
  setenv("GPUSIGHT", "0", 1);
  EXPECT_EQ(StatusOfOpen(), GPUSIGHT_OFF);
  EXPECT_TRUE(fs::is_empty(folder_));
  unsetenv("GPUSIGHT");
}

TEST_F(PageFile, FourPagesAreEnough) {
  gpusight_agent* open[4];
  for (auto& agent : open) agent = gpusight_open("test", nullptr);
  EXPECT_NE(open[3], nullptr);
  EXPECT_EQ(StatusOfOpen(), GPUSIGHT_TOO_MANY);
  for (auto* agent : open) EXPECT_EQ(gpusight_close(agent), GPUSIGHT_OK);
}

TEST_F(PageFile, AFullFileSystemIsAStatusAndLeavesNothing) {
  const int result = InChild(fork(), [this] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("small", folder_.c_str(), "tmpfs", 0, "size=64k,mode=700") != 0) {
      return 77;
    }
    gpusight_status status = GPUSIGHT_OK;
    gpusight_open("test", &status);
    return fs::is_empty(folder_) ? static_cast<int>(status) : 78;
  });
  if (result == 77) GTEST_SKIP() << "only root may mount a small file system";
  EXPECT_EQ(result, GPUSIGHT_NO_SPACE);
}

TEST_F(PageFile, ALimitOnTheSizeOfFilesIsAStatusAndNoSignal) {
  EXPECT_EQ(InChild(fork(),
                    [] {
                      const rlimit limit = {100'000, 100'000};
                      setrlimit(RLIMIT_FSIZE, &limit);
                      gpusight_status status = GPUSIGHT_OK;
                      gpusight_open("test", &status);
                      return static_cast<int>(status);
                    }),
            GPUSIGHT_NO_SPACE);
}

// What a child of a process with an open page may do.
int ChildOfAnOpenAgent(gpusight_agent* agent) {
  if (gpusight_is_open(agent) || gpusight_step(agent) != GPUSIGHT_NOT_OPEN) return 1;
  gpusight_agent* own = gpusight_open("child", nullptr);
  if (own == nullptr || gpusight_step(own) != GPUSIGHT_OK) return 2;
  if (MappedPage(gpusight_path(own))->header.pid != getpid()) return 3;
  if (gpusight_close(own) != GPUSIGHT_OK) return 4;
  return gpusight_close(agent) == GPUSIGHT_NOT_OPEN ? 0 : 5;
}

TEST_F(PageFile, AForkedChildWritesItsOwnPageOnly) {
  Open();
  gpusight_step(agent_);
  EXPECT_EQ(InChild(fork(), [this] { return ChildOfAnOpenAgent(agent_); }), 0);
  EXPECT_EQ(gpusight_step(agent_), GPUSIGHT_OK);
  const MappedPage page(PagePath());
  EXPECT_EQ(page->progress.steps, 2u);
  EXPECT_EQ(page->header.ended, 0u);
}

TEST_F(PageFile, AChildMadeBesideTheCLibraryDoesNotWriteEither) {
  Open();
  const int result = InChild(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr),
                             [this] { return gpusight_is_open(agent_) ? 1 : 0; });
  EXPECT_EQ(result, 0);
}

TEST_F(PageFile, WhatTheDeadLeftIsRemovedAfterAnHour) {
  const auto old = Leave(kNobody, 1, 4000);
  const auto recent = Leave(kNobody + 1, 1, 3000);
  Open();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(recent)) << "somebody may still want to know why it died";
}

TEST_F(PageFile, TheLivingKeepTheirsAndAnotherLifeOfTheSameNumberDoesNot) {
  std::ifstream file("/proc/1/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream rest(text.substr(text.rfind(')') + 2));
  std::string ticks;
  for (int field = 3; field <= 22; field++) rest >> ticks;
  const auto path = Leave(1, std::stoull(ticks), 7200);
  Open();
  EXPECT_TRUE(fs::exists(path));
  gpusight_close(agent_);
  Leave(1, std::stoull(ticks) + 1, 7200);
  Open();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(PageFile, WhatIsNoPageIsLeftAlone) {
  const auto other = Leave(kNobody, 1, 4000);
  fs::rename(other, folder_ / "notes.page");
  std::ofstream(folder_ / "1999999999.page") << "not a page";
  fs::last_write_time(folder_ / "1999999999.page",
                      fs::file_time_type::clock::now() - std::chrono::hours(30));
  Open();
  EXPECT_TRUE(fs::exists(folder_ / "notes.page"));
  EXPECT_TRUE(fs::exists(folder_ / "1999999999.page"));
}

}  // namespace
}  // namespace gpusight
