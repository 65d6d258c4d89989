// SPDX-License-Identifier: Apache-2.0
#include "tui/rows.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "tui/column_values.h"
#include "tui/glyphs.h"

namespace gpusight::tui {
namespace {

using Order = std::vector<size_t>;  // positions in Frame::processes

class Builder {
 public:
  explicit Builder(State& state) : state_(state), processes_(state.frame.processes) {
    keys_.reserve(processes_.size());
    for (const ProcessSample& process : processes_) {
      keys_.push_back(SortKeyOf(state_, process, state_.sort));
    }
    wanted_.resize(processes_.size());
    for (size_t i = 0; i < processes_.size(); ++i) wanted_[i] = Wanted(processes_[i]);
  }

  std::vector<TableRow> Build() { return state_.tree ? Tree() : Flat(); }

 private:
  bool UsesShownDevice(const ProcessSample& process) const {
    return std::any_of(process.uses.begin(), process.uses.end(), [&](const GpuUse& use) {
      return Shows(state_, static_cast<size_t>(use.device));
    });
  }

  bool Wanted(const ProcessSample& process) const {
    if (!UsesShownDevice(process) && !(process.uses.empty() && state_.all)) return false;
    return state_.filter.empty() || Matches(SearchText(state_, process), state_.filter);
  }

  // Unknown comes last in either direction; equals stand by pid, so that rows do not dance.
  bool Before(size_t a, size_t b) const {
    const SortKey &x = keys_[a], &y = keys_[b];
    if (x.known != y.known) return x.known;
    const int words = x.word.compare(y.word);
    if (x.number != y.number) return (x.number < y.number) != state_.falling;
    if (words != 0) return (words < 0) != state_.falling;
    return processes_[a].pid < processes_[b].pid;
  }
  void Sort(Order& order) const {
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return Before(a, b); });
  }

  std::vector<TableRow> Flat() {
    Order order;
    for (size_t i = 0; i < processes_.size(); ++i) {
      if (wanted_[i]) order.push_back(i);
    }
    Sort(order);
    std::vector<TableRow> rows;
    rows.reserve(order.size());
    for (const size_t i : order) rows.push_back({i, {}});
    return rows;
  }

  // The tree shows what is wanted and the parents that lead to it.
  std::vector<TableRow> Tree() {
    std::map<int, size_t> by_pid;
    for (size_t i = 0; i < processes_.size(); ++i) {
      if (processes_[i].translated) by_pid[processes_[i].pid] = i;
    }
    const size_t none = processes_.size();
    std::vector<size_t> parent(processes_.size(), none);
    for (size_t i = 0; i < processes_.size(); ++i) {
      const auto found = by_pid.find(processes_[i].parent);
      if (processes_[i].translated && found != by_pid.end() && found->second != i) {
        parent[i] = found->second;
      }
    }
    for (size_t i = 0; i < processes_.size(); ++i) CutCycle(parent, i, none);
    for (size_t i = 0; i < processes_.size(); ++i) {
      if (!wanted_[i]) continue;
      for (size_t up = parent[i]; up != none && !wanted_[up]; up = parent[up]) wanted_[up] = true;
    }
    children_.assign(processes_.size() + 1, {});
    for (size_t i = 0; i < processes_.size(); ++i) {
      if (wanted_[i]) children_[parent[i]].push_back(i);
    }
    // A parent stands where its best descendant would.
    for (const size_t root : children_[none]) LiftKeys(root);
    std::vector<TableRow> rows;
    Sort(children_[none]);
    for (const size_t root : children_[none]) Append(rows, root, "", "");
    return rows;
  }

  // /proc is read process by process, so parents may form a circle; break it at `start`.
  static void CutCycle(std::vector<size_t>& parent, size_t start, size_t none) {
    size_t at = parent[start];
    for (size_t steps = 0; at != none && steps <= parent.size(); ++steps) {
      if (at == start) {
        parent[start] = none;
        return;
      }
      at = parent[at];
    }
  }

  void LiftKeys(size_t at) {
    for (const size_t child : children_[at]) {
      LiftKeys(child);
      if (Before(child, at)) keys_[at] = keys_[child];
    }
  }

  void Append(std::vector<TableRow>& rows, size_t at, const std::string& branch,
              const std::string& trunk) {
    const Glyphs& glyphs = GlyphsFor(state_.settings.ascii);
    rows.push_back({at, branch});
    Order& children = children_[at];
    Sort(children);
    for (size_t i = 0; i < children.size(); ++i) {
      const bool last = i + 1 == children.size();
      Append(rows, children[i], trunk + std::string(last ? glyphs.last_branch : glyphs.branch),
             trunk + (last ? "  " : std::string(glyphs.trunk)));
    }
  }

  State& state_;
  const std::vector<ProcessSample>& processes_;
  std::vector<SortKey> keys_;
  std::vector<bool> wanted_;
  std::vector<Order> children_;  // the last entry: the roots
};

}  // namespace

void RebuildRows(State& state) {
  state.rows = Builder(state).Build();
  const int count = static_cast<int>(state.rows.size());
  state.most_rows = std::max(state.most_rows, count);
  for (int i = 0; i < count; ++i) {
    if (KeyOf(state.frame.processes[state.rows[static_cast<size_t>(i)].process]) ==
        state.selected) {
      state.selected_row = i;
      return;
    }
  }
  state.selected_row = std::clamp(state.selected_row, 0, std::max(0, count - 1));
  state.selected =
      count > 0
          ? KeyOf(
                state.frame.processes[state.rows[static_cast<size_t>(state.selected_row)].process])
          : ProcessKey{};
}

}  // namespace gpusight::tui
