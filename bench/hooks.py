# SPDX-License-Identifier: Apache-2.0
"""What gpusight adds to a training step: the hook of the optimizer, the wrapper of the data loader
and one look at the stack, each as a difference of the same loop with and without, in microseconds.
    bench/hooks.py PACKAGE-FOLDER [--json]      for instance: bench/hooks.py build/release/python
Needs no framework: the callables are the ones that the adapters put before a framework's. With a
PyTorch at hand its real optimizer and loader are measured, too. Next: docs/performance.md."""

import json
import os
import statistics
import sys
import tempfile
import time

LIMIT = 2.0  # µs a step
LOOPS, ROUNDS = 20000, 15


def Best(function):
    """Median of the rounds' nanoseconds a call, least noisy first."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        for _ in range(LOOPS):
            function()
        times.append((time.perf_counter_ns() - start) / LOOPS)
    return statistics.median(sorted(times)[:ROUNDS // 2 + 1])


def Added(with_hook, without):
    return max(0.0, (Best(with_hook) - Best(without)) / 1000)


class Batches:
    """Stands for a loader's iterator."""

    def __next__(self):
        return 1


class Watched:
    def __next__(self):
        return 1


def Deep(depth, function):
    return function() if depth == 0 else Deep(depth - 1, function)


def Measure():
    from gpusight import _agent, _recorder, _stacks

    Watched.__next__ = _agent.Wrapper("wait", Watched.__next__)
    plain, watched, optimizer = Batches(), Watched(), object()
    found = {}

    def Hook(stepped, arguments, keywords):
        if not False:
            _agent.optimizer_step(stepped)

    def Nothing(stepped, arguments, keywords):
        pass

    found["optimizer hook"] = Added(lambda: Hook(optimizer, (), {}), lambda: None)
    found["data wait"] = Added(lambda: next(watched), lambda: next(plain))
    found["step with one batch"] = found["optimizer hook"] + found["data wait"]
    folder = _stacks.Folder(_agent.stack, _stacks.Files(_stacks.Roots()))
    for depth in (10, 40):
        found["stack sample, %d frames" % depth] = Deep(
            depth - 6, lambda: Added(lambda: _recorder._Sample(folder, 1, 0), lambda: None))
    return found


def MeasureTorch():
    """A real optimizer's step with no parameters to speak of, with the hook and without."""
    try:
        import torch
        from torch.optim import optimizer as module
    except ImportError:
        return {}
    parameter = torch.zeros(1, requires_grad=True)
    sgd = torch.optim.SGD([parameter], lr=0.1)
    hooks = getattr(module, "_global_optimizer_post_hooks", None)
    if not hooks:
        return {}
    ours = dict(hooks)
    global LOOPS
    LOOPS = 5000
    pairs = []
    for _ in range(5):
        with_hook = Best(sgd.step)
        hooks.clear()
        without = Best(sgd.step)
        hooks.update(ours)
        pairs.append((with_hook - without) / 1000)
    return {"PyTorch %s: optimizer.step()" % torch.__version__: max(0.0, statistics.median(pairs))}


def Main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    if len(words) != 1:
        sys.exit(__doc__)
    sys.path.insert(0, os.path.abspath(words[0]))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GPUSIGHT_PAGE_DIR"] = folder
        import gpusight
        if not gpusight.attach():
            sys.exit("there is no telemetry page, so nothing would be measured")
        found = Measure()
        found.update(MeasureTorch())
        gpusight.detach()
    if "--json" in sys.argv:
        print(json.dumps({name: round(value, 4) for name, value in found.items()}))
    else:
        for name, value in found.items():
            print("%-40s %6.2f µs" % (name, value))
    sys.exit(0 if found["step with one batch"] <= LIMIT else 1)


if __name__ == "__main__":
    Main()
