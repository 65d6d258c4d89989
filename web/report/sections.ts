// SPDX-License-Identifier: Apache-2.0
// What stands around the timelines: the summary, findings, idle time, steps, tables, output.
// Next: main.ts.
import { Column, el, facts, section, table } from "./dom";
import { flame } from "./flame";
import * as format from "./format";
import { memoryTable } from "./memory";
import { deviceName, processName } from "./names";
import { origin, setRange } from "./range";
import { label, lang, report, t, why } from "./text";
import type { Finding, Idle, Process, Steps } from "./types";

const { run, totals } = report;

export function endText(): string {
  const { end } = run;
  if (end.kind === null) return t("end_cut");
  if (end.code !== null && end.kind === "exit") return t("end_exit", end.code);
  if (end.kind === "signal" && end.signal !== null) return t("end_signal", end.signal);
  if (end.kind === "exit") return label(end.kind);
  return label(end.kind) + (end.code !== null ? " · " + t("end_exit", end.code) : "")
    + (end.signal !== null ? " · " + t("end_signal", end.signal) : "");
}

export const endedWell = () => run.end.kind === "exit" && run.end.code === 0;

export function summary(): HTMLElement {
  const steps = report.steps[0];
  const card = (name: string, value: string, more = "") => el("div", { class: "card" },
    el("div", { class: "name" }, name), el("div", { class: "big" }, value), more ? el("div", { class: "quiet" }, more) : null);
  const total = (key: string, unit: string) => totals[key] === null
    ? [format.none, why(totals, key)] : [format.value(unit, totals[key]), ""];
  const peak = report.devices.reduce<[number, number]>((most, d) =>
    (d.memory.unaccounted_peak_bytes ?? d.memory.peak_used_bytes ?? -1) > most[0]
      ? [d.memory.unaccounted_peak_bytes ?? d.memory.peak_used_bytes!, d.memory.peak_total_bytes!] : most, [-1, 0]);
  const [busy, noBusy] = total("utilization_ratio", "ratio");
  const [sm, noSm] = total("sm_activity_ratio", "ratio");
  const [idle, noIdle] = total("idle_ratio", "ratio");
  const [energy, noEnergy] = total("energy_joules", "joules");
  return el("div", { class: "cards" },
    card(t("duration"), format.duration(run.duration_seconds), endText()),
    steps ? card(t("step_time"), format.duration(steps.p50_seconds), t("steps_done", format.count(steps.steps), format.duration(steps.p99_seconds)))
      : card(t("step_time"), format.none, t("no_steps")),
    card(label("utilization_ratio"), busy, noBusy || t("mean_devices", report.devices.length)),
    card(label("sm_activity_ratio"), sm, noSm),
    card(t("idle"), idle, noIdle || t("of_the_time")),
    card(t("memory_peak"), peak[1] ? format.bytes(peak[0]) : format.none, peak[1] ? t("of", format.bytes(peak[1])) : ""),
    card(t("energy"), energy, noEnergy));
}

function evidence(finding: Finding): HTMLElement | null {
  if (finding.evidence.length === 0) return null;
  return el("details", {}, el("summary", {}, t("evidence")),
    el("ul", {}, ...finding.evidence.map((one) => el("li", {}, one[lang()]))));
}

export function findings(): HTMLElement {
  const items = report.findings.map((finding, i) => {
    const device = report.devices.find((d) => d.uuid === finding.device_uuid);
    const where = [device ? deviceName(device) : "", finding.pid !== null ? `PID ${finding.pid}` : ""].filter(Boolean).join(", ");
    const from = finding.begin_seconds - origin, to = finding.end_seconds - origin;
    return el("li", { class: "finding" },
      el("p", {}, el("span", { class: "badge" }, String(i + 1)), " ", el("strong", {}, lang() === "zh" ? finding.text_zh : finding.text)),
      el("p", { class: "quiet" }, t("finding_weight", format.percent(finding.severity), format.percent(finding.confidence)),
        where ? ` · ${where}` : "", " · ", finding.rule, " · ",
        el("button", { type: "button", class: "link", click: () => {
          const margin = Math.max((to - from) * 0.2, 5);
          setRange(from - margin, to + margin);
          document.getElementById("timelines")?.scrollIntoView({ behavior: "smooth" });
        } }, `${format.elapsed(from)} – ${format.elapsed(to)}`)),
      evidence(finding));
  });
  return section("findings", t("findings"), items.length ? el("ol", { class: "findings" }, ...items) : el("p", { class: "quiet" }, t("no_findings")));
}

