// SPDX-License-Identifier: Apache-2.0
// Paddle's messages, from 1.3 to today. Its "memory has been allocated" is total - free of the
// device, so of all processes on it, unless a limit is set: then both numbers are this process's.
// Next: jax_forms.cc.
#include <algorithm>

#include "base/text.h"
#include "memory/cursor.h"
#include "memory/form.h"

namespace gpusight::memory {
namespace {

void TakeDevice(Cursor& c, OomText& out) {
  if (const auto device = c.Whole()) {
    out.device = static_cast<int>(std::min<uint64_t>(*device, 1 << 20));
  }
}

// "Out of memory error on GPU 0. Cannot allocate 3.62GB memory on GPU 0, 21.18GB memory has been
// allocated and available memory is only 2.81GB.", advice in some lines, and with a limit
// "Currently `FLAGS_gpu_memory_limit_mb` is 4096, so the maximum GPU memory usage is limited to
// 4096 MB." Custom devices write "npu:0" for "GPU 0"; another form gives the total and no request.
FormResult ReadDevice(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kPaddle;
  out.framework = Framework::kPaddle;
  Cursor c(input.text);
  if (!c.Find("error on ", 16)) return FormResult::kNo;
  out.backend = Trim(c.Until(" :.", 24));
  c.Skip(" ");
  c.Skip(":");
  if (c.Skip("Virtual Memory ")) out.hints.emplace_back("FLAGS_use_virtual_memory_auto_growth");
  TakeDevice(c, out);
  used = c.consumed();
  if (auto size = c.SizeAfter("annot allocate ", 24)) {
    out.requested = size;
    c.Find("memory on ", 4);
    c.Find(",", 48);
  }
  if (auto size = c.SizeAfter("total memory is ", 16)) out.capacity = size;
  if (auto size = c.SizeAfter("used memory is ", 16)) out.device_used = size;
  Cursor counted = c;
  if (auto size = counted.Size(); size && counted.Skip(" memory has been allocated")) {
    out.device_used = size;
    c = counted;
  }
  if (auto size = c.SizeAfter("available memory is only ", 40)) out.free = size;
  used = std::max(used, c.consumed());
  if (!out.requested && !out.capacity) return FormResult::kMore;
  Cursor limit = c;
  if (limit.Find("FLAGS_gpu_memory_limit_mb` is ", 1200)) {
    if (const auto mib = limit.Whole()) {
      out.limit = Amount{static_cast<double>(*mib) * 1048576, 0};
      out.hints.emplace_back("FLAGS_gpu_memory_limit_mb");
      c = limit;
    }
  } else if (limit.Find("FLAGS_fraction_of_gpu_memory_to_use is ", 1200)) {
    out.hints.emplace_back("FLAGS_fraction_of_gpu_memory_to_use");
    c = limit;
  }
  used = std::max(used, c.consumed());
  // Both are of the device, and of nothing else.
  if (!out.limit && !out.capacity && out.device_used && out.free) {
    out.capacity =
        Amount{out.device_used->bytes + out.free->bytes, out.device_used->error + out.free->error};
  }
  return out.limit || !out.free ? FormResult::kDone : FormResult::kMore;
}

// "Cannot allocate 196.0MB in GPU 0, available 1.2GB, total 11.1GB, GpuMinChunkSize 256.0B,
// GpuMaxChunkSize 9.7GB, GPU memory used: 9.9GB." The oldest spread it over lines, and gave the
// total as a bare number: "total 11996954624".
FormResult ReadBuddy(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kPaddle;
  out.framework = Framework::kPaddle;
  Cursor c(input.text);
  if (!c.Find("annot allocate ", 2)) return FormResult::kNo;
  const auto size = c.Size();
  if (!size || !c.Skip(" in ")) return FormResult::kNo;  // "… memory on" is ReadDevice()'s
  out.requested = size;
  out.backend = Trim(c.Until(" :", 16));
  c.Skip(" ");
  c.Skip(":");
  TakeDevice(c, out);
  used = c.consumed();
  if (auto free = c.SizeAfter("available ", 8)) out.free = free;
  if (auto total = c.SizeAfter("total ", 80, true)) out.capacity = total;
  used = std::max(used, c.consumed());
  if (auto all = c.SizeAfter("memory used: ", 240)) {
    out.device_used = all;
  } else if (auto all_too = c.SizeAfter(", used ", 4)) {
    out.device_used = all_too;
  }
  used = std::max(used, c.consumed());
  if (!out.free) return FormResult::kNo;
  return out.device_used ? FormResult::kDone : FormResult::kMore;
}

// "Cannot malloc 49.0002 MB GPU memory. Please shrink FLAGS_fraction_of_gpu_memory_to_use …"
FormResult ReadMalloc(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kPaddle;
  out.framework = Framework::kPaddle;
  out.backend = "GPU";
  Cursor c(input.text);
  if (!c.Find("annot malloc ", 2)) return FormResult::kNo;
  const auto size = c.Size();
  if (!size || !c.Skip(" GPU memory")) return FormResult::kNo;
  out.requested = size;
  used = c.consumed();
  if (c.Find("FLAGS_fraction_of_gpu_memory_to_use", 96)) {
    out.hints.emplace_back("FLAGS_fraction_of_gpu_memory_to_use");
    used = c.consumed();
  }
  return FormResult::kDone;
}

// "MemoryError: (ResourceExhausted) Fail to alloc memory of 40000000000000 size, error code is 12."
FormResult ReadCpu(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kHostAllocator;
  out.framework = Framework::kPaddle;
  out.backend = "CPU";
  Cursor c(input.text);
  const auto size = c.WholeAfter("ail to alloc memory of ", 2);
  if (!size) return FormResult::kNo;
  out.requested = Amount{static_cast<double>(*size), 0};
  used = c.consumed();
  if (c.Find("error code is 12", 32)) used = c.consumed();
  return FormResult::kDone;
}

constexpr Form kForms[] = {
    {"out of memory error on ", 24, ReadDevice},
    {"cannot allocate ", 12, ReadBuddy},
    {"cannot malloc ", 3, ReadMalloc},
    {"fail to alloc memory of ", 2, ReadCpu},
};

}  // namespace

std::span<const Form> PaddleForms() { return kForms; }

}  // namespace gpusight::memory
