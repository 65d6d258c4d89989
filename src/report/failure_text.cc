// SPDX-License-Identifier: Apache-2.0
#include "report/failure_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "base/units.h"
#include "export/wrap.h"
#include "memory/oom_verdict.h"
#include "model/text/failure.h"

namespace gpusight::report {
namespace {

constexpr size_t kMostRemarks = 2, kMostFrames = 4, kMostOfOne = 2;
constexpr int kLeastColumns = 30, kNarrow = 56, kIndent = 2;

class Screen {
 public:
  Screen(int columns, Language language)
      : columns_(std::max(columns, kLeastColumns)), language_(language) {}

  template <typename... Args>
  std::string Say(const Text& text, const Args&... args) const {
    return gpusight::Say(language_, text, args...);
  }
  const std::string& In(const Said& said) const {
    return language_ == Language::kChinese ? said.chinese : said.english;
  }

  void Title(const std::string& text) {
    if (!out_.empty()) out_ += '\n';
    out_ += exporting::Wrap(text, columns_, 0) + "\n";
  }
  void Sentence(const std::string& text) { Hanging("", 0, text); }
  // `lead` in a column of its own, so that what follows stands below itself.
  void Hanging(std::string_view lead, int width, const std::string& text) {
    const int indent = kIndent + width;
    out_ += std::string(kIndent, ' ') + Pad(lead, width);
    out_ += exporting::Wrap(text, columns_, indent) + "\n";
  }
  // Code as it is, so that it can be pasted; a remark behind it goes in front when there is no
  // room.
  void Code(int indent, std::string_view line) {
    constexpr std::string_view kRemark = "  # ";
    const size_t at = line.find(kRemark);
    if (at != line.npos && indent + DisplayWidth(line) > columns_) {
      Line(indent, Trim(line.substr(at)));
      line = line.substr(0, at);
    }
    Line(indent, line);
  }
  void Line(int indent, std::string_view text) {
    out_ += std::string(static_cast<size_t>(indent), ' ') + std::string(text) + "\n";
  }
  int columns() const { return columns_; }
  Language language() const { return language_; }
  std::string Take() { return std::move(out_); }

