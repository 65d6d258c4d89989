# SPDX-License-Identifier: Apache-2.0
"""The Python package with a real PaddlePaddle on the CPU: steps, waits, stacks, types and flags are in
the page, and the program prints and returns what it does without. Allocator numbers need a card, and
no test here has one. Next: telemetry.py, ../../python/gpusight/_paddle.py."""

import re
import unittest

import paddle

from telemetry import EXCEPTION, FRAMEWORKS, Recorded

HEAD = """
import sys, time, warnings
warnings.simplefilter("ignore")
import numpy, paddle
paddle.seed(0)
paddle.set_device("cpu")
class Slow(paddle.io.Dataset):
    def __len__(self):
        return 12
    def __getitem__(self, i):
        time.sleep(0.01)
        return numpy.full(4, i, "float32")
def Model():
    model = paddle.nn.Linear(4, 1)
    return model, paddle.optimizer.Adam(0.1, parameters=model.parameters())
def Step(model, optimizer, batch):
    loss = model(batch).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return float(loss)
def Batches(batch_size=2, **more):
    for batch in paddle.io.DataLoader(Slow(), batch_size=batch_size, **more):
        yield batch[0] if isinstance(batch, list) else batch
"""


class Training(Recorded):
    def test_steps_waits_stacks_and_identity_are_in_the_page(self):
        code, out, err = self.Same(HEAD + """
model, optimizer = Model()
for epoch in range(2):
    for batch in Batches():
        print(round(Step(model, optimizer, batch), 2))
""", PADDLE_TRAINER_ID="1", PADDLE_TRAINERS_NUM="2", FLAGS_fraction_of_gpu_memory_to_use="0.5")
        self.assertEqual(code, 0, err)
        page = self.OnlyPage()
        progress, identity = page.Section("progress"), page.Section("identity")
        self.assertEqual(progress["steps"], 12)
        self.assertEqual(progress["data_waits"], 14)
        self.assertGreater(progress["data_wait"], 12 * 0.01 * 1e9)
        self.assertTrue(any("job.py:" in text for text in page.Stacks()), page.Stacks())
        self.assertEqual(identity["framework"], FRAMEWORKS["PaddlePaddle"])
        self.assertEqual(identity["framework_version"], paddle.__version__)
        self.assertEqual(identity["dtype"], "float32")
        self.assertIn("FLAGS_fraction_of_gpu_memory_to_use=0.5", identity["settings"])
        self.assertIn("FLAGS_allocator_strategy=auto_growth", identity["settings"])
        self.assertEqual((identity["rank"], identity["world_size"]), (1, 2))
        self.assertEqual(page.Devices(), [], "no device is absent, not zero")
        self.assertGreater(page.Section("header")["ended"], 0)

    def test_every_way_to_step_counts_once(self):
        self.Same(HEAD + """
model, adam = Model()
class Mine(paddle.optimizer.SGD):
    def step(self):
        super().step()
sgd = Mine(0.1, parameters=model.parameters())
momentum = paddle.optimizer.Momentum(0.1, parameters=model.parameters())
for _ in range(3):
    Step(model, sgd, paddle.ones([2, 4]))
print(momentum.step.__name__, momentum.step.__doc__ is None, type(sgd).__mro__[1].__name__)
""")
        self.assertEqual(self.OnlyPage().Section("progress")["steps"], 3)

    def test_minimize_is_a_step(self):
        self.Same(HEAD + """
model, optimizer = Model()
for _ in range(4):
    loss = model(paddle.ones([2, 4])).mean()
    loss.backward()
    optimizer.minimize(loss)
    optimizer.clear_grad()
""")
        self.assertEqual(self.OnlyPage().Section("progress")["steps"], 4)

    def test_mixed_precision_is_seen(self):
        """auto_cast does nothing on a CPU, so the level that it would set is set here."""
        self.Same(HEAD + """
model, optimizer = Model()
tracer = paddle.base.framework._dygraph_tracer()
end = time.time() + 2.5
while time.time() < end:
    tracer._amp_level, tracer._amp_dtype = paddle.base.core.AmpLevel.O1, "bfloat16"
    for _ in range(50):
        float(paddle.ones([64, 4]).astype("float32").mean())
    tracer._amp_level = paddle.base.core.AmpLevel.O0
    Step(model, optimizer, paddle.ones([2, 4]))
""")
        identity = self.OnlyPage().Section("identity")
        self.assertEqual((identity["flags"] & 1, identity["dtype"]), (1, "bfloat16"))

    def test_a_whole_step_turned_static_gives_what_it_gives_without(self):
        for graph in ("True", "False"):
            self.Same(HEAD + """
model, optimizer = Model()
@paddle.jit.to_static(full_graph=%s)
def Forward(batch):
    return model(batch).square().mean()
def Update(batch):
    loss = Forward(batch)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss
for _ in range(3):
    print(round(float(Update(paddle.ones([2, 4]))), 3))
""" % graph)
            self.assertEqual(self.OnlyPage().Section("progress")["steps"], 3)
            self.tearDown()
            self.setUp()

    def test_a_state_can_be_saved_and_loaded(self):
        self.Same(HEAD + """
model, optimizer = Model()
Step(model, optimizer, paddle.ones([2, 4]))
paddle.save(optimizer.state_dict(), "state.pdopt")
optimizer.set_state_dict(paddle.load("state.pdopt"))
print(Step(model, optimizer, paddle.ones([2, 4])))
""")

    def test_an_uncaught_error_and_its_traceback_are_the_programs(self):
        code, _, err = self.Same(HEAD + """
model, optimizer = Model()
class Broken(paddle.optimizer.SGD):
    def step(self):
        raise KeyError("step 7")
Step(model, Broken(0.1, parameters=model.parameters()), paddle.ones([2, 4]))
""")
        self.assertEqual(code, 1)
        self.assertIn("step 7", err)
        self.assertEqual(self.OnlyPage().Marks(), [(EXCEPTION, "KeyError: 'step 7'")])


class Loaders(Recorded):
    def test_workers_have_no_page_and_the_wait_for_them_counts(self):
        for method in ("fork", "spawn"):
            code, out, err = self.Run(HEAD + """
if __name__ == "__main__":
    import multiprocessing
    multiprocessing.set_start_method(%r)
    model, optimizer = Model()
    for epoch in range(2):
        for batch in Batches(num_workers=2, use_shared_memory=False):
            Step(model, optimizer, batch)
    print("done")
""" % method)
            self.assertEqual((code, out), (0, "done\n"), err)
            progress = self.OnlyPage().Section("progress")
            self.assertEqual((progress["steps"], progress["data_waits"]), (12, 14), method)
            self.assertGreater(progress["data_wait"], 0.02 * 1e9, method)
            self.tearDown()
            self.setUp()


if __name__ == "__main__":
    unittest.main()
