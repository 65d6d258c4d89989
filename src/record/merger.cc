// SPDX-License-Identifier: Apache-2.0
#include "record/merger.h"

#include <algorithm>

namespace gpusight::record {

void Merger::Clear() { entities_.clear(); }

std::set<int64_t> Merger::DevicesOf(int64_t process) const {
  std::set<int64_t> devices;
  for (auto it = entities_.lower_bound({Scope::kUse, {process, INT64_MIN}});
       it != entities_.end() && it->first.first == Scope::kUse &&
       it->first.second.entity == process;
       ++it) {
    devices.insert(it->first.second.part);
  }
  return devices;
}

void Merger::Add(const Frame& frame, const FrameIds& ids, int64_t weight, int64_t t,
                 WideTables* extremes) {
  EachRow(frame, ids, [&](const WideRow& row) {
    Entity& entity = entities_[{row.scope, row.key}];
    entity.numbers.resize(row.values.size());
    entity.extras.assign(row.extras.begin(), row.extras.end());
    if (extremes != nullptr) {
      extremes->Of(row.scope).ReadExtremes(t, row.key, least_, most_);
    } else {
      least_.assign(row.values.size(), Known<double>());
      most_ = least_;
    }
    for (size_t i = 0; i < row.values.size(); ++i) {
      Number& number = entity.numbers[i];
      const Known<double>& value = row.values[i];
      number.last = value;
      if (!value) continue;
      const auto w = static_cast<double>(weight);
      const double least = least_[i].value_or(*value), most = most_[i].value_or(*value);
      number.least = number.weight > 0 ? std::min(number.least, least) : least;
      number.most = number.weight > 0 ? std::max(number.most, most) : most;
      number.sum += *value * w;
      number.weight += w;
    }
  });
}

bool Merger::Write(int64_t t, WideTables& tables) const {
  std::vector<Known<double>> values, least, most;
  for (const auto& [name, entity] : entities_) {
    const auto& [scope, key] = name;
    const auto rows = RowsOf(scope);
    values.assign(rows.size(), Known<double>());
    least = most = values;
    for (size_t i = 0; i < rows.size(); ++i) {
      const Number& number = entity.numbers[i];
      values[i] = number.last;
      if (number.weight <= 0 || !HasMean(rows[i])) continue;
      values[i] = number.sum / number.weight;
      least[i] = number.least;
      most[i] = number.most;
    }
    if (!tables.Of(scope).Write(t, {scope, key, values, entity.extras}, least, most)) return false;
  }
  return true;
}

}  // namespace gpusight::record
