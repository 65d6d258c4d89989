// SPDX-License-Identifier: Apache-2.0
// A telemetry page is written by a process that we do not trust. The input changes a whole page in
// places: three bytes of offset, one of length, then what stands there.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "agent/page_layout.h"
#include "probe/page/page_reader.h"
#include "probe/page/test_page.h"

using gpusight::page::TestPage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  TestPage page;
  page.AddStep(0.5, 0.1);
  page.AddSample(0.5, page.AddStack("main"));
  auto* bytes = reinterpret_cast<uint8_t*>(&page.page());
  const int file = memfd_create("page", MFD_CLOEXEC);
  gpusight::page::PageReader reader{gpusight::UniqueFd(file), "page"};
  gpusight::FrameworkSample sample;
  const size_t half = size / 2;  // one change before the first reading, one before the second
  for (int pass = 0; pass < 2; ++pass) {
    const size_t end = pass == 0 ? half : size;
    for (size_t at = pass == 0 ? 0 : half; at + 4 < end;) {
      const size_t offset =
          (data[at] | data[at + 1] << 8 | data[at + 2] << 16) % sizeof(gpusight_page);
      const size_t length =
          std::min({size_t{data[at + 3]}, end - at - 4, sizeof(gpusight_page) - offset});
      std::memcpy(bytes + offset, data + at + 4, length);
      at += 4 + length;
    }
    if (pwrite(file, bytes, sizeof(gpusight_page), 0) < 0) std::abort();
    (void)reader.ReadHeader();
    const auto now = static_cast<int64_t>(TestPage::At(1 + pass));
    (void)reader.Read(sample, gpusight::WallTime{now}, 1);
    for (const gpusight::StackSample& look : sample.stack_samples) {
      if (look.stack >= sample.stacks.size()) std::abort();
    }
  }
  return 0;
}
