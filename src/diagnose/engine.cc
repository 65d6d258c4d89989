// SPDX-License-Identifier: Apache-2.0
#include "diagnose/engine.h"

#include <algorithm>
#include <cmath>

namespace gpusight::diagnose {
namespace {

constexpr double kAskEvery = 5;  // seconds, times the time scale
constexpr double kEnough = 0.75, kFew = 0.25;

// What an event or a wall in the way explains is explained however little it is; phases and starts
// explain only what they outweigh.
bool Outweighs(const Finding& a, Tier tier, const Finding& b) {
  switch (tier) {
    case Tier::kHardware:
    case Tier::kProgress:
    case Tier::kQuota:
    case Tier::kLink:
      return true;
    default:
      return a.severity >= 0.5 * b.severity;
  }
}

void AddFramework(std::vector<Framework>& list, Framework framework) {
  if (framework == Framework::kOther) return;
  if (std::find(list.begin(), list.end(), framework) == list.end()) list.push_back(framework);
}

}  // namespace

double TimeScaleFor(double seconds) {
  return std::isfinite(seconds) ? std::clamp(seconds / 240, 0.08, 1.0) : 1.0;
}

void Engine::Evaluate(const std::vector<Window*>& windows, WallTime wall) {
  constexpr size_t kMostSubjects = 512;
  if (subjects_.size() > kMostSubjects) {
    std::erase_if(subjects_, [](const auto& entry) {
      const auto& lives = entry.second.lives;
      return std::none_of(lives.begin(), lives.end(),
                          [](const auto& life) { return life.second.open; });
    });
  }
  bool asked = false;
  for (Window* window : windows) {
    PerSubject& subject = subjects_[{window->subject.pid, window->subject.start_ticks}];
    const double since = window->now() - subject.asked_at;
    // A failed allocation ends the program: nothing may wait.
    const bool urgent = window->failure && !subject.lives["gpumem.oom_postmortem"].open;
    if (since < kAskEvery * options_.time_scale && !urgent) continue;
    Ask(*window, subject, wall);
    asked = true;
  }
  if (asked && windows.size() > 1) Stragglers(windows, wall);
}

void Engine::Ask(Window& window, PerSubject& subject, WallTime wall) {
  const double now = window.now();
  const double seconds = std::isnan(subject.asked_at)
                             ? (window.ticks().empty() ? 0 : window.ticks().back().seconds)
                             : now - subject.asked_at;
  subject.asked_at = now;
  const Features features = FeaturesOf(window);
  std::set<Signal> missed;
  for (const Rule& rule : Rules()) {
    Life& life = subject.lives[rule.name];
    View view(features, options_.thresholds, life.open);
    std::optional<Finding> finding = rule.decide(view);
    if (finding && finding->confidence < 0.4) finding.reset();
    for (const Signal signal : view.missing()) missed.insert(signal);
    life.looks.emplace_back(now, finding.has_value());
    const double hold = rule.hold * options_.time_scale;
    // The last one before the time began stays, so that the time is covered.
    while (life.looks.size() > 1 && life.looks[1].first <= now - hold) life.looks.pop_front();
    double held = 0;
    for (const auto& [time, is] : life.looks) held += is;
    const double share = held / static_cast<double>(life.looks.size());
    const bool long_enough = now - life.looks.front().first >= 0.7 * hold;
    const bool finding_held = finding.has_value();
    const double held_severity = finding ? finding->severity : 0;
    if (finding) {
      finding->rule = rule.name;
      // A line whose number is not known tells nothing.
      std::erase_if(finding->evidence, [](const Evidence& evidence) {
        return std::any_of(evidence.figures.begin(), evidence.figures.end(), [](const Figure& f) {
          return f.word.empty() && !std::isfinite(f.number);
        });
      });
      for (const Signal signal : view.wanted()) {
        finding->missing.emplace_back(Row(signal).name);
      }
      finding->opened = life.open ? life.finding.opened : wall;
      finding->updated = wall;
      finding->closed = {};
      // While it holds, the evidence of the moment that cost most is kept.
      if (!life.was_open || finding->severity >= 0.8 * life.told_lost) {
        life.told_lost = std::max(life.told_lost, finding->severity);
        if (life.was_open) finding->opened = life.finding.opened;
        life.finding = std::move(*finding);
      } else {
        life.finding.updated = wall;
      }
      life.best = std::max(life.best, life.finding.severity);
    }
    // What was lost before it opened counts once it does.
    if (!life.open) life.pending = finding_held ? life.pending + held_severity * seconds : 0;
    if (!life.open && share >= kEnough && long_enough && finding_held) {
      life.open = life.was_open = true;
      life.lost += life.pending - held_severity * seconds;
      life.pending = 0;
      life.finding.closed = {};
    } else if (life.open && share <= kFew) {
      life.open = false;
      life.finding.closed = wall;
      life.closed_at = now;
    }
    if (life.open && life.finding.behind.empty()) life.lost += life.finding.severity * seconds;
  }
  Arbitrate(subject);
  View view(features, options_.thresholds, false);
  // Of a run that never got going, all of it counts.
  if (view.WarmedUp() || subject.seconds == 0) {
    if (view.WarmedUp() && subject.seconds == 0) {
      subject.missing.clear();
      subject.looks = 0;
    }
    ++subject.looks;
    for (const Signal signal : missed) ++subject.missing[signal];
  }
  if (view.WarmedUp()) {
    subject.seconds += seconds;
    const double idle = view.Now(Signal::kIdle), sm = view.Now(Signal::kSmActive);
    if (!std::isnan(idle)) {
      subject.idle_known += seconds;
      subject.idle_sum += idle * seconds;
    }
    if (!std::isnan(idle) && !std::isnan(sm)) {
      subject.known += seconds;
      subject.sm += sm * seconds;
      subject.idle += idle * seconds;
      subject.tensor += view.Or0(Signal::kTensor) * seconds;
      subject.dram += view.Or0(Signal::kDram) * seconds;
      const double power = view.Now(Signal::kPower) / view.Now(Signal::kPowerLimit);
      const bool busy =
          idle <= view.At(Limit::kHealthyIdle) ||
          (power >= view.At(Limit::kHealthyPower) && idle <= 2 * view.At(Limit::kHealthyIdle));
      const bool used = sm >= view.At(Limit::kHealthySm) ||
                        view.Now(Signal::kTensor) >= view.At(Limit::kComputeTensor) ||
                        view.Now(Signal::kDram) >= view.At(Limit::kDramBound);
      if (busy && used) subject.healthy += seconds;
    }
  }
}

void Engine::Arbitrate(PerSubject& subject) {
  for (auto& [name, life] : subject.lives) {
    if (!life.open) continue;
    life.finding.behind.clear();
    const Rule* rule = FindRule(name);
    if (rule->tier == Tier::kRisk) continue;
    const Life* explains = nullptr;
    Tier best = rule->tier;
    for (const auto& [other_name, other] : subject.lives) {
      if (!other.open || other.finding.level == FindingLevel::kInfo || !other.finding.is_cause()) {
        continue;
      }
      const Tier tier = FindRule(other_name)->tier;
      if (tier == Tier::kRisk || tier >= best) continue;
      if (!Outweighs(other.finding, tier, life.finding)) continue;
      explains = &other;
      best = tier;
    }
    if (explains != nullptr) life.finding.behind = explains->finding.rule;
  }
}

// Ranks of one job wait for each other, so that all have the same steps: the one that is waited for
// is the one that stands least in collectives, or whose device works most.
void Engine::Stragglers(const std::vector<Window*>& windows, WallTime wall) {
  struct Rank {
    Window* window;
    double own;  // seconds of a step that are its own work
  };
  std::vector<Rank> ranks;
  for (Window* window : windows) {
    if (window->subject.rank < 0 || window->step_times.size() < 10) continue;
    const Features features = FeaturesOf(*window);
    const double waits = features.now[static_cast<size_t>(Signal::kStackCollective)];
    const double median = window->StepMedian();
    ranks.push_back({window, std::isnan(waits) ? median : median * (1 - waits)});
  }
  if (ranks.size() < 2) return;
  std::sort(ranks.begin(), ranks.end(), [](const Rank& a, const Rank& b) { return a.own < b.own; });
  const double usual = ranks[(ranks.size() - 1) / 2].own, slowest = ranks.back().own;
  if (!(usual / slowest <= options_.thresholds[Limit::kStraggler])) {
    if (straggler_ && straggler_->is_open()) straggler_->closed = wall;
    return;
  }
  const Subject& slow = ranks.back().window->subject;
  Finding finding;
  finding.rule = "multi.straggler_or_comm_bound";
  finding.form = "straggler";
  finding.pid = slow.pid;
  finding.start_ticks = slow.start_ticks;
  finding.rank = slow.rank;
  finding.device_uuid = slow.device_uuid;
  finding.severity = 1 - usual / slowest;
  finding.confidence = 0.8;
  finding.level = FindingLevel::kCritical;
  finding.evidence = {Fact("straggler", {Count(slow.rank), Seconds(slowest), Seconds(usual)})};
  // Its own cause, where it has one that is not the waiting.
  const PerSubject& own = subjects_[{slow.pid, slow.start_ticks}];
  for (const auto& [name, life] : own.lives) {
    if (life.open && life.finding.behind.empty() && life.finding.level != FindingLevel::kInfo) {
      finding.evidence.push_back(
          Fact("straggler_cause", {Count(slow.rank), Figure(std::string(name))}));
    }
  }
  finding.opened = straggler_ ? straggler_->opened : wall;
  finding.updated = wall;
  straggler_ = std::move(finding);
}

void Engine::Order(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    const bool a_info = a.level == FindingLevel::kInfo, b_info = b.level == FindingLevel::kInfo;
    if (a_info != b_info) return b_info;
    if (a.is_cause() != b.is_cause()) return a.is_cause();
    if (a.behind.empty() != b.behind.empty()) return a.behind.empty();
    if (std::abs(a.severity - b.severity) > 0.02) return a.severity > b.severity;
    return a.confidence > b.confidence;
  });
}

