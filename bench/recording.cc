// SPDX-License-Identifier: Apache-2.0
// The recorder alone, for bench/recording.py: made-up frames of a busy job go into a file as those
// of a sampler would.
//   bench_recording write FILE SECONDS INTERVAL DEVICES PROCESSES
// records in real time and says on standard output, at once, when each frame was taken (ns). At the
// end: what it cost, as JSON on standard error.
//   bench_recording make FILE SECONDS DEVICES PROCESSES FULL_SECONDS TENS_SECONDS
// records that many seconds at once, with that retention, and says on standard error what they
// cost.
//   bench_recording check FILE TIME
// reads all frames and says how many there are, and whether all up to that time are; exit code 1
// when not.
#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "base/text.h"
#include "record/reader.h"
#include "record/recorder.h"
#include "record/test_stream.h"
#include "record/writer.h"

namespace {

using namespace gpusight;
using namespace gpusight::record;

double CpuSeconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

int Write(char** words) {
  const SystemClock clock;
  const double seconds = std::atof(words[1]), interval = std::atof(words[2]);
  const StreamOptions options{
      .devices = std::atoi(words[3]), .processes = std::atoi(words[4]), .interval = interval};
  auto writer = Writer::Create(words[0], {}, {}, {}, clock, Language::kEnglish);
  if (!writer) {
    fmt::print(stderr, "{}\n", writer.error().what);
    return 1;
  }
  TestStream stream(options);
  Frame frame;
  double adding = 0;
  const MonoTime begin = clock.Mono();
  uint64_t frames = 0;
  while (static_cast<double>(clock.Mono() - begin) * 1e-9 < seconds) {
    stream.Next(frame);
    frame.time = clock.Wall();
    frame.mono = clock.Mono();
    const double before = CpuSeconds(CLOCK_THREAD_CPUTIME_ID);
    (*writer)->Add(frame);
    adding += CpuSeconds(CLOCK_THREAD_CPUTIME_ID) - before;
    const std::string line = fmt::format("{}\n", frame.time.ns);
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return 1;
    ++frames;
    const double next = interval * static_cast<double>(frames);
    const double wait = next - static_cast<double>(clock.Mono() - begin) * 1e-9;
    if (wait > 0) usleep(static_cast<useconds_t>(wait * 1e6));
  }
  const auto finished = (*writer)->Finish();
  if (!finished) fmt::print(stderr, "{}\n", finished.error().what);
  const WriterStats stats = (*writer)->stats();
  fmt::print(stderr,
             "{{\"frames\": {}, \"commits\": {}, \"lost\": {}, \"writer_cpu_seconds\": {:.4f}, "
             "\"sampler_cpu_seconds\": {:.4f}, \"seconds\": {:.1f}, \"bytes\": {}}}\n",
             stats.frames, stats.commits, stats.lost, stats.busy_seconds, adding, seconds,
             stats.file_bytes);
  return 0;
}

// The clock of the stream's first frame.
class FirstFrame : public Clock {
 public:
  explicit FirstFrame(const Frame& frame) : wall_(frame.time), mono_(frame.mono) {}
  WallTime Wall() const override { return wall_; }
  MonoTime Mono() const override { return mono_; }

 private:
  WallTime wall_;
  MonoTime mono_;
};

int Make(char** words) {
  const int seconds = std::atoi(words[1]);
  TestStream stream({.devices = std::atoi(words[2]), .processes = std::atoi(words[3])});
  WriterOptions options;
  options.retention = {std::atof(words[4]), std::atof(words[5]), 0};
  Frame frame;
  stream.Next(frame);
  const int fd = open(words[0], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return 1;
  close(fd);
  Recorder recorder(words[0], {}, options, FirstFrame(frame), true);
  double writing = 0;
  for (int i = 1; i <= seconds; ++i) {
    Batch batch;
    batch.frames.push_back(std::make_unique<Frame>(frame));
    const double before = CpuSeconds(CLOCK_THREAD_CPUTIME_ID);
    if (!recorder.Write(batch, i == seconds)) return 1;
    writing += CpuSeconds(CLOCK_THREAD_CPUTIME_ID) - before;
    stream.Next(frame);
  }
  fmt::print(stderr, "{{\"cpu_per_second\": {:.6f}, \"bytes\": {}}}\n", writing / seconds,
             recorder.file_bytes());
  return 0;
}

int Check(char** words) {
  const auto recording = Recording::Open(words[0], Language::kEnglish);
  if (!recording) {
    fmt::print("{}\n", recording.error().what);
    return 1;
  }
  const int64_t until = ParseNumber<int64_t>(words[1]).value_or(0);
  FrameCursor cursor = recording->Frames();
  Frame frame;
  uint64_t frames = 0;
  int64_t last = 0;
  while (cursor.Next(frame)) {
    last = frame.time.ns;
    ++frames;
  }
  if (const auto trouble = cursor.trouble()) {
    fmt::print("{}\n", trouble->what);
    return 1;
  }
  fmt::print("{} frames, {} s before\n", frames, static_cast<double>(until - last) * 1e-9);
  return last >= until ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 7 && std::strcmp(argv[1], "write") == 0) return Write(argv + 2);
  if (argc == 8 && std::strcmp(argv[1], "make") == 0) return Make(argv + 2);
  if (argc == 4 && std::strcmp(argv[1], "check") == 0) return Check(argv + 2);
  std::fputs(
      "bench_recording write FILE SECONDS INTERVAL DEVICES PROCESSES | "
      "make FILE SECONDS DEVICES PROCESSES FULL_SECONDS TENS_SECONDS | check FILE TIME\n",
      stderr);
  return 2;
}
