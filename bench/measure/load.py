# SPDX-License-Identifier: Apache-2.0
"""Load for the card: `load.py train` is a bf16 training loop that keeps it busy, `load.py hold MIB`
only holds memory. Each prints READY once it does so and runs until it is ended."""

import sys
import time

import torch


def train() -> None:
    device = torch.device("cuda")
    layers = [torch.nn.Linear(8192, 8192) for _ in range(6)]
    model = torch.nn.Sequential(*layers).to(device, torch.bfloat16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    batch = torch.randn(8192, 8192).to(torch.bfloat16).pin_memory()
    step = 0
    while True:
        loss = model(batch.to(device, non_blocking=True)).float().pow(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        if step == 3:
            print("READY", flush=True)
        if step % 20 == 0:
            torch.cuda.synchronize()


def hold(mib: int) -> None:
    held = torch.empty(mib << 20, dtype=torch.uint8, device="cuda")
    held.fill_(1)
    torch.cuda.synchronize()
    print("READY", flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    if sys.argv[1] == "train":
        train()
    else:
        hold(int(sys.argv[2]))
