// SPDX-License-Identifier: Apache-2.0
// The writer's thread against a disk that is full, a reader that does not let go, and kill -9.
#include "record/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <future>
#include <random>
#include <thread>

#include "model/finding_text.h"
#include "record/test_recording.h"
#include "record/test_stream.h"

namespace gpusight::record {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The device is full, as far as SQLite can see.
class FullDisk {
 public:
  FullDisk() : vfs_(sqlite3_vfs_find(nullptr)) {
    const auto refuse = +[](int, const void*, size_t, off_t) -> ssize_t {
      errno = ENOSPC;
      return -1;
    };
    const auto refuse_write = +[](int, const void*, size_t) -> ssize_t {
      errno = ENOSPC;
      return -1;
    };
    for (const char* name : {"pwrite", "pwrite64"}) {
      vfs_->xSetSystemCall(vfs_, name, reinterpret_cast<sqlite3_syscall_ptr>(refuse));
    }
    vfs_->xSetSystemCall(vfs_, "write", reinterpret_cast<sqlite3_syscall_ptr>(refuse_write));
  }
  ~FullDisk() { MakeRoom(); }
  void MakeRoom() {
    for (const char* name : {"pwrite", "pwrite64", "write"}) {
      vfs_->xSetSystemCall(vfs_, name, nullptr);
    }
  }

