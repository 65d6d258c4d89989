// SPDX-License-Identifier: Apache-2.0
// How a failure for want of memory is told, in both languages: classes, sentences, remarks, and the
// page of `gpusight explain`. What to try: oom_advice.h.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// Classes
inline constexpr Text kOomUnknown{"Cause not established", "原因未确定"};
inline constexpr Text kOomTooBig{"Too big for the device", "超出设备容量"};
inline constexpr Text kOomFull{"The device is full of this job's own tensors",
                               "显存被本任务自身的张量占满"};
inline constexpr Text kOomFragmentation{"Fragmentation", "显存碎片"};
inline constexpr Text kOomLeak{"Leak: what is held grows from step to step",
                               "显存泄漏：占用逐步增长"};
inline constexpr Text kOomNeighbour{"Other processes on the device", "同卡进程占用"};
inline constexpr Text kOomEvaluation{"Evaluation that keeps gradients", "评估时保留了梯度"};
inline constexpr Text kOomOutside{"Outside the framework's allocator", "框架分配器之外"};
inline constexpr Text kOomLimit{"A limit that was set", "达到设定的上限"};
inline constexpr Text kOomHostMemory{"Host memory ran out", "主机内存不足"};
inline constexpr Text kOomSharedMemory{"Shared memory (/dev/shm) ran out",
                                       "共享内存（/dev/shm）不足"};
inline constexpr Text kOomPossible{"Possibly: {}", "可能是：{}"};

// What was asked for
inline constexpr Text kOomDevice{"{} {}", "{} {}"};  // GPU 0
inline constexpr Text kOomTheDevice{"the device", "设备"};
inline constexpr Text kOomTheProgram{"The program", "程序"};
inline constexpr Text kOomAskedFree{"{0} asked for {2} on {1}, where {3} was free.",
                                    "{0} 在 {1} 上申请 {2}，当时空闲 {3}。"};
inline constexpr Text kOomAsked{"{0} asked for {2} on {1} and got none.",
                                "{0} 在 {1} 上申请 {2}，未能得到。"};
inline constexpr Text kOomAskedUnknown{"{0} got no memory on {1}.", "{0} 在 {1} 上未能得到显存。"};

// Causes
inline constexpr Text kOomSayTooBig{"That is more than all of its {0}, whatever is freed.",
                                    "这超过了总量 {0}，释放什么都不够。"};
inline constexpr Text kOomSayTooBigSize{"No device has that much.", "没有任何设备有这么大的显存。"};
inline constexpr Text kOomSayProgram{
    "The compiled program needs {0} in all, more than the {1} that there are.",
    "编译后的程序共需 {0}，超过可用的 {1}。"};
inline constexpr Text kOomSayProgramOnly{"The compiled program needs {0} in all.",
                                         "编译后的程序共需 {0}。"};
inline constexpr Text kOomSayLarge{
    "One allocation of {0} of the device does not fit beside the {1} that this job's tensors hold, "
    "even with an empty cache.",
    "单次申请占设备的 {0}，即使清空缓存，也放不进本任务张量所占的 {1} 之外。"};
inline constexpr Text kOomSayFirst{
    "This job's tensors hold {0} of {1} before the first step is done: model and batch do not fit.",
    "第一个训练步完成之前，本任务的张量已占用 {1} 中的 {0}：模型与批量放不下。"};
inline constexpr Text kOomSayFull{"This job's own tensors hold {0} of {1} ({2}).",
                                  "本任务自身的张量占用 {1} 中的 {0}（{2}）。"};
inline constexpr Text kOomSayPieces{
    "{0} more is free inside {1}'s cache, but in pieces, none of them large enough.",
    "{1} 的缓存中另有 {0} 空闲，但都是碎块，没有一块足够大。"};
inline constexpr Text kOomSayPool{"{0} of {1}'s pool is free, but the largest piece is {2}.",
                                  "{1} 的显存池中空闲 {0}，但最大的一块只有 {2}。"};
inline constexpr Text kOomSayGrowthSteps{
    "What its tensors hold grew by {0} a step over {1} steps, from {2} to {3}.",
    "张量占用在 {1} 个训练步中每步增长 {0}，从 {2} 增至 {3}。"};
inline constexpr Text kOomSayGrowthTime{
    "What its tensors hold grew by {0} a minute over {1}, from {2} to {3}.",
    "张量占用在 {1} 内每分钟增长 {0}，从 {2} 增至 {3}。"};
