// SPDX-License-Identifier: Apache-2.0
#include "cli/generate/markdown.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/doctor/flags_table.h"
#include "cli/generate/diagnosis.h"
#include "cli/generate/recording.h"
#include "cli/generate/table.h"
#include "cli/generate/tensorboard.h"
#include "model/catalog.h"
#include "model/text/man.h"

namespace gpusight::cli {
namespace {

std::string Code(std::string_view text) { return fmt::format("`{}`", text); }

std::string OptionTable(const Options& options, Language language) {
  std::string out = TableHeader(language, {text::kDocsOption, text::kDocsMeaning});
  for (const Option& option : options.all()) {
    std::string names;
    for (const std::string_view name : Split(option.names, ',')) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    }
    if (!option.value.empty()) names += fmt::format(" {}", option.value_name());
    out +=
        fmt::format("| {} | {} |\n", Code(TableCell(names)), TableCell(Say(language, option.help)));
  }
  return out;
}

// What a value of the option looks like in TOML.
std::string ExampleOf(const Option& option) {
  if (option.is_switch()) return "true";
  if (option.list) return "[\"…\"]";
  if (option.value == "N") return "5";
  if (option.value == "TIME") return "\"5s\"";
  if (option.value == "SIZE") return "\"64MiB\"";
  if (option.offer == Offer::kWords) {
    return fmt::format("\"{}\"", fmt::join(option.words, "\" | \""));
  }
  return "\"…\"";
}

void ConfigRows(std::string& out, const Options& options, std::string_view section,
                Language language) {
  for (const Option& option : options.all()) {
    if (!option.in_config) continue;
    out += fmt::format(
        "| {} | {} | {} | {} |\n",
        section.empty() ? Say(language, text::kDocsTopLevel) : Code(fmt::format("[{}]", section)),
        Code(option.key()), Code(TableCell(ExampleOf(option))),
        TableCell(Say(language, option.help)));
  }
}

std::string Configuration(const Surface& surface, Language language) {
  static constexpr Text kSection{"section", "小节"};
  std::string out =
      TableHeader(language, {kSection, text::kDocsKey, text::kDocsValue, text::kDocsMeaning});
  ConfigRows(out, *surface.global, "", language);
  for (const SurfaceCommand& c : surface.commands) {
    if (!c.command->hidden()) ConfigRows(out, *c.options, c.command->name(), language);
  }
  return out;
}

std::string ExitCodeTable(Language language) {
  std::string out = TableHeader(language, {text::kDocsCode, text::kDocsName, text::kDocsMeaning});
  for (const ExitCodeRow& row : ExitCodes()) {
    out += fmt::format("| {} | {} | {} |\n", static_cast<int>(row.code), row.name,
                       Say(language, row.meaning));
  }
  return out;
}

// `log_prefix`: in front of the log name; nullptr: `log` does not have these.
std::string MetricTable(std::span<const CatalogRow> rows, const char* log_prefix,
                        Language language) {
  std::string out =
      log_prefix != nullptr
          ? TableHeader(language, {text::kDocsName, text::kDocsLog, text::kDocsJson,
                                   text::kDocsUnit, text::kDocsKind, text::kDocsMeaning})
          : TableHeader(language, {text::kDocsName, text::kDocsJson, text::kDocsUnit,
                                   text::kDocsKind, text::kDocsMeaning});
  for (const CatalogRow& row : rows) {
    std::string path(row.group);
    if (!path.empty()) path += '.';
    path += row.key;
    out += fmt::format("| {} |", Code(row.name));
    if (log_prefix != nullptr) out += fmt::format(" {} |", Code(log_prefix + std::string(row.log)));
    out += fmt::format(
        " {} | {} | {} | {} |\n", Code(path), Say(language, UnitName(row.unit)),
        Say(language, row.kind == Kind::kCounter ? text::kDocsCounter : text::kDocsGauge),
        TableCell(Say(language, row.meaning)));
  }
  return out;
}

}  // namespace

Result<std::string> Markdown(std::string_view topic, const Surface& surface, Language language) {
  if (topic == "metrics-device") return MetricTable(DeviceRows(), "", language);
  if (topic == "metrics-use") return MetricTable(UseRows(), "proc_", language);
  if (topic == "metrics-process") return MetricTable(ProcessRows(), "proc_", language);
  if (topic == "metrics-container") return MetricTable(ContainerRows(), nullptr, language);
  if (topic == "metrics-host") return MetricTable(HostRows(), nullptr, language);
  if (topic == "metrics-allocator") return MetricTable(AllocatorRows(), nullptr, language);
  if (topic == "metrics-framework") return MetricTable(FrameworkRows(), nullptr, language);
  if (topic == "exit-codes") return ExitCodeTable(language);
  if (topic == "configuration") return Configuration(surface, language);
  if (topic == "memory-flags-paddle") return doctor::FlagTable(doctor::PaddleFlags(), language);
  if (topic == "memory-flags-other") return doctor::FlagTable(doctor::OtherFlags(), language);
  if (topic == "allocator-keys") return doctor::ConfKeyTable(language);
  if (topic == "recording-tables") return RecordingTables(language);
  if (topic == "recording-columns") return RecordingColumns(language);
  if (topic == "tensorboard-charts") return TensorBoardCharts(language);
  if (topic == "recording-views") return RecordingViews(language);
  if (topic == "diagnosis-rules") return DiagnosisRules(language);
  if (topic == "diagnosis-limits") return DiagnosisLimits(language);
  if (topic == "diagnosis-signals") return DiagnosisSignals(language);
  if (topic == "options-global") return OptionTable(*surface.global, language);
  constexpr std::string_view kOptions = "options-";
  if (topic.starts_with(kOptions)) {
    if (const SurfaceCommand* c = surface.Find(topic.substr(kOptions.size()))) {
      return OptionTable(*c->options, language);
    }
  }
  return Fail(ErrorCode::kUsage, Say(language, text::kDocsNoTopic, Printable(topic)),
              Say(language, text::kDocsTopics));
}

}  // namespace gpusight::cli
