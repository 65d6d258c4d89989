// SPDX-License-Identifier: Apache-2.0
// Messages below the frameworks: calls to the CUDA and HIP runtime, libraries that want a
// workspace, NCCL's buffers. They say little; what they have in common is that the memory was to
// come from the driver and not from a framework's cache. Next: host_forms.cc.
#include <algorithm>

#include "base/text.h"
#include "memory/cursor.h"
#include "memory/form.h"

namespace gpusight::memory {
namespace {

FormResult ReadDriver(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kDriverCall;
  out.framework = input.around;
  out.backend = input.backend;
  constexpr size_t kWord = 48;
  used = std::min(input.text.size(), kWord);
  // "allocating 1234.00 MiB on device 0: cudaMalloc failed: out of memory" (llama.cpp)
  Cursor c(input.before);
  if (auto size = c.SizeAfter("allocating ")) {
    out.requested = size;
    if (auto device = c.WholeAfter("on device ", 4)) {
      out.device = static_cast<int>(std::min<uint64_t>(*device, 1 << 20));
    }
  }
  return FormResult::kDone;
}

// "cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/generic/THCStorage.cu:58"
FormResult ReadOldCall(const FormInput& input, OomText& out, size_t& used) {
  if (input.text.substr(0, 48).find("out of memory") == std::string_view::npos) {
    return FormResult::kNo;
  }
  return ReadDriver(input, out, used);
}

FormResult ReadLibrary(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kLibrary;
  out.framework = input.around;
  out.backend = input.backend;
  used = std::min<size_t>(input.text.size(), 64);
  return FormResult::kDone;
}

// "[2]" in "gpu2-ru7:2144:2556 [2] misc/… NCCL WARN": the device of that rank's process.
void TakeNcclDevice(std::string_view before, OomText& out) {
  const size_t open = before.rfind('[');
  if (open == std::string_view::npos) return;
  Cursor c(before.substr(open + 1));
  const auto device = c.Whole();
  if (device && c.Skip("]")) out.device = static_cast<int>(std::min<uint64_t>(*device, 1 << 20));
}

// "NCCL WARN Failed to CUDA calloc 536870912 bytes", "… calloc async 2432 bytes"
FormResult ReadNccl(const FormInput& input, OomText& out, size_t& used) {
  out.form = OomForm::kCollective;
  out.framework = input.around;
  out.backend = input.backend;
  Cursor c(input.text);
  if (c.Skip("Failed to CUDA host alloc")) out.form = OomForm::kHostAllocator;
  if (c.Find("alloc", 24)) {
    c.Skip(" async");
    out.requested = c.Size();
  }
  used = std::max<size_t>(c.consumed(), 21);
  TakeNcclDevice(input.before, out);
  return FormResult::kDone;
}

// "NCCL WARN Cuda failure 2 'out of memory'"
FormResult ReadNcclFailure(const FormInput& input, OomText& out, size_t& used) {
  const size_t at = input.text.substr(0, 40).find("'out of memory'");
  if (at == std::string_view::npos) return FormResult::kNo;
  out.form = OomForm::kCollective;
  out.framework = input.around;
  out.backend = input.backend;
  used = at + 15;
  TakeNcclDevice(input.before, out);
  return FormResult::kDone;
}

constexpr Form kForms[] = {
    {"cuda error: out of memory", 1, ReadDriver, "CUDA"},
    {"cuda driver error: out of memory", 1, ReadDriver, "CUDA"},
    {"cuda runtime error", 1, ReadOldCall, "CUDA"},
    {"cudaerrormemoryallocation", 1, ReadDriver, "CUDA"},
    {"cuda_error_out_of_memory", 1, ReadDriver, "CUDA"},
    {"cudamalloc failed: out of memory", 1, ReadDriver, "CUDA"},
    {"hip error: out of memory", 1, ReadDriver, "HIP"},
    {"hiperroroutofmemory", 1, ReadDriver, "HIP"},
    {"hsa_status_error_out_of_resources", 1, ReadDriver, "HIP"},
    {"cublas_status_alloc_failed", 1, ReadLibrary, "cuBLAS"},
    {"cudnn_status_alloc_failed", 1, ReadLibrary, "cuDNN"},
    {"cudnn_status_internal_error_device_allocation_failed", 1, ReadLibrary, "cuDNN"},
    {"cusolver_status_alloc_failed", 1, ReadLibrary, "cuSOLVER"},
    {"cusparse_status_alloc_failed", 1, ReadLibrary, "cuSPARSE"},
    {"cusparse_status_insufficient_resources", 1, ReadLibrary, "cuSPARSE"},
    {"cufft_alloc_failed", 1, ReadLibrary, "cuFFT"},
    {"curand_status_allocation_failed", 1, ReadLibrary, "cuRAND"},
    {"rocblas_status_memory_error", 1, ReadLibrary, "rocBLAS"},
    {"hipblas_status_alloc_failed", 1, ReadLibrary, "rocBLAS"},
    {"miopenstatusallocfailed", 1, ReadLibrary, "MIOpen"},
    {"failed to cuda calloc", 1, ReadNccl, "NCCL"},
    {"failed to cuda malloc", 1, ReadNccl, "NCCL"},
    {"failed to cuda host alloc", 1, ReadNccl, "NCCL"},
    {"cuda failure", 1, ReadNcclFailure, "NCCL"},
};

}  // namespace

std::span<const Form> CudaForms() { return kForms; }

}  // namespace gpusight::memory
