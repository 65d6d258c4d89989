// SPDX-License-Identifier: Apache-2.0
// Keeps secrets out of a recording, which people pass on: variables by their names (*KEY*, *TOKEN*,
// *SECRET*, *PASSWORD*, …) and by what they hold (credentials in URLs, private keys, well-known
// forms of tokens), and the same in the words of a command line. Pure. Next: run_facts.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/run_facts.h"

namespace gpusight::record {

// What stands for a secret.
inline constexpr std::string_view kHidden = "[hidden]";

// Whether a variable or option of that name holds a secret as a rule.
[[nodiscard]] bool IsSecretName(std::string_view name);

// `value` with the secret parts of it hidden: "https://ada:pw@example.com/" ->
// "https://[hidden]@example.com/".
[[nodiscard]] std::string HideSecrets(std::string_view value);

// "NAME=value" entries as in environ(7), sorted by name; the values of secret ones are hidden,
// their names kept. Invalid entries are left out, long values cut.
[[nodiscard]] Pairs KeepHarmless(const char* const* environment);

// The words of a command line with "--api-key X", "--token=X", "PASSWORD=X" and URLs cleaned.
[[nodiscard]] std::vector<std::string> KeepHarmless(const std::vector<std::string>& arguments);

}  // namespace gpusight::record
