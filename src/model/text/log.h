// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight log`, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kLogSummary{"Write one line per device and interval",
                                  "按固定间隔为每个设备输出一行记录"};
inline constexpr Text kLogDescription{
    "Writes one line for each device at once and then at every multiple of the interval, to "
    "standard output or to a file, until it is interrupted or --for or --count ends it. With --pid "
    "there is one line for each device that one of the processes uses, and it ends when all of "
    "them "
    "have ended. SIGHUP opens the file again.",
    "立即为每个设备输出一行，之后每隔固定时间输出一次，写到标准输出或文件，直到被中断，或由 --for、"
    "--count 结束。使用 --pid "
    "时，为其中每个进程所用的每个设备输出一行，并在这些进程全部结束后退出。收到 "
    "SIGHUP 时重新打开文件。"};

inline constexpr Text kLogInterval{"Time between two lines of a device, from 100ms (default: 5s)",
                                   "同一设备两行之间的间隔，最小 100ms（默认 5s）"};
inline constexpr Text kLogFor{"End after this time", "运行达到该时长后结束"};
inline constexpr Text kLogCount{"End after this many samples", "采样达到该次数后结束"};
inline constexpr Text kLogFormat{"Format: text, logfmt, csv or jsonl (default: text)",
                                 "格式：text、logfmt、csv 或 jsonl（默认 text）"};
inline constexpr Text kLogFields{
    "Fields, in this order (default: util,mem_used,mem_total); 'help' lists them",
    "要输出的字段及其顺序（默认 util,mem_used,mem_total）；“help”列出全部字段"};
inline constexpr Text kLogDevice{
    "Only these devices: index, range (0-3) or the beginning of the UUID",
    "仅限这些设备：序号、范围（0-3）或 UUID 开头部分"};
inline constexpr Text kLogPid{"Lines about these processes", "只输出这些进程的记录"};
inline constexpr Text kLogOutput{"Append to this file instead of standard output",
                                 "追加写入该文件，而非标准输出"};
inline constexpr Text kLogRotateSize{"Start a new file before this one grows larger than this",
                                     "在文件超过该大小之前换用新文件"};
inline constexpr Text kLogRotateAge{"Start a new file when this one is that old",
                                    "文件使用达到该时长后换用新文件"};
inline constexpr Text kLogKeep{"Old files to keep, FILE.1 being the newest (default: 5)",
                               "保留的旧文件数，FILE.1 最新（默认 5）"};

inline constexpr Text kLogUnknownField{"there is no field '{}'", "没有字段“{}”"};
inline constexpr Text kLogSeeFields{"'gpusight log --fields help' lists all fields.",
                                    "用“gpusight log --fields help”查看全部字段。"};
inline constexpr Text kLogHelpAlone{"'help' stands among fields", "“help”不能与字段同时列出"};
inline constexpr Text kLogHelpInFile{"'help' is no field; it belongs on the command line",
                                     "“help”不是字段，只能写在命令行上"};
inline constexpr Text kLogFieldNeedsPid{"the field '{}' is about one process",
                                        "字段“{}”只适用于进程"};
inline constexpr Text kLogNameAPid{"Name the process with --pid.", "请用 --pid 指定进程。"};
inline constexpr Text kLogRotateNeedsFile{"{} needs a file", "{} 需要指定文件"};
inline constexpr Text kLogUseOutput{"Name it with -o FILE.", "请用 -o 文件 指定。"};
inline constexpr Text kLogBadPid{"'{}' is not a process id", "“{}”不是进程号"};
inline constexpr Text kLogPidAsNumber{"Write a number such as 4242.", "请写成 4242 这样的数字。"};
inline constexpr Text kLogNoProcess{"there is no process {}", "进程 {} 不存在"};
inline constexpr Text kLogSeeWho{"'gpusight who' lists the processes on every device.",
                                 "用“gpusight who”列出每个设备上的进程。"};
inline constexpr Text kLogOutsideRemedy{
    "Run 'gpusight log --pid {}' on the host; without --pid all of each device is logged here.",
    "请在宿主机上运行“gpusight log --pid {}”；不带 --pid 则在此记录整个设备。"};
