# SPDX-License-Identifier: Apache-2.0
"""How often the answers were right: top-1 accuracy, precision, recall and F1 of each rule with Wilson
intervals, false alarms per hour of healthy jobs, time to the first right verdict, abstentions, and
whether the fix removed the finding and shortened the step. Pure functions of results.jsonl.
Next: score_test.py."""

import collections
import math

from jobs import NO_FAULT

SAME = {"gpumem.oom_soon": "gpumem.oom", "gpumem.oom_postmortem": "gpumem.oom"}  # before and after it


def family(rule: str) -> str:
    rule = SAME.get(rule, rule)
    return "none" if rule in NO_FAULT else rule


def findings(result: dict) -> list:
    return [f for f in (result.get("why") or {}).get("findings") or [] if isinstance(f, dict)]


def named(result: dict):
    """The rule of the first verdict; None without one."""
    verdict = (result.get("why") or {}).get("verdict") or {}
    return verdict.get("rule")


def abstained(result: dict) -> bool:
    return named(result) in (None, "none.unknown")


def right(result: dict) -> bool:
    rule = named(result)
    if rule is None or rule == "none.unknown" and family(result["expected"]) != "none":
        return False
    return family(rule) == family(result["expected"])


def broken(result: dict) -> bool:
    """Whether the job ended before it did what it is to show: it proves nothing, but must not be hidden."""
    ends_so = family(result["rule"]) in ("gpumem.oom", "hw.xid_ecc") and not result["fix"]
    return not result["skipped"] and result.get("told") is None and (
        not ends_so or "AttributeError" in result.get("output", ""))  # our own mistake


def wilson(good: int, of: int, z: float = 1.96) -> tuple:
    """The 95 % interval of a share."""
    if of == 0:
        return 0.0, 1.0
    share, scale = good / of, 1 + z * z / of
    middle = (share + z * z / (2 * of)) / scale
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / scale
    return max(middle - half, 0.0), min(middle + half, 1.0)


def confusion(results: list) -> dict:
    table = collections.Counter()
    for result in results:
        rule = named(result)
        table[family(result["expected"]), "abstained" if rule in (None, "none.unknown") else family(rule)] += 1
    return table


def per_rule(results: list) -> dict:
    """Of each rule (of "none" too): how many were right, named, there."""
    table = confusion(results)
    rules = sorted({truth for truth, _ in table} | {said for _, said in table} - {"abstained"})
    found = {}
    for rule in rules:
        hits = table[rule, rule]
        if rule == "none":  # nothing was found, and nothing is wrong
            hits += table[rule, "abstained"]
        said = sum(n for (_, s), n in table.items() if s == rule) + (table[rule, "abstained"] if rule == "none" else 0)
        there = sum(n for (t, _), n in table.items() if t == rule)
        precision, recall = hits / said if said else None, hits / there if there else None
        f1 = 2 * hits / (said + there) if said + there else None
        found[rule] = {"hits": hits, "said": said, "there": there, "precision": precision, "recall": recall, "f1": f1}
    return found


def false_alarms(results: list) -> tuple:
    """(findings of faults in jobs without one, hours of such jobs)."""
    healthy = [r for r in results if family(r["expected"]) == "none"]
    alarms = 0
    for result in healthy:
        rules = {family(f.get("rule", "")) for f in findings(result)} | {family(named(result) or "none")}
        alarms += len(rules - {"none"})
    return alarms, sum(r["wall"] for r in healthy) / 3600


def time_to_verdict(result: dict):
    """Seconds from the beginning to the first time that the right finding was open, if `why` says so."""
    for finding in findings(result):
        if family(finding.get("rule", "")) == family(result["expected"]):
            for name in ("opened_seconds", "opened", "begin_seconds"):
                if isinstance(finding.get(name), (int, float)):
                    return finding[name]
    return None


def fixes(results: list) -> list:
    """(job, finding gone, step shorter, time a sample before and after) of each pair with and without fix."""
    key = lambda r: (r["program"], r["model"], r["seed"], r["severity"], r["seconds"], tuple(r["more"]))
    fixed = {key(r): r for r in results if r["fix"]}
    found = []
    for result in results:
        other = fixed.get(key(result))
        if result["fix"] or other is None:
            continue
        gone = None
        if "why" in other:
            rules = {family(f.get("rule", "")) for f in findings(other)} | {family(named(other) or "none")}
            gone = family(result["expected"]) not in rules
        before, after = (result.get("told") or {}).get("sample_us"), (other.get("told") or {}).get("sample_us")
        found.append((result["job"], gone, before is not None and after is not None and after < before, before, after))
    return found


def percent(value) -> str:
    return "–" if value is None else f"{value * 100:.0f} %"


def report(results: list) -> str:
    """Markdown."""
    asked = [r for r in results if "why" in r and not r["skipped"] and not broken(r)]
    lines = [f"{len(results)} jobs, {sum(r['skipped'] for r in results)} skipped, "
             f"{sum(map(broken, results))} broken, {len(asked)} judged.", ""]
    if asked:
        good = sum(map(right, asked))
        faults = [r for r in asked if family(r["expected"]) != "none"]
        low, high = wilson(good, len(asked))
        alarms, hours = false_alarms(asked)
        scores = per_rule(asked)
        f1 = [s["f1"] for rule, s in scores.items() if s["there"]]
        times = sorted(t for t in map(time_to_verdict, faults) if t is not None)
        lines += ["| what | value |", "| --- | --- |",
                  f"| first verdict right | {good} of {len(asked)}, {percent(good / len(asked))} "
                  f"({percent(low)} to {percent(high)}) |",
                  f"| macro-F1 | {sum(f1) / len(f1):.3f} |",
                  f"| false alarms | {alarms} in {hours:.2f} h of healthy jobs |",
                  f"| abstained where there was a fault | {sum(map(abstained, faults))} of {len(faults)} |",
                  f"| time to the first right verdict, median | {times[len(times) // 2]:.0f} s |" if times else
                  "| time to the first right verdict, median | not told |", "",
                  "| rule | jobs | precision | recall | 95 % of recall | F1 | taken for |", "| --- | --- | --- | --- | --- | --- | --- |"]
        table = confusion(asked)
        for rule, s in scores.items():
            low, high = wilson(s["hits"], s["there"])
            wrong = ", ".join(f"{said} {n}" for (truth, said), n in sorted(table.items()) if truth == rule and said != rule)
            lines.append(f"| {rule} | {s['there']} | {percent(s['precision'])} | {percent(s['recall'])} | "
                         f"{percent(low)} to {percent(high)} | {percent(s['f1'])} | {wrong} |")
        lines.append("")
    pairs = fixes(results)
    if pairs:
        lines += ["| job | the fix removed the finding | µs a sample before | after |", "| --- | --- | --- | --- |"]
        lines += [f"| {job} | {'–' if gone is None else 'yes' if gone else 'no'} | {before} | {after} |"
                  for job, gone, _, before, after in pairs]
    return "\n".join(lines) + "\n"
