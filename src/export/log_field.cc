// SPDX-License-Identifier: Apache-2.0
#include "export/log_field.h"

namespace gpusight::exporting {
namespace {

using Scope = LogField::Scope;
constexpr std::string_view kPrefix = "proc_";

std::span<const CatalogRow> Rows(Scope scope) {
  switch (scope) {
    case Scope::kDevice:
      return DeviceRows();
    case Scope::kUse:
      return UseRows();
    case Scope::kProcess:
      return ProcessRows();
  }
  return {};
}

// Short and long name of a process's field. Made once, when first asked for.
const std::pair<std::string, std::string>& Prefixed(LogField field) {
  using Names = std::vector<std::pair<std::string, std::string>>;
  static const auto make = [](Scope scope) {
    Names names;
    for (const CatalogRow& row : Rows(scope)) {
      names.emplace_back(std::string(kPrefix) + std::string(row.log),
                         std::string(kPrefix) + std::string(row.name));
    }
    return names;
  };
  static const Names uses = make(Scope::kUse);
  static const Names processes = make(Scope::kProcess);
  return (field.scope == Scope::kUse ? uses : processes)[field.index];
}

}  // namespace

const CatalogRow& RowOf(LogField field) { return Rows(field.scope)[field.index]; }

const Known<double>& ValueOf(LogField field, const LogSubject& subject) {
  static const Known<double> kNone;  // a process field on a line that is about no process
  switch (field.scope) {
    case Scope::kDevice:
      return subject.frame.devices[subject.device][static_cast<DeviceField>(field.index)];
    case Scope::kUse:
      if (subject.use == nullptr) return kNone;
      return subject.use->fields[static_cast<UseField>(field.index)];
    case Scope::kProcess:
      if (subject.process == nullptr) return kNone;
      return subject.process->fields[static_cast<ProcessField>(field.index)];
  }
  return kNone;
}

std::string_view ShortName(LogField field) {
  return field.scope == Scope::kDevice ? RowOf(field).log : Prefixed(field).first;
}

std::string_view LongName(LogField field) {
  return field.scope == Scope::kDevice ? RowOf(field).name : Prefixed(field).second;
}

std::optional<LogField> FindLogField(std::string_view name) {
  const auto find = [](Scope scope, std::string_view wanted) -> std::optional<LogField> {
    const auto rows = Rows(scope);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].log == wanted || rows[i].name == wanted) {
        return LogField{scope, static_cast<uint8_t>(i)};
      }
    }
    return std::nullopt;
  };
  if (!name.starts_with(kPrefix)) return find(Scope::kDevice, name);
  name.remove_prefix(kPrefix.size());
  if (const auto use = find(Scope::kUse, name)) return use;
  return find(Scope::kProcess, name);
}

std::vector<LogField> AllLogFields(bool processes) {
  std::vector<LogField> fields;
  const auto add = [&fields](Scope scope) {
    for (size_t i = 0; i < Rows(scope).size(); ++i) {
      fields.push_back({scope, static_cast<uint8_t>(i)});
    }
  };
  add(Scope::kDevice);
  if (processes) {
    add(Scope::kUse);
    add(Scope::kProcess);
  }
  return fields;
}

}  // namespace gpusight::exporting
