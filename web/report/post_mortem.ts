// SPDX-License-Identifier: Apache-2.0
// How a run ended that did not end well: why memory ran out, where it was, what to try first.
// Next: sections.ts.
import { el, section } from "./dom";
import * as format from "./format";
import { processName } from "./names";
import { origin, setRange } from "./range";
import { lang, report, t } from "./text";
import type { Advice, PostMortem } from "./types";

function account(one: PostMortem): HTMLElement | null {
  if (one.account.length === 0 && one.request.length === 0) return null;
  const rows = (list: PostMortem["account"]) => list.map((row) => el("tr", { class: row.total ? "sum" : "" },
    el("th", { scope: "row" }, row.label[lang()]),
    el("td", { class: "number" }, `${row.number} ${one.unit ?? ""}`.trim())));
  return el("table", { class: "oom-account" }, el("tbody", {}, ...rows(one.account)),
    one.request.length ? el("tbody", {}, ...rows(one.request)) : null);
}

function advice(list: Advice[]): (HTMLElement | null)[] {
  if (list.length === 0) return [];
  return [el("h4", {}, t("try_first")), el("ol", {}, ...list.map((a) => el("li", {},
    a.framework ? el("strong", {}, a.framework + ": ") : null, a.what[lang()],
    a.code ? el("pre", { class: "code" }, a.code) : null)))];
}

// How it went before, at a few moments.
function before(): HTMLElement | null {
  const { seconds, rows } = report.failure.before;
  if (rows.length === 0) return null;
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("course") }, el("table", {},
    el("thead", {}, el("tr", {}, el("th", {}, t("course")), ...seconds.map((s) => el("th", { class: "number" }, `${s} s`)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.label[lang()]),
      ...row.values.map((v) => el("td", { class: "number" }, v === null ? format.none : format.value(row.unit, v))))))));
}

function failure(one: PostMortem): HTMLElement {
  const at = one.time_seconds === null ? null : one.time_seconds - origin;
  return el("article", { class: "failure" },
    el("h3", {}, one.title[lang()]), " ",
    el("span", { class: "quiet" }, [one.process === null ? "" : processName(one.process),
      one.confidence > 0 ? t("oom_confidence", format.percent(one.confidence)) : "",
      one.observed ? "" : t("oom_from_output"), one.caught ? t("oom_caught") : ""].filter(Boolean).join(" · ")),
    el("p", { class: "lead" }, one.sentence[lang()]),
    at === null ? null : el("p", {}, el("button", { type: "button", class: "link", click: () => {
      setRange(at - 60, at + 5);
      document.getElementById("timelines")?.scrollIntoView({ behavior: "smooth" });
    } }, t("minute_before"))),
    account(one),
    ...one.remarks.map((remark) => el("p", {}, remark[lang()])),
    one.gaps.length ? el("p", { class: "absent" }, t("not_shown", one.gaps.map((g) => g[lang()]).join("; "))) : null,
    ...advice(one.advice),
    one.stack.length ? el("details", {}, el("summary", {}, t("oom_stack")), el("pre", {}, one.stack.join("\n"))) : null);
}

// Nothing where there is nothing to explain.
export function postMortem(): HTMLElement | null {
  const end = report.failure;
  if (!end.told) return null;
  const [first, ...rest] = report.post_mortems.map(failure);
  return section("post-mortem", t("post_mortem"),
    el("p", {}, end.title[lang()] ? el("strong", {}, end.title[lang()], lang() === "zh" ? "。" : ". ") : null, end.how[lang()]),
    first ?? null,
    rest.length ? el("details", {}, el("summary", {}, t("other_failures", rest.length)), ...rest) : null,
    before(),
    end.places.length ? el("h4", {}, t("places")) : null,
    end.places.length ? el("ul", {}, ...end.places.map((p) => el("li", {}, `${p.place} (${format.percent(p.share)})`))) : null,
    ...advice(end.advice));
}
