// SPDX-License-Identifier: Apache-2.0
// The probe on the fake driver: devices and drivers that fail, go and come back, hang or sleep.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "base/fd.h"
#include "testing/fake_card.h"
#include "testing/temp_folder.h"

namespace gpusight::nvml {
namespace {

using F = DeviceField;
using ::testing::HasSubstr;

Known<double> Because(Absence why) { return why; }

const char* const kTwo = R"({"recording": "h200", "identity": {"uuid": "GPU-a", "pci_bus_id":
    "00000000:01:00.0"}}, {"recording": "h200", "identity": {"uuid": "GPU-b", "pci_bus_id":
    "00000000:02:00.0"}, "gpm": {"2": 30}})";

// The driver

TEST(CardDriver, WithoutALibrarySaysWhatToDo) {
  FakeCard card({.library = fake::LibraryPath()});
  FakeClock clock;
  Log log(clock, [](std::string_view) {});
  Probe probe({.library = "/nonexistent/libnvidia-ml.so.1"}, clock, Root(), log);
  Frame frame;
  probe.Sample(frame);
  EXPECT_EQ(frame.driver.state, DriverState::kNoLibrary);
  EXPECT_THAT(frame.driver.message, HasSubstr("was not found"));
  EXPECT_THAT(frame.driver.message, HasSubstr("--nvml PATH"));
  EXPECT_TRUE(frame.devices.empty());
}

TEST(CardDriver, NotLoadedIsNamed) {
  FakeCard card({.rules = R"({"calls": "nvmlInit_v2", "code": 9})"});
  EXPECT_EQ(card.At(1).driver.state, DriverState::kError);
  EXPECT_EQ(card.frame.driver.code, 9);
  EXPECT_THAT(card.frame.driver.message, HasSubstr("modprobe nvidia"));
}

TEST(CardDriver, AnUpdatedDriverBesideTheOldModuleIsAMismatch) {
  FakeCard card({.rules = R"({"calls": "nvmlInit_v2", "code": 18})"});
  EXPECT_EQ(card.At(1).driver.state, DriverState::kMismatch);
  EXPECT_THAT(card.frame.driver.message, HasSubstr("Reboot"));
}

TEST(CardDriver, ForbiddenDeviceFilesAreNamed) {
  FakeCard card({.rules = R"({"calls": "nvmlInit_v2", "code": 4})"});
  EXPECT_EQ(card.At(1).driver.state, DriverState::kNoPermission);
  EXPECT_THAT(card.frame.driver.message, HasSubstr("/dev/nvidia"));
}

TEST(CardDriver, UnknownErrorNamesTheContainerThatLostItsDevice) {
  FakeCard card({.rules = R"({"calls": "nvmlInit_v2", "code": 999})"});
  EXPECT_EQ(card.At(1).driver.code, 999);
  EXPECT_THAT(card.frame.driver.message, HasSubstr("systemctl daemon-reload"));
}

TEST(CardDriver, WithoutAnyDeviceSaysSo) {
  FakeCard card({.devices = ""});
  EXPECT_EQ(card.At(1).driver.state, DriverState::kNoDevice);
}

TEST(CardDriver, ThatFailedIsTriedAgainAndRecovers) {
  FakeCard card({.rules = R"({"calls": "nvmlInit_v2", "code": 999, "until": 10})"});
  EXPECT_EQ(card.At(1).driver.state, DriverState::kError);
  for (int second = 2; second < 10; ++second) card.At(second);
  for (int second = 10; second < 30; ++second) card.At(second);
  EXPECT_EQ(card.frame.driver.state, DriverState::kOk);
  EXPECT_EQ(card.frame.driver.message, "");
  EXPECT_EQ(card.frame.devices.size(), 1u);
}

TEST(CardDriver, IsNotPesteredWhileItFails) {
  FakeCard card({.rules = R"({"calls": "nvmlInit_v2", "code": 999})"});
  const uint64_t before = card.Calls("nvmlInit_v2");
  for (int second = 1; second <= 120; ++second) card.At(second);
  EXPECT_LE(card.Calls("nvmlInit_v2") - before, 9u);
}

