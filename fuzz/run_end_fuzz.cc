// SPDX-License-Identifier: Apache-2.0
// How a recording says that a run ended, and the evidence of its findings: lines "name<TAB>value"
// as facts of the end, the whole as what the program printed and as JSON. What is read and written
// anew stays as it is; what is told is printable.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "record/finding_json.h"
#include "record/run_end.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gpusight;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  record::RunEnd end;
  if (size > 0) end.code = data[0];
  std::string_view rest = text;
  while (const auto line = NextLine(rest)) {
    const size_t tab = line->find('\t');
    if (tab == line->npos) continue;
    end.facts.emplace_back(line->substr(0, tab), line->substr(tab + 1));
  }
  const ExitFacts facts = record::FactsOf(end);
  const ExitFacts again = record::FactsOf(record::EndOf(facts));
  if (record::KindOf(facts) != record::KindOf(again)) std::abort();
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    const std::string told = record::EndText(facts, language);
    if (Printable(told) != told) std::abort();
  }
  (void)record::CudaErrorIn(text);
  (void)record::ExceptionIn(text);
  const auto evidence = record::ReadEvidence(text);
  if (record::ReadEvidence(record::EvidenceJson(evidence)) != evidence) std::abort();
  const auto words = record::ReadWords(text);
  if (record::ReadWords(record::WordsJson(words)) != words) std::abort();
  return 0;
}
