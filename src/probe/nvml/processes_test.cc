// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/processes.h"

#include <gtest/gtest.h>

#include <cstring>

#include "probe/nvml/process_list.h"

namespace gpusight::nvml {
namespace {

constexpr uint64_t kTotal = 150'754'820'096;
constexpr uint64_t kMiB = 1 << 20;

// A buffer as the driver leaves it: the pattern, and at its front what the driver wrote.
class Buffer {
 public:
  Buffer() : bytes_(64 * kRecordRoom) { Prefill(bytes_); }
  template <typename Record>
  void Write(const std::vector<Record>& records) {
    // Paddings stay as they were, as the real driver leaves them.
    for (size_t i = 0; i < records.size(); ++i) {
      std::byte* at = bytes_.data() + i * sizeof(Record);
      std::memcpy(at, &records[i].pid, 4);
      std::memcpy(at + 8, reinterpret_cast<const std::byte*>(&records[i]) + 8, sizeof(Record) - 8);
    }
  }
  void Fill(size_t from, size_t to, int value) {
    std::memset(bytes_.data() + from, value, to - from);
  }
  std::vector<ProcessRecord> Decode(unsigned count, uint64_t total = kTotal) {
    std::vector<ProcessRecord> out;
    layout = FindLayout(bytes_, count, total);
    rejected = DecodeProcesses(bytes_, count, layout, total, out);
    return out;
  }
  std::vector<std::byte> bytes_;
  Layout layout;
  unsigned rejected = 0;
};

std::vector<uint32_t> Pids(const std::vector<ProcessRecord>& records) {
  std::vector<uint32_t> pids;
  for (const ProcessRecord& record : records) pids.push_back(record.pid);
  return pids;
}

TEST(Processes, TellsRecordsOf16BytesFromWhatWasWritten) {
  Buffer buffer;
  buffer.Write<ProcessInfo16>({{600, 512 * kMiB}, {601, 513 * kMiB}, {418, 3752 * kMiB}});
  const auto records = buffer.Decode(3);
  EXPECT_EQ(buffer.layout.stride, 16u);
  EXPECT_EQ(Pids(records), (std::vector<uint32_t>{600, 601, 418}));
  EXPECT_EQ(records[2].memory, 3752 * kMiB);
  EXPECT_EQ(records[2].gpu_instance, kNoInstance);
}

TEST(Processes, TellsRecordsOf24BytesFromWhatWasWritten) {
  Buffer buffer;
  buffer.Write<ProcessInfo24>({{600, kMiB, kNoInstance, kNoInstance},
                               {601, kMiB, kNoInstance, kNoInstance},
                               {418, 2 * kMiB, 1, 0}});
  const auto records = buffer.Decode(3);
  EXPECT_EQ(buffer.layout.stride, 24u);
  EXPECT_EQ(Pids(records), (std::vector<uint32_t>{600, 601, 418}));
  EXPECT_EQ(records[2].gpu_instance, 1u);
}

TEST(Processes, TellsRecordsOf32BytesFromWhatWasWritten) {
  Buffer buffer;
  buffer.Write<ProcessInfo32>({{600, kMiB, kNoInstance, kNoInstance, 0},
                               {601, kMiB, kNoInstance, kNoInstance, 0},
                               {418, kMiB, kNoInstance, kNoInstance, 0}});
  EXPECT_EQ(Pids(buffer.Decode(3)), (std::vector<uint32_t>{600, 601, 418}));
  EXPECT_EQ(buffer.layout.stride, 32u);
}

TEST(Processes, ReadsOneRecordOfAnyGeneration) {
  Buffer buffer;
  buffer.Write<ProcessInfo32>({{4242, kMiB, kNoInstance, kNoInstance, 0}});
  EXPECT_EQ(Pids(buffer.Decode(1)), (std::vector<uint32_t>{4242}));
}

TEST(Processes, FallsBackOnSenseWhenTheDriverClearedTheWholeBuffer) {
  Buffer buffer;
  buffer.Fill(0, buffer.bytes_.size(), 0);
  buffer.Write<ProcessInfo24>({{600, kMiB, kNoInstance, kNoInstance},
                               {601, kMiB, kNoInstance, kNoInstance},
                               {418, kMiB, kNoInstance, kNoInstance}});
  EXPECT_EQ(Pids(buffer.Decode(3)), (std::vector<uint32_t>{600, 601, 418}));
}

TEST(Processes, TakesAllOnesAsMemoryThatIsNotTold) {
  Buffer buffer;
  buffer.Write<ProcessInfo16>({{600, kValueNotAvailable}, {601, kValueNotAvailable}});
  const auto records = buffer.Decode(2);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].memory, kMemoryUnknown);
  EXPECT_EQ(buffer.rejected, 0u);
}

