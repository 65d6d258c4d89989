// SPDX-License-Identifier: Apache-2.0
#include "probe/host/relatives.h"

namespace gpusight::host {

void Relatives::Find(const Tree& tree, const std::vector<int>& roots, std::vector<int>& out) {
  const auto& nodes = tree.nodes();
  if (marks_.capacity() < nodes.size()) marks_.reserve(nodes.capacity());
  marks_.assign(nodes.size(), Mark::kUnknown);
  for (const int pid : roots) {
    if (const Tree::Node* node = tree.Find(pid)) {
      marks_[static_cast<size_t>(node - nodes.data())] = Mark::kRoot;
    }
  }
  // From each process upwards until something is known; then that is known of all on the way.
  for (size_t i = 0; i < nodes.size(); ++i) {
    path_.clear();
    size_t at = i;
    Mark found = Mark::kNot;
    while (marks_[at] == Mark::kUnknown) {
      marks_[at] = Mark::kNot;  // a loop (numbers reused while we looked) ends here
      path_.push_back(at);
      const Tree::Node* parent = tree.Find(nodes[at].parent);
      if (parent == nullptr) break;
      at = static_cast<size_t>(parent - nodes.data());
    }
    if (marks_[at] == Mark::kRoot || marks_[at] == Mark::kBelow) found = Mark::kBelow;
    for (const size_t on_the_way : path_) marks_[on_the_way] = found;
  }
  for (size_t i = 0; i < nodes.size() && out.size() < kMost; ++i) {
    if (marks_[i] == Mark::kBelow) out.push_back(nodes[i].pid);
  }
}

}  // namespace gpusight::host
