// SPDX-License-Identifier: Apache-2.0
// Complaints about the configuration file, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kConfigTooLarge{"{} is larger than {} KiB", "{} 超过了 {} KiB"};
inline constexpr Text kConfigTooLargeRemedy{
    "Is it a configuration file? Name another with --config FILE.",
    "这是配置文件吗？请用 --config 文件 另行指定。"};
inline constexpr Text kConfigTooDeep{"more than 100 dots in one line", "一行中超过 100 个点"};
inline constexpr Text kConfigNamelessSection{"a section's name must follow '['",
                                             "“[”之后应为小节名"};
inline constexpr Text kConfigStrangeByte{"this character has no place outside quotes and comments",
                                         "引号和注释之外不能出现此字符"};
inline constexpr Text kConfigOpenString{"this text in quotes does not end on its line",
                                        "引号内的文本没有在本行结束"};
inline constexpr Text kConfigNoUtf8{"the file is not UTF-8 from here on",
                                    "文件从此处起不是 UTF-8 编码"};
inline constexpr Text kConfigNotToml{"{}", "TOML 语法错误（{}）"};
inline constexpr Text kConfigSyntax{"The file is TOML: key = \"value\", sections as [log].",
                                    "该文件为 TOML 格式：键 = \"值\"，小节写作 [log]。"};
inline constexpr Text kConfigWrongSort{"this sort of value is not used here",
                                       "此处不支持这种类型的值"};
inline constexpr Text kConfigSorts{
    "Write a text in quotes, a number, true, false, or an array of texts or numbers.",
    "请写带引号的文本、数字、true、false，或由文本、数字组成的数组。"};
inline constexpr Text kConfigUnknownSection{"there is no section [{}]", "没有小节 [{}]"};
inline constexpr Text kConfigSections{"The sections are named like the commands.",
                                      "小节名与命令名相同。"};
inline constexpr Text kConfigUnknownKey{"there is no key '{}' here", "此处没有键“{}”"};
inline constexpr Text kConfigKeys{"docs/configuration.md lists all keys.",
                                  "docs/zh/configuration.md 列出了全部键。"};
inline constexpr Text kConfigUnreadable{"the configuration file cannot be read ({})",
                                        "无法读取配置文件（{}）"};
inline constexpr Text kConfigUnreadableRemedy{
    "Check the path and the permissions, or name another with --config FILE.",
    "请检查路径与权限，或用 --config 文件 另行指定。"};

}  // namespace gpusight::text
