# SPDX-License-Identifier: Apache-2.0
"""The job whose steps bench/overhead.py times, under `gpusight run`: it trains in short blocks of a
fixed number of steps and switches gpusight between them, in random order, between three states:
"none" (the recorder outside stopped by SIGSTOP, the thread and the hooks inside gone), "outside" (the
recorder goes on, nothing inside) and "all". Writes the seconds of each block.
    overhead_job.py KIND SECONDS BLOCK-SECONDS OUTPUT.json DEVICE
Next: overhead.py, ../python/gpusight/_recorder.py."""

import _thread
import gc
import json
import os
import random
import signal
import sys
import time
import types
import warnings

warnings.simplefilter("ignore")
import torch  # noqa: E402
import torch.utils.data  # noqa: E402

STATES = ("none", "outside", "all")
TRIPLES = 4      # of blocks, one of each state, in a unit
SETTLE = 0.02    # seconds of steps after a switch that no block counts


class Thread:
    """Stops the package's thread between two looks and lets it go on as if no time had passed, so that
    its work of once a second comes once in a second of "all"."""

    def __init__(self, recorder):
        self._real = recorder.agent
        self._lost = self._since = 0
        self._stopping = False
        self._parked, self._go = _thread.allocate_lock(), _thread.allocate_lock()
        self._parked.acquire()
        self._go.acquire()
        recorder._StopThread()
        recorder.agent = types.SimpleNamespace(**vars(self._real))
        recorder.agent.monotonic = lambda: self._real.monotonic() - self._lost
        looks = recorder._Looks
        recorder._Looks = lambda lock: self._Parking(looks(lock))
        recorder._StartThread()

    def _Parking(self, look):
        def Look():
            if self._stopping:
                self._real.reset_alarm()
                self._parked.release()
                self._go.acquire()
            due = look()
            return None if due is None else due + self._lost
        return Look

    def Stop(self):
        self._since = self._real.monotonic()
        self._stopping = True
        self._real.wake()
        self._parked.acquire()

    def GoOn(self):
        self._lost += self._real.monotonic() - self._since
        self._stopping = False
        self._go.release()


class Inside:
    """The hooks and the thread."""

    def __init__(self, optimizer):
        from gpusight import _agent, _recorder
        if not _agent.is_open():
            sys.exit("no telemetry page, so nothing would be measured")
        self._iterator = torch.utils.data.dataloader._BaseDataLoaderIter
        self._hooks = getattr(sys.modules["torch.optim.optimizer"], "_global_optimizer_post_hooks", {})
        self._ours = dict(self._hooks)
        self._wrapped = [(kind, name, vars(kind)[name]) for kind, name in (
            (self._iterator, "__next__"), (type(optimizer), "step")) if isinstance(vars(kind)[name], _agent.Wrapper)]
        if len(self._wrapped) + len(self._ours) != 2:
            sys.exit("the hooks are not there, so nothing would be measured")
        self._thread = Thread(_recorder)
        self.on = True

    def Set(self, on):
        if on == self.on:
            return
        self.on = on
        self._hooks.clear()
        if on:
            self._hooks.update(self._ours)
        for kind, name, wrapper in self._wrapped:
            setattr(kind, name, wrapper if on else wrapper.__wrapped__)
        self._thread.GoOn() if on else self._thread.Stop()


class Outside:
    """`gpusight run`, our parent."""

    def __init__(self):
        self._pid = os.getppid()
        with open("/proc/%d/comm" % self._pid) as file:
            if file.read().strip() != "gpusight":
                sys.exit("not under `gpusight run`")
        self.on = True

    def _States(self):
        found = set()
        for task in os.listdir("/proc/%d/task" % self._pid):
            with open("/proc/%d/task/%s/stat" % (self._pid, task)) as file:
                found.add(file.read().rsplit(")", 1)[1].split()[0])
        return found

    def Set(self, on):
        if on == self.on:
            return
        self.on = on
        os.kill(self._pid, signal.SIGCONT if on else signal.SIGSTOP)
        end = time.monotonic() + 2  # a thread inside the driver stops when it leaves it
        while (self._States() == {"T"}) == on:
            if time.monotonic() > end:
                sys.exit("the recorder does not obey")
            time.sleep(0.001)


def Model(width, device):
    model = torch.nn.Sequential(*[torch.nn.Linear(width, width) for _ in range(4)]).to(device)
    return model, torch.optim.AdamW(model.parameters(), lr=1e-4)


class Data(torch.utils.data.Dataset):
    """A worker needs about a millisecond for one."""

    def __len__(self):
        return 1 << 40

    def __getitem__(self, i):
        return torch.randn(8192).sort()[0][:256]


def Job(kind, device):
    """A function that makes one step, and its optimizer."""
    cuda = device == "cuda"
    width = 4096 if kind == "compute" and cuda else 256
    model, optimizer = Model(width, device)
    batch = torch.ones(width if kind == "compute" else 32, width, device=device)

    def Step(batch):
        optimizer.zero_grad(set_to_none=True)
        model(batch).square().mean().backward()
        optimizer.step()

    if kind != "data":
        return lambda: Step(batch), optimizer
    batches = iter(torch.utils.data.DataLoader(Data(), batch_size=16, num_workers=4 if cuda else 1,
                                               pin_memory=cuda, sampler=range(1 << 40)))
    return lambda: Step(next(batches).to(device, non_blocking=True)), optimizer


def Main():
    kind, seconds, length, output, device = sys.argv[1:]
    seconds, length = float(seconds), float(length)
    if device == "cpu":
        torch.set_num_threads(1)
    Wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    step, optimizer = Job(kind, device)

    def For(duration):
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < duration or count == 0:
            step()
            Wait()
            count += 1
        return (time.perf_counter() - start) / count

    def Block(count):
        start = time.perf_counter()
        for _ in range(count):
            step()
        Wait()
        return time.perf_counter() - start

    For(3.0)
    inside, outside = Inside(optimizer), Outside()
    some = max(1, round(0.5 / For(0.5)))
    count = max(1, round(length * some / Block(some)))
    gc.collect()
    gc.disable()
    order, units = random.Random(1), []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        unit = {state: [] for state in STATES}
        for _ in range(TRIPLES):
            for state in order.sample(STATES, len(STATES)):
                outside.Set(state != "none")
                inside.Set(state == "all")
                For(SETTLE)
                unit[state].append(Block(count))
        units.append(unit)
    outside.Set(True)
    inside.Set(True)
    with open(output, "w") as file:
        json.dump({"steps_in_a_block": count, "units": units}, file)


if __name__ == "__main__":
    Main()
