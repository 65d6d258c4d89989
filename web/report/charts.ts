// SPDX-License-Identifier: Apache-2.0
// One timeline: lines or layers over the common stretch of time. All of them zoom and pan
// together, and the pointer over one shows the values of the same instant in all.
// Next: panels.ts, which says what stands in each.
import uPlot from "uplot";
import { draw } from "./annotate";
import { el } from "./dom";
import * as format from "./format";
import { onRange, Range, range, setRange, step, xs } from "./range";
import { t } from "./text";
import { css } from "./theme";
import type { Num } from "./types";

export interface Line {
  label: string;
  unit: string;
  values: Num[];
  color: string;
  mean: Num;          // over the whole run, shown when nothing is pointed at
  least?: Num[];      // a band behind the line
  most?: Num[];
  dash?: boolean;
  sparse?: boolean;   // seldom measured: points are joined over the pieces between them
}

// Moments at which something held, drawn as stripes along the top.
export interface Stripe { label: string; color: string; on: boolean[] }

export interface Detail { xs: number[]; values: Num[][] }

export interface Spec {
  id: string;
  title: string;
  unit: string;
  lines: Line[];
  layers?: boolean;            // the lines stand on each other, the first lowest
  absent?: string[];           // what is not shown, and why
  stripes?: Stripe[];
  anyRange?: boolean;          // may be below zero, and need not begin there
  top?: number;                // values above it are cut, so that the usual ones can be seen
  note?: string;
  // Finer samples for a short stretch, one list per line; null where there are none.
  detail?: (range: Range) => Detail | null;
  detailNote?: string;
}

const seconds = [0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800,
  21600, 43200, 86400, 172800, 604800];
const binary = Array.from({ length: 55 }, (_, i) => 2 ** i);

const key = uPlot.sync("gpusight").key;

function top(spec: Spec, most: number): number {
  if (spec.unit === "ratio") return Math.max(1, most * 1.02);
  if (spec.top !== undefined && most > spec.top) return spec.top;
  return most > 0 ? most * 1.06 : 1;
}

function around(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const room = (max - min) * 0.06 || Math.abs(max) * 0.1 || 1;
  return [min - room, max + room];
}

// Layers become sums, the highest first, so that each is drawn over the one above it.
function stack(lines: Line[]): Num[][] {
  const sums: Num[][] = [];
  let below: Num[] | null = null;
  for (const line of lines) {
    const sum: Num[] = line.values.map((v, i) => {
      if (v === null) return null;
      const base = below === null ? 0 : below[i];
      return base === null ? null : base + Math.max(v, 0);
    });
    sums.unshift(sum);
    below = sum;
  }
  return sums;
}

export class Chart {
  readonly element: HTMLElement;
  private readonly plot: uPlot;
  private readonly values: HTMLElement[];
  private readonly note: HTMLElement;
  private detailed: Detail | null = null;
  private applying = false;
  private readonly coarse: Num[][];
  // Position of each line's series in the plot.
  private readonly places: number[] = [];
  private readonly observer: ResizeObserver;

  constructor(readonly spec: Spec) {
    const { lines, layers } = spec;
    const series: uPlot.Series[] = [{}];
    this.coarse = [xs];
    const bands: uPlot.Band[] = [];
    if (layers) {
      stack(lines).forEach((sum, i) => {
        const line = lines[lines.length - 1 - i];
        this.coarse.push(sum);
        this.places[lines.length - 1 - i] = series.length;
        series.push({ fill: line.color, stroke: line.color, width: 0.5, points: { show: false } });
      });
    } else {
      for (const line of lines) {
        if (line.least && line.most) {
          const at = series.length;
          this.coarse.push(line.most, line.least);
          const hidden: uPlot.Series = { stroke: "transparent", width: 0, points: { show: false } };
          series.push({ ...hidden }, { ...hidden });
          bands.push({ series: [at, at + 1], fill: line.color + "33" });
        }
        this.places.push(series.length);
        this.coarse.push(line.values);
        series.push({
          stroke: line.color, width: lines.length > 4 ? 1 : 1.5, dash: line.dash ? [6, 4] : undefined,
          points: { show: line.sparse || lone(line.values), size: 4 }, spanGaps: line.sparse,
        });
      }
    }
    this.values = lines.map((line) => el("span", { class: "value" }, format.value(line.unit, line.mean)));
    const legend = el("ul", { class: "legend" }, ...lines.map((line, i) => {
      const swatch = el("span", { class: line.dash ? "swatch dash" : "swatch" });
      swatch.style.color = line.color;
      const toggle = el("button", { type: "button", "aria-pressed": "true", click: () => {
        const show = toggle.getAttribute("aria-pressed") !== "true";
        toggle.setAttribute("aria-pressed", String(show));
        this.plot.setSeries(this.places[i], { show });
      } }, swatch, line.label);
      if (layers) toggle.disabled = true;
      return el("li", {}, toggle, " ", this.values[i]);
    }));
    for (const stripe of spec.stripes ?? []) {
      const swatch = el("span", { class: "swatch" });
      swatch.style.color = stripe.color;
      legend.append(el("li", {}, swatch, stripe.label));
    }
    this.note = el("span", { class: "quiet" }, spec.note ?? "");
    const box = el("div", { class: "plot" });
    this.element = el("figure", { id: "chart-" + spec.id, class: "chart" },
      el("figcaption", {}, el("h3", {}, spec.title), " ", this.note), box, legend,
      spec.absent?.length ? el("p", { class: "absent" }, t("not_shown", spec.absent.join("; "))) : null);
    this.plot = new uPlot(this.options(series, bands), this.coarse as uPlot.AlignedData, box);
    onRange((r) => this.show(r));
    this.observer = new ResizeObserver(() => {
      if (box.clientWidth > 0) this.plot.setSize({ width: box.clientWidth, height: height() });
    });
    this.observer.observe(box);
    this.show(range());
  }

