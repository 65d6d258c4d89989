# SPDX-License-Identifier: Apache-2.0
"""Turns results of bench/run.sh into the tables of docs/performance.md and docs/zh/performance.md,
between their markers. Numbers are ratios (to a peer, or to the driver's own cost in the same run)
or differences from it, because absolute ones say more about the machine than about gpusight.
Usage: bench/report.py [--check] [RESULTS.json ...]; without names: all of bench/results/."""

import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENTS = {"en": "docs/performance.md", "zh": "docs/zh/performance.md"}
ZH = {
    "what": "项目", "target": "目标", "measured": "实测", "verdict": "结论", "met": "达标",
    "missed": "未达标", "not measured": "未测量", "tool": "工具", "threads": "线程数",
    "CPU ÷ nvidia-smi dmon": "CPU ÷ nvidia-smi dmon",
    "peak memory ÷ nvidia-smi dmon": "内存峰值 ÷ nvidia-smi dmon",
    "CPU of a sample ÷ driver calls it makes": "单次采样 CPU ÷ 其驱动调用的 CPU",
    "the same without GPM": "同上，不含 GPM",
    "CPU of `log` ÷ nvidia-smi dmon": "`log` 的 CPU ÷ nvidia-smi dmon",
    "one `status` − driver initialisation": "单次 `status` 耗时 − 驱动初始化",
    "peak memory of `status` − driver initialisation": "`status` 内存峰值 − 驱动初始化",
    "frame of 8 devices × 200 processes, card, − driver": "8 卡 × 200 进程的一次采样（GPU 部分）− 驱动耗时",
    "allocations per sample": "每次采样的内存分配次数",
    "step time of a launch-bound job": "受限于启动的任务：步时间增加",
    "step time of a compute-bound job": "受限于计算的任务：步时间增加",
    "step time of a data-bound job": "受限于数据的任务：步时间增加",
    "its upper 95 % bound": "其 95 % 置信上限",
    "hooks, per step with one batch": "钩子，每步（含一个批次）",
    "CPU of the recorder, a job of 16 processes": "记录程序的 CPU，16 个进程的作业",
    "file per second and device, 5 processes": "文件，每秒每设备，5 个进程",
    "start of a job under `run`": "`run` 下作业启动的延迟",
    "recordings that `kill -9` makes unreadable": "`kill -9` 后无法打开的记录",
    "longest loss by `kill -9`": "`kill -9` 最多丢失",
    "job": "任务", "step": "步时间", "added": "增加", "95 % interval": "95 % 置信区间", "of it once a second": "其中每秒一次的部分",
    "control": "对照", "noise of a block": "块间噪声", "launch-bound": "受限于启动", "compute-bound": "受限于计算",
    "data-bound": "受限于数据",
    "allocations": "次内存分配",
    "its driver calls alone": "仅其驱动调用",
    "call": "调用", "per sample": "每次采样的次数", "share of the driver's CPU": "占驱动 CPU 的比例",
    "one run": "单次运行", "wall ÷ that program's": "耗时 ÷ 该程序", "more by": "多出",
    "peak memory ÷ that program's": "内存峰值 ÷ 该程序",
    "probe": "探针", "duration": "耗时", "lateness": "延迟", "failures": "失败", "rejected": "丢弃",
    "the first time": "首次耗时",
    "frame, card only": "一次采样，仅 GPU",
    "frame, card only, without GPM": "一次采样，仅 GPU，不含 GPM",
    "frame with host facts, 200 live processes on all 8 devices": "一次采样，含主机信息，200 个真实进程各用 8 张卡",
    "frame with host facts, 1,600 live processes": "一次采样，含主机信息，1600 个真实进程",
    "host facts of these 200 ÷ bare reads of the files they come from": "其中 200 个进程的主机信息 ÷ 直接读取同样的文件",
    "of what its start wrote": "（相对启动时的输出）",
    "a line of `log` with all fields, text": "`log` 一行（全部字段，text）",
    "the same, jsonl": "同上，jsonl",
    "`top` writes while nothing changes": "无变化时 `top` 的终端输出",
    "`top` writes while only the power changes": "仅功耗变化时 `top` 的终端输出",
}


def ratio(a, b):
    return a / b if a is not None and b else None


def dig(results, *path):
    for key in path:
        if not isinstance(results, dict) or key not in results:
            return None
        results = results[key]
    return results


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def scaled(value, factor):
    return None if value is None else value * factor


def in_job_targets(results):
    for kind in ("launch", "compute", "data"):
        found = dig(results, "in_job", "jobs", kind, "all")
        yield f"step time of a {kind}-bound job", 0.3, scaled(dig(found, "added"), 100), "{:+.2f} %"
        yield "its upper 95 % bound", 0.5, scaled(dig(found, "high"), 100), "{:+.2f} %"
    yield "hooks, per step with one batch", 2, dig(results, "in_job", "hook_us", "step with one batch"), "{:.2f} µs"


