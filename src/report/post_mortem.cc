// SPDX-License-Identifier: Apache-2.0
#include "report/post_mortem.h"

#include <algorithm>

#include "base/language.h"
#include "base/text.h"
#include "memory/oom_advice.h"
#include "memory/oom_groups.h"
#include "memory/oom_scanner.h"
#include "memory/oom_verdict.h"
#include "memory/oom_words.h"

namespace gpusight::report {
namespace {

using memory::OomFacts;
using memory::OomVerdict;

constexpr size_t kMostAdvice = 10, kMostFrames = 30, kMostExplained = 10;

std::vector<Said> Pairs(std::vector<std::string> english, std::vector<std::string> chinese) {
  std::vector<Said> said;
  for (size_t i = 0; i < english.size() && i < chinese.size(); ++i) {
    said.push_back({std::move(english[i]), std::move(chinese[i])});
  }
  return said;
}

void AddTable(PostMortem& out, const OomFacts& facts, const OomVerdict& verdict) {
  const auto english = memory::TableOf(facts, verdict, Language::kEnglish);
  const auto chinese = memory::TableOf(facts, verdict, Language::kChinese);
  out.unit = english.unit;
  for (size_t i = 0; i < english.parts.size(); ++i) {
    out.account.push_back(
        {{english.parts[i].label, chinese.parts[i].label}, english.parts[i].number, false});
  }
  if (!english.parts.empty() && !english.total.number.empty()) {
    out.account.push_back({{english.total.label, chinese.total.label}, english.total.number, true});
  }
  for (size_t i = 0; i < english.request.size(); ++i) {
    out.request.push_back(
        {{english.request[i].label, chinese.request[i].label}, english.request[i].number, false});
  }
}

PostMortem Of(const OomFacts& facts, const OomVerdict& verdict,
              std::span<const memory::OomSetting> settings) {
  constexpr Language kEn = Language::kEnglish, kZh = Language::kChinese;
  PostMortem out;
  out.cause = memory::Name(verdict.cause);
  out.confidence = verdict.confidence;
  const Text& title = memory::TitleOf(verdict.cause);
  out.title = {Say(kEn, title), Say(kZh, title)};
  out.sentence = {memory::SentenceOf(facts, verdict, kEn), memory::SentenceOf(facts, verdict, kZh)};
  out.remarks =
      Pairs(memory::RemarksOf(facts, verdict, kEn), memory::RemarksOf(facts, verdict, kZh));
  out.gaps = Pairs(memory::GapsOf(verdict, kEn), memory::GapsOf(verdict, kZh));
  AddTable(out, facts, verdict);
  const auto english = memory::AdviceFor(facts, verdict, settings, kEn);
  const auto chinese = memory::AdviceFor(facts, verdict, settings, kZh);
  for (size_t i = 0; i < english.size() && i < chinese.size() && out.advice.size() < kMostAdvice;
       ++i) {
    // The advice to record the run comes too late, or was taken.
    if (english[i].code.starts_with("gpusight run")) continue;
    out.advice.push_back(
        {FrameworkName(english[i].framework), {english[i].what, chinese[i].what}, english[i].code});
  }
  return out;
}

void AddStack(PostMortem& out, std::string_view stack) {
  for (const std::string_view frame : Split(stack, ';')) {
    if (out.stack.size() == kMostFrames) break;
    if (!Trim(frame).empty()) out.stack.push_back(Printable(Trim(frame)));
  }
}

}  // namespace

PostMortem Explain(const OutOfMemory& failure, int pid, std::span<const Frame> before) {
  const Frame* last = nullptr;
  const FrameworkSample* sample = nullptr;
  bool with_uses = false;
  for (const Frame& frame : before) {
    // Once it has ended its page is read still, but the driver does not list it any more.
    const bool has_uses = std::any_of(
        frame.processes.begin(), frame.processes.end(),
        [pid](const ProcessSample& one) { return one.pid == pid && !one.uses.empty(); });
    if (with_uses && !has_uses) continue;
    for (const FrameworkSample& one : frame.frameworks) {
      if (one.pid != pid) continue;
      last = &frame;
      sample = &one;
      with_uses = has_uses;
    }
  }
  static const FrameworkSample kNobody;
  OomFacts facts = memory::FactsOf(failure, sample == nullptr ? kNobody : *sample, last);
  memory::AddHistory(facts, memory::HistoryOf(before, pid, failure.ordinal));
  PostMortem out = Of(facts, memory::Judge(facts), {});
  out.pid = pid;
  out.time = failure.time;
  out.observed = true;
  out.caught = failure.caught;
  AddStack(out, failure.stack);
  return out;
}

PostMortem ExplainHost(const ExitFacts& exit, bool shared, Framework framework) {
  OomFacts facts;
  facts.place = shared ? memory::OomPlace::kSharedMemory : memory::OomPlace::kHost;
  facts.form = shared ? memory::OomForm::kBusError : memory::OomForm::kOomKiller;
  facts.framework = framework;
  facts.killer_seen = !shared;
  facts.in_cgroup = !shared && exit.oom_kills_container.value_or(0) > 0;
  if (facts.in_cgroup && exit.memory_limit) facts.host_limit = *exit.memory_limit;
  PostMortem out = Of(facts, memory::Judge(facts), {});
  out.time = exit.ended;
  return out;
}

std::vector<PostMortem> ExplainOutput(std::string_view output, std::optional<bool> kernel_killed) {
  memory::OomScanner scanner;
  scanner.Feed(output);
  const memory::OomScan scan = scanner.Finish();
  std::vector<PostMortem> found;
  for (const memory::OomGroup& group : memory::GroupTexts(scan.texts)) {
    if (group.consequence || found.size() == kMostExplained) break;
    const memory::OomText& text = scan.texts[group.lead];
    const bool kill =
        text.form == memory::OomForm::kKilled || text.form == memory::OomForm::kWorkerKilled;
    if (kill && kernel_killed == false) continue;
    OomFacts facts = group.facts;
    facts.killer_seen = facts.killer_seen || (kill && kernel_killed == true);
    const OomVerdict verdict = kill && facts.killer_seen ? memory::Judge(facts) : group.verdict;
    PostMortem out = Of(facts, verdict, scan.settings);
    out.caught = text.after == memory::OomAfter::kWentOn;
    for (auto line = text.trace.rbegin(); line != text.trace.rend(); ++line) {
      if (out.stack.size() == kMostFrames) break;
      out.stack.push_back(
          Printable(line->file + ":" + std::to_string(line->line) + " " + line->function));
    }
    found.push_back(std::move(out));
  }
  return found;
}

}  // namespace gpusight::report
