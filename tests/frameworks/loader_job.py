# SPDX-License-Identifier: Apache-2.0
"""A training-like job with a real DataLoader: `loader_job.py torch|paddle fork|spawn WORKERS`. Once
all workers have delivered, it prints one line of JSON ({"pid", "workers"}: what the framework itself
says) and waits for its standard input to close. Next: loaders_test.py."""

import json
import multiprocessing
import os
import sys
import time


class Pids:
    """A dataset whose every sample is the pid of the worker that made it."""

    def __len__(self):
        return 100_000

    def __getitem__(self, index):
        time.sleep(0.02)
        return os.getpid()


def TorchBatches(method, workers):
    import torch.utils.data

    return torch.utils.data.DataLoader(Pids(), batch_size=2, num_workers=workers,
                                       multiprocessing_context=method)


def PaddleBatches(method, workers):
    import paddle

    paddle.set_device("cpu")
    multiprocessing.set_start_method(method)
    return paddle.io.DataLoader(Pids(), batch_size=2, num_workers=workers, use_shared_memory=False)


def Main():
    framework, method, workers = sys.argv[1], sys.argv[2], int(sys.argv[3])
    batches = {"torch": TorchBatches, "paddle": PaddleBatches}[framework](method, workers)
    seen = set()
    running = iter(batches)  # held: PyTorch ends its workers with the iterator
    for batch in running:
        values = batch[0] if isinstance(batch, (list, tuple)) else batch
        seen.update(int(v) for v in values.numpy().ravel())
        if len(seen) == workers:
            break
    print(json.dumps({"pid": os.getpid(), "workers": sorted(seen)}), flush=True)
    sys.stdin.read()
    for worker in multiprocessing.active_children():
        worker.kill()
    os._exit(0)


if __name__ == "__main__":
    Main()
