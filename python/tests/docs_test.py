# SPDX-License-Identifier: Apache-2.0
"""docs/python.md and its Chinese twin against the code: the interface, the programs that are left
alone, the variables. GPUSIGHT_UPDATE_DOCS=1 writes the generated parts. Next: layout_test.py."""

import inspect
import os
import pathlib
import re
import unittest

import package_path
import gpusight
from gpusight import _guards

ROOT = pathlib.Path(package_path.SOURCE)
DOCUMENTS = ("docs/python.md", "docs/zh/python.md")
HEADS = {"docs/python.md": ("call", "meaning"), "docs/zh/python.md": ("调用", "含义")}
CHINESE = {
    "attach": "开始记录本进程：包括已导入和将要导入的框架。返回是否有遥测页。",
    "detach": "正常结束记录。文件保留，供 gpusight 读取。",
    "mark": "此刻的一条备注。",
    "metric": "此刻某个量的值：损失、学习率。",
    "phase": "程序的一个阶段：`with gpusight.phase(\"eval\"): ...`。阶段可以嵌套。",
    "step": "一步结束。用于没有使用 PyTorch 或 Paddle 优化器的循环（JAX、自写优化器）；首次调用之后不再统计优化器。",
    "path": "遥测页的路径；没有则为 \"\"。",
}


def Interface(document):
    rows = ["| %s | %s |" % HEADS[document], "| --- | --- |"]
    for name in gpusight.__all__:
        thing = getattr(gpusight, name)
        call = "phase(name)" if name == "phase" else name + str(inspect.signature(thing))
        meaning = " ".join(inspect.getdoc(thing).split()) if "zh" not in document else CHINESE[name]
        rows.append("| `gpusight.%s` | %s |" % (call, meaning))
    return "\n".join(rows) + "\n"


def Programs(_):
    return " · ".join("`%s`" % name for name in sorted(_guards.PROGRAMS)) + "\n"


PARTS = {"python-interface": Interface, "python-programs": Programs}


class Documents(unittest.TestCase):
    def test_the_generated_parts_are_those_of_the_code(self):
        for document in DOCUMENTS:
            before = (ROOT / document).read_text()
            now = before
            for part, make in PARTS.items():
                now, count = re.subn(r"(<!-- generated: %s -->\n).*?(<!-- end -->)" % part,
                                     lambda m: m.group(1) + make(document) + m.group(2), now, flags=re.S)
                self.assertEqual(count, 1, (document, part))
            if os.environ.get("GPUSIGHT_UPDATE_DOCS"):
                (ROOT / document).write_text(now)
            else:
                self.assertEqual(now, before, document + ": run with GPUSIGHT_UPDATE_DOCS=1")

    def test_every_variable_is_on_the_page_and_no_other(self):
        used = set()
        for folder in ("python/gpusight", "src/agent"):
            for path in [p for p in (ROOT / folder).rglob("*") if p.suffix in (".py", ".c")]:
                used |= set(re.findall(r'"(GPUSIGHT(?:_[A-Z_]+)?)"', path.read_text()))
        used -= set(re.findall(r"GPUSIGHT_\w+_TEST", " ".join(used)))
        for document in DOCUMENTS:
            rows = re.findall(r"^\| `(GPUSIGHT\w*)` \|", (ROOT / document).read_text(), re.M)
            self.assertEqual(set(rows), used, document)


if __name__ == "__main__":
    unittest.main()
