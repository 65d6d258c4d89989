# SPDX-License-Identifier: Apache-2.0
"""Shows on a real card what no machine of CI can: the Python package with PyTorch on CUDA.
    python3 bench/device_python.py [--package FOLDER] [--only CASE,CASE] [--jobs N] [--cpu] [--out FILE.json]
FOLDER is a build's python/ (default: the first of build/*/python). Each case runs a small job with and
without the recorder, compares output and exit code, reads the page and checks it against what the job
itself says. Cases run beside each other (N at a time); each prints a line when it is done, wrong ones
with what was seen. FILE gets all of it. Exit code 0 when every check of every case is good. Without a
card only --cpu runs, which tries the script itself. What steps cost: overhead.py. Next:
../tests/frameworks/telemetry_torch_test.py."""

import concurrent.futures
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
os.environ["GPUSIGHT_SOURCE"] = str(ROOT)
sys.path.insert(0, str(ROOT / "python" / "tests"))
from layout import Page  # noqa: E402

CPU = "--cpu" in sys.argv
STAMP = re.compile(r"\b([WI])\d{4} [\d:.]+ +\d+ |\[rank\d\]:|0x[0-9a-f]+"
                   r"| ?Process \d+ has \d+\.\d+ [KMG]iB memory in use\.|\d+\.\d+ [KMG]iB")
HEAD = """
import json, os, sys, time, warnings
warnings.simplefilter("ignore")
import torch, torch.utils.data
DEVICE = os.environ["JOB_DEVICE"]
RECORDED = os.environ.get("GPUSIGHT") == "1"
torch.manual_seed(0)
def Model(width=256):
    model = torch.nn.Sequential(*[torch.nn.Linear(width, width) for _ in range(4)]).to(DEVICE)
    return model, torch.optim.AdamW(model.parameters(), lr=1e-4)
def Step(model, optimizer, batch):
    optimizer.zero_grad(set_to_none=True)
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    return loss
def Hurry():
    # A thousand looks a second, and as many at the allocator.
    if RECORDED:
        from gpusight import _recorder
        _recorder.TICK, _recorder.POLL = 1000000, 1
def Tell(**more):
    # What the job knows itself, for this script alone.
    if DEVICE == "cuda":
        stats = torch.cuda.memory_stats()
        more.update(allocated=stats["allocated_bytes.all.current"], allocated_peak=stats["allocated_bytes.all.peak"],
                    reserved=stats["reserved_bytes.all.current"], reserved_peak=stats["reserved_bytes.all.peak"],
                    active=stats["active_bytes.all.current"], retries=stats["num_alloc_retries"],
                    inactive_split=stats["inactive_split_bytes.all.current"],
                    requested=stats["requested_bytes.all.current"], out_of_memory=stats["num_ooms"])
    with open(os.environ["JOB_TOLD"], "w") as file:
        json.dump(more, file)
"""


