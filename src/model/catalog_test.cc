// SPDX-License-Identifier: Apache-2.0
#include "model/catalog.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace gpusight {
namespace {

const std::span<const CatalogRow> kScopes[] = {DeviceRows(), UseRows(), ProcessRows(),
                                               ContainerRows(), HostRows()};

TEST(Catalog, NamesKeysAndLogNamesAreUniqueInTheirScope) {
  for (const auto& rows : kScopes) {
    std::set<std::string> names, keys, logs;
    for (const CatalogRow& row : rows) {
      EXPECT_TRUE(names.insert(std::string(row.name)).second) << row.name;
      EXPECT_TRUE(keys.insert(std::string(row.group) + "." + std::string(row.key)).second);
      EXPECT_TRUE(logs.insert(std::string(row.log)).second) << row.log;
    }
  }
}

TEST(Catalog, NamesCarryTheirUnitInTheWayOfPrometheus) {
  const std::map<Unit, std::string> endings = {
      {Unit::kRatio, "_ratio"},     {Unit::kBytes, "_bytes"}, {Unit::kSeconds, "_seconds"},
      {Unit::kWatts, "_watts"},     {Unit::kHertz, "_hertz"}, {Unit::kJoules, "_joules"},
      {Unit::kCelsius, "_celsius"}, {Unit::kCores, "_cores"}, {Unit::kBytesPerSecond, "_second"}};
  for (const auto& rows : kScopes) {
    for (const CatalogRow& row : rows) {
      const auto ending = endings.find(row.unit);
      if (ending == endings.end()) continue;
      EXPECT_TRUE(row.name.ends_with(ending->second)) << row.name;
    }
  }
}

TEST(Catalog, RowsStandInTheOrderOfTheirEnum) {
  EXPECT_EQ(Row(DeviceField::kUtilization).name, "utilization_ratio");
  EXPECT_EQ(Row(DeviceField::kMemoryResidual).name, "memory_residual_bytes");
  EXPECT_EQ(Row(DeviceField::kNvlinkTransmit).name, "nvlink_transmit_bytes_per_second");
  EXPECT_EQ(Row(DeviceField::kMigMode).name, "mig_mode");
  EXPECT_EQ(Row(UseField::kDecoder).name, "decoder_ratio");
  EXPECT_EQ(Row(ProcessField::kOpenFiles).name, "open_files");
  EXPECT_EQ(Row(ContainerField::kIoPressure).name, "io_pressure_ratio");
  EXPECT_EQ(Row(HostField::kUptime).name, "uptime_seconds");
}

TEST(FindDeviceField, TakesTheFullAndTheShortName) {
  EXPECT_EQ(FindDeviceField("mem_used"), DeviceField::kMemoryUsed);
  EXPECT_EQ(FindDeviceField("memory_used_bytes"), DeviceField::kMemoryUsed);
  EXPECT_EQ(FindDeviceField("mem_usedd"), std::nullopt);
}

TEST(FormatValue, IsForPeople) {
  EXPECT_EQ(FormatValue(Unit::kRatio, 0.78), "78%");
  EXPECT_EQ(FormatValue(Unit::kBytes, 13314398617.6), "12.4GiB");
  EXPECT_EQ(FormatValue(Unit::kHertz, 1.98e9), "1980MHz");
  EXPECT_EQ(FormatValue(Unit::kMask, 4), "0x4");
}

}  // namespace
}  // namespace gpusight
