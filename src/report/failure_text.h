// SPDX-License-Identifier: Apache-2.0
// The post-mortem as one screen of a terminal: what happened, the account, the minute before, where
// the program was, and what to try first. Pure.
#pragma once

#include <string>

#include "base/language.h"
#include "report/failure.h"

namespace gpusight::report {

// Lines that end in '\n', none longer than `columns` but for code that is to be pasted. `file`: the
// recording, "" when there is none.
[[nodiscard]] std::string FailureText(const Failure& failure, std::string_view file, int columns,
                                      Language language);

}  // namespace gpusight::report
