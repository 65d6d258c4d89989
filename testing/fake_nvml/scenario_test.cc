// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/scenario.h"

#include <gmock/gmock.h>

#include "base/fd.h"

namespace gpusight::fake {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Result<std::string> NoRecording(const std::string& name) {
  if (name == "card.json") {
    return std::string(R"({"calls": {
      "nvmlDeviceGetName": {"us": 2.2, "v": "Card"},
      "nvmlDeviceGetUUID": {"v": "GPU-00000000-0000-0000-0000-0000000000ff"},
      "nvmlDeviceGetFanSpeed": {"err": "Not Supported"},
      "nvmlDeviceGetMemoryInfo_v2": {"v": {"total": 100, "reserved": 10, "free": 90, "used": 0}},
      "nvmlDeviceGetSomethingNew": {"v": 1},
      "nvmlSystemGetDriverVersion": {"v": "580.1"}
    }})");
  }
  if (name == "old/base.json") return std::string(R"({"devices": [{"recording": "card.json"}]})");
  if (name == "old/card.json") return NoRecording("card.json");
  return Fail(ErrorCode::kNotFound, name + " is not there");
}

Result<Scenario> Parse(std::string_view json) { return ParseScenario(json, "s.json", NoRecording); }

TEST(Scenario, TakesADeviceFromItsRecording) {
  const auto scenario = Parse(R"({"devices": [{"recording": "card.json"}]})");
  ASSERT_TRUE(scenario) << scenario.error().what;
  ASSERT_EQ(scenario->devices.size(), 1u);
  const DeviceSpec& device = scenario->devices[0];
  EXPECT_EQ(device.Text(Call::nvmlDeviceGetName), "Card");
  EXPECT_EQ(device.Find({Call::nvmlDeviceGetFanSpeed, 0})->recorded.code, nvml::kNotSupported);
  EXPECT_EQ(device.memory.total, 100u);
  EXPECT_EQ(device.memory.reserved, 10u);
  EXPECT_EQ(scenario->driver_version, "580.1");
}

TEST(Scenario, CopiesDevicesWithTheirOwnIdentity) {
  const auto scenario = Parse(R"({"devices": [{"recording": "card.json", "copies": 3}],
    "processes": [{"pid": 10, "device": "all", "copies": 2}]})");
  ASSERT_TRUE(scenario) << scenario.error().what;
  ASSERT_EQ(scenario->devices.size(), 3u);
  EXPECT_EQ(scenario->devices[2].Text(Call::nvmlDeviceGetUUID),
            "GPU-00000000-0000-0000-0000-000000000002");
  EXPECT_EQ(scenario->devices[2].processes[1].pid, 15u);
}

TEST(Scenario, BuildsOnAnotherScenario) {
  const auto scenario = Parse(R"({"base": "old/base.json", "driver": {"version": "450"},
    "rules": [{"calls": "nvmlDeviceGetName", "code": 15}]})");
  ASSERT_TRUE(scenario) << scenario.error().what;
  EXPECT_EQ(scenario->devices.size(), 1u);
  EXPECT_EQ(scenario->driver_version, "450");
  EXPECT_EQ(scenario->rules.size(), 1u);
}

