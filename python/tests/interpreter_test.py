# SPDX-License-Identifier: Apache-2.0
"""Whole interpreters with the bootstrap folder in front of PYTHONPATH: what the program prints, its
exit code and what it sees are as without, whatever the page's folder and the program's own
sitecustomize are like; and the page says what happened. Runs under every Python at hand. Next:
../gpusight/bootstrap/sitecustomize.py, ../gpusight/_recorder.py."""

import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

import package_path
from layout import EXCEPTION, METRIC, NOTE, PHASE, Page

TRAIN = "import gpusight, time\ngpusight.attach()\n"


class Interpreter(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.pages = os.path.join(self.folder, "pages")
        self.log = os.path.join(self.folder, "log")
        os.mkdir(self.pages, 0o700)
        self.own = os.path.join(self.folder, "own")  # the program's own PYTHONPATH
        os.mkdir(self.own)

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def Environment(self, recorded, **more):
        environ = {k: v for k, v in os.environ.items() if not k.startswith(("GPUSIGHT", "PYTHON"))}
        environ["PYTHONPATH"] = self.own
        if recorded:
            environ.update(PYTHONPATH=package_path.BOOTSTRAP + os.pathsep + self.own, GPUSIGHT="1",
                           GPUSIGHT_PAGE_DIR=self.pages, GPUSIGHT_AGENT_LOG=self.log)
        environ.update(more)
        return environ

    def Program(self, text):
        path = os.path.join(self.folder, "program.py")
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        return path

    def Run(self, text, recorded=True, options=(), **environ):
        """(exit code, stdout, stderr) of a program."""
        done = subprocess.run([sys.executable, *options, self.Program(text)], capture_output=True, text=True,
                              cwd=self.folder, env=self.Environment(recorded, **environ), timeout=60)
        return done.returncode, done.stdout, done.stderr

    def Same(self, text, **more):
        """Runs with and without, expects the same, and gives it."""
        without = self.Run(text, recorded=False, **more)
        with_it = self.Run(text, **more)
        self.assertEqual(with_it, without)
        return with_it

    def Pages(self):
        return [Page(path) for path in sorted(glob.glob(os.path.join(self.pages, "*.page")))]

    def Log(self):
        if not os.path.exists(self.log):
            return ""
        with open(self.log) as file:
            return file.read()


class WithoutAFramework(Interpreter):
    def test_the_program_sees_the_same_path_threads_and_hooks(self):
        self.Same("import sys, threading, signal\n"
                  "print(sys.path, sys.argv, sys.excepthook is sys.__excepthook__)\n"
                  "print([t.name for t in threading.enumerate()], signal.getsignal(signal.SIGTERM))\n")
        self.assertEqual(self.Pages(), [])

    def test_nothing_is_imported_that_the_program_does_not_import(self):
        text = "import sys; print(*sorted(sys.modules))"
        without, with_it = (set(self.Run(text, recorded=r)[1].split()) for r in (False, True))
        more = {name for name in with_it - without if not name.startswith("gpusight")}
        self.assertLessEqual(more, {"sitecustomize", "atexit", "gc"}, "the last two are the interpreter's own")
        self.assertIn("gpusight._start", with_it)

    def test_without_the_switch_it_is_inert(self):
        for switch in ("", "0", "yes"):
            code, out, _ = self.Run("import sys; print('gpusight' in sys.modules)", GPUSIGHT=switch)
            self.assertEqual((code, out), (0, "False\n"), switch)

    def test_isolated_interpreters_run(self):
        for option in ("-I", "-E", "-S", "-s", "-B"):
            self.Same("print('x')", options=(option,))

    def test_an_installer_is_left_alone_and_a_program_is_not(self):
        with open(os.path.join(self.own, "pip.py"), "w") as file:
            file.write("from gpusight import _start; print(_start.loaded, _start.reason)")
        done = subprocess.run([sys.executable, "-m", "pip"], capture_output=True, text=True,
                              env=self.Environment(True, PYTHONPATH=os.pathsep.join(
                                  (package_path.BOOTSTRAP, self.own))), timeout=60)
        self.assertEqual(done.stdout, "False pip does not train\n", done.stderr)
        self.assertEqual(self.Run("from gpusight import _start; print(_start.loaded)")[1], "True\n")

    def test_child_interpreters_are_followed(self):
        code, out, _ = self.Run("""
            import subprocess, sys
            print(subprocess.check_output([sys.executable, "-c",
                  "from gpusight import _start; print(_start.loaded)"], text=True))""")
        self.assertEqual((code, out.strip()), (0, "True"))

    def test_a_package_that_cannot_be_loaded_is_silent(self):
        broken = os.path.join(self.folder, "broken")
        shutil.copytree(package_path.PACKAGE, broken)
        with open(glob.glob(os.path.join(broken, "gpusight", "_agent*"))[0], "wb") as file:
            file.write(b"not a library")
        path = os.pathsep.join((os.path.join(broken, "gpusight", "bootstrap"), self.own))
        self.assertEqual(self.Run("print('x')", PYTHONPATH=path), (0, "x\n", ""))

    def test_a_pth_file_starts_it_where_the_environment_says_so(self):
        shutil.copy(os.path.join(os.environ["GPUSIGHT_SOURCE"], "python", "gpusight.pth"), self.own)
        text = "import site, sys; site.addsitedir(%r); print('gpusight._start' in sys.modules)" % self.own
        path = os.pathsep.join((package_path.PACKAGE, self.own))
        self.assertEqual(self.Run(text, PYTHONPATH=path), (0, "True\n", ""))
        self.assertEqual(self.Run(text, PYTHONPATH=path, GPUSIGHT=""), (0, "False\n", ""))
        self.assertEqual(self.Run(text, PYTHONPATH=self.own), (0, "False\n", ""), "the package is gone")


class TheProgramsOwnSitecustomize(Interpreter):
    def Own(self, text):
        with open(os.path.join(self.own, "sitecustomize.py"), "w") as file:
            file.write(text)

    def test_is_imported(self):
        self.Own("print('mine'); x = 1")
        out = self.Same("import sitecustomize; print(sitecustomize.x, sitecustomize.__file__)")[1]
        self.assertTrue(out.startswith("mine\n1 "), out)

    def test_fails_as_without(self):
        for text in ("1 / 0", "import not_there", "raise ImportError('x')"):
            self.Own(text)
            self.Same("print('runs')")
        self.Own("import sys; sys.exit(5)")
        ends = [self.Run("print('runs')", recorded=r) for r in (False, True)]
        self.assertEqual([(code, out, "SystemExit: 5\n" in err) for code, out, err in ends],
                         [(1, "", True)] * 2)

    def test_is_missing_as_without(self):
        self.Same("""
            import importlib.util
            print("runs")""")


class WithAPage(Interpreter):
    def test_steps_waits_and_marks_are_in_it(self):
        code, out, err = self.Run(TRAIN + """
with gpusight.phase("train"):
    with gpusight.phase("eval"):
        gpusight.step()
    gpusight.step()
gpusight.mark("half")
gpusight.metric("loss", 0.5)
""")
        self.assertEqual((code, out, err), (0, "", ""))
        page, = self.Pages()
        self.assertEqual(page.Section("progress")["steps"], 2)
        self.assertEqual(page.Marks(), [(PHASE, "train"), (PHASE, "eval"), (PHASE, "train"), (PHASE, ""),
                                        (NOTE, "half"), (METRIC, "loss")])
        self.assertEqual(page.Ring("mark")[-1]["value"], 0.5)
        identity = page.Section("identity")
        self.assertEqual(identity["script"], "program.py")
        self.assertEqual(identity["python_version"], "%d.%d.%d" % sys.version_info[:3])
        self.assertGreater(page.Section("header")["ended"], 0)

    def test_a_call_that_cannot_be_recorded_is_no_failure(self):
        self.Same("""
            import sys
            if "gpusight" in sys.modules:
                import gpusight
                gpusight.attach()
                gpusight.metric("x", "no number")
                gpusight.mark("\\udc80\\0")
                gpusight.detach(); gpusight.detach()
                gpusight.step(); gpusight.mark("late")
            print("done")""")
        self.assertIn("could not convert", self.Log())

    def test_a_program_that_replaces_threads_by_something_else_is_not_stopped(self):
        code, out, err = self.Run("""
import _thread, gpusight, time
def Never(*_):
    raise RuntimeError("a thread was wanted")
_thread.start_new_thread = _thread.allocate_lock = _thread.get_ident = Never
gpusight.attach()
time.sleep(0.2)
""")
        self.assertEqual((code, out, err, self.Log()), (0, "", "", ""))
        self.assertGreater(len(self.Pages()[0].Ring("sample")), 1)

    def test_after_detach_a_step_opens_no_page(self):
        code, out, _ = self.Run(TRAIN + """
import os
gpusight.detach(); gpusight.step(); print(gpusight.path() == "", flush=True)
child = os.fork()
gpusight.step()
if child: os.waitpid(child, 0)
""")
        self.assertEqual((code, out), (0, "True\n"))
        self.assertEqual(len(self.Pages()), 1)
        self.assertEqual(self.Pages()[0].Section("progress")["steps"], 0)

    def test_detach_and_attach_again(self):
        self.Run(TRAIN + "gpusight.step(); gpusight.detach(); print(gpusight.attach()); gpusight.step()")
        page, = self.Pages()
        self.assertEqual(page.Section("progress")["steps"], 1, "the new page is the new one's")

    def test_the_stack_is_sampled_twenty_times_a_second_without_our_frames(self):
        self.Run(TRAIN + """
def Load():
    time.sleep(1)
Load()
""")
        page, = self.Pages()
        stacks = page.Stacks()
        name, = [s for s in stacks if "Load" in s]
        self.assertEqual(name, "program.py:6 <module>;program.py:5 Load")
        self.assertTrue(15 <= stacks[name] <= 21, stacks)
        times = [s["time"] for s in page.Ring("sample")]
        self.assertEqual(times, sorted(times))

    def test_a_call_that_keeps_the_interpreter_is_charged_to_its_line(self):
        self.Run(TRAIN + """
import re
time.sleep(0.12)
re.match("(a+)+b", "a" * 26)      # holds the interpreter
time.sleep(0.06)
""")
        stacks = self.Pages()[0].Stacks()
        held = max((count for text, count in stacks.items() if "program.py:6" in text), default=0)
        self.assertGreaterEqual(held, 3, stacks)

    def test_threads_and_signals_are_the_programs_own(self):
        code, out, err = self.Run(TRAIN + """
import os, signal, threading
print(threading.active_count())
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
os.kill(os.getpid(), signal.SIGTERM)
print(signal.sigwait({signal.SIGTERM}) == signal.SIGTERM)
""")
        self.assertEqual((code, out, err), (0, "1\nTrue\n", ""))


class TheEnd(Interpreter):
    def Ended(self):
        page, = self.Pages()
        return page, page.Section("header")["ended"] > 0

    def test_an_uncaught_exception_is_recorded_and_printed_as_ever(self):
        for attach in ("", TRAIN):
            code, out, err = self.Run(attach + "def f():\n raise ValueError('no such 显存')\nf()")
            self.assertEqual((code, out), (1, ""))
            self.assertNotIn("gpusight/", err)
        self.assertIn("ValueError: no such 显存", err)
        page, ended = self.Ended()
        self.assertTrue(ended)
        self.assertEqual(page.Marks(), [(EXCEPTION, "ValueError: no such 显存")])

    def test_an_exception_that_was_caught_is_none(self):
        self.Run(TRAIN + "try:\n 1 / 0\nexcept ZeroDivisionError: pass")
        self.assertEqual(self.Ended()[0].Marks(), [])

    def test_at_a_prompt_an_exception_ends_nothing(self):
        self.Run(TRAIN + "import builtins, sys\nbuiltins.get_ipython = print\nsys.last_value = KeyError()\n"
                         "time.sleep(0.2)")
        self.assertEqual(self.Ended()[0].Marks(), [])

    def test_a_hook_of_the_programs_does_not_hide_it(self):
        self.Run(TRAIN + "import sys\nsys.excepthook = lambda *a: None\nraise KeyError('x')")
        self.assertEqual(self.Ended()[0].Marks(), [(EXCEPTION, "KeyError: 'x'")])

    def test_exit_codes_are_the_programs(self):
        for text, code, ended in (("import sys; sys.exit(3)", 3, True),
                                  ("import os; os._exit(4)", 4, False),
                                  ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -9, False),
                                  ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -15, False),
                                  ("import os; os.abort()", -6, False)):
            self.assertEqual(self.Run(TRAIN + text)[0], code, text)
            page, was = self.Ended()
            self.assertEqual(was, ended, text)
            os.remove(glob.glob(os.path.join(self.pages, "*.page"))[0])

    def test_an_interrupt_ends_it_as_ever(self):
        text = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT); time.sleep(5)"
        self.assertEqual(self.Same(text)[0], -2)

    def test_another_program_in_the_same_process_has_a_page_of_its_own(self):
        self.Run(TRAIN + """
import os, sys
gpusight.step()
os.execv(sys.executable, [sys.executable, "-c", "import gpusight; gpusight.attach(); gpusight.mark('2nd')"])
""")
        page, ended = self.Ended()
        self.assertTrue(ended)
        self.assertEqual(page.Marks(), [(NOTE, "2nd")])


