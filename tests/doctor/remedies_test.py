# SPDX-License-Identifier: Apache-2.0
"""Every remedy that the doctor can give: a command that can be pasted as it is, in both languages
the same, or a sentence that ends as one. Read from the texts themselves. Next: doctor_test.py."""

import os
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["GPUSIGHT_SOURCE"])
TEXT = re.compile(r'inline constexpr Text (k\w+)\{((?:"(?:[^"\\]|\\.)*"|[\s,])*)\};')
STRING_OR_COMMA = re.compile(r'"((?:[^"\\]|\\.)*)"|(,)')
ESCAPES = {r"\"": '"', r"\\": "\\", r"\n": "\n"}
# What a command of ours may begin with, after sudo.
PROGRAMS = {"cpupower", "dcgmi", "dmesg", "dpkg", "echo", "export", "gpusight", "grep", "ls", "modprobe", "mount",
            "nvidia-ctk", "nvidia-modprobe", "nvidia-smi", "printf", "reboot", "apt-get", "rm", "sysctl",
            "systemctl", "tail", "tee", "ulimit", "unset", "update-initramfs", "chmod"}


def texts_in(header):
    """(name, English, Chinese) of every text of a header."""
    for name, body in TEXT.findall(header.read_text(encoding="utf-8")):
        languages = [""]
        for string, comma in STRING_OR_COMMA.findall(body):
            if comma:
                languages.append("")
            languages[-1] += re.sub(r"\\.", lambda found: ESCAPES[found.group()], string)
        yield name, *languages


def filled(text):
    """The text with something in the place of every {}."""
    return re.sub(r"\{[^{}]*\}", "1", text)


def is_sentence(text):
    return text.endswith((".", "。"))


def faults_of(command):
    """Why a command cannot be pasted, or ''."""
    if re.search(r"…|, |，|；|（| or | then |\b(IMAGE|PROFILE|SIZE|N)\b", command):
        return "holds words for people"
    checked = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, check=False)
    if checked.returncode != 0:
        return checked.stderr
    for part in re.split(r"&&|\|\||;|\|", re.sub(r"'[^']*'", "word", command)):
        words = [word for word in part.split() if word != "sudo"]
        if words[0] not in PROGRAMS:
            return f"'{words[0]}' is no program that we know"
    return ""


class Remedies(unittest.TestCase):
    def setUp(self):
        self.remedies = [row for header in sorted((SOURCE / "src/model/text").glob("doctor_*.h"))
                         for row in texts_in(header) if row[0].endswith("Remedy") or row[0] == "kFlagMeant"
                         or row[0].startswith("kTakes")]

    def test_are_found(self):
        self.assertGreater(len(self.remedies), 60)

    def test_commands_can_be_pasted_and_the_rest_are_sentences(self):
        for name, english, chinese in self.remedies:
            with self.subTest(name):
                self.assertEqual(is_sentence(english), is_sentence(chinese), f"{english} / {chinese}")
                if not is_sentence(english):
                    self.assertEqual(faults_of(filled(english)), "")
                    self.assertEqual(english, chinese, "a command is one in every language")

    def test_the_judge_finds_what_cannot_be_pasted(self):
        for bad in ("export X=0 (numbers of nvidia-smi)", "docker run --gpus all …", "unset X, or Y=1",
                    "sudo reboot; check power", "echo 'open", "sudo reboot；nvidia-smi"):
            self.assertNotEqual(faults_of(bad), "", bad)


if __name__ == "__main__":
    unittest.main()
