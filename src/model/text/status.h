// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight status` and of the tables that `who` shares with it, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kStatusSummary{"Show every GPU and every process on it, now",
                                     "显示每个 GPU 及其上每个进程的当前状态"};
inline constexpr Text kStatusDescription{
    "Shows each device with how busy it is, an account of its memory that adds up, temperature, "
    "power, clocks and links, and the processes on it. Activity of the SMs, rates, and the CPU use "
    "of processes need two looks: --sample says how far apart; on a terminal it is 200ms, in a "
    "pipe "
    "there is one look.",
    "显示每个设备的繁忙程度、各项能对上的显存明细、温度、功耗、时钟与链路，以及其上的进程。SM "
    "活跃度、速率与进程的 CPU 占用需要两次采样，间隔由 --sample 指定；在终端中默认 "
    "200ms，在管道中只采样一次。"};
inline constexpr Text kStatusJson{"One JSON object (docs/json-status.md)",
                                  "输出一个 JSON 对象（见 docs/zh/json-status.md）"};
inline constexpr Text kStatusCsv{"One line per device, every metric a column",
                                 "每个设备一行，每个指标一列"};
inline constexpr Text kStatusWatch{"Repeat at this interval until interrupted",
                                   "按该间隔重复，直到被中断"};
inline constexpr Text kStatusSample{"Look twice, this far apart; 0 looks once",
                                    "按该间隔采样两次；0 表示只采样一次"};
inline constexpr Text kStatusDevice{
    "Only these devices: index, range (0-3) or the beginning of the UUID",
    "仅限这些设备：序号、范围（0-3）或 UUID 开头部分"};
inline constexpr Text kJsonAndCsv{"--json and --csv exclude one another",
                                  "--json 与 --csv 不能同时使用"};
inline constexpr Text kChooseOne{"Choose one of them.", "请选择其一。"};

// The head
inline constexpr Text kDriver{"driver {}", "驱动 {}"};
inline constexpr Text kHostLabel{"host", "主机"};
inline constexpr Text kHostCpu{"CPU {}/{} cores", "CPU {}/{} 核"};
inline constexpr CountedText kHostCpus{{"{} CPU", "{} 个 CPU"}, {"{} CPUs", "{} 个 CPU"}};
inline constexpr Text kHostMemory{"memory {} of {}", "内存 {} / {}"};
inline constexpr Text kHostShm{"/dev/shm {} of {}", "/dev/shm {} / {}"};
inline constexpr Text kHostLoad{"load {:.2f}", "负载 {:.2f}"};

// A device's block
inline constexpr Text kLabelBusy{"busy", "利用率"};
inline constexpr Text kLabelPast{"past", "近期"};
inline constexpr Text kLabelMemory{"memory", "显存"};
inline constexpr Text kMemoryOf{"{} of {}", "{} / {}"};
inline constexpr Text kSm{"SM {}", "SM {}"};
inline constexpr Text kTensor{"tensor {}", "张量核心 {}"};
inline constexpr Text kDram{"DRAM {}", "DRAM {}"};
inline constexpr Text kMeanOver{"mean over {}", "最近 {} 的平均值"};
inline constexpr Text kMax{"max {}", "最高 {}"};
inline constexpr Text kIdle{"idle {}", "空闲 {}"};
inline constexpr Text kClockSm{"SM {} MHz", "SM {} MHz"};
inline constexpr Text kClockMemory{"mem {} MHz", "显存 {} MHz"};
inline constexpr Text kAccountUsed{"used", "已用"};
inline constexpr Text kAccountTotal{"total", "总量"};
inline constexpr Text kAccountProcesses{"processes", "进程"};
inline constexpr Text kAccountResidual{"residual", "未归属"};
inline constexpr Text kAccountUnit{" ({})", "（{}）"};
inline constexpr Text kAccountFree{"free", "空闲"};
inline constexpr Text kAccountDriver{"driver", "驱动预留"};

// Remarks on a device
inline constexpr Text kNoteLost{"the GPU fell off the bus; only a reset or a reboot brings it back",
                                "GPU 已从总线掉线，需要复位或重启才能恢复"};
inline constexpr Text kNoteNeedsReset{"the driver asks for a reset of this GPU",
                                      "驱动要求复位该 GPU"};
inline constexpr Text kNoteAbsent{"was here earlier and is not listed any more",
                                  "此前存在，现在已不在设备列表中"};
inline constexpr Text kNoteNoPermission{"its device node may not be opened: permission denied",
                                        "没有权限打开其设备节点"};
