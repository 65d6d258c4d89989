// SPDX-License-Identifier: Apache-2.0
// Collects the facts: files below the Root, the environment that is passed in, one frame. Nothing
// here can hang but on the driver's control node, which is opened only when the driver answered
// with an error. What cannot be read is left unknown. Next: parse.h for the parsers.
#pragma once

#include <string_view>

#include "base/fd.h"
#include "cli/doctor/facts.h"

namespace gpusight::doctor {

struct Question {
  int pid = 0;  // 0: our own process
  // Our own environment, NUL between the variables. Used when `pid` is 0.
  std::string_view environment = {};
  // Whether access(2) and open(2) of device nodes tell anything: not on a recorded machine.
  bool try_nodes = true;
};

// `frame` was sampled on the same root.
[[nodiscard]] Facts Collect(const Root& root, const Question& question, Frame frame);

// Its parts, each in a file of its own.
void CollectDriver(const Root& root, Facts& facts);
void CollectNodes(const Root& root, bool try_nodes, Facts& facts);
void CollectSubject(const Root& root, const Question& question, Facts& facts);
void CollectToolkit(const Root& root, Facts& facts);
void CollectMachine(const Root& root, Facts& facts);

// The whole file as text; empty when it cannot be read.
[[nodiscard]] std::string TextOf(const Root& root, std::string_view path);
[[nodiscard]] bool Exists(const Root& root, std::string_view path);

}  // namespace gpusight::doctor
