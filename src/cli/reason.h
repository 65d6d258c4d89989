// SPDX-License-Identifier: Apache-2.0
// What the system complains of, in the user's language: base/ knows none and leaves the number of
// the error with it. Next: model/text/system.h.
#pragma once

#include <string>

#include "base/language.h"
#include "base/result.h"

namespace gpusight::cli {

// What strerror(3) says, or its Chinese form where there is one.
[[nodiscard]] std::string SystemReason(int error_number, Language language);

// `error.what`, with the system's part of it in that language.
[[nodiscard]] std::string Reason(const Error& error, Language language);

}  // namespace gpusight::cli
