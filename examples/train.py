#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small training run to look at with gpusight: a language model on made-up text, which a data set in
Python turns into tokens. Nothing in it knows of gpusight.

    gpusight run -- python3 examples/train.py                # the GPU waits for the data: why?
    gpusight run -- python3 examples/train.py --workers 8    # and now?
    gpusight run -- python3 examples/train.py --leak         # out of memory after some steps

Needs PyTorch 1.13 or later. Next: faults/, programs with one fault each."""

import argparse
import random
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

WORDS = 4096  # in the vocabulary
LENGTH = 256  # tokens of a text


class Texts(Dataset):
    """Texts that are split into words and looked up as they are asked for, as many data sets do."""

    def __init__(self, count):
        self.count = count
        self.numbers = {f"word{i}": i for i in range(WORDS)}

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        dice = random.Random(index)
        text = " ".join(f"Word{dice.randrange(WORDS)}" for _ in range(4 * LENGTH))
        numbers = [self.numbers[word] for word in text.lower().split()]
        begin = dice.randrange(len(numbers) - LENGTH)
        return torch.tensor(numbers[begin : begin + LENGTH + 1])


class Model(nn.Module):
    def __init__(self, width, layers=8):
        super().__init__()
        self.words = nn.Embedding(WORDS, width)
        layer = nn.TransformerEncoderLayer(width, 8, 4 * width, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, WORDS)

    def forward(self, tokens):
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1]).to(tokens.device)
        return self.head(self.layers(self.words(tokens), mask))


def loss_of(model, batch, device):
    batch = batch.to(device, non_blocking=True)
    with torch.autocast(device.type, torch.bfloat16):
        logits = model(batch[:, :-1])
        return nn.functional.cross_entropy(logits.flatten(0, 1).float(), batch[:, 1:].flatten())


def evaluate(model, loader, device):
    model.eval()
    with torch.no_grad():
        losses = [loss_of(model, batch, device) for batch in loader]
    model.train()
    return float(torch.stack(losses).mean())


def train(options):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)
    loading = {"batch_size": options.batch, "num_workers": options.workers, "pin_memory": device.type == "cuda"}
    loader = DataLoader(Texts(options.batch * options.steps), shuffle=True, **loading)
    held_out = DataLoader(Texts(options.batch * 4), **loading)
    model = Model(options.width).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    end = time.monotonic() + options.seconds
    losses, step = [], 0
    for epoch in range(1, 1000):
        for batch in loader:
            optimizer.zero_grad(set_to_none=True)
            loss = loss_of(model, batch, device)
            loss.backward()
            optimizer.step()
            step += 1
            if options.leak:
                losses.append(loss_of(model, batch, device))  # keeps the graph behind it: .item() would not
            if step % 20 == 0:
                print(f"step {step}  loss {loss.item():.3f}", flush=True)
            if time.monotonic() > end:
                print(f"{step} steps", flush=True)
                return
        print(f"epoch {epoch}  held-out loss {evaluate(model, held_out, device):.3f}", flush=True)
        torch.save(model.state_dict(), options.save)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20, help="how long to train (%(default)s)")
    parser.add_argument("--workers", type=int, default=0, help="processes that load data (%(default)s)")
    parser.add_argument("--batch", type=int, default=64, help="texts of a step (%(default)s)")
    parser.add_argument("--steps", type=int, default=200, help="steps of an epoch (%(default)s)")
    parser.add_argument("--width", type=int, default=1024, help="of the model (%(default)s)")
    parser.add_argument("--save", default="/dev/null", help="where to save after an epoch (%(default)s)")
    parser.add_argument("--leak", action="store_true", help="keep each step's loss together with its graph")
    train(parser.parse_args())
