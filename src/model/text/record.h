// SPDX-License-Identifier: Apache-2.0
// Texts about recordings: what is wrong with a file, and what the recorder meets. In both
// languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// Opening
inline constexpr Text kRecordNotOne{"{} is not a recording of gpusight",
                                    "{} 不是 gpusight 的运行记录"};
inline constexpr Text kRecordNotOneRemedy{
    "Name a file that 'gpusight run' or 'gpusight watch' wrote.",
    "请指定由“gpusight run”或“gpusight watch”写入的文件。"};
inline constexpr Text kRecordEmpty{"{} is empty: recording ended before its first second",
                                   "{} 为空：记录在第一秒之前就已结束"};
inline constexpr Text kRecordFolder{"{} is a folder", "{} 是一个目录"};
inline constexpr Text kRecordTruncated{"{} is truncated: {} of {} bytes are there",
                                       "{} 不完整：应有 {2} 字节，实有 {1} 字节"};
inline constexpr Text kRecordTruncatedRemedy{"Copy the file again, whole.",
                                             "请重新完整地复制该文件。"};
inline constexpr Text kRecordDamaged{"{} is damaged ({})", "{} 已损坏（{}）"};
inline constexpr Text kRecordNoTable{"it lacks the table {}", "缺少表 {}"};
inline constexpr Text kRecordDamagedRemedy{
    "Copy the file again; 'sqlite3 FILE .recover' saves what can be saved.",
    "请重新复制该文件；也可用“sqlite3 FILE .recover”尽量恢复。"};
inline constexpr Text kRecordNewer{
    "{} was written by a newer gpusight (version {} of the format, this one reads up to {})",
    "{} 由更新版本的 gpusight 写入（格式版本 {}，本程序最高支持 {}）"};
inline constexpr Text kRecordNewerRemedy{"Read it with that version or a later one.",
                                         "请使用该版本或更新的版本读取。"};
inline constexpr Text kRecordUnreadable{"{} cannot be read ({})", "无法读取 {}（{}）"};
inline constexpr Text kRecordBusy{"{} is locked by another program", "{} 被其他程序锁定"};
inline constexpr Text kRecordBusyRemedy{"Try again when it is done, or read a copy of the file.",
                                        "请待其完成后重试，或读取该文件的副本。"};

// Writing
inline constexpr Text kRecordExists{"{} exists already", "{} 已存在"};
inline constexpr Text kRecordExistsRemedy{"Choose another name with -o, or remove the file.",
                                          "请用 -o 指定其他名称，或删除该文件。"};
inline constexpr Text kRecordCannotMake{"{} cannot be written ({})", "无法写入 {}（{}）"};
inline constexpr Text kRecordCannotMakeRemedy{"Choose a folder that you may write to with -o.",
                                              "请用 -o 指定一个有写权限的目录。"};
inline constexpr Text kRecordFull{
    "there is no room left for the recording {}; the newest frames are kept in memory",
    "运行记录 {} 所在磁盘空间已满；最新的数据暂存于内存"};
inline constexpr Text kRecordStuck{
    "another program keeps the recording {} locked; the newest frames are kept in memory",
    "运行记录 {} 被其他程序锁定；最新的数据暂存于内存"};
inline constexpr Text kRecordFailed{
    "the recording {} cannot be written ({}); the newest frames are kept in memory",
    "无法写入运行记录 {}（{}）；最新的数据暂存于内存"};
inline constexpr Text kRecordMakeRoom{"Make room; writing is tried again every second.",
                                      "请腾出空间；程序每秒都会重试。"};

}  // namespace gpusight::text
