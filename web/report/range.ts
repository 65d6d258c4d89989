// SPDX-License-Identifier: Apache-2.0
// The stretch of time that all timelines show, and who wants to know of it. Next: charts.ts.
import { report } from "./text";

const { start_seconds, step_seconds, pieces } = report.timeline;
export const step = step_seconds;
// The middle of each piece, as seconds since the first frame.
const zero = report.run.first_frame_seconds;
export const origin = zero;
export const xs: number[] = Array.from({ length: pieces },
  (_, i) => start_seconds - zero + (i + 0.5) * step_seconds);
export const full = { min: start_seconds - zero, max: start_seconds - zero + pieces * step_seconds };

export interface Range { min: number; max: number }
let now: Range = { ...full };
const listeners = new Set<(range: Range) => void>();

export const range = () => now;
export function onRange(listener: (range: Range) => void) { listeners.add(listener); }
export function forget() { listeners.clear(); }

export function setRange(min: number, max: number) {
  const least = Math.max(2, step_seconds < 5 ? 2 : step_seconds / 10);
  let width = Math.min(Math.max(max - min, least), full.max - full.min);
  let from = Math.min(Math.max(min, full.min), full.max - width);
  if (from === now.min && from + width === now.max) return;
  now = { min: from, max: from + width };
  for (const listener of listeners) listener(now);
}

export function zoom(factor: number, around = (now.min + now.max) / 2) {
  setRange(around - (around - now.min) * factor, around + (now.max - around) * factor);
}
export function pan(share: number) {
  const by = (now.max - now.min) * share;
  // Moved as a whole: at an end it stops and keeps its width.
  const shift = Math.min(Math.max(by, full.min - now.min), full.max - now.max);
  setRange(now.min + shift, now.max + shift);
}
export function reset() { setRange(full.min, full.max); }