function idleSentence(idle: Idle): string {
  const device = report.devices[idle.device];
  const share = idle.seconds > 0 ? format.percent(idle.idle_seconds / idle.seconds) : format.none;
  if (idle.why !== "known") {
    return (idle.seconds > 0 ? t("idle_share", deviceName(device), share) + " " : "") + t("idle_" + idle.why);
  }
  const places = idle.places.slice(0, 3).map((p) => t("idle_place", p.place, format.percent(p.share))).join(t("list_comma"));
  if (places === "") return t("idle_share", deviceName(device), share);
  return t("idle_sentence", deviceName(device), share, places);
}

export function idleSection(): HTMLElement {
  const children = report.idle.map((idle) => {
    const unknown = idle.idle_seconds - idle.explained_seconds;
    const notes = [
      idle.why === "known" && unknown > 0.01 * idle.idle_seconds
        ? t("idle_explained", format.percent(idle.explained_seconds / idle.idle_seconds), format.duration(Math.max(0, unknown))) : "",
      idle.counted_seconds > 0 ? t("idle_counted", format.duration(idle.counted_seconds)) : "",
      idle.seconds > 0 && idle.seconds < 0.9 * run.duration_seconds ? t("idle_covers", format.duration(idle.seconds), format.duration(run.duration_seconds)) : "",
      Math.abs(idle.driver_clock_offset_seconds[0]) > 0 || Math.abs(idle.driver_clock_offset_seconds[1]) > 0
        ? t("idle_clock", format.duration(idle.driver_clock_offset_seconds[0]), format.duration(idle.driver_clock_offset_seconds[1])) : "",
      Math.abs(idle.program_clock_offset_seconds[0]) > 0 || Math.abs(idle.program_clock_offset_seconds[1]) > 0
        ? t("idle_program_clock", format.duration(idle.program_clock_offset_seconds[0]), format.duration(idle.program_clock_offset_seconds[1])) : "",
    ].filter(Boolean);
    const detail = idle.why === "known" ? [
      table("idle-" + idle.process + "-" + idle.device, [
        { title: t("place"), text: (p) => p.place, wide: true },
        { title: t("idle_time"), text: (p) => format.duration(p.idle_seconds), sort: (p) => p.idle_seconds, number: true },
        { title: t("share"), text: (p) => format.percent(p.share, 1), sort: (p) => p.share, number: true },
      ], idle.places.slice(0, 12), 1),
      el("h4", {}, t("flame_title")), flame(idle)] : [];
    return el("div", { class: "idle" },
      report.idle.length > 1 ? el("h3", {}, processName(idle.process)) : null,
      el("p", { class: "lead" }, idleSentence(idle)),
      ...notes.map((note) => el("p", { class: "quiet" }, note)), ...detail);
  });
  // With many ranks, the first is shown and the others wait.
  const first = children.slice(0, 1), rest = children.slice(1);
  return section("idle", t("idle_title"),
    ...(children.length ? first : [el("p", { class: "absent" }, t(report.processes.some((p) => p.framework.name) ? "idle_no_use" : "idle_no_page"))]),
    rest.length ? el("details", {}, el("summary", {}, t("other_processes_n", rest.length)), ...rest) : null);
}

function histogram(steps: Steps): SVGElement {
  const ns = "http://www.w3.org/2000/svg";
  const make = (tag: string, props: Record<string, string | number>) => {
    const e = document.createElementNS(ns, tag);
    for (const [k, v] of Object.entries(props)) e.setAttribute(k, String(v));
    return e;
  };
  const width = 600, height = 140, base = 112, bins = steps.histogram;
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, class: "histogram", role: "img", "aria-label": t("steps_histogram") });
  const most = Math.max(...bins.map((b) => b.steps));
  // The last bin may hold all that is far out: it is drawn apart, as a short one.
  const last = bins[bins.length - 1], far = bins.length > 1 && last.to_seconds / last.from_seconds > 1.3 * bins[0].to_seconds / bins[0].from_seconds;
  const end = far ? last.from_seconds : last.to_seconds, room = far ? width - 60 : width;
  const low = Math.log(Math.max(bins[0].from_seconds, 1e-6)), high = Math.log(end);
  const x = (seconds: number) => seconds > end ? width - 24
    : 4 + (room - 8) * (Math.log(Math.max(seconds, 1e-6)) - low) / Math.max(high - low, 1e-9);
  for (const bin of bins) {
    if (bin.steps === 0) continue;
    const apart = far && bin === last;
    const size = Math.max(1, (base - 38) * bin.steps / most), left = apart ? width - 40 : x(bin.from_seconds);
    const bar = make("rect", { x: left, y: base - size, width: apart ? 36 : Math.max(1, x(bin.to_seconds) - left - 1), height: size });
    const title = make("title", {});
    title.textContent = `${format.duration(bin.from_seconds)} – ${format.duration(bin.to_seconds)}: ${bin.steps}`;
    bar.append(title);
    svg.append(bar);
  }
  const mark = (name: string, seconds: number, y: number) => {
    svg.append(make("line", { x1: x(seconds), x2: x(seconds), y1: y, y2: base }));
    const left = x(seconds) > width - 120;
    const text = make("text", { x: x(seconds) + (left ? -4 : 4), y: y + 9, "text-anchor": left ? "end" : "start" });
    text.textContent = `${name} ${format.duration(seconds)}`;
    svg.append(text);
  };
  mark("p50", steps.p50_seconds, 0);
  mark("p95", steps.p95_seconds, 12);
  mark("p99", steps.p99_seconds, 24);
  const below = (x: number, anchor: string, words: string) => {
    const text = make("text", { x, y: base + 16, "text-anchor": anchor });
    text.textContent = words;
    svg.append(text);
  };
  below(4, "start", format.duration(bins[0].from_seconds));
  below(room - 4, "end", format.duration(end));
  if (far) below(width - 4, "end", "≤ " + format.duration(last.to_seconds));
  return svg as SVGElement;
}