std::vector<Finding> Engine::Open() const {
  std::vector<Finding> findings;
  for (const auto& [key, subject] : subjects_) {
    for (const auto& [name, life] : subject.lives) {
      if (life.open) findings.push_back(life.finding);
    }
  }
  if (straggler_ && straggler_->is_open()) findings.push_back(*straggler_);
  Order(findings);
  return findings;
}

Diagnosis Engine::Finish(const std::vector<Window*>& windows) const {
  Diagnosis diagnosis;
  std::set<Signal> missing;
  double healthy = 0, known = 0, sm = 0, tensor = 0, idle_sum = 0, idle_known = 0;
  for (const Window* window : windows) {
    const auto found = subjects_.find({window->subject.pid, window->subject.start_ticks});
    AddFramework(diagnosis.frameworks, window->subject.framework);
    diagnosis.seconds = std::max(diagnosis.seconds, window->seconds());
    if (found == subjects_.end()) continue;
    const PerSubject& subject = found->second;
    for (const auto& [signal, looks] : subject.missing) {
      if (2 * looks > subject.looks) missing.insert(signal);
    }
    healthy += subject.healthy;
    known += subject.known;
    sm += subject.sm;
    tensor += subject.tensor;
    idle_sum += subject.idle_sum;
    idle_known += subject.idle_known;
    bool leaks = false;
    for (const auto& [name, life] : subject.lives) {
      leaks = leaks || (name == "gpumem.leak" && life.was_open);
    }
    for (const auto& [name, life] : subject.lives) {
      if (!life.was_open) continue;
      // Memory that stopped growing while steps went on did not leak.
      const bool growth = name == "gpumem.leak" || name == "hostmem.leak";
      if (growth && !life.open && !window->failure &&
          !(window->last_step < life.closed_at + 5 * options_.time_scale)) {
        continue;
      }
      Finding finding = life.finding;
      const Tier tier = FindRule(name)->tier;
      // What lasted for a part of the time costs that part. What phases cost is told of the whole.
      const bool whole = tier == Tier::kRisk || tier == Tier::kPhase || tier == Tier::kCompile ||
                         tier == Tier::kStart || tier == Tier::kHardware || tier == Tier::kProgress;
      if (!whole && finding.behind.empty() && subject.seconds > 0) {
        finding.severity = std::min(finding.severity, life.lost / subject.seconds);
      }
      if (tier == Tier::kRisk) finding.severity = life.best;
      if (name == "gpumem.leak" && window->failure) finding.severity = 1;
      if (name == "gpumem.oom_postmortem" && leaks) finding.behind = "gpumem.leak";
      if (name == "gpumem.oom_soon" && leaks) finding.behind = "gpumem.leak";
      if (tier == Tier::kInput && finding.place.empty() && window->idle_place_share >= 0.1) {
        finding.place = window->idle_place;
      }
      diagnosis.findings.push_back(std::move(finding));
    }
  }
  if (straggler_) diagnosis.findings.push_back(*straggler_);
  Order(diagnosis.findings);
  for (const Signal signal : missing) diagnosis.missing.emplace_back(Row(signal).name);

  Verdict& verdict = diagnosis.verdict;
  const Finding* first = diagnosis.findings.empty() ? nullptr : &diagnosis.findings.front();
  if (first != nullptr && first->is_cause() && first->level != FindingLevel::kInfo) {
    verdict.rule = first->rule;
    verdict.evidence = first->evidence;
    const Rule* rule = FindRule(first->rule);
    const bool memory = rule != nullptr && rule->tier == Tier::kRisk;
    verdict.lost_ratio = memory ? 0 : first->severity;
    verdict.speedup_at_most = 1 / (1 - std::min(verdict.lost_ratio, 0.99));
    return diagnosis;
  }
  if (known > 0 && healthy >= 0.5 * known) {
    verdict.rule = kComputeBound;
    verdict.evidence = {Fact("gpu_idle", {Ratio(idle_known > 0 ? idle_sum / idle_known : 0)}),
                        Fact("sm_active", {Ratio(sm / known)}),
                        Fact("tensor_active", {Ratio(tensor / known)})};
    return diagnosis;
  }
  verdict.rule = kUnknownCause;
  if (idle_known > 0) {
    verdict.evidence = {Fact("gpu_idle", {Ratio(idle_sum / idle_known)})};
    if (known > 0) verdict.evidence.push_back(Fact("sm_active", {Ratio(sm / known)}));
    verdict.lost_ratio = idle_sum / idle_known;
    verdict.speedup_at_most = 1 / (1 - std::min(verdict.lost_ratio, 0.99));
  }
  return diagnosis;
}

Diagnosis Diagnoser::Finish() {
  collector_.Finish();
  return engine_.Finish(collector_.all());
}

}  // namespace gpusight::diagnose
