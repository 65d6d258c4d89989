// SPDX-License-Identifier: Apache-2.0
// A Finding: a named cause with its evidence, what it costs and what to do about it. A Verdict: the
// one sentence over all of them. Both are made by diagnose/ and shown, recorded and exported by
// everybody else. A finding holds keys and numbers, no sentences, so that it can be told in either
// language, also years later from a recording; the sentences are in model/text/diagnose.h.
// Next: finding_text.h, which tells them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/catalog.h"
#include "model/framework.h"
#include "model/known.h"

namespace gpusight {

// A number (or a word, such as a path) that stands in a sentence.
struct Figure {
  double number = 0;
  Unit unit = Unit::kNumber;
  std::string word;  // instead of the number, where it is not empty; Printable() before a terminal

  Figure() = default;
  Figure(Unit its_unit, double its_number) : number(its_number), unit(its_unit) {}
  Figure(std::string its_word) : word(std::move(its_word)) {}  // NOLINT: a word is a figure
  friend bool operator==(const Figure&, const Figure&) = default;
};

// One line of evidence: the key of a sentence (model/text/diagnose.h) and what stands in it.
struct Evidence {
  std::string key;
  std::vector<Figure> figures;
  friend bool operator==(const Evidence&, const Evidence&) = default;
};

enum class FindingLevel : uint8_t {
  kInfo,      // worth knowing, nothing is wrong
  kWarning,   //
  kCritical,  //
};

struct Finding {
  std::string rule;  // "input.serial_loader": a name of the catalogue in docs/diagnosis.md
  std::string form;  // which of the rule's forms, where it has several ("per_epoch"), else empty
  FindingLevel level = FindingLevel::kWarning;
  // Whom it concerns; empty and 0: none in particular.
  std::string device_uuid;
  int pid = 0;
  uint64_t start_ticks = 0;
  int rank = -1;
  // Share of wall time lost, 0-1. Memory findings lose none; for them it is how near the end is, so
  // that all can be put in one order.
  double severity = 0;
  // 0-1; from 0.6 on it is called the cause, from 0.4 on possible; below it is not shown.
  double confidence = 0;
  // Until the memory ends, where it grows.
  Known<double> seconds_left = Absence::kNotApplicable;
  std::vector<Evidence> evidence;                    // the most telling first
  Known<double> proposal = Absence::kNotApplicable;  // the number that its fix needs: workers, …
  std::string place;                 // "train.py:88 load": where the program stood, or empty
  std::vector<std::string> missing;  // signals that would have made it surer: catalogue names
  std::string behind;                // the rule that explains this one, too; empty: none
  WallTime opened, updated;
  WallTime closed;  // 0: it holds still

  bool is_open() const { return closed.ns == 0; }
  bool is_cause() const { return confidence >= 0.6; }
};

struct Verdict {
  std::string rule;       // of the first finding, or "none.compute_bound" or "none.unknown"
  double lost_ratio = 0;  // share of wall time without work on the device, for which a cause is
                          // named; 0 for the two non-faults and where only memory is concerned
  double speedup_at_most = 1;  // if all of that were won back
  std::vector<Evidence> evidence;
};

// All that `why` says of a job.
struct Diagnosis {
  Verdict verdict;
  std::vector<Finding> findings;      // those to act upon first come first
  std::vector<std::string> missing;   // signals that no rule could have, catalogue names, each once
  std::vector<Framework> frameworks;  // that the job uses, as far as they told
  double seconds = 0;                 // that were looked at
};

// The two verdicts that are no fault.
inline constexpr std::string_view kComputeBound = "none.compute_bound";
inline constexpr std::string_view kUnknownCause = "none.unknown";

}  // namespace gpusight