TEST(Scenario, SaysWhereItIsWrong) {
  struct Case {
    const char* json;
    const char* error;
  };
  for (const Case& c : {
           Case{"{\n  \"devices\": [\n    {]\n", "s.json: line 3, column 6 (offset 22): "},
           Case{"", "s.json: line 1, column 1 (offset 0): The document is empty."},
           Case{"[1]", "s.json: expected an object"},
           Case{R"({"device": []})", "s.json: device: unknown; known here: about, "},
           Case{R"({"devices": [{"recording": "no.json"}]})",
                "s.json: devices[0].recording: no.json is not there"},
           Case{R"({"devices": [{"tracks": {"speed": 1}}]})",
                "s.json: devices[0].tracks.speed: there is no such track"},
           Case{R"({"devices": [{"override": {"nvmlDeviceGetNmae": 1}}]})",
                "s.json: devices[0].override.nvmlDeviceGetNmae: the fake driver has no such call"},
           Case{R"({"devices": [{"copies": 99}]})",
                "s.json: devices[0].copies: there can be 1 to 64 devices"},
           Case{R"({"devices": [{"identity": {"pci_bus_id": "six"}}]})",
                "s.json: devices[0].identity.pci_bus_id: expected a bus id such as"},
           Case{R"({"processes": [{"pid": 1}]})",
                "s.json: processes[0].device: there is no such device"},
           Case{R"({"devices": [{}], "processes": [{"pid": -1}]})",
                "s.json: processes[0].pid: expected a whole number of at least 0"},
           Case{R"({"devices": [{}], "processes": [{"pid": 1, "types": ["cuda"]}]})",
                "s.json: processes[0].types[0]: expected compute, graphics or mps"},
           Case{R"({"rules": [{"calls": "nvmlDeviceGetName"}]})",
                "s.json: rules[0]: a rule needs one of code, value, track, hang or delay_seconds"},
           Case{R"({"rules": [{"calls": "cuda*", "code": 1}]})",
                "s.json: rules[0].calls: the fake driver has no such call"},
           Case{R"({"rules": [{"calls": "nvmlInit", "err": "x", "code": 1}]})",
                "s.json: rules[0].err: unknown; known here"},
           Case{R"({"quirks": {"process_record_bytes": {"v3": 20}}})",
                "s.json: quirks.process_record_bytes: must be 16, 24 or 32"},
           Case{R"({"time": {"speed": 0}})", "s.json: time.speed: must be above 0"},
           Case{R"({"base": "gone.json"})", "gone.json is not there"},
       }) {
    const auto scenario = Parse(c.json);
    ASSERT_FALSE(scenario) << c.json;
    EXPECT_THAT(scenario.error().what, StartsWith(c.error)) << c.json;
  }
}

TEST(Scenario, RefusesBottomlessNesting) {
  std::string json = R"({"about": )";
  json.append(100000, '[');
  const auto scenario = Parse(json);
  ASSERT_FALSE(scenario);
  EXPECT_THAT(scenario.error().what, HasSubstr("more than 64 levels deep"));
}

TEST(Scenario, RefusesAScenarioThatBuildsOnItself) {
  const auto endless = [](const std::string&) -> Result<std::string> {
    return std::string(R"({"base": "again.json"})");
  };
  const auto scenario = ParseScenario(R"({"base": "again.json"})", "s.json", endless);
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().what, "again.json: more than 4 scenarios deep");
}

TEST(Scenario, NamesCallsWithTheirParameters) {
  EXPECT_EQ(KeyNamed("nvmlDeviceGetTemperature/0"),
            (Key{Call::nvmlDeviceGetTemperature, Pack({0})}));
  EXPECT_EQ(KeyNamed("nvmlDeviceGetFieldValues/185,2"),
            (Key{Call::nvmlDeviceGetFieldValues, Pack({185, 2})}));
  EXPECT_EQ(KeyNamed("nvmlDeviceGetMemoryErrorCounter/1,0,7"),
            (Key{Call::nvmlDeviceGetMemoryErrorCounter, Pack({1, 0, 7})}));
  EXPECT_NE(Pack({1, 0, 7}), Pack({1, 7, 0}));
  EXPECT_EQ(KeyNamed("nvmlDeviceGetTemperature/x"), std::nullopt);
  EXPECT_EQ(KeyNamed("nvmlDeviceGetTemperature/1,2,3,4"), std::nullopt);
  EXPECT_EQ(KeyNamed("nvmlDeviceGetLuck"), std::nullopt);
}

// Every machine of testdata/machines can be played.
TEST(Scenario, MachinesAreAllInOrder) {
  const std::string folder = std::string(GPUSIGHT_TESTDATA) + "/machines";
  const auto names = ListFolder(folder);
  ASSERT_TRUE(names);
  int count = 0;
  for (const std::string& name : *names) {
    if (name == "recordings" || name == "README.md") continue;
    const auto scenario = LoadScenario(folder + "/" + name + "/scenario.json");
    EXPECT_TRUE(scenario) << (scenario ? "" : scenario.error().what);
    if (scenario) {
      EXPECT_FALSE(scenario->about.empty()) << name;
    }
    ++count;
  }
  EXPECT_GT(count, 30);
}

}  // namespace
}  // namespace gpusight::fake