TEST(CardDriver, ThatWasReloadedIsFoundAgainWithTheSameDevices) {
  FakeCard card({.rules = R"({"calls": "nvmlDevice*", "code": 1, "from": 5, "until": 8})"});
  card.At(4);
  const Frame& lost = card.At(5);
  EXPECT_NE(lost.driver.state, DriverState::kOk);
  ASSERT_EQ(lost.devices.size(), 1u);
  EXPECT_NE(lost.devices[0].state, DeviceState::kOk);
  EXPECT_FALSE(Field(lost, F::kUtilization).known());
  int reloaded = 0, returned = 0;
  for (int second = 6; second < 20; ++second) {
    card.At(second);
    reloaded += CountEvents(card.frame, EventType::kDriverReloaded);
    returned += CountEvents(card.frame, EventType::kDeviceReturned);
  }
  EXPECT_EQ(card.frame.driver.state, DriverState::kOk);
  EXPECT_EQ(card.frame.devices.at(0).state, DeviceState::kOk);
  EXPECT_GE(reloaded, 1);
  EXPECT_EQ(returned, 1);
}

// A container that lost its device files: the session stands, every question fails.
TEST(CardDriver, ThatAnswersNothingIsNotTakenForWell) {
  FakeCard card({.rules = R"({"calls": ["nvmlDeviceGet*", "nvmlGpm*"], "code": 999, "from": 3,
                              "until": 6})"});
  card.At(2);
  const Frame& frame = card.At(3);
  EXPECT_EQ(frame.driver.state, DriverState::kError);
  EXPECT_EQ(frame.driver.code, 999);
  EXPECT_THAT(frame.driver.message, HasSubstr("daemon-reload"));
  for (int second = 4; second <= 20; ++second) card.At(second);
  EXPECT_EQ(card.frame.driver.state, DriverState::kOk);
  EXPECT_TRUE(Field(card.frame, F::kUtilization).known());
}

// Without persistence mode the driver loads when it is first asked.
TEST(CardDriver, MayTakeItsTimeToStart) {
  FakeCard card({.rules = R"({"calls": "nvmlInit_v2", "delay_seconds": 0.3})",
                 .options = {.patience = 0.05, .first_patience = 20}});
  EXPECT_EQ(card.At(1).driver.state, DriverState::kOk);
}

// Devices

TEST(CardDevice, ThatFallsOffTheBusAffectsOnlyItself) {
  FakeCard card({.devices = kTwo,
                 .rules = R"({"calls": "nvmlDevice*", "device": 0, "code": 15, "from": 3})"});
  card.At(1);
  card.At(2);
  const Frame& frame = card.At(3);
  ASSERT_EQ(frame.devices.size(), 2u);
  EXPECT_EQ(frame.devices[0].state, DeviceState::kLost);
  EXPECT_EQ(frame.devices[0].info.uuid, "GPU-a");
  EXPECT_EQ(Field(frame, F::kUtilization, 0), Because(Absence::kLost));
  EXPECT_EQ(frame.devices[0].process_count, Because(Absence::kLost));
  EXPECT_EQ(frame.devices[1].state, DeviceState::kOk);
  EXPECT_EQ(Field(frame, F::kSmActivity, 1), Known<double>(0.3));
  EXPECT_EQ(CountEvents(frame, EventType::kDeviceLost), 1);
  EXPECT_EQ(frame.driver.state, DriverState::kOk);
  EXPECT_EQ(CountEvents(card.At(4), EventType::kDeviceLost), 0);
}

TEST(CardDevice, ThatIsLostFromTheStartIsStillListed) {
  FakeCard card({.devices = kTwo, .rules = R"({"calls": "nvmlDevice*", "device": 0, "code": 15})"});
  const Frame& frame = card.At(1);
  ASSERT_EQ(frame.devices.size(), 2u);
  EXPECT_EQ(frame.devices[0].state, DeviceState::kLost);
  EXPECT_EQ(frame.devices[1].state, DeviceState::kOk);
  EXPECT_TRUE(Field(frame, F::kUtilization, 1).known());
}

