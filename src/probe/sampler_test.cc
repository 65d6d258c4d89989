// SPDX-License-Identifier: Apache-2.0
// Card and host joined into frames, on the fake driver and a small recorded machine.
#include "probe/sampler.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <optional>

#include "testing/fake_clock.h"
#include "testing/fake_nvml/fake.h"
#include "testing/temp_folder.h"

namespace gpusight {
namespace {

using F = DeviceField;

// A folder that stands for "/" with just the memory of the host.
class Folder {
 public:
  Folder() {
    mkdir((path() + "/proc").c_str(), 0755);
    std::ofstream(path() + "/proc/meminfo")
        << "MemTotal:       131072000 kB\nMemFree:         1000000 kB\n"
           "MemAvailable:   100000000 kB\n";
  }
  const std::string& path() const { return folder_.path(); }

 private:
  TempFolder folder_;
};

struct SamplerTest : testing::Test {
  void Start(const std::string& devices, bool host_facts = true) {
    scenario.emplace(R"({"devices": [{"recording": ")" + fake::Recording("h200") + "\"" + devices +
                     R"(}], "processes": [{"pid": 600, "memory_bytes": 1073741824}],
                         "time": {"wall_start": 1775383200}})");
    driver.emplace(scenario->path());
    driver->SetTime(0);
    SamplerOptions options;
    options.nvml.library = fake::LibraryPath();
    options.nvml.events = false;
    options.host_facts = host_facts;
    sampler.emplace(options, clock, Root(folder.path()), log);
  }

  Folder folder;
  FakeClock clock;
  Log log{clock, [](std::string_view) {}};
  std::optional<fake::TempScenario> scenario;
  std::optional<fake::Control> driver;
  std::optional<Sampler> sampler;
  Frame frame;
};

TEST_F(SamplerTest, CountsFramesAndTellsTheIntervalBetweenThem) {
  Start("");
  sampler->Sample(frame);
  EXPECT_EQ(frame.sequence, 1u);
  EXPECT_EQ(frame.interval_seconds, 0);
  clock.Advance(2);
  driver->SetTime(2);
  sampler->Sample(frame);
  EXPECT_EQ(frame.sequence, 2u);
  EXPECT_DOUBLE_EQ(frame.interval_seconds, 2);
}

TEST_F(SamplerTest, TellsHowLateAFrameBegan) {
  Start("", false);
  const MonoTime planned = clock.Mono();
  clock.Advance(0.25);
  sampler->Sample(frame, planned);
  ASSERT_EQ(frame.probes.size(), 1u);
  EXPECT_DOUBLE_EQ(frame.probes[0].lateness_seconds, 0.25);
  EXPECT_GT(frame.probes[0].calls, 10u);
}

TEST_F(SamplerTest, GivesUnifiedMemoryTheHostsSizeAndTheProcessesShare) {
  Start(R"(, "identity": {"name": "NVIDIA GB10"})");
  sampler->Sample(frame);
  ASSERT_EQ(frame.devices.size(), 1u);
  const DeviceSample& device = frame.devices[0];
  EXPECT_EQ(device[F::kMemoryTotal], Known<double>(131072000.0 * 1024));
  EXPECT_EQ(device[F::kMemoryFree], Known<double>(100000000.0 * 1024));
  EXPECT_EQ(device[F::kMemoryUsed], Known<double>(1073741824.0));
  EXPECT_EQ(device[F::kMemoryResidual], Known<double>(0.0));
}

TEST_F(SamplerTest, GivesUnifiedMemoryItsSizeAlsoWithoutHostFacts) {
  Start(R"(, "identity": {"name": "NVIDIA GB10"})", false);
  sampler->Sample(frame);
  EXPECT_EQ(frame.devices.at(0)[F::kMemoryTotal], Known<double>(131072000.0 * 1024));
  EXPECT_EQ(frame.devices.at(0)[F::kMemoryUsed], Known<double>(1073741824.0));
}

TEST_F(SamplerTest, GivesTheResidualOfACard) {
  Start(R"(, "memory": {"residual_bytes": 20971520})");
  sampler->Sample(frame);
  EXPECT_EQ(frame.devices.at(0)[F::kMemoryResidual], Known<double>(20971520.0));
}

}  // namespace
}  // namespace gpusight
