// SPDX-License-Identifier: Apache-2.0
// In the page's place where the program is built without it (GPUSIGHT_PAGES=OFF).
#include "report/page.h"

namespace gpusight::report {

const Page& ReportPage() {
  static constexpr Page kPage{};
  return kPage;
}

}  // namespace gpusight::report
