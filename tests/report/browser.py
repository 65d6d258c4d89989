# SPDX-License-Identifier: Apache-2.0
"""A real Chromium for a page on disk. Whatever the page says on its console, asks the network for,
or opens as a dialog is remembered, so that a test can insist that there was none of it."""
import os
import shutil
import sys

from playwright.sync_api import sync_playwright

PLACES = ("/usr/lib/chromium/chromium", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")


def Chromium():
    for place in PLACES:
        if os.path.exists(place):
            return place
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        sys.exit("Chromium is not installed: sudo apt-get install chromium")
    return found


class Browser:
    def __enter__(self):
        self._playwright = sync_playwright().start()
        # Root may only run it without its sandbox; the pages are our own.
        self._browser = self._playwright.chromium.launch(
            executable_path=Chromium(), args=["--no-sandbox", "--disable-gpu"])
        return self

    def __exit__(self, *_):
        self._browser.close()
        self._playwright.stop()

    def open(self, path, width=1280, scheme="light", script=True):
        context = self._browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script)
        page = context.new_page()
        page.complaints, page.requests = [], []
        page.on("console", lambda m: page.complaints.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: page.complaints.append(str(e)))
        page.on("dialog", lambda d: (page.complaints.append("dialog: " + d.message), d.dismiss()))
        page.on("request", lambda r: page.requests.append(r.url))
        page.goto(f"file://{path}")
        if script:
            page.wait_for_selector("[data-ready]")
        return page
