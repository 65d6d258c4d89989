// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <set>

#include "base/text.h"
#include "export/json.h"
#include "export/markup.h"
#include "model/text/report_page.h"
#include "report/json.h"
#include "report/page.h"

namespace gpusight::report {
namespace {

// JSON has '<' only inside texts, where an escape means the same: nothing in it can look like the
// end of an element or the beginning of a comment.
void AppendEmbedded(std::string& out, std::string_view json) {
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003C";
    } else {
      out += c;
    }
  }
}

constexpr Language kLanguages[] = {Language::kEnglish, Language::kChinese};
std::string_view Code(Language language) { return language == Language::kChinese ? "zh" : "en"; }

void WriteLabel(exporting::JsonWriter& json, std::string_view name, const Text& text) {
  json.Key(name);
  json.BeginObject();
  for (const Language language : kLanguages) json.Member(Code(language), text.In(language));
  json.EndObject();
}

void WriteLabels(exporting::JsonWriter& json, const Report& report) {
  json.Key("labels");
  json.BeginObject();
  std::set<std::string_view> written;
  for (const text::PageText& word : text::kDataWords) {
    if (written.insert(word.key).second) WriteLabel(json, word.key, word.text);
  }
  const auto rows = [&](std::span<const CatalogRow> all, const std::vector<NamedCurve>& curves) {
    for (const NamedCurve& curve : curves) {
      for (const CatalogRow& row : all) {
        if (row.name != curve.name || !written.insert(row.name).second) continue;
        WriteLabel(json, row.name, row.label);
      }
    }
  };
  for (const DeviceReport& device : report.devices) rows(DeviceRows(), device.curves);
  rows(HostRows(), report.host);
  json.EndObject();
}

// The data say in English why something is missing.
void WriteReasons(exporting::JsonWriter& json) {
  json.Key("reasons");
  json.BeginObject();
  for (int i = 0; i <= static_cast<int>(Absence::kNotAsked); ++i) {
    const Missing missing{static_cast<Absence>(i), 0};
    json.Member(Describe(missing), Describe(missing, Language::kChinese));
  }
  json.EndObject();
}

std::string TextsJson(const Report& report, Language language) {
  std::string out;
  exporting::JsonWriter json(out);
  json.BeginObject();
  json.Member("lang", Code(language));
  for (const Language each : kLanguages) {
    json.Key(Code(each));
    json.BeginObject();
    for (const text::PageText& page : text::kPageTexts) json.Member(page.key, page.text.In(each));
    json.EndObject();
  }
  WriteLabels(json, report);
  WriteReasons(json);
  json.EndObject();
  return out;
}

}  // namespace

bool HasPage() { return !ReportPage().parts[0].empty(); }

std::string Html(const Report& report, Language language) {
  const auto& parts = ReportPage().parts;
  std::string data;
  AppendJson(data, report);
  std::string out;
  out.reserve(data.size() + data.size() / 16 + (size_t{256} << 10));
  out += parts[0];
  out += language == Language::kChinese ? "zh-CN" : "en";
  out += parts[1];
  exporting::AppendHtmlSafe(out, Printable(report.summary.facts.name));
  out += parts[2];
  exporting::AppendHtmlSafe(out, Say(language, text::kPageNeedsScript));
  out += parts[3];
  AppendEmbedded(out, TextsJson(report, language));
  out += parts[4];
  AppendEmbedded(out, data);
  out += parts[5];
  return out;
}

}  // namespace gpusight::report
