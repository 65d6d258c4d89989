// SPDX-License-Identifier: Apache-2.0
// Titles of the tables in docs/recording.md, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kRecordDocsTable{"table", "表"};
inline constexpr Text kRecordDocsKey{"key", "主键"};
inline constexpr Text kRecordDocsMeaning{"meaning", "含义"};
inline constexpr Text kRecordDocsColumn{"column", "列"};
inline constexpr Text kRecordDocsType{"type", "类型"};
inline constexpr Text kRecordDocsView{"view", "视图"};

}  // namespace gpusight::text
