// SPDX-License-Identifier: Apache-2.0
#include "report/compare_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "export/json.h"
#include "export/markup.h"
#include "export/table.h"
#include "export/wrap.h"
#include "model/text/compare.h"
#include "report/markdown.h"
#include "report/sentences.h"

namespace gpusight::report {
namespace {

using exporting::MarkdownSafe;

std::string NameOf(const Comparison& row, Language language) {
  for (const text::CompareWord& word : text::kCompareWords) {
    if (word.name == row.name) return Say(language, word.text);
  }
  return std::string(row.name);
}

std::string Signed(double ratio) { return fmt::format("{:+.1f}%", ratio * 100); }

std::string ValueOf(const Comparison& row, const Known<double>& value, Language language) {
  if (value && row.unit == Unit::kRatio) return FormatRatio(*value, 1);
  return Show(row.unit, value, language);
}

// Shares differ by points, all else by per cent of the first run.
std::string ChangeOf(const Comparison& row) {
  const Known<double> change = row.change();
  if (!change) return {};
  if (row.unit == Unit::kRatio) return fmt::format("{:+.1f} pp", *change * 100);
  return *row.a != 0 ? Signed(*change / *row.a) : "";
}

std::string IntervalOf(const Comparison& row, const exporting::Style& style) {
  const Language language = style.language;
  const std::string_view to = style.unicode ? "…" : "to";
  if (!row.change()) return {};
  switch (row.certainty) {
    case Certainty::kSingle:
      return Say(language, text::kCompareSingle);
    case Certainty::kTooShort:
      return Say(language, text::kCompareShort);
    case Certainty::kResampled:
      break;
  }
  const Difference& d = row.difference;
  if (row.unit == Unit::kRatio) {
    return fmt::format("{:+.1f} {} {:+.1f} pp", d.absolute.low * 100, to, d.absolute.high * 100);
  }
  return fmt::format("{} {} {}", Signed(d.relative.low), to, Signed(d.relative.high));
}

std::string VerdictOf(const Comparison& row, Language language) {
  if (!row.change() || row.certainty != Certainty::kResampled) return {};
  if (!row.sure()) return Say(language, text::kCompareUnsure);
  const bool more = *row.change() > 0;
  if (row.better == 0) return Say(language, more ? text::kCompareMore : text::kCompareLess);
  return Say(language, more == (row.better > 0) ? text::kCompareBetter : text::kCompareWorse);
}

}  // namespace

std::string CompareText(const exporting::Style& style, const Comparisons& comparisons,
                        const std::string& a, const std::string& b) {
  const Language language = style.language;
  exporting::Table table({{"", false, 0, 0},
                          {Printable(a), true, 18, 0},
                          {Printable(b), true, 18, 0},
                          {style.Say(text::kCompareDifference), true, 0, 0},
                          {style.Say(text::kCompareInterval), true, 0, 2},
                          {style.Say(text::kCompareVerdict), false, 0, 1}});
  for (const Comparison& row : comparisons.rows) {
    table.Add({{NameOf(row, language)},
               {ValueOf(row, row.a, language)},
               {ValueOf(row, row.b, language)},
               {ChangeOf(row)},
               {IntervalOf(row, style)},
               {VerdictOf(row, language)}});
  }
  std::string out = table.Render(style, 0);
  const auto paragraph = [&](const std::string& text) {
    out += "\n" + exporting::Wrap(text, style.columns, 0) + "\n";
  };
  if (comparisons.unlike.empty()) {
    paragraph(style.Say(text::kCompareAlike));
  } else {
    out += "\n" + style.Say(text::kCompareUnlike) + "\n";
    exporting::Table unlike(
        {{"", false, 0, 0}, {Printable(a), false, 30, 0}, {Printable(b), false, 0, 0}});
    for (const Unlike& one : comparisons.unlike) {
      unlike.Add({{Printable(one.name)}, {Printable(one.a)}, {Printable(one.b)}});
    }
    out += unlike.Render(style, 2);
  }
  if (comparisons.skipped_seconds > 0) {
    paragraph(style.Say(text::kCompareSkipped, FormatDuration(comparisons.skipped_seconds)));
  }
  paragraph(style.Say(text::kCompareMethod));
  return out;
}

std::string CompareMarkdown(const Comparisons& comparisons, const std::string& a,
                            const std::string& b, Language language) {
  std::string out;
  const auto row = [&out](const std::vector<std::string>& cells) {
    out += fmt::format("| {} |\n", fmt::join(cells, " | "));
  };
  row({"", MarkdownSafe(a), MarkdownSafe(b), Say(language, text::kCompareDifference),
       Say(language, text::kCompareInterval), Say(language, text::kCompareVerdict)});
  row({"---", "---:", "---:", "---:", "---:", "---"});
  for (const Comparison& c : comparisons.rows) {
    row({NameOf(c, language), ValueOf(c, c.a, language), ValueOf(c, c.b, language), ChangeOf(c),
         IntervalOf(c, {.language = language}), VerdictOf(c, language)});
  }
  out += '\n';
  if (comparisons.unlike.empty()) {
    out += Say(language, text::kCompareAlike) + "\n";
  } else {
    row({Say(language, text::kCompareUnlike), MarkdownSafe(a), MarkdownSafe(b)});
    row({"---", "---", "---"});
    for (const Unlike& one : comparisons.unlike) {
      row({MarkdownSafe(one.name), MarkdownSafe(one.a), MarkdownSafe(one.b)});
    }
  }
  if (comparisons.skipped_seconds > 0) {
    out += "\n" +
           Say(language, text::kCompareSkipped, FormatDuration(comparisons.skipped_seconds)) + "\n";
  }
  return out + "\n" + Say(language, text::kCompareMethod) + "\n";
}

void AppendCompareJson(std::string& out, const Comparisons& comparisons, const std::string& a,
                       const std::string& b) {
  exporting::JsonWriter json(out);
  json.BeginObject();
  json.Member("schema", 1);
  json.Member("kind", "comparison");
  json.Member("a", a);
  json.Member("b", b);
  json.Member("skipped_seconds", comparisons.skipped_seconds);
  json.Key("metrics");
  json.BeginObject();
  for (const Comparison& row : comparisons.rows) {
    json.Key(row.name);
    json.BeginObject();
    json.Member("a", row.a);
    json.Member("b", row.b);
    const Known<double> change = row.change();
    json.Member("difference", change);
    json.Member("relative", change && *row.a != 0 ? Known<double>(*change / *row.a)
                            : change              ? Known<double>(Absence::kNotApplicable)
                                                  : change);
    const bool resampled = row.certainty == Certainty::kResampled;
    json.Member("certainty", resampled                               ? "resampled"
                             : row.certainty == Certainty::kTooShort ? "too_short"
                                                                     : "single_observation");
    if (resampled) {
      const auto interval = [&](std::string_view key, const Interval& i) {
        json.Key(key);
        json.BeginArray();
        json.Number(i.low);
        json.Number(i.high);
        json.EndArray();
      };
      interval("interval", row.difference.absolute);
      interval("relative_interval", row.difference.relative);
      json.Member("distinguishable", row.sure());
      json.Member("block_pieces_a", static_cast<int64_t>(row.difference.block_a));
      json.Member("block_pieces_b", static_cast<int64_t>(row.difference.block_b));
    }
    json.EndObject();
  }
  json.EndObject();
  json.Key("unlike");
  json.BeginObject();
  for (const Unlike& one : comparisons.unlike) {
    json.Key(Printable(one.name));
    json.BeginObject();
    json.Member("a", one.a);
    json.Member("b", one.b);
    json.EndObject();
  }
  json.EndObject();
  json.EndObject();
}

}  // namespace gpusight::report