class Children(Interpreter):
    def test_a_fork_warns_of_nothing_and_its_child_writes_nothing(self):
        code, out, err = self.Run(TRAIN + """
import os
time.sleep(0.1)
child = os.fork()
if child == 0:
    gpusight.mark("from the child")
    print(gpusight.path() == "", flush=True)
    os._exit(0)
os.waitpid(child, 0)
gpusight.mark("from the parent")
time.sleep(0.2)
""", options=("-W", "error"))
        self.assertEqual((code, out, err), (0, "True\n", ""))
        page, = self.Pages()
        self.assertEqual(page.Marks(), [(NOTE, "from the parent")])
        self.assertGreater(len(page.Ring("sample")), 3, "the sampler is there again")

    def test_a_forked_child_that_trains_has_its_own_page(self):
        for method in ("fork", "spawn"):
            code, out, err = self.Run("""
import multiprocessing, os, sys
import gpusight
def Train(rank):
    for _ in range(3 + rank):
        gpusight.step()
def Read():
    pass
if __name__ == "__main__":
    gpusight.attach()
    context = multiprocessing.get_context(%r)
    children = [context.Process(target=Train, args=(rank,)) for rank in (0, 1)]
    children.append(context.Process(target=Read))
    for child in children: child.start()
    for child in children: child.join()
    print([child.exitcode for child in children])
""" % method)
            self.assertEqual((code, out, err), (0, "[0, 0, 0]\n", ""))
            pages = self.Pages()
            self.assertEqual(sorted(p.Section("progress")["steps"] for p in pages), [0, 3, 4], method)
            self.assertTrue(all(p.Section("header")["ended"] for p in pages), method)
            for path in glob.glob(os.path.join(self.pages, "*")):
                os.remove(path)

    def test_many_forks_while_the_sampler_runs(self):
        # On a loaded machine the sampler may be back before Python 3.13 looks for threads; that
        # single forks warn of nothing is another test's business.
        code, out, err = self.Run(TRAIN + """
import os, warnings
warnings.simplefilter("ignore", DeprecationWarning)
for _ in range(100):
    child = os.fork()
    if child == 0:
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print("done")
""")
        self.assertEqual((code, out, err), (0, "done\n", ""))


