// SPDX-License-Identifier: Apache-2.0
// Texts of the post-mortem of a run, in both languages: of `gpusight run`, `watch` and `report`.
// What ran out of memory is told by oom.h, the end itself by run.h.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// What became of it
inline constexpr Text kFailedGpuMemory{"Out of GPU memory", "显存不足（OOM）"};
inline constexpr Text kFailedCaught{"Out of GPU memory, and the program went on",
                                    "显存不足（OOM），程序捕获后继续运行"};
inline constexpr Text kFailedHostMemory{"Killed by the kernel: no host memory left",
                                        "主机内存不足，被内核终止"};
inline constexpr Text kFailedShm{"No room in /dev/shm", "/dev/shm 已满"};
inline constexpr Text kFailedXid{"The driver reported an error of the GPU", "驱动报告 GPU 错误"};
inline constexpr Text kFailedCuda{"A call to CUDA failed", "CUDA 调用失败"};
inline constexpr Text kFailedException{"The program ended with an error", "程序报错退出"};
inline constexpr Text kFailedNot{"Nothing went wrong", "正常结束"};

// Parts of the screen
inline constexpr Text kFailurePrefix{"What happened: {}", "故障复盘：{}"};
inline constexpr Text kFailurePossible{"Perhaps: {}", "可能原因：{}"};
inline constexpr Text kFailureMinute{"Before", "此前"};
inline constexpr Text kFailureEnd{"end", "结束"};
inline constexpr Text kFailurePlaces{"Where the main thread was", "主线程位置"};
inline constexpr Text kFailureTry{"What to try first", "首先尝试"};
inline constexpr Text kFailureAll{"All of it: gpusight report {}", "完整报告：gpusight report {}"};
inline constexpr CountedText kFailureMore{
    {"{} more time memory ran out; the report has it.", "另有 {} 次显存不足，详见报告。"},
    {"{} more times memory ran out; the report has them.", "另有 {} 次显存不足，详见报告。"}};
inline constexpr Text kFailurePlace{"{0} ({1} of the looks)", "{0}（占采样的 {1}）"};
inline constexpr Text kFailureAny{"any", "通用"};

// The course before
inline constexpr Text kMinuteDevice{"GPU memory used", "显存已用"};
inline constexpr Text kMinuteUtilization{"utilisation", "利用率"};
inline constexpr Text kMinuteTemperature{"temperature", "温度"};
inline constexpr Text kMinutePower{"power", "功耗"};
inline constexpr Text kMinuteResident{"host memory, job", "作业主机内存"};
inline constexpr Text kMinuteContainer{"host memory, group", "控制组内存"};
inline constexpr Text kMinuteShm{"/dev/shm", "/dev/shm"};
inline constexpr Text kMinuteSteps{"steps", "训练步"};

// What to try
inline constexpr Text kTryBlocking{
    "Kernels fail later than they are started: let each be waited for, and the trace names the "
    "right line.",
    "核函数出错会延迟暴露：改为同步执行，调用栈即指向出错的行。"};
inline constexpr Text kTrySanitizer{"Let a checker name the kernel and the address.",
                                    "用检查工具定位出错的核函数与地址。"};
inline constexpr Text kTryIndex{
    "Mostly an index out of range, such as a label that is not below the number of classes: the "
    "CPU says which.",
    "多为索引越界，例如标签不小于类别数：在 CPU 上运行会指出是哪一个。"};
inline constexpr Text kTryArchitecture{
    "This build has no code for this GPU: compare its list with the GPU's compute capability.",
    "当前安装包不含该 GPU 的代码：对照其架构列表与 GPU 的计算能力。"};
inline constexpr Text kTryDevices{"The program asks for a GPU that it cannot see.",
                                  "程序请求了不可见的 GPU。"};
inline constexpr Text kTryDoctor{"Look at the state of card and driver.", "检查显卡与驱动的状态。"};
inline constexpr Text kTryKernelLog{"Read what the kernel says of it.", "查看内核日志。"};
inline constexpr Text kTryFaultHandler{"Have Python print where it was.",
                                       "让 Python 打印崩溃时的位置。"};
inline constexpr Text kTryWhoKilled{
    "Nobody told who killed it; the kernel's log or the batch system may.",
    "无人说明由谁终止；内核日志或批处理系统可能有记录。"};
inline constexpr Text kTryFilesize{
    "A page of a mapped file could not be had: the file was cut, or its disk is full.",
    "无法获得映射文件的页面：文件被截断，或磁盘已满。"};

}  // namespace gpusight::text
