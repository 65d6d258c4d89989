# SPDX-License-Identifier: Apache-2.0
"""The PyTorch adapter's side of a card, which no machine of CI has: a stand-in for torch._C answers in
the form of torch._C._cuda_memoryStats() (a nested dict) and calls the observer as the allocator does.
What the real one does on a real card is bench/device_python.py's to show. Next: ../gpusight/_torch.py."""

import glob
import os
import shutil
import tempfile
import threading
import types
import unittest

import package_path  # noqa: F401
from layout import Page

FOLDER = tempfile.mkdtemp()
os.environ["GPUSIGHT_PAGE_DIR"] = FOLDER
os.environ["GPUSIGHT_AGENT_LOG"] = LOG = os.path.join(FOLDER, "log")
os.environ.pop("GPUSIGHT", None)

from gpusight import _agent, _recorder, _start, _torch  # noqa: E402

UUID = "GPU-00000000-0000-0000-0000-000000000001"


def Family(current, peak):
    both = {"current": current, "peak": peak, "allocated": 0, "freed": 0}
    return {"all": both, "small_pool": both, "large_pool": both}


def Stats(scale):
    return {"allocation": Family(1, 1), "allocated_bytes": Family(10 * scale, 20 * scale),
            "reserved_bytes": Family(30 * scale, 40 * scale), "active_bytes": Family(12 * scale, 22 * scale),
            "inactive_split_bytes": Family(5 * scale, 6 * scale),
            "requested_bytes": Family(9 * scale, 19 * scale), "num_alloc_retries": 2 * scale,
            "num_ooms": scale, "max_split_size": -1}


class Card:
    """torch with two devices, of which the second was never used."""

    def __init__(self, initialized=True, backend="native", fraction=1.0):
        self.asked, self.observers, self.queued, self.limits = [], [], [], []
        self.stats = {0: Stats(1 << 20), 1: Stats(0)}
        self._C = types.SimpleNamespace(
            _cuda_memoryStats=self._MemoryStats, _cuda_getAllocatorBackend=lambda: backend,
            _cuda_attach_out_of_memory_observer=self._Observe,
            _cuda_getMemoryFraction=lambda device: fraction,
            _cuda_setMemoryFraction=lambda share, device: self.limits.append((share, device)))
        self.cuda = types.SimpleNamespace(
            is_initialized=lambda: initialized, default_generators=(None, None), _lazy_call=self.queued.append,
            get_device_properties=lambda i: types.SimpleNamespace(
                uuid=UUID[4:], name="NVIDIA H200", total_memory=100 << 20))

        self._native = backend == "native"

    def _Observe(self, observer):
        if not self._native:
            raise RuntimeError("cudaMallocAsync does not yet support attachOutOfMemoryObserver.")
        self.observers.append(observer)

    def _MemoryStats(self, device):
        self.asked.append(device)
        return self.stats[device]


