// SPDX-License-Identifier: Apache-2.0
// The probe on the fake driver: processes, and how busy each keeps its device.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "model/account.h"
#include "testing/fake_card.h"

namespace gpusight::nvml {
namespace {

using U = UseField;
using ::testing::ElementsAre;

constexpr double kMiB = 1048576;

Known<double> Because(Absence why) { return why; }

// Three jobs: with fewer a wrong stride goes unnoticed.
const char* const kThree = R"({"pid": 600, "memory_bytes": 536870912, "sm_percent": 53},
    {"pid": 601, "memory_bytes": 537919488}, {"pid": 418, "memory_bytes": 2147483648,
    "sm_percent": 47, "memory_activity_percent": 20})";

std::vector<int> Pids(const Frame& frame) {
  std::vector<int> pids;
  for (const ProcessSample& process : frame.processes) pids.push_back(process.pid);
  return pids;
}

TEST(CardProcesses, AreListedByPidWithTheirMemory) {
  FakeCard card({.processes = kThree});
  const Frame& frame = card.At(1);
  EXPECT_THAT(Pids(frame), ElementsAre(418, 600, 601));
  EXPECT_EQ(UseOf(frame, 600)->fields[U::kMemory], Known<double>(512 * kMiB));
  EXPECT_EQ(Device0(frame).process_count, Known<double>(3.0));
  EXPECT_EQ(UseOf(frame, 600)->types, static_cast<uint8_t>(UseType::kCompute));
}

// The drivers of the 535 branch disagreed about which function writes which record.
TEST(CardProcesses, AreReadWhateverRecordTheDriverWrites) {
  for (const char* missing : {"", "_v3", "_v2 too"}) {
    for (const int stride : {16, 24, 32}) {
      std::string library = fake::LibraryPath();
      if (missing == std::string("_v3")) {
        library = fake::LibraryWithout({"nvmlDeviceGetComputeRunningProcesses_v3"});
      } else if (missing == std::string("_v2 too")) {
        library = fake::LibraryWithout(
            {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
      }
      FakeCard card({.processes = kThree,
                     .quirks = fmt::format(
                         R"("process_record_bytes": {{"v1": {0}, "v2": {0}, "v3": {0}}})", stride),
                     .library = library});
      const Frame& frame = card.At(1);
      EXPECT_THAT(Pids(frame), ElementsAre(418, 600, 601)) << missing << stride;
      EXPECT_EQ(UseOf(frame, 418)->fields[U::kMemory], Known<double>(2048 * kMiB))
          << missing << stride;
    }
  }
}

TEST(CardProcesses, AreReadFromADriverWithOnlyTheFirstGeneration) {
  FakeCard card(
      {.processes = kThree,
       .library = fake::LibraryWithout(
           {"nvmlDeviceGetComputeRunningProcesses_v2", "nvmlDeviceGetComputeRunningProcesses_v3",
            "nvmlDeviceGetGraphicsRunningProcesses_v2", "nvmlDeviceGetGraphicsRunningProcesses_v3",
            "nvmlDeviceGetMPSComputeRunningProcesses", "nvmlDeviceGetMPSComputeRunningProcesses_v2",
            "nvmlDeviceGetMPSComputeRunningProcesses_v3"})});
  EXPECT_THAT(Pids(card.At(1)), ElementsAre(418, 600, 601));
}

TEST(CardProcesses, SwappedPidAndMemoryAreToldApart) {
  FakeCard card({.processes = kThree, .quirks = R"("swap_pid_and_memory": true)"});
  EXPECT_THAT(Pids(card.At(1)), ElementsAre(418, 600, 601));
}

TEST(CardProcesses, MemoryThatTheDriverHidesIsUnknownNotZeroAndNotHuge) {
  FakeCard card({.processes = R"({"pid": 600, "hidden": true})"});
  Frame frame = card.At(1);
  EXPECT_EQ(UseOf(frame, 600)->fields[U::kMemory], Because(Absence::kNotSupported));
  FillAccounts(frame);
  EXPECT_EQ(frame.devices[0][DeviceField::kMemoryResidual], Because(Absence::kIncomplete));
}

TEST(CardProcesses, OneInSeveralListsIsOneUseWithAllTypes) {
  FakeCard card({.processes = R"({"pid": 600, "memory_bytes": 1048576,
                                  "types": ["compute", "graphics", "mps"]})"});
  const Frame& frame = card.At(1);
  ASSERT_EQ(frame.processes.size(), 1u);
  ASSERT_EQ(frame.processes[0].uses.size(), 1u);
  EXPECT_EQ(frame.processes[0].uses[0].types, 7);
  EXPECT_EQ(frame.processes[0].uses[0].fields[U::kMemory], Known<double>(kMiB));
  EXPECT_EQ(Device0(frame).process_count, Known<double>(1.0));
}

TEST(CardProcesses, OneOnTwoDevicesHasAUseOfEach) {
  FakeCard card({.devices = R"({"recording": "h200", "copies": 2})",
                 .processes = R"({"pid": 600, "device": 0, "memory_bytes": 1048576},
                                 {"pid": 600, "device": 1, "memory_bytes": 2097152})"});
  const Frame& frame = card.At(1);
  ASSERT_EQ(frame.processes.size(), 1u);
  EXPECT_EQ(UseOf(frame, 600, 0)->fields[U::kMemory], Known<double>(kMiB));
  EXPECT_EQ(UseOf(frame, 600, 1)->fields[U::kMemory], Known<double>(2 * kMiB));
}

TEST(CardProcesses, MoreThanTheBufferHoldsAreAllListed) {
  FakeCard card({.processes = R"({"pid": 1000, "copies": 700, "memory_bytes": 1048576})"});
  EXPECT_EQ(card.At(1).processes.size(), 700u);
}

TEST(CardProcesses, ThoseThatEndAreGoneFromTheNextFrame) {
  FakeCard card({.processes = R"({"pid": 600, "memory_bytes": 1048576, "until": 2},
                                 {"pid": 601, "memory_bytes": 1048576, "from": 2})"});
  EXPECT_THAT(Pids(card.At(1)), ElementsAre(600));
  EXPECT_THAT(Pids(card.At(3)), ElementsAre(601));
}

TEST(CardProcesses, AListThatIsRefusedIsUnknownNotEmpty) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetComputeRunningProcesses*", "code": 3})"});
  const Frame& frame = card.At(1);
  EXPECT_TRUE(frame.processes.empty());
  EXPECT_EQ(Device0(frame).process_count, Because(Absence::kNotSupported));
  const uint64_t asked = card.Calls("nvmlDeviceGetComputeRunningProcesses_v3");
  card.At(2);
  EXPECT_EQ(card.Calls("nvmlDeviceGetComputeRunningProcesses_v3"), asked);
}

TEST(CardProcesses, AnEmptyListIsZeroProcesses) {
  FakeCard card({});
  EXPECT_EQ(Device0(card.At(1)).process_count, Known<double>(0.0));
}

TEST(CardProcesses, HaveTheirOwnUseNeverTheDevices) {
  FakeCard card({.processes = kThree, .options = {.budget = 1}});
  card.At(1);
  const Frame& frame = card.At(2);
  EXPECT_NEAR(*UseOf(frame, 600)->fields[U::kSm], 0.53, 0.01);
  EXPECT_NEAR(*UseOf(frame, 418)->fields[U::kSm], 0.47, 0.01);
  EXPECT_NEAR(*UseOf(frame, 418)->fields[U::kMemoryActivity], 0.20, 0.01);
}

TEST(CardProcesses, AnIdleOneUsesZero) {
  FakeCard card({.processes = kThree, .options = {.budget = 1}});
  card.At(1);
  EXPECT_EQ(UseOf(card.At(2), 601)->fields[U::kSm], Known<double>(0.0));
}

TEST(CardProcesses, AllIdleMeansZeroAlthoughTheDriverSaysNotFound) {
  FakeCard card(
      {.processes = R"({"pid": 601, "memory_bytes": 1048576})", .options = {.budget = 1}});
  card.At(1);
  const Frame& frame = card.At(2);
  EXPECT_EQ(UseOf(frame, 601)->fields[U::kSm], Known<double>(0.0));
  EXPECT_EQ(frame.probes.at(0).failures, 0u);
}

TEST(CardProcesses, UseIsOfTheTimeSinceTheLastPoll) {
  FakeCard card({.processes = R"({"pid": 600, "memory_bytes": 1048576, "sm_percent":
                                  {"step": true, "points": [[0, 100], [10, 0], [20, 50]]}})",
                 .options = {.budget = 1}});
  card.At(9);
  EXPECT_NEAR(*UseOf(card.At(10), 600)->fields[U::kSm], 1.0, 0.01);
  card.At(11);
  EXPECT_NEAR(*UseOf(card.At(15), 600)->fields[U::kSm], 0.0, 0.01);
  card.At(20);
  EXPECT_NEAR(*UseOf(card.At(25), 600)->fields[U::kSm], 0.5, 0.03);
}

