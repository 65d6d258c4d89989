// SPDX-License-Identifier: Apache-2.0
#include "cli/explain_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "export/wrap.h"
#include "memory/oom_advice.h"
#include "memory/oom_groups.h"
#include "memory/oom_words.h"
#include "memory/progress.h"
#include "model/text/oom.h"

namespace gpusight::cli {
namespace {

using exporting::Style;
using exporting::Tone;
using memory::OomGroup;
using memory::OomScan;
using memory::OomText;

constexpr int kIndent = 2;   // of a group's text
constexpr int kInside = 4;   // of its lists
constexpr size_t kOwn = 6;   // pieces of advice in the program's words
constexpr size_t kTwin = 3;  // and in the other framework's

// One group of the page.
class Block {
 public:
  Block(const Style& style, const OomScan& scan, const OomGroup& group, bool all)
      : style_(style), scan_(scan), group_(group), all_(all), lead_(scan.texts[group.lead]) {}

  std::string Render() {
    out_ += Title() + '\n';
    Paragraph(memory::SentenceOf(group_.facts, group_.verdict, style_.language));
    for (const std::string& remark :
         memory::RemarksOf(group_.facts, group_.verdict, style_.language)) {
      Paragraph(remark);
    }
    Unknowns();
    if (lead_.after != memory::OomAfter::kUnknown) {
      Paragraph(style_.Say(lead_.after == memory::OomAfter::kEnded ? text::kExplainEnded
                                                                   : text::kExplainWentOn));
    }
    Account();
    Evidence();
    Try();
    return std::move(out_);
  }

 private:
  std::string Title() const {
    const bool sure = group_.verdict.confidence >= memory::kSureEnough;
    const std::string cause = style_.Say(memory::TitleOf(group_.verdict.cause));
    const bool possible = !sure && group_.verdict.confidence > 0;
    std::string title = possible ? style_.Say(text::kOomPossible, cause) : cause;
    std::vector<std::string> more;
    const std::string framework = FrameworkName(lead_.framework);
    if (!framework.empty()) more.push_back(framework);
    if (lead_.place() == memory::OomPlace::kDevice && lead_.device >= 0) {
      more.push_back(memory::DeviceText(group_.facts, style_.language));
    }
    if (lead_.rank >= 0) more.push_back(style_.Say(text::kExplainOnRank, lead_.rank));
    if (group_.verdict.confidence > 0) {
      more.push_back(style_.Say(text::kExplainConfidence, FormatRatio(group_.verdict.confidence)));
    }
    const std::string painted = exporting::Paint(style_, Tone::kTitle, title);
    if (more.empty()) return painted;
    std::string out = exporting::Wrap(
        style_.Say(text::kExplainTitle, title,
                   fmt::format("{}", fmt::join(more, style_.Say(text::kExplainComma)))),
        style_.columns, kIndent);
    // Escape sequences have no width; a title that had to be broken stays plain.
    if (out.starts_with(title)) out.replace(0, title.size(), painted);
    return out;
  }

  // Wrapped behind its indentation.
  void Paragraph(std::string_view sentence) {
    out_ += std::string(kIndent, ' ') + exporting::Wrap(sentence, style_.columns, kIndent) + '\n';
  }

  void Heading(const std::string& title) {
    out_ += '\n' + std::string(kIndent, ' ') + exporting::Paint(style_, Tone::kTitle, title) + '\n';
  }

  void Unknowns() {
    const auto gaps = memory::GapsOf(group_.verdict, style_.language);
    if (gaps.empty()) return;
    const std::string joined =
        fmt::format("{}", fmt::join(gaps, style_.Say(text::kOomListSeparator)));
    Paragraph(Sentence(style_.language, style_.Say(text::kOomMissing, joined)));
  }

  void Account() {
    const memory::AccountTable table =
        memory::TableOf(group_.facts, group_.verdict, style_.language);
    if (table.parts.empty()) return;
    Heading(style_.Say(text::kExplainAccount, table.unit));
    int width = 0, number = 0;
    const auto measure = [&](const memory::AccountTable::Row& row) {
      width = std::max(width, DisplayWidth(row.label));
      number = std::max(number, DisplayWidth(row.number));
    };
    for (const auto& row : table.parts) measure(row);
    measure(table.total);
    for (const auto& row : table.request) measure(row);
    width = std::min(width, std::max(style_.columns - kInside - number - 2, 8));
    const auto line = [&](const memory::AccountTable::Row& row) {
      out_ += std::string(kInside, ' ') + Pad(Truncate(row.label, width, Ellipsis()), width) +
              "  " + Pad(row.number, number, true) + '\n';
    };
    for (const auto& row : table.parts) line(row);
    line(table.total);
    for (const auto& row : table.request) line(row);
  }

  // A line of evidence: where it stands in the log, and what stands there.
  void Fact(const std::string& where, const std::string& what, int width) {
    const int indent = kInside + width + 2;
    std::string body = Printable(what);
    if (!all_) body = Truncate(body, std::max(style_.columns - indent, 8), Ellipsis());
    out_ += std::string(kInside, ' ') + Pad(where, width) + "  " +
            exporting::Wrap(body, style_.columns, indent) + '\n';
  }