TEST(CardDevice, ThatIsLostFromTheStartTakesNoOtherWithIt) {
  FakeCard card({.devices = kTwo, .rules = R"({"calls": "nvmlDevice*", "device": 1, "code": 15})"});
  const Frame& frame = card.At(1);
  ASSERT_EQ(frame.devices.size(), 2u);
  EXPECT_EQ(frame.devices[0].state, DeviceState::kOk);
  EXPECT_EQ(frame.devices[1].state, DeviceState::kLost);
  EXPECT_TRUE(Field(frame, F::kUtilization, 0).known());
}

TEST(CardDevice, ThatComesBackAfterAResetIsTheSameByItsUuid) {
  FakeCard card({.devices = kTwo, .rules = R"({"calls": "nvmlDevice*", "device": 0, "code": 16,
                                              "from": 3, "until": 20})"});
  card.At(2);
  EXPECT_EQ(card.At(3).devices[0].state, DeviceState::kNeedsReset);
  int returned = 0;
  for (int second = 4; second <= 35; ++second) {
    card.At(second);
    returned += CountEvents(card.frame, EventType::kDeviceReturned);
  }
  EXPECT_EQ(card.frame.devices[0].state, DeviceState::kOk);
  EXPECT_EQ(card.frame.devices[0].info.uuid, "GPU-a");
  EXPECT_TRUE(Field(card.frame, F::kUtilization, 0).known());
  EXPECT_EQ(returned, 1);
}

TEST(CardDevice, ThatIsNotListedAnyMoreStaysAsAbsent) {
  FakeCard card({.devices = R"({"recording": "h200", "identity": {"uuid": "GPU-a"},
      "absent": [{"from": 5, "until": 40}]},
      {"recording": "h200", "identity": {"uuid": "GPU-b"}})"});
  EXPECT_EQ(card.At(1).devices.size(), 2u);
  for (int second = 2; second <= 20; ++second) card.At(second);
  ASSERT_EQ(card.frame.devices.size(), 2u);
  EXPECT_EQ(card.frame.devices[0].info.uuid, "GPU-b");
  EXPECT_EQ(card.frame.devices[0].state, DeviceState::kOk);
  EXPECT_EQ(card.frame.devices[1].info.uuid, "GPU-a");
  EXPECT_NE(card.frame.devices[1].state, DeviceState::kOk);
  for (int second = 41; second <= 60; ++second) card.At(second);
  EXPECT_EQ(card.frame.devices[0].info.uuid, "GPU-a");
  EXPECT_EQ(card.frame.devices[0].state, DeviceState::kOk);
}

TEST(CardDevice, WhenAllAreLostTheDriverIsLetGo) {
  FakeCard card({.rules = R"({"calls": "nvmlDevice*", "code": 15, "from": 3, "until": 30})"});
  card.At(2);
  const uint64_t before = card.Calls("nvmlShutdown");
  card.At(3);
  EXPECT_EQ(card.Calls("nvmlShutdown"), before + 1);
  EXPECT_EQ(card.frame.devices.at(0).state, DeviceState::kLost);
  for (int second = 4; second <= 45; ++second) card.At(second);
  EXPECT_EQ(card.frame.devices.at(0).state, DeviceState::kOk);
}

TEST(CardDevice, ThatMayNotBeOpenedIsListedAsSuch) {
  FakeCard card({.devices = kTwo, .rules = R"({"calls": "nvmlDeviceGetHandleByIndex_v2",
                                              "device": 0, "code": 4})"});
  const Frame& frame = card.At(1);
  ASSERT_EQ(frame.devices.size(), 2u);
  EXPECT_EQ(frame.devices[0].state, DeviceState::kNoPermission);
  EXPECT_EQ(Field(frame, F::kPower, 0), Because(Absence::kNoPermission));
}

