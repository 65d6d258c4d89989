// SPDX-License-Identifier: Apache-2.0
// Files that are no good recordings: one sentence each, nothing is changed, nothing is left behind.
#include "record/reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/fd.h"
#include "record/schema.h"
#include "record/test_recording.h"
#include "record/test_stream.h"

namespace gpusight::record {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Bytes(const std::string& path) { return *ReadFile(path); }

void Put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Runs SQL on a file as any other program would.
void Sql(const std::string& path, const std::string& sql) {
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  sqlite3_close(connection);
}

void Make(const std::string& path, int frames = 5) {
  TestStream stream;
  Record(path, frames, [&](Frame& frame) { stream.Next(frame); }, {}, 100);
}

std::string WhyNot(const std::string& path) {
  const auto recording = Recording::Open(path, Language::kEnglish);
  return recording ? "it opened" : recording.error().what;
}

TEST(Opening, SaysInOneSentenceWhatIsWrong) {
  const TestFolder folder;
  const std::string path = folder.Path();

  EXPECT_THAT(WhyNot(path), HasSubstr("No such file"));
  EXPECT_THAT(WhyNot("/tmp"), HasSubstr("is a folder"));
  Put(path, "");
  EXPECT_THAT(WhyNot(path), HasSubstr("is empty"));
  Put(path, "hello");
  EXPECT_THAT(WhyNot(path), HasSubstr("is not a recording of gpusight"));
  Put(path, std::string(100'000, 'x'));
  EXPECT_THAT(WhyNot(path), HasSubstr("is not a recording of gpusight"));
  EXPECT_THAT(WhyNot("/dev/null"), HasSubstr("is not a recording of gpusight"));
}

TEST(Opening, RefusesADatabaseOfAnotherProgramAndMakesNothingBesideIt) {
  const TestFolder folder;
  Sql(folder.Path(), "PRAGMA journal_mode=WAL; CREATE TABLE frame(t); INSERT INTO frame VALUES(1)");

  EXPECT_THAT(WhyNot(folder.Path()), HasSubstr("is not a recording of gpusight"));
  EXPECT_THAT(folder.Names(), ElementsAre("run.gpusight"));
}

TEST(Opening, RefusesANewerFormat) {
  const TestFolder folder;
  Make(folder.Path());
  Sql(folder.Path(), "PRAGMA user_version=99");

  EXPECT_THAT(WhyNot(folder.Path()), HasSubstr("newer gpusight (version 99"));
}

TEST(Opening, KnowsATruncatedFile) {
  const TestFolder folder;
  Make(folder.Path());
  const std::string whole = Bytes(folder.Path());
  Put(folder.Path(), whole.substr(0, whole.size() / 2));

  EXPECT_THAT(WhyNot(folder.Path()), HasSubstr("is truncated"));
}

TEST(Opening, KnowsADamagedFile) {
  const TestFolder folder;
  Make(folder.Path());
  std::string bytes = Bytes(folder.Path());
  for (size_t i = 100; i < 4096; ++i) bytes[i] = 'x';
  Put(folder.Path(), bytes);

  EXPECT_THAT(WhyNot(folder.Path()), HasSubstr("is damaged"));
}

TEST(Opening, MissesTheTablesOfARecording) {
  const TestFolder folder;
  Make(folder.Path());
  Sql(folder.Path(), "DROP VIEW v_device; DROP VIEW v_idle; DROP TABLE device_frame");

  EXPECT_THAT(WhyNot(folder.Path()), HasSubstr("lacks the table device_frame"));
}

TEST(Reading, GoesOnWithoutTablesAndColumnsThatAFileLacks) {
  const TestFolder folder;
  Make(folder.Path());
  std::string sql;
  for (const View& view : Views()) sql += "DROP VIEW " + std::string(view.name) + ";";
  Sql(folder.Path(), sql +
                         "DROP TABLE use_frame; DROP TABLE absence; DROP TABLE device_slow;"
                         "ALTER TABLE device_frame DROP COLUMN power_watts;"
                         "ALTER TABLE frame ADD COLUMN later TEXT");

  const auto frames = ReadFrames(folder.Path());

  ASSERT_EQ(frames.size(), 5u);
  EXPECT_FALSE(frames[0].devices[0].fields[DeviceField::kPower]);
  EXPECT_TRUE(frames[0].devices[0].fields[DeviceField::kSmActivity]);
  EXPECT_TRUE(frames[0].processes[0].uses.empty());
}

TEST(Reading, RunsNothingThatTheFileBringsAlong) {
  const TestFolder folder;
  Make(folder.Path());
  // A view without end, and a computed column of a gigabyte.
  Sql(folder.Path(),
      "DROP TABLE event; CREATE VIEW event AS WITH RECURSIVE n(t) AS (SELECT 1 UNION ALL SELECT "
      "t+1 "
      "FROM n) SELECT t,t AS time,'xid' AS type,1 AS device,1 AS number FROM n;"
      "ALTER TABLE step ADD COLUMN bomb AS (zeroblob(1000000000))");

  EXPECT_EQ(ReadFrames(folder.Path()).size(), 5u);
  EXPECT_TRUE(Recording::Open(folder.Path(), Language::kEnglish)->Events({}).empty());
}

TEST(Reading, ChangesNothing) {
  const TestFolder folder;
  Make(folder.Path());
  const std::string before = Bytes(folder.Path());
  chmod(folder.Path().c_str(), 0400);

  ReadFrames(folder.Path());

  EXPECT_EQ(Bytes(folder.Path()), before);
  EXPECT_THAT(folder.Names(), ElementsAre("run.gpusight"));
}

TEST(Reading, SeesWhatWasBeforeACommitThatWasCut) {
  const TestFolder folder;
  const std::string path = folder.Path(), copy = folder.Path("copy.gpusight");
  Make(path, 30);
  // Pages of a large change spill into the file before its commit; a copy taken then is what a
  // killed writer leaves behind.
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  sqlite3_exec(connection,
               "PRAGMA journal_mode=TRUNCATE; PRAGMA cache_size=5; BEGIN;"
               "UPDATE device_frame SET power_watts=1; DELETE FROM process_frame;"
               "CREATE TABLE more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n "
               "WHERE i<5000) SELECT i,zeroblob(100) FROM n",
               nullptr, nullptr, nullptr);
  std::filesystem::copy_file(path, copy);
  std::filesystem::copy_file(path + "-journal", copy + "-journal");
  sqlite3_exec(connection, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(connection);
  ASSERT_NE(Bytes(copy), Bytes(path)) << "nothing was spilled: the test shows nothing";
  const std::string before = Bytes(copy);

  const auto frames = ReadFrames(copy);

  ASSERT_EQ(frames.size(), 30u);
  EXPECT_GT(*frames[29].devices[0].fields[DeviceField::kPower], 500);
  EXPECT_EQ(frames[29].processes.size(), 5u);
  EXPECT_EQ(Bytes(copy), before);
  EXPECT_TRUE(std::filesystem::exists(copy + "-journal"));
}

TEST(Reading, FollowsAFileThatGrows) {
  const TestFolder folder;
  TestStream stream;
  Make(folder.Path(), 3);
  auto recording = Recording::Open(folder.Path(), Language::kEnglish);
  FrameCursor cursor = recording->Frames();
  Frame frame;
  while (cursor.Next(frame)) {
  }

  Sql(folder.Path(), "INSERT INTO frame VALUES(9000,1775383209000000000,1,1)");

  ASSERT_TRUE(cursor.Next(frame));
  EXPECT_EQ(frame.time.ns, 1'775'383'209'000'000'000);
  EXPECT_FALSE(cursor.Next(frame));
}

TEST(Reading, NamesDamageFoundOnTheWay) {
  const TestFolder folder;
  Make(folder.Path(), 400);
  std::string bytes = Bytes(folder.Path());
  for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40'960; ++i) bytes[i] = 'x';
  Put(folder.Path(), bytes);
  auto recording = Recording::Open(folder.Path(), Language::kEnglish);
  ASSERT_TRUE(recording);
  FrameCursor cursor = recording->Frames();
  Frame frame;

  while (cursor.Next(frame)) {
  }

  ASSERT_TRUE(cursor.trouble());
  EXPECT_THAT(cursor.trouble()->what, HasSubstr("is damaged"));
}

TEST(Reading, WorksWhereFilesCannotBeLocked) {
  const TestFolder folder;
  Make(folder.Path());
  sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
  const auto refuse = +[](int fd, int command, void* lock) {
    if (command != F_SETLK) return fcntl(fd, command, lock);
    errno = EOPNOTSUPP;
    return -1;
  };
  vfs->xSetSystemCall(vfs, "fcntl", reinterpret_cast<sqlite3_syscall_ptr>(refuse));

  const auto frames = ReadFrames(folder.Path());
  TestStream stream;
  Record(
      folder.Path("new.gpusight"), 4, [&](Frame& frame) { stream.Next(frame); }, {}, 1, {}, false);
  const auto fresh = ReadFrames(folder.Path("new.gpusight"));

  vfs->xSetSystemCall(vfs, "fcntl", nullptr);
  EXPECT_EQ(frames.size(), 5u);
  EXPECT_EQ(fresh.size(), 4u);
}

TEST(Reader, ReadsFindingsAsVersionOneHadThem) {
  const TestFolder folder;
  std::filesystem::copy(std::string(GPUSIGHT_TESTDATA) + "/recordings/v1.gpusight", folder.Path());
  Sql(folder.Path(),
      "INSERT INTO finding VALUES(NULL,5,9,'input.serial_loader',0.4,0.9,'GPU-1',17,'It "
      "waits','{}')");
  const auto recording = Recording::Open(folder.Path(), Language::kEnglish);
  ASSERT_TRUE(recording);
  const auto findings = recording->Findings();
  ASSERT_EQ(findings.size(), 1u);
  const Finding& f = findings[0].finding;
  EXPECT_EQ(f.rule, "input.serial_loader");
  EXPECT_EQ(f.opened.ns, 5);
  EXPECT_EQ(EndOf(f).ns, 9);
  EXPECT_FALSE(f.is_open());
  EXPECT_EQ(f.severity, 0.4);
  EXPECT_EQ(f.confidence, 0.9);
  EXPECT_EQ(f.device_uuid, "GPU-1");
  EXPECT_EQ(f.pid, 17);
  EXPECT_EQ(f.rank, -1);
  EXPECT_EQ(Headline(findings[0], Language::kChinese), "It waits");
}

}  // namespace
}  // namespace gpusight::record
