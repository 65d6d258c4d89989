#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes a picture of a program in a real terminal (tmux) as PNG: colours, bold, reverse, braille, wide characters.

    screenshot.py OUT.png [--size 120x36] [--wait 20] [--keys "t Down Enter"] [--light] [--env K=V] -- COMMAND...

Needs tmux, python3-pil, fonts-dejavu-core and, for Chinese, fonts-wqy-microhei. See README.md.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import unicodedata

from PIL import Image, ImageDraw, ImageFont

CELL_W, CELL_H, FONT = 9, 19, 15
MONO = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono%s.ttf"
CJK = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
ANSI = ["#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
        "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"]


def color256(n):
    if n < 16:
        return ANSI[n]
    if n >= 232:
        return "#%02x%02x%02x" % ((8 + (n - 232) * 10,) * 3)
    part = [0 if c == 0 else 55 + 40 * c for c in ((n - 16) // 36, (n - 16) // 6 % 6, (n - 16) % 6)]
    return "#%02x%02x%02x" % tuple(part)


def width(char):
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cells(line, style):
    """Yields (char, style) of one captured line; style is [fg, bg, bold, reverse, underline]."""
    for match in re.finditer(r"\x1b\[([0-9;:]*)m|\x1b\([A-Z]|[\x0e\x0f]|(.)", line):
        if match.group(2):
            yield match.group(2), tuple(style)
        elif match.group(1) is not None:
            codes = [int(c or 0) for c in re.split("[;:]", match.group(1))] or [0]
            while codes:
                code = codes.pop(0)
                if code == 0:
                    style[:] = [None, None, False, False, False]
                elif code == 1:
                    style[2] = True
                elif code == 4:
                    style[4] = True
                elif code == 7:
                    style[3] = True
                elif code in (38, 48):
                    slot = 0 if code == 38 else 1
                    kind = codes.pop(0)
                    style[slot] = color256(codes.pop(0)) if kind == 5 else "#%02x%02x%02x" % tuple(codes[:3])
                    if kind == 2:
                        del codes[:3]
                elif code in (39, 49):
                    style[0 if code == 39 else 1] = None
                elif 30 <= code <= 37 or 90 <= code <= 97:
                    style[0] = ANSI[code - 30 if code < 90 else code - 82]
                elif 40 <= code <= 47:
                    style[1] = ANSI[code - 40]


def draw_char(draw, char, x, y, w, fg, fonts, bold):
    point = ord(char)
    if 0x2800 <= point <= 0x28FF:  # braille: dots of our own, so that they look the same everywhere
        for bit, (column, row) in enumerate([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]):
            if point >> bit & 1:
                cx, cy = x + 2 + column * 4, y + 2 + row * CELL_H / 4
                draw.rectangle([cx - 1, cy - 1, cx + 1, cy + 1], fill=fg)
    elif 0x2581 <= point <= 0x2588:
        height = CELL_H * (point - 0x2580) // 8
        draw.rectangle([x, y + CELL_H - height, x + CELL_W - 1, y + CELL_H - 1], fill=fg)
    elif char in "▓▒░":
        step = {"▓": 2, "▒": 3, "░": 4}[char]
        for dy in range(CELL_H):
            for dx in range(CELL_W):
                if (dx + dy * 2) % step == 0 or (char == "▓" and dy % 2 == 0):
                    draw.point([x + dx, y + dy], fill=fg)
    elif char == "─":
        draw.line([x, y + CELL_H // 2, x + CELL_W, y + CELL_H // 2], fill=fg)
    elif char == "│":
        draw.line([x + CELL_W // 2, y, x + CELL_W // 2, y + CELL_H], fill=fg)
    elif char != " ":
        font = fonts["cjk"] if w == 2 and fonts["cjk"] else fonts["bold" if bold else "plain"]
        draw.text((x, y - (1 if w == 2 else 0)), char, font=font, fill=fg)


def paint(text, columns, rows, light):
    back, fore = ("#ffffff", "#1e1e1e") if light else ("#101418", "#d8dee4")
    image = Image.new("RGB", (columns * CELL_W + 16, rows * CELL_H + 16), back)
    draw = ImageDraw.Draw(image)
    fonts = {"plain": ImageFont.truetype(MONO % "", FONT), "bold": ImageFont.truetype(MONO % "-Bold", FONT),
             "cjk": ImageFont.truetype(CJK, FONT + 2) if os.path.exists(CJK) else None}
    style = [None, None, False, False, False]
    for row, line in enumerate(text.split("\n")[:rows]):
        column = 0
        for char, (fg, bg, bold, reverse, underline) in cells(line, style):
            w = width(char)
            fg, bg = fg or fore, bg or back
            if reverse:
                fg, bg = bg, fg
            x, y = 8 + column * CELL_W, 8 + row * CELL_H
            if bg != back:
                draw.rectangle([x, y, x + w * CELL_W - 1, y + CELL_H - 1], fill=bg)
            draw_char(draw, char, x, y, w, fg, fonts, bold)
            if underline:
                draw.line([x, y + CELL_H - 2, x + w * CELL_W, y + CELL_H - 2], fill=fg)
            column += w
    return image


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--size", default="120x36")
    parser.add_argument("--wait", type=float, default=20, help="seconds before the picture, so that charts fill")
    parser.add_argument("--keys", default="", help="keys as tmux names them, pressed before the wait")
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    columns, rows = map(int, args.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        def tmux(*words):
            return subprocess.run(["tmux", "-S", folder + "/socket", "-f", "/dev/null", *words], check=True,
                                  capture_output=True, text=True).stdout
        environment = dict({"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}, **dict(e.split("=", 1) for e in args.env))
        command = ["env", *(f"{k}={v}" for k, v in environment.items()), *args.command]
        os.environ.update(environment)
        tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), *command, ";",
             "set", "status", "off", ";", "set", "-g", "default-terminal", "tmux-256color", ";",
             "set", "escape-time", "0")
        try:
            tmux("resize-window", "-x", str(columns), "-y", str(rows))
            time.sleep(1.5)
            for key in args.keys.split():
                tmux("send-keys", key)
                time.sleep(0.3)
            time.sleep(args.wait)
            text = tmux("capture-pane", "-e", "-p", "-N")
        finally:
            tmux("kill-server")
    image = paint(text, columns, rows, args.light)
    image.quantize(255).save(args.out, optimize=True)
    print(f"{args.out}: {os.path.getsize(args.out) // 1024} KiB")


if __name__ == "__main__":
    sys.exit(main())
