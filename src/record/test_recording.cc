// SPDX-License-Identifier: Apache-2.0
#include "record/test_recording.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "record/recorder.h"

namespace gpusight::record {
namespace {

// When the first frame was.
class FrameClock : public Clock {
 public:
  explicit FrameClock(const Frame& frame) : wall_(frame.time), mono_(frame.mono) {}
  WallTime Wall() const override { return wall_; }
  MonoTime Mono() const override { return mono_; }

 private:
  WallTime wall_;
  MonoTime mono_;
};

void ExpectValues(Scope scope, Values written, Values read, bool lazy, const std::string& whose) {
  for (size_t i = 0; i < written.size(); ++i) {
    if (!lazy && PaceOf(scope, i) == Pace::kLazy) continue;
    EXPECT_EQ(written[i].known(), read[i].known()) << whose << " " << RowsOf(scope)[i].name;
    if (written[i].known() != read[i].known()) continue;
    if (written[i]) {
      EXPECT_DOUBLE_EQ(*written[i], *read[i]) << whose << " " << RowsOf(scope)[i].name;
    } else {
      EXPECT_EQ(written[i].missing(), read[i].missing()) << whose << " " << RowsOf(scope)[i].name;
    }
  }
}

void ExpectRing(const std::vector<SubSample>& written, const std::vector<SubSample>& read,
                double unit) {
  ASSERT_EQ(written.size(), read.size());
  for (size_t i = 0; i < written.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(written[i].time.ns - read[i].time.ns), 0, 1e6);
    EXPECT_NEAR(written[i].value, read[i].value, unit);
  }
}

}  // namespace

TestFolder::TestFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "gpusight-record-XXXXXX").string();
  path_ = mkdtemp(name.data());
}
TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}
std::vector<std::string> TestFolder::Names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void Record(const std::string& path, int count, const std::function<void(Frame&)>& make,
            const WriterOptions& options, int batch, const RunFacts& facts, bool locks,
            const std::vector<Finding>& findings) {
  close(open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600));
  Batch pending;
  std::unique_ptr<Recorder> recorder;
  for (int i = 0; i < count; ++i) {
    auto frame = std::make_unique<Frame>();
    make(*frame);
    if (!recorder) {
      const FrameClock clock(*frame);
      recorder = std::make_unique<Recorder>(path, facts, options, clock, locks);
    }
    pending.frames.push_back(std::move(frame));
    if (static_cast<int>(pending.frames.size()) < batch && i + 1 < count) continue;
    if (i + 1 == count) pending.findings = findings;
    ASSERT_TRUE(recorder->Write(pending, i + 1 == count)) << recorder->error();
    pending = Batch{};
  }
}

std::vector<Frame> ReadFrames(const std::string& path, WallTime from) {
  std::vector<Frame> frames;
  auto recording = Recording::Open(path, Language::kEnglish);
  EXPECT_TRUE(recording) << recording.error().what;
  if (!recording) return frames;
  FrameCursor cursor = recording->Frames(from);
  Frame frame;
  while (cursor.Next(frame)) frames.push_back(frame);
  EXPECT_FALSE(cursor.trouble()) << cursor.trouble()->what;
  return frames;
}

