// SPDX-License-Identifier: Apache-2.0
// Logs, in pieces of a size that the first byte gives: what is found may not depend on it. Then all
// that is said about it, where the account must add up.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "memory/oom_advice.h"
#include "memory/oom_groups.h"
#include "memory/oom_scanner.h"
#include "memory/oom_words.h"

namespace {

gpusight::memory::OomScan Scan(std::string_view log, size_t piece) {
  gpusight::memory::OomScanner scanner;
  for (size_t at = 0; at < log.size(); at += piece) scanner.Feed(log.substr(at, piece));
  return scanner.Finish();
}

void Explain(const gpusight::memory::OomScan& scan) {
  using namespace gpusight;
  for (const memory::OomGroup& group : memory::GroupTexts(scan.texts)) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      (void)memory::SentenceOf(group.facts, group.verdict, language);
      (void)memory::RemarksOf(group.facts, group.verdict, language);
      (void)memory::GapsOf(group.verdict, language);
      (void)memory::TableOf(group.facts, group.verdict, language);
      (void)memory::AdviceFor(group.facts, group.verdict, scan.settings, language);
    }
    const memory::OomAccount& account = group.verdict.account;
    double sum = 0;
    for (const memory::OomAccount::Row& row : account.rows) sum += row.bytes;
    const double slack = 1 + 1e-9 * std::abs(account.total) + 2 * group.facts.error;
    if (!account.rows.empty() && std::abs(sum - account.total) > slack) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view log(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = Scan(log, log.size() + 1);
  const auto pieces = Scan(log, data[0] + size_t{1});
  if (whole.texts.size() != pieces.texts.size() || whole.lines != pieces.lines) std::abort();
  for (size_t i = 0; i < whole.texts.size(); ++i) {
    if (whole.texts[i].requested != pieces.texts[i].requested) std::abort();
  }
  Explain(whole);
  return 0;
}
