// SPDX-License-Identifier: Apache-2.0
// One form of message: the words by which it is found, and the function that reads it from there.
// To add one: a row in the table of its framework's *_forms.cc and a case in that file's test with
// the literal text. Next: torch_forms.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "memory/oom_text.h"

namespace gpusight::memory {

// What a reader gets: the words of the message from the form's anchor on, further lines joined to
// it by blanks, runs of blanks as one; and what stands before the anchor in its line.
struct FormInput {
  std::string_view text;
  std::string_view before;
  Framework around = Framework::kOther;  // whose code the traceback above went through
  int lines = 1;                         // of which the text was joined
  std::string_view backend = {};         // the form's
};

enum class FormResult : uint8_t {
  kNo,    // the anchor's words stand there for another reason
  kMore,  // it is one, but further lines may add to it
  kDone,  // it is one and complete
};

struct Form {
  std::string_view anchor;  // lower case
  int lines = 1;            // most that the message may take, with the anchor's
  // Fills `out` (fresh each time) and says in `used` how many bytes of the text belong to it.
  FormResult (*read)(const FormInput& input, OomText& out, size_t& used);
  std::string_view backend = {};  // whose message it is, for readers of several forms
};

[[nodiscard]] std::span<const Form> TorchForms();
[[nodiscard]] std::span<const Form> PaddleForms();
[[nodiscard]] std::span<const Form> JaxForms();
[[nodiscard]] std::span<const Form> TensorFlowForms();
[[nodiscard]] std::span<const Form> PoolForms();
[[nodiscard]] std::span<const Form> CudaForms();
[[nodiscard]] std::span<const Form> HostForms();
[[nodiscard]] std::span<const Form> KillForms();

}  // namespace gpusight::memory
