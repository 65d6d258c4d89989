# SPDX-License-Identifier: Apache-2.0
"""Forward and backward as one CUDA graph: the CPU launches once a step what it launched kernel by
kernel before. Next: job.py."""

import torch


class Captured:
    """Replays a job's forward and backward pass."""

    def __init__(self, job, batch):
        self.job, self.inputs = job, [part.clone() for part in batch]
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                job.optimizer.zero_grad(set_to_none=True)
                job.loss(self.inputs).backward()
        torch.cuda.current_stream().wait_stream(side)
        job.optimizer.zero_grad(set_to_none=True)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.result = job.loss(self.inputs)
            self.result.backward()

    def step(self, batch):
        for mine, given in zip(self.inputs, batch):
            mine.copy_(given, non_blocking=True)
        self.graph.replay()
        self.job.optimizer.step()
        return self.result
