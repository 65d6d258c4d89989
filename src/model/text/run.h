// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight run` and `gpusight watch`, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// Help
inline constexpr Text kRunSummary{"Run a command and record what it does on the GPU",
                                  "运行一条命令，并记录它在 GPU 上的全过程"};
inline constexpr Text kRunDescription{
    "Starts the command as the shell would and records the job (it and everything it starts) at "
    "three layers: the card, the framework and the host. The command keeps its terminal, its "
    "files, its signals and its exit code; it goes on when gpusight cannot record, or is killed. "
    "Without -o the recording is put into ./gpusight-runs/; nothing is ever overwritten. At the "
    "end one screen on the terminal sums up the run.",
    "像 shell "
    "一样启动命令，并从显卡、框架和主机三个层面记录整个作业（命令本身及其启动的所有进程）。"
    "命令的终端、文件、信号和退出码都保持不变；即使 gpusight "
    "无法记录或被杀死，命令也会继续运行。不带 "
    "-o 时，记录保存在 ./gpusight-runs/ 中，从不覆盖已有文件。结束时在终端上给出一屏小结。"};
inline constexpr Text kRunCommand{"The command to run, with its arguments", "要运行的命令及其参数"};
inline constexpr Text kRunOutput{"Put the recording into this file", "将记录保存到该文件"};
inline constexpr Text kRunName{"Name of the run (default: the script's)",
                               "运行的名称（默认取脚本名）"};
inline constexpr Text kRunTag{"Note this about the run; may be repeated: k=v",
                              "为运行附加标签 k=v，可重复"};
inline constexpr Text kRunInterval{"Time between two samples, from 100ms (default: 1s)",
                                   "采样间隔，最小 100ms（默认 1s）"};
inline constexpr Text kRunBudget{
    "Tell PyTorch, PaddlePaddle, JAX and TensorFlow to take at most this much memory of each GPU",
    "让 PyTorch、PaddlePaddle、JAX 和 TensorFlow 在每块 GPU 上最多占用这么多显存"};
inline constexpr Text kRunKeepFull{"Keep every sample for this time, then means (default: 1h)",
                                   "逐条保留样本的时长，更早的只保留均值（默认 1h）"};
inline constexpr Text kRunKeepTens{
    "Keep means over 10 s for this time, then over a minute (default: 6h)",
    "10 秒均值的保留时长，更早的只保留每分钟均值（默认 6h）"};
inline constexpr Text kRunSizeLimit{"Drop the oldest when the file would be larger than this",
                                    "文件超过该大小时丢弃最旧的数据"};
inline constexpr Text kRunNoFramework{
    "Leave the Python package out of the job: no allocator, no steps",
    "不在作业中启用 Python 包：不记录分配器和训练步"};
inline constexpr Text kRunNoOutputTail{"Do not keep the end of what the job prints into files",
                                       "不保存作业写入文件的输出末尾"};
inline constexpr Text kRunOutputTail{
    "Keep it also where that needs a relay between the job and its terminal or pipe",
    "即使需要在作业与其终端或管道之间转发，也保存输出末尾"};
inline constexpr Text kRunShowSummary{"Print the summary also where there is no terminal",
                                      "没有终端时也输出小结"};
inline constexpr Text kRunNoSummary{"Print no summary", "不输出小结"};

inline constexpr Text kWatchSummary{"Record a job that runs already", "记录已在运行的作业"};
inline constexpr Text kWatchDescription{
    "Records the process and everything below it as `gpusight run` does, until it ends or Ctrl-C "
    "is pressed; the job notices nothing. What the framework does is recorded if the job was "
    "started with gpusight's Python package.",
    "像 gpusight run 一样记录该进程及其所有子进程，直到其结束或按下 "
    "Ctrl-C，作业毫无感知。如果作业启动时启用了 gpusight 的 Python 包，也会记录框架层的数据。"};
inline constexpr Text kWatchPid{"The job's first process", "作业的首个进程"};

// Complaints
inline constexpr Text kRunNoCommand{"there is no command to run", "没有指定要运行的命令"};
inline constexpr Text kRunNoCommandRemedy{"Write it behind '--': gpusight run -- python train.py.",
                                          "请写在“--”之后：gpusight run -- python train.py。"};
inline constexpr Text kRunBadTag{"'{}' is not a tag", "“{}”不是标签"};
inline constexpr Text kRunTagForm{"Write name=value.", "请写成 名称=值。"};
inline constexpr Text kRunNotFound{"'{}' is not a program that can be found", "找不到程序“{}”"};
inline constexpr Text kRunNotFoundRemedy{"Check the spelling and PATH.", "请检查拼写和 PATH。"};
inline constexpr Text kRunNoInterpreter{"'{}' needs an interpreter or loader that is not there",
                                        "“{}”所需的解释器或加载器不存在"};
