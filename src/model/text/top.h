// SPDX-License-Identifier: Apache-2.0
// What `gpusight top` says, in both languages. The help screen's lines stand in tui/keys.cc's
// table, the columns' in tui/columns.cc's, next to what they describe.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// The header
inline constexpr Text kTopDriver{"driver {}", "驱动 {}"};
inline constexpr CountedText kTopDevices{{"{} GPU", "{} 个 GPU"}, {"{} GPUs", "{} 个 GPU"}};
inline constexpr CountedText kTopInstances{{"{} MIG instance", "{} 个 MIG 实例"},
                                           {"{} MIG instances", "{} 个 MIG 实例"}};
inline constexpr Text kTopDeviceWindow{"showing {}-{}", "显示 {}-{}"};
inline constexpr Text kTopCpu{"CPU {}/{}", "CPU {}/{}"};
inline constexpr Text kTopHostMemory{"memory {}/{}", "内存 {}/{}"};
inline constexpr Text kTopLoad{"load {}", "负载 {}"};
inline constexpr Text kTopEvery{"every {}", "间隔 {}"};
inline constexpr Text kTopPaused{"PAUSED", "已暂停"};
inline constexpr Text kTopPlaying{"PLAY {}", "播放 {}"};
inline constexpr Text kTopFinished{"END", "播放结束"};
inline constexpr Text kTopReadOnly{"read-only", "只读"};

// Devices
inline constexpr Text kTopUtil{"util", "利用率"};
inline constexpr Text kTopSm{"SM", "SM"};
inline constexpr Text kTopTensor{"tensor", "张量核心"};
inline constexpr Text kTopDram{"DRAM", "DRAM"};
inline constexpr Text kTopMemory{"memory", "显存"};
inline constexpr Text kTopPower{"power", "功耗"};
inline constexpr Text kTopMemoryActivity{"mem ctrl", "显存控制器"};
inline constexpr Text kTopTemperature{"temp", "温度"};
inline constexpr Text kTopClock{"clock", "时钟"};
inline constexpr Text kTopState{"state", "状态"};
inline constexpr Text kTopName{"name", "名称"};
inline constexpr Text kTopDevice{"GPU", "GPU"};
inline constexpr Text kTopProcesses{"processes", "进程"};
inline constexpr Text kTopResidual{"residual", "未归属"};
inline constexpr Text kTopReserved{"reserved", "驱动预留"};
inline constexpr Text kTopFree{"free", "空闲"};
inline constexpr Text kTopMemoryClock{"memory clock", "显存时钟"};
inline constexpr Text kTopPcie{"PCIe", "PCIe"};
inline constexpr Text kTopFan{"fan", "风扇"};
inline constexpr Text kTopNvlink{"NVLink", "NVLink"};
inline constexpr Text kTopThrottle{"throttled: {}", "降频：{}"};
inline constexpr Text kTopXid{"XID {}", "XID {}"};
inline constexpr Text kTopEcc{"ECC uncorrected {}", "ECC 不可纠正 {}"};
inline constexpr Text kTopRemapPending{"row remap pending", "显存行重映射待生效"};
inline constexpr Text kTopRemapFailed{"row remap failed", "显存行重映射失败"};
inline constexpr Text kTopUnified{"memory shared with the host", "与主机共享内存"};

inline constexpr Text kTopStateOk{"ok", "正常"};
inline constexpr Text kTopStateLost{"LOST", "已掉线"};
inline constexpr Text kTopStateNeedsReset{"NEEDS RESET", "需要复位"};
inline constexpr Text kTopStateAbsent{"ABSENT", "已消失"};
inline constexpr Text kTopStateNoPermission{"NO PERMISSION", "没有权限"};
inline constexpr Text kTopStateSuspended{"SUSPENDED", "已挂起"};
inline constexpr Text kTopStateNoAnswer{"NO ANSWER", "无响应"};
inline constexpr Text kTopExplainLost{"The GPU fell off the bus. Other GPUs are not affected.",
                                      "该 GPU 已从总线上掉线，其他 GPU 不受影响。"};
inline constexpr Text kTopExplainNeedsReset{"The driver asks for a reset of this GPU.",
                                            "驱动要求复位该 GPU。"};
inline constexpr Text kTopExplainAbsent{"It was here earlier; the driver does not list it now.",
                                        "此前存在，现在驱动已不再列出。"};
inline constexpr Text kTopExplainNoPermission{"Its device node may not be opened.",
                                              "无权打开其设备节点。"};
inline constexpr Text kTopExplainSuspended{"It sleeps to save power and is not woken to be asked.",
                                           "为省电而休眠，不会因查询而唤醒。"};
