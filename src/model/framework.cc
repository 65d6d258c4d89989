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

void FrameworkSample::ForgetNews() {
  steps.clear();
  stack_samples.clear();
  stacks.clear();
  marks.clear();
  out_of_memory.clear();
  lost = 0;
}

}  // namespace gpusight
