# SPDX-License-Identifier: Apache-2.0
"""One training job, healthy as it stands: batches that wait on the card, mixed precision, a fused
optimizer, one look at the loss every 50 steps. A fault is a class that replaces one of its parts;
main() runs it and prints how long a step took. Next: any program beside this folder, models.py."""

import itertools
import json
import os
import sys
import time

import torch
import torch.utils.data

from . import data, models, options

SKIPPED = 77  # the exit code of "this machine cannot show it"


class NotHere(Exception):
    """This machine cannot show this fault; says what is missing."""


class Job:
    rule = "none.compute_bound"  # what gpusight is to say of the job without --fix
    batch_factor = 1.0           # of the batch that keeps the card busy

    def __init__(self, given):
        self.options, self.fix = given, given.fix
        self.cuda = given.device.startswith("cuda")
        self.device = torch.device(given.device)
        self.size = 0 if self.cuda else 1
        self.family = models.FAMILIES[given.model]
        self.batch_size = given.batch or max(round(self.family.batch[self.size] * self.batch_factor), 1)
        self.dtype = given.dtype or ("bf16" if self.cuda else "fp32")
        self.cores = len(os.sched_getaffinity(0))
        self.workers = given.workers if given.workers is not None else min(8, max(self.cores - 1, 1))
        self.extra = {}  # more to print about the job

    def strength(self, mild, medium, strong):
        """The number that belongs to --severity."""
        return {"mild": mild, "medium": medium, "strong": strong}[self.options.severity]

    # The parts that a fault may replace.

    def setup(self):
        """Before the first use of the card."""

    def build(self):
        self.model = self.family(self.size).to(self.device)
        self.optimizer = self.adam()

    def batches(self):
        """Endless batches; by default eight that are on the card already."""
        return itertools.cycle([self.to_card(batch) for batch in self.host_batches(8)])

    def move(self, batch):
        return self.to_card(batch)

    def step(self, batch):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(batch)
        loss.backward()
        self.optimizer.step()
        return loss

    def after_step(self, loss):
        if self.steps % 50 == 0:
            self.last_loss = loss.item()

    def finish(self):
        """After the last step."""

    # What the parts are made of.

    def adam(self, **more):
        if self.cuda:
            more = {"fused": True, **more}
        return torch.optim.AdamW(self.model.parameters(), lr=1e-4, **more)

    def loss(self, batch):
        x, y = batch
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.dtype == "bf16"):
            output = self.model(x)
        return self.model.loss(output, y)

    def host_batches(self, count, pinned=False):
        parts = data.samples(self.family, self.size, self.options.seed, 64)
        for _ in range(count):
            chosen = itertools.islice(itertools.cycle(parts), self.batch_size)
            batch = [torch.stack(column) for column in zip(*chosen)]
            yield [part.pin_memory() for part in batch] if pinned and self.cuda else batch

    def to_card(self, batch):
        return [part.to(self.device, non_blocking=True) for part in batch]

    def images(self, cost):
        """A data set; to make one batch of it costs a core as long as `cost` steps."""
        return data.Decoded(self, cost * self.step_seconds() / self.batch_size)

    def loader(self, dataset, workers, **more):
        if workers:
            more = {"persistent_workers": True, "prefetch_factor": 4, **more}
        more = {"sampler": data.Endless(), "pin_memory": self.cuda, "drop_last": True, **more}
        return torch.utils.data.DataLoader(dataset, self.batch_size, num_workers=workers, **more)

    def step_seconds(self):
        """How long a step takes with its batch at hand."""
        batch = self.to_card(next(self.host_batches(1)))
        for count in (3, 8):
            self.wait()
            start = time.perf_counter()
            for _ in range(count if self.cuda else 2):
                Job.step(self, batch)
            self.wait()
        return (time.perf_counter() - start) / (count if self.cuda else 2)

    def elapsed(self):
        """Seconds since the steps count; 0 while the first ones warm up."""
        return time.perf_counter() - self.begun if self.begun else 0.0

    def wait(self):
        if self.cuda:
            torch.cuda.synchronize()

    # The run.

    def run(self):
        torch.manual_seed(self.options.seed)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = self.dtype != "fp32"
        torch.backends.cudnn.benchmark = True
        if self.cuda and not torch.cuda.is_available():
            raise NotHere("there is no card; --device cpu tries the program without one")
        self.steps, self.begun = 0, None
        self.setup()
        self.build()
        batches = iter(self.batches())
        for _ in range(3):  # the first ones also load libraries and choose kernels
            self.after_step(self.step(self.move(next(batches))))
            self.steps += 1
        self.wait()
        self.begun = time.perf_counter()
        times, self.steps = [self.begun], 0
        while times[-1] - self.begun < self.options.seconds:
            loss = self.step(self.move(next(batches)))
            self.steps += 1
            self.after_step(loss)
            times.append(time.perf_counter())
        self.wait()
        wall = time.perf_counter() - self.begun
        self.report(wall, times)
        self.finish()

    def report(self, wall, times):
        apart = sorted(b - a for a, b in zip(times, times[1:]))
        told = {"rule": self.rule, "fix": self.fix, "model": self.options.model, "seed": self.options.seed,
                "severity": self.options.severity, "batch": self.batch_size, "steps": self.steps,
                "seconds": round(wall, 3), "step_ms": round(wall / self.steps * 1e3, 3),
                "median_ms": round(apart[len(apart) // 2] * 1e3, 3), "slowest_ms": round(apart[-1] * 1e3, 3),
                "sample_us": round(wall / self.steps / self.batch_size * 1e6, 2), **self.extra}
        if self.cuda:
            told["peak_mib"] = torch.cuda.max_memory_allocated() >> 20
        print(f"{self.steps} steps, {told['step_ms']} ms each, {told['sample_us']} us a sample")
        print(json.dumps(told), flush=True)


def main(kind):
    given = options.parse(sys.modules["__main__"].__doc__)
    if given.companion:
        return kind.companion(given)
    try:
        kind(given).run()
    except NotHere as missing:
        print(f"skipped: {missing}", flush=True)
        sys.exit(SKIPPED)