class ABadPlaceForPages(Interpreter):
    TEXT = TRAIN + "gpusight.step(); gpusight.mark('x'); time.sleep(0.1); print('runs', gpusight.path())"

    def test_a_missing_a_foreign_and_a_read_only_folder_stop_nothing(self):
        os.mkdir(os.path.join(self.folder, "open"))
        os.chmod(os.path.join(self.folder, "open"), 0o777)
        for place in ("/nonexistent/a/b", "/proc", os.path.join(self.folder, "open"), "x" * 5000):
            self.assertEqual(self.Run(self.TEXT, GPUSIGHT_PAGE_DIR=place), (0, "runs \n", ""), place)
        self.assertIn("no telemetry page: no_folder", self.Log())
        self.assertIn("no telemetry page: foreign", self.Log())

    def test_a_limit_on_file_sizes_stops_nothing(self):
        text = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n" + self.TEXT
        self.assertEqual(self.Run(text), (0, "runs \n", ""))
        self.assertIn("no_space", self.Log())

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "only root may mount a full file system")
    def test_a_full_file_system_stops_nothing(self):
        program = self.Program(self.TEXT)
        script = ("mount -t tmpfs -o size=64k,mode=700 none %s && exec %s %s"
                  % (self.pages, sys.executable, program))
        done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True,
                              env=self.Environment(True), timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "runs \n", ""))
        self.assertIn("no_space", self.Log())

    def test_a_page_that_is_taken_away_stops_nothing(self):
        text = TRAIN + "import os; os.remove(gpusight.path()); gpusight.step(); print('runs')"
        self.assertEqual(self.Run(text), (0, "runs\n", ""))


if __name__ == "__main__":
    unittest.main()