export function stepsSection(): HTMLElement {
  if (report.steps.length === 0) return section("steps", t("steps_title"), el("p", { class: "absent" }, t("no_steps")));
  const first = report.steps[0];
  const columns: Column<Steps>[] = [
    { title: t("process"), text: (s) => processName(s.process) },
    { title: t("steps"), text: (s) => format.count(s.steps), sort: (s) => s.steps, number: true },
    ...(["mean", "p50", "p95", "p99", "most"] as const).map((k): Column<Steps> => ({
      title: t("step_" + k), text: (s) => format.duration(s[`${k}_seconds`]), sort: (s) => s[`${k}_seconds`], number: true })),
    { title: t("data_wait"), text: (s) => format.percent(s.data_wait_seconds / s.seconds, 1), sort: (s) => s.data_wait_seconds / s.seconds, number: true },
    { title: t("step_outliers"), text: (s) => format.count(s.outlier_count), sort: (s) => s.outlier_count, number: true },
  ];
  return section("steps", t("steps_title"),
    el("figure", {}, el("figcaption", { class: "quiet" }, t("steps_histogram") + (report.steps.length > 1 ? ` (${processName(first.process)})` : "")), histogram(first)),
    table("steps-table", columns, report.steps),
    first.merged_steps > 0 ? el("p", { class: "quiet" }, t("steps_merged", format.count(first.merged_steps))) : null,
    first.outliers.length ? el("details", {}, el("summary", {}, t("step_outliers_list", first.outlier_count)),
      table("outliers", [
        { title: t("step"), text: (o) => String(o.number), sort: (o) => o.number, number: true },
        { title: t("time"), text: (o) => el("button", { type: "button", class: "link", click: () => {
          setRange(o.end_seconds - origin - 15, o.end_seconds - origin + 15);
          document.getElementById("timelines")?.scrollIntoView({ behavior: "smooth" });
        } }, format.elapsed(o.end_seconds - origin)), sort: (o) => o.end_seconds },
        { title: t("step_time"), text: (o) => format.duration(o.seconds), sort: (o) => o.seconds, number: true },
        { title: t("data_wait"), text: (o) => format.duration(o.data_wait_seconds), sort: (o) => o.data_wait_seconds, number: true },
      ], first.outliers, 2)) : null);
}

export function memorySection(): HTMLElement {
  return section("memory", t("memory_title"), el("div", { class: "accounts" }, ...report.devices.map(memoryTable)));
}

