# SPDX-License-Identifier: Apache-2.0
"""Whether every program of examples/faults runs without a card, with its fault and without:
`faults_test.py PART PARTS` tries each PARTS-th. What a fault looks like only a card can show. Next:
../../examples/faults/README.md, ../../bench/diagnosis."""

import json
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULTS = ROOT / "examples" / "faults"
sys.path.insert(0, str(ROOT / "bench" / "diagnosis"))
import jobs  # noqa: E402

PART, PARTS = (int(text) for text in sys.argv[1:3])
MODELS = ("vit", "gpt", "resnet", "unet", "mlp", "lstm")


def Programs():
    found = [p for p in FAULTS.rglob("*.py") if p.parent.name not in ("common", "paddle")]
    return sorted(str(p.relative_to(FAULTS).with_suffix("")) for p in found)


class Faults(unittest.TestCase):
    def test_are_all_in_a_list_and_named_as_they_name_themselves(self):
        listed = dict(jobs.FAULTS)
        listed.update({name: jobs.HEALTHY for name in jobs.LOOKALIKES + ["healthy"]})
        self.assertEqual(sorted(listed), Programs())
        for name, rule in jobs.FAULTS:
            self.assertIn(f'rule = "{rule}"', (FAULTS / f"{name}.py").read_text())

    def test_run_without_a_card_and_tell_their_step(self):
        rules = dict(jobs.FAULTS)
        for place, name in list(enumerate(Programs()))[PART::PARTS]:
            for more in ([], ["--fix"]):
                with self.subTest(program=name, more=more):
                    done = subprocess.run(
                        [sys.executable, "-B", str(FAULTS / f"{name}.py"), "--device", "cpu", "--seconds", "0.2",
                         "--model", MODELS[place % len(MODELS)], "--severity", "mild", *more],
                        capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL)
                    last = (done.stdout.strip().splitlines() or [""])[-1]
                    if done.returncode == 77:
                        self.assertTrue(last.startswith("skipped: "), last)
                        continue
                    self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                    told = json.loads(last)
                    self.assertEqual(told["fix"], bool(more))
                    self.assertEqual(told["rule"], rules.get(name, "none.compute_bound"))
                    self.assertGreater(told["step_ms"], 0)

    def test_with_paddle_run_without_a_card(self):
        for place, path in list(enumerate(sorted((FAULTS / "paddle").glob("*_*.py"))))[PART::PARTS]:
            for more in ([], ["--fix"]):
                with self.subTest(program=path.name, more=more):
                    done = subprocess.run([sys.executable, "-B", str(path), "--device", "cpu", "--seconds", "0.2", *more],
                                          capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL)
                    self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                    told = json.loads(done.stdout.strip().splitlines()[-1])
                    self.assertEqual(told["rule"], dict(jobs.FAULTS)[path.stem])
                    self.assertGreater(told["step_ms"], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
