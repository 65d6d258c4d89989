// SPDX-License-Identifier: Apache-2.0
// What to try when memory ran out, in both languages. The commands and calls that go with them:
// src/memory/oom_advice.cc.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kTrySmallerBatch{
    "A smaller batch, accumulated to the old size: activations shrink with it.",
    "减小批量并累积梯度到原来的大小：激活值随之减少。"};
inline constexpr Text kTryHalf{"Activations of half the width (bf16).",
                               "使用半精度（bf16）激活值。"};
inline constexpr Text kTryRecompute{"Compute activations again instead of keeping them.",
                                    "重计算激活值，而不是保留它们。"};
inline constexpr Text kTryShard{"Spread weights and optimizer over the devices.",
                                "将权重和优化器状态分摊到各设备。"};
inline constexpr Text kTryDonate{"Let results take the place of arguments that are not used again.",
                                 "让结果复用不再使用的参数的显存。"};
inline constexpr Text kTryExpandable{
    "Segments that grow instead of being added (PyTorch 2.1 and later).",
    "使用可扩展的段，而不是不断新增段（PyTorch 2.1 及以上）。"};
inline constexpr Text kTryFewSizes{"Fewer different sizes: pad lengths to a few values.",
                                   "减少尺寸种类：将长度填充到少数几个值。"};
inline constexpr Text kTryNoSplit{"Blocks above a size that are never split.",
                                  "超过一定大小的块不再切分。"};
inline constexpr Text kTryEmptyCache{
    "Give the cache back between phases (before evaluation, not in the loop).",
    "在阶段之间（如评估之前）归还缓存，不要放在循环中。"};
inline constexpr Text kTryVirtualMemory{"Growth on virtual memory, which has no such pieces.",
                                        "使用虚拟内存增长，不产生这样的碎块。"};
inline constexpr Text kTryFreeIdle{"Idle chunks given back before growing.",
                                   "增长之前先归还空闲块。"};
inline constexpr Text kTryAsyncAllocator{"The driver's own allocator, which moves pages.",
                                         "使用驱动自带的、可重排页面的分配器。"};
inline constexpr Text kTryNumberNotGraph{
    "Keep numbers, not losses: a loss keeps its whole graph alive.",
    "保存数值而不是 loss：loss 会让整个计算图存活。"};
inline constexpr Text kTryDetach{"Keep outputs detached and on the host.",
                                 "保存输出时先 detach 并移到主机。"};
inline constexpr Text kTryRecord{"See who allocates: record the allocator's history.",
                                 "查看谁在分配：记录分配器历史。"};
inline constexpr Text kTryPersistentWorkers{"One set of workers for all epochs.",
                                            "所有轮次共用一组数据加载进程。"};
inline constexpr Text kTryWho{"See who holds the memory now.", "查看现在谁占用显存。"};
inline constexpr Text kTryOtherDevice{"Another device.", "换一个设备。"};
inline constexpr Text kTryShare{"Share the device: a limit for each process.",
                                "共享设备：为每个进程设置上限。"};
inline constexpr Text kTryOnDemand{"Take memory on demand instead of at the start.",
                                   "按需占用显存，而不是启动时预占。"};
inline constexpr Text kTryNoGrad{"No gradients in evaluation.", "评估时关闭梯度。"};
inline constexpr Text kTryLeaveRoom{
    "Leave room for the driver: a lower limit for the framework's cache.",
    "为驱动留出余量：降低框架缓存的上限。"};
inline constexpr Text kTryGiveBack{"Give the cache back before the library or NCCL begins.",
                                   "在库或 NCCL 初始化之前归还缓存。"};
inline constexpr Text kTryFewerChannels{"Fewer or smaller buffers of NCCL.",
                                        "减少或缩小 NCCL 的缓冲区。"};
inline constexpr Text kTrySmallWorkspace{"A small workspace for cuBLAS (slower).",
                                         "缩小 cuBLAS 工作区（会变慢）。"};
inline constexpr Text kTrySmallConv{"A smaller workspace for convolutions (slower).",
                                    "缩小卷积工作区（会变慢）。"};
inline constexpr Text kTryLazyModules{"Kernels loaded when they are first used.",
                                      "首次使用时才加载内核。"};
inline constexpr Text kTryRaiseLimit{"Raise the limit, or take it away.", "提高或取消上限。"};
inline constexpr Text kTryWatermark{
    "No upper limit for Apple's memory (the system may become slow).",
    "取消 Apple 设备的显存上限（系统可能变慢）。"};
inline constexpr Text kTryDmesg{"See whom the kernel killed, and why.", "查看内核杀死了谁及原因。"};
inline constexpr Text kTryGroup{"See the control group's limit and how often it was hit.",
                                "查看控制组上限及触发次数。"};
inline constexpr Text kTryMoreMemory{"Ask for more memory.", "申请更多内存。"};
inline constexpr Text kTryFewerWorkers{"Fewer workers, and fewer batches ahead.",
                                       "减少数据加载进程和预取批次。"};
inline constexpr Text kTryArrays{
    "Arrays instead of lists of Python objects in the dataset: workers copy every object they "
    "touch.",
    "数据集中用数组代替 Python 对象列表：每个被访问的对象都会在加载进程中复制一份。"};
inline constexpr Text kTryMap{"Map large files instead of reading them whole.",
                              "大文件用内存映射，而不是整体读入。"};
inline constexpr Text kTryShmSee{"See how full it is.", "查看已用多少。"};
inline constexpr Text kTryShmSize{"A larger /dev/shm for the container.",
                                  "为容器设置更大的 /dev/shm。"};
inline constexpr Text kTryShmFiles{"Shared memory by files instead of /dev/shm descriptors.",
                                   "改用文件方式共享内存。"};
inline constexpr Text kTryShmOff{"Workers that hand over batches without shared memory (slower).",
                                 "加载进程不使用共享内存传递数据（会变慢）。"};
inline constexpr Text kTryNcclShm{"NCCL without shared memory (slower).",
                                  "NCCL 不使用共享内存（会变慢）。"};
inline constexpr Text kTryRun{"Record the next run: it will show how the memory went before.",
                              "记录下一次运行：可看到此前的显存走势。"};
inline constexpr Text kTryWrongSize{"Print the shapes just before this line.",
                                    "在该行之前打印各张量的形状。"};

}  // namespace gpusight::text
