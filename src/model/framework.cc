// SPDX-License-Identifier: Apache-2.0
#include "model/framework.h"

namespace gpusight {

const char* FrameworkName(Framework framework) {
  switch (framework) {
    case Framework::kPyTorch:
      return "PyTorch";
    case Framework::kPaddle:
      return "PaddlePaddle";
    case Framework::kJax:
      return "JAX";
    case Framework::kTensorFlow:
      return "TensorFlow";
    case Framework::kOther:
      break;
  }
  return "";
}

std::string_view MarkName(MarkType type) {
  switch (type) {
    case MarkType::kPhase:
      return "phase";
    case MarkType::kCheckpoint:
      return "checkpoint";
    case MarkType::kException:
      return "exception";
    case MarkType::kMetric:
      return "metric";
    case MarkType::kNote:
      break;
  }
  return "note";
}

void FrameworkSample::ForgetNews() {
  steps.clear();
  stack_samples.clear();
  stacks.clear();
  marks.clear();
  out_of_memory.clear();
  lost = 0;
}

}  // namespace gpusight