inline constexpr Text kNoteSuspended{"asleep, and left asleep", "处于休眠状态，未唤醒"};
inline constexpr Text kNoteNoAnswer{"the driver does not answer for it", "驱动对它没有响应"};
inline constexpr Text kNoteLinkWidth{"PCIe x{0}, below its maximum x{1}: check slot and riser",
                                     "PCIe x{0}，低于最大值 x{1}：请检查插槽与转接卡"};
inline constexpr Text kNoteLinkGeneration{"PCIe generation {0}, below its maximum {1}",
                                          "PCIe 第 {0} 代，低于最高的第 {1} 代"};
inline constexpr Text kNoteClocks{"clocks held down by: {}", "时钟频率受限，原因：{}"};
inline constexpr Text kNoteEcc{"memory errors that could not be corrected: {}",
                               "不可纠正的显存错误：{}"};
inline constexpr Text kNoteRemapPending{"a row remap waits for a GPU reset",
                                        "有显存行重映射待 GPU 复位后生效"};
inline constexpr Text kNoteRemapFailed{"a row could not be remapped: return the card",
                                       "显存行重映射失败：请返修该卡"};
inline constexpr Text kNoteXid{"XID error {}", "XID 错误 {}"};
inline constexpr Text kNoteUnified{
    "shares the host's memory: total and free are the host's, used is what the GPU's processes "
    "hold, so that they do not add up",
    "与主机共用内存：总量与空闲为主机的数值，已用为 GPU 进程占用之和，因此各项相加不等于总量"};
inline constexpr Text kNoteMig{"divided into MIG instances", "已划分为 MIG 实例"};

inline constexpr Text kNoteHidden{
    "{} may belong to processes that are hidden from this PID namespace; on the host, 'gpusight "
    "who' names them",
    "未归属的 {} 可能属于对本 PID 命名空间不可见的进程；在宿主机上运行“gpusight who”可查看"};
inline constexpr Text kNoteUnowned{"{} are used under no listed process; 'gpusight who' says more",
                                   "已用显存中的 {} 不属于任何已列出的进程；详见“gpusight who”"};
inline constexpr Text kUnknownAmount{"an unknown amount", "大小未知的显存"};
inline constexpr Text kNoteZombies{
    "processes that ended still hold {}; 'gpusight who' says what may release it",
    "已结束的进程仍占用 {}；释放方法见“gpusight who”"};

// Why clocks are held down, by bit
inline constexpr Text kReasonPowerCap{"power cap", "功耗上限"};
inline constexpr Text kReasonHardwareSlowdown{"hardware slowdown", "硬件降频"};
inline constexpr Text kReasonSyncBoost{"sync boost", "同步加速"};
inline constexpr Text kReasonSoftwareThermal{"software thermal", "软件温控"};
inline constexpr Text kReasonHardwareThermal{"hardware thermal", "硬件温控"};
inline constexpr Text kReasonPowerBrake{"power brake", "电源制动"};

// Footnotes: what is missing, and what to do about it.
inline constexpr Text kOfProcesses{"{} of processes", "进程的 {}"};

// The table of processes
inline constexpr Text kColumnGpu{"GPU", "GPU"};
inline constexpr Text kColumnPid{"PID", "进程号"};
inline constexpr Text kColumnUser{"USER", "用户"};
inline constexpr Text kColumnContainer{"CONTAINER", "容器"};
inline constexpr Text kColumnSince{"SINCE", "启动时间"};
inline constexpr Text kColumnMemory{"GPU MEM", "显存"};
inline constexpr Text kColumnSm{"SM", "SM"};
inline constexpr Text kColumnCpu{"CPU", "CPU"};
inline constexpr Text kColumnType{"TYPE", "类型"};
inline constexpr Text kColumnCommand{"COMMAND", "命令"};
inline constexpr Text kColumnJob{"JOB", "作业"};
inline constexpr Text kColumnShare{"SHARE", "占比"};
inline constexpr Text kOutside{"(outside this container)", "（位于容器之外）"};
inline constexpr Text kZombie{"(ended, not yet released)", "（已结束，尚未释放）"};
inline constexpr CountedText kWorkers{{"+{} loader worker", "+{} 个数据加载进程"},
                                      {"+{} loader workers", "+{} 个数据加载进程"}};
inline constexpr Text kProcessesUnknown{"processes of {} unknown: {}", "{} 的进程未知：{}"};
inline constexpr Text kNoProcesses{"no processes", "没有进程"};

}  // namespace gpusight::text