class Case:
    """One job, with and without, and what was wrong with it."""

    def __init__(self, name):
        self.name, self.checks, self.figures = name, {}, {}
        self.told, self.pages = {}, []
        self.folder = tempfile.mkdtemp()

    def Check(self, what, good, seen=None):
        self.checks[what] = True if good else {"seen": seen}

    def Run(self, text, recorded, launcher=(), **environ):
        """(exit code, stdout, stderr) of a job that has a folder of its own."""
        folder = os.path.join(self.folder, "with" if recorded else "without")
        pages = os.path.join(folder, "pages")
        os.makedirs(pages, 0o700)
        job = os.path.join(folder, "job.py")
        with open(job, "w") as file:
            file.write(HEAD + textwrap.dedent(text))
        clean = {k: v for k, v in os.environ.items() if not k.startswith("GPUSIGHT") and k != "PYTHONPATH"}
        clean.update(JOB_DEVICE="cpu" if CPU else "cuda", JOB_TOLD=folder + "/told.json",
                     PYTHONPATH=os.environ.get("PYTHONPATH", ""))
        if recorded:
            clean.update(GPUSIGHT="1", GPUSIGHT_PAGE_DIR=pages, GPUSIGHT_AGENT_LOG=folder + "/log",
                         PYTHONPATH=os.path.join(PACKAGE, "gpusight", "bootstrap") + ":" + clean["PYTHONPATH"])
        clean.update(environ)
        start = time.monotonic()
        done = subprocess.run([*(launcher or [sys.executable]), job], env=clean, cwd=folder, text=True,
                              capture_output=True, timeout=200)
        self.figures["seconds with" if recorded else "seconds without"] = round(time.monotonic() - start, 2)
        return done.returncode, *(STAMP.sub("", said).replace(folder, "") for said in (done.stdout, done.stderr))

    def Both(self, text, compare_errors=True, **more):
        """The recorded run's (exit code, stdout, stderr), checked against the plain one's."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            plain, end = pool.map(lambda recorded: self.Run(text, recorded, **more), (False, True))
        folder = self.folder + "/with/"
        if os.path.exists(folder + "told.json"):
            with open(folder + "told.json") as file:
                self.told = json.load(file)
        self.pages = [Page(path) for path in sorted(glob.glob(folder + "pages/*.page"))]
        self.Check("exit code as without", end[0] == plain[0], (plain[0], end[0], end[2][-1500:]))
        self.Check("stdout as without", end[1] == plain[1], (plain[1][-500:], end[1][-500:]))
        if compare_errors:
            self.Check("stderr as without", end[2] == plain[2], (plain[2][-1500:], end[2][-1500:]))
        said = open(folder + "log").read() if os.path.exists(folder + "log") else ""
        self.Check("the recorder met no error", said == "", said)
        return end

    def OnePage(self):
        self.Check("one page", len(self.pages) == 1, len(self.pages))
        return self.pages[0] if self.pages else None

    def Steps(self, page, count):
        steps = page.Section("progress")["steps"]
        self.Check("steps counted", steps == count, steps)

    def Memory(self, page, names=("allocated", "allocated_peak", "reserved", "reserved_peak", "active", "retries",
                                  "inactive_split", "requested", "out_of_memory")):
        if CPU:
            self.Check("no device on a CPU", page.Devices() == [])
            return
        devices = page.Devices()
        self.Check("one device", len(devices) == 1, devices)
        if devices:
            seen = {name: devices[0][name] for name in names}
            self.Check("the allocator's numbers", seen == {n: self.told.get(n) for n in names}, (seen, self.told))
            uuids = subprocess.run(["nvidia-smi", "--query-gpu=uuid", "--format=csv,noheader"], text=True,
                                   capture_output=True).stdout.split()
            self.Check("uuid is nvidia-smi's", devices[0]["uuid"] in uuids, (devices[0]["uuid"], uuids))
            self.figures["reserved MiB"] = devices[0]["reserved"] >> 20


def Eager(case):
    case.Both("""
model, optimizer = Model()
batch = torch.ones(64, 256, device=DEVICE)
for i in range(300):
    Step(model, optimizer, batch); time.sleep(0.005)
Tell()
""")
    page = case.OnePage()
    case.Steps(page, 300)
    case.Memory(page)
    identity = page.Section("identity")
    case.Check("dtype", identity["dtype"] == "float32", identity)
    case.Check("ended", page.Section("header")["ended"] > 0)
    case.Check("stack samples", len(page.Ring("sample")) > 15, len(page.Ring("sample")))
    durations = sorted(s["duration"] for s in page.Ring("step"))
    case.figures["step ms, median"] = round(durations[len(durations) // 2] / 1e6, 3)


def Autocast(case):
    case.Both("""
model, optimizer = Model(1024)
batch = torch.ones(256, 1024, device=DEVICE)
end, steps = time.time() + 3, 0
while time.time() < end:
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        for _ in range(10):
            loss = model(batch).float().mean()
    loss.backward(); optimizer.step(); steps += 1
