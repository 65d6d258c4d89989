// SPDX-License-Identifier: Apache-2.0
// Memory settings of PyTorch, JAX, TensorFlow, CUDA and NCCL. Columns: memory_flags.h.
#include "cli/doctor/memory_flags.h"

namespace gpusight::doctor {
namespace {

using F = Framework;
using R = ValueRule;

// clang-format off
// name, framework, rule, words, default, since, until, replacement, GPU only, meaning, pitfall
constexpr MemoryFlag kFlags[] = {
    {"PYTORCH_ALLOC_CONF", F::kTorch, R::kAllocConf, "", "", "2.9", "", "", false,
     Text("settings of the caching allocator", "缓存分配器设置"),
     Text("PyTorch before 2.9 reads only PYTORCH_CUDA_ALLOC_CONF", "2.9 之前的 PyTorch 只读取 PYTORCH_CUDA_ALLOC_CONF")},
    {"PYTORCH_CUDA_ALLOC_CONF", F::kTorch, R::kAllocConf, "", "", "", "", "", false,
     Text("settings of the caching allocator", "缓存分配器设置")},
    {"PYTORCH_HIP_ALLOC_CONF", F::kTorch, R::kAllocConf, "", "", "", "", "", false,
     Text("settings of the caching allocator on AMD devices", "AMD 设备上的缓存分配器设置")},
    {"PYTORCH_NO_CUDA_MEMORY_CACHING", F::kTorch, R::kText, "", "", "", "", "", false,
     Text("every tensor is allocated and freed by the driver", "每个张量都直接由驱动分配和释放"),
     Text("any value switches the cache off, also 0: unset it unless you are debugging", "任何取值（包括 0）都会关闭缓存；若非调试请取消设置")},
    {"TORCH_CUDNN_V8_API_LRU_CACHE_LIMIT", F::kTorch, R::kInteger, "", "10000", "2.0", "", "", false,
     Text("cuDNN plans that are kept; each may hold a workspace size", "保留的 cuDNN 执行计划数")},
    {"CUBLAS_WORKSPACE_CONFIG", F::kCuda, R::kWorkspace, "", ":4096:2:16:8", "", "", "", false,
     Text("workspace that each cuBLAS handle and stream keeps", "每个 cuBLAS 句柄与流保留的工作区")},
    {"CUBLASLT_WORKSPACE_SIZE", F::kTorch, R::kUnsigned, "", "", "", "", "", false,
     Text("KiB of workspace for cuBLASLt", "cuBLASLt 的工作区（KiB）")},
    {"TORCH_CUBLASLT_UNIFIED_WORKSPACE", F::kTorch, R::kText, "", "", "", "", "", false,
     Text("cuBLASLt shares the workspace of cuBLAS", "cuBLASLt 与 cuBLAS 共用工作区")},
    {"CUDA_VISIBLE_DEVICES", F::kCuda, R::kDevices, "", "", "", "", "", false,
     Text("which devices the job sees, and in which order", "任务可见的设备及其顺序")},
    {"CUDA_DEVICE_ORDER", F::kCuda, R::kWords, "FASTEST_FIRST|PCI_BUS_ID", "FASTEST_FIRST", "", "", "", false,
     Text("how devices are counted; nvidia-smi counts by PCI_BUS_ID", "设备编号方式；nvidia-smi 按 PCI_BUS_ID 编号")},
    {"CUDA_LAUNCH_BLOCKING", F::kCuda, R::kWords, "0|1", "0", "", "", "", false,
     Text("the CPU waits for every kernel", "CPU 等待每个核函数执行完")},
    {"CUDA_MODULE_LOADING", F::kCuda, R::kWords, "LAZY|EAGER|DEFAULT", "LAZY", "11.7", "", "", false,
     Text("when kernels are loaded into device memory", "何时将核函数加载到显存")},
    {"CUDA_MODULE_DATA_LOADING", F::kCuda, R::kWords, "LAZY|EAGER|DEFAULT", "LAZY", "12.1", "", "", false,
     Text("when module data is loaded into device memory", "何时将模块数据加载到显存")},
    {"CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", F::kCuda, R::kText, "", "", "", "", "", false,
     Text("memory that each client of MPS may use: 0=4G,1=8G", "每个 MPS 客户端可用的显存：0=4G,1=8G")},
    {"CUDA_MANAGED_FORCE_DEVICE_ALLOC", F::kCuda, R::kWords, "0|1", "0", "", "", "", false,
     Text("managed memory is placed on the device", "统一内存优先放在显存中")},
    {"XLA_CLIENT_MEM_FRACTION", F::kJax, R::kNumber, "", "0.75", "0.4.35", "", "", false,
     Text("share of the device's memory that JAX takes at the start", "JAX 启动时占用的显存比例")},
    {"XLA_PYTHON_CLIENT_MEM_FRACTION", F::kJax, R::kNumber, "", "0.75", "", "", "XLA_CLIENT_MEM_FRACTION", false,
     Text("share of the device's memory that JAX takes at the start", "JAX 启动时占用的显存比例")},
    {"XLA_PYTHON_CLIENT_PREALLOCATE", F::kJax, R::kWords, "true|false|True|False|1|0", "true", "", "", "", false,
     Text("whether JAX takes its memory at the start", "JAX 是否在启动时预占显存")},
    {"XLA_PYTHON_CLIENT_ALLOCATOR", F::kJax, R::kWords, "default|platform|bfc|cuda_async|vmm", "default", "", "", "", false,
     Text("which allocator JAX uses", "JAX 使用的分配器")},
    {"XLA_PYTHON_CLIENT_COLLECTIVE_MEM_SIZE_MB", F::kJax, R::kUnsigned, "", "0", "0.4.26", "", "", false,
     Text("memory set aside for collectives", "为集合通信预留的显存（MiB）")},
    {"XLA_FLAGS", F::kJax, R::kFlags, "", "", "", "", "", false,
     Text("settings of the XLA compiler", "XLA 编译器设置")},
    {"TF_FORCE_GPU_ALLOW_GROWTH", F::kTensorFlow, R::kWords, "true|false", "false", "", "", "", false,
     Text("TensorFlow takes memory on demand instead of all of it", "TensorFlow 按需占用显存，而非全部占用")},
    {"TF_GPU_ALLOCATOR", F::kTensorFlow, R::kWords, "cuda_malloc_async|cuda_malloc|", "", "2.4", "", "", false,
     Text("which allocator TensorFlow uses", "TensorFlow 使用的分配器")},
    {"TF_CUDNN_WORKSPACE_LIMIT_IN_MB", F::kTensorFlow, R::kUnsigned, "", "4096", "", "", "", false,
     Text("workspace that a cuDNN convolution may use", "cuDNN 卷积可用的工作区（MiB）")},
    {"NCCL_BUFFSIZE", F::kNccl, R::kUnsigned, "", "4194304", "", "", "", false,
     Text("bytes of buffer for each channel and peer, in device memory", "每个通道与对端的缓冲区字节数，占用显存")},
    {"NCCL_LL_BUFFSIZE", F::kNccl, R::kUnsigned, "", "", "", "", "", false,
     Text("bytes of the low-latency buffer for each channel", "每个通道低延迟缓冲区的字节数")},
    {"NCCL_LL128_BUFFSIZE", F::kNccl, R::kUnsigned, "", "", "", "", "", false,
     Text("bytes of the LL128 buffer for each channel", "每个通道 LL128 缓冲区的字节数")},
    {"NCCL_MAX_NCHANNELS", F::kNccl, R::kUnsigned, "", "", "", "", "", false,
     Text("most channels; each holds buffers in device memory", "通道数上限，每个通道都占用显存")},
    {"NCCL_MIN_NCHANNELS", F::kNccl, R::kUnsigned, "", "", "", "", "", false,
     Text("fewest channels; each holds buffers in device memory", "通道数下限，每个通道都占用显存")},
    {"NCCL_MAX_CTAS", F::kNccl, R::kUnsigned, "", "", "", "", "", false,
     Text("most thread blocks, and so channels, of a communicator", "通信域的线程块（即通道）数上限")},
    {"NCCL_MIN_CTAS", F::kNccl, R::kUnsigned, "", "", "", "", "", false,
     Text("fewest thread blocks, and so channels, of a communicator", "通信域的线程块（即通道）数下限")},
    {"NCCL_NCHANNELS_PER_NET_PEER", F::kNccl, R::kInteger, "", "", "", "", "", false,
     Text("channels to each peer on another machine", "到其他机器每个对端的通道数")},
    {"NCCL_CUMEM_ENABLE", F::kNccl, R::kWords, "0|1|-2", "", "2.18", "", "", false,
     Text("buffers on virtual memory", "使用虚拟内存分配缓冲区")},
    {"NCCL_NVLS_ENABLE", F::kNccl, R::kWords, "0|1|2", "", "2.17", "", "", false,
     Text("reduction in the NVLink switch; its buffers are in device memory", "在 NVLink 交换机内归约，其缓冲区占用显存")},
};
// clang-format on

}  // namespace

std::span<const MemoryFlag> OtherFlags() { return kFlags; }

}  // namespace gpusight::doctor