def recorder_targets(results):
    found = dig(results, "recorder")
    yield "CPU of the recorder, a job of 16 processes", 0.3, scaled(dig(found, "sixteen", "share_of_a_core"), 100), "{:.2f} %"
    yield "file per second and device, 5 processes", 1536, dig(found, "five", "bytes_per_second"), "{:.0f} B"
    yield "start of a job under `run`", 30, dig(found, "start", "added_start_ms"), "{:.1f} ms"
    yield "recordings that `kill -9` makes unreadable", 0, dig(found, "kills", "failed"), "{:g}"
    yield "longest loss by `kill -9`", 1, dig(found, "kills", "longest_loss_seconds"), "{:.2f} s"


def in_job(results, say):
    rows = []
    for kind in ("launch", "compute", "data"):
        found = dig(results, "in_job", "jobs", kind)
        if not found or "error" in found:
            continue
        whole, even = found["all"], found["control"]
        rows.append([say(f"{kind}-bound"), f"{found['step_us'] / 1e3:.2f} ms", f"{whole['added']:+.2%}",
                     f"{whole['low']:+.2%} … {whole['high']:+.2%}", f"{whole['added'] - found['steady']['added']:+.2%}",
                     f"{even['low']:+.2%} … {even['high']:+.2%}", f"{found['block_noise']:.1%}"])
    head = ("job", "step", "added", "95 % interval", "of it once a second", "control", "noise of a block")
    return table([say(word) for word in head], rows) if rows else say("not measured") + "\n"


def targets(results, say):
    dmon = dig(results, "steady", "nvidia-smi dmon", "cpu_percent")

    def difference(key, scale=1.0):
        mine, theirs = dig(results, "one_shot", "status", key[0]), dig(results, "one_shot", *key[1])
        return None if mine is None or theirs is None else (mine - theirs) / scale

    def against_dmon(tool):
        return ratio(dig(results, "steady", tool, "cpu_percent"), dmon)

    frames = [dig(results, "fake", "large", name) for name in ("card", "card_without_gpm", "card_and_host")]
    frames = [frame for frame in frames if frame]
    own_ms = frames[0]["real_time"] / 1e3 if frames else None
    allocations = max((frame["allocations"] for frame in frames), default=None)
    rows = [  # what, target, value, format
        ("CPU of a sample ÷ driver calls it makes", 1.3, dig(results, "raw", "default", "ratio"), "{:.2f}"),
        ("the same without GPM", 1.3, dig(results, "raw", "no_gpm", "ratio"), "{:.2f}"),
        ("CPU of `log` ÷ nvidia-smi dmon", 0.2, against_dmon("gpusight log, everything"), "{:.2f}"),
        ("the same without GPM", 0.1, against_dmon("gpusight log, without GPM"), "{:.2f}"),
        ("one `status` − driver initialisation", 5,
         difference(("wall_ms", ("driver_init", "total_ms"))), "{:.1f} ms"),
        ("peak memory of `status` − driver initialisation", 12,
         difference(("peak_kib", ("driver_init_process", "peak_kib")), 1024), "{:.1f} MiB"),
        ("frame of 8 devices × 200 processes, card, − driver", 2, own_ms, "{:.2f} ms"),
        ("allocations per sample", 0, allocations, "{:g}"),
        *in_job_targets(results), *recorder_targets(results),
    ]
    shown = []
    for what, limit, value, form in rows:
        unit = form.partition("}")[2]
        verdict = "not measured" if value is None else "met" if value <= limit else "missed"
        shown.append([say(what), f"≤ {limit:g}{unit}", "–" if value is None else form.format(value), say(verdict)])
    return table([say(word) for word in ("what", "target", "measured", "verdict")], shown)


def peers(results, say):
    tools = dig(results, "steady") or {}
    base = tools.get("nvidia-smi dmon", {})
    rows = []
    for name, entry in tools.items():
        if "error" in entry:
            continue
        rows.append([f"`{name}`"] + [
            "–" if value is None else f"{value:.2f}"
            for value in (ratio(entry[key], base.get(key)) for key in ("cpu_percent", "peak_rss_kib"))
        ] + [f"{entry['threads']:g}"])
    head = ("tool", "CPU ÷ nvidia-smi dmon", "peak memory ÷ nvidia-smi dmon", "threads")
    return table([say(word) for word in head], rows) if rows else say("not measured") + "\n"


def probes(results, say):
    found = dig(results, "raw", "default", "probes") or dig(results, "fake", "probes") or []
    rows = [[f"`{p['name']}`", f"{p['duration_us'] / 1e3:.2f} ms", f"{p['lateness_us'] / 1e3:.2f} ms",
             str(p["failures"]), str(p["rejected"])] for p in found]
    head = ("probe", "duration", "lateness", "failures", "rejected")
    return table([say(word) for word in head], rows) if rows else say("not measured") + "\n"


def calls(results, say):
    """Where the driver's share goes, as parts of it."""
    entry = dig(results, "raw", "default")
    if not entry or "calls" not in entry:
        return say("not measured") + "\n"
    rows = [[f"`{c['name']}`", f"{c['per_tick']:.1f}", f"{c['cpu_us'] / entry['driver_cpu_us']:.0%}"]
            for c in entry["calls"] if c["cpu_us"] >= 0.01 * entry["driver_cpu_us"]]
    return table([say(word) for word in ("call", "per sample", "share of the driver's CPU")], rows)