 private:
  sqlite3_vfs* vfs_;
};

struct Said {
  std::promise<Error> stopped;
  std::promise<uint64_t> resumed;
  std::atomic<int> stops{0}, resumes{0};
  WriterCalls Calls() {
    return {[this](const Error& error) {
              if (stops++ == 0) stopped.set_value(error);
            },
            [this](uint64_t lost) {
              if (resumes++ == 0) resumed.set_value(lost);
            }};
  }
};

WriterOptions Quick() {
  WriterOptions options;
  options.commit_seconds = 0.01;
  options.patience_seconds = 0.01;
  return options;
}

std::unique_ptr<Writer> Create(const std::string& path, const WriterOptions& options,
                               WriterCalls calls = {}) {
  static const SystemClock clock;
  auto writer = Writer::Create(path, {}, options, std::move(calls), clock, Language::kEnglish);
  EXPECT_TRUE(writer) << writer.error().what;
  return std::move(*writer);
}

Finding Slow(double severity) {
  Finding finding;
  finding.rule = "input.serial_loader";
  finding.form = "per_epoch";
  finding.level = FindingLevel::kCritical;
  finding.device_uuid = "GPU-1";
  finding.pid = 17;
  finding.start_ticks = 4;
  finding.rank = 0;
  finding.severity = severity;
  finding.confidence = 0.9;
  finding.seconds_left = 60;
  finding.evidence = {{"gpu_idle", {{Unit::kRatio, severity}}}, {"no_workers", {}}};
  finding.proposal = 8;
  finding.place = "data.py:88 load";
  finding.missing = {"sm_activity_ratio"};
  finding.behind = "host.cpu_quota";
  finding.opened = {100};
  finding.updated = {100};
  return finding;
}

TEST(Writer, KeepsAFindingAsItWasLastKnown) {
  const TestFolder folder;
  const auto writer = Create(folder.Path(), Quick());
  TestStream stream;
  Frame frame;
  stream.Next(frame);
  writer->Add(frame);
  writer->SetFinding(Slow(0.4));
  Finding later = Slow(0.6);
  later.updated = {900};
  // Before and after the first is in the file.
  for (const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
       std::chrono::steady_clock::now() < deadline;) {
    const auto recording = Recording::Open(folder.Path(), Language::kEnglish);
    if (recording && !recording->Findings().empty()) break;
    std::this_thread::yield();
  }
  writer->SetFinding(later);
  Finding again = Slow(0.2);
  again.opened = again.updated = {2000};
  writer->SetFinding(again);
  again.closed = {3000};
  writer->SetFinding(again);
  ASSERT_TRUE(writer->Finish());
  const auto recording = Recording::Open(folder.Path(), Language::kEnglish);
  const auto findings = recording->Findings();
  ASSERT_EQ(findings.size(), 2u);
  const Finding& f = findings[0].finding;
  EXPECT_EQ(f.rule, later.rule);
  EXPECT_EQ(f.form, later.form);
  EXPECT_EQ(f.level, later.level);
  EXPECT_EQ(f.device_uuid, later.device_uuid);
  EXPECT_EQ(f.pid, 17);
  EXPECT_EQ(f.start_ticks, 4u);
  EXPECT_EQ(f.rank, 0);
  EXPECT_EQ(f.severity, 0.6);
  EXPECT_EQ(f.confidence, 0.9);
  EXPECT_EQ(f.seconds_left, 60);
  EXPECT_EQ(f.evidence, later.evidence);
  EXPECT_EQ(f.proposal, 8);
  EXPECT_EQ(f.place, later.place);
  EXPECT_EQ(f.missing, later.missing);
  EXPECT_EQ(f.behind, later.behind);
  EXPECT_EQ(f.opened.ns, 100);
  EXPECT_EQ(f.updated.ns, 900);
  EXPECT_TRUE(f.is_open());
  EXPECT_EQ(findings[0].english, Tell(later, Language::kEnglish));
  EXPECT_EQ(findings[0].chinese, Tell(later, Language::kChinese));
  EXPECT_EQ(Headline(findings[0], Language::kChinese), Tell(later, Language::kChinese));
  EXPECT_EQ(findings[1].finding.closed.ns, 3000);
  EXPECT_EQ(EndOf(findings[1].finding).ns, 3000);
}

TEST(FindingRow, OfAnUnknownRuleIsToldAsItWasWritten) {
  FindingRow row;
  row.finding.rule = "a rule of the future";
  row.finding.evidence = {{"gpu_idle", {{Unit::kRatio, 0.5}}}};
  row.english = "something is slow";
  EXPECT_EQ(Headline(row, Language::kEnglish), "something is slow");
  EXPECT_EQ(Headline(row, Language::kChinese), "something is slow") << "better than nothing";
  row.chinese = "有些慢";
  EXPECT_EQ(Headline(row, Language::kChinese), "有些慢");
}

TEST(Writer, WritesWhatItIsGiven) {
  const TestFolder folder;
  const auto writer = Create(folder.Path(), Quick());
  TestStream stream;
  std::vector<Frame> written;
  for (int i = 0; i < 50; ++i) {
    stream.Next(written.emplace_back());
    writer->Add(written.back());
  }
  writer->AddOutput({1}, Stream::kOut, "epoch 1\n");
  writer->AddOutput({2}, Stream::kError, "warning\n");
  writer->AddVersion("torch", "2.4.1");
  writer->SetEnd({{2}, "exit", 1, std::nullopt, "", {{"blocks_read", "1"}, {"left", "2"}}});
  writer->SetEnd({{3}, "signal", std::nullopt, 9, "killed", {{"blocks_read", "7"}}});

  ASSERT_TRUE(writer->Finish());

  const auto frames = ReadFrames(folder.Path());
  ASSERT_EQ(frames.size(), 50u);
  ExpectSame(written[49], frames[49]);
  const auto recording = Recording::Open(folder.Path(), Language::kEnglish);
  EXPECT_EQ(recording->Output()[0].bytes, "epoch 1\n");
  EXPECT_EQ(recording->Output()[1].stream, Stream::kError);
  const Summary summary = recording->Read();
  EXPECT_EQ(summary.end.kind, "signal");
  EXPECT_EQ(summary.end.signal, 9);
  EXPECT_EQ(summary.end.code, std::nullopt);
  EXPECT_THAT(summary.end.facts, ElementsAre(testing::Pair("blocks_read", "7")));
  EXPECT_EQ(summary.facts.versions[0].second, "2.4.1");
  EXPECT_THAT(folder.Names(), ElementsAre("run.gpusight"));
}

TEST(Writer, MakesAFileThatOthersCannotRead) {
  const TestFolder folder;
  ASSERT_TRUE(Create(folder.Path(), Quick())->Finish());
  struct stat status{};

  stat(folder.Path().c_str(), &status);

  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(Writer, RefusesPathsInOneSentence) {
  const TestFolder folder;
  const SystemClock clock;
  const auto why = [&](const std::string& path) {
    return Writer::Create(path, {}, {}, {}, clock, Language::kEnglish).error();
  };
  ASSERT_TRUE(Create(folder.Path(), Quick())->Finish());

  EXPECT_THAT(why(folder.Path()).what, HasSubstr("exists already"));
  EXPECT_EQ(why(folder.Path()).code, ErrorCode::kUsage);
  EXPECT_THAT(why(folder.Path("none/run.gpusight")).what, HasSubstr("No such file or directory"));
  EXPECT_THAT(why("/proc/run.gpusight").what, HasSubstr("cannot be written"));
}

TEST(Writer, KeepsTheEndOfALongOutput) {
  const TestFolder folder;
  WriterOptions options = Quick();
  options.output_bytes = 1000;
  const auto writer = Create(folder.Path(), options);
  TestStream stream;
  Frame frame;
  for (int i = 0; i < 500; ++i) {
    writer->AddOutput({i}, Stream::kOut, std::string(99, 'a') + "\n");
    if (i % 50 != 0) continue;
    stream.Next(frame);
    writer->Add(frame);
  }
  writer->AddOutput({1000}, Stream::kOut, "the end");
  ASSERT_TRUE(writer->Finish());

  std::string output;
  for (const auto& piece : Recording::Open(folder.Path(), Language::kEnglish)->Output()) {
    output += piece.bytes;
  }

  EXPECT_TRUE(output.ends_with("the end"));
  EXPECT_GE(output.size(), 900u);
  EXPECT_LE(output.size(), 6000u);
}

TEST(Writer, GoesOnWhenAFullDiskHasRoomAgain) {
  const TestFolder folder;
  Said said;
  const auto writer = Create(folder.Path(), Quick(), said.Calls());
  TestStream stream;
  Frame frame;
  for (int i = 0; i < 5; ++i) {
    stream.Next(frame);
    writer->Add(frame);
  }
  {
    FullDisk disk;
    for (int i = 0; i < 5; ++i) {
      stream.Next(frame);
      writer->Add(frame);
    }
    EXPECT_THAT(said.stopped.get_future().get().what, HasSubstr("no room left"));
    stream.Next(frame);
    writer->Add(frame);
  }
  EXPECT_EQ(said.resumed.get_future().get(), 0u);
  stream.Next(frame);
  writer->Add(frame);
  ASSERT_TRUE(writer->Finish());

  const auto frames = ReadFrames(folder.Path());

  ASSERT_EQ(frames.size(), 12u);
  ExpectSame(frame, frames[11]);
  EXPECT_EQ(said.stops, 1);
}

TEST(Writer, KeepsTheNewestFramesWhileTheDiskIsFullAndCountsTheOthers) {
  const TestFolder folder;
  Said said;
  WriterOptions options = Quick();
  options.most_frames = 4;
  const auto writer = Create(folder.Path(), options, said.Calls());
  TestStream stream;
  std::vector<Frame> made(20);
  {
    FullDisk disk;
    for (Frame& frame : made) {
      stream.Next(frame);
      writer->Add(frame);
    }
    said.stopped.get_future().get();
  }
  said.resumed.get_future().get();
  ASSERT_TRUE(writer->Finish());

  const auto frames = ReadFrames(folder.Path());

  ASSERT_LE(frames.size(), 5u);
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames.back().time, made.back().time);
  EXPECT_EQ(Recording::Open(folder.Path(), Language::kEnglish)->Read().lost,
            made.size() - frames.size());
  EXPECT_EQ(writer->stats().lost, made.size() - frames.size());
}

TEST(Writer, SaysAtTheEndThatTheDiskWasFull) {
  const TestFolder folder;
  const auto writer = Create(folder.Path(), Quick());
  TestStream stream;
  Frame frame;
  stream.Next(frame);
  const FullDisk disk;
  writer->Add(frame);

  const auto finished = writer->Finish();

  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().what, HasSubstr("no room left"));
}