inline constexpr Text kOomSayNeighbour{
    "Other processes hold {0} of the device's {1} ({2}); without them it would have fit.",
    "其他进程占用设备 {1} 中的 {0}（{2}）；没有它们就放得下。"};
inline constexpr Text kOomSayHolder{"PID {0}: {1}", "PID {0}：{1}"};
inline constexpr Text kOomSayMoreHolders{"and {0} more", "另有 {0} 个"};
inline constexpr Text kOomSayUnlisted{
    "{0} is held by nobody that is listed, most likely by processes outside this container.",
    "{0} 不属于任何已列出的进程，很可能属于容器之外的进程。"};
inline constexpr Text kOomSayRest{
    "{0} lies outside {1}'s allocator, far more than a context and libraries need: most likely "
    "other "
    "processes hold it, but the text does not say.",
    "{1} 的分配器之外另有 {0}，远超上下文与库所需：很可能被其他进程占用，但日志没有写明。"};
inline constexpr Text kOomSayPoolGrowth{
    "The driver refused the pool that {0} wants at its start: somebody else holds memory of the "
    "device.",
    "驱动拒绝了 {0} 启动时申请的显存池：设备的显存已被他人占用。"};
inline constexpr Text kOomSayEvaluation{
    "In evaluation {0} was allocated, in training at most {1}: activations are kept for a backward "
    "pass that never comes.",
    "评估时已分配 {0}，训练时最多 {1}：激活值被保留，等待永远不会到来的反向传播。"};
inline constexpr Text kOomSayEvaluationMaybe{
    "It happened in evaluation, and nothing in the traceback turns gradients off.",
    "失败发生在评估中，而调用栈里没有关闭梯度的迹象。"};
inline constexpr Text kOomSayOutside{
    "{0} of what this process holds lies outside its allocator (CUDA context, NCCL, libraries), "
    "where "
    "about {1} is usual.",
    "本进程的占用中有 {0} 在分配器之外（CUDA 上下文、NCCL、各种库），通常约为 {1}。"};
inline constexpr Text kOomSayOutsideGrew{
    "What this process holds outside its allocator grew from {0} to {1}.",
    "本进程在分配器之外的占用从 {0} 增至 {1}。"};
inline constexpr Text kOomSayLibrary{
    "{0} takes its memory from the driver, not from a framework's cache, and the driver had none "
    "left.",
    "{0} 直接向驱动申请显存，不使用框架的缓存，而驱动已无可分配。"};
inline constexpr Text kOomSayDriverCall{
    "A call to the driver outside the framework's allocator found no memory: the start of a "
    "context, "
    "a library, or pinned host memory.",
    "框架分配器之外的一次驱动调用未得到内存：创建上下文、库，或锁页主机内存。"};
inline constexpr Text kOomSayLimit{
    "This process may hold {0} at most, by a limit that was set; the device itself had {1} free.",
    "本进程被设定最多占用 {0}；设备本身还空闲 {1}。"};
inline constexpr Text kOomSayLimitPaddle{
    "FLAGS_gpu_memory_limit_mb holds this process to {0}, of which {1} was used.",
    "FLAGS_gpu_memory_limit_mb 将本进程限制在 {0}，其中已用 {1}。"};
inline constexpr Text kOomSayLimitSmall{
    "This process may hold {0} at most, by a limit that was set.", "本进程被设定最多占用 {0}。"};
inline constexpr Text kOomSayUsed{
    "All processes together hold {0} of {1}; the text does not say how much of it is this one's.",
    "所有进程共占用 {1} 中的 {0}；日志没有写明其中多少属于本进程。"};
inline constexpr Text kOomSayFreeEnough{
    "More was free than was asked for: another process may have taken it for a moment, or a limit "
    "that the text does not name holds (MPS, a container's, the operating system's).",
    "空闲量超过申请量：可能有其他进程短暂占用，或存在日志未提及的上限（MPS、容器或操作系统）。"};
inline constexpr Text kOomSayNothing{"The text does not tell why.", "日志没有说明原因。"};

// Host
inline constexpr Text kOomHostAsked{"{0} asked for {1} of host memory and got none.",
                                    "{0} 申请 {1} 主机内存，未能得到。"};
inline constexpr Text kOomHostAskedUnknown{"{0} asked for host memory and got none.",
                                           "{0} 申请主机内存，未能得到。"};
inline constexpr Text kOomKernelKilled{"The kernel's out-of-memory killer ended process {0} ({1}).",
                                       "内核的 OOM killer 结束了进程 {0}（{1}）。"};
