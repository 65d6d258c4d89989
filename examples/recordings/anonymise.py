#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes out of a recording what names a machine or a person, and keeps the numbers.
    python3 examples/recordings/anonymise.py FROM.gpusight TO.gpusight
The host, the boot, device UUIDs and serials, folders, users and all environment variables but those of
CUDA, PyTorch, Paddle, NCCL and OpenMP are replaced or removed. Next: README.md."""

import os
import shutil
import sqlite3
import sys

KEPT = ("CUDA_VISIBLE_DEVICES", "CUDA_VERSION", "NCCL_VERSION", "NVIDIA_VISIBLE_DEVICES", "OMP_NUM_THREADS",
        "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "LANG")


def anonymise(source, target):
    shutil.copyfile(source, target)
    os.chmod(target, 0o644)
    db = sqlite3.connect(target)
    columns = {(table, row[1]) for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall()
               for row in db.execute(f"PRAGMA table_info({table})")}
    devices = [row[0] for row in db.execute("SELECT DISTINCT uuid FROM device ORDER BY device_index")]
    renamed = {uuid: f"GPU-{i:08}-1111-2222-3333-444444444444" for i, uuid in enumerate(devices)}
    db.execute("UPDATE machine SET hostname='gpu-07', boot_id=''")
    for table, column in sorted(columns):
        if column.endswith("uuid"):
            for old, new in renamed.items():
                db.execute(f"UPDATE {table} SET {column}=? WHERE {column}=?", (new, old))
        if column == "serial":
            db.execute(f"UPDATE {table} SET serial='' WHERE serial<>''")
        if column == "user":
            db.execute(f"UPDATE {table} SET user='lin' WHERE user<>''")
        if column == "folder":
            db.execute(f"UPDATE {table} SET folder='/srv/gpusight'")
    db.execute(f"DELETE FROM run_fact WHERE kind='environment' AND name NOT IN ({','.join('?' * len(KEPT))})", KEPT)
    db.commit()
    db.execute("VACUUM")
    db.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: anonymise.py FROM.gpusight TO.gpusight")
    anonymise(sys.argv[1], sys.argv[2])
