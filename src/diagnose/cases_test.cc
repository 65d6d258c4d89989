// SPDX-License-Identifier: Apache-2.0
// Runs every case of testdata/diagnose/*.case: signals in, findings out. The README there says how
// a case is written; none needs C++.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "diagnose/engine.h"

namespace gpusight::diagnose {
namespace {

struct Ramp {
  double from = 0, to = 0;
};

struct Case {
  std::string path;
  std::vector<std::string> lines;
};

class Player {
 public:
  // What is wrong with the case, or what did not come out as it should.
  std::vector<std::string> Play(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      if (line.starts_with("scale ")) scale_ = std::stod(line.substr(6));
    }
    windows_.push_back(std::make_unique<Window>(scale_));
    engine_.emplace(EngineOptions{.thresholds = {}, .time_scale = scale_});
    Window& window = *windows_.front();
    window.subject.pid = 100;
    window.subject.device_uuid = "GPU-case";
    for (size_t i = 0; i < lines.size(); ++i) {
      line_ = i + 1;
      std::istringstream words(lines[i]);
      std::string word;
      if (!(words >> word) || word[0] == '#') continue;
      if (word == "scale") continue;
      if (word == "verdict") {
        words >> verdict_;
      } else if (word == "finding") {
        words >> word;
        wanted_.push_back(word);
      } else if (word == "no") {
        words >> word;
        unwanted_.push_back(word);
      } else if (word == "form") {
        words >> form_;
      } else if (word == "framework") {
        words >> word;
        window.subject.framework = word == "paddle" ? Framework::kPaddle : Framework::kPyTorch;
      } else if (word == "page") {
        window.subject.has_page = true;
      } else if (word == "rank") {
        words >> window.subject.rank;
      } else if (word == "failure") {
        words >> word;
        window.failure = Failure{};
        for (int c = 0; c <= static_cast<int>(memory::OomClass::kSharedMemory); ++c) {
          const auto cause = static_cast<memory::OomClass>(c);
          if (memory::Name(cause) != word) continue;
          window.failure->verdict.cause = cause;
          window.failure->verdict.confidence = 0.9;
        }
      } else if (word == "xid") {
        int xid = 0;
        words >> xid;
        window.xids.push_back(xid);
      } else if (word == "mount") {
        std::getline(words >> std::ws, window.mount);
      } else if (word == "stall") {
        std::string kind;
        double seconds = 0;
        words >> kind >> seconds;
        AddStall(kind, seconds);
      } else if (word == "neighbour") {
        words >> window.neighbour.pid >> window.neighbour.memory >> window.neighbour.sm;
      } else if (word == "for") {
        double seconds = 0;
        words >> seconds;
        Run(seconds);
      } else if (const auto signal = FindSignal(word)) {
        std::string value;
        words >> value;
        SetSignal(*signal, value);
      } else {
        Complain("no signal and no word of a case: " + word);
      }
    }
    Judge();
    return complaints_;
  }

 private:
  void Complain(const std::string& what) {
    complaints_.push_back("line " + std::to_string(line_) + ": " + what);
  }

  void SetSignal(Signal signal, const std::string& value) {
    Ramp& ramp = ramps_[signal];
    if (value == "-") {
      ramps_.erase(signal);
      return;
    }
    const size_t dots = value.find("..");
    try {
      ramp.from = std::stod(value.substr(0, dots));
      ramp.to = dots == value.npos ? ramp.from : std::stod(value.substr(dots + 2));
    } catch (const std::exception&) {
      Complain("no number: " + value);
    }
  }

  void AddStall(const std::string& kind, double seconds) {
    Stall stall;
    stall.begin = time_;
    stall.seconds = seconds;
    stall.step = windows_.front()->steps;
    if (kind == "checkpoint") stall.kind = StallKind::kCheckpoint;
    if (kind == "compile") stall.kind = StallKind::kCompile;
    if (kind == "evaluation") stall.kind = StallKind::kEvaluation;
    if (kind == "restart") {
      stall.kind = StallKind::kRestart;
      ++windows_.front()->worker_generations;
    }
    windows_.front()->stalls.push_back(stall);
  }

