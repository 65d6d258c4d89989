// SPDX-License-Identifier: Apache-2.0
#include "model/xid.h"

#include "model/text/doctor_devices.h"

namespace gpusight {

XidKind KindOfXid(int xid) {
  switch (xid) {
    case 13:  // graphics or compute exception
    case 31:  // page fault
    case 8:   // time-out, bad push buffer, class error: mostly software
    case 11:
    case 25:
    case 32:
    case 69:
      return XidKind::kProgram;
    case 43:  // stopped by its own fault
    case 45:  // cleaned up after
      return XidKind::kConsequence;
    case 48:   // double-bit error
    case 63:   // row remapped
    case 64:   // remapping failed
    case 92:   // many single-bit errors
    case 94:   // contained
    case 95:   // uncontained
    case 140:  // error that escaped ECC
      return XidKind::kMemory;
    case 74:
    case 136:
    case 137:
    case 145:
    case 149:
    case 150:
    case 155:
      return XidKind::kLink;
    case 79:
      return XidKind::kOffBus;
    case 46:   // GPU stopped answering
    case 62:   // micro-controller halted
    case 119:  // GSP time-out
    case 120:  // GSP error
    case 143:
    case 158:
      return XidKind::kFirmware;
    case 154:
      return XidKind::kAction;
    default:
      return XidKind::kOther;
  }
}

XidText TextOf(XidKind kind) {
  switch (kind) {
    case XidKind::kProgram:
      return {&text::kXidProgram, &text::kXidProgramRemedy};
    case XidKind::kConsequence:
      return {&text::kXidConsequence, nullptr};
    case XidKind::kMemory:
      return {&text::kXidMemory, &text::kXidMemoryRemedy};
    case XidKind::kLink:
      return {&text::kXidLink, &text::kXidLinkRemedy};
    case XidKind::kOffBus:
      return {&text::kXidOffBus, &text::kXidOffBusRemedy};
    case XidKind::kFirmware:
      return {&text::kXidFirmware, &text::kXidFirmwareRemedy};
    case XidKind::kAction:
      return {&text::kXidAction, &text::kXidActionRemedy};
    case XidKind::kOther:
      break;
  }
  return {&text::kXidOther, nullptr};
}

bool IsOfTheCard(XidKind kind) {
  switch (kind) {
    case XidKind::kMemory:
    case XidKind::kLink:
    case XidKind::kOffBus:
    case XidKind::kFirmware:
    case XidKind::kAction:
      return true;
    default:
      return false;
  }
}

}  // namespace gpusight