def one_shot(results, say):
    base = dig(results, "one_shot", "driver_init_process")
    if not base:
        return say("not measured") + "\n"
    rows = []
    ours = {"status": "`gpusight status`", "status_calls_process": say("its driver calls alone")}
    for name in ("status", "status_calls_process", "nvidia-smi", "gpustat", "nvitop -1"):
        entry = dig(results, "one_shot", name) or {}
        if "wall_ms" in entry:
            rows.append([ours.get(name, f"`{name}`"), f"{entry['wall_ms'] / base['wall_ms']:.1f}",
                         f"{entry['wall_ms'] - base['wall_ms']:.1f} ms",
                         f"{entry['peak_kib'] / base['peak_kib']:.1f}",
                         f"{(entry['peak_kib'] - base['peak_kib']) / 1024:.1f} MiB"])
    head = ("one run", "wall ÷ that program's", "more by", "peak memory ÷ that program's", "more by")
    return table([say(word) for word in head], rows)


def first_calls(results, say):
    """What the first call of each kind costs, in the order in which `status` makes them."""
    calls = dig(results, "one_shot", "status_calls_only", "calls") or []
    rows = [[f"`{call['name']}`", f"{call['ms']:.2f} ms"] for call in calls if call["ms"] >= 0.01]
    return table((say("call"), say("the first time")), rows) if rows else say("not measured") + "\n"


def fake(results, say):
    rows = []
    for name, what in (("card", "frame, card only"), ("card_without_gpm", "frame, card only, without GPM"),
                       ("card_and_host_shared", "frame with host facts, 200 live processes on all 8 devices"),
                       ("card_and_host", "frame with host facts, 1,600 live processes")):
        entry = dig(results, "fake", "large", name)
        if entry:
            rows.append([say(what), f"{entry['real_time'] / 1e3:.2f} ms, {entry['allocations']:g} " + say("allocations")])
    files = dig(results, "fake", "large", "files")
    if files:
        large = results["fake"]["large"]
        host = large["card_and_host_shared"]["own_cpu_us"] - large["card"]["own_cpu_us"]
        rows.append([say("host facts of these 200 ÷ bare reads of the files they come from"),
                     f"{host / files['cpu_time']:.2f}"])
    for name, what in (("log_text", "a line of `log` with all fields, text"), ("log_jsonl", "the same, jsonl")):
        entry = dig(results, "fake", "large", name)
        if entry:
            rows.append([say(what), f"{entry['cpu_time'] / entry['lines']:.1f} µs, "
                         f"{entry['allocations'] / entry['lines']:g} " + say("allocations")])
    for name, what in (("nothing", "`top` writes while nothing changes"), ("power", "`top` writes while only the power changes")):
        written = dig(results, "fake", "top", name, "written_bytes_per_second")
        if written is not None:
            first = results["fake"]["top"][name]["start_written_bytes"]
            rows.append([say(what), f"{written:.0f} B/s, {written / first:.1%} " + say("of what its start wrote")])
    return table((say("what"), say("measured")), rows) if rows else say("not measured") + "\n"


SECTIONS = {"targets": targets, "peers": peers, "one-shot": one_shot, "first-calls": first_calls, "calls": calls, "probes": probes, "fake": fake,
            "in-job": in_job}


def tables(results, language="en"):
    """All sections, for results.md."""
    say = (lambda text: ZH.get(text, text)) if language == "zh" else (lambda text: text)
    return "\n".join(f"### {name}\n\n{make(results, say)}" for name, make in SECTIONS.items())


def fill(text, results, language):
    """`text` with what lies between <!-- bench:NAME --> and <!-- /bench --> made anew."""
    say = (lambda t: ZH.get(t, t)) if language == "zh" else (lambda t: t)

    def section(match):
        return f"{match.group(1)}\n{SECTIONS[match.group(2)](results, say)}{match.group(3)}"

    return re.sub(r"(<!-- bench:([\w-]+) -->)\n.*?(<!-- /bench -->)", section, text, flags=re.S)


def main(arguments):
    check = "--check" in arguments
    names = [a for a in arguments if a != "--check"] or sorted(glob.glob(f"{ROOT}/bench/results/*.json"))
    results = {}
    for name in names:
        with open(name) as file:
            part = json.load(file)
        for key in ("machine", "raw", "steady", "one_shot", "fake", "in_job", "recorder"):
            if part.get(key) and (key != "machine" or "cards" in part[key]):
                results[key] = part[key]
    stale = False
    for language, path in DOCUMENTS.items():
        with open(os.path.join(ROOT, path)) as file:
            old = file.read()
        new = fill(old, results, language)
        if check and new != old:
            print(f"{path}: its tables are not those of bench/results; run bench/report.py")
            stale = True
        elif new != old:
            with open(os.path.join(ROOT, path), "w") as file:
                file.write(new)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
