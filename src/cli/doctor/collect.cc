// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/collect.h"

#include <unistd.h>

namespace gpusight::doctor {

std::string TextOf(const Root& root, std::string_view path) {
  return ReadFile(root.Path(path)).value_or(std::string());
}

bool Exists(const Root& root, std::string_view path) {
  return access(root.Path(path).c_str(), F_OK) == 0;
}

Facts Collect(const Root& root, const Question& question, Frame frame) {
  Facts facts;
  facts.frame = std::move(frame);
  CollectDriver(root, facts);
  CollectNodes(root, question.try_nodes, facts);
  CollectSubject(root, question, facts);
  CollectToolkit(root, facts);
  CollectMachine(root, facts);
  return facts;
}

}  // namespace gpusight::doctor