TEST(Processes, RejectsMemoryLargerThanTheDeviceButKeepsTheProcess) {
  Buffer buffer;
  buffer.Write<ProcessInfo16>({{600, kMiB}, {601, 2 * kTotal}});
  const auto records = buffer.Decode(2);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1].memory, kMemoryImplausible);
  EXPECT_EQ(buffer.rejected, 1u);
}

TEST(Processes, SeesThatPidAndMemoryAreSwapped) {
  Buffer buffer;
  const uint64_t swapped[] = {900 * kMiB, 600, 901 * kMiB, 601};
  std::memcpy(buffer.bytes_.data(), swapped, sizeof(swapped));
  const auto records = buffer.Decode(2);
  EXPECT_TRUE(buffer.layout.swapped);
  EXPECT_EQ(Pids(records), (std::vector<uint32_t>{600, 601}));
  EXPECT_EQ(records[0].memory, 900 * kMiB);
}

TEST(Processes, DropsEntriesWithoutAPid) {
  Buffer buffer;
  buffer.Write<ProcessInfo16>({{600, kMiB}, {0, kMiB}, {601, kMiB}});
  EXPECT_EQ(Pids(buffer.Decode(3)), (std::vector<uint32_t>{600, 601}));
  EXPECT_EQ(buffer.rejected, 1u);
}

TEST(Processes, BelievesNothingOfNoise) {
  Buffer buffer;
  buffer.Fill(0, 3 * 24, 0xff);
  EXPECT_TRUE(buffer.Decode(3).empty());
  EXPECT_EQ(buffer.layout.stride, 0u);
  EXPECT_EQ(buffer.rejected, 3u);
}

TEST(Processes, AcceptsAnyMemoryWhenTheTotalIsNotKnown) {
  Buffer buffer;
  buffer.Write<ProcessInfo16>({{600, 2 * kTotal}});
  EXPECT_EQ(buffer.Decode(1, 0).at(0).memory, 2 * kTotal);
}

Use UseOf(int pid, uint16_t device, UseType type, uint64_t memory) {
  return {pid, device, static_cast<uint8_t>(type), memory};
}

TEST(MergeUses, MakesOneUseOfComputeAndGraphics) {
  std::vector<Use> uses = {UseOf(9, 0, UseType::kGraphics, 5 * kMiB),
                           UseOf(7, 0, UseType::kCompute, kMiB),
                           UseOf(9, 0, UseType::kCompute, 5 * kMiB)};
  MergeUses(uses);
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[1].pid, 9);
  EXPECT_EQ(uses[1].types, 3);
  EXPECT_EQ(uses[1].memory, 5 * kMiB);
}

TEST(MergeUses, KeepsAProcessOnTwoDevicesApart) {
  std::vector<Use> uses = {UseOf(9, 1, UseType::kCompute, kMiB),
                           UseOf(9, 0, UseType::kCompute, 2 * kMiB)};
  MergeUses(uses);
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].device, 0);
  EXPECT_EQ(uses[1].device, 1);
}

TEST(MergeUses, PrefersAKnownAmount) {
  std::vector<Use> uses = {UseOf(9, 0, UseType::kGraphics, kMemoryUnknown),
                           UseOf(9, 0, UseType::kCompute, kMiB)};
  MergeUses(uses);
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].memory, kMiB);
}

}  // namespace
}  // namespace gpusight::nvml
