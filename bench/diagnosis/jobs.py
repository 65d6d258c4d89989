# SPDX-License-Identifier: Apache-2.0
"""Which jobs are run: one line of a list is one job. `calibrate-short` shows every fault once, the most
telling first, so that a run that is cut short is still of use; `tune` and `judge` are the two halves:
thresholds are chosen on the first and reported on the second. Next: __main__.py."""

import dataclasses

HEALTHY = "none"
# What a job may be called without being wrong about it: not a fault.
NO_FAULT = {"none", "none.compute_bound", "none.unknown", "gpu.bound_by", "clock.power_cap"}


@dataclasses.dataclass(frozen=True)
class Job:
    program: str  # a file of examples/faults, without .py
    rule: str     # what it shows
    model: str = "vit"
    seed: int = 0
    fix: bool = False
    severity: str = "medium"
    seconds: float = 10
    more: tuple = ()  # further arguments

    @property
    def name(self) -> str:
        parts = [self.program.replace("/", "-"), self.model, self.severity, f"s{self.seed}", f"{self.seconds:g}s"]
        return ".".join(parts + [a.lstrip("-") for a in self.more] + ["fix"] * self.fix)

    @property
    def expected(self) -> str:
        return HEALTHY if self.fix else self.rule


# Program, rule; the order is that of importance.
FAULTS = [
    ("input_serial_loader", "input.serial_loader"),
    ("host_sync_points", "host.sync_points"),
    ("host_launch_bound", "host.launch_bound"),
    ("gpumem_leak", "gpumem.leak"),
    ("input_too_few_workers", "input.too_few_workers"),
    ("h2d_pageable_or_blocking", "h2d.pageable_or_blocking"),
    ("phase_checkpoint_stall", "phase.checkpoint_stall"),
    ("gpu_batch_too_small", "gpu.batch_too_small"),
    ("gpu_tensor_cores_unused", "gpu.tensor_cores_unused"),
    ("gpumem_fragmentation", "gpumem.fragmentation"),
    ("input_cpu_bound_preprocessing", "input.cpu_bound_preprocessing"),
    ("host_gil_contention", "host.gil_contention"),
    ("progress_none_spin", "progress.none"),
    ("phase_eval_or_metric_stall", "phase.eval_or_metric_stall"),
    ("h2d_link_saturated", "h2d.link_saturated"),
    ("gpu_neighbour", "gpu.neighbour"),
    ("gpumem_oom", "gpumem.oom_postmortem"),
    ("hostmem_leak", "hostmem.leak"),
    ("input_epoch_restart", "input.epoch_restart"),
    ("io_remote_or_small_files", "io.remote_or_small_files"),
    ("io_local_disk_bound", "io.local_disk_bound"),
    ("host_compile_stall", "host.compile_stall"),
    ("cpu_oversubscribed", "cpu.oversubscribed"),
    ("gpumem_oom_soon", "gpumem.oom_soon"),
    ("progress_none_loader", "progress.none"),
    ("gpumem_leak_eval", "gpumem.leak"),
    ("input_slow_sample", "input.too_few_workers"),
    ("hostmem_leak_workers", "hostmem.leak"),
    ("gpumem_leak_outside", "gpumem.leak"),
    ("gpumem_leak_outputs", "gpumem.leak"),
    ("progress_none_finished", "progress.none"),
    ("phase_slow_start", "phase.slow_start"),
    ("hw_xid", "hw.xid_ecc"),
]
# Jobs that look like a fault and have none.
LOOKALIKES = [f"lookalikes/{name}" for name in (
    "item_per_step", "cache_after_peak", "growing_lengths", "power_cap", "warm_page_cache", "idle_link",
    "memory_bound", "spinning_thread", "slow_but_busy_workers", "rare_checkpoint")]


def calibrate_short() -> list:
    """Each fault once; ViT and GPT by turns; a healthy job of each first."""
    found = [Job("healthy", HEALTHY, "vit", seconds=8)]
    for place, (program, rule) in enumerate(FAULTS):
        found.append(Job(program, rule, ("vit", "gpt")[place % 2], seconds=8))
        if place == 4:
            found.append(Job("healthy", HEALTHY, "gpt", seconds=8))
    return found


def healthy(models, seeds, seconds) -> list:
    found = []
    for model in models:
        for seed in seeds:
            found.append(Job("healthy", HEALTHY, model, seed, seconds=seconds))
            found.append(Job("healthy", HEALTHY, model, seed, seconds=seconds, more=("--workers", "8")))
            if model != "unet":
                found.append(Job("healthy", HEALTHY, model, seed, seconds=seconds, more=("--dtype", "tf32")))
        found += [Job(program, HEALTHY, model, seeds[0], seconds=seconds) for program in LOOKALIKES]
    return found


def half(models, seeds, seconds) -> list:
    """Every fault at each severity, and its fix at the middle one; models and seeds by turns."""
    found = []
    for place, (program, rule) in enumerate(FAULTS):
        for turn, severity in enumerate(("medium", "strong", "mild")):
            model, seed = models[(place + turn) % len(models)], seeds[(place + turn) % len(seeds)]
            found.append(Job(program, rule, model, seed, False, severity, seconds))
            if severity == "medium":
                found.append(Job(program, rule, model, seed, True, severity, seconds))
    order = ("medium", "strong", "mild")
    return sorted(found, key=lambda job: order.index(job.severity)) + healthy(models, seeds, seconds)


LISTS = {
    "calibrate-short": calibrate_short,
    "smoke": lambda: [Job("healthy", HEALTHY, seconds=2), Job("input_serial_loader", "input.serial_loader", seconds=3),
                      Job("input_serial_loader", "input.serial_loader", fix=True, seconds=3)],
    "faults": lambda: half(("vit", "gpt"), (0,), 12)[:4 * len(FAULTS)],
    "lookalikes": lambda: [Job(p, HEALTHY, ("vit", "gpt")[n % 2], seconds=12) for n, p in enumerate(LOOKALIKES)],
    "tune": lambda: half(("vit", "gpt"), (0, 1), 35),
    "judge": lambda: half(("resnet", "unet", "mlp", "lstm"), (2, 3, 4), 35),
}
