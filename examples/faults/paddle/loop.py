# SPDX-License-Identifier: Apache-2.0
"""The training loop of the PaddlePaddle programs: the options of the PyTorch ones, a small transformer,
batches that are made by a loader or lie ready. A fault replaces one part. Next: input_serial_loader.py,
../common/job.py."""

import json
import os
import sys
import time

FAULTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(FAULTS, "common"))  # its files, not the package, which wants PyTorch

import numpy  # noqa: E402
import paddle  # noqa: E402

from work import decode_and_augment, seconds_per_pass  # noqa: E402
from options import parse  # noqa: E402


class Samples(paddle.io.Dataset):
    """Images of noise; one costs `passes` of work."""

    def __init__(self, job, seconds):
        self.side, self.passes = job.side, max(round(seconds / seconds_per_pass()), 1 if seconds > 0 else 0)
        self.images = numpy.random.default_rng(0).standard_normal((16, 3 * self.side ** 2), numpy.float32)

    def __len__(self):
        return 1 << 20

    def __getitem__(self, index):
        decode_and_augment(self.passes)
        return self.images[index % 16], numpy.int64(index % 1000)


class Endless(paddle.io.BatchSampler):
    def __init__(self, size):
        self.batch_size, self.drop_last = size, True

    def __iter__(self):
        first = 0
        while True:
            yield [index % (1 << 20) for index in range(first, first + self.batch_size)]
            first += self.batch_size

    def __len__(self):
        return 1 << 20


class Job:
    rule = "none.compute_bound"

    def __init__(self, given):
        self.options, self.fix, self.cuda = given, given.fix, given.device.startswith("cuda")
        paddle.set_device("gpu" if self.cuda else "cpu")
        self.side, self.batch_size = (64, given.batch or 2048) if self.cuda else (16, given.batch or 16)
        self.steps, self.begun = 0, None

    def strength(self, mild, medium, strong):
        return {"mild": mild, "medium": medium, "strong": strong}[self.options.severity]

    def build(self):
        paddle.seed(self.options.seed)
        wide = 4096 if self.cuda else 64
        layers, into = [], 3 * self.side ** 2
        for _ in range(6):
            layers += [paddle.nn.Linear(into, wide), paddle.nn.GELU()]
            into = wide
        self.model = paddle.nn.Sequential(*layers, paddle.nn.Linear(wide, 1000))
        self.optimizer = paddle.optimizer.AdamW(1e-4, parameters=self.model.parameters())

    def batches(self):
        ready = self.ready()
        while True:
            yield ready

    def ready(self):
        x = numpy.random.default_rng(self.options.seed).standard_normal((self.batch_size, 3 * self.side ** 2))
        return [paddle.to_tensor(x.astype("float32")), paddle.to_tensor(numpy.arange(self.batch_size) % 1000)]

    def loader(self, cost, workers):
        """To make one batch costs a core as long as `cost` steps."""
        data = Samples(self, cost * self.step_seconds() / self.batch_size)
        return paddle.io.DataLoader(data, batch_sampler=Endless(self.batch_size), num_workers=workers,
                                    persistent_workers=workers > 0)

    def step_seconds(self):
        batch = self.ready()
        for _ in range(2):
            start = time.perf_counter()
            for _ in range(4):
                Job.step(self, batch)
            float(Job.step(self, batch))
        return (time.perf_counter() - start) / 5

    def step(self, batch):
        x, y = batch
        with paddle.amp.auto_cast(enable=self.cuda, dtype="bfloat16"):
            self.output = self.model(x)
        loss = paddle.nn.functional.cross_entropy(self.output.astype("float32"), y)
        loss.backward()
        self.optimizer.step()
        self.optimizer.clear_grad()
        return loss

    def after_step(self, loss):
        if self.steps % 50 == 0:
            self.last_loss = float(loss)

    def run(self):
        self.build()
        batches = iter(self.batches())
        for _ in range(3):
            self.after_step(self.step(next(batches)))
        self.begun, self.steps = time.perf_counter(), 0
        while time.perf_counter() - self.begun < self.options.seconds:
            loss = self.step(next(batches))
            self.steps += 1
            self.after_step(loss)
        float(loss)
        wall = time.perf_counter() - self.begun
        print(json.dumps({"rule": self.rule, "fix": self.fix, "framework": "paddle", "steps": self.steps,
                          "batch": self.batch_size, "step_ms": round(wall / self.steps * 1e3, 3),
                          "sample_us": round(wall / self.steps / self.batch_size * 1e6, 2)}), flush=True)


def main(kind):
    kind(parse(sys.modules["__main__"].__doc__)).run()
