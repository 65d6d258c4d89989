# SPDX-License-Identifier: Apache-2.0
"""io.remote_or_small_files: every sample is fetched from a server that takes its time to answer, and
the loader processes sleep. Fix: the samples are copied to this machine first."""

import subprocess
import sys
import urllib.request

from common import Job, main
from common.data import Decoded

SERVER = """
import asyncio, sys
delay, body = float(sys.argv[1]), b"x" * 20480
async def answer(reader, writer):
    await reader.readuntil(b"\\r\\n\\r\\n")
    await asyncio.sleep(delay)
    writer.write(b"HTTP/1.0 200 OK\\r\\nContent-Length: 20480\\r\\n\\r\\n" + body)
    await writer.drain()
    writer.close()
async def serve():
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.sleep(3600)
asyncio.run(serve())
"""


class Remote(Decoded):
    address = None

    def __getitem__(self, index):
        if self.address:
            with urllib.request.urlopen(f"{self.address}/{index}", timeout=60) as answer:
                answer.read()
        return super().__getitem__(index)


class RemoteFiles(Job):
    rule = "io.remote_or_small_files"

    def batches(self):
        workers, images = 8, Remote(self, 0)
        if not self.fix:
            delay = self.strength(1.8, 3, 6) * workers * self.step_seconds() / self.batch_size
            self.server = subprocess.Popen([sys.executable, "-S", "-c", SERVER, str(delay)], stdout=subprocess.PIPE,
                                           text=True, start_new_session=True)
            images.address = f"http://127.0.0.1:{int(self.server.stdout.readline())}"
        return self.loader(images, workers, prefetch_factor=2)

    def finish(self):
        if not self.fix:
            self.server.kill()


main(RemoteFiles)
