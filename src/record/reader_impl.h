// SPDX-License-Identifier: Apache-2.0
// What Recording, FrameCursor and the series share: the open database, and the two clocks.
#pragma once

#include <string>

#include "record/database.h"
#include "record/reader.h"

namespace gpusight::record {

class Recording::Impl {
 public:
  Impl(Database its_database, std::string its_path, Language its_language)
      : database(std::move(its_database)), path(std::move(its_path)), language(its_language) {}

  // The recording's clock (ms) against the wall's.
  int64_t TimeOf(WallTime wall) const;  // of the first frame at or after it; INT64_MAX when none is
  WallTime WallOf(int64_t t) const;
  Error Explain(Trouble trouble, const std::string& error) const;

  mutable Database database;
  std::string path;
  Language language;
};

}  // namespace gpusight::record
