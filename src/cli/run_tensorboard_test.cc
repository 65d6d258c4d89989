// SPDX-License-Identifier: Apache-2.0
// What is in the files, tests/judges/tensorboard_test.py asks TensorBoard.
#include "cli/run_tensorboard.h"

#include <gmock/gmock.h>

#include <fstream>
#include <mutex>

#include "base/fd.h"
#include "testing/temp_folder.h"
#include "testing/test_frame.h"

namespace gpusight::cli {
namespace {

class RunTensorBoardTest : public testing::Test {
 protected:
  RunTensorBoardTest() {
    frame_ = TestFrame();
    for (DeviceSample& device : frame_.devices) device.fields[DeviceField::kUtilization] = 0.5;
  }
  RunTensorBoard Start() {
    return {folder_,
            {},
            frame_,
            [this](const std::string& sentence) {
              const std::lock_guard lock(mutex_);
              said_.push_back(sentence);
            },
            Language::kEnglish};
  }
  static std::string FileOf(const std::string& folder, const std::string& run) {
    const auto names = ListFolder(folder + "/" + run);
    if (!names || names->size() != 1) return "";
    return ReadFile(folder + "/" + run + "/" + names->front()).value_or("");
  }
  static size_t Count(const std::string& text, const std::string& word) {
    size_t count = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      ++count;
    }
    return count;
  }

  const TempFolder temporary_;
  std::string folder_ = temporary_.path() + "/deep/live";
  Frame frame_;
  std::mutex mutex_;
  std::vector<std::string> said_;
};

TEST_F(RunTensorBoardTest, EveryFrameIsInTheFilesAtTheEnd) {
  {
    RunTensorBoard board = Start();
    for (int i = 0; i < 200; ++i) {
      frame_.time.ns += 1'000'000'000;
      board.Add(frame_);
    }
    board.End({}, {}, {}, frame_);
  }
  EXPECT_EQ(Count(FileOf(folder_, "gpu0"), "gpu/utilization_ratio"), 200u);
  EXPECT_EQ(Count(FileOf(folder_, "job"), "job/run"), 2u);
  EXPECT_THAT(said_, testing::IsEmpty());
}

TEST_F(RunTensorBoardTest, AFolderOfAnotherRunIsLeftAloneAndThatIsSaid) {
  {
    RunTensorBoard first = Start();
  }
  {
    RunTensorBoard second = Start();
  }
  EXPECT_EQ(Count(FileOf(folder_, "job"), "job/run"), 1u);
  EXPECT_EQ(Count(FileOf(folder_ + "-2", "job"), "job/run"), 1u);
  EXPECT_THAT(said_, testing::ElementsAre(testing::HasSubstr("live-2")));
}

TEST_F(RunTensorBoardTest, WhatCannotBeWrittenIsSaidOnce) {
  {
    RunTensorBoard board = Start();
    // Where the device's folder should be, there is a file.
    std::ofstream(folder_ + "/gpu0") << "x";
    for (int i = 0; i < 5; ++i) board.Add(frame_);
  }
  EXPECT_THAT(said_, testing::ElementsAre(testing::HasSubstr("The recording is not affected")));
}

}  // namespace
}  // namespace gpusight::cli
