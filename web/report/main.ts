// SPDX-License-Identifier: Apache-2.0
// The page of `gpusight report`: reads the data that stand in it, builds everything, and builds it
// anew when language, theme or device are switched. It asks the network for nothing.
// Next: sections.ts, panels.ts.
import { Chart } from "./charts";
import { el } from "./dom";
import { elapsed } from "./format";
import { deviceName } from "./names";
import { panels } from "./panels";
import { postMortem } from "./post_mortem";
import { forget, full, onRange, pan, range, reset, setRange, step, zoom } from "./range";
import * as sections from "./sections";
import { lang, report, setLanguage, t } from "./text";
import { onSystemTheme, setTheme, theme } from "./theme";

let charts: Chart[] = [];
// -1: all. One device has the memory account, so that a run with few shows it at once.
let chosen = report.devices.length > 1 ? -1 : 0;
let pointed: number | null = null;

const button = (name: string, text: string, click: () => void) =>
  el("button", { type: "button", title: name, "aria-label": name, click }, text);

function controls(): HTMLElement {
  const language = el("button", { type: "button", id: "language", click: () => {
    setLanguage(lang() === "en" ? "zh" : "en");
    build();
  } }, lang() === "en" ? "中文" : "English");
  const looks = el("select", { id: "theme", "aria-label": t("theme"), change: (e) => {
    setTheme((e.target as HTMLSelectElement).value as "auto");
    build();
  } }, ...(["auto", "light", "dark"] as const).map((name) =>
    el("option", { value: name, selected: name === theme() }, t("theme_" + name))));
  return el("div", { class: "controls" }, language, looks);
}

function toolbar(): HTMLElement {
  const shown = el("output", { id: "range" });
  const say = () => {
    const { min, max } = range();
    shown.textContent = `${elapsed(min)} – ${elapsed(max)}`;
  };
  onRange(say);
  say();
  const device = el("select", { id: "device", "aria-label": t("device"), change: (e) => {
    chosen = Number((e.target as HTMLSelectElement).value);
    timelines();
  } }, report.devices.length > 1 ? el("option", { value: -1, selected: chosen < 0 }, t("all_devices")) : null,
    ...report.devices.map((d, i) => el("option", { value: i, selected: i === chosen }, `${deviceName(d)} ${d.name ?? ""}`)));
  return el("div", { class: "toolbar", role: "toolbar", "aria-label": t("timelines") },
    report.devices.length ? device : null,
    button(t("zoom_in"), "+", () => zoom(0.5)), button(t("zoom_out"), "−", () => zoom(2)),
    button(t("pan_left"), "←", () => pan(-0.25)), button(t("pan_right"), "→", () => pan(0.25)),
    button(t("zoom_reset"), "⟲", reset), shown);
}

function point(to: number | null) {
  pointed = to;
  for (const chart of charts) chart.pointAt(to);
  const status = document.getElementById("pointed");
  if (status) status.textContent = to === null ? "" : t("pointed_at", elapsed(to));
}

function keys(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).tagName === "SELECT") return;
  const { min, max } = range(), move = Math.max(step, (max - min) / 200);
  const at = pointed ?? (min + max) / 2;
  const actions: Record<string, () => void> = {
    "+": () => zoom(0.5, at), "=": () => zoom(0.5, at), "-": () => zoom(2, at), "0": reset, Home: reset,
    ArrowLeft: () => pan(-0.1), ArrowRight: () => pan(0.1),
    "[": () => point(Math.max(min, at - move)), "]": () => point(Math.min(max, at + move)),
    Escape: () => point(null),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

// Makes the timelines anew: another device, another theme.
function timelines() {
  const { min, max } = range();
  for (const chart of charts) chart.destroy();
  charts = [];
  forget();
  pointed = null;
  const place = document.getElementById("timelines")!;
  charts = panels(chosen).map((spec) => new Chart(spec));
  place.replaceChildren(el("h2", {}, t("timelines")), toolbar(),
    el("p", { class: "quiet", id: "timelines-hint" }, t("timelines_hint")),
    el("p", { class: "hidden", id: "pointed", "aria-live": "polite" }),
    el("div", { class: "charts" }, ...charts.map((c) => c.element)));
  if (min !== full.min || max !== full.max) setRange(min, max);
}

function wheel(event: WheelEvent) {
  if (!event.ctrlKey && !event.shiftKey) return;
  event.preventDefault();
  const by = event.deltaY || event.deltaX;
  if (event.ctrlKey) zoom(by > 0 ? 1.25 : 0.8);
  else pan(by > 0 ? 0.1 : -0.1);
}

function build() {
  document.title = `${report.run.name} · gpusight`;
  const place = el("section", { id: "timelines", tabindex: 0, "aria-label": t("timelines"), "aria-describedby": "timelines-hint",
    keydown: (e) => keys(e as KeyboardEvent) });
  place.addEventListener("wheel", wheel, { passive: false });
  const { run } = report;
  document.getElementById("page")!.replaceChildren(
    el("header", {}, el("div", {},
      el("p", { class: "quiet" }, t("title")),
      el("h1", {}, run.name, " ", el("span", { class: sections.endedWell() ? "end good" : "end bad" }, sections.endText())),
      el("p", { class: "quiet" }, el("code", {}, run.arguments.join(" ")), run.hostname ? ` · ${run.hostname}` : "",
        ...report.devices.slice(0, 1).map((d) => ` · ${report.devices.length} × ${d.name ?? "GPU"}`))), controls()),
    el("main", {}, sections.summary(), ...[postMortem()].filter((e) => e !== null), sections.findings(), sections.idleSection(), place, sections.stepsSection(),
      sections.memorySection(), sections.processSection(), sections.eventSection(), sections.outputSection(), sections.runSection()));
  timelines();
}

setLanguage(lang());
onSystemTheme(build);
build();
// For whoever measures how long a page takes to stand.
document.documentElement.setAttribute("data-ready", String(Math.round(performance.now())));
