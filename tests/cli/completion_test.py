# SPDX-License-Identifier: Apache-2.0
"""The completion scripts, in the shells for which they are made."""
import os
import pty
import select
import shutil
import subprocess
import unittest

import harness

SHARE = harness.BUILD / "share"


class Bash(harness.Case):
    def complete(self, line, **env):
        """What bash offers at the end of that line."""
        words = line.split(" ")
        script = f"""
            PATH={harness.BUILD}/bin:$PATH
            source {SHARE}/bash-completion/completions/gpusight
            COMP_WORDS=({' '.join(repr(w) for w in self.split(words))})
            COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
            _gpusight
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True,
                              env=self.environment(self.scenario(), **env))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    @staticmethod
    def split(words):
        """As readline does with '=' among COMP_WORDBREAKS."""
        out = []
        for word in words:
            head, equals, tail = word.partition("=")
            out += [head, "="] + ([tail] if tail else []) if equals else [word]
        return out

    def test_commands(self):
        self.assertIn("status", self.complete("gpusight "))
        self.assertEqual(self.complete("gpusight sta"), ["status"])
        self.assertNotIn("__man", self.complete("gpusight "))

    def test_every_option_of_every_command(self):
        self.assertIn("--interval", self.complete("gpusight log --"))
        self.assertIn("--json", self.complete("gpusight who --"))
        self.assertIn("--lang", self.complete("gpusight who --"))
        self.assertEqual(self.complete("gpusight log --inter"), ["--interval"])
        self.assertEqual(self.complete("gpusight --lang zh log --inter"), ["--interval"])
        self.assertNotIn("--interval", self.complete("gpusight who --"))

    def test_values(self):
        self.assertEqual(self.complete("gpusight --lang "), ["en", "zh"])
        self.assertEqual(self.complete("gpusight log --lang="), ["en", "zh"])
        self.assertEqual(self.complete("gpusight log --format=js"), ["jsonl"])
        self.assertEqual(self.complete("gpusight log -f lo"), ["logfmt"])
        self.assertEqual(self.complete("gpusight completion z"), ["zsh"])

    def test_fields_one_after_another(self):
        self.assertIn("util_mean", self.complete("gpusight log --fields ut"))
        self.assertEqual(self.complete("gpusight log --fields util,temp_mar"),
                         ["util,temp_margin"])

    def test_devices_of_this_machine(self):
        (self.folder / ".config" / "gpusight").mkdir(parents=True)
        (self.folder / ".config" / "gpusight" / "config.toml").write_text(
            f'nvml = "{harness.DRIVER}"\n')
        offered = self.complete("gpusight status --device ")
        self.assertEqual(offered[0], "0")
        self.assertTrue(offered[1].startswith("GPU-"))

    def test_the_command_of_another_program(self):
        self.assertIn("--memory-budget", self.complete("gpusight run --"))
        self.assertEqual(set(self.complete("gpusight run -- sha512su")), {"sha512sum"})
        self.assertEqual(set(self.complete("gpusight run --name x -- sha512su")), {"sha512sum"})
        self.assertEqual(set(self.complete("gpusight run sha512su")), {"sha512sum"})
        self.assertNotIn("--memory-budget", self.complete("gpusight run -- ls --mem"))

    def test_files(self):
        (self.folder / "some file").touch()
        script = f"""
            source {SHARE}/bash-completion/completions/gpusight
            COMP_WORDS=(gpusight log -o '{self.folder}/so') COMP_CWORD=3
            _gpusight
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True)
        self.assertEqual(done.stdout, f"{self.folder}/some file\n")


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class Zsh(harness.Case):
    def setUp(self):
        super().setUp()
        main, side = pty.openpty()
        self.terminal = main
        self.addCleanup(os.close, main)
        shell = subprocess.Popen(
            ["zsh", "-f", "-i"], stdin=side, stdout=side, stderr=side, start_new_session=True,
            env=self.environment(TERM="dumb", PATH=f"{harness.BUILD}/bin:{os.environ['PATH']}"))
        os.close(side)
        self.addCleanup(shell.wait)
        self.addCleanup(shell.kill)
        self.type("PROMPT= RPROMPT= LISTMAX=100000\n"
                  f"fpath=({SHARE}/zsh/site-functions $fpath)\n"
                  "stty columns 200 rows 1000\nautoload -U compinit; compinit -u -D\n"
                  "print RE''ADY\n")
        self.expect("READY")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def expect(self, word):
        """Reads the terminal until the word appears."""
        seen = ""
        while word not in seen:
            ready, _, _ = select.select([self.terminal], [], [], 30)
            self.assertTrue(ready, f"no {word} in {seen}")
            seen += os.read(self.terminal, 65536).decode(errors="replace")

    def offers(self, line, word):
        """At the end of that line, zsh lists the word."""
        self.type(line + "\t\t")
        self.expect(word)
        self.type("\x15")

    def test_the_script_is_valid(self):
        script = SHARE / "zsh" / "site-functions" / "_gpusight"
        done = subprocess.run(["zsh", "-n", script], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_it_can_be_sourced_with_and_without_the_completion_system(self):
        for before in ("", "autoload -Uz compinit && compinit -u -D;"):
            with self.subTest(before=before):
                done = subprocess.run(
                    ["zsh", "-f", "-c", f"{before} source <({harness.PROGRAM} completion zsh) && "
                     "print $_comps[gpusight] $+functions[_gpusight]"],
                    capture_output=True, text=True, env=self.environment())
                self.assertEqual((done.stdout, done.stderr), ("_gpusight 1\n", ""))

    def test_commands_options_and_values(self):
        self.offers("gpusight ", "status")
        self.offers("gpusight log --", "--interval")
        self.offers("gpusight log --format ", "jsonl")
        self.offers("gpusight log --fields util", "util_mean")
        self.offers("gpusight completion ", "fish")
        self.offers("gpusight run -- sha512su", "sha512sum")


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(harness.Case):
    def complete(self, line):
        script = SHARE / "fish" / "vendor_completions.d" / "gpusight.fish"
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
            capture_output=True, text=True,
            env=self.environment(PATH=f"{harness.BUILD}/bin:/usr/bin:/bin"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [offer.split("\t")[0] for offer in done.stdout.splitlines()]

    def test_commands_options_and_values(self):
        self.assertIn("status", self.complete("gpusight "))
        self.assertIn("--interval", self.complete("gpusight log --"))
        self.assertNotIn("--interval", self.complete("gpusight who --"))
        self.assertIn("--lang", self.complete("gpusight who --"))
        self.assertEqual(self.complete("gpusight log --format js"), ["jsonl"])
        self.assertIn("util_mean", self.complete("gpusight log --fields util"))
        self.assertIn("util,temp_margin", self.complete("gpusight log --fields util,temp_mar"))
        self.assertIn("sha512sum", self.complete("gpusight run sha512su"))


if __name__ == "__main__":
    unittest.main()
