// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight report`, in both languages. The words of its page are in report_page.h.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kReportSummary{"Make a report of a recording, as one HTML page",
                                     "将运行记录生成为单个 HTML 报告"};
inline constexpr Text kReportDescription{
    "Reads a recording of 'gpusight run' or 'watch' and writes one HTML file that needs nothing "
    "else: timelines that zoom together, the memory account, steps, what the program did while the "
    "GPU was idle, findings, processes and events. With --markdown or --json the same is printed "
    "for pipelines. A recording that is still being written is read as far as it goes.",
    "读取“gpusight run”或“watch”的运行记录，写出一个自包含的 HTML "
    "文件：联动缩放的时间线、显存账目、训练步、GPU 空闲时程序在做什么、诊断、进程与事件。使用 "
    "--markdown 或 --json 则打印相同内容供流水线使用。仍在写入的运行记录读到当前为止。"};
inline constexpr Text kReportFile{"The recording", "运行记录文件"};
inline constexpr Text kReportOutput{
    "Where to write it; '-' for standard output. By default the page is written beside the "
    "recording, and Markdown and JSON to standard output",
    "输出位置；“-”表示标准输出。默认将页面写在运行记录旁，Markdown 与 JSON 写到标准输出"};
inline constexpr Text kReportMarkdown{"Markdown instead of a page", "输出 Markdown 而不是页面"};
inline constexpr Text kReportPostMortem{
    "Only how it ended and why, as 'run' prints it after a failure",
    "只输出结束方式与原因，即 run 在失败后打印的内容"};
inline constexpr Text kReportJson{"One JSON object (docs/report.md)",
                                  "输出一个 JSON 对象（见 docs/report.md）"};
inline constexpr Text kReportForce{"Replace the output file even when it is not a report of ours",
                                   "即使输出文件不是本程序生成的报告也覆盖"};
inline constexpr Text kReportWritten{"wrote {}", "已写入 {}"};

inline constexpr Text kReportNoFile{"no recording was named", "没有指定运行记录"};
inline constexpr Text kReportNoFileRemedy{"Write 'gpusight {} {}'", "请输入“gpusight {} {}”"};
inline constexpr Text kReportBoth{"--markdown, --json and --post-mortem exclude each other",
                                  "--markdown、--json 与 --post-mortem 不能同时使用"};
inline constexpr Text kReportBothRemedy{"Keep one of them", "请只保留其中一个"};
inline constexpr Text kReportNoPage{"this gpusight was built without its page",
                                    "此 gpusight 构建时未包含页面"};
inline constexpr Text kReportNoPageRemedy{
    "Use --markdown or --json, or build it where npm is (docs/report.md)",
    "请使用 --markdown 或 --json，或在有 npm 的环境中构建（见 docs/report.md）"};
inline constexpr Text kReportForeign{"'{}' exists and is not a report of gpusight",
                                     "“{}”已存在，且不是 gpusight 生成的报告"};
inline constexpr Text kReportForeignRemedy{
    "Name another file with -o, or add --force to replace it",
    "请用 -o 指定其他文件，或加 --force 覆盖"};
inline constexpr Text kReportSame{"the output would replace the recording '{}' itself",
                                  "输出会覆盖运行记录“{}”本身"};
inline constexpr Text kReportSameRemedy{"Name another file with -o", "请用 -o 指定其他文件"};

}  // namespace gpusight::text
