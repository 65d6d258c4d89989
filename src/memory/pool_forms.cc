// SPDX-License-Identifier: Apache-2.0
// The memory pool below XLA and TensorFlow (the "BFC allocator"): that it is exhausted, that the
// driver gave it no more, and the figures in its dump, which stand thousands of lines below.
// Next: cuda_forms.cc.
#include <algorithm>

#include "base/text.h"
#include "memory/cursor.h"
#include "memory/form.h"

namespace gpusight::memory {
namespace {

// The number in "GPU_0_bfc".
void TakePool(std::string_view text, OomText& out) {
  Cursor c(text);
  if (!c.Find("GPU_", 64)) {
    out.on_host = c.Ahead("cpu", 16);
    return;
  }
  if (const auto device = c.Whole()) {
    out.device = static_cast<int>(std::min<uint64_t>(*device, 1 << 20));
  }
}

void Begin(const FormInput& input, OomForm form, OomText& out) {
  out.form = form;
  out.framework = input.around;
  if (out.framework == Framework::kOther && input.before.find("tensorflow/") < 64 &&
      input.before.find("external/") == std::string_view::npos) {
    out.framework = Framework::kTensorFlow;
  }
}

// "Allocator (GPU_0_bfc) ran out of memory trying to allocate 24.00GiB (rounded to 25769803776)
// requested by op". With "The caller indicates that this is not a failure" it is none.
FormResult ReadRanOut(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kPool, out);
  Cursor c(input.text);
  const auto size = c.SizeAfter("trying to allocate ", 24);
  if (!size) return FormResult::kNo;
  out.requested = size;
  used = c.consumed();
  TakePool(input.before.substr(input.before.size() - std::min<size_t>(input.before.size(), 48)),
           out);
  if (c.Ahead("this is not a failure", 200)) return FormResult::kNo;
  if (auto exact = c.WholeAfter("(rounded to ", 4)) {
    const Amount rounded{static_cast<double>(*exact), 0};
    // The pool rounds up to 256 bytes; the text gave two decimals.
    out.requested = Amount{rounded.bytes, 256};
    used = c.consumed();
  }
  return FormResult::kDone;
}

// "failed to allocate 23.68G (25426067456 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of
// memory"
FormResult ReadGrowth(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kPoolGrowth, out);
  Cursor c(input.text);
  const auto rough = c.SizeAfter("ailed to allocate ", 2);
  if (!rough) return FormResult::kNo;
  out.requested = rough;
  if (auto exact = c.WholeAfter("(", 2)) out.requested = Amount{static_cast<double>(*exact), 0};
  if (!c.Find("from device", 24)) return FormResult::kNo;
  used = c.consumed();
  if (c.Find("OUT_OF_MEMORY", 64)) used = c.consumed();
  if (c.Skip(": out of memory")) used = c.consumed();
  return FormResult::kDone;
}

// "Stats: Limit: 31868977152 InUse: 31000000000 MaxInUse: … NumAllocs: … MaxAllocSize: … Reserved:
// 0 PeakReserved: 0 LargestFreeBlock: 0", one a line.
FormResult ReadStats(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kPool, out);
  Cursor c(input.text);
  if (auto limit = c.SizeAfter("Limit:", 12, true)) out.pool_limit = limit;
  if (auto in_use = c.SizeAfter("InUse:", 12, true)) out.allocated = in_use;
  if (!out.pool_limit || !out.allocated) {
    used = c.consumed();
    return FormResult::kMore;
  }
  Cursor ahead = c;
  // Older ones end at MaxAllocSize, and then nothing is known of the pieces.
  if (auto largest = ahead.SizeAfter("LargestFreeBlock:", 200, true)) {
    out.largest_free = largest;
    c = ahead;
  }
  used = c.consumed();
  return out.largest_free ? FormResult::kDone : FormResult::kMore;
}

// "total_region_allocated_bytes_: 10619240448 memory_limit_: 10619240448 available bytes: 0"
FormResult ReadRegions(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kPool, out);
  Cursor c(input.text);
  const auto reserved = c.SizeAfter("total_region_allocated_bytes_:", 4, true);
  if (!reserved) return FormResult::kNo;
  out.reserved = reserved;
  if (auto limit = c.SizeAfter("memory_limit_:", 4, true)) out.pool_limit = limit;
  used = c.consumed();
  return FormResult::kDone;
}

constexpr Form kForms[] = {
    {"ran out of memory trying to allocate ", 2, ReadRanOut},
    {"failed to allocate ", 2, ReadGrowth},
    {"] stats:", 16, ReadStats},
    {"total_region_allocated_bytes_:", 1, ReadRegions},
};

}  // namespace

std::span<const Form> PoolForms() { return kForms; }

}  // namespace gpusight::memory
