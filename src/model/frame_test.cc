// SPDX-License-Identifier: Apache-2.0
#include "model/frame.h"

#include <gtest/gtest.h>

namespace gpusight {
namespace {

TEST(Frame, AProcessThatIsAddedIsAsNew) {
  Frame frame;
  ProcessSample& process = AddProcess(frame);
  process.pid = 7;
  process.command = std::string("python");
  process.fields[ProcessField::kCpu] = 1.0;
  SetProcessCount(frame, 0);
  const ProcessSample& again = AddProcess(frame);
  EXPECT_EQ(again.pid, 0);
  EXPECT_FALSE(again.command.known());
  EXPECT_FALSE(again.fields[ProcessField::kCpu].known());
}

TEST(Frame, AListThatShrankAndGrowsUsesItsOldMemory) {
  Frame frame;
  AddProcess(frame).slurm_job = std::string(100, 'x');
  const char* memory = frame.processes[0].slurm_job.data();
  SetProcessCount(frame, 0);
  EXPECT_EQ(frame.spare_processes.size(), 1u);
  ProcessSample& process = AddProcess(frame);
  EXPECT_EQ(process.slurm_job, "");
  process.slurm_job.assign(90, 'y');
  EXPECT_EQ(process.slurm_job.data(), memory);
  EXPECT_TRUE(frame.spare_processes.empty());
}

TEST(AnotherJob, IsOneWhoseProcessIsThereAndNotOfTheJob) {
  Frame frame;
  FrameworkSample framework;
  framework.pid = 42;
  EXPECT_FALSE(IsOfAnotherJob(framework, frame)) << "its process has ended";
  ProcessSample& process = AddProcess(frame);
  process.pid = 42;
  process.in_job = true;
  EXPECT_FALSE(IsOfAnotherJob(framework, frame));
  process.in_job = false;
  EXPECT_TRUE(IsOfAnotherJob(framework, frame));
}

}  // namespace
}  // namespace gpusight
