// SPDX-License-Identifier: Apache-2.0
#include "export/json_status.h"

#include <gmock/gmock.h>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "base/fd.h"
#include "testing/test_frame.h"

namespace gpusight::exporting {
namespace {

std::string Text(const Frame& frame) {
  std::vector<size_t> devices(frame.devices.size());
  std::iota(devices.begin(), devices.end(), size_t{0});
  std::string text;
  AppendStatusJson(text, frame, devices);
  return text;
}

rapidjson::Document Encode(const Frame& frame) {
  const std::string text = Text(frame);
  rapidjson::Document json;
  json.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(
      text.c_str(), text.size());
  EXPECT_FALSE(json.HasParseError()) << text;
  return json;
}

std::string Pretty(const rapidjson::Value& json) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 1);
  json.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

// Schema 1 is a promise to scripts. When this fails because something was added, write the file
// anew with GPUSIGHT_UPDATE_GOLDEN=1; when something was removed or changed its meaning, raise
// kStatusSchema first.
TEST(StatusJson, IsWhatSchema1Promised) {
  const std::string path = std::string(GPUSIGHT_TESTDATA) + "/status/schema-1.json";
  const std::string now = Pretty(Encode(TestFrame()));
  if (std::getenv("GPUSIGHT_UPDATE_GOLDEN") != nullptr) {
    FILE* file = std::fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr);
    std::fwrite(now.data(), 1, now.size(), file);
    std::fclose(file);
  }
  EXPECT_EQ(ReadFile(path).value_or(""), now);
}

void ExpectValid(const Frame& frame) {
  const auto text = ReadFile(std::string(GPUSIGHT_TESTDATA) + "/../docs/json-status.schema.json");
  ASSERT_TRUE(text);
  rapidjson::Document schema_json;
  ASSERT_FALSE(schema_json.Parse(text->c_str()).HasParseError());
  const rapidjson::SchemaDocument schema(schema_json);
  rapidjson::SchemaValidator validator(schema);
  EXPECT_TRUE(Encode(frame).Accept(validator)) << [&] {
    rapidjson::StringBuffer where;
    validator.GetInvalidDocumentPointer().StringifyUriFragment(where);
    return std::string(where.GetString()) + " breaks " + validator.GetInvalidSchemaKeyword();
  }();
}

TEST(StatusJson, IsValidAgainstThePublishedSchema) { ExpectValid(TestFrame()); }

TEST(StatusJson, IsValidAgainstThePublishedSchemaWhenNothingIsKnown) {
  Frame empty;
  empty.devices.resize(1);
  empty.processes.resize(1);
  empty.processes[0].uses.resize(1);
  empty.containers.resize(1);
  ExpectValid(empty);
}

TEST(StatusJson, HasAMemberForEveryDeviceRowOfTheCatalogue) {
  const auto json = Encode(TestFrame());
  const auto& device = json["devices"][0];
  for (const CatalogRow& row : DeviceRows()) {
    const std::string key(row.key), group(row.group);
    const auto& object = group.empty() ? device : device[group.c_str()];
    EXPECT_TRUE(object.HasMember(key.c_str())) << group << "." << key;
  }
}

// A null and its reason stand in the same object, and nothing else has a reason.
void ExpectNullsExplained(const rapidjson::Value& value, const std::string& where) {
  if (value.IsArray()) {
    for (const auto& item : value.GetArray()) ExpectNullsExplained(item, where + "[]");
  }
  if (!value.IsObject()) return;
  for (const auto& member : value.GetObject()) {
    const std::string key = member.name.GetString();
    if (key == "unknown") {
      for (const auto& reason : member.value.GetObject()) {
        EXPECT_TRUE(value[reason.name].IsNull()) << where << "." << reason.name.GetString();
      }
      continue;
    }
    if (member.value.IsNull()) {
      EXPECT_TRUE(value.HasMember("unknown") && value["unknown"].HasMember(key.c_str()))
          << where << "." << key;
    }
    ExpectNullsExplained(member.value, where + "." + key);
  }
}

TEST(StatusJson, ExplainsEveryNullBesideIt) { ExpectNullsExplained(Encode(TestFrame()), ""); }

TEST(StatusJson, ExplainsEveryNullOfAFrameOfWhichNothingIsKnown) {
  Frame frame;
  frame.devices.resize(2);
  frame.devices[1].info.parent_uuid = "GPU-1";
  AddProcess(frame).uses.emplace_back();
  AddProcess(frame).translated = false;
  frame.containers.resize(2);
  frame.containers[1].pod_uid = "0000-1111";
  frame.events.emplace_back();
  for (const DriverState state : {DriverState::kOk, DriverState::kNoAnswer}) {
    frame.driver.state = state;
    ExpectNullsExplained(Encode(frame), "");
  }
}

TEST(StatusJson, TellsAJobThatIsNotThereFromOneThatCannotBeKnown) {
  Frame frame;
  ProcessSample& process = AddProcess(frame);
  process.visible_devices = Absence::kNoLimit;
  const auto reason = [&] {
    return std::string(Encode(frame)["relatives"][0]["unknown"]["slurm_job"].GetString());
  };
  EXPECT_EQ(reason(), "does not apply");
  process.visible_devices = Absence::kNoPermission;
  EXPECT_EQ(reason(), "no permission");
}

TEST(StatusJson, GivesTheMemoryAccountToTheByte) {
  const auto json = Encode(TestFrame());
  const auto& memory = json["devices"][0]["memory"];
  const auto bytes = [&](const char* key) { return memory[key].GetInt64(); };
  EXPECT_EQ(bytes("total_bytes"),
            bytes("used_bytes") + bytes("free_bytes") + bytes("driver_reserved_bytes"));
  int64_t processes = 0;
  for (const auto& p : json["devices"][0]["processes"].GetArray()) {
    processes += p["used_bytes"].GetInt64();
  }
  EXPECT_EQ(bytes("used_bytes"), processes + bytes("residual_bytes"));
}

TEST(StatusJson, HoldsOnlyTheDevicesThatWereAskedFor) {
  const size_t second[] = {1};
  std::string text;
  AppendStatusJson(text, TestFrame(), second);
  rapidjson::Document json;
  json.Parse(text.c_str());
  ASSERT_EQ(json["devices"].Size(), 1u);
  EXPECT_EQ(json["devices"][0]["index"].GetInt(), 1);
}

TEST(StatusJson, MendsTextThatIsNotUtf8AndEscapesControlCharacters) {
  EXPECT_THAT(Text(TestFrame()), ::testing::HasSubstr("python\\u001B[31m train.py \xEF\xBF\xBD"));
}

TEST(StatusJson, WritesNullForNumbersThatJsonCannotHold) {
  Frame frame = TestFrame();
  frame.devices[0].fields[DeviceField::kPower] = std::nan("");
  const auto json = Encode(frame);
  EXPECT_TRUE(json["devices"][0]["power_watts"].IsNull());
  EXPECT_STREQ(json["devices"][0]["unknown"]["power_watts"].GetString(),
               "implausible value rejected");
}

}  // namespace
}  // namespace gpusight::exporting