inline constexpr Text kOomKernelKilledHeld{
    "The kernel's out-of-memory killer ended process {0} ({1}), which held {2}.",
    "内核的 OOM killer 结束了进程 {0}（{1}），其占用 {2}。"};
inline constexpr Text kOomKernel{"The kernel's out-of-memory killer was at work.",
                                 "内核的 OOM killer 曾被触发。"};
inline constexpr Text kOomGroupLimit{"The control group may hold {0}.", "控制组的上限为 {0}。"};
inline constexpr Text kOomGroup{"The limit of its control group was reached, not the machine's.",
                                "达到的是控制组的上限，而不是整机的。"};
inline constexpr Text kOomSlurm{"Slurm reports that the job's memory limit ended it.",
                                "Slurm 报告任务因内存上限被结束。"};
inline constexpr Text kOomContainer{"The container was ended because it reached its memory limit.",
                                    "容器因达到内存上限被结束。"};
inline constexpr Text kOomRay{"Ray ended a task because its machine was running low on memory.",
                              "Ray 因所在机器内存不足而结束了任务。"};
inline constexpr Text kOomWorkerKilled{
    "A worker of the data loader (PID {0}) was killed with SIGKILL.",
    "数据加载进程（PID {0}）被 SIGKILL 杀死。"};
inline constexpr Text kOomKilled{"A process was killed with SIGKILL.", "有进程被 SIGKILL 杀死。"};
inline constexpr Text kOomKillerSays{
    "The same log names the kernel's out-of-memory killer (or a batch system's).",
    "同一日志中提到了内核（或作业系统）的 OOM killer。"};
inline constexpr Text kOomKillerMaybe{
    "Most often that is the kernel, when host memory runs out; the log does not say so, and others "
    "may send SIGKILL, too.",
    "最常见的原因是主机内存耗尽时由内核发送；但日志没有写明，其他程序也可能发送 SIGKILL。"};
inline constexpr Text kOomBus{
    "A page of shared memory could not be had (SIGBUS): most likely /dev/shm is full.",
    "无法获得共享内存页（SIGBUS）：很可能 /dev/shm 已满。"};
inline constexpr Text kOomShmFile{"There was no room in /dev/shm for a file of shared memory.",
                                  "/dev/shm 中没有空间存放共享内存文件。"};
inline constexpr Text kOomShmFileSize{
    "There was no room in /dev/shm for a file of shared memory of {0}.",
    "/dev/shm 中没有空间存放 {0} 的共享内存文件。"};

// Remarks
inline constexpr Text kOomNoteSegment{
    "{0} is the segment that PyTorch asks the driver for; the tensor itself is smaller ({1}).",
    "{0} 是 PyTorch 向驱动申请的段，张量本身更小（{1}）。"};
inline constexpr Text kOomUpToMiB{"at most 1 MiB", "不超过 1 MiB"};
inline constexpr Text kOomUpTo10MiB{"1 to 10 MiB", "1 至 10 MiB"};
inline constexpr Text kOomNoteAbsurd{
    "Nobody means so much: look for a wrong size, such as a dimension that went below zero or was "
    "multiplied twice, rather than for memory.",
    "这么大的申请不会是本意：请检查尺寸是否算错（如维度变为负数，或重复相乘），而不是内存。"};
inline constexpr Text kOomNoteOwnGuessed{
    "The text does not say which process is this one; it was told by its size.",
    "日志没有写明哪个进程是本进程，这里按大小推断。"};
inline constexpr Text kOomNoteOverfull{
    "The parts are more than the device has: the driver moved some to host memory (Windows, WSL), "
    "or "
    "the numbers are not of one moment.",
    "各部分之和超过设备容量：驱动将部分数据移到了主机内存（Windows、WSL），或各数字不是同一时刻的"
    "。"};
inline constexpr Text kOomNotePools{"{0} is kept for CUDA graphs and serves nobody else.",
                                    "{0} 为 CUDA graph 保留，不能用于其他申请。"};
inline constexpr Text kOomNoteLate{
    "{0} steps had gone well: what is held grew, or this batch was larger than those before.",
    "此前 {0} 个训练步都正常：要么占用在增长，要么这个批次比之前的大。"};
inline constexpr Text kOomNoteSmallPieces{
    "{0} is free in pieces of the cache: with less fragmentation this request would have fit, but "
    "hardly more.",
    "缓存碎块中空闲 {0}：减少碎片后这次申请能放下，但余量很小。"};
