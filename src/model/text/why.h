// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight why`, in both languages. What findings say: diagnose.h, diagnose_rules.h and
// diagnose_fixes.h.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kWhySummary{"Say why a job is slow, leaking, out of memory or hung",
                                  "说明作业为何缓慢、泄漏、显存不足或卡住"};
inline constexpr Text kWhyDescription{
    "Names the cause, with its evidence, the line of code where one is known, and what to do about "
    "it, from what is sampled beside the job: of a running process, of all, or of a recording. A "
    "cause needs a fact of the card and one of the host or the framework; where a signal is "
    "missing the rules that need it say nothing, and the signal is named (docs/diagnosis.md).",
    "根据在作业旁采集的数据说明原因、依据、（已知时的）代码行与处理建议：可用于运行中的某个进程、全"
    "部"
    "进程或一份运行记录。确定原因需要显卡一侧与主机或框架一侧各有一项事实；缺少信号时，相关规则不作"
    "判"
    "断，并列出所缺信号（见 docs/diagnosis.md）。"};
inline constexpr Text kWhyTarget{"A process, with its descendants, or a recording",
                                 "一个进程（含其后代进程），或一份运行记录"};
inline constexpr Text kWhyAll{"All processes that use a GPU", "所有使用 GPU 的进程"};
inline constexpr Text kWhyFor{"How long to look at a running job", "观察运行中作业的时长"};
inline constexpr Text kWhyJson{"One JSON object (docs/why.md)",
                               "输出一个 JSON 对象（见 docs/why.md）"};
inline constexpr Text kWhyAllFixes{"Fixes for all frameworks, not only for the one in use",
                                   "列出所有框架的处理建议，而不仅是正在使用的框架"};
inline constexpr Text kWhyLimit{"Another threshold, as NAME=NUMBER (docs/diagnosis.md)",
                                "修改阈值，形如 NAME=NUMBER（见 docs/diagnosis.md）"};
inline constexpr Text kWhyBadLimit{"'{}' is no NAME=NUMBER of a threshold",
                                   "“{}”不是阈值的 NAME=NUMBER"};
inline constexpr Text kWhyBadLimitRemedy{"docs/diagnosis.md has their names",
                                         "名称见 docs/diagnosis.md"};
inline constexpr Text kWhyTwo{"a process or a recording, and --all, cannot stand together",
                              "进程或运行记录不能与 --all 同时使用"};
inline constexpr Text kWhyNoJob{"no process uses a GPU or tells of its framework",
                                "没有进程使用 GPU，也没有进程报告其框架"};
inline constexpr Text kWhyNoPid{"there is no process {}", "没有进程 {}"};
inline constexpr Text kWhyNoJobRemedy{
    "give the PID of the training process, or start it with gpusight run",
    "请给出训练进程的 PID，或用 gpusight run 启动它"};
inline constexpr Text kWhyLooking{"looking for {}...", "观察 {}……"};

inline constexpr Text kWhyLost{"{} of the wall time is lost, at most {}x to be won",
                               "损失墙钟时间的 {}，最多可提速 {} 倍"};
inline constexpr Text kWhyPossible{"possible", "可能"};
inline constexpr Text kWhyConfidence{"confidence {}", "置信度 {}"};
inline constexpr Text kWhySeverity{"loses {}", "损失 {}"};
inline constexpr Text kWhyInfo{"for information", "供参考"};
inline constexpr Text kWhyPid{"PID {}", "PID {}"};
inline constexpr Text kWhyRank{"rank {}", "rank {}"};
inline constexpr Text kWhyAt{"at {}", "位于 {}"};
inline constexpr Text kWhyBehind{"explained by {}", "由 {} 解释"};
inline constexpr Text kWhyEvidence{"Evidence", "依据"};
inline constexpr Text kWhyFix{"What to do", "建议"};
inline constexpr Text kWhyAlso{"Also seen", "另外发现"};
inline constexpr Text kWhyMissing{"Missing signals: {}", "缺少的信号：{}"};
inline constexpr Text kWhyLooked{"looked at {}", "观察时长 {}"};

inline constexpr Text kWhyMore{"More: gpusight why {}", "详情：gpusight why {}"};

inline constexpr Text kWhyDocsRule{"rule", "规则"};
inline constexpr Text kWhyDocsId{"id", "编号"};
inline constexpr Text kWhyDocsHold{"must hold", "持续时间"};
inline constexpr Text kWhyDocsValue{"starts at", "初始值"};

}  // namespace gpusight::text
