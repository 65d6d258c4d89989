// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight export`, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kExportSummary{"Write a recording as tables, or for TensorBoard",
                                     "将运行记录导出为表格或 TensorBoard 事件文件"};
inline constexpr Text kExportDescription{
    "Writes a recording into a folder, one file for each table: frames of devices, processes, "
    "containers, host, frameworks and allocators, the driver's own samples, steps, stacks, marks, "
    "events and findings. Every row is complete, times are UTC, what is not known is empty (null "
    "in JSON). With 'parquet' the CSV files can be converted as they are: schema.json has the type "
    "of every column. With 'tensorboard' it writes event files: to see them, give the folder, or "
    "one above it, to tensorboard --logdir.",
    "将运行记录写入一个目录，每张表一个文件：设备、进程、容器、主机、框架与分配器的各帧数据，"
    "驱动自身的样本，训练步、调用栈、标记、事件与诊断结论。每一行都是完整的，时间为 "
    "UTC，未知的值为空（JSON 中为 null）。使用“parquet”时，CSV "
    "文件可直接转换：schema.json 给出每一列的类型。使用“tensorboard”时写入事件文件：将该目录或"
    "其上级目录传给 tensorboard --logdir 即可查看。"};
inline constexpr Text kExportFormat{"Format of the files (default: csv)", "文件格式（默认 csv）"};
inline constexpr Text kExportOutput{
    "Folder for the files (default: the recording's name and the format)",
    "输出目录（默认为记录文件名加格式名）"};
inline constexpr Text kExportFrom{"Begin that long after the beginning",
                                  "从开头之后的该时间处开始"};
inline constexpr Text kExportFor{"Only so much of it", "仅导出该时长"};
inline constexpr Text kExportDone{"{} rows ({}) written to {}", "已向 {2} 写入 {0} 行（{1}）"};
inline constexpr Text kExportNoFolder{"the folder {} cannot be made ({})", "无法创建目录 {}（{}）"};
inline constexpr Text kExportNoFolderRemedy{"Choose a folder that you may write to with -o.",
                                            "请用 -o 指定一个有写权限的目录。"};
inline constexpr Text kExportExists{"{} exists already", "{} 已存在"};
inline constexpr Text kExportExistsRemedy{"Choose another folder with -o.",
                                          "请用 -o 指定其他目录。"};
inline constexpr Text kExportFailed{"{} cannot be written ({})", "无法写入 {}（{}）"};

}  // namespace gpusight::text