inline constexpr Text kOomNoteKilledNotShm{
    "PyTorch's words blame /dev/shm whenever a worker dies unexpectedly; the log also shows a kill "
    "for want of host memory, which fits better.",
    "数据加载进程意外退出时 PyTorch 总会提示 "
    "/dev/shm；而日志中还有因主机内存不足的杀死记录，更符合实际。"};
inline constexpr Text kOomAlso{"Would have been enough, too: {}", "同样足以导致失败：{}"};

inline constexpr Text kOomGapNumbers{"the text gives no numbers", "日志没有给出数字"};
inline constexpr Text kOomGapFree{"the text does not say what was free", "日志没有写明空闲量"};
inline constexpr Text kOomGapCapacity{"the text does not say how much the device has",
                                      "日志没有写明设备容量"};
inline constexpr Text kOomGapProcesses{
    "the text does not tell other processes from what this one holds outside its allocator",
    "日志没有区分其他进程与本进程在分配器之外的占用"};
inline constexpr Text kOomGapAllocator{
    "the text does not tell what this process holds from what others do",
    "日志没有区分本进程与其他进程的占用"};
inline constexpr Text kOomGapHistory{
    "a log does not show how the memory went before, so growth from step to step cannot be told "
    "from "
    "a need that was always there",
    "日志没有此前的显存走势，无法区分逐步增长与一直如此的需求"};
inline constexpr Text kOomGapKiller{"the log does not say who sent SIGKILL",
                                    "日志没有写明是谁发送了 SIGKILL"};
inline constexpr Text kOomGapHost{"the text does not say how much memory the host had",
                                  "日志没有写明主机有多少内存"};
inline constexpr Text kOomMissing{"Not known: {}", "未知：{}"};
inline constexpr Text kOomListSeparator{"; ", "；"};

// The account
inline constexpr Text kOomPartAllocated{"tensors of this job", "本任务的张量"};
inline constexpr Text kOomPartPools{"kept for CUDA graphs", "为 CUDA graph 保留"};
inline constexpr Text kOomPartCached{"cached, free in pieces", "缓存中的空闲碎块"};
inline constexpr Text kOomPartOutside{"this job outside its allocator", "本任务在分配器之外"};
inline constexpr Text kOomPartOthers{"other processes", "其他进程"};
inline constexpr Text kOomPartUnlisted{"driver, or nobody listed", "驱动或未列出的进程"};
inline constexpr Text kOomPartRest{"context, libraries, other processes", "上下文、库与其他进程"};
inline constexpr Text kOomPartUsed{"used, by all processes", "已用（所有进程）"};
inline constexpr Text kOomPartUsedLimited{"used, by this process", "已用（本进程）"};
inline constexpr Text kOomPartFree{"free", "空闲"};
inline constexpr Text kOomTotalCapacity{"= the device has", "= 设备总量"};
inline constexpr Text kOomTotalPool{"= the pool may have", "= 显存池上限"};
inline constexpr Text kOomTotalLimit{"= the limit", "= 上限"};
inline constexpr Text kOomRowRequested{"asked for", "申请"};
inline constexpr Text kOomRowMissing{"missing", "缺少"};
inline constexpr Text kOomRowLimit{"limit that was set", "设定的上限"};

// `gpusight explain`
inline constexpr Text kExplainSummary{"Explain why memory ran out, from a log",
                                      "根据日志解释内存或显存不足的原因"};
inline constexpr Text kExplainDescription{
    "Reads a log of any size, finds every out-of-memory message in it (PyTorch, Paddle, JAX, "
    "TensorFlow, CUDA and its libraries, NCCL, the kernel, batch systems), and says what happened: "
    "the arithmetic, the cause and how sure it is, where it stands, and what to try first. "
    "Messages "
    "of one cause are shown as one. Needs no GPU.",
    "读取任意大小的日志，找出其中所有内存与显存不足的信息（PyTorch、Paddle、JAX、TensorFlow、CUDA "
    "及其库、NCCL、内核、作业系统），并说明发生了什么：账目、原因与把握、所在位置，以及首先该尝试什"
    "么。"
    "原因相同的信息合并显示。不需要 GPU。"};
inline constexpr Text kExplainFile{"The log; - reads standard input", "日志文件；- 表示标准输入"};
inline constexpr Text kExplainJson{"One JSON object (docs/explain.md)",
                                   "输出一个 JSON 对象（见 docs/zh/explain.md）"};
