// SPDX-License-Identifier: Apache-2.0
// PyTorch's messages with the literal words of each version; the numbers are made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/test_scan.h"

namespace gpusight::memory {
namespace {

constexpr double kMiB = 1048576, kGiB = 1073741824;

TEST(TorchForms, ReadTheFormOfToday) {
  const OomText text = ScanOne(
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB. GPU 3 has a total "
      "capacity of 79.15 GiB of which 1.08 GiB is free. Process 812 has 2.50 GiB memory in use. "
      "Including non-PyTorch memory, this process has 75.40 GiB memory in use. Process 4711 has "
      "17179869184.00 GiB memory in use. 70.00 GiB allowed; Of the allocated memory 72.10 GiB is "
      "allocated by PyTorch, with 512.00 MiB allocated in private pools (e.g., CUDA Graphs), and "
      "2.03 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is "
      "large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  "
      "See documentation for Memory Management  "
      "(https://docs.pytorch.org/docs/stable/notes/"
      "cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)\n");

  EXPECT_EQ(text.form, OomForm::kTorch);
  EXPECT_EQ(text.framework, Framework::kPyTorch);
  EXPECT_EQ(text.backend, "CUDA");
  EXPECT_EQ(text.device, 3);
  EXPECT_THAT(text.requested, Is(1.96 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.capacity, Is(79.15 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.free, Is(1.08 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.process, Is(75.40 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.limit, Is(70 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.allocated, Is(72.10 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.private_pools, Is(512 * kMiB, 0.005 * kMiB));
  EXPECT_THAT(text.cached, Is(2.03 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.reserved, Is(74.13 * kGiB, 0.01 * kGiB));
  ASSERT_EQ(text.processes.size(), 1u) << "the number that went below zero is nobody's";
  EXPECT_EQ(text.processes[0].pid, 812u);
}

TEST(TorchForms, ReadTheSpellingOfTwoPointOne) {
  const OomText text = ScanOne(
      "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a "
      "total capacty of 23.65 GiB of which 1.66 GiB is free. Of the allocated memory 12.09 GiB is "
      "allocated by PyTorch, and 4.84 GiB is reserved by PyTorch but unallocated. If reserved but "
      "unallocated memory is large try setting max_split_size_mb to avoid fragmentation.  See "
      "documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF\n");
  EXPECT_THAT(text.capacity, Is(23.65 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.cached, Is(4.84 * kGiB, 0.005 * kGiB));
  EXPECT_EQ(text.process, std::nullopt);
}

TEST(TorchForms, ReadTheShortForm) {
  const OomText text = ScanOne(
      "RuntimeError: CUDA out of memory. Tried to allocate 10.84 GiB (GPU 1; 23.65 GiB total "
      "capacity; 1.06 GiB already allocated; 10.26 GiB free; 12.00 GiB allowed; 12.53 GiB reserved "
      "in total by PyTorch) If reserved memory is >> allocated memory try setting "
      "max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and "
      "PYTORCH_CUDA_ALLOC_CONF\n");
  EXPECT_EQ(text.device, 1);
  EXPECT_THAT(text.requested, Is(10.84 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.allocated, Is(1.06 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.limit, Is(12 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.reserved, Is(12.53 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.cached, Is(11.47 * kGiB, 0.01 * kGiB));
}

TEST(TorchForms, ReadTheOldestForm) {
  const OomText text = ScanOne(
      "RuntimeError: CUDA out of memory. Tried to allocate 12.50 MiB (GPU 0; 10.92 GiB total "
      "capacity; 8.57 MiB already allocated; 9.28 GiB free; 4.68 MiB cached)\n");
  EXPECT_THAT(text.cached, Is(4.68 * kMiB, 0.005 * kMiB));
  EXPECT_THAT(text.free, Is(9.28 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.reserved, Is((8.57 + 4.68) * kMiB, 0.01 * kMiB));
}

TEST(TorchForms, ReadOtherBackends) {
  EXPECT_EQ(ScanOne("torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 "
                    "has a total capacity of 63.98 GiB of which 1.00 GiB is free. Of the allocated "
                    "memory 60.00 GiB is allocated by PyTorch, and 2.00 GiB is reserved by PyTorch "
                    "but unallocated. If reserved but unallocated memory is large try setting "
                    "PYTORCH_HIP_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n")
                .backend,
            "HIP");
  const OomText xpu = ScanOne(
      "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 10.00 GiB. GPU 0 has a total "
      "capacity of 15.91 GiB. Of the allocated memory 9.00 GiB is allocated by PyTorch, and 12.00 "
      "MiB is reserved by PyTorch but unallocated. Please use `empty_cache` to release all "
      "unoccupied cached memory.\n");
  EXPECT_EQ(xpu.backend, "XPU");
  EXPECT_THAT(xpu.cached, Is(12 * kMiB, 0.005 * kMiB));
  EXPECT_EQ(xpu.free, std::nullopt);
  const OomText npu = ScanOne(
      "RuntimeError: NPU out of memory. Tried to allocate 20.00 MiB (NPU 5; 60.97 GiB total "
      "capacity; 58.02 GiB already allocated; 58.02 GiB current active; 9.82 MiB free; 58.60 GiB "
      "reserved in total by PyTorch) If reserved memory is >> allocated memory try setting "
      "max_split_size_mb to avoid fragmentation.\n");
  EXPECT_EQ(npu.backend, "NPU");
  EXPECT_EQ(npu.device, 5);
  EXPECT_THAT(npu.reserved, Is(58.60 * kGiB, 0.005 * kGiB));
}

TEST(TorchForms, ReadCudaMallocAsync) {
  const OomText text = ScanOne(
      "torch.OutOfMemoryError: Allocation on device 1 would exceed allowed memory. (out of "
      "memory)\n"
      "Currently allocated     : 28.69 GiB\n"
      "Requested               : 7.29 GiB\n"
      "Device limit            : 31.36 GiB\n"
      "Free (according to CUDA): 29.94 MiB\n"
      "PyTorch limit (set by user-supplied memory fraction)\n"
      "                        : 17179869184.00 GiB\n");
  EXPECT_EQ(text.form, OomForm::kTorchAsync);
  EXPECT_EQ(text.device, 1);
  EXPECT_THAT(text.allocated, Is(28.69 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.requested, Is(7.29 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.free, Is(29.94 * kMiB, 0.005 * kMiB));
  EXPECT_EQ(text.limit, std::nullopt) << "no fraction was set";
}

TEST(TorchForms, ReadApplesForms) {
  const OomText text = ScanOne(
      "RuntimeError: MPS backend out of memory (MPS allocated: 7.64 GiB, other allocations: 1.50 "
      "GiB, max allowed: 9.07 GiB). Tried to allocate 256.00 MiB on private pool. Use "
      "PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may "
      "cause system failure).\n");
  EXPECT_EQ(text.form, OomForm::kTorchMps);
  EXPECT_THAT(text.allocated, Is(7.64 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.limit, Is(9.07 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.requested, Is(256 * kMiB, 0.005 * kMiB));
  EXPECT_THAT(ScanOne("RuntimeError: Invalid buffer size: 20.25 GiB\n").requested,
              Is(20.25 * kGiB, 0.005 * kGiB));
}

TEST(TorchForms, KnowARequestThatWentBelowZero) {
  EXPECT_GT(ScanOne("RuntimeError: CUDA out of memory. Tried to allocate more than 1EB memory.\n")
                .requested->bytes,
            1e18);
}

TEST(TorchForms, ReadAMessageThatATerminalWrapped) {
  const OomText text = ScanOne(
      "OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a \n"
      "total capacity of 23.69 GiB of which \n"
      "11.06 MiB is free. Including non-PyTorch memory, this process has 23.60 GiB \n"
      "memory in use. Of the allocated memory 22.90 GiB is allocated by PyTorch, and \n"
      "194.87 MiB is reserved by PyTorch but unallocated.\n"
      "step 4 loss 0.3\n");
  EXPECT_THAT(text.free, Is(11.06 * kMiB, 0.005 * kMiB));
  EXPECT_THAT(text.process, Is(23.60 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(text.cached, Is(194.87 * kMiB, 0.005 * kMiB));
  EXPECT_EQ(text.first_line, 1u);
}

TEST(TorchForms, ReadAMessageWithoutNumbersOnlyAsAnException) {
  EXPECT_EQ(Scan("RuntimeError: CUDA out of memory.\n").texts.size(), 1u);
  EXPECT_TRUE(Scan("if this says CUDA out of memory. lower the batch size\n").texts.empty());
  EXPECT_TRUE(Scan("INFO will retry when out of memory\n").texts.empty());
}

}  // namespace
}  // namespace gpusight::memory