TEST(CardProcesses, JunkUseIsDroppedAndCounted) {
  FakeCard card(
      {.processes = kThree, .quirks = R"("junk_process_samples": true)", .options = {.budget = 1}});
  card.At(1);
  const Frame& frame = card.At(2);
  EXPECT_NEAR(*UseOf(frame, 600)->fields[U::kSm], 0.53, 0.01);
  EXPECT_GT(frame.probes.at(0).rejected, 50u);
}

TEST(CardProcesses, StaleUseOfEndedOnesIsNotGivenToTheLiving) {
  FakeCard card(
      {.processes = R"({"pid": 600, "memory_bytes": 1048576, "sm_percent": 80, "until": 3},
                                 {"pid": 601, "memory_bytes": 1048576, "sm_percent": 10})",
       .quirks = R"("stale_process_samples": true)",
       .options = {.budget = 1}});
  card.At(1);
  card.At(2);
  const Frame& frame = card.At(6);
  EXPECT_THAT(Pids(frame), ElementsAre(601));
  EXPECT_NEAR(*UseOf(frame, 601)->fields[U::kSm], 0.1, 0.01);
}

// Inside a container: the lists are translated to our PID namespace, the use of outsiders comes
// under the host's number and may meet one of ours.
TEST(CardProcesses, UseOfAnOutsiderWithTheSameNumberIsNotBelieved) {
  FakeCard card({.processes = R"({"pid": 2, "memory_bytes": 1048576, "sm_percent": 40},
      {"pid": 999, "utilization_pid": 2, "listed": false, "memory_bytes": 1048576,
       "sm_percent": 60})",
                 .options = {.budget = 1}});
  card.At(1);
  const Frame& frame = card.At(2);
  EXPECT_THAT(Pids(frame), ElementsAre(2));
  EXPECT_FALSE(UseOf(frame, 2)->fields[U::kSm].known());
}

