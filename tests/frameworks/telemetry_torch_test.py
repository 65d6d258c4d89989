# SPDX-License-Identifier: Apache-2.0
"""The Python package with a real PyTorch on the CPU: steps, waits, stacks and types are in the page,
and the program prints, returns and compiles what it does without. Allocator numbers need a card:
bench/device_python.py. Next: telemetry.py, ../../python/gpusight/_torch.py."""

import re
import unittest

import torch

from telemetry import EXCEPTION, FRAMEWORKS, Recorded

VERSION = tuple(int(n) for n in re.findall(r"\d+", torch.__version__)[:2])
HEAD = """
import sys, time, warnings
warnings.simplefilter("ignore")
import torch, torch.utils.data
torch.manual_seed(0)
class Slow(torch.utils.data.Dataset):
    def __len__(self):
        return 12
    def __getitem__(self, i):
        time.sleep(0.01)
        return torch.ones(4) * i
def Model():
    model = torch.nn.Linear(4, 1)
    return model, torch.optim.Adam(model.parameters(), lr=0.1)
def Step(model, optimizer, batch):
    optimizer.zero_grad()
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    return float(loss)
"""


class Training(Recorded):
    def test_steps_waits_stacks_and_identity_are_in_the_page(self):
        code, out, err = self.Same(HEAD + """
model, optimizer = Model()
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
for epoch in range(2):
    for batch in torch.utils.data.DataLoader(Slow(), batch_size=2):
        print(round(Step(model, optimizer, batch), 3))
    scheduler.step()
""", RANK="1", LOCAL_RANK="1", WORLD_SIZE="4", PYTORCH_CUDA_ALLOC_CONF="max_split_size_mb:128")
        self.assertEqual((code, err), (0, ""))
        page = self.OnlyPage()
        progress, identity = page.Section("progress"), page.Section("identity")
        self.assertEqual(progress["steps"], 12)
        self.assertEqual(progress["data_waits"], 14, "the end of an epoch is waited for, too")
        self.assertGreater(progress["data_wait"], 2 * 12 * 0.01 * 1e9)
        self.assertEqual(progress["waiting_since"], 0)
        waits = [s["data_wait"] for s in page.Ring("step")]
        self.assertLessEqual(sum(waits), progress["data_wait"])
        self.assertGreater(min(waits), 0.019 * 1e9)
        self.assertTrue(any("__getitem__" in text and text.startswith("job.py:")
                            for text in page.Stacks()), page.Stacks())
        self.assertFalse(any("gpusight" in text for text in page.Stacks()))
        self.assertEqual(identity["framework"], FRAMEWORKS["PyTorch"])
        self.assertEqual(identity["framework_version"], torch.__version__)
        self.assertEqual(identity["script"], "job.py")
        self.assertEqual(identity["dtype"], "float32")
        self.assertEqual(identity["settings"], "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128")
        self.assertEqual((identity["rank"], identity["local_rank"], identity["world_size"]), (1, 1, 4))
        self.assertEqual(identity["flags"], 0)
        self.assertEqual(page.Devices(), [], "no device is absent, not zero")
        self.assertGreater(page.Section("header")["ended"], 0)

    def test_cuda_is_not_started(self):
        self.Same(HEAD + "Step(*Model(), torch.ones(2, 4)); time.sleep(0.2)\n"
                         "print(torch.cuda.is_initialized(), torch.backends.cuda.is_built())")

    def test_of_several_optimizers_one_counts(self):
        self.Same(HEAD + """
generator, critic = Model(), Model()
for i in range(5):
    for _ in range(3):
        Step(*critic, torch.ones(2, 4))
    Step(*generator, torch.ones(2, 4))
""")
        self.assertEqual(self.OnlyPage().Section("progress")["steps"], 15)

    def test_an_optimizer_of_the_programs_own_counts_once(self):
        self.Same(HEAD + """
class Mine(torch.optim.SGD):
    def step(self, closure=None):
        return super().step(closure)
class Bare(torch.optim.Optimizer):
    def __init__(self, parameters):
        super().__init__(parameters, {})
    def step(self, closure=None):
        return 7
model, _ = Model()
for optimizer in (Bare(model.parameters()),):
    for _ in range(4):
        print(optimizer.step(), optimizer.step.__name__, type(optimizer).step.__doc__)
""")
        self.assertEqual(self.OnlyPage().Section("progress")["steps"], 4)

    def test_a_closure_and_a_copy_of_an_optimizer_work(self):
        self.Same(HEAD + """
import copy, pickle
model, _ = Model()
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=2)
def Closure():
    optimizer.zero_grad()
    loss = model(torch.ones(2, 4)).square().mean()
    loss.backward()
    return loss
for _ in range(3):
    print(round(float(optimizer.step(Closure)), 3))
other = pickle.loads(pickle.dumps(optimizer))
print(type(other).__name__, type(copy.deepcopy(optimizer)).__name__, optimizer.state_dict().keys())
""")
        self.assertEqual(self.OnlyPage().Section("progress")["steps"], 3)

    def test_autocast_is_seen(self):
        self.Same(HEAD + """
model, optimizer = Model()
model, batch = torch.nn.Linear(512, 512), torch.ones(256, 512)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
end = time.time() + 2.5
while time.time() < end:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for _ in range(50):
            loss = model(batch).float().mean()
    optimizer.zero_grad(); loss.backward(); optimizer.step()
""")
        identity = self.OnlyPage().Section("identity")
        self.assertEqual((identity["flags"] & 1, identity["dtype"]), (1, "bfloat16"))

    @unittest.skipIf(VERSION < (2, 3), "GradScaler needs a card before PyTorch 2.3")
    def test_a_step_that_the_scaler_skips_is_none(self):
        self.Same(HEAD + """
model, optimizer = Model()
scaler = torch.amp.GradScaler("cpu")
for i in range(6):
    optimizer.zero_grad()
    loss = model(torch.ones(2, 4)).mean() * (float("inf") if i % 2 else 1.0)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
""")
        self.assertEqual(self.OnlyPage().Section("progress")["steps"], 3)

    def test_an_uncaught_error_and_its_traceback_are_the_programs(self):
        code, _, err = self.Same(HEAD + """
class Broken(Slow):
    def __getitem__(self, i):
        raise KeyError("sample 7")
model, optimizer = Model()
for batch in torch.utils.data.DataLoader(Broken(), batch_size=2):
    Step(model, optimizer, batch)
""")
        self.assertEqual(code, 1)
        self.assertIn("sample 7", err)
        self.assertEqual(self.OnlyPage().Marks(), [(EXCEPTION, "KeyError: 'sample 7'")])

    def test_a_training_in_another_thread_is_followed(self):
        self.Same(HEAD + """
import threading
def Train():
    model, optimizer = Model()
    for batch in torch.utils.data.DataLoader(Slow(), batch_size=1):
        Step(model, optimizer, batch); time.sleep(0.03)
thread = threading.Thread(target=Train)
thread.start(); thread.join()
""")
        page = self.OnlyPage()
        self.assertEqual(page.Section("progress")["steps"], 12)
        self.assertTrue(any("Train" in text for text in page.Stacks()))


