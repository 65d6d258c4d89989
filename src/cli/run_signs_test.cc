// SPDX-License-Identifier: Apache-2.0
#include "cli/run_signs.h"

#include <gtest/gtest.h>

namespace gpusight::cli {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr double kMi = 1 << 20;

Frame At(int64_t seconds) {
  Frame frame;
  frame.time.ns = seconds * kSecond;
  frame.devices.resize(2);
  frame.devices[0].info.uuid = "GPU-0";
  frame.devices[1].info.uuid = "GPU-1";
  ProcessSample process;
  process.pid = 7;
  process.in_job = true;
  GpuUse use;
  use.device = 0;
  process.uses.push_back(use);
  frame.processes.push_back(process);
  FrameworkSample framework;
  framework.pid = 7;
  frame.frameworks.push_back(framework);
  return frame;
}

ExitFacts Failed() {
  ExitFacts facts;
  facts.kind = EndKind::kExited;
  facts.code = 1;
  return facts;
}

ExitFacts Complete(const EndSigns& signs, std::string_view output = "") {
  ExitFacts facts = Failed();
  signs.Complete(facts, output);
  return facts;
}

TEST(EndSigns, TakeTheEarliestException) {
  EndSigns signs;
  Frame frame = At(5);
  frame.frameworks[0].marks = {
      {MarkType::kException, {4 * kSecond}, 0, "RuntimeError: NCCL communicator was aborted"},
      {MarkType::kException, {3 * kSecond}, 0, "ValueError: bad batch"}};
  signs.Add(frame, nullptr);
  EXPECT_EQ(Complete(signs).exception, "ValueError: bad batch");
}

TEST(EndSigns, LeaveOutStrangersAndOtherDevices) {
  EndSigns signs;
  Frame frame = At(5);
  frame.frameworks[0].marks = {{MarkType::kException, {4 * kSecond}, 0, "ValueError: x"}};
  frame.events = {{EventType::kXid, frame.time, "GPU-1", 31},
                  {EventType::kXid, frame.time, "GPU-0", 13},
                  {EventType::kDeviceLost, frame.time, "GPU-0", 0}};
  Frame other = frame;
  other.processes[0].in_job = false;
  signs.Add(other, nullptr);
  EXPECT_EQ(Complete(signs).exception, "");
  EXPECT_TRUE(Complete(signs).xids.empty()) << "the job used no device";
  signs.Add(frame, nullptr);
  EXPECT_EQ(Complete(signs).exception, "ValueError: x");
  for (const Event& event : Complete(signs).xids) EXPECT_EQ(event.device_uuid, "GPU-0");
}

TEST(EndSigns, KnowACaughtFailureByTheStepsAfterIt) {
  EndSigns signs;
  Frame frame = At(5);
  frame.frameworks[0].out_of_memory.emplace_back().time = {5 * kSecond};
  signs.Add(frame, nullptr);
  EXPECT_TRUE(Complete(signs).out_of_memory);
  frame = At(6);
  frame.frameworks[0].steps.emplace_back().end = {6 * kSecond};
  signs.Add(frame, nullptr);
  EXPECT_TRUE(signs.ran_out());
  EXPECT_FALSE(Complete(signs).out_of_memory);
}

TEST(EndSigns, DoNotBlameMemoryForAnotherException) {
  EndSigns signs;
  Frame frame = At(5);
  frame.frameworks[0].out_of_memory.emplace_back().time = {5 * kSecond};
  frame.frameworks[0].marks = {{MarkType::kException, {6 * kSecond}, 0, "KeyError: 'x'"}};
  signs.Add(frame, nullptr);
  EXPECT_FALSE(Complete(signs).out_of_memory);
}

TEST(EndSigns, ReadTheOutputWhereNothingElseTells) {
  const EndSigns signs;
  const ExitFacts memory = Complete(
      signs,
      "step 3\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\n"
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
      "capacity of 79.00 GiB of which 1.00 GiB is free.\n");
  EXPECT_TRUE(memory.out_of_memory);
  EXPECT_TRUE(memory.exception.starts_with("torch.OutOfMemoryError")) << memory.exception;
  const ExitFacts cuda = Complete(signs, "CUDA error: misaligned address\nbye\n");
  EXPECT_EQ(cuda.exception, "CUDA error: misaligned address");
  EXPECT_FALSE(cuda.out_of_memory);
  EXPECT_EQ(Complete(signs, "all is well\n").exception, "");
}

TEST(EndSigns, KeepTheFullestSharedMemoryOfTheLastMinute) {
  EndSigns signs;
  const auto add = [&](int64_t seconds, double used) {
    ContainerSample container;
    container.fields[ContainerField::kShmTotal] = 64 * kMi;
    container.fields[ContainerField::kShmUsed] = used * kMi;
    signs.Add(At(seconds), &container);
  };
  add(1, 64);
  add(30, 20);
  add(62, 50);
  add(63, 10);
  EXPECT_EQ(Complete(signs).shm_used, 50 * kMi) << "what was more is longer ago";
  EXPECT_EQ(Complete(signs).shm_total, 64 * kMi);
}

}  // namespace
}  // namespace gpusight::cli