class OnACard(unittest.TestCase):
    def setUp(self):
        _recorder._failed = False
        self.assertTrue(_start.Attach())
        _recorder._StopThread()  # polls are made by hand

    def tearDown(self):
        _recorder.Close()
        for path in glob.glob(os.path.join(FOLDER, "*")):
            os.remove(path)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(FOLDER)

    def Page(self):
        path, = glob.glob(os.path.join(FOLDER, "*.page"))
        return Page(path)

    def Said(self):
        if not os.path.exists(LOG):
            return ""
        with open(LOG) as file:
            return file.read()

    def test_the_numbers_of_used_devices_are_written(self):
        _torch.Adapter(Card()).Poll()
        device, = self.Page().Devices()
        self.assertEqual((device["ordinal"], device["uuid"]), (0, UUID))
        self.assertEqual([device[name] >> 20 for name in (
            "allocated", "allocated_peak", "reserved", "reserved_peak", "active", "inactive_split",
            "requested", "retries", "out_of_memory")], [10, 20, 30, 40, 12, 5, 9, 2, 1])
        self.assertEqual(device["known"], 0b1101111111, "there is no limit")

    def test_before_cuda_is_started_nothing_is_asked(self):
        card = Card(initialized=False)
        _torch.Adapter(card).Poll()
        self.assertEqual((card.asked, self.Page().Devices()), ([], []))

    def test_the_drivers_own_allocator_is_not_asked(self):
        card = Card(backend="cudaMallocAsync")
        adapter = _torch.Adapter(card)
        adapter.HookCuda()
        card.queued[0]()
        adapter.Poll()
        self.assertEqual((card.asked, self.Page().Devices()), ([], []))
        self.assertEqual(self.Said(), "", "and not observed either, which it refuses")

    def test_what_a_version_does_not_tell_is_unknown_and_not_zero(self):
        card = Card()
        del card.stats[0]["requested_bytes"], card._C._cuda_getMemoryFraction
        _torch.Adapter(card).Poll()
        device, = self.Page().Devices()
        self.assertEqual(device["known"] >> 6 & 1, 0)

    def test_a_share_of_the_device_is_its_limit(self):
        _torch.Adapter(Card(fraction=0.5)).Poll()
        device, = self.Page().Devices()
        self.assertEqual((device["known"] >> 7 & 1, device["limit"]), (1, 50 << 20))

    def Budgeted(self, card, budget):
        os.environ["GPUSIGHT_MEMORY_BUDGET"] = budget
        self.addCleanup(os.environ.pop, "GPUSIGHT_MEMORY_BUDGET", None)
        return _torch.Adapter(card)

    def test_a_budget_limits_the_devices_that_are_used_once(self):
        card = Card()
        adapter = self.Budgeted(card, str(25 << 20))
        adapter.Poll()
        adapter.Poll()
        self.assertEqual(card.limits, [(0.25, 0)])
        card.stats[1] = Stats(1 << 20)
        adapter.Poll()
        self.assertEqual(card.limits, [(0.25, 0), (0.25, 1)])

    def test_a_budget_keeps_the_programs_own_limit(self):
        card = Card(fraction=0.5)
        self.Budgeted(card, str(25 << 20)).Poll()
        self.assertEqual(card.limits, [])

    def test_a_budget_keeps_it_where_the_version_cannot_tell(self):
        for chosen, limits in ((False, [(0.25, 0)]), (True, [])):
            card, calls = Card(), []
            del card._C._cuda_getMemoryFraction
            card.cuda.set_per_process_memory_fraction = lambda share, device=None: calls.append(share)
            adapter = self.Budgeted(card, str(25 << 20))
            adapter.HookCuda()
            if chosen:
                card.cuda.set_per_process_memory_fraction(0.9, device=0)
            adapter.Poll()
            self.assertEqual((card.limits, calls), (limits, [0.9] if chosen else []))

    def test_a_budget_that_is_none_limits_nothing(self):
        for budget in ("", "0", "8GiB", "-1"):
            card = Card()
            self.Budgeted(card, budget).Poll()
            self.assertEqual(card.limits, [], budget)

    def test_a_budget_larger_than_the_device_is_all_of_it(self):
        card = Card()
        self.Budgeted(card, str(1 << 40)).Poll()
        self.assertEqual(card.limits, [(1.0, 0)])

    def Observed(self):
        card = Card()
        adapter = _torch.Adapter(card)
        adapter.HookCuda()
        self.assertEqual(card.observers, [], "not before CUDA is there")
        card.queued[0]()
        adapter.Poll()
        self.assertEqual(len(card.observers), 1, "once")
        return card.observers[0]

    def test_an_out_of_memory_is_recorded_with_its_numbers_and_stack(self):
        observer = self.Observed()

        def Forward():
            observer(0, 20 << 20, 100 << 20, 3 << 20)
        Forward()
        oom, = self.Page().Ring("oom")
        self.assertEqual([oom[name] >> 20 for name in (
            "requested", "total", "free", "allocated", "reserved", "active", "inactive_split")],
            [20, 100, 3, 10, 30, 12, 5])
        self.assertRegex(oom["stack"], r"^torch_cuda_test\.py:\d+ Forward;torch_cuda_test\.py:\d+ test_an_out")
        self.assertEqual(self.Page().Section("progress")["out_of_memory"], 1)

    def test_the_type_of_autocast_is_that_of_the_thread_that_trains(self):
        card, here = Card(), threading.local()
        here.inside = True
        card.is_autocast_enabled = lambda kind: kind == "cuda" and hasattr(here, "inside")
        card.get_autocast_dtype = lambda kind: "torch.bfloat16" if hasattr(here, "inside") else "torch.float16"
        adapter = _torch.Adapter(card)
        for _ in range(6):
            thread = threading.Thread(target=adapter.Ask)
            thread.start()
            thread.join()
        identity = adapter.Identity()
        self.assertEqual((identity["mixed"], identity["dtype"]), (True, "bfloat16"))

    def test_an_observer_that_fails_does_not_reach_the_allocator(self):
        observer = self.Observed()
        self.assertIsNone(observer("no", None, None, None))

    def test_an_adapter_that_keeps_failing_is_left_alone(self):
        card = Card()
        card.stats = {}
        adapter = _torch.Adapter(card)
        for _ in range(10):
            _recorder._Guarded(adapter, adapter.Poll)
        self.assertEqual(len(card.asked), _recorder.FAILURES)

    def test_an_out_of_memory_of_another_thread_has_its_stack(self):
        observer = self.Observed()
        thread = threading.Thread(target=observer, args=(0, 1, 2, 3))
        thread.start()
        thread.join()
        oom, = self.Page().Ring("oom")
        self.assertIn("python/threading.py", oom["stack"])


class Leaders(unittest.TestCase):
    def test_the_first_optimizer_leads_and_another_only_after_a_silence(self):
        first, second = object(), object()
        seen = []
        _agent.forget()
        _agent.on_leader(seen.append)
        for optimizer in (first, second, second, first):
            _agent.optimizer_step(optimizer)
        self.assertEqual(seen, [first])
        _agent.on_leader(None)


if __name__ == "__main__":
    unittest.main()