TEST(CardDevice, ThatMayBeOpenedLaterIsReadFromThenOn) {
  FakeCard card({.devices = kTwo, .rules = R"({"calls": "nvmlDeviceGetHandleByIndex_v2",
                                              "device": 0, "code": 4, "until": 5})"});
  EXPECT_EQ(card.At(1).devices.at(0).state, DeviceState::kNoPermission);
  for (int second = 2; second <= 20; ++second) card.At(second);
  EXPECT_EQ(card.frame.devices.at(0).state, DeviceState::kOk);
  EXPECT_EQ(card.frame.devices.at(0).info.uuid, "GPU-a");
}

// Calls that hang

TEST(CardHang, TheCallerGoesOnAndNothingOldIsRepeated) {
  FakeCard card({.processes = R"({"pid": 600, "memory_bytes": 1048576})",
                 .rules = R"({"calls": "nvmlDeviceGetTemperature", "hang": true, "from": 5,
                              "until": 8})",
                 .options = {.patience = 0.2}});
  EXPECT_TRUE(Field(card.At(4), F::kUtilization).known());
  const Frame& frame = card.At(5);
  EXPECT_EQ(frame.driver.state, DriverState::kNoAnswer);
  EXPECT_EQ(CountEvents(frame, EventType::kDriverSilent), 1);
  ASSERT_EQ(frame.devices.size(), 1u);
  EXPECT_EQ(frame.devices[0].state, DeviceState::kNoAnswer);
  EXPECT_EQ(frame.devices[0].info.name, "NVIDIA H200");
  EXPECT_EQ(Field(frame, F::kUtilization), Because(Absence::kNoAnswer));
  EXPECT_TRUE(frame.processes.empty());
  EXPECT_THAT(frame.driver.message, HasSubstr("has not answered"));
}

TEST(CardHang, ItsEndIsNoticedAndTold) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetTemperature", "hang": true, "from": 5,
                              "until": 8})",
                 .options = {.patience = 0.2}});
  card.At(4);
  card.At(5);
  EXPECT_GE(card.At(7).driver.silent_seconds, 2.0);
  EXPECT_EQ(card.frame.driver.state, DriverState::kNoAnswer);
  card.MoveTo(9);
  ASSERT_TRUE(card.AgainUntil(
      [](const Frame& frame) { return CountEvents(frame, EventType::kDriverAnswered) == 1; }));
  EXPECT_EQ(card.frame.driver.state, DriverState::kOk);
  EXPECT_TRUE(Field(card.frame, F::kTemperature).known());
}

TEST(CardHang, ADriverThatIsSlowEachTimeIsWaitedForNextTime) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetTemperature", "delay_seconds": 0.3,
                              "from": 3})",
                 .options = {.patience = 0.1}});
  EXPECT_EQ(card.At(2).driver.state, DriverState::kOk);
  EXPECT_EQ(card.At(3).driver.state, DriverState::kNoAnswer);
  EXPECT_TRUE(
      card.AgainUntil([](const Frame& frame) { return frame.driver.state == DriverState::kOk; }));
  EXPECT_EQ(card.At(4).driver.state, DriverState::kOk);
  EXPECT_TRUE(Field(card.frame, F::kTemperature).known());
}

TEST(CardHang, ACommandThatLooksOnceSaysItElsewhereThanInTheLog) {
  for (const bool log_silence : {true, false}) {
    FakeCard card({.rules = R"({"calls": "nvmlInit_v2", "hang": true, "until": 5})",
                   .options = {.first_patience = 0.1, .log_silence = log_silence}});
    EXPECT_EQ(CountEvents(card.At(1), EventType::kDriverSilent), 1);
    EXPECT_EQ(card.log.find("driver_silent") != std::string::npos, log_silence);
    card.Restart();
    card.MoveTo(6);
  }
}

TEST(CardHang, TheProbeCanGoWhileACallHangs) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetTemperature", "hang": true, "from": 5,
                              "until": 8})",
                 .options = {.patience = 0.1}});
  card.At(4);
  card.At(5);
  card.Restart();
  card.MoveTo(9);  // the thread that was left behind comes back and must find nothing freed
}

