// SPDX-License-Identifier: Apache-2.0
// What is written into the page, and that readers and threads see whole states only.
#include "agent/agent.h"

#include <malloc.h>
#include <sys/wait.h>

#include <atomic>
#include <thread>
#include <vector>

#include "agent/test_page.h"

namespace gpusight {
namespace {

class Agent : public PageTest {
 protected:
  void SetUp() override {
    PageTest::SetUp();
    Open();
  }
};

gpusight_identity Identity() {
  gpusight_identity identity = {};
  identity.rank = identity.local_rank = identity.world_size = -1;
  return identity;
}

gpusight_allocator Allocator(int ordinal, uint64_t all) {
  return {ordinal, "", all, all, all, all, all, all, all, all, all, all};
}

TEST_F(Agent, IdentityIsWhatTheProgramSaid) {
  gpusight_identity identity = Identity();
  identity.framework = "PaddlePaddle";
  identity.framework_version = "3.3.1";
  identity.dtype = "bfloat16";
  identity.settings = "FLAGS_allocator_strategy=auto_growth";
  identity.rank = 3;
  identity.world_size = 8;
  identity.mixed_precision = identity.compiled = 1;
  ASSERT_EQ(gpusight_identify(agent_, &identity), GPUSIGHT_OK);

  const gpusight_page_identity read = ReadSection(MappedPage(PagePath())->identity);
  EXPECT_EQ(read.framework, GPUSIGHT_FRAMEWORK_PADDLE);
  EXPECT_STREQ(read.framework_version, "3.3.1");
  EXPECT_STREQ(read.python_version, "");
  EXPECT_STREQ(read.dtype, "bfloat16");
  EXPECT_STREQ(read.settings, "FLAGS_allocator_strategy=auto_growth");
  EXPECT_EQ(read.rank, 3);
  EXPECT_EQ(read.local_rank, -1);
  EXPECT_EQ(read.world_size, 8);
  EXPECT_EQ(read.flags, 3u);
}

TEST_F(Agent, BeforeAnythingIsSaidNothingIsKnown) {
  const MappedPage page(PagePath());
  EXPECT_EQ(page->identity.rank, -1);
  EXPECT_EQ(page->memory[0].ordinal, -1);
  EXPECT_EQ(page->memory[15].ordinal, -1);
  EXPECT_EQ(page->progress.steps, 0u);
  EXPECT_EQ(page->step[1].number, 0u);
}

TEST_F(Agent, AnUnknownNumberOfAnAllocatorIsNotZero) {
  gpusight_allocator allocator = Allocator(2, GPUSIGHT_UNKNOWN);
  allocator.uuid = "GPU-00000000-0000-0000-0000-000000000001";
  allocator.allocated = 0;
  allocator.reserved = 2097152;
  ASSERT_EQ(gpusight_memory(agent_, &allocator), GPUSIGHT_OK);

  const gpusight_page_memory read = ReadSection(MappedPage(PagePath())->memory[0]);
  EXPECT_EQ(read.ordinal, 2);
  EXPECT_EQ(read.known, uint64_t{GPUSIGHT_MEMORY_ALLOCATED | GPUSIGHT_MEMORY_RESERVED});
  EXPECT_EQ(read.allocated, 0u);
  EXPECT_EQ(read.reserved, 2097152u);
  EXPECT_STREQ(read.uuid, "GPU-00000000-0000-0000-0000-000000000001");
  EXPECT_GT(read.written, 0u);
}

TEST_F(Agent, EachDeviceKeepsItsSlotAndASeventeenthHasNone) {
  for (int ordinal = 20; ordinal < 36; ordinal++) {
    const gpusight_allocator allocator = Allocator(ordinal, 1);
    EXPECT_EQ(gpusight_memory(agent_, &allocator), GPUSIGHT_OK);
  }
  const gpusight_allocator again = Allocator(20, 5), other = Allocator(36, 1);
  EXPECT_EQ(gpusight_memory(agent_, &again), GPUSIGHT_OK);
  EXPECT_EQ(gpusight_memory(agent_, &other), GPUSIGHT_ARGUMENT);
  EXPECT_EQ(MappedPage(PagePath())->memory[0].active, 5u);
}

TEST_F(Agent, StepsAreCountedAndTheNewestStandInTheRing) {
  for (int i = 0; i < 300; i++) ASSERT_EQ(gpusight_step(agent_), GPUSIGHT_OK);
  const MappedPage page(PagePath());
  EXPECT_EQ(ReadSection(page->progress).steps, 300u);
  gpusight_page_step step;
  EXPECT_TRUE(ReadEntry(page->step[300 % GPUSIGHT_PAGE_STEPS], 300, step));
  EXPECT_GT(step.duration, 0u);
  EXPECT_FALSE(ReadEntry(page->step[1], 1, step)) << "257 took its place";
}

TEST_F(Agent, TheFirstStepHasNoDuration) {
  gpusight_step(agent_);
  EXPECT_EQ(MappedPage(PagePath())->step[1].duration, 0u);
}

TEST_F(Agent, AWaitInsideAnotherIsNotCountedTwice) {
  const MappedPage page(PagePath());
  gpusight_wait_begin(agent_);
  gpusight_wait_begin(agent_);
  EXPECT_GT(page->progress.waiting_since, 0u);
  gpusight_wait_end(agent_);
  EXPECT_EQ(page->progress.data_waits, 0u);
  gpusight_wait_end(agent_);
  EXPECT_EQ(page->progress.data_waits, 1u);
  EXPECT_EQ(page->progress.waiting_since, 0u);
  EXPECT_GT(page->progress.data_wait, 0u);
  EXPECT_EQ(gpusight_wait_end(agent_), GPUSIGHT_ARGUMENT);
}

TEST_F(Agent, AStepTellsHowMuchOfItWasWaiting) {
  gpusight_step(agent_);
  gpusight_wait_begin(agent_);
  gpusight_wait_end(agent_);
  gpusight_step(agent_);
  gpusight_step(agent_);
  const MappedPage page(PagePath());
  EXPECT_EQ(page->step[2].data_wait, page->progress.data_wait);
  EXPECT_LE(page->step[2].data_wait, page->step[2].duration);
  EXPECT_EQ(page->step[3].data_wait, 0u);
}

TEST_F(Agent, MarksKeepTheirOrderTypeAndValue) {
  gpusight_phase(agent_, "eval");
  gpusight_metric(agent_, "loss", 0.25);
  gpusight_checkpoint(agent_, 12.5, "epoch 3");
  gpusight_exception(agent_, "ValueError: no");
  gpusight_note(agent_, nullptr);
  const MappedPage page(PagePath());
  EXPECT_EQ(page->progress.marks, 5u);
  EXPECT_EQ(page->mark[1].type, uint32_t{GPUSIGHT_MARK_PHASE});
  EXPECT_STREQ(page->mark[1].text, "eval");
  EXPECT_STREQ(page->mark[2].text, "loss");
  EXPECT_EQ(page->mark[2].value, 0.25);
  EXPECT_EQ(page->mark[3].value, 12.5);
  EXPECT_EQ(page->mark[4].type, uint32_t{GPUSIGHT_MARK_EXCEPTION});
  EXPECT_EQ(page->mark[5].type, uint32_t{GPUSIGHT_MARK_NOTE});
  EXPECT_STREQ(page->mark[5].text, "");
}

TEST_F(Agent, ATextThatIsTooLongIsCutBetweenCharacters) {
  std::string text(226, 'x');
  text += "显存";  // the first would need bytes 226 to 228, and 227 is the last
  gpusight_note(agent_, text.c_str());
  EXPECT_EQ(std::string(MappedPage(PagePath())->mark[1].text), std::string(226, 'x'));
}

TEST_F(Agent, AnOutOfMemoryKeepsItsNumbersAndStack) {
  const gpusight_oom oom = {1, 20, 100, 5, 60, 80, 70, 10, "train.py:3 step;train.py:9 main"};
  ASSERT_EQ(gpusight_out_of_memory(agent_, &oom), GPUSIGHT_OK);
  const MappedPage page(PagePath());
  EXPECT_EQ(page->progress.out_of_memory, 1u);
  EXPECT_EQ(page->oom[1].ordinal, 1);
  EXPECT_EQ(page->oom[1].requested, 20u);
  EXPECT_EQ(page->oom[1].inactive_split, 10u);
  EXPECT_STREQ(page->oom[1].stack, "train.py:3 step;train.py:9 main");
}

TEST_F(Agent, SamplesAreCountedAtTheirStack) {
  const uint64_t stack = gpusight_stack(agent_, "a.py:1 main;a.py:2 load");
  ASSERT_EQ(stack, 1u);
  gpusight_sample(agent_, stack, 111);
  gpusight_sample(agent_, stack, 222);
  const MappedPage page(PagePath());
  EXPECT_EQ(page->stack[0].count, 2u);
  EXPECT_EQ(page->stack[0].last, 222u);
  EXPECT_STREQ(page->stack[0].text, "a.py:1 main;a.py:2 load");
  EXPECT_EQ(page->sample[2].stack, stack);
  EXPECT_EQ(page->sample[2].time, 222u);
  EXPECT_EQ(page->progress.samples, 2u);
}

TEST_F(Agent, ANewStackTakesTheOldestPlaceAndTheOldNumberIsRefused) {
  const uint64_t first = gpusight_stack(agent_, "first");
  uint64_t last = 0;
  for (unsigned i = 0; i < GPUSIGHT_PAGE_STACKS; i++) last = gpusight_stack(agent_, "next");
  EXPECT_EQ(last, first + GPUSIGHT_PAGE_STACKS);
  EXPECT_EQ(gpusight_sample(agent_, first, 1), GPUSIGHT_ARGUMENT);
  EXPECT_EQ(gpusight_sample(agent_, last, 1), GPUSIGHT_OK);
}

TEST_F(Agent, ASectionThatIsBeingWrittenIsBusyAndNobodyWaits) {
  gpusight_identity identity = Identity();
  const int fd = open(PagePath().c_str(), O_RDWR | O_CLOEXEC);
  auto* page = static_cast<gpusight_page*>(
      mmap(nullptr, sizeof(gpusight_page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  page->identity.lock = page->progress.lock = 1;
  EXPECT_EQ(gpusight_identify(agent_, &identity), GPUSIGHT_BUSY);
  EXPECT_EQ(gpusight_step(agent_), GPUSIGHT_BUSY);
  page->progress.lock = 2;
  EXPECT_EQ(gpusight_step(agent_), GPUSIGHT_OK);
  EXPECT_EQ(page->progress.steps, 2u) << "no step is lost";
  munmap(page, sizeof *page);
  close(fd);
}

TEST_F(Agent, AReaderSeesWholeSectionsWhileThreadsWrite) {
  std::atomic<bool> stop = false;
  std::vector<std::jthread> writers;
  for (int thread = 0; thread < 3; thread++) {
    writers.emplace_back([this, &stop, thread] {
      for (int i = thread; !stop; i += 3) {
        const std::string text(40, static_cast<char>('a' + i % 26));
        gpusight_identity identity = Identity();
        identity.rank = identity.local_rank = identity.world_size = i;
        identity.script = identity.settings = text.c_str();
        gpusight_identify(agent_, &identity);
        const gpusight_allocator allocator = Allocator(0, static_cast<uint64_t>(i));
        gpusight_memory(agent_, &allocator);
      }
    });
  }
  const MappedPage page(PagePath());
  for (int i = 0; i < 5000; i++) {
    const gpusight_page_identity identity = ReadSection(page->identity);
    ASSERT_EQ(identity.rank, identity.world_size);
    ASSERT_EQ(identity.rank, identity.local_rank);
    ASSERT_STREQ(identity.script, identity.settings);
    const gpusight_page_memory memory = ReadSection(page->memory[0]);
    ASSERT_EQ(memory.allocated, memory.out_of_memory);
    ASSERT_EQ(memory.allocated, memory.inactive_split);
  }
  stop = true;
}

TEST_F(Agent, NoStepAndNoMarkOfSeveralThreadsIsLost) {
  const MappedPage page(PagePath());
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; thread++) {
      threads.emplace_back([this] {
        for (int i = 0; i < 1000; i++) {
          gpusight_wait_begin(agent_);
          gpusight_wait_end(agent_);
          gpusight_step(agent_);
          gpusight_metric(agent_, "loss", i);
        }
      });
    }
    for (int i = 0; i < 1000; i++) {  // a reader meanwhile
      const uint64_t newest = ReadSection(page->progress).steps;
      gpusight_page_step step;
      if (ReadEntry(page->step[newest % GPUSIGHT_PAGE_STEPS], newest, step)) {
        ASSERT_LT(step.duration, 60'000'000'000u);
      }
    }
  }
  gpusight_note(agent_, "the end");
  EXPECT_EQ(page->progress.steps, 4000u);
  EXPECT_EQ(page->progress.data_waits, 4000u);
  EXPECT_EQ(page->progress.marks, 4001u);
  EXPECT_EQ(page->progress.waiting_since, 0u);
}

TEST_F(Agent, NothingIsAllocatedOnceItIsOpen) {
  gpusight_identity identity = Identity();
  const gpusight_allocator allocator = Allocator(0, 1);
  const gpusight_oom oom = {};
  const auto before = mallinfo2();
  for (int i = 0; i < 100; i++) {
    gpusight_identify(agent_, &identity);
    gpusight_memory(agent_, &allocator);
    gpusight_wait_begin(agent_);
    gpusight_wait_end(agent_);
    gpusight_step(agent_);
    gpusight_phase(agent_, "eval");
    gpusight_out_of_memory(agent_, &oom);
    gpusight_sample(agent_, gpusight_stack(agent_, "a"), 1);
  }
  EXPECT_EQ(mallinfo2().uordblks, before.uordblks);
}

TEST(WithoutAPage, EveryCallSaysSo) {
  const gpusight_identity identity = Identity();
  const gpusight_allocator allocator = Allocator(0, 1);
  const gpusight_oom oom = {};
  EXPECT_EQ(gpusight_identify(nullptr, &identity), GPUSIGHT_NOT_OPEN);
  EXPECT_EQ(gpusight_memory(nullptr, &allocator), GPUSIGHT_NOT_OPEN);
  EXPECT_EQ(gpusight_step(nullptr), GPUSIGHT_NOT_OPEN);
  EXPECT_EQ(gpusight_wait_begin(nullptr), GPUSIGHT_NOT_OPEN);
  EXPECT_EQ(gpusight_wait_end(nullptr), GPUSIGHT_NOT_OPEN);
  EXPECT_EQ(gpusight_note(nullptr, "x"), GPUSIGHT_NOT_OPEN);
  EXPECT_EQ(gpusight_out_of_memory(nullptr, &oom), GPUSIGHT_NOT_OPEN);
  EXPECT_EQ(gpusight_stack(nullptr, "x"), 0u);
  EXPECT_EQ(gpusight_sample(nullptr, 1, 1), GPUSIGHT_NOT_OPEN);
  EXPECT_EQ(gpusight_close(nullptr), GPUSIGHT_NOT_OPEN);
  EXPECT_STREQ(gpusight_path(nullptr), "");
  EXPECT_FALSE(gpusight_is_open(nullptr));
}

TEST(StatusName, IsThereForEveryStatus) {
  EXPECT_STREQ(gpusight_status_name(GPUSIGHT_OK), "ok");
  EXPECT_STREQ(gpusight_status_name(GPUSIGHT_TOO_MANY), "too_many");
}

}  // namespace
}  // namespace gpusight
