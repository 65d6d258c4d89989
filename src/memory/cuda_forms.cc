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

FormResult Driver(const FormInput& input, std::string_view backend, OomText& out, size_t& used) {
  out.form = OomForm::kDriverCall;
  out.framework = input.around;
  out.backend = backend;
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

FormResult ReadCudaCall(const FormInput& input, OomText& out, size_t& used) {
  return Driver(input, "CUDA", out, used);
}
FormResult ReadHipCall(const FormInput& input, OomText& out, size_t& used) {
  return Driver(input, "HIP", out, used);
}

// "cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/generic/THCStorage.cu:58"
FormResult ReadOldCall(const FormInput& input, OomText& out, size_t& used) {
  if (input.text.substr(0, 48).find("out of memory") == std::string_view::npos) {
    return FormResult::kNo;
  }
  return Driver(input, "CUDA", out, used);
}

FormResult Library(const FormInput& input, std::string_view name, OomText& out, size_t& used) {
  out.form = OomForm::kLibrary;
  out.framework = input.around;
  out.backend = name;
  used = std::min<size_t>(input.text.size(), 64);
  return FormResult::kDone;
}

FormResult ReadCublas(const FormInput& input, OomText& out, size_t& used) {
  return Library(input, "cuBLAS", out, used);
}
FormResult ReadCudnn(const FormInput& input, OomText& out, size_t& used) {
  return Library(input, "cuDNN", out, used);
}
FormResult ReadCusolver(const FormInput& input, OomText& out, size_t& used) {
  return Library(input, "cuSOLVER", out, used);
}
FormResult ReadCusparse(const FormInput& input, OomText& out, size_t& used) {
  return Library(input, "cuSPARSE", out, used);
}
FormResult ReadCufft(const FormInput& input, OomText& out, size_t& used) {
  return Library(input, "cuFFT", out, used);
}
FormResult ReadCurand(const FormInput& input, OomText& out, size_t& used) {
  return Library(input, "cuRAND", out, used);
}
FormResult ReadRocblas(const FormInput& input, OomText& out, size_t& used) {
  return Library(input, "rocBLAS", out, used);
}
FormResult ReadMiopen(const FormInput& input, OomText& out, size_t& used) {
  return Library(input, "MIOpen", out, used);
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
  out.backend = "NCCL";
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
  out.backend = "NCCL";
  used = at + 15;
  TakeNcclDevice(input.before, out);
  return FormResult::kDone;
}

constexpr Form kForms[] = {
    {"cuda error: out of memory", 1, ReadCudaCall},
    {"cuda driver error: out of memory", 1, ReadCudaCall},
    {"cuda runtime error", 1, ReadOldCall},
    {"cudaerrormemoryallocation", 1, ReadCudaCall},
    {"cuda_error_out_of_memory", 1, ReadCudaCall},
    {"cudamalloc failed: out of memory", 1, ReadCudaCall},
    {"hip error: out of memory", 1, ReadHipCall},
    {"hiperroroutofmemory", 1, ReadHipCall},
    {"hsa_status_error_out_of_resources", 1, ReadHipCall},
    {"cublas_status_alloc_failed", 1, ReadCublas},
    {"cudnn_status_alloc_failed", 1, ReadCudnn},
    {"cudnn_status_internal_error_device_allocation_failed", 1, ReadCudnn},
    {"cusolver_status_alloc_failed", 1, ReadCusolver},
    {"cusparse_status_alloc_failed", 1, ReadCusparse},
    {"cusparse_status_insufficient_resources", 1, ReadCusparse},
    {"cufft_alloc_failed", 1, ReadCufft},
    {"curand_status_allocation_failed", 1, ReadCurand},
    {"rocblas_status_memory_error", 1, ReadRocblas},
    {"hipblas_status_alloc_failed", 1, ReadRocblas},
    {"miopenstatusallocfailed", 1, ReadMiopen},
    {"failed to cuda calloc", 1, ReadNccl},
    {"failed to cuda malloc", 1, ReadNccl},
    {"failed to cuda host alloc", 1, ReadNccl},
    {"cuda failure", 1, ReadNcclFailure},
};

}  // namespace

std::span<const Form> CudaForms() { return kForms; }

}  // namespace gpusight::memory
