// SPDX-License-Identifier: Apache-2.0
// Exported: field values. The call succeeds although single fields fail; a failed one keeps its
// type and value as they were, 32-bit values fill half of the union, and some say success without
// writing anything. All of that is the driver's own behaviour.
#include <cmath>

#include "testing/fake_nvml/driver.h"

namespace gpusight::nvml {

using namespace fake;  // NOLINT: these functions are one surface

namespace {

constexpr int kSilent = -1;  // a recorded code: not even the result is written

bool IsNvlinkThroughput(uint32_t field) { return field >= 138 && field <= 141; }

void PutValue(const Entry& entry, double now, FieldValue& out) {
  const int type = entry.recorded.type < 0 ? int{kUnsignedLongLong} : entry.recorded.type;
  out.type = static_cast<ValueType>(type);
  switch (out.type) {
    case kDouble:
      out.value.d = Session::ItemOf<double>(entry, 0, now);
      break;
    case kUnsignedInt:
      // Counters wrap.
      out.value.u32 = static_cast<uint32_t>(Session::ItemOf<uint64_t>(entry, 0, now));
      break;
    case kSignedInt:
      out.value.i32 = Session::ItemOf<int32_t>(entry, 0, now);
      break;
    case kUnsignedShort:
      out.value.u16 = Session::ItemOf<uint16_t>(entry, 0, now);
      break;
    case kSignedLongLong:
      out.value.i64 = Session::ItemOf<int64_t>(entry, 0, now);
      break;
    case kUnsignedLong:
    case kUnsignedLongLong:
      out.value.u64 = Session::ItemOf<uint64_t>(entry, 0, now);
      break;
  }
}

void Fill(const Session& session, FieldValue& out) {
  const Call call = Call::nvmlDeviceGetFieldValues;
  const Entry* entry = session.Find({call, Pack({out.field, out.scope})});
  // Per-link counters that were recorded once for all links.
  if (entry == nullptr && IsNvlinkThroughput(out.field)) entry = session.Find({call, out.field});
  if (entry != nullptr && entry->recorded.code == kSilent) return;
  out.time_us = static_cast<int64_t>(session.Wall(session.now()));
  out.latency_us = entry == nullptr ? 0 : std::llround(entry->recorded.seconds * 1e6);
  out.result = static_cast<Return>(entry == nullptr ? int{kInvalidArgument} : entry->recorded.code);
  if (out.result != kSuccess) return;
  if (!entry->recorded.unwritten) {
    PutValue(*entry, session.now(), out);
  } else if (entry->recorded.type >= 0) {
    out.type = static_cast<ValueType>(entry->recorded.type);
  }
}

}  // namespace

extern "C" {

Return nvmlDeviceGetFieldValues(Device h, int count, FieldValue* values) {
  const Session session(Call::nvmlDeviceGetFieldValues, h);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (count <= 0 || values == nullptr) return kInvalidArgument;
  if (session.mig() != nullptr) return kNotSupported;
  for (int i = 0; i < count; ++i) Fill(session, values[i]);
  return kSuccess;
}

}  // extern "C"

}  // namespace gpusight::nvml
