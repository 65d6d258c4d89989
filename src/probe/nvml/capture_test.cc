// SPDX-License-Identifier: Apache-2.0
// The recorder against the fake driver: what it writes can be played, and played it is the same.
#include "probe/nvml/capture.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>

#include "base/fd.h"
#include "probe/nvml/capture_text.h"
#include "testing/fake_clock.h"
#include "testing/fake_nvml/fake.h"
#include "testing/temp_folder.h"

namespace gpusight::nvml {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// All files of a capture of `scenario`, taken at that time, one after the other.
std::string CaptureOf(const std::string& scenario, double time, const TempFolder& folder,
                      const std::string& library = fake::LibraryPath()) {
  fake::Control control(scenario, library);
  control.SetTime(time);
  const FakeClock clock;  // stands still: no latencies
  CaptureOptions options;
  options.library = library;
  options.folder = folder.path();
  options.wait = [&](double seconds) { control.SetTime(time + seconds); };
  const auto captured = Capture(options, clock);
  EXPECT_TRUE(captured) << (captured ? "" : captured.error().what);
  std::string all;
  const auto names = ListFolder(folder.path());
  for (const std::string& name : *names) {
    all += name + ":\n" + *ReadFile(folder.path() + "/" + name);
  }
  return all;
}

TEST(Capture, OfTheFakeIsPlayedAsTheSame) {
  for (const char* machine :
       {"h200-two-jobs", "two-h200", "h200-mig", "mps", "wsl2", "unified-memory", "no-permission",
        "driver-535-32-byte-records", "driver-535-16-byte-records", "inside-a-container",
        "compute-and-graphics", "vgpu", "jetson", "no-devices", "captured-h200-two-jobs",
        "captured-h200-nested"}) {
    const TempFolder first, second;
    const std::string once = CaptureOf(fake::Machine(machine), 20, first);
    const std::string twice = CaptureOf(first.path() + "/scenario.json", 0, second);
    EXPECT_EQ(once, twice) << machine;
  }
}

TEST(Capture, KeepsWhatTheDriverSaid) {
  const TempFolder folder;
  const std::string all = CaptureOf(fake::Machine("h200-two-jobs"), 20, folder);
  EXPECT_THAT(all, HasSubstr("\"nvmlDeviceGetName\": {\"v\": \"NVIDIA H200\"}"));
  EXPECT_THAT(all, HasSubstr("\"nvmlDeviceGetFanSpeed\": {\"code\": 3}"));
  EXPECT_THAT(all, HasSubstr("\"nvmlDeviceGetTemperature/1\": {\"code\": 2}"));
  EXPECT_THAT(all, HasSubstr("\"nvmlDeviceGetFieldValues/3\": {\"type\": 3, \"unwritten\": true}"));
  EXPECT_THAT(all, HasSubstr("\"nvmlDeviceGetFieldValues/147\": {\"code\": -1}"));
  EXPECT_THAT(all, HasSubstr("\"nvmlDeviceGetFieldValues/193\": {\"type\": 5, \"v\": -8}"));
  EXPECT_THAT(all, HasSubstr("\"residual_bytes\": 20971520"));
  EXPECT_THAT(all, HasSubstr("\"memory_bytes\": 67645734912"));
  EXPECT_THAT(all, HasSubstr("\"sm_percent\""));
}

TEST(Capture, ReplacesWhatIdentifies) {
  const TempFolder folder;
  const std::string all = CaptureOf(fake::Machine("two-h200"), 20, folder);
  for (const char* identifier :
       {"4444-4444", "8888-999999999999", "41822", "39017", "52100", "python", "jupyter"}) {
    EXPECT_THAT(all, Not(HasSubstr(identifier)));
  }
  EXPECT_THAT(all, HasSubstr("GPU-00000000-0000-0000-0000-000000000001"));
  EXPECT_THAT(all, HasSubstr("GPU-00000000-0000-0000-0000-000000000002"));
  // The process on both devices stays one process.
  EXPECT_THAT(all, HasSubstr("{\"pid\": 1002, \"device\": 0"));
  EXPECT_THAT(all, HasSubstr("{\"pid\": 1002, \"device\": 1"));
}

TEST(Capture, NamesTheFunctionsThatAreMissing) {
  const std::string old = fake::LibraryWithout({"nvmlDeviceGetMemoryInfo_v2", "nvmlGpmSampleGet"});
  const TempFolder folder;
  const std::string all = CaptureOf(fake::Machine("h200-idle"), 0, folder, old);
  EXPECT_THAT(all, HasSubstr("\"nvmlDeviceGetMemoryInfo_v2\",\n    \"nvmlGpmSampleGet\"]"));
}

TEST(Capture, SaysWhatIsWrong) {
  CaptureOptions options;
  options.library = "/nonexistent/libnvidia-ml.so.1";
  options.folder = "/proc/nowhere";
  const FakeClock clock;
  const auto no_library = Capture(options, clock);
  ASSERT_FALSE(no_library);
  EXPECT_EQ(no_library.error().code, ErrorCode::kNoGpu);

  const fake::Control mismatch(fake::Machine("version-mismatch"));
  options.library = fake::LibraryPath();
  const auto no_start = Capture(options, clock);
  ASSERT_FALSE(no_start);
  EXPECT_EQ(no_start.error().what, "the driver does not start (code 18)");

  const fake::Control idle(fake::Machine("no-devices"));
  const auto no_folder = Capture(options, clock);
  ASSERT_FALSE(no_folder);
  EXPECT_THAT(no_folder.error().what, HasSubstr("/proc/nowhere"));
}

std::string Hanging(const char* call) {
  return fmt::format(R"({{"base": "{}", "rules": [{{"calls": "{}", "hang": true}}]}})",
                     fake::Machine("h200-idle"), call);
}

// Whatever the thread left behind touches must live on.
TEST(Capture, DoesNotWaitForADriverThatHangs) {
  static const FakeClock clock;
  for (const char* call : {"nvmlDeviceGetSamples", "nvmlInit_v2"}) {
    const TempFolder folder;
    const fake::TempScenario scenario(Hanging(call));
    const fake::Control control(scenario.path());
    CaptureOptions options;
    options.library = fake::LibraryPath();
    options.folder = folder.path();
    options.patience = 0.2;
    options.wait = [](double) {};
    const auto captured = Capture(options, clock);
    ASSERT_FALSE(captured) << call;
    EXPECT_EQ(captured.error().code, ErrorCode::kTimeout);
    EXPECT_TRUE(ListFolder(folder.path())->empty());
  }
}

TEST(Capture, IsDoneBeforeADriverHangsInItsFarewell) {
  static const FakeClock clock;
  const TempFolder folder;
  const fake::TempScenario scenario(Hanging("nvmlShutdown"));
  const fake::Control control(scenario.path());
  CaptureOptions options;
  options.library = fake::LibraryPath();
  options.folder = folder.path();
  options.wait = [](double) {};
  EXPECT_TRUE(Capture(options, clock));
  EXPECT_FALSE(ListFolder(folder.path())->empty());
}

TEST(Pseudonyms, KeepTheFormOfEveryUuid) {
  Pseudonyms pseudonyms;
  EXPECT_EQ(pseudonyms.Uuid("GPU-12345678-aBcd-0000-1111-222222222222"),
            "GPU-00000000-0000-0000-0000-000000000001");
  EXPECT_EQ(pseudonyms.Uuid("MIG-99999999-abcd-0000-1111-222222222222"),
            "MIG-00000000-0000-0000-0000-000000000002");
  EXPECT_EQ(pseudonyms.Uuid("MIG-GPU-12345678-aBcd-0000-1111-222222222222/7/0"),
            "MIG-GPU-00000000-0000-0000-0000-000000000001/7/0");
  EXPECT_EQ(pseudonyms.Uuid("GPU-unknown"), "GPU-unknown");
  EXPECT_EQ(pseudonyms.Pid(77), pseudonyms.Pid(77));
  EXPECT_NE(pseudonyms.Pid(77), pseudonyms.Pid(78));
}

TEST(CaptureText, WritesNumbersAndTextsAsJson) {
  EXPECT_EQ(JsonText("a \"b\" \\ c\n"), R"("a \"b\" \\ c ")");
  EXPECT_EQ(JsonNumber(0.1), "0.1");
  EXPECT_EQ(JsonNumber(0.0 / 0.0), "0");
}

}  // namespace
}  // namespace gpusight::nvml
