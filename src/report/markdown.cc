// SPDX-License-Identifier: Apache-2.0
#include "report/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "export/markup.h"
#include "model/finding_text.h"
#include "model/text/report_page.h"
#include "record/run_end.h"
#include "report/sentences.h"

namespace gpusight::report {
namespace {

using exporting::MarkdownSafe;
using text::PageWord;

constexpr size_t kMostRows = 20;

class Writer {
 public:
  Writer(const Report& report, Language language) : report_(report), language_(language) {}

  std::string Take() {
    Head();
    PostMortems();
    Findings();
    Idle();
    Steps();
    Devices();
    Memory();
    Processes();
    Events();
    Output();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  std::string Say(const Text& text, const Args&... args) const {
    return gpusight::Say(language_, text, args...);
  }
  void Title(const Text& text) { out_ += fmt::format("\n## {}\n\n", Say(text)); }
  void Row(const std::vector<std::string>& cells) {
    out_ += fmt::format("| {} |\n", fmt::join(cells, " | "));
  }
  void Heading(const std::vector<std::string>& cells) {
    Row(cells);
    Row(std::vector<std::string>(cells.size(), "---"));
  }
  std::string Since(WallTime time) const {
    const double seconds =
        static_cast<double>(Sane(time).ns - Sane(report_.summary.span.begin).ns) * 1e-9;
    const auto whole = static_cast<int64_t>(std::llround(std::max(seconds, 0.0)));
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  std::string Value(Unit unit, const Known<double>& value) const {
    return Show(unit, value, language_);
  }
  std::string LevelOf(const DeviceReport& device, std::string_view name, Unit unit) const {
    const Curve* curve = device.Find(name);
    if (curve == nullptr) return Describe({Absence::kNotSampledYet, 0}, language_);
    if (!curve->level) return Describe(curve->level.missing(), language_);
    return FormatValue(unit, curve->level->mean);
  }

  void Head() {
    const record::RunFacts& facts = report_.summary.facts;
    out_ += fmt::format("# {}: {}\n\n", Say(PageWord("title")), MarkdownSafe(facts.name));
    Heading({Say(PageWord("run_title")), ""});
    const auto row = [this](const Text& name, const std::string& value) {
      if (!value.empty()) Row({Say(name), value});
    };
    row(PageWord("command_line"), MarkdownSafe(fmt::format("{}", fmt::join(facts.arguments, " "))));
    row(PageWord("host"), MarkdownSafe(report_.summary.hostname));
    row(PageWord("duration"), FormatDuration(report_.summary.span.seconds()));
    const record::RunEnd& end = report_.summary.end;
    row(PageWord("end"),
        EndText(end, language_) +
            (end.text.empty() || end.kind == "exit" || end.kind == "signal"
                 ? ""
                 : " · " + MarkdownSafe(record::EndText(record::FactsOf(end), language_))));
    row(PageWord("memory_peak"), Value(Unit::kBytes, PeakUsed(report_)));
    row(PageWord("energy"), Value(Unit::kJoules, EnergyOf(report_)));
    if (!facts.git_commit.empty()) {
      Row({"Git",
           MarkdownSafe(facts.git_commit) +
               (facts.git_changed.value_or(false) ? " " + Say(PageWord("git_changed")) : "")});
    }
    for (const record::Pairs* pairs : {&facts.tags, &facts.versions}) {
      for (const auto& [name, value] : *pairs) Row({MarkdownSafe(name), MarkdownSafe(value)});
    }
  }

  const std::string& In(const Said& said) const {
    return language_ == Language::kChinese ? said.chinese : said.english;
  }

  void PostMortems() {
    const Failure& failure = report_.failure;
    if (!failure.worth_telling()) return;
    Title(PageWord("post_mortem"));
    if (!failure.title.english.empty()) out_ += "**" + MarkdownSafe(In(failure.title)) + "** ";
    out_ += MarkdownSafe(In(failure.how)) + "\n\n";
    for (const PostMortem& one : failure.post_mortems) MemoryFailure(one);
    Before(failure.course);
    if (!failure.places.empty()) out_ += Say(PageWord("places")) + "\n\n";
    for (const PlaceShare& place : failure.places) {
      out_ += fmt::format("- {} ({})\n", MarkdownSafe(place.name), FormatRatio(place.share));
    }
    if (!failure.places.empty()) out_ += "\n";
    Advice(failure.advice);
  }

  // How it went before.
  void Before(const Course& course) {
    if (course.rows.empty()) return;
    std::vector<std::string> head{Say(PageWord("course"))};
    for (const double seconds : course.seconds) head.push_back(fmt::format("{:.0f} s", seconds));
    Heading(head);
    for (const Course::Row& row : course.rows) {
      std::vector<std::string> cells{MarkdownSafe(In(row.label))};
      for (const Known<double>& value : row.values) {
        cells.push_back(value ? FormatValue(row.unit, *value) : "-");
      }
      Row(cells);
    }
    out_ += "\n";
  }

  void MemoryFailure(const PostMortem& one) {
    out_ +=
        fmt::format("**{}** {}\n\n", MarkdownSafe(In(one.title)), MarkdownSafe(In(one.sentence)));
    if (!one.account.empty()) Heading({"", one.unit});
    for (const PostMortem::Row& row : one.account) Row({MarkdownSafe(In(row.label)), row.number});
    for (const PostMortem::Row& row : one.request) Row({MarkdownSafe(In(row.label)), row.number});
    out_ += "\n";
    for (const Said& remark : one.remarks) out_ += MarkdownSafe(In(remark)) + "\n\n";
    Advice(one.advice);
  }

  void Advice(const std::vector<PostMortem::Try>& list) {
    if (!list.empty()) out_ += Say(PageWord("try_first")) + "\n\n";
    for (const PostMortem::Try& advice : list) {
      out_ += fmt::format("- {}{}{}\n", advice.framework, advice.framework.empty() ? "" : ": ",
                          MarkdownSafe(In(advice.what)));
      std::string_view rest = advice.code;
      if (!rest.empty()) out_ += '\n';
      while (const auto line = NextLine(rest)) out_ += "      " + Printable(*line) + "\n";
    }
  }

  void Findings() {
    Title(PageWord("findings"));
    if (report_.findings.empty()) out_ += Say(PageWord("no_findings")) + "\n";
    size_t number = 0;
    for (const record::FindingRow& row : report_.findings) {
      if (++number > kMostRows) break;
      const Finding& finding = row.finding;
      out_ += fmt::format(
          "{}. **{}** ({}; {}, {}–{})\n", number, MarkdownSafe(record::Headline(row, language_)),
          Say(PageWord("finding_weight"), FormatRatio(finding.severity),
              FormatRatio(finding.confidence)),
          MarkdownSafe(finding.rule), Since(finding.opened), Since(record::EndOf(finding)));
      for (const Evidence& evidence : finding.evidence) {
        out_ += fmt::format("   - {}\n", MarkdownSafe(Tell(evidence, language_)));
      }
    }
  }

  void Idle() {
    Title(PageWord("idle_title"));
    if (report_.idle.empty()) {
      const bool told = std::any_of(report_.processes.begin(), report_.processes.end(),
                                    [](const ProcessReport& p) { return p.framework.pid != 0; });
      out_ += Say(told ? PageWord("idle_no_use") : PageWord("idle_no_page")) + "\n";
    }
    for (const IdleEntry& entry : report_.idle) {
      out_ += "- " + MarkdownSafe(IdleSentence(report_, entry, language_)) + "\n";
    }
  }

  void Steps() {
    Title(PageWord("steps_title"));
    bool any = false;
    for (size_t i = 0; i < report_.processes.size(); ++i) {
      const auto& steps = report_.processes[i].steps;
      if (!steps) continue;
      if (!any) {
        Heading({Say(PageWord("process")), Say(PageWord("steps")), Say(PageWord("step_mean")),
                 "p50", "p95", "p99", Say(PageWord("step_most")), Say(PageWord("data_wait")),
                 Say(PageWord("step_outliers"))});
      }
      any = true;
      Row({MarkdownSafe(ProcessName(report_, static_cast<int>(i))), std::to_string(steps->steps),
           ShowSeconds(steps->mean), ShowSeconds(steps->p50), ShowSeconds(steps->p95),
           ShowSeconds(steps->p99), ShowSeconds(steps->most),
           FormatRatio(steps->data_seconds / steps->seconds, 1),
           std::to_string(steps->outlier_count)});
    }
    if (!any) out_ += Say(PageWord("no_steps")) + "\n";
  }

  void Devices() {
    Title(PageWord("device"));
    Heading({Say(PageWord("device")),
             gpusight::Say(language_, gpusight::Row(DeviceField::kUtilization).label),
             gpusight::Say(language_, gpusight::Row(DeviceField::kSmActivity).label),
             gpusight::Say(language_, gpusight::Row(DeviceField::kTensorActivity).label),
             gpusight::Say(language_, gpusight::Row(DeviceField::kDramActivity).label),
             Say(PageWord("idle")), Say(PageWord("memory_peak")), Say(PageWord("chart_power")),
             Say(PageWord("chart_temperature")), Say(PageWord("energy"))});
    for (const DeviceReport& device : report_.devices) {
      Row({MarkdownSafe(DeviceName(device) + " " + device.info.name),
           LevelOf(device, "utilization_ratio", Unit::kRatio),
           LevelOf(device, "sm_activity_ratio", Unit::kRatio),
           LevelOf(device, "tensor_activity_ratio", Unit::kRatio),
           LevelOf(device, "dram_activity_ratio", Unit::kRatio),
           Value(Unit::kRatio, device.idle_share), Value(Unit::kBytes, device.memory.peak_used),
           LevelOf(device, "power_watts", Unit::kWatts),
           LevelOf(device, "temperature_celsius", Unit::kCelsius),
           Value(Unit::kJoules, device.energy)});
    }
  }

  void Memory() {
    Title(PageWord("memory_title"));
    for (const DeviceReport& device : report_.devices) {
      const MemoryReport& memory = device.memory;
      if (!memory.peak_used) {
        out_ += fmt::format("- {}: {}\n", DeviceName(device),
                            Describe(memory.peak_used.missing(), language_));
        continue;
      }
      Heading({DeviceName(device), Since(memory.peak_at)});
      for (const Layer& layer : memory.layers) {
        const std::string name = WordFor(LayerName(layer.kind), language_);
        const std::string whose =
            layer.process < 0 ? "" : " (" + ProcessName(report_, layer.process) + ")";
        if (layer.at_peak != 0) Row({MarkdownSafe(name + whose), FormatBytes(layer.at_peak)});
      }
      if (memory.unaccounted_peak > 0) {
        Row({Say(PageWord("memory_higher"), FormatBytes(memory.unaccounted_peak)), ""});
      }
      Row({"**" + Say(PageWord("total")) + "**", FormatBytes(memory.peak_total)});
      out_ += '\n';
    }
  }

  void Processes() {
    Title(PageWord("processes_title"));
    Heading({"PID", Say(PageWord("command")), Say(PageWord("user")), Say(PageWord("memory_peak")),
             Say(PageWord("allocated_peak")), Say(PageWord("reserved_peak")),
             Say(PageWord("cpu_mean")), Say(PageWord("resident")), Say(PageWord("framework"))});
    size_t count = 0;
    for (const ProcessReport& process : report_.processes) {
      if (++count > kMostRows) break;
      const auto name = [&](const Known<std::string>& text) {
        return text ? MarkdownSafe(*text) : Describe(text.missing(), language_);
      };
      Row({std::to_string(process.identity.pid), name(process.identity.command),
           name(process.identity.user), Value(Unit::kBytes, process.memory_peak),
           Value(Unit::kBytes, process.allocated_peak), Value(Unit::kBytes, process.reserved_peak),
           Value(Unit::kCores, process.cpu_mean), Value(Unit::kBytes, process.resident_most),
           MarkdownSafe(fmt::format("{} {}", FrameworkName(process.framework.framework),
                                    process.framework.version))});
    }
  }

  void Events() {
    std::multimap<int64_t, std::vector<std::string>> rows;
    for (const Event& event : report_.events) {
      rows.insert({event.time.ns,
                   {WordFor(EventName(event.type), language_), std::to_string(event.number)}});
    }
    for (const Phase& phase : report_.phases) {
      rows.insert(
          {phase.begin.ns,
           {Say(PageWord("phase")),
            MarkdownSafe(phase.name) + " · " + MarkdownSafe(ProcessName(report_, phase.process))}});
    }
    for (const ProcessOutOfMemory& one : report_.out_of_memory) {
      const OutOfMemory& o = one.what;
      rows.insert(
          {o.time.ns,
           {Say(PageWord("out_of_memory")),
            Say(PageWord("oom_detail"), FormatBytes(static_cast<double>(o.requested)),
                FormatBytes(static_cast<double>(o.free)),
                FormatBytes(static_cast<double>(o.allocated)),
                FormatBytes(static_cast<double>(o.reserved) - static_cast<double>(o.allocated)))}});
    }
    Title(PageWord("events_title"));
    if (rows.empty()) {
      out_ += Say(PageWord("none")) + "\n";
      return;
    }
    Heading({Say(PageWord("time")), Say(PageWord("event")), Say(PageWord("detail"))});
    size_t count = 0;
    for (const auto& [time, cells] : rows) {
      if (++count > 5 * kMostRows) break;
      Row({Since({time}), cells[0], cells[1]});
    }
  }

  void Output() {
    if (report_.output.empty()) return;
    Title(PageWord("output_title"));
    std::string all;
    for (const record::OutputPiece& piece : report_.output) all += piece.bytes;
    // As code: indented, so that nothing in it can end it.
    if (all.size() > 4000) all.erase(0, all.size() - 4000);
    std::string_view rest = all;
    while (const auto line = NextLine(rest)) out_ += "    " + Printable(*line) + "\n";
  }

  const Report& report_;
  Language language_;
  std::string out_;
};

}  // namespace

std::string Markdown(const Report& report, Language language) {
  return Writer(report, language).Take();
}

}  // namespace gpusight::report