inline constexpr Text kRunNoInterpreterRemedy{"Look at its first line.", "请检查其首行。"};
inline constexpr Text kRunNotExecutable{"'{0}' cannot be run ({1})", "无法运行“{0}”（{1}）"};
inline constexpr Text kRunNotExecutableRemedy{"Make it executable, or run it with its interpreter.",
                                              "请为其添加执行权限，或通过解释器运行。"};
inline constexpr Text kWatchBadPid{"'{}' is not a process id", "“{}”不是进程号"};
inline constexpr Text kWatchNoProcess{"there is no process {}", "进程 {} 不存在"};
inline constexpr Text kWatchBegun{"process {0} is recorded into {1}; Ctrl-C ends the recording.",
                                  "正在将进程 {0} 记录到 {1}；按 Ctrl-C 结束记录。"};

// While it runs
inline constexpr Text kRunNotRecorded{"nothing is recorded ({}). The command runs on.",
                                      "无法记录（{}），命令继续运行。"};
inline constexpr Text kRunElsewhere{"{0}; the recording is put into {1}.",
                                    "{0}；记录改为保存到 {1}。"};
inline constexpr Text kRunNotOverwritten{"{0} exists and is kept; the recording is put into {1}.",
                                         "{0} 已存在，予以保留；记录保存到 {1}。"};
inline constexpr Text kRunLost{
    "the recording cannot be written ({}). The newest is kept in memory; the command runs on.",
    "无法写入记录（{}）。最新数据保留在内存中，命令继续运行。"};
inline constexpr CountedText kRunResumed{
    {"the recording can be written again; {} frame was lost.", "已恢复写入记录，期间丢失 {} 帧。"},
    {"the recording can be written again; {} frames were lost.",
     "已恢复写入记录，期间丢失 {} 帧。"}};
inline constexpr Text kRunRecorderDied{
    "the recorder ended early ({0}); {1} holds what was recorded before.",
    "记录进程提前结束（{0}）；{1} 中保存了此前的记录。"};
inline constexpr Text kRunRecorderSlow{"the recorder is still writing {}.",
                                       "记录进程仍在写入 {}。"};
inline constexpr Text kRunNoPackage{
    "gpusight's Python package is not beside the program: what the framework does is not recorded.",
    "程序旁没有 gpusight 的 Python 包：不会记录框架层的数据。"};

// --memory-budget
inline constexpr Text kBudgetSet{"memory budget {0}: set {1}", "显存预算 {0}：已设置 {1}"};
inline constexpr Text kBudgetKept{"kept as you set them: {}", "保留您的设置：{}"};
inline constexpr Text kBudgetNoPython{
    "PyTorch has no limit: that needs the Python package, which is left out",
    "PyTorch 不受限制：需要 Python 包，而本次未启用"};
inline constexpr Text kBudgetNoTotal{
    "JAX has no limit: it takes a share, and the size of the GPU cannot be asked",
    "JAX 不受限制：它按比例设置，而无法获知 GPU 的显存大小"};

// The screen at the end
inline constexpr Text kRunTitle{"{0} took {1}, {2}", "{0} 用时 {1}，{2}"};
inline constexpr Text kRunExited{"exit code {}", "退出码 {}"};
inline constexpr Text kRunKilled{"killed by {}", "被 {} 终止"};
inline constexpr Text kRunCore{" (core dumped)", "（已生成 core 文件）"};
inline constexpr Text kRunStillRuns{"and goes on", "仍在运行"};
inline constexpr Text kRunEndUnknown{"how it ended is not known", "结束方式未知"};
inline constexpr Text kRunRowSteps{"steps", "训练步"};
inline constexpr Text kRunRowUtilization{"utilisation", "利用率"};
inline constexpr Text kRunRowMemory{"memory, peak", "显存峰值"};
inline constexpr Text kRunRowEnergy{"energy", "能耗"};
inline constexpr Text kRunRowFindings{"findings", "诊断"};
inline constexpr Text kRunRowLeft{"left behind", "遗留进程"};
inline constexpr Text kRunRowFile{"recording", "运行记录"};
inline constexpr Text kRunComma{", ", "，"};
inline constexpr Text kRunUnknown{"{0}: {1}", "{0}：{1}"};
inline constexpr Text kRunNotTold{"not known: no process of the job told of its framework",
                                  "未知：作业中没有进程提供框架层数据"};