inline constexpr Text kTopExplainNoAnswer{"Its driver call does not return.",
                                          "对它的驱动调用一直没有返回。"};

inline constexpr Text kTopReasonPowerCap{"power cap", "功耗上限"};
inline constexpr Text kTopReasonHardware{"hardware slowdown", "硬件降频"};
inline constexpr Text kTopReasonSyncBoost{"sync boost", "同步加速"};
inline constexpr Text kTopReasonSoftwareThermal{"heat (driver)", "温度（驱动）"};
inline constexpr Text kTopReasonHardwareThermal{"heat (hardware)", "温度（硬件）"};
inline constexpr Text kTopReasonPowerBrake{"power brake", "电源制动"};
inline constexpr Text kTopReasonDisplay{"display clock", "显示时钟"};

// Banners and places without content
inline constexpr Text kTopDriverSilent{"The driver has not answered for {}.",
                                       "驱动已有 {} 没有响应。"};
inline constexpr Text kTopNoFrames{"No new data for {}. What is shown is old.",
                                   "已有 {} 没有新数据，当前显示的是旧数据。"};
inline constexpr Text kTopWaiting{"Waiting for the first data ({})", "正在等待第一批数据（{}）"};
inline constexpr Text kTopNoDevices{"No GPU", "没有 GPU"};
inline constexpr Text kTopNothingKnown{"No GPU is known yet", "尚未发现任何 GPU"};
inline constexpr Text kTopNoProcesses{"No process uses a GPU.", "没有进程在使用 GPU。"};
inline constexpr Text kTopNoMatch{"No process matches the filter '{}'.",
                                  "没有进程符合过滤条件“{}”。"};
inline constexpr Text kTopProcessesMissing{"Processes: {}", "进程：{}"};
inline constexpr Text kTopMore{"{} more", "还有 {} 个"};
inline constexpr Text kTopOutside{"outside this container", "位于容器之外"};
inline constexpr Text kTopZombie{"ended, still listed by the driver", "已结束，驱动仍在列出"};

// The last line
inline constexpr Text kTopHintHelp{"Help", "帮助"};
inline constexpr Text kTopHintSearch{"Search", "搜索"};
inline constexpr Text kTopHintFilter{"Filter", "过滤"};
inline constexpr Text kTopHintTree{"Tree", "树形"};
inline constexpr Text kTopHintAll{"All", "全部"};
inline constexpr Text kTopHintSort{"Sort", "排序"};
inline constexpr Text kTopHintSignal{"Signal", "信号"};
inline constexpr Text kTopHintColumns{"Columns", "列"};
inline constexpr Text kTopHintDetails{"Details", "详情"};
inline constexpr Text kTopHintFocus{"GPU", "GPU"};
inline constexpr Text kTopHintPause{"Pause", "暂停"};
inline constexpr Text kTopHintQuit{"Quit", "退出"};
inline constexpr Text kTopHintStepBack{"-10s", "-10 秒"};
inline constexpr Text kTopHintStepOn{"+10s", "+10 秒"};
inline constexpr Text kTopHintBack{"Back", "返回"};
inline constexpr Text kTopHintScroll{"Scroll", "滚动"};
inline constexpr Text kTopSearchPrompt{"Search: ", "搜索："};
inline constexpr Text kTopFilterPrompt{"Filter: ", "过滤："};

// Messages
inline constexpr Text kTopSearchNothing{"Nothing matches '{}'.", "没有与“{}”匹配的进程。"};
inline constexpr Text kTopSorted{"Sorted by {}.", "按“{}”排序。"};
inline constexpr Text kTopIntervalNow{"A new frame every {}.", "每 {} 采样一次。"};
inline constexpr Text kTopSpeedNow{"Speed {}.", "播放速度 {}。"};
inline constexpr Text kTopSpanNow{"Charts: one dot is {}.", "图表：每个点代表 {}。"};
inline constexpr Text kTopFocusNow{"Only GPU {}. Press d for the next, Esc for all.",
                                   "仅显示 GPU {}。按 d 切换下一个，按 Esc 显示全部。"};
inline constexpr Text kTopFocusAll{"All GPUs.", "显示全部 GPU。"};

