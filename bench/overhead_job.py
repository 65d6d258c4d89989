# SPDX-License-Identifier: Apache-2.0
"""The job whose steps bench/overhead.py times, under `gpusight run`: it trains in short blocks of a
fixed number of steps and switches gpusight between them, in random order, between states: "none" (the
recorder outside stopped by SIGSTOP, the thread and the hooks inside gone), "all" and, where asked for,
"outside" (the recorder goes on, nothing inside). Writes of each block [seconds, seconds of CPU of the
training thread, seconds of CPU of the recorder meanwhile], by rounds of one block of each state.
    overhead_job.py KIND SECONDS BLOCK-SECONDS OUTPUT.json DEVICE STATE,STATE
Next: overhead.py, ../python/gpusight/_recorder.py."""

import _thread
import gc
import glob
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

SETTLE = 0.005   # seconds of steps after a switch that no block counts
CORES = 6        # that the job keeps to where there are more: fewer moves between them, less noise


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
        self.recorder = _recorder
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
    """The recorder, a child of `gpusight run`, which is our parent and only waits."""

    def __init__(self):
        self._pid = 0
        for path in glob.glob("/proc/%d/task/*/children" % os.getppid()):
            with open(path) as file:
                for child in file.read().split():
                    with open("/proc/%s/comm" % child) as name:
                        if name.read().strip() == "gpusight-record":
                            self._pid = int(child)
        if not self._pid:
            sys.exit("not under `gpusight run`, or it does not record")
        self.on = True
        self._clocks = [open(path) for path in glob.glob("/proc/%d/task/*/schedstat" % self._pid)]

    def Cpu(self):
        """Seconds that its threads have run."""
        total = 0
        for clock in self._clocks:
            clock.seek(0)
            total += int(clock.read().split()[0])
        return total / 1e9

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
            time.sleep(0.0002)


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


def Pin():
    """Called before there are other threads: they, and the loader's workers, inherit it."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) >= 2 * CORES:
        os.sched_setaffinity(0, cores[-CORES:])


def Main():
    kind, seconds, length, output, device, states = sys.argv[1:]
    seconds, length, states = float(seconds), float(length), states.split(",")
    alone = getattr(torch.autograd.grad_mode, "set_multithreading_enabled", None)
    if alone is not None and kind != "compute":
        alone(False)  # a thread for the backward would be woken at each step, as late as the machine likes
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
        cpu, start = time.thread_time(), time.perf_counter()
        for _ in range(count):
            step()
        Wait()
        return time.perf_counter() - start, time.thread_time() - cpu

    For(3.0)
    inside, outside = Inside(optimizer), Outside()
    some = max(1, round(0.5 / For(0.5)))
    count = max(1, round(length * some / Block(some)[0]))
    polls, poll = [], inside.recorder._Poll

    def Poll():
        start = time.perf_counter()
        poll()
        polls.append(time.perf_counter() - start)

    inside.recorder._Poll = Poll
    gc.collect()
    gc.disable()
    order, rounds = random.Random(1), []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        blocks = {}
        for state in order.sample(states, len(states)):
            outside.Set(state != "none")
            inside.Set(state == "all")
            For(SETTLE)
            before = outside.Cpu()
            block = Block(count)
            blocks[state] = [*block, outside.Cpu() - before]
        rounds.append(blocks)
    outside.Set(True)
    inside.Set(True)
    with open(output, "w") as file:
        json.dump({"steps_in_a_block": count, "rounds": rounds, "polls": polls}, file)


if __name__ == "__main__":
    Pin()
    Main()