inline constexpr Text kRunNoSteps{"none that the framework told of", "框架未报告任何训练步"};
inline constexpr Text kRunStepTime{", median {}", "，中位数 {}"};
inline constexpr Text kRunDataWait{", {} of the time waiting for data", "，等待数据占 {}"};
inline constexpr Text kRunNoDevice{"the job used no GPU", "作业未使用 GPU"};
inline constexpr Text kRunPlain{"{}", "{}"};
inline constexpr Text kRunSm{"SM activity {}", "SM 活跃度 {}"};
inline constexpr Text kRunSmLabel{"SM activity", "SM 活跃度"};
inline constexpr Text kRunIdle{"idle {} of the time", "空闲占 {}"};
inline constexpr Text kRunIdleLabel{"idle share", "空闲占比"};
inline constexpr Text kRunDevices{" (mean of {} GPUs)", "（{} 块 GPU 平均）"};
inline constexpr CountedText kRunWholeMachine{
    {" (all of the GPU: whose processes use it cannot be told from here)",
     "（整块 GPU：此处无法得知由哪些进程使用）"},
    {" (all {} GPUs: whose processes use them cannot be told from here)",
     "（全部 {} 块 GPU：此处无法得知由哪些进程使用）"}};
inline constexpr Text kRunAllocated{"allocated {}", "已分配 {}"};
inline constexpr Text kRunAllocatedLabel{"allocated", "已分配"};
inline constexpr Text kRunReserved{"reserved {}", "已预留 {}"};
inline constexpr Text kRunReservedLabel{"reserved", "已预留"};
inline constexpr Text kRunNoAllocator{"; allocated and reserved are not told",
                                      "；已分配与已预留未知"};
inline constexpr Text kRunProcess{"process {}", "进程 {}"};
inline constexpr Text kRunProcessLabel{"process", "进程"};
inline constexpr Text kRunDevice{"device {}", "设备 {}"};
inline constexpr Text kRunDeviceLabel{"device", "设备"};
inline constexpr Text kRunEnergy{"{0}kJ ({1}Wh)", "{0}kJ（{1}Wh）"};
inline constexpr Text kRunPower{", {} on average", "，平均 {}"};
inline constexpr CountedText kRunLeftBehind{
    {"{} process of the job goes on, unrecorded", "作业仍有 {} 个进程在运行，不再记录"},
    {"{} processes of the job go on, unrecorded", "作业仍有 {} 个进程在运行，不再记录"}};
inline constexpr Text kRunNoFile{"none", "无"};

// The end, as a sentence of the recording: kEnd… is followed by what adds to it.
inline constexpr Text kEndRunning{"The recording ended before the job.", "记录先于作业结束。"};
inline constexpr Text kEndUnknown{"It ended; how, nobody could tell.",
                                  "作业已结束，方式无从得知。"};
inline constexpr Text kEndExited{"It ended with exit code {}.", "以退出码 {} 结束。"};
inline constexpr Text kEndExitedAs{"It ended with exit code {}, as after {}.",
                                   "以退出码 {} 结束，与被 {} 终止时相同。"};
inline constexpr Text kEndSignal{"{} ended it.", "被 {} 终止。"};
inline constexpr Text kEndByTerminal{
    " The kernel had sent that {} before (a key on the terminal, or from outside the container).",
    "内核在此前 {} 发出该信号（终端按键，或来自容器之外）。"};
inline constexpr Text kEndBySender{" {} (process {}) had sent that {} before.",
                                   "{}（进程 {}）在此前 {} 发出该信号。"};
inline constexpr CountedText kEndOomContainer{
    {" The kernel killed {:.0f} process: no memory was left in its control group.",
     "控制组内存不足，内核终止了 {:.0f} 个进程。"},
    {" The kernel killed {:.0f} processes: no memory was left in its control group.",
     "控制组内存不足，内核终止了 {:.0f} 个进程。"}};
inline constexpr CountedText kEndOomMachine{
    {" The kernel killed {:.0f} process: no memory was left on the machine.",
     "整机内存不足，内核终止了 {:.0f} 个进程。"},
    {" The kernel killed {:.0f} processes: no memory was left on the machine.",
     "整机内存不足，内核终止了 {:.0f} 个进程。"}};
inline constexpr Text kEndLimit{" The limit is {}.", "上限为 {}。"};
inline constexpr Text kEndOutOfMemory{" It got no memory on the GPU.", "未能获得 GPU 显存。"};
inline constexpr Text kEndXid{" The driver reported XID {} on {}: {}.",
                              "驱动报告 XID {}（{}）：{}。"};
inline constexpr Text kEndException{" Its last words: {}", "最后的报错：{}"};
inline constexpr Text kEndShm{" /dev/shm was full: {} of {}.", "/dev/shm 已满：{} / {}。"};
inline constexpr Text kEndCore{" It left a core file.", "已生成 core 文件。"};
inline constexpr Text kEndLeft{" Processes of it that go on: {}.", "仍在运行的进程数：{}。"};

}  // namespace gpusight::text