TEST(CardHang, AHangingInitialisationHangsNobody) {
  FakeCard card({.rules = R"({"calls": "nvmlInit_v2", "hang": true, "until": 5})",
                 .options = {.patience = 0.1, .first_patience = 0.1}});
  EXPECT_EQ(card.At(1).driver.state, DriverState::kNoAnswer);
  EXPECT_TRUE(card.frame.devices.empty());
  card.Restart();
  card.MoveTo(6);
}

// Events

TEST(CardEvents, AnXidIsCountedAndTold) {
  FakeCard card({.devices = kTwo, .events = R"({"at": 5, "device": 1, "xid": 79})"});
  EXPECT_EQ(Field(card.At(1), F::kXidErrors, 1), Known<double>(0.0));
  EXPECT_EQ(Field(card.frame, F::kLastXid, 1), Known<double>(Absence::kNotApplicable));
  card.MoveTo(6);
  ASSERT_TRUE(
      card.AgainUntil([](const Frame& frame) { return CountEvents(frame, EventType::kXid) == 1; }));
  EXPECT_EQ(card.frame.events.back().number, 79);
  EXPECT_EQ(card.frame.events.back().device_uuid, "GPU-b");
  EXPECT_EQ(card.frame.devices[1].xids, std::vector<uint32_t>{79});
  EXPECT_EQ(Field(card.frame, F::kXidErrors, 1), Known<double>(1.0));
  EXPECT_EQ(Field(card.frame, F::kLastXid, 1), Known<double>(79.0));
  EXPECT_EQ(Field(card.frame, F::kXidErrors, 0), Known<double>(0.0));
  EXPECT_TRUE(card.Again().devices[1].xids.empty());
}

TEST(CardEvents, TheSameXidTwiceCountsTwice) {
  FakeCard card(
      {.events = R"({"at": 5, "device": 0, "xid": 13}, {"at": 5, "device": 0, "xid": 13})"});
  card.At(1);
  card.MoveTo(6);
  EXPECT_TRUE(card.AgainUntil(
      [](const Frame& frame) { return Field(frame, F::kXidErrors) == Known<double>(2.0); }));
}

TEST(CardEvents, TheWatchIsEndedWithTheProbeUnlessTheProgramEndsToo) {
  for (const bool leave : {false, true}) {
    FakeCard card(
        {.events = R"({"at": 5, "device": 0, "xid": 13})", .options = {.leave_open = leave}});
    card.At(1);
    const uint64_t before = card.Calls("nvmlEventSetFree");
    card.Restart();
    EXPECT_EQ(card.Calls("nvmlEventSetFree") - before, leave ? 0u : 1u);
  }
}

TEST(CardEvents, WhereTheyAreNotSupportedTheCountIsUnknown) {
  FakeCard card({.events = R"({"at": 5, "device": 0, "xid": 13})",
                 .rules = R"({"calls": "nvmlEventSetCreate", "code": 3})"});
  EXPECT_EQ(Field(card.At(1), F::kXidErrors), Because(Absence::kNotSupported));
}

// Sleep

class Machine {
 public:
  void Card(const std::string& pci, const std::string& control, const std::string& status) {
    Write("/sys/bus/pci/drivers/nvidia/" + pci + "/here", "");
    Write("/sys/bus/pci/devices/" + pci + "/power/control", control + "\n");
    Status(pci, status);
  }
  void Status(const std::string& pci, const std::string& status) {
    Write("/sys/bus/pci/devices/" + pci + "/power/runtime_status", status + "\n");
  }
  void Information(const std::string& pci, const std::string& text) {
    Write("/proc/driver/nvidia/gpus/" + pci + "/information", text);
  }
  const std::string& folder() const { return folder_.path(); }

 private:
  void Write(const std::string& path, const std::string& text) {
    for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
      mkdir((folder() + path.substr(0, at)).c_str(), 0755);
    }
    std::ofstream(folder() + path) << text;
  }
  TempFolder folder_;
};