Tell(steps=steps)
""")
    page = case.OnePage()
    case.Steps(page, case.told.get("steps"))
    identity = page.Section("identity")
    case.Check("mixed precision", identity["flags"] & 1 == 1, identity)
    case.Check("dtype", identity["dtype"] == "bfloat16", identity)


def Compiled(case):
    import torch
    if not hasattr(torch, "compile"):
        case.figures["skipped"] = "skipped: this PyTorch compiles nothing"
        return
    case.Both("""
model, optimizer = Model()
compiled = torch.compile(model)
batch = torch.ones(64, 256, device=DEVICE)
for i in range(20):
    Step(compiled, optimizer, batch)
time.sleep(1.2)
Tell()
""", compare_errors=False)
    page = case.OnePage()
    case.Steps(page, 20)
    case.Memory(page)
    case.Check("compiled", page.Section("identity")["flags"] & 2 == 2)


def Graphs(case):
    """Captures while the allocator is asked a thousand times a second; a capture that is disturbed
    raises."""
    case.Both("""
Hurry()
model, optimizer = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, capturable=True)
batch = torch.ones(64, 256, device=DEVICE)
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        Step(model, optimizer, batch)
torch.cuda.current_stream().wait_stream(side)
for capture in range(30):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = Step(model, optimizer, batch)
        time.sleep(0.02)
    for _ in range(3):
        graph.replay()
torch.cuda.synchronize()
print(len(str(float(loss))) > 0)
Tell()
""")
    page = case.OnePage()
    case.Memory(page)
    case.figures["allocator looks"] = page.Section("progress")["samples"]
    case.Check("looked while capturing", page.Section("progress")["samples"] > 300)


def Loaders(case, method):
    case.Both("""
class Slow(torch.utils.data.Dataset):
    def __len__(self):
        return 64
    def __getitem__(self, i):
        time.sleep(0.02)
        return torch.ones(256)
if __name__ == "__main__":
    model, optimizer = Model()
    loader = torch.utils.data.DataLoader(Slow(), batch_size=4, num_workers=2, pin_memory=DEVICE == "cuda",
                                         multiprocessing_context="%s")
    waited = 0
    for epoch in range(2):
        batches = iter(loader)
        while True:
            start = time.perf_counter()
            batch = next(batches, None)
            waited += time.perf_counter() - start
            if batch is None:
                break
            Step(model, optimizer, batch.to(DEVICE))
    Tell(waited=waited)
""" % method)
    page = case.OnePage()
    case.Steps(page, 32)
    progress = page.Section("progress")
    case.Check("waits counted", progress["data_waits"] == 34, progress)
    waited, told = progress["data_wait"] / 1e9, case.told.get("waited", 0)
    case.Check("waited as long as the job measured", abs(waited - told) < 0.02 * told + 0.01, (waited, told))
    case.Memory(page)


def Ranks(case):
    import torch
    if not torch.distributed.is_available() or not CPU and torch.cuda.device_count() < 2:
        case.figures["skipped"] = "skipped: one card only, or a PyTorch without ranks"
        return
    case.Both("""
import torch.distributed
torch.distributed.init_process_group("nccl" if DEVICE == "cuda" else "gloo")
rank = torch.distributed.get_rank()
if DEVICE == "cuda":
    torch.cuda.set_device(rank)
model, _ = Model()
model = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(50):
    Step(model, optimizer, torch.ones(64, 256, device=DEVICE)); time.sleep(0.02)
torch.distributed.barrier()
torch.distributed.destroy_process_group()
""", compare_errors=False, launcher=[sys.executable, "-m", "torch.distributed.run", "--standalone",
                                     "--nproc_per_node", "2"])
    found = sorted((p.Section("identity")["rank"], p.Section("identity")["local_rank"],
                    p.Section("identity")["world_size"], p.Section("progress")["steps"]) for p in case.pages)
    case.Check("a page for each rank", found == [(0, 0, 2, 50), (1, 1, 2, 50)], found)
    if not CPU:
        used = sorted(m["ordinal"] for p in case.pages for m in p.Devices() if m["reserved"] > 1 << 20)
        case.Check("a device for each rank", used == [0, 1], used)


def Caught(case):
    case.Both("""
