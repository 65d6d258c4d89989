# SPDX-License-Identifier: Apache-2.0
"""Words that do not belong into a published tree: addresses other than those of known public pages
(so that no build fetches from a place of its own; packages come through the machine's package
managers), absolute paths of somebody's machine, references to files outside the repository, and
conflict markers. Next: tree.py."""

import re

import tree

HOSTS = {
    "github.com", "docs.nvidia.com", "developer.nvidia.com", "developer.download.nvidia.com",
    "pytorch.org", "docs.pytorch.org", "www.paddlepaddle.org.cn", "docs.jax.dev", "docs.kernel.org",
    "www.kernel.org", "man7.org", "prometheus.io", "openmetrics.io", "opentelemetry.io",
    "keepachangelog.com", "semver.org", "www.apache.org", "spdx.org", "json-schema.org",
    "no-color.org", "en.wikipedia.org", "slurm.schedmd.com", "kubernetes.io", "docs.docker.com",
    "www.w3.org", "google.github.io", "brendangregg.com", "www.brendangregg.com", "llvm.org", "clang.llvm.org",
}
URL = re.compile(r"\bhttps?://(?:[^\s/\"'<>@]*@)?([^\s/\"'<>)\]}:,]*)")
# A bare host that looks like a registry or a mirror, whatever it is called.
MIRROR = re.compile(r"\b(?:registry|repos?|mirrors?|proxy|files|deb|archive|security|ports|index)"
                    r"\.[a-z0-9-]+(?:\.[a-z]+)*\.(?:org|com|io|net|dev|cn|edu)\b", re.I)
LOCAL = re.compile(r"^(localhost|127\.|\[|.*\.(example|test|invalid|local)$|example\.(com|org|net)$|$)")
FORBIDDEN = [
    (re.compile(r"(?<![\w./-])/(?:work|home|Users|root)/(?!\.\.\.)[\w.]"), "an absolute path of one machine"),
    (re.compile(r"\.\./shared\b"), "a file outside the repository"),
    (re.compile(r"^(?:<{7}|>{7})(?: |$)", re.M), "a conflict marker"),
    (re.compile(r"\bco-authored-by\b|\bclaude\b|\bchatgpt\b|\bsub-?agents?\b", re.I), "a word about how it was written"),
]
# Real paths and command lines are what fixtures, and tests of path handling, are about.
FREE = ("testdata/",)


def Check(files):
    for path, text in files:
        for match in URL.finditer(text):
            host = match.group(1).lower()
            if host not in HOSTS and not LOCAL.match(host) and not re.search(r"[$%<{*]", host):
                yield f"{path}:{Line(text, match)}: the host '{host}' is not in checks/words.py"
        for match in MIRROR.finditer(text):
            yield f"{path}:{Line(text, match)}: '{match.group()}' looks like a package registry"
        for pattern, what in FORBIDDEN:
            for match in pattern.finditer(text):
                if path.endswith("_test.cc") and "path" in what:
                    continue
                yield f"{path}:{Line(text, match)}: '{match.group().strip()}' is {what}"


def Line(text, match):
    return text.count("\n", 0, match.start()) + 1


def Keep(path):
    return not path.startswith(FREE) and path not in ("LICENSE", "checks/words.py")


MUST_FAIL = [
    {"a.sh": "curl https://downloads.unknown.example.net.xyz/a\n"},
    {"a.md": "packages from registry.somewhere.org\n"},
    {"a.cc": '"/work/a"\n'},
    {"a.cc": "// see ../shared/design.md\n"},
    {"a.cc": "int a;\n<<<<<<< HEAD\n"},
]
MUST_PASS = [
    {"a.md": "[x](https://github.com/a/b) http://localhost:9400/metrics https://${host}/x\n"},
    {"src/a_test.cc": '"/home/alice/a"\n'},
]

if __name__ == "__main__":
    tree.Main(Check, Keep, MUST_FAIL, MUST_PASS)
