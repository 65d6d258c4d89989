// SPDX-License-Identifier: Apache-2.0
// What the command line says, in both languages: options that every command takes, complaints and
// what to do about them, exit codes. Texts of single commands: status.h, log.h, who.h.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// Exit codes
inline constexpr Text kExitOk{"The command did what it was asked to do.", "命令正常完成。"};
inline constexpr Text kExitFailed{"Reading, writing or waiting failed.", "读取、写入或等待失败。"};
inline constexpr Text kExitUsage{"The command line or the configuration file is wrong.",
                                 "命令行或配置文件有误。"};
inline constexpr Text kExitNoGpu{"There is no driver or no usable GPU.",
                                 "没有驱动，或没有可用的 GPU。"};
inline constexpr Text kExitProblem{"The command worked and found a problem (doctor).",
                                   "命令执行成功，但发现了问题（doctor）。"};

// Complaints
inline constexpr Text kErrorPrefix{"gpusight: ", "gpusight："};
inline constexpr Text kUnknownOption{"unknown option '{0}' for '{1}'", "“{1}”没有选项“{0}”"};
inline constexpr Text kUnknownCommand{"unknown command '{}'", "未知命令“{}”"};
inline constexpr Text kUnexpectedArgument{"'{0}' is one word too many for '{1}'",
                                          "“{1}”不接受参数“{0}”"};
inline constexpr Text kNeedsValue{"option {} needs exactly one value",
                                  "选项 {} 需要且只需要一个值"};
inline constexpr Text kBadCommandLine{"the command line cannot be understood ({})",
                                      "无法理解命令行（{}）"};
inline constexpr Text kEmptyValue{"the value of {} is empty", "{} 的值为空"};
inline constexpr Text kEmptyValueRemedy{"Give it one, or leave the option away.",
                                        "请指定取值，或去掉该选项。"};
inline constexpr Text kOptionOfCommand{"{} is an option of '{}'", "{} 是“{}”的选项"};
inline constexpr Text kBehindCommand{"Write it behind the command: {}.",
                                     "请把它写在命令之后：{}。"};
inline constexpr Text kBehindDashes{"the command '{}' stands behind '--'",
                                    "命令“{}”写在了“--”之后"};
inline constexpr Text kBadValue{"'{0}' is not a valid value for {1}", "“{0}”不是 {1} 的有效值"};

// Remedies
inline constexpr Text kDidYouMean{"Did you mean '{}'?", "您是不是要输入“{}”？"};
inline constexpr Text kSeeHelp{"'{} --help' lists what there is.", "用“{} --help”查看全部用法。"};
inline constexpr Text kUseOneOf{"Use one of: {}.", "可用的值：{}。"};
inline constexpr Text kUseDuration{"Write a time such as 500ms, 5s, 2m or 1h.",
                                   "请写成 500ms、5s、2m 或 1h 这样的时间。"};
inline constexpr Text kUseBytes{"Write a size such as 64MiB or 1GiB.",
                                "请写成 64MiB 或 1GiB 这样的大小。"};
inline constexpr Text kUseAtLeast{"The least is {}.", "最小值为 {}。"};
inline constexpr Text kUseAtMost{"The most is {}.", "最大值为 {}。"};
inline constexpr Text kUseCommas{"Write one comma between two words, and none at the ends.",
                                 "请用单个逗号分隔各项，首尾不加逗号。"};
inline constexpr Text kUseNumber{"Write a whole number from {} to {}.",
                                 "请写一个 {} 到 {} 之间的整数。"};

// No GPU (the driver's own troubles: driver.h)
inline constexpr Text kNamedLibrary{"{} cannot be loaded as NVIDIA's management library",
                                    "无法将 {} 作为 NVIDIA 管理库加载"};
inline constexpr Text kNamedLibraryRemedy{
    "Check the path, or leave --nvml away to search the usual places.",
    "请检查路径，或去掉 --nvml 以查找默认位置。"};