 private:
  int columns_;
  Language language_;
  std::string out_;
};

void AddAccount(Screen& screen, const PostMortem& one) {
  std::vector<const PostMortem::Row*> rows;
  for (const auto* part : {&one.account, &one.request}) {
    for (const PostMortem::Row& row : *part) rows.push_back(&row);
  }
  if (rows.empty()) return;
  int label = 0, number = 0;
  for (const PostMortem::Row* row : rows) {
    label = std::max(label, DisplayWidth(screen.In(row->label)));
    number = std::max(number, DisplayWidth(row->number));
  }
  const int room = screen.columns() - 2 * kIndent - number - 4;  // and the unit
  label = std::min(label, room);
  bool first = true;
  for (const PostMortem::Row* row : rows) {
    std::string line = Pad(Truncate(screen.In(row->label), label), label + 2);
    line += Pad(row->number, number, true);
    if (std::exchange(first, false)) line += " " + one.unit;
    screen.Line(kIndent, line);
  }
}

void AddPostMortem(Screen& screen, const PostMortem& one, bool host) {
  const bool chinese = screen.language() == Language::kChinese;
  // How it ended says that already.
  if (!host) {
    std::string title = screen.In(one.title);
    if (one.confidence < memory::kSureEnough) title = screen.Say(text::kFailurePossible, title);
    screen.Sentence(title + (chinese ? "：" : ": ") + screen.In(one.sentence));
  }
  for (size_t i = 0; i < one.remarks.size() && i < kMostRemarks; ++i) {
    screen.Sentence(screen.In(one.remarks[i]));
  }
  AddAccount(screen, one);
}

// The moments for which there is room, evenly; the first and the last always.
std::vector<size_t> Chosen(size_t count, int room) {
  std::vector<size_t> out;
  const auto fit = static_cast<size_t>(std::max(room, 2));
  if (count <= fit) {
    for (size_t i = 0; i < count; ++i) out.push_back(i);
    return out;
  }
  for (size_t i = 0; i < fit; ++i) out.push_back(i * (count - 1) / (fit - 1));
  return out;
}

std::string Cell(Unit unit, const Known<double>& value) {
  if (!value) return "-";
  return unit == Unit::kCount ? fmt::format("{:.0f}", *value) : FormatValue(unit, *value);
}

void AddCourse(Screen& screen, const Course& course) {
  constexpr int kCell = 9, kWidestLabel = 22;
  if (course.rows.empty() || course.seconds.size() < 2) return;
  int label = DisplayWidth(screen.Say(text::kFailureMinute));
  for (const Course::Row& row : course.rows) {
    label = std::max(label, DisplayWidth(screen.In(row.label)));
  }
  label = std::min({label, kWidestLabel, screen.columns() - kIndent - 2 * kCell});
  const auto chosen = Chosen(course.seconds.size(), (screen.columns() - kIndent - label) / kCell);
  std::string head = Pad(screen.Say(text::kFailureMinute), label + kIndent);
  for (const size_t at : chosen) {
    const double seconds = course.seconds[at];
    head += Pad(at + 1 == course.seconds.size() ? screen.Say(text::kFailureEnd)
                                                : fmt::format("{:.0f}s", seconds),
                kCell, true);
  }
  screen.Title(head);
  for (const Course::Row& row : course.rows) {
    std::string line = Pad(Truncate(screen.In(row.label), label), label);
    for (const size_t at : chosen) line += Pad(Cell(row.unit, row.values[at]), kCell, true);
    screen.Line(kIndent, line);
  }
}

void AddPlaces(Screen& screen, const Failure& failure) {
  const std::vector<std::string>* stack =
      failure.post_mortems.empty() ? nullptr : &failure.post_mortems.front().stack;
  const bool any_stack = stack != nullptr && !stack->empty();
  if (!any_stack && failure.places.empty()) return;
  screen.Title(screen.Say(text::kFailurePlaces));
  const auto line = [&](const std::string& text) {
    screen.Line(kIndent, Truncate(text, screen.columns() - kIndent));
  };
  for (size_t i = 0; any_stack && i < stack->size() && i < kMostFrames; ++i) line((*stack)[i]);
  if (any_stack) return;
  for (const PlaceShare& place : failure.places) {
    line(screen.Say(text::kFailurePlace, Printable(place.name), FormatRatio(place.share)));
  }
}

void AddAdvice(Screen& screen, const Failure& failure) {
  std::vector<const PostMortem::Try*> list;
  std::map<std::string_view, size_t> counts;
  const auto add = [&](const std::vector<PostMortem::Try>& from) {
    for (const PostMortem::Try& advice : from) {
      if (counts[advice.framework]++ < kMostOfOne) list.push_back(&advice);
    }
  };
  if (!failure.post_mortems.empty()) add(failure.post_mortems.front().advice);
  add(failure.advice);
  if (list.empty()) return;
  screen.Title(screen.Say(text::kFailureTry));
  int width = 0;
  for (const PostMortem::Try* advice : list) {
    width = std::max(width, DisplayWidth(advice->framework));
  }
  if (width > 0) width += 2;
  if (screen.columns() < kNarrow) width = 0;
  std::string_view before;
  for (const PostMortem::Try* advice : list) {
    const bool same = advice->framework == before;
    before = advice->framework;
    std::string what = screen.In(advice->what);
    if (width == 0 && !same && !advice->framework.empty()) {
      what.insert(0, screen.language() == Language::kChinese ? "：" : ": ");
      what.insert(0, advice->framework);
    }
    // What holds in all of them begins at the left.
    const int lead = advice->framework.empty() ? 0 : width;
    screen.Hanging(same || lead == 0 ? "" : advice->framework, lead, what);
    std::string_view rest = advice->code;
    while (const auto line = NextLine(rest)) {
      screen.Code(kIndent + lead + 2, Printable(*line));
    }
  }
}

}  // namespace

std::string FailureText(const Failure& failure, std::string_view file, int columns,
                        Language language) {
  Screen screen(columns, language);
  if (failure.title.english.empty()) {
    screen.Title(screen.Say(text::kFailurePrefix, screen.In(failure.how)));
  } else {
    screen.Title(screen.Say(text::kFailurePrefix, screen.In(failure.title)));
    screen.Sentence(screen.In(failure.how));
  }
  const bool host = failure.cause == record::EndCause::kHostMemory ||
                    failure.cause == record::EndCause::kSharedMemory;
  if (!failure.post_mortems.empty()) AddPostMortem(screen, failure.post_mortems.front(), host);
  if (failure.post_mortems.size() > 1) {
    screen.Sentence(SayCount(language, text::kFailureMore, failure.post_mortems.size() - 1));
  }
  AddCourse(screen, failure.course);
  AddPlaces(screen, failure);
  AddAdvice(screen, failure);
  if (!file.empty()) {
    screen.Title(screen.Say(text::kFailureAll, Printable(file)));
  }
  return screen.Take();
}

}  // namespace gpusight::report
