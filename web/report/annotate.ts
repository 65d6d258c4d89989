// SPDX-License-Identifier: Apache-2.0
// What is drawn over every timeline: phases, findings, events and failures. Next: charts.ts.
import type uPlot from "uplot";
import { origin } from "./range";
import { label, report, t } from "./text";
import { css } from "./theme";

export interface Moment { at: number; text: string; bad: boolean }

// Moments that are worth a line, the programs' own notes among them.
export function moments(): Moment[] {
  const list: Moment[] = [];
  for (const e of report.events) {
    if (e.type === "process_started" || e.type === "process_ended") continue;
    list.push({ at: e.time_seconds - origin, text: `${label(e.type)} ${e.number}`, bad: true });
  }
  for (const o of report.out_of_memory) {
    list.push({ at: o.time_seconds - origin, text: t("out_of_memory"), bad: true });
  }
  for (const m of report.marks) {
    const bad = m.type === "exception";
    list.push({ at: m.time_seconds - origin, text: m.text ?? label(m.type), bad });
  }
  return list;
}

// The phases of the first process that has some: ranks go through them together.
export function phases() {
  const first = report.phases[0]?.process;
  return report.phases.filter((p) => p.process === first)
    .map((p) => ({ begin: p.begin_seconds - origin, end: p.end_seconds - origin, name: p.name }));
}

const lines = moments(), bands = phases();

export function draw(u: uPlot) {
  const { ctx } = u, { left, top, width, height } = u.bbox;
  const x = (value: number) => u.valToPos(value, "x", true);
  const ratio = devicePixelRatio || 1;
  ctx.save();
  ctx.beginPath();
  // The names of phases stand above.
  const above = 15 * ratio;
  ctx.rect(left, top - above, width, height + above);
  ctx.clip();
  ctx.font = `${11 * ratio}px sans-serif`;
  ctx.textBaseline = "top";
  bands.forEach((band, i) => {
    const from = Math.max(x(band.begin), left), to = Math.min(x(band.end), left + width);
    if (to <= from) return;
    ctx.fillStyle = css(i % 2 === 0 ? "--phase-a" : "--phase-b");
    ctx.fillRect(from, top, to - from, height);
    const room = to - from - 4 * ratio;
    if (ctx.measureText(band.name).width < room) {
      ctx.fillStyle = css("--quiet");
      ctx.fillText(band.name, from + 2 * ratio, top - above + 2 * ratio);
    }
  });
  report.findings.forEach((finding, i) => {
    const from = x(finding.begin_seconds - origin), to = x(finding.end_seconds - origin);
    ctx.fillStyle = css("--finding");
    ctx.fillRect(from, top + height - 5 * ratio, Math.max(to - from, 2 * ratio), 5 * ratio);
    ctx.fillStyle = css("--text");
    ctx.fillText(String(i + 1), Math.max(from, left) + 2 * ratio, top + height - 18 * ratio);
  });
  for (const line of lines) {
    const at = x(line.at);
    ctx.strokeStyle = css(line.bad ? "--bad" : "--quiet");
    ctx.lineWidth = ratio;
    ctx.setLineDash([4 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(at, top);
    ctx.lineTo(at, top + height);
    ctx.stroke();
  }
  ctx.restore();
}
