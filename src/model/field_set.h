// SPDX-License-Identifier: Apache-2.0
// One number for each row of a scope of the catalogue. Next: framework.h and frame.h, made of them.
#pragma once

#include <array>
#include <cstddef>

#include "model/known.h"

namespace gpusight {

template <typename Field>
class FieldSet {
 public:
  Known<double>& operator[](Field f) { return values_[static_cast<size_t>(f)]; }
  const Known<double>& operator[](Field f) const { return values_[static_cast<size_t>(f)]; }
  // Every field gets the same reason for being missing.
  void Fill(Missing missing) { values_.fill(Known<double>(missing)); }
  static constexpr size_t size() { return static_cast<size_t>(Field::kCount); }

 private:
  std::array<Known<double>, static_cast<size_t>(Field::kCount)> values_;
};

}  // namespace gpusight
