// SPDX-License-Identifier: Apache-2.0
// TensorFlow's messages: an operator got no memory for a tensor whose shape and type it names. The
// memory pool below: pool_forms.cc. Next: pool_forms.cc.
#include <algorithm>

#include "base/text.h"
#include "memory/cursor.h"
#include "memory/form.h"

namespace gpusight::memory {
namespace {

// Bytes of one element; 0 for a type that is not known.
double ElementSize(std::string_view type) {
  struct Row {
    std::string_view name;
    double bytes;
  };
  constexpr Row kRows[] = {{"float", 4},      {"double", 8}, {"half", 2},   {"bfloat16", 2},
                           {"int64", 8},      {"int32", 4},  {"int16", 2},  {"int8", 1},
                           {"uint8", 1},      {"uint16", 2}, {"uint32", 4}, {"uint64", 8},
                           {"bool", 1},       {"qint8", 1},  {"quint8", 1}, {"complex64", 8},
                           {"complex128", 16}};
  for (const Row& row : kRows) {
    if (row.name == type) return row.bytes;
  }
  return 0;
}

// "/job:localhost/replica:0/task:0/device:GPU:2 by allocator GPU_2_bfc"
void TakeDevice(Cursor& c, OomText& out) {
  if (const auto device = c.WholeAfter("device:GPU:", 120)) {
    out.device = static_cast<int>(std::min<uint64_t>(*device, 1 << 20));
  } else if (c.Find("device:CPU:", 120)) {
    out.on_host = true;
  }
  if (c.Find("by allocator ", 24)) c.Until(" [\n", 48);
}

// "OOM when allocating tensor with shape[16,12,512,512] and type float on /job:…"
FormResult ReadTensor(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kTensorFlow;
  out.framework = Framework::kTensorFlow;
  Cursor c(input.text);
  if (!c.Find("with shape", 32)) return FormResult::kNo;
  c.Skip(" ");
  if (!c.Skip("[")) return FormResult::kNo;
  double bytes = 1;
  constexpr size_t kMostDimensions = 32;
  for (size_t i = 0; i < kMostDimensions; ++i) {
    const auto dimension = c.Whole();
    if (!dimension) break;
    bytes *= static_cast<double>(*dimension);
    if (!c.Skip(",")) break;
  }
  if (!c.Skip("]")) return FormResult::kMore;
  used = c.consumed();
  if (c.Find("and type ", 8)) {
    const double element = ElementSize(c.Until(" ,.[", 16));
    if (element > 0) out.requested = Amount{bytes * element, 0};
  }
  TakeDevice(c, out);
  used = std::max(used, c.consumed());
  return FormResult::kDone;
}

// "ResourceExhaustedError: … failed to allocate memory [Op:AddV2]"
FormResult ReadOp(const FormInput&, OomText& out, size_t& used) {
  out.form = OomForm::kTensorFlow;
  out.framework = Framework::kTensorFlow;
  used = std::string_view("failed to allocate memory").size();
  return FormResult::kDone;
}

constexpr Form kForms[] = {
    {"oom when allocating tensor ", 4, ReadTensor},
    {"failed to allocate memory [op:", 1, ReadOp},
};

}  // namespace

std::span<const Form> TensorFlowForms() { return kForms; }

}  // namespace gpusight::memory
