// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/examine.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/doctor/wrap.h"
#include "export/json.h"
#include "model/text/doctor.h"

namespace gpusight::doctor {
namespace {

constexpr int kIndent = 2;
constexpr int kGap = 2;

const Text& StateText(State state) {
  switch (state) {
    case State::kOk:
      return text::kStateOk;
    case State::kNote:
      return text::kStateNote;
    case State::kProblem:
      return text::kStateProblem;
  }
  return text::kStateProblem;
}

std::string_view Color(State state) {
  switch (state) {
    case State::kOk:
      return "\x1b[32m";
    case State::kNote:
      return "\x1b[33m";
    case State::kProblem:
      return "\x1b[1;31m";
  }
  return "";
}

void AddLine(const Line& line, int state_cells, const PageStyle& style, std::string& page) {
  const int before = kIndent + state_cells + kGap;
  const std::string margin(static_cast<size_t>(before), ' ');
  std::string word = Pad(StateText(line.state).In(style.language), state_cells);
  if (style.color) word = fmt::format("{}{}\x1b[0m", Color(line.state), word);
  page += fmt::format("{:{}}{}{:{}}", "", kIndent, word, "", kGap);
  const auto rows = Wrap(line.text, std::max(20, style.columns - before));
  for (size_t i = 0; i < rows.size(); ++i) page += (i > 0 ? margin : "") + rows[i] + "\n";
  if (line.remedy.empty()) return;
  // A command stays on one line, however long, so that it can be copied.
  const bool sentence = line.remedy.ends_with('.') || line.remedy.ends_with("。");
  const std::string remedy = (style.unicode ? "→ " : "-> ") + line.remedy;
  const auto lines = sentence ? Wrap(remedy, std::max(20, style.columns - before))
                              : std::vector<std::string>{remedy};
  for (const std::string& one : lines) page += margin + one + "\n";
}

}  // namespace

size_t Examination::Count(State state) const {
  size_t count = 0;
  for (const Section& section : sections) {
    count += static_cast<size_t>(
        std::count_if(section.lines.begin(), section.lines.end(),
                      [state](const Line& line) { return line.state == state; }));
  }
  return count;
}

Examination Examine(const Facts& facts, Language language) {
  Examination examination;
  examination.subject = Printable(facts.frame.host.hostname);
  if (!facts.subject.self) {
    if (!examination.subject.empty()) examination.subject += ", ";
    examination.subject += Say(language, text::kDoctorSubject, facts.subject.pid);
  }
  for (const Group& group : Groups()) {
    Report report(language);
    for (const Check check : group.checks) check(facts, report);
    if (!report.lines().empty()) examination.sections.push_back({group.title, report.lines()});
  }
  return examination;
}

std::string_view StateName(State state) { return StateText(state).english; }

std::string Page(const Examination& examination, const PageStyle& style) {
  const std::string head = Say(style.language, text::kDoctorHead, examination.subject,
                               examination.Count(State::kProblem), examination.Count(State::kNote),
                               examination.Count(State::kOk));
  std::string page;
  for (const std::string& row : Wrap(head, style.columns)) page += row + "\n";
  int state_cells = 0;
  for (const State state : {State::kOk, State::kNote, State::kProblem}) {
    state_cells = std::max(state_cells, DisplayWidth(StateText(state).In(style.language)));
  }
  for (const Section& section : examination.sections) {
    const std::string title = Say(style.language, section.title);
    page += style.color ? fmt::format("\n\x1b[1m{}\x1b[0m\n", title) : "\n" + title + "\n";
    for (const Line& line : section.lines) AddLine(line, state_cells, style, page);
  }
  return page;
}

std::string Json(const Examination& examination) {
  std::string out;
  exporting::JsonWriter writer(out);
  writer.BeginObject();
  writer.Member("schema", 1);
  writer.Key("checks");
  writer.BeginArray();
  for (const Section& section : examination.sections) {
    for (const Line& line : section.lines) {
      writer.BeginObject();
      writer.Member("id", line.id);
      writer.Member("state", StateName(line.state));
      writer.Member("text", line.text);
      if (line.remedy.empty()) {
        writer.Key("remedy");
        writer.Null();  // nothing is to be mended
      } else {
        writer.Member("remedy", line.remedy);
      }
      writer.EndObject();
    }
  }
  writer.EndArray();
  writer.EndObject();
  return out + "\n";
}

}  // namespace gpusight::doctor
