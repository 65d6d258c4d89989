// SPDX-License-Identifier: Apache-2.0
// What devices and processes are called. Next: panels.ts.
import { report } from "./text";
import type { Device } from "./types";

export function deviceName(device: Device): string {
  if (device.gpu_instance !== null) {
    return `GPU ${device.index}/${device.gpu_instance}/${device.compute_instance}`;
  }
  return `GPU ${device.index}`;
}

export function processName(position: number): string {
  const process = report.processes[position];
  return process ? `${process.command ?? ""} ${process.pid}`.trim() : "";
}
