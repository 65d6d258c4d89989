// SPDX-License-Identifier: Apache-2.0
// PyTorch's messages, from 1.0 to today: the caching allocator of every backend, cudaMallocAsync,
// and Apple's. What their numbers mean: the comments here. Next: cuda_forms.cc.
#include <algorithm>

#include "base/text.h"
#include "memory/cursor.h"
#include "memory/form.h"

namespace gpusight::memory {
namespace {

// The word before " out of memory": CUDA, HIP, XPU, NPU, MTIA, …
std::string_view BackendOf(std::string_view before) {
  before = Trim(before);
  size_t begin = before.size();
  while (begin > 0 && ((before[begin - 1] >= 'A' && before[begin - 1] <= 'Z') ||
                       (before[begin - 1] >= '0' && before[begin - 1] <= '9'))) {
    --begin;
  }
  return before.substr(begin);
}

// "CUDA out of memory." without a number counts only as an exception's message.
bool IsException(std::string_view before, std::string_view backend) {
  before = Trim(before);
  before = Trim(before.substr(0, before.size() - backend.size()));
  return before.empty() || before.ends_with("Error:") || before.ends_with("Error('") ||
         before.ends_with("Error(\"") || before.ends_with("what():");
}

void DropImplausible(std::optional<Amount>& amount) {
  if (amount && amount->bytes > kMostBytes) amount.reset();
}

// "(GPU 0; 23.65 GiB total capacity; 1.06 GiB already allocated; 10.26 GiB free; [20.00 GiB
// allowed; ]12.53 GiB reserved in total by PyTorch)"; before 1.4 it ended in "4.68 MiB cached)",
// which did not count what is allocated.
bool ReadShort(Cursor& c, OomText& out) {
  const std::string_view word = c.Until(" ", 12);
  if (word.empty() || !c.Skip(" ")) return false;
  const auto device = c.Whole();
  if (!device || !c.Skip("; ")) return false;
  out.device = static_cast<int>(std::min<uint64_t>(*device, 1 << 20));
  constexpr size_t kMostParts = 8;
  for (size_t i = 0; i < kMostParts; ++i) {
    const auto size = c.Size();
    if (!size) break;
    const std::string_view what = Trim(c.Until(";)", 48));
    if (what == "total capacity") out.capacity = size;
    if (what == "already allocated") out.allocated = size;
    if (what == "free") out.free = size;
    if (what == "allowed") out.limit = size;
    if (what == "reserved in total by PyTorch") out.reserved = size;
    if (what == "cached") out.cached = size;
    if (c.Skip(")")) return true;
    if (!c.Skip("; ") && !c.Skip(";")) break;
  }
  return false;
}

// "Process 812 has 1.00 GiB memory in use. " as often as it comes, with "Including non-PyTorch
// memory, this process has … memory in use. " among them. Processes of another PID namespace have
// numbers that mean nothing here; inside a container this one may stand among them.
void ReadProcesses(Cursor& c, OomText& out) {
  constexpr size_t kNear = 96;  // a wrapped line, a label
  constexpr size_t kMost = 64;
  while (true) {
    Cursor other = c, own = c;
    const bool has_other = other.Find("Process ", kNear);
    const bool has_own = own.Find("this process has ", kNear);
    if (has_own && (!has_other || own.consumed() < other.consumed())) {
      const auto size = own.Size();
      if (!size || !own.Find("in use.", 24)) return;
      out.process = size;
      c = own;
      continue;
    }
    if (!has_other) return;
    const auto pid = other.Whole();
    const auto size = pid ? other.SizeAfter("has ", 8) : std::nullopt;
    if (!size || !other.Find("in use.", 24)) return;
    if (size->bytes <= kMostBytes && out.processes.size() < kMost) {
      out.processes.push_back({*pid, *size});
    }
    c = other;
  }
}

// ". GPU 0 has a total capacity of 79.15 GiB of which 1.08 GiB is free. [processes …]Of the
// allocated memory 76.00 GiB is allocated by PyTorch, [with 1.00 GiB allocated in private pools
// (e.g., CUDA Graphs), ]and 1.83 GiB is reserved by PyTorch but unallocated." (2.1 wrote
// "capacty".) It is printed after the cache was flushed, so that what is unallocated cannot be
// given back; reserved is the sum of both.
bool ReadLong(Cursor& c, OomText& out) {
  Cursor head = c;
  const auto device = head.WholeAfter("GPU ", 16);
  if (!device || !head.Find("has a total capac", 8) || !head.Find("ty of ", 4)) return false;
  out.device = static_cast<int>(std::min<uint64_t>(*device, 1 << 20));
  out.capacity = head.Size();
  if (auto free = head.SizeAfter("of which ", 8)) {
    out.free = free;
    head.Find("is free.", 4);
  }
  c = head;
  constexpr size_t kReach = 8192;  // behind a long list of processes
  ReadProcesses(c, out);
  Cursor tail = c;
  if (auto limit = tail.SizeAfter("", 0); limit && tail.Skip(" allowed;")) out.limit = limit;
  if (auto allocated = c.SizeAfter("Of the allocated memory ", kReach)) {
    out.allocated = allocated;
    c.Find("allocated by PyTorch", 8);
    if (auto pools = c.SizeAfter(", with ", 4)) {
      out.private_pools = pools;
      c.Find("private pools", 16);
    }
    Cursor rest = c;
    if (rest.Find("and ", 40)) {
      if (auto cached = rest.Size()) {
        out.cached = cached;
        c = rest;
        return c.Find("unallocated", 32);
      }
    }
  }
  return false;
}

// Behind the message PyTorch advises; that belongs to it, and would else be taken for a setting.
void SkipAdvice(Cursor& c) {
  Cursor ahead = c;
  for (const std::string_view end : {"#environment-variables)", "-pytorch-cuda-alloc-conf)",
                                     "Memory Management and PYTORCH_CUDA_ALLOC_CONF",
                                     "to avoid fragmentation.", "unoccupied cached memory."}) {
    if (ahead.Find(end, 400)) {
      c = ahead;
      return;
    }
  }
}

FormResult ReadTorch(const FormInput& input, OomText& out, size_t& used) {
  Cursor c(input.text);
  out.form = OomForm::kTorch;
  out.framework = Framework::kPyTorch;
  if (c.Skip("out of memory")) {
    const std::string_view backend = BackendOf(input.before);
    if (backend.empty()) return FormResult::kNo;
    out.backend = backend;
  }
  c.Skip(". ");
  if (!c.Skip("Tried to allocate ")) {
    used = c.consumed();
    const bool says_so = !out.backend.empty() && IsException(input.before, out.backend);
    return says_so ? FormResult::kDone : FormResult::kNo;
  }
  if (c.Skip("more than 1EB")) {
    out.requested = Amount{1152921504606846976.0, 0};  // at least: a size that went below zero
    used = c.consumed();
    return FormResult::kDone;
  }
  out.requested = c.Size();
  used = c.consumed();
  if (!out.requested) return FormResult::kMore;  // the line may end here
  bool whole = false;
  if (c.Skip(" (")) {
    whole = ReadShort(c, out);
  } else {
    whole = ReadLong(c, out);
  }
  if (out.backend.empty() && !out.capacity) return FormResult::kNo;
  if (out.backend.empty()) out.backend = "CUDA";  // the line before has the word
  DropImplausible(out.process);
  DropImplausible(out.limit);
  DropImplausible(out.free);
  if (out.allocated && out.cached && !out.reserved) {
    out.reserved =
        Amount{out.allocated->bytes + out.cached->bytes, out.allocated->error + out.cached->error};
  } else if (out.allocated && out.reserved && !out.cached) {
    out.cached = Amount{std::max(0.0, out.reserved->bytes - out.allocated->bytes),
                        out.reserved->error + out.allocated->error};
  }
  SkipAdvice(c);
  used = std::max(used, c.consumed());
  return whole ? FormResult::kDone : FormResult::kMore;
}

// "Allocation on device 0 would exceed allowed memory. (out of memory)", then one number a line.
FormResult ReadAsync(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kTorchAsync;
  out.framework = Framework::kPyTorch;
  out.backend = "cudaMallocAsync";
  Cursor c(input.text);
  if (const auto device = c.WholeAfter("llocation on device ", 4)) {
    out.device = static_cast<int>(std::min<uint64_t>(*device, 1 << 20));
  }
  if (!c.Find("exceed allowed memory", 32)) return FormResult::kNo;
  used = c.consumed();
  const auto field = [&c](std::string_view name, std::optional<Amount>& value) {
    Cursor ahead = c;
    if (!ahead.Find(name, 200) || !ahead.Find(":", 16)) return;
    if (auto size = ahead.Size()) {
      value = size;
      c = ahead;
    }
  };
  field("Currently allocated", out.allocated);
  field("Requested", out.requested);
  field("Device limit", out.capacity);
  field("Free (according to CUDA)", out.free);
  field("PyTorch limit (set by user-supplied memory fraction)", out.limit);
  used = std::max(used, c.consumed());
  const bool whole = out.limit.has_value();
  DropImplausible(out.limit);
  // Without a fraction the limit is the device, or the largest number there is.
  if (out.limit && out.capacity && out.limit->bytes >= out.capacity->bytes) out.limit.reset();
  return whole ? FormResult::kDone : FormResult::kMore;
}

// "MPS backend out of memory (MPS allocated: 7.64 GiB, other allocations: 1.00 GiB, max allowed:
// 9.07 GiB). Tried to allocate 1.00 GiB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0
// to disable upper limit for memory allocations (may cause system failure)."
FormResult ReadMps(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kTorchMps;
  out.framework = Framework::kPyTorch;
  out.backend = "MPS";
  Cursor c(input.text);
  if (!c.Skip("MPS backend out of memory")) return FormResult::kNo;
  if (auto size = c.SizeAfter("MPS allocated: ", 8)) out.allocated = size;
  if (auto size = c.SizeAfter("other allocations: ", 8)) out.other_allocations = size;
  if (auto size = c.SizeAfter("max allowed: ", 8)) out.limit = size;
  if (auto size = c.SizeAfter("Tried to allocate ", 8)) out.requested = size;
  DropImplausible(out.limit);
  used = c.consumed();
  if (c.Find("PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0", 64)) used = c.consumed();
  return out.requested || !out.allocated ? FormResult::kDone : FormResult::kMore;
}

FormResult ReadMpsBuffer(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kTorchMps;
  out.framework = Framework::kPyTorch;
  out.backend = "MPS";
  Cursor c(input.text);
  out.requested = c.SizeAfter("nvalid buffer size: ", 4);
  used = c.consumed();
  return out.requested ? FormResult::kDone : FormResult::kNo;
}

constexpr Form kForms[] = {
    {"mps backend out of memory", 4, ReadMps}, {"invalid buffer size: ", 1, ReadMpsBuffer},
    {"allocation on device ", 8, ReadAsync},   {"out of memory", 14, ReadTorch},
    {"tried to allocate ", 14, ReadTorch},
};

}  // namespace

std::span<const Form> TorchForms() { return kForms; }

}  // namespace gpusight::memory