  destroy() {
    this.observer.disconnect();
    this.plot.destroy();
  }

  private options(series: uPlot.Series[], bands: uPlot.Band[]): uPlot.Options {
    const { spec } = this;
    const axis = {
      stroke: css("--quiet"), font: "11px sans-serif",
      grid: { stroke: css("--grid"), width: 1 }, ticks: { show: false },
    };
    return {
      width: 600, height: height(), series, bands,
      legend: { show: false },
      padding: [18, 30, 0, 0],
      scales: {
        x: { time: false, min: range().min, max: range().max },
        y: { range: (_u, min, max) => spec.anyRange ? around(min, max) : [0, top(spec, max ?? 0)] },
      },
      axes: [
        { ...axis, size: 28, space: 70, incrs: seconds,
          values: (_u, splits) => splits.map((v) => format.elapsed(v, splits[1] - splits[0] < 1)) },
        { ...axis, size: 66, incrs: spec.unit.startsWith("bytes") ? binary : undefined,
          values: (_u, splits) => splits.map((v) => format.value(spec.unit, v)) },
      ],
      cursor: {
        sync: { key, scales: ["x", null], setSeries: false },
        drag: { x: true, y: false, setScale: true },
        points: { size: 6 },
      },
      hooks: {
        drawClear: [(u) => draw(u)],
        draw: [(u) => stripes(u, spec.stripes ?? [])],
        setScale: [(u, scale) => {
          if (scale !== "x" || this.applying) return;
          const { min, max } = u.scales.x;
          if (min != null && max != null) setRange(min, max);
        }],
        setCursor: [(u) => this.point(u.cursor.idx ?? null)],
      },
    };
  }

  private show(r: Range) {
    this.applying = true;
    const detail = this.spec.detail?.(r) ?? null;
    if (detail || this.detailed) {
      this.detailed = detail;
      this.plot.setData((detail ? this.fine(detail) : this.coarse) as uPlot.AlignedData, false);
      this.note.textContent = (detail ? this.spec.detailNote : this.spec.note) ?? "";
      this.element.toggleAttribute("data-detail", detail !== null);
    }
    this.plot.setScale("x", r);
    this.element.setAttribute("data-min", String(r.min));
    this.element.setAttribute("data-max", String(r.max));
    this.applying = false;
  }

  // The finer samples in the places of the lines, without their bands.
  private fine(detail: Detail): Num[][] {
    const data: Num[][] = [detail.xs];
    const empty: Num[] = detail.xs.map(() => null);
    for (let i = 1; i < this.coarse.length; ++i) {
      const line = this.places.indexOf(i);
      data.push(line >= 0 ? detail.values[line] : empty);
    }
    return data;
  }

  private point(index: number | null) {
    this.spec.lines.forEach((line, i) => {
      const at = index === null ? line.mean
        : this.detailed ? this.detailed.values[i][index] : line.values[index];
      this.values[i].textContent = format.value(line.unit, at ?? null);
    });
    this.element.toggleAttribute("data-pointed", index !== null);
  }

  // As a pointer would, for the keyboard: the values of that moment, here and in all others.
  pointAt(seconds: number | null) {
    if (seconds === null) this.plot.setCursor({ left: -10, top: -10 });
    else this.plot.setCursor({ left: this.plot.valToPos(seconds, "x"), top: 10 });
  }
}

function stripes(u: uPlot, all: Stripe[]) {
  const size = 5 * (devicePixelRatio || 1), half = step / 2;
  all.forEach((stripe, row) => {
    u.ctx.fillStyle = stripe.color;
    const { left, top, width } = u.bbox;
    stripe.on.forEach((on, i) => {
      if (!on) return;
      const from = Math.max(left, u.valToPos(xs[i] - half, "x", true));
      const to = Math.min(left + width, u.valToPos(xs[i] + half, "x", true));
      // Whole pixels, else neighbours show a seam.
      if (to > from) u.ctx.fillRect(Math.floor(from), top + row * (size + 1), Math.ceil(to) - Math.floor(from), size);
    });
  });
}

const height = () => (innerWidth < 600 ? 150 : 180);

// A value between two holes would not be seen as a line.
function lone(values: Num[]): boolean {
  for (let i = 0; i < values.length; ++i) {
    if (values[i] !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null) return true;
  }
  return false;
}