  void Run(double seconds) {
    Window& window = *windows_.front();
    // In ticks of a second; what is left is one, too.
    for (int i = 0; i < static_cast<int>(seconds) || i == 0; ++i) {
      Tick tick;
      tick.seconds = seconds >= 1 && seconds == std::floor(seconds) ? 1 : seconds;
      time_ += tick.seconds;
      tick.time = time_;
      for (const auto& [signal, ramp] : ramps_) {
        tick[signal] = ramp.from + (ramp.to - ramp.from) * i / std::max(1.0, seconds - 1);
      }
      const double steps = tick[Signal::kSteps];
      for (int step = 0; steps > 0 && step < static_cast<int>(steps); ++step) {
        window.AddStep(time_ - tick.seconds * (1 - (step + 1) / steps), window.steps + 1,
                       tick.seconds / steps);
      }
      if (!std::isnan(tick[Signal::kAllocated])) {
        memory::MemoryPoint point;
        point.seconds = time_;
        if (window.subject.has_page) point.step = window.steps;
        point.allocated = tick[Signal::kAllocated];
        if (!std::isnan(tick[Signal::kReserved])) point.reserved = tick[Signal::kReserved];
        if (!std::isnan(tick[Signal::kMemoryOwn])) point.process = tick[Signal::kMemoryOwn];
        window.AddMemory(point);
      }
      window.Add(tick);
      engine_->Evaluate({&window}, {static_cast<int64_t>(time_ * 1e9)});
    }
  }

  void Judge() {
    const Diagnosis diagnosis = engine_->Finish({windows_.front().get()});
    std::vector<std::string> found;
    for (const Finding& finding : diagnosis.findings) found.push_back(finding.rule);
    const std::string all = testing::PrintToString(found);
    line_ = 0;
    if (diagnosis.verdict.rule != verdict_) {
      Complain("verdict " + diagnosis.verdict.rule + " instead of " + verdict_ + "; found " + all);
    }
    const auto has = [&](const std::string& rule) {
      return std::find(found.begin(), found.end(), rule) != found.end();
    };
    for (const std::string& rule : wanted_) {
      if (!has(rule)) Complain("not found: " + rule + " in " + all);
    }
    for (const std::string& rule : unwanted_) {
      if (has(rule)) Complain("found though it should not be: " + rule);
    }
    if (!form_.empty() && (diagnosis.findings.empty() || diagnosis.findings[0].form != form_)) {
      Complain("not of the form " + form_);
    }
  }

  double scale_ = 0.25;
  std::vector<std::unique_ptr<Window>> windows_;
  std::optional<Engine> engine_;
  std::map<Signal, Ramp> ramps_;
  double time_ = 0;
  size_t line_ = 0;
  std::string verdict_, form_;
  std::vector<std::string> wanted_, unwanted_, complaints_;
};

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (const auto& entry : std::filesystem::directory_iterator(GPUSIGHT_TESTDATA "/diagnose")) {
    if (entry.path().extension() != ".case") continue;
    Case found{entry.path().filename().string(), {}};
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) found.lines.push_back(line);
    cases.push_back(std::move(found));
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.path < b.path; });
  return cases;
}

TEST(Cases, AllComeOutAsTheySay) {
  const std::vector<Case> cases = AllCases();
  ASSERT_GT(cases.size(), 20u);
  for (const Case& one : cases) {
    EXPECT_THAT(Player().Play(one.lines), testing::IsEmpty()) << one.path;
  }
}

// So that the driver itself can fail.
TEST(Cases, AWrongOneIsRefused) {
  EXPECT_THAT(Player().Play({"verdict input.serial_loader", "for 5"}), testing::SizeIs(1));
  EXPECT_THAT(Player().Play({"verdict none.unknown", "no_such_signal 3", "for 5"}),
              testing::SizeIs(1));
}

TEST(Cases, EveryRuleHasOne) {
  std::string all;
  for (const Case& one : AllCases()) {
    for (const std::string& line : one.lines) {
      if (line.starts_with("verdict ") || line.starts_with("finding ")) all += line + "\n";
    }
  }
  for (const Rule& rule : Rules()) {
    EXPECT_NE(all.find(" " + std::string(rule.name) + "\n"), all.npos) << rule.name;
  }
}

}  // namespace
}  // namespace gpusight::diagnose
