// SPDX-License-Identifier: Apache-2.0
#include "probe/page/page_reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>

#include <limits>

#include "probe/page/test_page.h"
#include "testing/temp_folder.h"

namespace gpusight::page {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ReadPage : public testing::Test {
 protected:
  PageReader& reader() {
    if (!reader_) {
      page.Write(path_);
      reader_ = std::make_unique<PageReader>(UniqueFd(open(path_.c_str(), O_RDONLY)), "the page");
    }
    return *reader_;
  }

  // The page as it is now, read that many seconds after it was made.
  const FrameworkSample& Read(double seconds, double interval = 1) {
    reader();
    page.Write(path_);
    const WallTime now{static_cast<int64_t>(TestPage::At(seconds))};
    result = reader().Read(sample, now, interval);
    return sample;
  }

  std::string Refusal() {
    const auto header = reader().ReadHeader();
    return header ? "" : header.error().what;
  }

  TestPage page;
  FrameworkSample sample;
  Result<void> result;

 private:
  TempFolder folder_;
  std::string path_ = folder_.path() + "/41.page";
  std::unique_ptr<PageReader> reader_;
};

TEST_F(ReadPage, TellsWhoWroteIt) {
  ASSERT_TRUE(reader().ReadHeader());
  EXPECT_EQ(reader().pid(), 41);
  EXPECT_EQ(reader().start_ticks(), 7000u);
  EXPECT_EQ(reader().ended().ns, 0);
}

TEST_F(ReadPage, TellsTheFramework) {
  auto& identity = page.page().identity;
  identity.framework = GPUSIGHT_FRAMEWORK_PADDLE;
  std::strcpy(identity.framework_version, "3.3.1");
  identity.rank = 3;
  identity.world_size = 8;
  identity.flags = 1;
  const FrameworkSample& read = Read(1);
  EXPECT_EQ(read.framework, Framework::kPaddle);
  EXPECT_EQ(read.version, "3.3.1");
  EXPECT_EQ(read.rank, 3);
  EXPECT_EQ(read.world_size, 8);
  EXPECT_TRUE(read.mixed_precision);
  EXPECT_FALSE(read.compiled);
}

TEST_F(ReadPage, NumbersThatTheProcessDoesNotTellAreAbsent) {
  auto& memory = page.page().memory[2];
  memory.ordinal = 1;
  memory.written = TestPage::At(0.5);
  memory.known = GPUSIGHT_MEMORY_ALLOCATED | GPUSIGHT_MEMORY_RESERVED;
  memory.allocated = 1000;
  memory.reserved = 2000;
  std::strcpy(memory.uuid, "GPU-1");
  const auto& allocators = Read(2).allocators;
  ASSERT_EQ(allocators.size(), 1u);
  EXPECT_EQ(allocators[0].ordinal, 1);
  EXPECT_EQ(allocators[0].uuid, "GPU-1");
  EXPECT_DOUBLE_EQ(*allocators[0].age, 1.5);
  EXPECT_EQ(allocators[0].fields[AllocatorField::kAllocated], Known<double>(1000));
  EXPECT_EQ(allocators[0].fields[AllocatorField::kReserved], Known<double>(2000));
  EXPECT_EQ(allocators[0].fields[AllocatorField::kActive], Known<double>(Absence::kNotSupported));
}

TEST_F(ReadPage, EveryStepComesOnce) {
  page.AddStep(0.5, 0);
  page.AddStep(0.7, 0.2, 0.05);
  const FrameworkSample& first = Read(1);
  ASSERT_EQ(first.steps.size(), 2u);
  EXPECT_EQ(first.steps[1].number, 2u);
  EXPECT_DOUBLE_EQ(first.steps[1].seconds, 0.2);
  EXPECT_DOUBLE_EQ(first.steps[1].data_seconds, 0.05);
  EXPECT_DOUBLE_EQ(*first.fields[FrameworkField::kStepTime], 0.2);

  page.AddStep(1.1, 0.4);
  const FrameworkSample& second = Read(2);
  ASSERT_EQ(second.steps.size(), 1u);
  EXPECT_EQ(second.steps[0].number, 3u);
  EXPECT_EQ(second.fields[FrameworkField::kSteps], Known<double>(3));

  EXPECT_THAT(Read(3).steps, IsEmpty());
  EXPECT_FALSE(sample.fields[FrameworkField::kStepTime].known());
}

TEST_F(ReadPage, StepsThatWereOverwrittenUnreadAreCounted) {
  for (unsigned i = 0; i < GPUSIGHT_PAGE_STEPS + 10; ++i) page.AddStep(0.5, 0.001);
  EXPECT_EQ(Read(1).steps.size(), GPUSIGHT_PAGE_STEPS);
  EXPECT_EQ(sample.lost, 10u);
}

TEST_F(ReadPage, AStepThatIsBeingWrittenIsLeftOut) {
  page.AddStep(0.5, 0.1);
  page.AddStep(0.6, 0.1);
  page.page().step[2].number = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(Read(1).steps.size(), 1u);
}

TEST_F(ReadPage, ASectionThatIsBeingWrittenStaysAsItWas) {
  auto& identity = page.page().identity;
  std::strcpy(identity.dtype, "float32");
  Read(1);
  identity.lock = 3;
  std::strcpy(identity.dtype, "bflo");
  EXPECT_EQ(Read(2).dtype, "float32");
  EXPECT_TRUE(result);
}

TEST_F(ReadPage, NothingNewIsToldWhileTheProgressIsBeingWritten) {
  page.AddStep(0.5, 0.1);
  Read(1);
  page.page().progress.lock = 1;
  EXPECT_THAT(Read(2).steps, IsEmpty());
  EXPECT_EQ(result.error().code, ErrorCode::kIo);
}

TEST_F(ReadPage, AWaitThatHasNotEndedCountsAsFarAsItHasCome) {
  auto& progress = page.page().progress;
  progress.data_waits = 1;
  progress.data_wait = 250'000'000;
  EXPECT_FALSE(Read(1).fields[FrameworkField::kDataWaitRatio].known());
  progress.waiting_since = TestPage::At(1.5);
  EXPECT_DOUBLE_EQ(*Read(2).fields[FrameworkField::kDataWait], 0.75);
  EXPECT_DOUBLE_EQ(*sample.fields[FrameworkField::kDataWaitRatio], 0.5);
}

TEST_F(ReadPage, WithoutAnyWaitNothingIsKnownOfWaits) {
  Read(1);
  EXPECT_FALSE(Read(2).fields[FrameworkField::kDataWait].known());
}

TEST_F(ReadPage, StackSamplesNameTheirStack) {
  const uint64_t a = page.AddStack("main train.py:10;step train.py:80");
  const uint64_t b = page.AddStack("main train.py:11");
  page.AddSample(0.1, a);
  page.AddSample(0.2, b);
  page.AddSample(0.3, a);
  const FrameworkSample& read = Read(1);
  EXPECT_THAT(read.stacks, ElementsAre("main train.py:10;step train.py:80", "main train.py:11"));
  ASSERT_EQ(read.stack_samples.size(), 3u);
  EXPECT_EQ(read.stack_samples[2].stack, read.stack_samples[0].stack);
}

TEST_F(ReadPage, ASampleWhoseStackWasReplacedIsLost) {
  const uint64_t old = page.AddStack("old");
  page.AddSample(0.1, old);
  for (unsigned i = 0; i < GPUSIGHT_PAGE_STACKS; ++i) page.AddStack("new");
  EXPECT_THAT(Read(1).stack_samples, IsEmpty());
  EXPECT_EQ(sample.lost, 1u);
}

TEST_F(ReadPage, MarksAndOutOfMemoryComeOnceEach) {
  auto& p = page.page();
  p.progress.marks = 1;
  p.mark[1] = {1, TestPage::At(0.5), 2.5, GPUSIGHT_MARK_METRIC, "loss"};
  p.progress.out_of_memory = 1;
  p.oom[1].number = 1;
  p.oom[1].time = TestPage::At(0.6);
  p.oom[1].requested = 2 << 20;
  std::strcpy(p.oom[1].stack, "forward model.py:3");
  const FrameworkSample& read = Read(1);
  ASSERT_EQ(read.marks.size(), 1u);
  EXPECT_EQ(read.marks[0].type, MarkType::kMetric);
  EXPECT_EQ(read.marks[0].text, "loss");
  EXPECT_DOUBLE_EQ(read.marks[0].value, 2.5);
  ASSERT_EQ(read.out_of_memory.size(), 1u);
  EXPECT_EQ(read.out_of_memory[0].requested, 2u << 20);
  EXPECT_EQ(read.out_of_memory[0].stack, "forward model.py:3");
  EXPECT_THAT(Read(2).marks, IsEmpty());
  EXPECT_THAT(sample.out_of_memory, IsEmpty());
}

TEST_F(ReadPage, RefusesWhatIsNoPage) {
  page.page().header.magic[0] = 'X';
  EXPECT_THAT(Refusal(), HasSubstr("the page: not a telemetry page"));
}

TEST_F(ReadPage, RefusesAnotherVersionByItsNumber) {
  page.page().header.version = 9;
  EXPECT_THAT(Refusal(), HasSubstr("version 9"));
}

TEST_F(ReadPage, RefusesAnotherSize) {
  page.page().header.size = 4096;
  EXPECT_THAT(Refusal(), HasSubstr("4096 bytes"));
}

TEST(PageReader, RefusesAPageThatIsCutShort) {
  TempFolder folder;
  for (const size_t size : {size_t{0}, size_t{100}, size_t{4096}, sizeof(gpusight_page) - 1}) {
    const std::string path = folder.path() + "/cut";
    TestPage().Write(path, size);
    PageReader reader(UniqueFd(open(path.c_str(), O_RDONLY)), path);
    FrameworkSample sample;
    EXPECT_FALSE(reader.ReadHeader()) << size;
    EXPECT_FALSE(reader.Read(sample, {}, 1)) << size;
  }
}

TEST_F(ReadPage, TextsWithoutAnEndOrWithControlsAreMadeSafe) {
  auto& identity = page.page().identity;
  std::memset(identity.settings, 'x', sizeof identity.settings);
  std::strcpy(identity.script, "\033[2Jtrain.py");
  const FrameworkSample& read = Read(1);
  EXPECT_EQ(read.settings.size(), sizeof identity.settings);
  EXPECT_EQ(read.script, "?[2Jtrain.py");
}

TEST_F(ReadPage, NumbersAndTimesThatCannotBeTrueAreNotBelieved) {
  auto& p = page.page();
  p.memory[0].ordinal = 0;
  p.memory[0].written = TestPage::At(3600);  // in the future
  p.memory[0].known = ~uint64_t{0};
  p.memory[0].allocated = ~uint64_t{0};
  page.AddStep(3600, 1);
  p.progress.waiting_since = TestPage::At(3600);
  page.AddSample(3600, page.AddStack("a"));
  const FrameworkSample& read = Read(1);
  const Known<double> implausible(Absence::kImplausible);
  ASSERT_EQ(read.allocators.size(), 1u);
  EXPECT_EQ(read.allocators[0].age, implausible);
  EXPECT_EQ(read.allocators[0].fields[AllocatorField::kAllocated], implausible);
  EXPECT_THAT(read.steps, IsEmpty());
  EXPECT_THAT(read.stack_samples, IsEmpty());
  EXPECT_DOUBLE_EQ(*read.fields[FrameworkField::kDataWait], 0);
}

TEST_F(ReadPage, CountsOfTheWholeRangeEndAtOnce) {
  auto& progress = page.page().progress;
  progress.steps = progress.marks = progress.samples = progress.out_of_memory =
      std::numeric_limits<uint64_t>::max() - 1;
  EXPECT_THAT(Read(1).steps, IsEmpty());
  progress.steps = progress.marks = std::numeric_limits<uint64_t>::max();
  EXPECT_THAT(Read(2).steps, IsEmpty());
}

}  // namespace
}  // namespace gpusight::page