TEST(CardProcesses, RefusedUseIsUnknownAndNotAskedAgain) {
  FakeCard card(
      {.processes = kThree, .rules = R"({"calls": "nvmlDeviceGetProcessUtilization", "code": 3})"});
  const Frame& frame = card.At(1);
  EXPECT_EQ(UseOf(frame, 600)->fields[U::kSm], Because(Absence::kNotSupported));
  const uint64_t asked = card.Calls("nvmlDeviceGetProcessUtilization");
  card.At(2);
  EXPECT_EQ(card.Calls("nvmlDeviceGetProcessUtilization"), asked);
}

TEST(CardProcesses, AreNotAskedForWhenNotWanted) {
  FakeCard card({.processes = kThree, .options = {.processes = false}});
  const uint64_t asked = card.Calls("nvmlDeviceGetComputeRunningProcesses_v3");
  EXPECT_TRUE(card.At(1).processes.empty());
  EXPECT_EQ(card.Calls("nvmlDeviceGetComputeRunningProcesses_v3"), asked);
  EXPECT_FALSE(Device0(card.frame).process_count.known());
}

// A folder that stands for "/", in which only these processes live.
class LiveProcesses {
 public:
  LiveProcesses() {
    for (const char* pid : {"418", "600", "601"}) {
      std::filesystem::create_directories(root_ / "proc" / pid);
    }
  }
  LiveProcesses(const LiveProcesses&) = delete;
  LiveProcesses& operator=(const LiveProcesses&) = delete;
  ~LiveProcesses() { std::filesystem::remove_all(root_); }
  void End(const char* pid) { std::filesystem::remove(root_ / "proc" / pid); }
  std::string root() const { return root_.string(); }

 private:
  std::filesystem::path root_ = std::filesystem::path(::testing::TempDir()) /
                                fmt::format("gpusight-live-{}", static_cast<int>(getpid()));
};

TEST(CardProcesses, AreNotListedAnewWhileTheMemoryIsTheSameAndAllLive) {
  const LiveProcesses live;
  FakeCard card({.processes = kThree, .root = live.root()});
  card.At(1);
  const uint64_t asked = card.Calls("nvmlDeviceGetComputeRunningProcesses_v3");
  for (int second = 2; second <= 10; ++second) {
    EXPECT_THAT(Pids(card.At(second)), ElementsAre(418, 600, 601));
  }
  EXPECT_EQ(card.Calls("nvmlDeviceGetComputeRunningProcesses_v3"), asked);
  card.At(11);  // every ten seconds to make sure
  EXPECT_EQ(card.Calls("nvmlDeviceGetComputeRunningProcesses_v3"), asked + 1);
}

TEST(CardProcesses, AreListedAnewWhenOneEnds) {
  LiveProcesses live;
  FakeCard card({.processes = kThree, .root = live.root()});
  card.At(1);
  const uint64_t asked = card.Calls("nvmlDeviceGetComputeRunningProcesses_v3");
  live.End("600");
  card.At(2);
  EXPECT_EQ(card.Calls("nvmlDeviceGetComputeRunningProcesses_v3"), asked + 1);
}

TEST(CardProcesses, AreListedAnewWhenTheMemoryMoves) {
  const LiveProcesses live;
  FakeCard card({.processes = R"({"pid": 418, "memory_bytes": 2147483648},
                                 {"pid": 600, "memory_bytes": 536870912, "from": 2.5})",
                 .root = live.root()});
  EXPECT_THAT(Pids(card.At(1)), ElementsAre(418));
  EXPECT_THAT(Pids(card.At(2)), ElementsAre(418));
  EXPECT_THAT(Pids(card.At(3)), ElementsAre(418, 600));
}

}  // namespace
}  // namespace gpusight::nvml
