// SPDX-License-Identifier: Apache-2.0
// XLA's messages, as JAX and compiled TensorFlow show them: RESOURCE_EXHAUSTED with the request,
// the needs of the compiled program and its largest buffers. The memory pool below: pool_forms.cc.
// Next: tensorflow_forms.cc.
#include <algorithm>

#include "base/text.h"
#include "memory/cursor.h"
#include "memory/form.h"

namespace gpusight::memory {
namespace {

constexpr size_t kMostBuffers = 16;

// "Buffer 1: Size: 6.00MiB Operator: op_name="…" … XLA Label: fusion Shape: f32[4096,128,3] ====="
void ReadBuffers(Cursor& c, OomText& out) {
  Cursor ahead = c;
  if (!ahead.Find("eak buffers:", 4096) && !ahead.Find("argest program allocations", 4096)) return;
  while (out.buffers.size() < kMostBuffers && ahead.Find("Buffer ", 400)) {
    const auto size = ahead.SizeAfter("Size: ", 16);
    if (!size) continue;
    OomBuffer buffer{*size, {}};
    Cursor inside = ahead;
    if (inside.Find("op_name=\"", 64)) buffer.what = Capped(inside.Until("\"", 200), 200);
    inside = ahead;
    if (inside.Find("hape: ", 3000)) {
      const std::string_view shape = inside.Until(" ", 80);
      buffer.what =
          buffer.what.empty() ? std::string(shape) : std::string(shape) + " " + buffer.what;
    }
    out.buffers.push_back(std::move(buffer));
    c = ahead;
  }
}

// "BufferAssignment stats: parameter allocation: 6.00MiB … total allocation: 12.00MiB"
void ReadProgram(Cursor& c, OomText& out) {
  Cursor ahead = c;
  if (!ahead.Find("BufferAssignment stats:", 300)) return;
  if (auto total = ahead.SizeAfter("total allocation: ", 600)) {
    out.program = total;
    c = ahead;
  }
}

FormResult ReadXla(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kXla;
  out.framework = input.around == Framework::kTensorFlow ? Framework::kTensorFlow : Framework::kJax;
  Cursor c(input.text);
  if (!c.Skip("RESOURCE_EXHAUSTED:") && !c.Skip("Resource exhausted:")) return FormResult::kNo;
  c.Skip(" ");
  Cursor head = c;
  constexpr size_t kNear = 160;
  // "Out of memory while trying to allocate 111289565184 bytes.", "… allocating 4000000 bytes."
  if (auto size = head.SizeAfter("ut of memory while trying to allocate ", kNear)) {
    out.requested = size;
  } else if (auto plain = head.SizeAfter("ut of memory allocating ", kNear)) {
    out.requested = plain;
    out.on_host = true;  // the words of the CPU client
  } else if (auto request = head.SizeAfter("ailed to allocate request for ", kNear)) {
    // "… 1.40GiB (1499136000B) on device ordinal 0"
    out.requested = request;
    if (auto exact = head.SizeAfter("(", 2)) out.requested = exact;
    if (auto device = head.WholeAfter("device ordinal ", 8)) {
      out.device = static_cast<int>(std::min<uint64_t>(*device, 1 << 20));
    }
  } else if (head.Find("an out of memory in memory space ", kNear)) {
    // "… hbm. Used 20.27G of 15.48G hbm. Exceeded hbm capacity by 4.78G."
    out.backend = Trim(head.Until(".", 16));
    if (auto need = head.SizeAfter("Used ", 8)) out.program = need;
    if (auto all = head.SizeAfter(" of ", 2)) out.capacity = all;
  } else {
    return FormResult::kNo;  // quotas of some service have the same head
  }
  c = head;
  used = c.consumed();
  Cursor more = c;
  ReadProgram(more, out);
  ReadBuffers(more, out);
  used = std::max(used, more.consumed());
  return out.buffers.size() >= kMostBuffers ? FormResult::kDone : FormResult::kMore;
}

constexpr Form kForms[] = {
    {"resource_exhausted:", 160, ReadXla},
    {"resource exhausted:", 160, ReadXla},
};

}  // namespace

std::span<const Form> JaxForms() { return kForms; }

}  // namespace gpusight::memory
