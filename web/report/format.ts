// SPDX-License-Identifier: Apache-2.0
// Numbers for people, as the terminal shows them: GiB, %, 4m05s. Next: dom.ts.
import type { Num } from "./types";

export const none = "–";

export function bytes(value: Num): string {
  if (value === null) return none;
  const size = Math.abs(value);
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0, scaled = size;
  while (scaled >= 1024 && unit < units.length - 1) { scaled /= 1024; ++unit; }
  return (value < 0 ? "−" : "") + (unit === 0 ? String(Math.round(scaled)) : scaled.toFixed(1)) +
    " " + units[unit];
}

export function percent(value: Num, digits = 0): string {
  return value === null ? none : (value * 100).toFixed(digits) + " %";
}

export function duration(value: Num): string {
  if (value === null) return none;
  const s = Math.abs(value), sign = value < 0 ? "−" : "";
  const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
  if (s === 0) return "0 s";
  if (s < 1e-3) return sign + (s * 1e6).toFixed(0) + " µs";
  if (s < 1) return sign + (s * 1e3).toFixed(s < 0.1 ? 1 : 0) + " ms";
  if (s < 10) return sign + s.toFixed(2) + " s";
  if (s < 60) return sign + s.toFixed(1) + " s";
  if (s < 3600) return sign + Math.floor(s / 60) + "m" + two(s % 60) + "s";
  if (s < 86400) return sign + Math.floor(s / 3600) + "h" + two((s % 3600) / 60) + "m";
  return sign + Math.floor(s / 86400) + "d" + two((s % 86400) / 3600) + "h";
}

// Since the start, on an axis: "1:02:03".
export function elapsed(value: number, tenths = false): string {
  const s = Math.abs(value), sign = value < 0 ? "−" : "";
  const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
  const seconds = tenths ? (s % 60).toFixed(1).padStart(4, "0") : two(s % 60);
  return `${sign}${Math.floor(s / 3600)}:${two((s % 3600) / 60)}:${seconds}`;
}

export function clock(seconds: Num): string {
  if (seconds === null) return none;
  const date = new Date(seconds * 1000), two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export function energy(joules: Num): string {
  if (joules === null) return none;
  if (joules < 3600) return joules.toFixed(0) + " J";
  const wh = joules / 3600;
  return wh < 1000 ? wh.toFixed(wh < 10 ? 2 : 1) + " Wh" : (wh / 1000).toFixed(2) + " kWh";
}

export function count(value: Num): string {
  return value === null ? none : value.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

// By the catalogue's unit.
export function value(unit: string, v: Num): string {
  if (v === null) return none;
  switch (unit) {
    case "ratio": return percent(v, v !== 0 && Math.abs(v) < 0.1 ? 1 : 0);
    case "bytes": return bytes(v);
    case "bytes_per_second": return bytes(v) + "/s";
    case "seconds": return duration(v);
    case "watts": return v.toFixed(0) + " W";
    case "joules": return energy(v);
    case "celsius": return v.toFixed(0) + " °C";
    case "hertz": return (v / 1e6).toFixed(0) + " MHz";
    case "cores": return v.toFixed(2);
    default: return v !== 0 && Math.abs(v) < 0.01 ? v.toPrecision(3) : count(v);
  }
}
