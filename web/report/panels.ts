// SPDX-License-Identifier: Apache-2.0
// Which timelines there are, for one device or for all. Next: memory.ts.
import { Line, Spec, Stripe } from "./charts";
import * as format from "./format";
import { memoryPanel } from "./memory";
import { deviceName } from "./names";
import { origin, Range } from "./range";
import { label, reason, report, t, why } from "./text";
import { color } from "./theme";
import type { Device, Num, Series } from "./types";

// `name` of a device or of the host as a line; what is missing goes into `absent`.
function line(name: string, series: Series | undefined, at: number, absent: string[],
              more: Partial<Line> = {}): Line[] {
  if (!series) return [];
  const called = more.label ?? label(name);
  if (!series.means) {
    absent.push(`${called}: ${why(series, "mean")}`);
    return [];
  }
  if (series.missing_seconds && series.missing_seconds > 5 && series.missing_why) {
    absent.push(t("partly_missing", called, reason(series.missing_why)));
  }
  return [{
    label: called, unit: series.unit, values: series.means, color: color(at), mean: series.mean,
    least: series.leasts, most: series.mosts, ...more,
  }];
}

// The same number of several devices.
function each(devices: Device[], name: string, absent: string[]): Line[] {
  const alone = devices.length === 1;
  return devices.flatMap((device, i) => line(name, device.series[name], i, absent, {
    label: alone ? label(name) : deviceName(device),
    // Eight bands over each other tell nothing.
    ...(alone ? {} : { least: undefined, most: undefined }),
  }));
}

const kLongest = 600;  // seconds of 200 ms samples are shown at once

function detailOf(devices: Device[]) {
  if (!devices.some((d) => d.utilization_samples.stretches.length > 0)) return undefined;
  return (range: Range) => {
    if (range.max - range.min > kLongest) return null;
    const step = devices[0].utilization_samples.step_seconds;
    const from = Math.floor(range.min / step) - 1, to = Math.ceil(range.max / step) + 1;
    const xs = Array.from({ length: to - from + 1 }, (_, i) => (from + i) * step);
    let any = false;
    const values = devices.map((device) => {
      const row: Num[] = xs.map(() => null);
      for (const stretch of device.utilization_samples.stretches) {
        const begin = Math.round((stretch.start_seconds - origin) / step);
        const last = Math.min(to, begin + stretch.percent.length - 1);
        for (let i = Math.max(from, begin); i <= last; ++i) {
          const percent = stretch.percent[i - begin];
          row[i - from] = percent === null ? null : percent / 100;
          any ||= percent !== null;
        }
      }
      return row;
    });
    return any ? { xs, values } : null;
  };
}

function panel(id: string, unit: string, make: (absent: string[]) => Line[], more: Partial<Spec> = {}): Spec[] {
  const absent: string[] = [];
  const lines = make(absent);
  if (lines.length === 0 && absent.length === 0) return [];
  return [{ id, title: t("chart_" + id), unit, lines, absent, ...more }];
}

function clockNote(devices: Device[]): string {
  const total = new Map<string, number>();
  for (const device of devices) {
    for (const [name, seconds] of Object.entries(device.clock_event_seconds)) {
      if (typeof seconds === "number" && seconds > 0) total.set(name, Math.max(total.get(name) ?? 0, seconds));
    }
  }
  if (total.size === 0) return "";
  return t("clocks_held", [...total].map(([name, seconds]) => `${label(name)} ${seconds.toFixed(0)} s`).join(", "));
}

// Why the clocks were held down, as the driver's bits say; idle and chosen clocks are no reason.
const kReasons: [number, string, number][] = [
  [0x4, "power_cap", 4], [0x8, "hardware_slowdown", 1], [0x10, "sync_boost", 6],
  [0x20, "software_thermal", 3], [0x40, "hardware_thermal", 1], [0x80, "power_brake", 7],
];

function clockStripes(devices: Device[]): Stripe[] {
  return kReasons.map(([bit, name, at]) => ({
    label: label(name), color: color(at),
    on: Array.from({ length: report.timeline.pieces }, (_, i) =>
      devices.some((d) => ((d.clock_event_reasons[i] ?? 0) & bit) !== 0)),
  })).filter((stripe) => stripe.on.includes(true));
}

function stepLines(absent: string[]): Line[] {
  const several = report.steps.length > 1;
  if (report.steps.length === 0) absent.push(t("no_steps"));
  return report.steps.slice(0, 8).map((steps, i) => ({
    label: several ? `${t("process")} ${report.processes[steps.process].pid}` : t("step_time"),
    unit: "seconds", values: steps.mean_seconds_series, color: color(i), mean: steps.mean_seconds,
    ...(several ? {} : { least: steps.mean_seconds_series, most: steps.most_seconds_series }),
  }));
}