def Grab():
    return torch.empty(1 << 40, dtype=torch.uint8, device=DEVICE)
try:
    Grab()
except torch.OutOfMemoryError:
    print("caught")
model, optimizer = Model()
for i in range(5):
    Step(model, optimizer, torch.ones(64, 256, device=DEVICE))
Tell()
""")
    page = case.OnePage()
    case.Steps(page, 5)
    ooms = page.Ring("oom")
    case.Check("one record", len(ooms) == 1, ooms)
    if ooms:
        oom = ooms[0]
        case.Check("the request", oom["requested"] == 1 << 40, oom)
        case.Check("the device", oom["total"] > 1 << 30 and 0 < oom["free"] <= oom["total"], oom)
        case.Check("the stack", oom["stack"].startswith("job.py:") and " Grab;" in oom["stack"], oom["stack"])
    case.Check("no exception", page.Marks() == [], page.Marks())
    case.Memory(page)


def Uncaught(case):
    code, _, err = case.Both("""
held = torch.ones(1 << 28, device=DEVICE)
def Forward():
    return torch.empty(1 << 40, dtype=torch.uint8, device=DEVICE)
Forward()
""")
    case.Check("exit code 1", code == 1, code)
    page = case.OnePage()
    oom, = page.Ring("oom")
    case.Check("allocated before", oom["allocated"] == 1 << 30, oom)
    marks = page.Marks()
    case.Check("the exception", len(marks) == 1 and "OutOfMemoryError: CUDA out of memory" in marks[0][1], marks)


def Backward(case):
    case.Both("""
x = torch.ones(1 << 28, device=DEVICE, requires_grad=True)
class Greedy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()
    @staticmethod
    def backward(ctx, gradient):
        return gradient.repeat(1 << 12)
y = torch.utils.checkpoint.checkpoint(lambda v: v * 2, x, use_reentrant=False)
def Train():
    loss = Greedy.apply(y).sum()
    loss.backward()
try:
    Train()
except torch.OutOfMemoryError:
    print("caught")
""")
    oom, = case.OnePage().Ring("oom")
    case.Check("a stack", "job.py:" in oom["stack"], oom["stack"])


def AsyncAllocator(case):
    case.Both("""
Hurry()
model, optimizer = Model()
for i in range(20):
    Step(model, optimizer, torch.ones(64, 256, device=DEVICE)); time.sleep(0.02)
""", PYTORCH_CUDA_ALLOC_CONF="backend:cudaMallocAsync")
    page = case.OnePage()
    case.Steps(page, 20)
    case.Check("absent, not zero", page.Devices() == [], page.Devices())
    case.Check("settings", "backend:cudaMallocAsync" in page.Section("identity")["settings"])


def Limited(case):
    case.Both("""
torch.cuda.set_per_process_memory_fraction(0.25)
model, optimizer = Model()
for i in range(20):
    Step(model, optimizer, torch.ones(64, 256, device=DEVICE))
Tell(total=torch.cuda.get_device_properties(0).total_memory)
""", PYTORCH_CUDA_ALLOC_CONF="expandable_segments:True")
    page = case.OnePage()
    case.Memory(page)
    device, = page.Devices()
    limit = device["limit"] if device["known"] >> 7 & 1 else None
    case.figures["limit"] = limit
    case.Check("the limit", limit is None or limit == int(case.told["total"] * 0.25), limit)


def Jax(case):
    """The numbers are those of the last moment, which no second poll need have come to."""
    case.Both("""
try:
    import jax, jax.numpy
except ImportError:
    sys.exit(0)
x = jax.numpy.ones((1024, 1024))
for i in range(10):
    x = x @ x / 1024
    if RECORDED:
        import gpusight; gpusight.step()
