// SPDX-License-Identifier: Apache-2.0
#include "memory/oom_groups.h"

#include <algorithm>
#include <tuple>

namespace gpusight::memory {
namespace {

bool IsKiller(const OomText& text) { return text.form == OomForm::kOomKiller; }

// Facts and verdict of one text, with what the rest of the log says about kills.
OomGroup Judged(std::span<const OomText> texts, size_t at) {
  OomGroup group;
  group.members = {at};
  group.lead = at;
  group.facts = FactsOf(texts[at]);
  for (const OomText& text : texts) {
    if (!IsKiller(text)) continue;
    group.facts.killer_seen = true;
    if (group.facts.place != OomPlace::kDevice && FactsOf(text).in_cgroup) {
      group.facts.in_cgroup = true;
    }
  }
  group.verdict = Judge(group.facts);
  return group;
}

bool HasProgramEnded(std::span<const OomText> texts, const OomGroup& group) {
  return std::any_of(group.members.begin(), group.members.end(),
                     [&](size_t at) { return texts[at].after != OomAfter::kWentOn; });
}

// How much a text tells.
int Weight(const OomText& text, const OomGroup& judged) {
  const int numbers = (text.requested ? 1 : 0) + (text.capacity ? 1 : 0) + (text.free ? 1 : 0) +
                      (text.allocated ? 1 : 0) + (text.process ? 1 : 0) + (text.victim ? 1 : 0);
  return static_cast<int>(judged.verdict.confidence * 100) + numbers * 8 +
         (text.trace.empty() ? 0 : 4) + (text.after == OomAfter::kWentOn ? 0 : 6);
}

// A kill whose sender is not named, after a failure on a device: the launcher ends the others.
void FindConsequences(std::span<const OomText> texts, std::vector<OomGroup>& groups) {
  uint64_t first_device = 0;
  for (const OomText& text : texts) {
    if (text.place() != OomPlace::kDevice) continue;
    if (first_device == 0 || text.first_line < first_device) first_device = text.first_line;
  }
  if (first_device == 0) return;
  for (OomGroup& group : groups) {
    group.consequence = std::all_of(group.members.begin(), group.members.end(), [&](size_t at) {
      return texts[at].form == OomForm::kKilled && texts[at].first_line >= first_device;
    });
  }
}

void Sort(std::span<const OomText> texts, std::vector<OomGroup>& groups) {
  FindConsequences(texts, groups);
  std::stable_sort(groups.begin(), groups.end(), [&](const OomGroup& a, const OomGroup& b) {
    const auto order = [&](const OomGroup& g) {
      return std::tuple(g.consequence, !HasProgramEnded(texts, g),
                        texts[g.members.front()].first_line);
    };
    return order(a) < order(b);
  });
}

}  // namespace

std::vector<OomGroup> SingleTexts(std::span<const OomText> texts) {
  std::vector<OomGroup> out;
  for (size_t at = 0; at < texts.size(); ++at) out.push_back(Judged(texts, at));
  FindConsequences(texts, out);
  return out;
}

std::vector<OomGroup> GroupTexts(std::span<const OomText> texts) {
  std::vector<OomGroup> out;
  std::vector<int> weights;
  for (size_t at = 0; at < texts.size(); ++at) {
    OomGroup one = Judged(texts, at);
    const int weight = Weight(texts[at], one);
    const bool device = one.facts.place == OomPlace::kDevice;
    const bool unnamed = texts[at].form == OomForm::kKilled && !one.facts.killer_seen;
    size_t i = 0;
    for (; i < out.size(); ++i) {
      const OomGroup& group = out[i];
      const OomText& lead = texts[group.lead];
      if (group.verdict.cause != one.verdict.cause) continue;
      if (device != (group.facts.place == OomPlace::kDevice)) continue;
      const bool alike = lead.framework == texts[at].framework && lead.form == texts[at].form;
      if (device && !alike) continue;
      if (unnamed != (lead.form == OomForm::kKilled && !group.facts.killer_seen)) continue;
      break;
    }
    if (i == out.size()) {
      out.push_back(std::move(one));
      weights.push_back(weight);
      continue;
    }
    OomGroup& group = out[i];
    group.members.push_back(at);
    if (weight <= weights[i]) continue;
    weights[i] = weight;
    group.lead = at;
    group.facts = std::move(one.facts);
    group.verdict = std::move(one.verdict);
  }
  Sort(texts, out);
  return out;
}

}  // namespace gpusight::memory