// One step that took a minute must not flatten all others.
function stepTop(): Partial<Spec> {
  const usual = Math.max(0, ...report.steps.map((s) => s.p99_seconds));
  const most = Math.max(0, ...report.steps.map((s) => s.most_seconds));
  return most > 4 * usual ? { top: 2.5 * usual, note: t("cut_above", format.duration(most)) } : {};
}

function waitLines(): Line[] {
  const several = report.steps.length > 1;
  return report.steps.slice(0, 8).map((steps, i) => ({
    label: several ? `${t("process")} ${report.processes[steps.process].pid}` : t("data_wait"),
    unit: "ratio", values: steps.data_wait_ratio_series, color: color(i),
    mean: steps.seconds > 0 ? steps.data_wait_seconds / steps.seconds : null,
  }));
}

// `chosen`: position of a device, or -1 for all.
export function panels(chosen: number): Spec[] {
  const devices = chosen < 0 ? report.devices : [report.devices[chosen]];
  const one = devices.length === 1 ? devices[0] : null;
  const host = report.host.series;
  const hostLines = (absent: string[], ...names: string[]) =>
    names.flatMap((name, i) => line(name, host[name], i, absent, { least: undefined, most: undefined }));
  const cut = devices.some((d) => d.utilization_samples.cut);
  return [
    ...panel("utilization", "ratio", (a) => each(devices, "utilization_ratio", a), {
      detail: detailOf(devices),
      note: devices.some((d) => d.utilization_samples.stretches.length > 0)
        ? t(cut ? "detail_hint_cut" : "detail_hint") : "",
      detailNote: t("detail_shown"),
    }),
    ...panel("activity", "ratio", (a) => one
      ? ["sm_activity_ratio", "tensor_activity_ratio", "dram_activity_ratio", "sm_occupancy_ratio",
         "fp32_activity_ratio"]
        .flatMap((name, i) => line(name, one.series[name], i, a, { least: undefined, most: undefined }))
      : each(devices, "sm_activity_ratio", a),
      one ? {} : { title: label("sm_activity_ratio"), note: t("choose_device") }),
    ...memoryPanel(devices),
    ...panel("steps", "seconds", stepLines, stepTop()),
    ...panel("data_wait", "ratio", waitLines),
    ...report.metrics.map((metric, i): Spec => ({
      id: `metric-${i}`, title: metric.name, unit: "number", note: t("own_metric"), anyRange: true,
      lines: line(metric.name, metric.series, 0, [], { label: metric.name, least: undefined, most: undefined, sparse: true }),
    })),
    ...panel("power", "watts", (a) => [
      ...each(devices, "power_watts", a),
      ...(one ? line("power_limit_watts", one.series.power_limit_watts, 7, a, { dash: true }) : [])]),
    ...panel("temperature", "celsius", (a) => [
      ...each(devices, "temperature_celsius", a),
      ...(one ? line("memory_temperature_celsius", one.series.memory_temperature_celsius, 1, a) : [])]),
    ...panel("clocks", "hertz", (a) => [
      ...each(devices, "sm_clock_hertz", a),
      ...(one ? line("memory_clock_hertz", one.series.memory_clock_hertz, 1, a) : [])],
      { note: clockNote(devices), stripes: clockStripes(devices) }),
    ...panel("links", "bytes_per_second", (a) => one
      ? Object.keys(one.series).filter((n) => /^(pcie|nvlink)_/.test(n))
        .flatMap((name, i) => line(name, one.series[name], i, a, { least: undefined, most: undefined }))
      : []),
    ...panel("cpu", "cores", (a) => hostLines(a, "processes_cpu_cores", "cpu_cores",
      "cpu_iowait_cores", "container_cpu_cores")),
    ...panel("io", "bytes_per_second", (a) => hostLines(a, "processes_read_bytes_per_second",
      "processes_written_bytes_per_second", "disk_read_bytes_per_second",
      "disk_written_bytes_per_second", "network_receive_bytes_per_second",
      "network_transmit_bytes_per_second")),
    ...panel("host_memory", "bytes", (a) => hostLines(a, "memory_used_bytes",
      "container_memory_current_bytes", "container_memory_limit_bytes", "shm_used_bytes")),
    ...panel("pressure", "ratio", (a) => hostLines(a, "cpu_pressure_ratio", "memory_pressure_ratio",
      "io_pressure_ratio", "disk_busy_ratio")),
  ];
}
