// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of recordings: whatever a file holds, all of it is read as far as it goes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "record/series.h"
#include "record/tables.h"

namespace {

using namespace gpusight;
using namespace gpusight::record;

constexpr int kMostFrames = 200;

class Nowhere : public TableSink {
 public:
  bool Row(size_t /*table*/, std::span<const TableCell> cells) override {
    return cells.size() < 1000 && ++rows_ < 20'000;
  }

 private:
  int rows_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto recording =
      Recording::FromBytes({reinterpret_cast<const char*>(data), size}, Language::kEnglish);
  if (!recording) return 0;
  const Summary summary = recording->Read();
  FrameCursor cursor = recording->Frames();
  Frame frame;
  for (int i = 0; i < kMostFrames && cursor.Next(frame); ++i) {
  }
  cursor.Seek(summary.span.end);
  cursor.Next(frame);
  (void)recording->Events({});
  (void)recording->Marks(0, {});
  (void)recording->OutOfMemories(0, {});
  (void)recording->Steps(0, {});
  (void)recording->Stacks(1, {});
  (void)recording->Findings();
  (void)recording->Output();
  const DeviceField device[] = {DeviceField::kPower, DeviceField::kMemoryTotal};
  const UseField use[] = {UseField::kMemory};
  (void)DeviceSeries(*recording, 1, device, {}, 10);
  (void)UseSeries(*recording, 1, 1, use, summary.span, 10);
  (void)SubSamples(*recording, 1, RingField::kPower, {});
  Nowhere sink;
  (void)WriteTables(*recording, {}, sink);
  return 0;
}
