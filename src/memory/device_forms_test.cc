// SPDX-License-Identifier: Apache-2.0
// Messages of Paddle, JAX, TensorFlow, CUDA and its libraries with their literal words; the numbers
// are made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/test_scan.h"

namespace gpusight::memory {
namespace {

constexpr double kMiB = 1048576, kGiB = 1073741824;

TEST(PaddleForms, ReadTheFormOfToday) {
  const OomText text = ScanOne(
      "Traceback (most recent call last):\n"
      "  File \"train.py\", line 88, in <module>\n"
      "    loss = model(x)\n"
      "MemoryError: \n"
      "\n"
      "--------------------------------------\n"
      "C++ Traceback (most recent call last):\n"
      "--------------------------------------\n"
      "0   paddle::memory::allocation::CUDAAllocator::AllocateImpl(unsigned long)\n"
      "\n"
      "----------------------\n"
      "Error Message Summary:\n"
      "----------------------\n"
      "ResourceExhaustedError: \n"
      "\n"
      "Out of memory error on GPU 2. Cannot allocate 3.621826GB memory on GPU 2, 21.184814GB "
      "memory "
      "has been allocated and available memory is only 2.814575GB.\n"
      "\n"
      "Please check whether there is any other process using GPU 2.\n"
      "1. If yes, please stop them, or start PaddlePaddle on another GPU.\n"
      "2. If no, please decrease the batch size of your model. \n"
      "\n"
      " (at /paddle/paddle/phi/core/memory/allocation/cuda_allocator.cc:86)\n");
  EXPECT_EQ(text.form, OomForm::kPaddle);
  EXPECT_EQ(text.framework, Framework::kPaddle);
  EXPECT_EQ(text.device, 2);
  EXPECT_THAT(text.requested, Is(3.621826 * kGiB, 537));
  EXPECT_THAT(text.device_used, Is(21.184814 * kGiB, 537));
  EXPECT_THAT(text.free, Is(2.814575 * kGiB, 537));
  EXPECT_THAT(text.capacity, Is(23.999389 * kGiB, 1074));
  EXPECT_EQ(text.limit, std::nullopt);
  EXPECT_EQ(text.first_line, 16u);
}

TEST(PaddleForms, ReadALimit) {
  const OomText text = ScanOne(
      "Out of memory error on GPU 0. Cannot allocate 512.000000MB memory on GPU 0, 3.800000GB "
      "memory "
      "has been allocated and available memory is only 204.800000MB.\n\n"
      "Please check whether there is any other process using GPU 0.\n"
      "1. If yes, please stop them, or start PaddlePaddle on another GPU.\n"
      "2. If no, please decrease the batch size of your model. \n"
      "   Or set environment variable `FLAGS_gpu_memory_limit_mb` to a larger value. Currently "
      "`FLAGS_gpu_memory_limit_mb` is 4096, so the maximum GPU memory usage is limited to 4096 "
      "MB.\n"
      "   The command is `export FLAGS_gpu_memory_limit_mb=xxx`.\n");
  EXPECT_THAT(text.limit, Is(4096 * kMiB, 0));
  EXPECT_EQ(text.capacity, std::nullopt) << "with a limit both numbers are this process's";
  EXPECT_THAT(text.device_used, Is(3.8 * kGiB, 537));
}

TEST(PaddleForms, ReadOlderForms) {
  const OomText old = ScanOne(
      "Out of memory error on GPU 0. Cannot allocate 3.125000GB memory on GPU 0, available memory "
      "is only 117.750000MB.\n\nPlease check whether there is any other process using GPU 0.\n");
  EXPECT_THAT(old.free, Is(117.75 * kMiB, 0.53));
  EXPECT_EQ(old.capacity, std::nullopt);
  const OomText fraction = ScanOne(
      "Out of memory error on GPU 0. Cannot allocate 3.125000GB memory on GPU 0, available memory "
      "is only 117.750000MB.\n\n"
      "Please decrease the batch size of your model, or\n"
      "   2) FLAGS_fraction_of_gpu_memory_to_use is 0.92 now, please set it to a higher value but "
      "less than 1.0.\n");
  EXPECT_THAT(fraction.hints, testing::ElementsAre("FLAGS_fraction_of_gpu_memory_to_use"));
  const OomText buddy = ScanOne(
      "Cannot allocate 196.000000MB in GPU 1, available 1.214539GB, total 11.173096GB, "
      "GpuMinChunkSize 256.000000B, GpuMaxChunkSize 9.765234GB, GPU memory used: 9.765234GB.\n");
  EXPECT_EQ(buddy.device, 1);
  EXPECT_THAT(buddy.capacity, Is(11.173096 * kGiB, 537));
  EXPECT_THAT(buddy.device_used, Is(9.765234 * kGiB, 537));
  const OomText legacy = ScanOne(
      "W0413 13:19:50.571779 16109 legacy_allocator.cc:191] Cannot allocate 196.000000MB in GPU 0, "
      "available 1.214539GB\n"
      "W0413 13:19:50.571794 16109 legacy_allocator.cc:194] total 11996954624\n"
      "W0413 13:19:50.571805 16109 legacy_allocator.cc:195] GpuMinChunkSize 256.000000B\n");
  EXPECT_THAT(legacy.capacity, Is(11996954624.0, 0));
  EXPECT_THAT(ScanOne("Cannot malloc 49.0002 MB GPU memory. Please shrink "
                      "FLAGS_fraction_of_gpu_memory_to_use or FLAGS_initial_gpu_memory_in_mb\n")
                  .requested,
              Is(49.0002 * kMiB, 53));
  const OomText custom = ScanOne(
      "Out of memory error on npu:3. Cannot allocate 1.000000GB memory on npu:3, available memory "
      "is only 512.000000MB.\n");
  EXPECT_EQ(custom.backend, "npu");
  EXPECT_EQ(custom.device, 3);
}

TEST(JaxForms, ReadARequestWithItsBuffers) {
  const OomText text = ScanOne(
      "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to "
      "allocate 6291456000 bytes.\n"
      "BufferAssignment OOM Debugging.\n"
      "BufferAssignment stats:\n"
      "             parameter allocation:    6.00MiB\n"
      "              constant allocation:         0B\n"
      "        maybe_live_out allocation:    6.00GiB\n"
      "     preallocated temp allocation:         0B\n"
      "                 total allocation:   12.50GiB\n"
      "              total fragmentation:         0B (0.00%)\n"
      "Peak buffers:\n"
      "\tBuffer 1:\n"
      "\t\tSize: 5.86GiB\n"
      "\t\tOperator: op_name=\"jit(step)/jit(main)/concatenate[dimension=0]\" "
      "source_file=\"/job/models.py\" source_line=689\n"
      "\t\tXLA Label: concatenate\n"
      "\t\tShape: f32[4096,128,3]\n"
      "\t\t==========================\n"
      "\n"
      "\tBuffer 2:\n"
      "\t\tSize: 384.0KiB\n"
      "\t\tEntry Parameter Subshape: f32[256,128,3]\n"
      "\t\t==========================\n"
      "\n");
  EXPECT_EQ(text.form, OomForm::kXla);
  EXPECT_EQ(text.framework, Framework::kJax);
  EXPECT_THAT(text.requested, Is(6291456000.0, 0));
  EXPECT_THAT(text.program, Is(12.5 * kGiB, 0.005 * kGiB));
  ASSERT_EQ(text.buffers.size(), 2u);
  EXPECT_EQ(text.buffers[0].what, "f32[4096,128,3] jit(step)/jit(main)/concatenate[dimension=0]");
  EXPECT_EQ(text.buffers[1].what, "f32[256,128,3]");
}

TEST(JaxForms, ReadTheOtherWords) {
  EXPECT_THAT(ScanOne("RuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 1.40GiB "
                      "(1499136000B) on device ordinal 1\n")
                  .requested,
              Is(1499136000.0, 0));
  EXPECT_THAT(ScanOne("RuntimeError: Resource exhausted: Out of memory while trying to allocate "
                      "24.00GiB.: while running replica 0\n")
                  .requested,
              Is(24 * kGiB, 0.005 * kGiB));
  const OomText tpu = ScanOne(
      "XlaRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 20.27G of "
      "15.48G hbm. Exceeded hbm capacity by 4.78G.\n\nTotal hbm usage >= 20.79G:\n");
  EXPECT_THAT(tpu.program, Is(20.27 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(tpu.capacity, Is(15.48 * kGiB, 0.005 * kGiB));
  EXPECT_TRUE(Scan("grpc: RESOURCE_EXHAUSTED: Quota exceeded for quota metric\n").texts.empty());
}

constexpr std::string_view kPoolDump =
    "2026-01-02 03:04:05.1: W external/xla/xla/tsl/framework/bfc_allocator.cc:501] Allocator "
    "(GPU_0_bfc) ran out of memory trying to allocate 24.00GiB (rounded to 25769803776)requested "
    "by op \n"
    "If the cause is memory fragmentation maybe the environment variable "
    "'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve the situation. \n"
    "Current allocation summary follows.\n"
    "2026-01-02 03:04:05.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1099] Bin (256): "
    "\tTotal Chunks: 1\n"
    "2026-01-02 03:04:05.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1167] Sum Total of "
    "in-use chunks: 20.00GiB\n"
    "2026-01-02 03:04:05.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1169] Total bytes in "
    "pool: 31868977152 memory_limit_: 31868977152 available bytes: 0\n"
    "2026-01-02 03:04:05.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1174] Stats: \n"
    "Limit:                     31868977152\n"
    "InUse:                     21474836480\n"
    "MaxInUse:                  21474836480\n"
    "NumAllocs:                          12\n"
    "MaxAllocSize:              10737418240\n"
    "Reserved:                            0\n"
    "PeakReserved:                        0\n"
    "LargestFreeBlock:           4294967296\n"
    "\n"
    "2026-01-02 03:04:05.1: W external/xla/xla/tsl/framework/bfc_allocator.cc:512] ****____\n";

TEST(PoolForms, JoinTheDumpAndTheException) {
  const OomText text =
      ScanOne(std::string(kPoolDump) +
              "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory while "
              "trying to allocate 25769803776 bytes.\n");
  EXPECT_EQ(text.form, OomForm::kXla);
  EXPECT_EQ(text.framework, Framework::kJax);
  EXPECT_EQ(text.device, 0);
  EXPECT_THAT(text.requested, Is(24 * kGiB, 256));
  EXPECT_THAT(text.pool_limit, Is(31868977152.0));
  EXPECT_THAT(text.allocated, Is(20 * kGiB));
  EXPECT_THAT(text.largest_free, Is(4 * kGiB));
}

TEST(PoolForms, KnowWhatTheCallerDoesNotMind) {
  EXPECT_TRUE(
      Scan(
          "W tensorflow/core/common_runtime/bfc_allocator.cc:243] Allocator (GPU_0_bfc) ran out of "
          "memory trying to allocate 16.39MiB with freed_by_count=0. The caller indicates that "
          "this "
          "is not a failure, but may mean that there could be performance gains if more memory "
          "were "
          "available.\n")
          .texts.empty());
}

TEST(PoolForms, TakeAllTriesToGrowForOne) {
  const OomText text = ScanOne(
      "E tensorflow/stream_executor/cuda/cuda_driver.cc:924] failed to allocate 968.17M "
      "(1015196672 "
      "bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n"
      "E tensorflow/stream_executor/cuda/cuda_driver.cc:924] failed to allocate 871.35M (913677056 "
      "bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n");
  EXPECT_EQ(text.form, OomForm::kPoolGrowth);
  EXPECT_EQ(text.framework, Framework::kTensorFlow);
  EXPECT_THAT(text.requested, Is(1015196672.0));
  EXPECT_EQ(text.times, 2u);
}

TEST(TensorFlowForms, ComputeTheRequestFromTheShape) {
  const OomText text = ScanOne(
      "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor "
      "with shape[16,12,512,512] and type float on /job:localhost/replica:0/task:0/device:GPU:2 by "
      "allocator GPU_2_bfc [Op:MatMul]\n");
  EXPECT_EQ(text.form, OomForm::kTensorFlow);
  EXPECT_EQ(text.device, 2);
  EXPECT_THAT(text.requested, Is(16.0 * 12 * 512 * 512 * 4));
  const OomText cpu = ScanOne(
      "ResourceExhaustedError: OOM when allocating tensor with shape[100000,100000] and type "
      "double "
      "on /job:localhost/replica:0/task:0/device:CPU:0 by allocator mklcpu\n");
  EXPECT_EQ(cpu.place(), OomPlace::kHost);
  EXPECT_EQ(ScanOne("ResourceExhaustedError: {{function_node __wrapped__AddV2}} failed to allocate "
                    "memory [Op:AddV2]\n")
                .form,
            OomForm::kTensorFlow);
}

struct Bare {
  std::string_view line;
  OomForm form;
  std::string_view backend;
};

class BareForms : public testing::TestWithParam<Bare> {};

TEST_P(BareForms, AreFound) {
  const OomText text = ScanOne(std::string(GetParam().line) + "\n");
  EXPECT_EQ(text.form, GetParam().form) << GetParam().line;
  EXPECT_EQ(text.backend, GetParam().backend) << GetParam().line;
  EXPECT_EQ(text.place(), OomPlace::kDevice);
}

INSTANTIATE_TEST_SUITE_P(
    OfCuda, BareForms,
    testing::Values(
        Bare{"RuntimeError: CUDA error: out of memory", OomForm::kDriverCall, "CUDA"},
        Bare{"torch.AcceleratorError: CUDA error: out of memory", OomForm::kDriverCall, "CUDA"},
        Bare{"RuntimeError: CUDA driver error: out of memory", OomForm::kDriverCall, "CUDA"},
        Bare{"RuntimeError: cuda runtime error (2) : out of memory at "
             "/pytorch/aten/src/THC/generic/THCStorage.cu:58",
             OomForm::kDriverCall, "CUDA"},
        Bare{"RuntimeError: HIP error: out of memory", OomForm::kDriverCall, "HIP"},
        Bare{"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1234.00 MiB on device 0: "
             "cudaMalloc failed: out of memory",
             OomForm::kDriverCall, "CUDA"},
        Bare{"Aborting with error : HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to "
             "allocate the necessary resources. Available Free mem : 24 MB",
             OomForm::kDriverCall, "HIP"},
        Bare{"RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling "
             "`cublasCreate(handle)`",
             OomForm::kLibrary, "cuBLAS"},
        Bare{"RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED", OomForm::kLibrary, "cuDNN"},
        Bare{"RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED",
             OomForm::kLibrary, "cuDNN"},
        Bare{"RuntimeError: cusolver error: CUSOLVER_STATUS_ALLOC_FAILED, when calling "
             "`cusolverDnCreate(handle)`",
             OomForm::kLibrary, "cuSOLVER"},
        Bare{"RuntimeError: cuFFT error: CUFFT_ALLOC_FAILED", OomForm::kLibrary, "cuFFT"},
        Bare{"node1:2144:2556 [2] include/alloc.h:228 NCCL WARN Failed to CUDA calloc 536870912 "
             "bytes",
             OomForm::kCollective, "NCCL"},
        Bare{"node1:2144:2556 [2] include/alloc.h:228 NCCL WARN Failed to CUDA calloc async 2432 "
             "bytes",
             OomForm::kCollective, "NCCL"},
        Bare{"node1:2144:2556 [2] transport/p2p.cc:212 NCCL WARN Cuda failure 2 'out of memory'",
             OomForm::kCollective, "NCCL"},
        Bare{"node1:2144:2556 [2] init.cc:318 NCCL WARN Cuda failure 'out of memory'",
             OomForm::kCollective, "NCCL"}));

TEST(CudaForms, GiveNcclsRequestAndDevice) {
  const OomText text = ScanOne(
      "node1:2144:2556 [2] include/alloc.h:228 NCCL WARN Failed to CUDA calloc async 2432 bytes\n");
  EXPECT_THAT(text.requested, Is(2432));
  EXPECT_EQ(text.device, 2);
}

TEST(CudaForms, LeaveOtherFailuresAlone) {
  for (const std::string_view line :
       {"RuntimeError: CUDA error: device-side assert triggered",
        "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 131072, "
        "Hardware limit: 101376",
        "node1:1:2 [0] NCCL WARN Cuda failure 'invalid argument'",
        "java.lang.OutOfMemoryError: Java heap space",
        "RuntimeError: DataLoader worker (pid 12) is killed by signal: Segmentation fault. ",
        "OSError: [Errno 28] No space left on device: '/data/checkpoint.pt'",
        "the worker was killed", "Killed 3 stale processes", "\"OOMKilled\": false,",
        "memory: usage is high"}) {
    EXPECT_TRUE(Scan(std::string(line) + "\n").texts.empty()) << line;
  }
}

}  // namespace
}  // namespace gpusight::memory