// Signals
inline constexpr Text kTopSignalTitle{"Send which signal to {}?", "向 {} 发送哪个信号？"};
inline constexpr Text kTopConfirmTitle{"Send {}?", "确定发送 {}？"};
inline constexpr Text kTopConfirmPid{"Process", "进程"};
inline constexpr Text kTopConfirmUser{"User", "用户"};
inline constexpr Text kTopConfirmCommand{"Command", "命令"};
inline constexpr Text kTopConfirmKeys{"y: send    n, Esc: do nothing", "y：发送    n、Esc：取消"};
inline constexpr Text kTopSent{"{} was sent to process {}.", "已向进程 {1} 发送 {0}。"};
inline constexpr Text kTopRefuseReadOnly{"No signals: gpusight runs with --read-only.",
                                         "不能发送信号：gpusight 以 --read-only 运行。"};
inline constexpr Text kTopRefuseInit{"No signal to 1: it keeps this machine or container alive.",
                                     "不向 1 发送信号：它维持着这台机器或容器的运行。"};
inline constexpr Text kTopRefuseNothing{"No process is selected.", "没有选中的进程。"};
inline constexpr Text kTopRefuseOutside{
    "No signal to {}: its number belongs to another PID namespace, so it may be somebody else "
    "here.",
    "不向 {} 发送信号：该编号属于另一个 PID 命名空间，在这里可能是别的进程。"};
inline constexpr Text kTopRefuseNotOurs{"No signal to {}: it belongs to {}, not to you.",
                                        "不向 {} 发送信号：它属于 {}，不属于您。"};
inline constexpr Text kTopRefuseZombie{"No signal to {}: it has already ended.",
                                       "不向 {} 发送信号：它已经结束。"};
inline constexpr Text kTopRefuseUnsure{
    "No signal to {}: its start time is not known, so it cannot be told from a later process.",
    "不向 {} 发送信号：不知道它的启动时间，无法与之后的进程区分。"};
inline constexpr Text kTopRefuseRecorded{
    "No signals: this is a recorded machine, its processes do not run here.",
    "不能发送信号：这是录制的机器，其进程并不在此运行。"};
inline constexpr Text kTopRefuseGone{"No signal: process {} ended in the meantime.",
                                     "未发送信号：进程 {} 在此期间已结束。"};
inline constexpr Text kTopRefuseChanged{"No signal: {} is another process now.",
                                        "未发送信号：{} 现在已是另一个进程。"};
inline constexpr Text kTopRefuseSystem{"The system did not send it: {}.", "系统未能发送：{}。"};

inline constexpr Text kTopSigTerm{"end, please", "请求结束"};
inline constexpr Text kTopSigInt{"interrupt, as Ctrl-C", "中断，同 Ctrl-C"};
inline constexpr Text kTopSigHup{"hang up", "挂断"};
inline constexpr Text kTopSigQuit{"end and leave a core", "结束并生成核心转储"};
inline constexpr Text kTopSigUsr1{"as the program likes", "由程序自定"};
inline constexpr Text kTopSigStop{"stop until CONT", "暂停，直到 CONT"};
inline constexpr Text kTopSigCont{"go on after STOP", "暂停后继续"};
inline constexpr Text kTopSigKill{"end at once, nothing is saved", "立即结束，不保存任何数据"};

// Dialogs and pages
inline constexpr Text kTopSortTitle{"Sort by", "排序方式"};
inline constexpr Text kTopColumnsTitle{"Columns", "显示的列"};
inline constexpr Text kTopHelpTitle{"Help", "帮助"};
inline constexpr Text kTopHelpKeys{"Keys", "按键"};
inline constexpr Text kTopHelpPlayback{"While a recording is played", "播放运行记录时"};
inline constexpr Text kTopHelpMouse{"Mouse", "鼠标"};
inline constexpr Text kTopHelpMouseText{
    "Click: select a process, sort by a column, choose a GPU. Twice: details. Wheel: scroll.",
    "单击：选中进程、按列排序、选择 GPU。双击：详情。滚轮：滚动。"};
inline constexpr Text kTopHelpBar{"Memory bar", "显存条"};
inline constexpr Text kTopHelpColumns{"Columns", "列"};
inline constexpr Text kTopHelpCharts{"Charts", "图表"};
inline constexpr Text kTopHelpChartsText{
    "The area is the mean of its time, the dot above it the highest sample. Blank: not measured.",
    "填充部分为该时段平均值，上方的点为该时段的最高值；空白表示没有数据。"};
inline constexpr Text kTopProcessTitle{"Process {}", "进程 {}"};
inline constexpr Text kTopDeviceTitle{"GPU {}", "GPU {}"};
inline constexpr Text kTopProcessEnded{"The process has ended.", "进程已结束。"};

