// SPDX-License-Identifier: Apache-2.0
#include "export/log_line.h"

#include <fmt/format.h>

#include <iterator>

#include "base/log.h"
#include "base/text.h"
#include "export/csv.h"
#include "export/device_label.h"
#include "export/json.h"
#include "export/names.h"
#include "export/number.h"

namespace gpusight::exporting {
namespace {

void AppendInt(std::string& out, int64_t value) {
  fmt::format_to(std::back_inserter(out), "{}", value);
}

std::string_view CommandOf(const LogSubject& subject) {
  return subject.process->command ? std::string_view(*subject.process->command)
                                  : std::string_view();
}

// "fan_ratio: not supported; …", or nothing; the names without quoting are safe in each format.
void AppendUnknown(std::string& out, const LogLayout& layout, const LogSubject& subject) {
  bool first = true;
  const auto add = [&](std::string_view name, Missing why) {
    if (!first) out += "; ";
    first = false;
    out += name;
    out += ": ";
    AppendDescription(out, why);
  };
  const DeviceSample& device = subject.frame.devices[subject.device];
  if (device.info.uuid.empty()) add("uuid", {WhyUntold(device.state)});
  for (const LogField field : layout.fields) {
    const auto& value = ValueOf(field, subject);
    if (!value) add(LongName(field), value.missing());
  }
}

bool AnyUnknown(const LogLayout& layout, const LogSubject& subject) {
  if (subject.frame.devices[subject.device].info.uuid.empty()) return true;
  for (const LogField field : layout.fields) {
    if (!ValueOf(field, subject)) return true;
  }
  return false;
}

void AppendText(std::string& out, const LogLayout& layout, const LogSubject& subject) {
  out += '[';
  AppendLocal(out, subject.frame.time);
  if (layout.milliseconds) {
    fmt::format_to(std::back_inserter(out), ".{:03}", subject.frame.time.ns / 1'000'000 % 1000);
  }
  out += "] GPU-";
  AppendDeviceLabel(out, subject.frame, subject.device);
  out += ':';
  std::string_view separator = " ";
  if (subject.process != nullptr) {
    out += " pid=";
    AppendInt(out, subject.process->pid);
    out += ", command=";
    AppendLogfmtValue(out, CommandOf(subject));
    separator = ", ";
  }
  for (const LogField field : layout.fields) {
    out += separator;
    separator = ", ";
    out += ShortName(field);
    out += '=';
    const auto& value = ValueOf(field, subject);
    if (value) {
      out += FormatValue(RowOf(field).unit, *value);
    } else {
      out += "n/a(";
      AppendDescription(out, value.missing());
      out += ')';
    }
  }
}

void AppendLogfmt(std::string& out, const LogLayout& layout, const LogSubject& subject) {
  out += "time=";
  AppendUtc(out, subject.frame.time);
  out += " gpu=";
  AppendDeviceLabel(out, subject.frame, subject.device);
  if (const auto& uuid = subject.frame.devices[subject.device].info.uuid; !uuid.empty()) {
    out += " uuid=";
    AppendLogfmtValue(out, uuid);
  }
  if (subject.process != nullptr) {
    out += " pid=";
    AppendInt(out, subject.process->pid);
    out += " command=";
    AppendLogfmtValue(out, CommandOf(subject));
  }
  for (const LogField field : layout.fields) {
    const auto& value = ValueOf(field, subject);
    if (!value) continue;
    out += ' ';
    out += LongName(field);
    out += '=';
    AppendNumber(out, *value);
  }
  if (!AnyUnknown(layout, subject)) return;
  out += " unknown=\"";
  AppendUnknown(out, layout, subject);
  out += '"';
}

void AppendCsv(std::string& out, const LogLayout& layout, const LogSubject& subject) {
  AppendUtc(out, subject.frame.time);
  out += ',';
  AppendDeviceLabel(out, subject.frame, subject.device);
  out += ',';
  AppendCsvCell(out, subject.frame.devices[subject.device].info.uuid);
  if (layout.processes) {
    out += ',';
    if (subject.process != nullptr) AppendInt(out, subject.process->pid);
    out += ',';
    if (subject.process != nullptr) AppendCsvCell(out, CommandOf(subject));
  }
  for (const LogField field : layout.fields) {
    out += ',';
    if (const auto& value = ValueOf(field, subject)) AppendNumber(out, *value);
  }
  out += ',';
  AppendUnknown(out, layout, subject);
}

void AppendJsonl(std::string& out, const LogLayout& layout, const LogSubject& subject,
                 JsonScratch& scratch) {
  const DeviceSample& device = subject.frame.devices[subject.device];
  JsonWriter json(out, scratch);
  json.BeginObject();
  scratch.text.clear();
  AppendUtc(scratch.text, subject.frame.time);
  json.Member("time", scratch.text);
  json.Member("gpu", GpuIndex(subject.frame, subject.device));
  if (device.is_mig_instance()) {
    json.Member("gpu_instance", device.info.gpu_instance);
    json.Member("compute_instance", device.info.compute_instance);
  }
  json.MemberOr("uuid", device.info.uuid, WhyUntold(device.state));
  if (subject.process != nullptr) {
    json.Member("pid", subject.process->pid);
    json.Member("command", subject.process->command);
  }
  for (const LogField field : layout.fields) json.Member(LongName(field), ValueOf(field, subject));
  json.EndObject();
}

}  // namespace

bool BeginsLikeLog(std::string_view text) {
  if (text.empty()) return true;
  std::string_view rest = text.substr(0, text.find('\n'));
  if (rest.starts_with("time,gpu,uuid,") || rest == "time,gpu,uuid") return true;
  if (rest.starts_with("time=")) return rest.find(" gpu=") != std::string_view::npos;
  if (rest.starts_with("{\"time\":\"")) return rest.find("\"gpu\":") != std::string_view::npos;
  // [2026-04-05 10:00:00] GPU-0:
  constexpr size_t kTime = std::string_view("[2026-04-05 10:00:00").size();
  if (!rest.starts_with('[') || rest.size() < kTime) return false;
  const size_t end = rest.find(']');
  return end != std::string_view::npos && end >= kTime && rest.substr(end).starts_with("] GPU-");
}

std::string LogEncoder::Header() const {
  if (layout_.format != LogFormat::kCsv) return {};
  std::string out = layout_.processes ? "time,gpu,uuid,pid,command" : "time,gpu,uuid";
  for (const LogField field : layout_.fields) {
    out += ',';
    out += LongName(field);
  }
  out += ",unknown\n";
  return out;
}

void LogEncoder::Append(std::string& out, const LogSubject& subject) {
  switch (layout_.format) {
    case LogFormat::kText:
      AppendText(out, layout_, subject);
      break;
    case LogFormat::kLogfmt:
      AppendLogfmt(out, layout_, subject);
      break;
    case LogFormat::kCsv:
      AppendCsv(out, layout_, subject);
      break;
    case LogFormat::kJsonl:
      AppendJsonl(out, layout_, subject, scratch_);
      break;
  }
  out += '\n';
}

}  // namespace gpusight::exporting
