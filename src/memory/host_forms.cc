// SPDX-License-Identifier: Apache-2.0
// Messages about host memory and /dev/shm from inside a program: an allocation that failed, a data
// loader's worker that was killed, a shared-memory file for which there was no room. Who else kills
// for memory: kill_forms.cc.
#include <algorithm>

#include "base/text.h"
#include "memory/cursor.h"
#include "memory/form.h"

namespace gpusight::memory {
namespace {

void Begin(const FormInput& input, OomForm form, std::string_view backend, OomText& out) {
  out.form = form;
  out.framework = input.around;
  out.backend = backend;
}

// "DefaultCPUAllocator: can't allocate memory: you tried to allocate 4000 bytes. Error code 12
// (Cannot allocate memory)", "… not enough memory: you tried to allocate 4000 bytes."
FormResult ReadTorchCpu(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kHostAllocator, "CPU", out);
  out.framework = Framework::kPyTorch;
  Cursor c(input.text);
  if (!c.Ahead("memory", 40)) return FormResult::kNo;
  out.requested = c.SizeAfter("tried to allocate ", 64);
  used = std::max<size_t>(c.consumed(), 20);
  if (!out.requested) return FormResult::kMore;
  if (c.Find("(Cannot allocate memory)", 32)) used = c.consumed();
  return FormResult::kDone;
}

// "Unable to allocate 72.8 TiB for an array with shape (10000000000000,) and data type float64"
FormResult ReadNumpy(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kHostAllocator, "NumPy", out);
  Cursor c(input.text);
  const auto size = c.SizeAfter("nable to allocate ", 2);
  if (!size || !c.Find("for an array", 4)) return FormResult::kNo;
  out.requested = size;
  used = c.consumed();
  return FormResult::kDone;
}

FormResult ReadBadAlloc(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kHostAllocator, "C++", out);
  used = 14;
  return FormResult::kDone;
}

// Python's own. Paddle raises it too, with an empty line, a C++ traceback and then its own words.
FormResult ReadMemoryError(const FormInput& input, OomText& out, size_t& used) {
  constexpr size_t kWord = 11;
  used = std::min(input.text.size(), kWord);
  if (input.text.substr(0, kWord) != "MemoryError") return FormResult::kNo;
  const std::string_view before = Trim(input.before);
  if (!before.empty() && before.back() != ':') return FormResult::kNo;  // OutOfMemoryError, prose
  const std::string_view behind = input.text.substr(used);
  if (!behind.empty() && behind.front() != ':' && behind.front() != ' ') return FormResult::kNo;
  if (behind.find("C++ Traceback") < 200 || behind.starts_with(": (ResourceExhausted)")) {
    return FormResult::kNo;
  }
  const bool bare = Trim(behind).empty() || Trim(behind) == ":";
  if (!bare && behind.front() != ':' && input.lines <= 1) return FormResult::kNo;
  Begin(input, OomForm::kHostAllocator, "Python", out);
  return bare || input.lines > 1 ? FormResult::kMore : FormResult::kDone;
}

// ENOMEM. In "unable to mmap 1024 bytes from file </torch_…>: Cannot allocate memory (12)" too.
FormResult ReadEnomem(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kHostAllocator, "", out);
  used = std::min<size_t>(input.text.size(), 22);
  Cursor c(input.before);
  if (auto size = c.SizeAfter("unable to mmap ")) out.requested = size;
  return FormResult::kDone;
}

// "DataLoader worker (pid 812) is killed by signal: Killed. " or "… Bus error. It is possible that
// dataloader's workers are out of shared memory." Other signals are no matter of memory.
FormResult ReadWorker(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kWorkerKilled, "", out);
  out.framework = Framework::kPyTorch;
  Cursor c(input.text);
  if (!c.Find("DataLoader worker", 2)) return FormResult::kNo;
  if (const auto pid = c.WholeAfter("pid ", 8)) out.victim = *pid;
  if (!c.Find("killed by signal: ", 12)) return FormResult::kNo;
  const std::string_view signal = c.rest();
  if (signal.starts_with("Bus error")) {
    out.form = OomForm::kBusError;
    if (c.Find("out of shared memory", 80)) c.Find("limit.", 64);
  } else if (!signal.starts_with("Killed")) {
    return FormResult::kNo;
  }
  used = c.consumed() + 6;
  return FormResult::kDone;
}