x.block_until_ready()
stats = jax.local_devices()[0].memory_stats() or {}
with open(os.environ["JOB_TOLD"], "w") as file:
    json.dump({"limit": stats.get("bytes_limit"), "peak": stats.get("peak_bytes_in_use"), "all": list(stats),
               "platform": jax.local_devices()[0].platform, "version": jax.__version__}, file)
""", compare_errors=False, XLA_PYTHON_CLIENT_PREALLOCATE="false")
    case.figures.update(case.told)
    if not case.told:
        case.figures["skipped"] = "skipped: JAX is not installed"
        return
    devices = case.OnePage().Devices()
    if not case.told["limit"]:
        case.figures["skipped"] = "skipped: JAX has no card"
        case.Check("no device", devices == [], devices)
        return
    case.Check("a device", len(devices) == 1, devices)
    seen = [(device["limit"], device["allocated_peak"]) for device in devices[:1]]
    case.Check("numbers", seen == [(case.told["limit"], case.told["peak"])], (devices, case.told))


CASES = {"eager": Eager, "autocast": Autocast, "compiled": Compiled, "graphs": Graphs,
         "loader_fork": lambda case: Loaders(case, "fork"), "loader_spawn": lambda case: Loaders(case, "spawn"),
         "ranks": Ranks, "oom_caught": Caught, "oom_uncaught": Uncaught, "oom_backward": Backward,
         "async_allocator": AsyncAllocator, "limited": Limited, "jax": Jax}
CARD_ONLY = {"graphs", "oom_caught", "oom_uncaught", "oom_backward", "async_allocator", "limited"}


def Word(flag, default=None):
    return sys.argv[sys.argv.index(flag) + 1] if flag in sys.argv else default


def Main():
    global PACKAGE
    PACKAGE = Word("--package") or next(iter(glob.glob(str(ROOT / "build" / "*" / "python"))), None)
    if PACKAGE is None or not glob.glob(os.path.join(PACKAGE, "gpusight", "_agent*")):
        sys.exit("no built package; name one with --package")
    PACKAGE = os.path.abspath(PACKAGE)
    import torch
    if not CPU and not torch.cuda.is_available():
        sys.exit("no card; --cpu tries the script itself")
    wanted = (Word("--only") or ",".join(name for name in CASES if not CPU or name not in CARD_ONLY)).split(",")
    found = {"torch": torch.__version__, "python": sys.version.split()[0],
             "device": "cpu" if CPU else torch.cuda.get_device_name(), "cases": {}}
    print("PyTorch %(torch)s, Python %(python)s, %(device)s" % found, flush=True)
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(int(Word("--jobs") or max(1, (os.cpu_count() or 2) // 3))) as pool:
        for future in concurrent.futures.as_completed([pool.submit(Try, name) for name in wanted]):
            case = future.result()
            wrong = {what: seen for what, seen in case.checks.items() if seen is not True}
            found["cases"][case.name] = {"good": len(case.checks) - len(wrong), "wrong": wrong, "figures": case.figures}
            print("%-16s %s" % (case.name, "WRONG" if wrong else case.figures.get("skipped") or "ok, %d checks" % len(
                case.checks)), flush=True)
            for what, seen in wrong.items():
                print("    %s: %s" % (what, json.dumps(seen, default=str)[:3000]), flush=True)
    found["seconds"] = round(time.monotonic() - start, 1)
    bad = [name for name, case in found["cases"].items() if case["wrong"]]
    print("%d cases good, %d wrong, %.0f s" % (len(wanted) - len(bad), len(bad), found["seconds"]), flush=True)
    if Word("--out"):
        with open(Word("--out"), "w") as file:
            json.dump(found, file, indent=1, default=str)
    sys.exit(1 if bad else 0)


def Try(name):
    case = Case(name)
    try:
        CASES[name](case)
    except Exception as error:
        case.Check("ran to its end", False, "%s: %s" % (type(error).__name__, error))
    shutil.rmtree(case.folder, ignore_errors=True)
    return case


if __name__ == "__main__":
    Main()