inline constexpr Text kExplainAll{"Each failure by itself, and all lines of evidence",
                                  "逐个显示每次失败，并列出全部依据"};
inline constexpr Text kExplainNoFile{"the log is not named", "没有指定日志文件"};
inline constexpr Text kExplainNoFileRemedy{"Name a file, or - for standard input.",
                                           "请给出文件名，或用 - 表示标准输入。"};
inline constexpr Text kExplainFolder{"{} is a folder", "{} 是目录"};
inline constexpr Text kExplainFolderRemedy{"Name one log in it.", "请指定其中的一个日志文件。"};
inline constexpr Text kExplainCompressed{"{} is compressed", "{} 是压缩文件"};
inline constexpr Text kExplainCompressedRemedy{
    "Unpack it on the way: zcat FILE | gpusight explain -.",
    "请边解压边读取：zcat FILE | gpusight explain -。"};
inline constexpr Text kExplainStandardInput{"standard input", "标准输入"};
inline constexpr Text kExplainNothing{"No out-of-memory message is in {0} ({1}).",
                                      "{0} 中没有内存或显存不足的信息（{1}）。"};
inline constexpr CountedText kExplainLines{{"{} line, {}", "{} 行，{}"},
                                           {"{} lines, {}", "{} 行，{}"}};
inline constexpr CountedText kExplainFailures{{"{} failure", "{} 次失败"},
                                              {"{} failures", "{} 次失败"}};
inline constexpr CountedText kExplainCauses{{"{} cause", "{} 种原因"}, {"{} causes", "{} 种原因"}};
inline constexpr Text kExplainHead{"{0}: {1}; {2}, {3}", "{0}：{1}；{2}，{3}"};
inline constexpr Text kExplainConfidence{"confidence {}", "把握 {}"};
inline constexpr Text kExplainOnRank{"rank {}", "rank {}"};
inline constexpr Text kExplainEnded{"It ended the program.", "程序因此结束。"};
inline constexpr Text kExplainWentOn{"The program went on.", "程序继续运行。"};
inline constexpr Text kExplainTitle{"{}  ({})", "{}（{}）"};
inline constexpr Text kExplainComma{", ", "，"};
inline constexpr Text kExplainThen{"Then, in line {}: {}", "随后，在第 {} 行：{}"};
inline constexpr Text kExplainAccount{"Where the memory was ({})", "显存去向（{}）"};
inline constexpr Text kExplainEvidence{"Evidence", "依据"};
inline constexpr Text kExplainTry{"Try first", "首先尝试"};
inline constexpr Text kExplainInWordsOf{"The same for {}", "{} 中的相应做法"};
inline constexpr Text kExplainLine{"line {}", "第 {} 行"};
inline constexpr Text kExplainAt{"in {2} at {0}:{1}", "位于 {0}:{1} 的 {2}"};
inline constexpr Text kExplainStep{"last progress: step {}", "最后进度：第 {} 步"};
inline constexpr Text kExplainEpochStep{"last progress: epoch {}, step {}",
                                        "最后进度：第 {} 轮，第 {} 步"};
inline constexpr Text kExplainEpoch{"last progress: epoch {}", "最后进度：第 {} 轮"};
inline constexpr Text kExplainRepeated{"printed {0} times, last in line {1}",
                                       "共打印 {0} 次，最后在第 {1} 行"};
inline constexpr Text kExplainSimilar{"{0} more of the same kind: {1}", "另有 {0} 次同类失败：{1}"};
inline constexpr Text kExplainLeftOut{"{} further failures were found and not kept.",
                                      "另有 {} 次失败未保留。"};
inline constexpr Text kExplainBuffers{"largest buffers", "最大的缓冲区"};
inline constexpr Text kExplainSetting{"the log sets {0}={1}", "日志中设置了 {0}={1}"};
inline constexpr Text kExplainReading{"{0} of {1} read ({2}), {3} found",
                                      "已读 {1} 中的 {0}（{2}），找到 {3} 处"};
inline constexpr Text kExplainReadingMore{"{0} read, {1} found", "已读 {0}，找到 {1} 处"};
inline constexpr Text kExplainNotSaid{"not in the text", "日志中没有"};
inline constexpr Text kExitNothing{"The command worked and found nothing (explain, why).",
                                   "命令执行成功，但没有找到内容（explain、why）。"};

}  // namespace gpusight::text
