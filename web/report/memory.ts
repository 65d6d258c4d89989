// SPDX-License-Identifier: Apache-2.0
// The memory account: layers over time, and the table of the moment at which most was used, whose
// sums hold to the byte. Next: flame.ts.
import type { Line, Spec } from "./charts";
import { el } from "./dom";
import * as format from "./format";
import { deviceName, processName } from "./names";
import { label, reason, t, why } from "./text";
import { color, css } from "./theme";
import type { Device, Layer } from "./types";

const alone = new Set(["residual", "driver_reserved", "free", "other_processes"]);

function colorOf(layer: Layer, order: number[]): string {
  if (layer.kind === "free") return css("--free");
  if (layer.kind === "driver_reserved") return css("--reserved");
  if (layer.kind === "residual") return css("--residual");
  if (layer.kind === "other_processes") return css("--others");
  const base = color(order.indexOf(layer.process ?? -1));
  // Layers of a process are shades of its colour; a mixed colour must be opaque.
  const shade: Record<string, number> = {
    allocated: 0, process: 0, inactive_split: 0.3, cached: 0.45, other_cached: 0.55,
    outside_allocator: 0.65,
  };
  return mix(base, css("--page"), shade[layer.kind] ?? 0);
}

function mix(a: string, b: string, share: number): string {
  const part = (c: string, i: number) => parseInt(c.slice(1 + 2 * i, 3 + 2 * i), 16);
  const both = [0, 1, 2].map((i) => Math.round(part(a, i) * (1 - share) + part(b, i) * share));
  return "#" + both.map((n) => n.toString(16).padStart(2, "0")).join("");
}

export function memoryPanel(devices: Device[]): Spec[] {
  if (devices.length !== 1) {
    const lines: Line[] = devices.flatMap((device, i) => {
      const { memory } = device;
      if (memory.peak_used_bytes === null) return [];
      const free = memory.layers.find((l) => l.kind === "free")!;
      const reserved = memory.layers.find((l) => l.kind === "driver_reserved");
      return [{
        label: deviceName(device), unit: "bytes", color: color(i), mean: memory.peak_used_bytes,
        values: memory.total_bytes.map((total, at) => total === null ? null
          : total - free.bytes[at]! - (reserved?.bytes[at] ?? 0)),
      }];
    });
    if (lines.length === 0) return [];
    return [{ id: "memory", title: t("chart_memory_used"), unit: "bytes", lines, note: t("choose_device") }];
  }
  const { memory } = devices[0];
  if (memory.peak_used_bytes === null) {
    return [{ id: "memory", title: t("chart_memory"), unit: "bytes", lines: [],
              absent: [`${t("chart_memory")}: ${why(memory, "peak_used_bytes")}`] }];
  }
  const order = [...new Set(memory.layers.map((l) => l.process ?? -1))];
  const several = order.filter((p) => p >= 0).length > 1;
  const absent: string[] = [];
  if (memory.incomplete_pieces > 0 && memory.incomplete_why) {
    absent.push(t("memory_incomplete", reason(memory.incomplete_why)));
  }
  if (memory.unbalanced_pieces > 0) absent.push(t("memory_unbalanced"));
  return [{
    id: "memory", title: t("chart_memory"), unit: "bytes", layers: true, absent,
    note: t("memory_note"),
    lines: memory.layers.map((layer) => ({
      label: layer.kind === "process" && layer.process !== null ? processName(layer.process)
        : several && layer.process !== null ? `${label(layer.kind)} (${processName(layer.process)})` : label(layer.kind),
      unit: "bytes", values: layer.bytes, color: colorOf(layer, order), mean: layer.at_peak_bytes,
    })),
  }];
}

// The account of the peak, with its sums.
export function memoryTable(device: Device): HTMLElement {
  const { memory } = device;
  const title = el("h3", {}, deviceName(device));
  if (memory.peak_used_bytes === null) {
    return el("div", {}, title, el("p", { class: "absent" }, why(memory, "peak_used_bytes")));
  }
  const rows: HTMLElement[] = [];
  const row = (name: string, bytes: number, depth: number, kind: string) => {
    rows.push(el("tr", { class: `depth-${depth}`, "data-kind": kind, "data-bytes": bytes },
      el("th", { scope: "row" }, name), el("td", { class: "number" }, format.bytes(bytes))));
  };
  const of = (process: number | null, ...kinds: string[]) => memory.layers
    .filter((l) => l.process === process && kinds.includes(l.kind))
    .reduce((sum, l) => sum + l.at_peak_bytes, 0);
  const processes = [...new Set(memory.layers.map((l) => l.process).filter((p) => p !== null))] as number[];
  const pool = ["allocated", "inactive_split", "other_cached", "cached"];
  for (const process of processes) {
    const own = memory.layers.filter((l) => l.process === process && !alone.has(l.kind));
    const whole = own.reduce((sum, l) => sum + l.at_peak_bytes, 0);
    if (whole === 0) continue;
    row(processName(process), whole, 0, "process");
    const reserved = of(process, ...pool);
    if (reserved === 0) continue;
    row(label("reserved"), reserved, 1, "reserved");
    for (const layer of own) if (pool.includes(layer.kind)) row(label(layer.kind), layer.at_peak_bytes, 2, layer.kind);
    row(label("outside_allocator"), of(process, "outside_allocator"), 1, "outside_allocator");
  }
  for (const layer of memory.layers) if (alone.has(layer.kind)) row(label(layer.kind), layer.at_peak_bytes, 0, layer.kind);
  return el("div", { class: "account" }, title,
    el("p", { class: "quiet" }, t("memory_at", format.clock(memory.peak_at_seconds ?? null))),
    memory.unaccounted_peak_bytes !== null
      ? el("p", { class: "quiet" }, t("memory_higher", format.bytes(memory.unaccounted_peak_bytes))) : null,
    el("table", { id: "account-" + device.uuid }, el("tbody", {}, ...rows),
      el("tfoot", {}, el("tr", { "data-kind": "total", "data-bytes": memory.peak_total_bytes! },
        el("th", { scope: "row" }, t("total")),
        el("td", { class: "number" }, format.bytes(memory.peak_total_bytes!))))));
}
