// SPDX-License-Identifier: Apache-2.0
// Texts about TensorBoard's files, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kRunTensorBoard{"Write event files for TensorBoard into this folder, too",
                                      "同时在该目录中写入 TensorBoard 事件文件"};
inline constexpr Text kExportFolder{"Folder for the files, as with -o", "输出目录，同 -o"};
inline constexpr Text kExportTwoFolders{"the folder is given twice, as {0} and as {1}",
                                        "重复指定了目录：{0} 与 {1}"};
inline constexpr Text kExportTwoFoldersRemedy{"Leave one of them out.", "请去掉其中一个。"};

inline constexpr Text kTensorBoardDone{
    "{0} points ({1}) written to {2}; to see them: tensorboard --logdir {2}",
    "已向 {2} 写入 {0} 个数据点（{1}），查看：tensorboard --logdir {2}"};
inline constexpr Text kTensorBoardTaken{"{} holds event files of another run",
                                        "{} 中已有其他运行的事件文件"};
inline constexpr Text kTensorBoardElsewhere{
    "{0} holds event files of another run; those for TensorBoard are put into {1}.",
    "{0} 中已有其他运行的事件文件；TensorBoard 事件文件将写入 {1}。"};
inline constexpr Text kTensorBoardLost{
    "points for TensorBoard are lost: {}. The recording is not affected.",
    "TensorBoard 数据点丢失：{}。运行记录不受影响。"};

// The head of the table of events; then the text of an allocation that failed.
inline constexpr Text kTensorBoardEvents{"| second | what | where | |", "| 秒 | 事件 | 位置 | |"};
inline constexpr Text kTensorBoardOutOfMemory{"{} asked for; free {}, allocated {}, reserved {}",
                                              "请求 {}；空闲 {}，已分配 {}，已预留 {}"};

// The rows about the run.
inline constexpr Text kTensorBoardName{"name", "名称"};
inline constexpr Text kTensorBoardCommand{"command", "命令"};
inline constexpr Text kTensorBoardFolder{"folder", "目录"};
inline constexpr Text kTensorBoardCommit{"git commit", "git 提交"};
inline constexpr Text kTensorBoardHost{"host", "主机"};
inline constexpr Text kTensorBoardDriver{"driver", "驱动"};
inline constexpr Text kTensorBoardDevice{"GPU {}", "GPU {}"};
inline constexpr Text kTensorBoardTag{"tag {}", "标签 {}"};
inline constexpr Text kTensorBoardEnd{"end", "结束"};

// Titles of the table in docs/.
inline constexpr Text kTensorBoardDocsRun{"run", "运行"};
inline constexpr Text kTensorBoardDocsCharts{"chart", "图表"};
inline constexpr Text kTensorBoardDocsStep{"step counts", "step 的含义"};
inline constexpr Text kTensorBoardDocsSeconds{"seconds", "秒"};
inline constexpr Text kTensorBoardDocsSteps{"optimizer steps", "优化器训练步"};

}  // namespace gpusight::text