class Loaders(Recorded):
    def Job(self, method, workers=2):
        return HEAD + """
if __name__ == "__main__":
    model, optimizer = Model()
    loader = torch.utils.data.DataLoader(Slow(), batch_size=2, num_workers=%d,
                                         multiprocessing_context=%r)
    for epoch in range(2):
        for batch in loader:
            Step(model, optimizer, batch)
    print("done")
""" % (workers, method)

    def test_workers_have_no_page_and_the_wait_for_them_counts(self):
        for method in ("fork", "spawn", "forkserver"):
            code, out, err = self.Same(self.Job(method))
            self.assertEqual((code, out), (0, "done\n"), method)
            page = self.OnlyPage()
            progress = page.Section("progress")
            self.assertEqual((progress["steps"], progress["data_waits"]), (12, 14), method)
            self.assertGreater(progress["data_wait"], 0.05 * 1e9, method)
            self.tearDown()
            self.setUp()

    def test_an_error_in_a_worker_looks_as_ever(self):
        job = self.Job("fork").replace("return torch.ones(4) * i", "raise ValueError('bad file')")
        plain, recorded = self.Run(job, recorded=False), self.Run(job)
        self.assertEqual(recorded[:2], plain[:2])
        strip = re.compile(r"\d+")
        self.assertEqual(strip.sub("N", recorded[2]), strip.sub("N", plain[2]))
        self.assertIn("ValueError: ", self.OnlyPage().Marks()[0][1])


class Ranks(Recorded):
    def test_each_spawned_rank_has_its_page(self):
        code, out, err = self.Run(HEAD + """
import os
import torch.distributed, torch.multiprocessing
def Rank(rank):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
    store = torch.distributed.FileStore(sys.argv[0] + ".store", 2)
    torch.distributed.init_process_group("gloo", store=store, rank=rank, world_size=2)
    model, _ = Model()
    model = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        Step(model, optimizer, torch.ones(2, 4)); time.sleep(0.5)
    torch.distributed.destroy_process_group()
if __name__ == "__main__":
    torch.multiprocessing.spawn(Rank, nprocs=2)
    print("done")
""")
        self.assertEqual((code, out), (0, "done\n"), err)
        found = sorted((p.Section("identity")["rank"], p.Section("identity")["world_size"],
                        p.Section("progress")["steps"]) for p in self.Pages())
        self.assertEqual(found, [(-1, -1, 0), (0, 2, 4), (1, 2, 4)])


@unittest.skipIf(VERSION < (2, 2), "torch.compile")
class Compiled(Recorded):
    def test_a_compiled_model_is_known_as_such(self):
        self.Same(HEAD + """
model, optimizer = Model()
model = torch.compile(model, backend="eager")
for _ in range(3):
    print(round(Step(model, optimizer, torch.ones(2, 4)), 3)); time.sleep(0.5)
""")
        page = self.OnlyPage()
        self.assertEqual(page.Section("progress")["steps"], 3)
        self.assertEqual(page.Section("identity")["flags"] & 2, 2)

    def test_a_compiled_step_breaks_into_no_more_graphs_than_without(self):
        self.Same(HEAD + """
from torch._dynamo.utils import counters
model, optimizer = Model()
@torch.compile(backend="eager")
def Update():
    optimizer.step()
for _ in range(3):
    model(torch.ones(2, 4)).mean().backward()
    Update()
print(dict(counters["graph_break"]), dict(counters["stats"]), dict(counters["unimplemented"]))
""")
        self.assertEqual(self.OnlyPage().Section("progress")["steps"], 0, "what is compiled is not counted")

    def test_a_whole_step_in_one_graph_ends_as_without(self):
        self.Same(HEAD + """
model, optimizer = Model()
@torch.compile(backend="eager", fullgraph=True)
def Update():
    optimizer.step()
for _ in range(3):
    model(torch.ones(2, 4)).mean().backward()
    Update()
print([round(float(p.sum()), 3) for p in model.parameters()])
""")


if __name__ == "__main__":
    unittest.main()