export function processSection(): HTMLElement {
  const number = (title: string, key: keyof Process, unit: string): Column<Process> => ({
    title, number: true, text: (p) => format.value(unit, p[key] as number | null),
    sort: (p) => p[key] as number | null, hint: (p) => why(p, key) });
  const text = (title: string, of: (p: Process) => string | null): Column<Process> => ({ title, text: (p) => of(p) ?? format.none });
  return section("processes", t("processes_title"),
    table<Process>("process-table", [
      { title: "PID", text: (p) => String(p.pid), sort: (p) => p.pid, number: true },
      text(t("command"), (p) => p.command),
      text(t("user"), (p) => p.user),
      text("GPU", (p) => p.devices.length > 6 ? `${p.devices.length} GPU` : p.devices.map((d) => report.devices[d]).map((d) => deviceName(d).slice(4)).join(", ")),
      text(t("rank"), (p) => p.rank === null ? null : `${p.rank}/${p.world_size ?? "?"}`),
      number(t("memory_peak"), "memory_peak_bytes", "bytes"),
      number(t("allocated_peak"), "allocated_peak_bytes", "bytes"),
      number(t("reserved_peak"), "reserved_peak_bytes", "bytes"),
      number(t("retries"), "allocation_retries", "count"),
      number(t("cpu_mean"), "cpu_mean_cores", "cores"),
      number(t("resident"), "resident_most_bytes", "bytes"),
      number(t("read"), "read_bytes", "bytes"),
      number(t("written"), "written_bytes", "bytes"),
      text(t("framework"), (p) => p.framework.name ? `${p.framework.name} ${p.framework.version ?? ""}${p.framework.dtype ? ", " + p.framework.dtype : ""}` : null),
    ], report.processes, 5),
    report.processes_cut ? el("p", { class: "quiet" }, t("processes_cut")) : null);
}

export function eventSection(): HTMLElement {
  interface Row { at: number; what: string; detail: string }
  const rows: Row[] = [
    ...report.events.map((e) => ({ at: e.time_seconds, what: label(e.type), detail:
      [String(e.number), e.device_uuid ? deviceName(report.devices.find((d) => d.uuid === e.device_uuid) ?? { index: "?", gpu_instance: null } as never) : ""].filter(Boolean).join(" · ") })),
    ...report.marks.map((m) => ({ at: m.time_seconds, what: label(m.type), detail:
      [m.text ?? "", m.type === "checkpoint" ? format.duration(m.value) : "", processName(m.process)].filter(Boolean).join(" · ") })),
    ...report.phases.map((p) => ({ at: p.begin_seconds, what: t("phase"), detail: `${p.name} · ${format.duration(p.end_seconds - p.begin_seconds)} · ${processName(p.process)}` })),
    ...report.out_of_memory.map((o) => ({ at: o.time_seconds, what: t("out_of_memory"), detail:
      t("oom_detail", format.bytes(o.requested_bytes), format.bytes(o.device_free_bytes), format.bytes(o.allocated_bytes), format.bytes(o.reserved_bytes - o.allocated_bytes)) })),
  ].sort((a, b) => a.at - b.at);
  return section("events", t("events_title"), table<Row>("event-table", [
    { title: t("time"), text: (r) => format.elapsed(r.at - origin), sort: (r) => r.at },
    { title: t("event"), text: (r) => r.what },
    { title: t("detail"), text: (r) => r.detail, wide: true },
  ], rows, 0), report.left_out ? el("p", { class: "quiet" }, t("left_out", report.left_out)) : null);
}

export function outputSection(): HTMLElement | null {
  if (report.output.length === 0) return null;
  return section("output", t("output_title"), el("pre", { class: "output", tabindex: 0 },
    ...report.output.map((o) => el("span", { class: o.stream }, o.text))));
}

export function runSection(): HTMLElement {
  const pairs = (object: Record<string, string>) => Object.entries(object).filter(([k]) => k !== "unknown");
  return section("run", t("run_title"), facts([
    [t("command_line"), el("code", {}, run.arguments.join(" "))],
    [t("folder"), run.folder], [t("host"), run.hostname],
    [t("started"), format.clock(run.start_seconds)], [t("ended"), run.end.time_seconds === null ? null : format.clock(run.end.time_seconds)],
    [t("end"), endText() + (run.end.text && !["exit", "signal"].includes(run.end.kind ?? "") ? " · " + (lang() === "zh" ? run.end.text_zh ?? run.end.text : run.end.text) : "")],
    [t("driver"), run.driver_version ? `${run.driver_version} (CUDA ${run.cuda_version ?? "?"})` : null],
    ["Git", run.git_commit ? run.git_commit + (run.git_changed ? " " + t("git_changed") : "") : null],
    [t("frames"), `${format.count(run.frames)}${run.frames_lost ? " · " + t("frames_lost", run.frames_lost) : ""}`],
    [t("full_rate"), t("full_rate_of", format.duration(run.full_rate_seconds), format.duration(run.covered_seconds))],
    ["gpusight", run.gpusight],
    ...pairs(run.tags).map(([k, v]): [string, string] => [k, v]),
    ...pairs(run.versions).map(([k, v]): [string, string] => [k, v]),
  ]), pairs(run.environment).length ? el("details", {}, el("summary", {}, t("environment")),
    facts(pairs(run.environment).map(([k, v]): [string, string] => [k, v]))) : null);
}