// As the kernel writes it, tabs and all.
constexpr const char* kInformation =
    "Model: \t\t NVIDIA GeForce RTX 4060 Laptop GPU\nIRQ:   \t\t 41\n"
    "GPU UUID: \t GPU-sleepy\nVideo BIOS: \t ??.??.??.??.??\nBus Type: \t PCIe\n"
    "DMA Size: \t 47 bits\nDMA Mask: \t 0x7fffffffffff\nBus Location: \t 0000:01:00.0\n"
    "Device Minor: \t 0\nGPU Excluded:\t No\n";

TEST(CardSleep, WhenEveryCardSleepsTheDriverIsNotEvenOpened) {
  Machine machine;
  machine.Card("0000:01:00.0", "auto", "suspended");
  machine.Information("0000:01:00.0", kInformation);
  FakeCard card({.devices = R"({"recording": "h200", "identity": {"uuid": "GPU-sleepy",
                               "pci_bus_id": "00000000:01:00.0"}})",
                 .root = machine.folder()});
  const uint64_t before = card.Calls("nvmlInit_v2");
  const Frame& frame = card.At(1);
  EXPECT_EQ(card.Calls("nvmlInit_v2"), before);
  ASSERT_EQ(frame.devices.size(), 1u);
  EXPECT_EQ(frame.devices[0].state, DeviceState::kSuspended);
  EXPECT_EQ(frame.devices[0].info.name, "NVIDIA GeForce RTX 4060 Laptop GPU");
  EXPECT_EQ(frame.devices[0].info.uuid, "GPU-sleepy");
  EXPECT_FALSE(Field(frame, F::kPower).known());
  machine.Status("0000:01:00.0", "active");
  EXPECT_EQ(card.At(2).devices.at(0).state, DeviceState::kOk);
  EXPECT_TRUE(Field(card.frame, F::kPower).known());
}

TEST(CardSleep, ASleepingCardIsNotTouchedWhileTheOtherIsRead) {
  Machine machine;
  machine.Card("0000:01:00.0", "auto", "suspended");
  machine.Information("0000:01:00.0", kInformation);
  machine.Card("0000:02:00.0", "on", "active");
  FakeCard card({.devices = kTwo,
                 .rules = R"({"calls": "nvmlDevice*", "device": 0, "code": 999, "until": 5})",
                 .root = machine.folder()});
  const Frame& frame = card.At(1);
  ASSERT_EQ(frame.devices.size(), 2u);
  EXPECT_EQ(frame.devices[0].state, DeviceState::kSuspended);
  EXPECT_EQ(frame.devices[1].info.uuid, "GPU-b");
  EXPECT_EQ(frame.devices[1].info.index, 1);
  EXPECT_TRUE(Field(frame, F::kPower, 1).known());
  machine.Status("0000:01:00.0", "active");
  EXPECT_EQ(card.At(6).devices[0].state, DeviceState::kOk);
  EXPECT_EQ(card.frame.devices[0].info.uuid, "GPU-a");
}

TEST(CardSleep, ACardThatFallsAsleepIsLeftAloneAndReadAgainWhenItWakes) {
  Machine machine;
  machine.Card("0000:00:06.0", "auto", "active");
  FakeCard card({.root = machine.folder()});
  EXPECT_EQ(card.At(1).devices.at(0).state, DeviceState::kOk);
  machine.Status("0000:00:06.0", "suspended");
  const uint64_t asked = card.Calls("nvmlDeviceGetUtilizationRates");
  card.At(2);
  EXPECT_EQ(card.Calls("nvmlDeviceGetUtilizationRates"), asked);
  EXPECT_EQ(card.frame.devices[0].state, DeviceState::kSuspended);
  EXPECT_FALSE(Field(card.frame, F::kUtilization).known());
  machine.Status("0000:00:06.0", "active");
  EXPECT_EQ(card.At(3).devices[0].state, DeviceState::kOk);
  EXPECT_TRUE(Field(card.frame, F::kUtilization).known());
  EXPECT_EQ(CountEvents(card.frame, EventType::kDeviceLost), 0);
}

}  // namespace
}  // namespace gpusight::nvml
