// SPDX-License-Identifier: Apache-2.0
// Writes the recording of a training job that never ran (training_run.h):
//   gpusight_make_recording OUT [key=value]...
// with devices, seconds, interval, step, power, stall, seed, name, full, tens (how long what is
// kept), fails=1 for an out-of-memory, and hostile=1 for names that try to break out of whatever
// shows them. For tests and measurements.
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <map>
#include <string>

#include "model/finding_text.h"
#include "record/writer.h"
#include "testing/fake_clock.h"
#include "testing/training_run.h"

namespace gpusight {
namespace {

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)><!--\"'&\x1b[31m";

record::RunFacts FactsOf(const std::string& name) {
  record::RunFacts facts;
  facts.name = name;
  facts.arguments = {"python3", "train.py", "--epochs", "3"};
  facts.folder = "/data/vision";
  facts.pid = 4100;
  facts.start = {TrainingRun::kBegin};
  facts.gpusight = "0.1.0";
  facts.tags = {{"experiment", "baseline"}};
  facts.environment = {{"CUDA_VISIBLE_DEVICES", "0,1"}, {"OMP_NUM_THREADS", "8"}};
  facts.versions = {{"torch", "2.11.0+cu130"}, {"python", "3.11.9"}};
  facts.git_commit = "0123456789abcdef0123456789abcdef01234567";
  facts.git_changed = true;
  return facts;
}

int Make(const std::string& path, std::map<std::string, std::string>& given) {
  const auto number = [&given](const char* key, double otherwise) {
    const auto found = given.find(key);
    return found == given.end() ? otherwise : std::stod(found->second);
  };
  TrainingRunOptions options;
  options.devices = static_cast<int>(number("devices", 2));
  options.seconds = number("seconds", 300);
  options.interval = number("interval", 1);
  options.step_seconds = number("step", 0.25);
  options.power = number("power", 560);
  options.stall_share = number("stall", 0.25);
  options.seed = static_cast<uint32_t>(number("seed", 1));
  options.fails = number("fails", 0) != 0;
  const bool hostile = number("hostile", 0) != 0;
  if (hostile) options.names = {kHostile, kHostile};
  FakeClock clock;
  clock.SetWall({TrainingRun::kBegin});
  record::WriterOptions writing;
  writing.overwrite = true;
  writing.commit_seconds = 0.02;
  writing.retention.full_seconds = number("full", writing.retention.full_seconds);
  writing.retention.tens_seconds = number("tens", writing.retention.tens_seconds);
  const std::string name = given.contains("name") ? given["name"] : "train.py";
  auto writer = record::Writer::Create(path, FactsOf(hostile ? kHostile : name), writing, {}, clock,
                                       Language::kEnglish);
  if (!writer) {
    std::fprintf(stderr, "%s\n", writer.error().what.c_str());
    return 1;
  }
  TrainingRun run(options);
  Frame frame;
  while (run.Next(frame)) {
    clock.SetWall(frame.time);
    // A sampler would never wait; here nothing may be lost.
    while ((*writer)->stats().waiting > 100) usleep(2000);
    (*writer)->Add(frame);
  }
  const int64_t end = TrainingRun::kBegin + static_cast<int64_t>(options.seconds * 1e9);
  const auto at = [&](double share) {
    return WallTime{TrainingRun::kBegin + static_cast<int64_t>(options.seconds * share * 1e9)};
  };
  Finding slow;
  slow.rule = "input.serial_loader";
  slow.device_uuid = frame.devices[0].info.uuid;
  slow.pid = 4100;
  slow.severity = 0.22;
  slow.confidence = 0.9;
  slow.evidence = {Fact("gpu_idle", {{Unit::kRatio, 0.22}}), Fact("no_workers")};
  slow.place = "data.py:88 load";
  slow.opened = at(0.1);
  slow.updated = slow.closed = at(0.45);
  (*writer)->SetFinding(slow);
  Finding hot;
  hot.rule = "clock.power_cap";
  hot.device_uuid = slow.device_uuid;
  hot.severity = 0.06;
  hot.confidence = 0.8;
  hot.evidence = {Fact("power_cap_share", {{Unit::kRatio, 0.06}})};
  if (hostile) hot.evidence.push_back(Fact("remote_mount", {Figure(std::string(kHostile))}));
  hot.opened = at(0.8);
  hot.updated = at(1);
  (*writer)->SetFinding(hot);
  (*writer)->AddOutput({end - 2'000'000'000}, record::Stream::kOut,
                       "epoch 3: loss 1.842, 1312 images/s\n");
  (*writer)->AddOutput({end - 1'000'000'000}, record::Stream::kError,
                       hostile ? kHostile : "UserWarning: the sampler is deprecated\n");
  if (options.fails) {
    (*writer)->SetEnd({{end}, "out_of_memory", 1, {}, "The job ran out of GPU memory", {}});
  } else {
    (*writer)->SetEnd({{end}, "exit", 0, {}, "The job ended normally", {}});
  }
  if (auto finished = (*writer)->Finish(); !finished) {
    std::fprintf(stderr, "%s\n", finished.error().what.c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace gpusight

int main(int argc, char** argv) {
  std::map<std::string, std::string> given;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    given[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  if (argc < 2) return 2;
  return gpusight::Make(argv[1], given);
}