inline constexpr Text kLogForeign{"{} was not written by 'gpusight log'",
                                  "{} 不是 gpusight log 写出的文件"};
inline constexpr Text kLogForeignRemedy{
    "Rotation would move and in the end delete it: choose another name with -o FILE, or move it "
    "away.",
    "轮转会移动它并最终将其删除：请用 -o FILE 换一个文件名，或先将其移走。"};
inline constexpr Text kLogOutputClosedRemedy{"Name a file with -o FILE.",
                                             "请用 -o FILE 指定文件。"};
inline constexpr Text kLogOtherColumns{"{} begins with other columns", "{} 的表头与当前字段不一致"};
inline constexpr Text kLogOtherColumnsRemedy{
    "Choose another file, or the fields with which it was begun.",
    "请换一个文件，或使用该文件原有的字段。"};
inline constexpr Text kLogTaken{"another gpusight log writes to {}, and one of the two rotates it",
                                "另一个 gpusight log 正在写入 {}，且两者之一会轮转该文件"};
inline constexpr Text kLogTakenRemedy{"Give each its own file.", "请让两者各用一个文件。"};
inline constexpr Text kLogCannotOpen{"the output file cannot be opened ({})",
                                     "无法打开输出文件（{}）"};
inline constexpr Text kLogCannotOpenRemedy{"Choose a path that you may write to.",
                                           "请换一个有写权限的路径。"};
inline constexpr Text kLogLost{
    "lines cannot be written ({}). Sampling goes on; this is not repeated until writing works "
    "again.",
    "无法写入（{}）。采样继续进行；在恢复写入之前不再重复提示。"};
inline constexpr CountedText kLogResumed{
    {"writing works again; {} line was lost.", "已恢复写入，期间丢失 {} 行。"},
    {"writing works again; {} lines were lost.", "已恢复写入，期间丢失 {} 行。"}};
inline constexpr Text kLogNotRotated{"the file cannot be rotated ({}). It is written on as it is.",
                                     "无法轮转文件（{}），将继续写入原文件。"};
inline constexpr Text kLogNotReopened{
    "the file cannot be opened again ({}). The old one is used on.",
    "无法重新打开文件（{}），将继续使用原文件。"};
inline constexpr Text kLogIdleProcess{
    "process {} uses no device yet; its lines begin when it does.",
    "进程 {} 尚未使用任何设备，开始使用后才会输出。"};
inline constexpr CountedText kLogSomeLost{
    {"{} line could not be written ({})", "有 {} 行未能写入（{}）"},
    {"{} lines could not be written ({})", "有 {} 行未能写入（{}）"}};
inline constexpr Text kLogSomeLostRemedy{"Make room, or write to another place with -o FILE.",
                                         "请腾出空间，或用 -o 文件 换一个位置。"};

// --fields help
inline constexpr Text kLogFieldMeaning{"{} ({}: {})", "{}（{}，{}）"};
inline constexpr Text kLogFieldsDevice{"Fields of a device", "设备字段"};
inline constexpr Text kLogFieldsProcess{"Fields of a process (with --pid)",
                                        "进程字段（需配合 --pid）"};

// --device, here and in other commands
inline constexpr Text kNoSuchDevice{"there is no device '{0}'; this machine has {1}",
                                    "没有设备“{0}”；本机共有 {1} 个设备"};
inline constexpr Text kBackwardRange{"the range '{0}' runs backwards", "范围“{0}”首尾颠倒"};
inline constexpr Text kForwardRange{"Write the lower number first.", "请把较小的序号写在前面。"};
inline constexpr Text kSeeDevices{"'gpusight status' lists them.", "用“gpusight status”查看。"};
inline constexpr Text kAmbiguousDevice{"'{0}' fits {1} devices", "“{0}”匹配 {1} 个设备"};
inline constexpr Text kLongerPrefix{"Write more of the UUID.", "请写出更长的 UUID。"};

}  // namespace gpusight::text