// Paddle's like, whose words come in a strange order: the arguments of its text are mixed up. The
// signal stands last: "… exited is killed by signal: 812. It may be caused by insufficient shared
// storage space. … Bus error (at …)".
FormResult ReadPaddleWorker(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kWorkerKilled, "", out);
  out.framework = Framework::kPaddle;
  Cursor c(input.text);
  if (!c.Find("killed by signal: ", 24)) return FormResult::kNo;
  used = c.consumed();
  if (const auto pid = c.Whole()) out.victim = *pid;
  if (c.Find("Bus error", 900)) {
    out.form = OomForm::kBusError;
    used = c.consumed();
    return FormResult::kDone;
  }
  if (c.Find("Killed", 900)) {
    used = c.consumed();
    return FormResult::kDone;
  }
  return FormResult::kMore;
}

// "Unexpected bus error encountered in worker. This might be caused by insufficient shared memory"
FormResult ReadBus(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kBusError, "", out);
  const bool paddle =
      input.text.find("use_shared_memory") < 300 || input.text.find("in DataLoader worker") < 80;
  out.framework = paddle ? Framework::kPaddle : Framework::kPyTorch;
  Cursor c(input.text);
  c.Find("encountered in", 32);
  used = std::max<size_t>(c.consumed(), 20);
  if (c.Find("shared memory", 120)) used = c.consumed();
  return FormResult::kDone;
}

// A shell's: "Bus error (core dumped) python train.py"
FormResult ReadShellBus(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kBusError, "", out);
  used = std::min<size_t>(input.text.size(), 23);
  return FormResult::kDone;
}

// "unable to write to file </torch_812_1>: No space left on device (28)", "unable to allocate
// shared memory(shm) for file </torch_…>", "unable to resize file </torch_…> to the right size"
FormResult ReadTorchFile(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kSharedMemory, "", out);
  out.framework = Framework::kPyTorch;
  if (input.text.substr(0, 80).find("</torch_") == std::string_view::npos) return FormResult::kNo;
  Cursor c(input.text);
  c.Find(">", 120);
  used = c.consumed();
  return FormResult::kDone;
}

// "NCCL WARN Error: failed to extend /dev/shm/nccl-WU88OE to 9637892 bytes, error: No space left on
// device (28)"; "NCCL WARN Call to posix_fallocate failed : No space left on device"
FormResult ReadNcclFile(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kSharedMemory, "NCCL", out);
  Cursor c(input.text);
  c.Find("nccl-", 32);
  out.requested = c.SizeAfter(" to ", 32);
  used = std::max<size_t>(c.consumed(), 26);
  if (c.Find("No space left on device", 24)) used = c.consumed();
  return FormResult::kDone;
}
FormResult ReadNcclFallocate(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kSharedMemory, "NCCL", out);
  Cursor c(input.text);
  if (!c.Find("No space left on device", 40)) return FormResult::kNo;
  used = c.consumed();
  return FormResult::kDone;
}
// "OSError: [Errno 28] No space left on device: '/dev/shm/psm_…'": other disks are no memory.
FormResult ReadNoSpace(const FormInput& input, OomText& out, size_t& used) {
  Begin(input, OomForm::kSharedMemory, "", out);
  const bool shm = input.text.substr(0, 80).find("/dev/shm") != std::string_view::npos ||
                   input.before.find("/dev/shm") != std::string_view::npos;
  if (!shm) return FormResult::kNo;
  Cursor c(input.text);
  c.Find("/dev/shm", 80);
  used = std::max<size_t>(c.consumed(), 23);
  return FormResult::kDone;
}

constexpr Form kForms[] = {
    {"defaultcpuallocator: ", 2, ReadTorchCpu},
    {"unable to allocate ", 1, ReadNumpy},
    {"std::bad_alloc", 1, ReadBadAlloc},
    {"memoryerror", 6, ReadMemoryError},
    {"cannot allocate memory", 1, ReadEnomem},
    {"dataloader worker (pid ", 2, ReadWorker},
    {"exited is killed by signal: ", 8, ReadPaddleWorker},
    {"unexpected bus error encountered in", 1, ReadBus},
    {"bus error (core dumped)", 1, ReadShellBus},
    {"unable to write to file <", 1, ReadTorchFile},
    {"unable to allocate shared memory(shm) for file <", 1, ReadTorchFile},
    {"unable to resize file <", 1, ReadTorchFile},
    {"failed to extend /dev/shm/", 1, ReadNcclFile},
    {"call to posix_fallocate failed", 1, ReadNcclFallocate},
    {"no space left on device", 1, ReadNoSpace},
};

}  // namespace

std::span<const Form> HostForms() { return kForms; }

}  // namespace gpusight::memory
