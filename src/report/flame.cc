// SPDX-License-Identifier: Apache-2.0
#include "report/flame.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>

namespace gpusight::report {
namespace {

constexpr int kDeepest = 100;

struct Branch {
  double idle = 0, busy = 0;
  std::map<std::string, std::unique_ptr<Branch>, std::less<>> below;
};

void Put(Branch& root, const StackTime& stack) {
  Branch* at = &root;
  const auto add = [&stack](Branch& branch) {
    branch.idle += stack.idle;
    branch.busy += stack.busy;
  };
  add(root);
  std::string_view rest = stack.stack;
  for (int depth = 0; !rest.empty() && depth < kDeepest; ++depth) {
    const std::string_view frame = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), frame.size() + 1));
    if (frame.empty()) continue;
    auto found = at->below.find(frame);
    if (found == at->below.end()) {
      found = at->below.emplace(std::string(frame), std::make_unique<Branch>()).first;
    }
    at = found->second.get();
    add(*at);
  }
}

// The weight by which branches are kept and ordered: idle time, or all where none was idle.
void Write(const Branch& branch, std::string_view name, int depth, double least, bool by_idle,
           size_t most, std::vector<FlameNode>& out) {
  if (out.size() >= most) return;
  out.push_back({std::string(name), depth, branch.idle, branch.busy});
  const auto weight = [by_idle](const Branch& b) { return by_idle ? b.idle : b.busy; };
  std::vector<const std::pair<const std::string, std::unique_ptr<Branch>>*> order;
  for (const auto& below : branch.below) {
    if (weight(*below.second) >= least) order.push_back(&below);
  }
  std::stable_sort(order.begin(), order.end(), [&weight](const auto* a, const auto* b) {
    return weight(*a->second) > weight(*b->second);
  });
  for (const auto* below : order) {
    Write(*below->second, below->first, depth + 1, least, by_idle, most, out);
  }
}

}  // namespace

std::vector<FlameNode> FlameOf(const std::vector<StackTime>& stacks, double least,
                               size_t most_nodes) {
  Branch root;
  for (const StackTime& stack : stacks) Put(root, stack);
  std::vector<FlameNode> nodes;
  if (root.below.empty()) return nodes;
  const bool by_idle = root.idle > 0;
  Write(root, "", 0, least * (by_idle ? root.idle : root.busy), by_idle, most_nodes, nodes);
  return nodes;
}

}  // namespace gpusight::report