  void Evidence() {
    Heading(style_.Say(text::kExplainEvidence));
    const std::string where = style_.Say(text::kExplainLine, lead_.first_line);
    const int width = DisplayWidth(where);
    Fact(where, lead_.excerpt, width);
    if (lead_.times > 1) {
      Fact("", style_.Say(text::kExplainRepeated, lead_.times, lead_.last_line), width);
    }
    if (all_) {
      for (const memory::TraceLine& line : lead_.trace) Fact("", At(line), width);
    } else if (const memory::TraceLine* own = memory::OwnLine(lead_.trace);
               own != nullptr && !memory::IsLibrary(*own)) {
      Fact("", At(*own), width);
    }
    if (lead_.epoch && lead_.step) {
      Fact("", style_.Say(text::kExplainEpochStep, *lead_.epoch, *lead_.step), width);
    } else if (lead_.step) {
      Fact("", style_.Say(text::kExplainStep, *lead_.step), width);
    } else if (lead_.epoch) {
      Fact("", style_.Say(text::kExplainEpoch, *lead_.epoch), width);
    }
    Others(width);
    if (lead_.place() == memory::OomPlace::kDevice) {
      for (const memory::OomSetting& setting : scan_.settings) {
        Fact("", style_.Say(text::kExplainSetting, setting.name, setting.value), width);
      }
    }
    Buffers();
  }

  std::string_view Ellipsis() const { return style_.unicode ? "…" : "~"; }

  std::string At(const memory::TraceLine& line) const {
    return style_.Say(text::kExplainAt, line.file, line.line,
                      line.function.empty() ? "?" : line.function);
  }

  // The other members, by their lines, and the rank where it is known.
  void Others(int width) {
    if (group_.members.size() < 2) return;
    constexpr size_t kShown = 8;
    std::string list;
    size_t shown = 0;
    for (const size_t at : group_.members) {
      if (at == group_.lead) continue;
      if (++shown > kShown) continue;
      const OomText& text = scan_.texts[at];
      if (!list.empty()) list += style_.Say(text::kOomListSeparator);
      list += style_.Say(text::kExplainLine, text.first_line);
      if (text.rank >= 0) list += fmt::format(" [{}]", style_.Say(text::kExplainOnRank, text.rank));
    }
    if (shown > kShown) list += style_.unicode ? "…" : "...";
    out_ += std::string(static_cast<size_t>(kInside + width + 2), ' ') +
            exporting::Wrap(style_.Say(text::kExplainSimilar, group_.members.size() - 1, list),
                            style_.columns, kInside + width + 2) +
            '\n';
  }

  void Buffers() {
    if (lead_.buffers.empty()) return;
    Heading(style_.Say(text::kExplainBuffers));
    const size_t most = all_ ? lead_.buffers.size() : std::min<size_t>(lead_.buffers.size(), 4);
    for (size_t i = 0; i < most; ++i) {
      const memory::OomBuffer& buffer = lead_.buffers[i];
      const std::string line =
          Pad(memory::SizeText(buffer.size.bytes), 10, true) + "  " + Printable(buffer.what);
      out_ += std::string(kInside, ' ') +
              Truncate(line, std::max(style_.columns - kInside, 20), Ellipsis()) + '\n';
    }
  }

  void Try() {
    if (group_.consequence) return;
    const auto advice =
        memory::AdviceFor(group_.facts, group_.verdict, scan_.settings, style_.language);
    if (advice.empty()) return;
    Heading(style_.Say(text::kExplainTry));
    const Framework twin = TwinOf(group_.facts.framework);
    size_t own = 0, other = 0;
    for (const memory::Advice& piece : advice) {
      const bool is_twin = piece.framework != Framework::kOther && piece.framework == twin;
      size_t& count = is_twin ? other : own;
      if (!all_ && count >= (is_twin ? kTwin : kOwn)) continue;
      if (is_twin && other == 0) {
        Heading(style_.Say(text::kExplainInWordsOf, FrameworkName(twin)));
      }
      ++count;
      Piece(fmt::format("{}. ", count), piece);
    }
  }

  void Piece(const std::string& number, const memory::Advice& piece) {
    const int indent = kInside + static_cast<int>(number.size());
    out_ += std::string(kInside, ' ') + number +
            exporting::Wrap(piece.what, style_.columns, indent) + '\n';
    // Not wrapped: it is there to be pasted.
    out_ += std::string(static_cast<size_t>(indent), ' ') + piece.code + '\n';
  }

  static Framework TwinOf(Framework framework) {
    return framework == Framework::kPaddle ? Framework::kPyTorch : Framework::kPaddle;
  }

  const Style& style_;
  const OomScan& scan_;
  const OomGroup& group_;
  bool all_;
  const OomText& lead_;
  std::string out_;
};

}  // namespace

std::string ExtentOf(const OomScan& scan, Language language) {
  return SayCount(language, text::kExplainLines, scan.lines,
                  FormatBytes(static_cast<double>(scan.bytes)));
}

std::string ExplainPage(const Style& style, std::string_view name, const OomScan& scan, bool all) {
  const auto groups = all ? memory::SingleTexts(scan.texts) : memory::GroupTexts(scan.texts);
  size_t causes = 0, failures = 0;
  for (const OomGroup& group : all ? memory::GroupTexts(scan.texts) : groups) {
    if (group.consequence) continue;
    ++causes;
    failures += group.members.size();
  }
  std::string out =
      exporting::Wrap(style.Say(text::kExplainHead, Printable(name), ExtentOf(scan, style.language),
                                SayCount(style.language, text::kExplainFailures, failures),
                                SayCount(style.language, text::kExplainCauses, causes)),
                      style.columns, 0);
  out += '\n';
  for (const OomGroup& group : groups) {
    out += '\n';
    if (group.consequence && !all) {
      out += exporting::Wrap(
                 style.Say(text::kExplainThen, scan.texts[group.members.front()].first_line,
                           style.Say(text::kOomKilled)),
                 style.columns, 0) +
             '\n';
      continue;
    }
    out += Block(style, scan, group, all).Render();
  }
  if (scan.left_out > 0) {
    out += '\n' + style.Say(text::kExplainLeftOut, scan.left_out) + '\n';
  }
  return out;
}

}  // namespace gpusight::cli