TEST(Writer, WaitsForAReaderThatDoesNotLetGo) {
  const TestFolder folder;
  Said said;
  const auto writer = Create(folder.Path(), Quick(), said.Calls());
  TestStream stream;
  Frame frame;
  stream.Next(frame);
  writer->Add(frame);
  while (writer->stats().frames == 0) std::this_thread::yield();
  sqlite3* reader = nullptr;
  sqlite3_open(folder.Path().c_str(), &reader);
  sqlite3_busy_timeout(reader, 5000);
  sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM frame", nullptr, nullptr, nullptr);
  stream.Next(frame);
  writer->Add(frame);
  EXPECT_THAT(said.stopped.get_future().get().what, HasSubstr("locked"));

  sqlite3_exec(reader, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_close(reader);

  EXPECT_EQ(said.resumed.get_future().get(), 0u);
  ASSERT_TRUE(writer->Finish());
  EXPECT_EQ(ReadFrames(folder.Path()).size(), 2u);
}

// A child that records until it is killed, and tells after each frame how many are in the file.
[[noreturn]] void RecordUntilKilled(const std::string& path, int pipe) {
  const SystemClock clock;
  WriterOptions options = Quick();
  options.commit_seconds = 0.002;
  options.retention = {.full_seconds = 20, .tens_seconds = 100};
  auto writer = Writer::Create(path, {}, options, {}, clock, Language::kEnglish);
  TestStream stream({.devices = 2, .processes = 8});
  Frame frame;
  while (true) {
    stream.Next(frame);
    (*writer)->Add(frame);
    const uint64_t frames = (*writer)->stats().frames;
    if (write(pipe, &frames, sizeof frames) != sizeof frames) _exit(1);
    std::this_thread::yield();
  }
}

TEST(Writer, KilledAtAnyMomentLeavesAFileWithAllThatWasCommitted) {
  std::mt19937 random(42);
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(round);
    const TestFolder folder;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) RecordUntilKilled(folder.Path(), ends[1]);
    close(ends[1]);
    uint64_t committed = 0;
    uint64_t until = 1 + random() % 150;
    while (committed < until && read(ends[0], &committed, sizeof committed) == sizeof committed) {
    }
    kill(child, SIGKILL);
    while (read(ends[0], &committed, sizeof committed) == sizeof committed) {
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);

    uint64_t frames = 0;
    const auto recording = Recording::Open(folder.Path(), Language::kEnglish);
    ASSERT_TRUE(recording) << recording.error().what;
    FrameCursor cursor = recording->Frames();
    Frame frame;
    double covered = 0;
    while (cursor.Next(frame)) {
      ++frames;
      covered += frame.interval_seconds;
    }
    EXPECT_FALSE(cursor.trouble()) << cursor.trouble()->what;
    // The stream's frames are a second apart, merged or not.
    EXPECT_GE(covered + 1.5, static_cast<double>(committed));
    EXPECT_GT(frames, 0u);
  }
}

}  // namespace
}  // namespace gpusight::record