inline constexpr Text kClauseEnd{"; ", "；"};
inline constexpr Text kSeeDoctor{"`gpusight doctor` looks for the cause",
                                 "可运行 `gpusight doctor` 查找原因"};
inline constexpr Text kOrDemo{"--demo shows a recorded machine.", "--demo 可展示一台录制的机器。"};
inline constexpr Text kNoRoot{"--root {} is not a folder", "--root {} 不是目录"};
inline constexpr Text kNoRootRemedy{"Name the folder that stands for /.",
                                    "请指定用作根目录（/）的目录。"};
inline constexpr Text kNoDiary{"the log file cannot be opened ({})", "无法打开日志文件（{}）"};
inline constexpr Text kNoDiaryRemedy{"Name another with --log-file.", "请用 --log-file 另行指定。"};

// Options of every command
inline constexpr Text kOptNvml{"Use this NVML library instead of the driver's",
                               "使用指定的 NVML 库，而非系统驱动的库"};
inline constexpr Text kOptRoot{"Read /proc, /sys and the control groups below this folder",
                               "从该目录下读取 /proc、/sys 与 cgroup"};
inline constexpr Text kOptLang{"Language: en or zh (default: from the environment)",
                               "界面语言：en 或 zh（默认取自环境变量）"};
inline constexpr Text kOptConfig{"Configuration file (default: ~/.config/gpusight/config.toml)",
                                 "配置文件（默认 ~/.config/gpusight/config.toml）"};
inline constexpr Text kOptLogFile{"Write gpusight's own messages to this file",
                                  "将 gpusight 自身的日志写入该文件"};
inline constexpr Text kOptColor{
    "Colours: auto (on a terminal, unless NO_COLOR is set), always or never",
    "颜色：auto（仅终端，且未设置 NO_COLOR）、always 或 never"};
inline constexpr Text kOptDemo{"Show a recorded machine; needs no GPU",
                               "展示一台录制的机器，无需 GPU"};
inline constexpr Text kOptHelp{"Show this help", "显示此帮助"};
inline constexpr Text kOptVersion{"Show the version", "显示版本"};

// Help
inline constexpr Text kProgramSummary{"What is my GPU doing, why, and what will it do next?",
                                      "我的 GPU 在做什么？为什么？接下来会怎样？"};
inline constexpr Text kHelpUsage{"Usage: {}", "用法：{}"};
inline constexpr Text kHelpHeading{"{}:", "{}："};
inline constexpr Text kHelpSynopsis{"gpusight [COMMAND] [OPTIONS]", "gpusight [命令] [选项]"};
inline constexpr Text kHelpSynopsisOptions{"[OPTIONS]", "[选项]"};
inline constexpr Text kHelpWords{"{}: {}", "{}：{}"};
inline constexpr Text kBetweenWords{", ", "、"};
inline constexpr Text kHelpTime{
    "TIME is written as 500ms, 5s, 2m, 1h or 1d; a number alone means seconds.",
    "TIME 写作 500ms、5s、2m、1h 或 1d；只写数字时单位为秒。"};
inline constexpr Text kHelpSize{
    "SIZE is written as 512KiB, 64MiB or 1GiB; a number alone means bytes.",
    "SIZE 写作 512KiB、64MiB 或 1GiB；只写数字时单位为字节。"};
inline constexpr Text kHelpCommands{"Commands", "命令"};
inline constexpr Text kHelpOptions{"Options", "选项"};
inline constexpr Text kHelpGlobal{"Options of every command", "通用选项"};
inline constexpr Text kHelpDefault{"Without a command: top on a terminal, status in a pipe.",
                                   "不带命令时：在终端中运行 top，在管道中运行 status。"};
inline constexpr Text kHelpMore{"'gpusight help COMMAND' explains one command.",
                                "用“gpusight help 命令”查看某个命令的说明。"};

}  // namespace gpusight::text
