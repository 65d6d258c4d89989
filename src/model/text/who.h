// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight who`, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kWhoSummary{"Show who holds the memory of each device",
                                  "显示每个设备的显存被谁占用"};
inline constexpr Text kWhoDescription{
    "Lists the holders of each device's memory, the largest first: process, user, container or "
    "pod, batch job, since when and how much; then what is hidden from this container, what is "
    "left by processes that ended, and what the memory is that belongs to no process.",
    "按占用从大到小列出每个设备显存的占用者：进程、用户、容器或 "
    "Pod、作业、启动时间与大小；并说明哪些"
    "对本容器不可见、哪些由已结束的进程遗留，以及不属于任何进程的显存是什么。"};
inline constexpr Text kWhoJson{"One JSON object (docs/who.md)",
                               "输出一个 JSON 对象（见 docs/zh/who.md）"};

inline constexpr Text kWhoContainer{"CONTAINER/POD", "容器/Pod"};
inline constexpr Text kWhoUsed{"{} of {} used ({})", "已用 {} / {}（{}）"};
inline constexpr Text kWhoUsedMore{"{} used, more than the {} it is said to have",
                                   "已用 {}，超过其标称的 {}"};
inline constexpr Text kWhoNobody{"no process is listed", "没有列出任何进程"};
inline constexpr Text kWhoNoList{"the processes are not known: {}", "进程列表未知：{}"};
inline constexpr Text kWhoHidden{
    "Outside this container: {0} of the processes, holding {1}. On the host, 'gpusight who' names "
    "them.",
    "其中 {0} 个进程位于容器之外，占用 {1}。在宿主机上运行“gpusight who”可查看其身份。"};
inline constexpr Text kWhoZombies{
    "Ended, but their memory is not released yet: {0} of the processes, holding {1}. It comes back "
    "when their parent collects them or the driver notices; a child that still runs may hold it, "
    "too.",
    "{0} "
    "个进程已结束，尚未释放 {1}。待父进程回收或驱动发现后会释放；也可能仍被其存活的子进程占用。"};
inline constexpr Text kWhoShare{" ({})", "（{}）"};

inline constexpr Text kResidualUnknown{"How much belongs to no process is not known: {}.",
                                       "未归属的显存大小未知：{}。"};
inline constexpr Text kResidualNone{"No residual: everything that is used belongs to a process.",
                                    "没有未归属显存：已用显存全部归属于进程。"};
inline constexpr Text kResidualUnified{
    "This GPU shares the host's memory: what is used is the sum of its processes.",
    "该 GPU 与主机共用内存：已用显存即其进程占用之和。"};
inline constexpr Text kResidualNegative{
    "The processes add up to {} more than is used: memory that they share is counted twice.",
    "各进程之和比已用显存多 {}：共享的显存被重复计算。"};
inline constexpr Text kResidualUnlisted{
    "The residual of {} is used but nobody is listed: the owners are hidden from this container. "
    "On the host, 'gpusight who' names them.",
    "未归属 {}：已使用，却没有列出任何进程，占用者对本容器不可见。在宿主机上运行“gpusight "
    "who”可查看。"};
inline constexpr Text kResidualHidden{
    "The residual of {} is used under no listed process: most likely its owners are hidden from "
    "this PID namespace. On the host, 'gpusight who' names them.",
    "未归属 {}：不属于任何已列出的进程，占用者很可能对本 PID "
    "命名空间不可见。在宿主机上运行“gpusight who”可查看。"};
inline constexpr Text kResidualUnowned{
    "The residual of {} is used under no listed process, although no process is hidden from here: "
    "a process that was killed left it, or the driver needs it. 'sudo fuser -v /dev/nvidia*' shows "
    "who has the device open.",
    "未归属 "
    "{}"
    "：不属于任何已列出的进程，而此处可见所有进程，可能由被强制终止的进程遗留，也可能为驱动自身所需"
    "。用“sudo "
    "fuser -v /dev/nvidia*”查看谁打开着设备。"};
inline constexpr Text kResidualContexts{
    "The residual of {} is used but listed under no process: shares of CUDA contexts and the "
    "driver's own.",
    "未归属 {}：已使用但不属于任何已列出的进程，是 CUDA 上下文的一部分与驱动自身开销。"};
inline constexpr Text kResidualContextsOrHidden{
    "The residual of {} is used but listed under no process: shares of CUDA contexts, the driver's "
    "own, or processes that are hidden from here.",
    "未归属 {}：已使用但不属于任何已列出的进程，是 CUDA "
    "上下文的一部分、驱动自身开销，或此处不可见的进程。"};
inline constexpr Text kResidualNothing{"No residual: nothing is used.",
                                       "没有未归属显存：没有已用显存。"};
inline constexpr Text kResidualIdle{
    "The residual of {} is what the driver itself needs without any process.",
    "未归属 {}：没有进程时驱动自身的开销。"};

}  // namespace gpusight::text