// Sections and labels of the process page
inline constexpr Text kTopSecWho{"Who", "身份"};
inline constexpr Text kTopSecGpu{"On GPUs", "GPU 使用"};
inline constexpr Text kTopSecHost{"On the host", "主机资源"};
inline constexpr Text kTopSecContainer{"Container", "容器"};
inline constexpr Text kTopSecThreads{"Threads, busiest first", "线程（按 CPU 占用排序）"};
inline constexpr Text kTopSecFindings{"Findings", "诊断"};
inline constexpr Text kTopSecMounts{"File systems in use", "使用的文件系统"};
inline constexpr Text kTopLabelCommand{"command line", "命令行"};
inline constexpr Text kTopLabelUser{"user", "用户"};
inline constexpr Text kTopLabelStarted{"started", "启动时间"};
inline constexpr Text kTopLabelParent{"parent", "父进程"};
inline constexpr Text kTopLabelRole{"role", "角色"};
inline constexpr Text kTopLabelNamespace{"numbers, outermost first", "各层 PID（由外到内）"};
inline constexpr Text kTopLabelVisible{"visible devices", "可见设备"};
inline constexpr Text kTopLabelSlurm{"Slurm job", "Slurm 作业"};
inline constexpr Text kTopLabelContainer{"container", "容器"};
inline constexpr Text kTopLabelRuntime{"runtime", "运行时"};
inline constexpr Text kTopLabelPod{"pod", "Pod"};
inline constexpr Text kTopLabelPath{"control group", "cgroup"};
inline constexpr Text kTopOnHost{"none, on the host itself", "无，直接运行在主机上"};
inline constexpr Text kTopAgo{"{} ({} ago)", "{}（{} 前）"};
inline constexpr Text kTopThreadsMissing{"not read yet", "尚未读取"};

inline constexpr Text kTopRoleOther{"other", "其他"};
inline constexpr Text kTopRoleLoader{"loader worker", "数据加载进程"};
inline constexpr Text kTopRoleLauncher{"launcher", "启动器"};
inline constexpr Text kTopRoleRank{"rank", "训练进程"};
inline constexpr Text kTopRoleCompiler{"compiler", "编译器"};

// Sections of the device page
inline constexpr Text kTopSecDevice{"Identity", "标识"};
inline constexpr Text kTopSecValues{"Everything that is known, and why something is not",
                                    "全部已知数值及缺失原因"};

// The command line
inline constexpr Text kTopSummary{"Watch every GPU and every process on it, live",
                                  "实时查看每个 GPU 及其上的每个进程"};
inline constexpr Text kTopDescription{
    "Shows charts of every device and a table of its processes, and keeps them current. Press h "
    "for the keys. The driver is asked in the background: when it hangs, the screen does not.",
    "显示每个设备的图表和其上进程的列表，并持续刷新。按 h "
    "查看按键。驱动在后台查询：即使驱动卡住，界面也不会卡住。"};
inline constexpr Text kTopOptInterval{"Time between two frames (default: 1s)",
                                      "两次采样的间隔（默认 1s）"};
inline constexpr Text kTopOptDevice{
    "Only these devices: index, range (0-3) or the beginning of the UUID",
    "仅限这些设备：序号、范围（0-3）或 UUID 开头部分"};
inline constexpr Text kTopOptSort{"Sort processes by this column", "按该列对进程排序"};
inline constexpr Text kTopOptOnce{"Print one screen as text and end", "以文本形式输出一屏后退出"};
inline constexpr Text kTopOptReadOnly{"Never send signals to processes", "绝不向进程发送信号"};
inline constexpr Text kTopOptAscii{"Draw with plain ASCII characters", "只用 ASCII 字符绘制"};
inline constexpr Text kTopOptNoColor{"Use no colours", "不使用颜色"};
inline constexpr Text kTopUnknownTerminal{"the terminal type '{}' is not known here",
                                          "此处没有终端类型“{}”的定义"};
inline constexpr Text kTopUnknownTerminalRemedy{
    "Set TERM to a type that is installed, such as xterm-256color.",
    "请将 TERM 设为已安装的类型，例如 xterm-256color。"};
inline constexpr Text kTopDumbTerminal{"a terminal of type '{}' cannot place its cursor",
                                       "类型为“{}”的终端不支持光标定位"};
inline constexpr Text kTopNoTerminal{"'{}' needs a terminal", "“{}”需要在终端中运行"};
inline constexpr Text kTopNoTerminalRemedy{"Use 'gpusight {} --once'.",
                                           "请使用“gpusight {} --once”。"};
inline constexpr Text kTopDumbTerminalRemedy{"Use 'gpusight status', or 'gpusight top --once'.",
                                             "请使用“gpusight status”或“gpusight top --once”。"};

}  // namespace gpusight::text
