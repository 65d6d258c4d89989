// SPDX-License-Identifier: Apache-2.0
// Headings and phrases of the manual pages and of the tables in docs/, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kManHeader{"User Commands", "用户命令"};
inline constexpr Text kManName{"NAME", "名称"};
inline constexpr Text kManSynopsis{"SYNOPSIS", "用法"};
inline constexpr Text kManDescription{"DESCRIPTION", "说明"};
inline constexpr Text kManCommands{"COMMANDS", "命令"};
inline constexpr Text kManOptions{"OPTIONS", "选项"};
inline constexpr Text kManGlobal{"OPTIONS OF EVERY COMMAND", "通用选项"};
inline constexpr Text kManExitStatus{"EXIT STATUS", "退出码"};
inline constexpr Text kManFiles{"FILES", "文件"};
inline constexpr Text kManSeeAlso{"SEE ALSO", "另请参阅"};
inline constexpr Text kManConfig{
    "Defaults for options: the keys are their long names, those of a command in a section named "
    "like it.",
    "选项的默认值：键为选项的长名称，各命令的选项写在同名小节中。"};

// docs/
inline constexpr Text kDocsNoTopic{"there is no topic '{}'", "没有主题“{}”"};
inline constexpr Text kDocsTopics{"src/cli/generate/markdown.h lists the topics.",
                                  "src/cli/generate/markdown.h 列出了全部主题。"};
inline constexpr Text kDocsOption{"option", "选项"};
inline constexpr Text kDocsMeaning{"meaning", "含义"};
inline constexpr Text kDocsKey{"key", "键"};
inline constexpr Text kDocsValue{"value", "值"};
inline constexpr Text kDocsCode{"code", "退出码"};
inline constexpr Text kDocsName{"name", "名称"};
inline constexpr Text kDocsLog{"in `log`", "`log` 中的名称"};
inline constexpr Text kDocsJson{"in JSON", "JSON 中的位置"};
inline constexpr Text kDocsUnit{"unit", "单位"};
inline constexpr Text kDocsKind{"kind", "类型"};
inline constexpr Text kDocsGauge{"gauge", "瞬时值"};
inline constexpr Text kDocsCounter{"counter", "累计值"};
inline constexpr Text kDocsTopLevel{"top level", "顶层"};

// `gpusight completion`
inline constexpr Text kCompletionSummary{"Print the completion script of a shell",
                                         "输出 Shell 的命令补全脚本"};
inline constexpr Text kCompletionDescription{
    "Prints the script that makes the shell complete commands, options, fields and devices. For "
    "this session: source <(gpusight completion bash). Packages install it for everybody.",
    "输出补全脚本，使 Shell 能补全命令、选项、字段与设备。仅对当前会话生效：source <(gpusight "
    "completion bash)。软件包会为所有用户安装。"};
inline constexpr Text kCompletionShell{"bash, zsh or fish", "bash、zsh 或 fish"};
inline constexpr Text kCompletionWhich{"a shell must be named", "需要指定 Shell"};
inline constexpr Text kHiddenSummary{"For the build", "供编译构建使用"};
inline constexpr Text kHiddenTopic{"What to print", "输出的内容"};

}  // namespace gpusight::text
