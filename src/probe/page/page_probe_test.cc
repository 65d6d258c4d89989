// SPDX-License-Identifier: Apache-2.0
#include "probe/page/page_probe.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "probe/page/test_page.h"
#include "testing/fake_clock.h"
#include "testing/temp_folder.h"

namespace gpusight::page {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class FindPages : public testing::Test {
 protected:
  FindPages() {
    clock_.SetWall({static_cast<int64_t>(TestPage::At(10))});
    frame.devices.resize(2);
    frame.devices[0].info.uuid = "GPU-a";
    frame.devices[1].info.uuid = "GPU-b";
    frame.devices[0].info.index = 0;
    frame.devices[1].info.index = 1;
    ProcessSample& process = AddProcess(frame);
    process.pid = 141;
    process.namespace_pids = {141, 41};
    process.start_ticks = 7000;
    process.visible_devices = Absence::kNoLimit;
    process.uses.emplace_back();
  }

  // The frameworks of the next frame.
  const std::vector<FrameworkSample>& Sample() {
    if (!probe_) {
      probe_ = std::make_unique<Probe>(options_, clock_, root_, log_);
    }
    clock_.Advance(1);
    frame.time = clock_.Wall();
    frame.interval_seconds = 1;
    ++frame.sequence;
    frame.probes.clear();
    probe_->Sample(frame);
    return frame.frameworks;
  }

  std::string folder() const { return machine_.path() + "/pages"; }
  std::string MakeFolder() const {
    std::filesystem::create_directories(folder());
    return folder();
  }
  // Where a process of a container puts it.
  std::string MakeFolderInContainer() const {
    const std::string in =
        machine_.path() + "/proc/141/root/dev/shm/gpusight-" + std::to_string(getuid());
    std::filesystem::create_directories(in);
    return in;
  }

  void ForgetFolder() { options_.folders.clear(); }

  Frame frame;
  TestPage page;

 private:
  TempFolder machine_;
  FakeClock clock_;
  Root root_{machine_.path()};
  Log log_{clock_, [](std::string_view) {}};
  ProbeOptions options_{{folder()}, true};
  std::unique_ptr<Probe> probe_;
};

TEST_F(FindPages, InAFolderThatIsMadeLater) {
  EXPECT_THAT(Sample(), IsEmpty());
  page.Write(MakeFolder() + "/41.page");
  ASSERT_THAT(Sample(), SizeIs(1));
  EXPECT_EQ(frame.frameworks[0].pid, 141);  // as we number it
}

TEST_F(FindPages, InTheContainerOfAProcess) {
  page.Write(MakeFolderInContainer() + "/41.page");
  ASSERT_THAT(Sample(), SizeIs(1));
  EXPECT_EQ(frame.frameworks[0].pid, 141);
}

TEST_F(FindPages, OfTheJobAlsoWhereItIsOnNoDevice) {
  page.Write(MakeFolderInContainer() + "/41.page");
  frame.processes[0].uses.clear();
  ForgetFolder();
  EXPECT_THAT(Sample(), IsEmpty()) << "of all processes of a machine that would be dear";
  frame.processes[0].in_job = true;
  EXPECT_THAT(Sample(), SizeIs(1));
}

TEST_F(FindPages, ButNotThatOfAnEarlierProcessWithItsNumber) {
  page.page().header.start_ticks = 6999;
  page.Write(MakeFolderInContainer() + "/41.page");
  EXPECT_THAT(Sample(), IsEmpty());
}

TEST_F(FindPages, ALinkOutOfTheContainerLeadsNowhere) {
  page.Write(MakeFolder() + "/elsewhere");
  std::filesystem::create_symlink(folder() + "/elsewhere", MakeFolderInContainer() + "/41.page");
  EXPECT_THAT(Sample(), IsEmpty());
}

TEST_F(FindPages, LinksAndPipesInTheFolderAreLeftAlone) {
  page.Write(MakeFolder() + "/elsewhere");
  std::filesystem::create_symlink("elsewhere", folder() + "/1.page");
  ASSERT_EQ(mkfifo((folder() + "/2.page").c_str(), 0600), 0);
  EXPECT_THAT(Sample(), IsEmpty());
}

TEST_F(FindPages, OnePageThatIsNoneDoesNotHideTheOthers) {
  page.Write(MakeFolder() + "/41.page");
  page.page().header.version = 2;
  page.Write(folder() + "/1.page");
  EXPECT_THAT(Sample(), SizeIs(1));
  ASSERT_THAT(frame.probes, SizeIs(1));
  EXPECT_EQ(frame.probes[0].name, "page");
  EXPECT_EQ(frame.probes[0].failures, 1u);
}

TEST_F(FindPages, APageThatTakesTheOldOnesPlaceIsReadFromItsBeginning) {
  page.AddStep(9, 0.1);
  page.Write(MakeFolder() + "/41.page");
  ASSERT_THAT(Sample(), SizeIs(1));
  page.Write(folder() + "/new");
  std::filesystem::rename(folder() + "/new", folder() + "/41.page");
  ASSERT_THAT(Sample(), SizeIs(1));
  EXPECT_THAT(frame.frameworks[0].steps, SizeIs(1));
}

TEST_F(FindPages, AnAllocatorIsOnTheDeviceThatItNames) {
  auto& memory = page.page().memory[0];
  memory.ordinal = 0;
  memory.written = TestPage::At(9);
  std::strcpy(memory.uuid, "GPU-b");
  page.Write(MakeFolder() + "/41.page");
  ASSERT_THAT(Sample(), SizeIs(1));
  EXPECT_EQ(frame.frameworks[0].allocators.at(0).device, 1);
}

TEST_F(FindPages, ElseOnTheOneThatTheProcessNumbersSo) {
  frame.processes[0].visible_devices = std::string("GPU-b");
  auto& memory = page.page().memory[0];
  memory.ordinal = 0;
  memory.written = TestPage::At(9);
  page.Write(MakeFolder() + "/41.page");
  ASSERT_THAT(Sample(), SizeIs(1));
  EXPECT_EQ(frame.frameworks[0].allocators.at(0).device, 1);
}

TEST_F(FindPages, ThePageOfAProcessThatEndedIsReadOnceMore) {
  page.Write(MakeFolder() + "/41.page");
  ASSERT_THAT(Sample(), SizeIs(1));
  frame.processes[0].pid = 999;
  frame.processes[0].namespace_pids = {999};
  frame.processes[0].start_ticks = 1;
  page.AddStep(10.5, 0.1);
  page.Write(folder() + "/41.page");
  ASSERT_THAT(Sample(), SizeIs(1));
  EXPECT_THAT(frame.frameworks[0].steps, SizeIs(1));
  EXPECT_THAT(Sample(), IsEmpty());
}

}  // namespace
}  // namespace gpusight::page