void ExpectSame(const Frame& written, const Frame& read, bool lazy) {
  EXPECT_EQ(written.time.ns, read.time.ns);
  EXPECT_DOUBLE_EQ(written.interval_seconds, read.interval_seconds);
  EXPECT_EQ(written.driver.version, read.driver.version);
  EXPECT_EQ(written.driver.state, read.driver.state);
  EXPECT_EQ(written.host.hostname, read.host.hostname);
  EXPECT_EQ(written.host.sees_all_processes, read.host.sees_all_processes);
  ExpectValues(Scope::kHost, ValuesOf(written.host.fields), ValuesOf(read.host.fields), lazy,
               "host");
  ASSERT_EQ(written.devices.size(), read.devices.size());
  for (size_t i = 0; i < written.devices.size(); ++i) {
    const DeviceSample &a = written.devices[i], &b = read.devices[i];
    EXPECT_EQ(a.info.uuid, b.info.uuid);
    EXPECT_EQ(a.info.name, b.info.name);
    EXPECT_EQ(a.info.index, b.info.index);
    EXPECT_EQ(a.info.parent_uuid, b.info.parent_uuid);
    EXPECT_EQ(a.info.cpu_affinity, b.info.cpu_affinity);
    EXPECT_EQ(a.state, b.state);
    EXPECT_EQ(a.process_count, b.process_count);
    ExpectValues(Scope::kDevice, ValuesOf(a.fields), ValuesOf(b.fields), lazy, a.info.uuid);
    ExpectRing(a.utilization_ring, b.utilization_ring, 0.001);
    ExpectRing(a.memory_activity_ring, b.memory_activity_ring, 0.001);
    ExpectRing(a.power_ring, b.power_ring, 0.1);
  }
  ASSERT_EQ(written.processes.size(), read.processes.size());
  std::vector<const ProcessSample*> by_pid;
  for (const ProcessSample& p : written.processes) by_pid.push_back(&p);
  std::stable_sort(by_pid.begin(), by_pid.end(),
                   [](const auto* a, const auto* b) { return a->pid < b->pid; });
  for (size_t i = 0; i < by_pid.size(); ++i) {
    const ProcessSample &a = *by_pid[i], &b = read.processes[i];
    const std::string whose = "pid " + std::to_string(a.pid);
    EXPECT_EQ(a.pid, b.pid);
    EXPECT_EQ(a.start_ticks, b.start_ticks);
    EXPECT_EQ(a.start_time, b.start_time);
    EXPECT_EQ(a.namespace_pids, b.namespace_pids);
    EXPECT_EQ(a.user, b.user) << whose;
    EXPECT_EQ(a.command, b.command) << whose;
    EXPECT_EQ(a.container, b.container) << whose;
    EXPECT_EQ(a.container_index, b.container_index) << whose;
    EXPECT_EQ(a.visible_devices, b.visible_devices) << whose;
    EXPECT_EQ(a.role, b.role) << whose;
    EXPECT_EQ(a.zombie, b.zombie) << whose;
    EXPECT_EQ(a.translated, b.translated) << whose;
    EXPECT_EQ(a.in_job, b.in_job) << whose;
    EXPECT_EQ(a.ours, b.ours) << whose;
    EXPECT_EQ(a.parent, b.parent) << whose;
    EXPECT_EQ(a.mounts, b.mounts) << whose;
    EXPECT_EQ(a.rank, b.rank) << whose;
    EXPECT_EQ(a.pid_namespace, b.pid_namespace) << whose;
    ExpectValues(Scope::kProcess, ValuesOf(a.fields), ValuesOf(b.fields), lazy, whose);
    ASSERT_EQ(a.uses.size(), b.uses.size()) << whose;
    for (size_t u = 0; u < a.uses.size(); ++u) {
      EXPECT_EQ(a.uses[u].device, b.uses[u].device);
      EXPECT_EQ(a.uses[u].types, b.uses[u].types);
      ExpectValues(Scope::kUse, ValuesOf(a.uses[u].fields), ValuesOf(b.uses[u].fields), lazy,
                   whose);
    }
  }
  ASSERT_EQ(written.containers.size(), read.containers.size());
  for (size_t i = 0; i < written.containers.size(); ++i) {
    EXPECT_EQ(written.containers[i].path, read.containers[i].path);
    EXPECT_EQ(written.containers[i].pod_name, read.containers[i].pod_name);
    ExpectValues(Scope::kContainer, ValuesOf(written.containers[i].fields),
                 ValuesOf(read.containers[i].fields), lazy, "container");
  }
  ASSERT_EQ(written.frameworks.size(), read.frameworks.size());
  for (size_t i = 0; i < written.frameworks.size(); ++i) {
    const FrameworkSample &a = written.frameworks[i], &b = read.frameworks[i];
    EXPECT_EQ(a.pid, b.pid);
    EXPECT_EQ(a.framework, b.framework);
    EXPECT_EQ(a.version, b.version);
    EXPECT_EQ(a.dtype, b.dtype);
    EXPECT_EQ(a.rank, b.rank);
    EXPECT_EQ(a.world_size, b.world_size);
    EXPECT_EQ(a.lost, b.lost);
    ExpectValues(Scope::kFramework, ValuesOf(a.fields), ValuesOf(b.fields), lazy, "framework");
    ASSERT_EQ(a.allocators.size(), b.allocators.size());
    for (size_t k = 0; k < a.allocators.size(); ++k) {
      EXPECT_EQ(a.allocators[k].ordinal, b.allocators[k].ordinal);
      EXPECT_EQ(a.allocators[k].device, b.allocators[k].device);
      EXPECT_EQ(a.allocators[k].uuid, b.allocators[k].uuid);
      EXPECT_EQ(a.allocators[k].age, b.allocators[k].age);
      ExpectValues(Scope::kAllocator, ValuesOf(a.allocators[k].fields),
                   ValuesOf(b.allocators[k].fields), lazy, "allocator");
    }
    EXPECT_EQ(a.stack_samples.size(), b.stack_samples.size());
    EXPECT_EQ(a.marks.size(), b.marks.size());
    EXPECT_EQ(a.out_of_memory.size(), b.out_of_memory.size());
  }
  EXPECT_EQ(written.events.size(), read.events.size());
}

}  // namespace gpusight::record
