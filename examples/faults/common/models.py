# SPDX-License-Identifier: Apache-2.0
"""Six small models, written out so that nothing is downloaded: two families on which the rules are
tuned (ViT, GPT), and four on which they are judged (ResNet, UNet, MLP, LSTM). Each has a size for
a card and one for a CPU, says which batch keeps an H200 busy for 20 to 50 ms a step, makes samples
of its kind, and keeps its last layer's output in `features`. Next: data.py."""

import numpy
import torch
import torch.nn.functional as F
from torch import nn


def pixels(x):
    """Bytes become numbers around 0 on the card: a quarter of the traffic of float32."""
    return x.float().div(127.5).sub(1) if x.dtype == torch.uint8 else x


class Block(nn.Module):
    """Attention and a small network, each around a shortcut."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.net = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def attend(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        if hasattr(F, "scaled_dot_product_attention"):
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        else:  # PyTorch 1
            score = q @ k.transpose(-1, -2) * (width // self.heads) ** -0.5
            if self.causal:
                score = score.masked_fill(torch.ones_like(score, dtype=torch.bool).triu(1), float("-inf"))
            mixed = score.softmax(-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.net(self.norm2(x))


class Family(nn.Module):
    """What the training loop needs of a model."""

    batch = (128, 4)  # on a card, on a CPU
    classes = 1000

    @classmethod
    def sample(cls, random, size) -> tuple:
        """One sample, as the data set delivers it."""
        raise NotImplementedError

    def loss(self, output, y):
        return F.cross_entropy(output.float().flatten(0, -2), y.flatten())


class Images(Family):
    sizes = (224, 32)  # pixels on a card, on a CPU

    @classmethod
    def sample(cls, random, size):
        side = cls.sizes[size]
        return random.integers(0, 256, (3, side, side), numpy.uint8), random.integers(0, cls.classes)


class ViT(Images):
    def __init__(self, size, width=None, depth=None):
        super().__init__()
        width, depth, patch = width or (384, 32)[size], depth or (12, 2)[size], (16, 8)[size]
        self.patch = nn.Conv2d(3, width, patch, patch)
        self.place = nn.Parameter(torch.zeros(1, (self.sizes[size] // patch) ** 2, width))
        self.blocks = nn.Sequential(*[Block(width, max(width // (64 if width > 32 else 16), 1), False)
                                      for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, self.classes)

    def forward(self, x):
        x = self.patch(pixels(x)).flatten(2).transpose(1, 2) + self.place
        self.features = self.norm(self.blocks(x))
        return self.head(self.features.mean(1))


class GPT(Family):
    batch = (32, 4)
    classes = 8192
    lengths = (512, 32)

    def __init__(self, size, width=None, depth=None):
        super().__init__()
        width, depth = width or (512, 32)[size], depth or (8, 2)[size]
        self.embed, self.place = nn.Embedding(self.classes, width), nn.Embedding(4096, width)
        self.blocks = nn.Sequential(*[Block(width, max(width // 64, 1), True) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, self.classes, bias=False)

    @classmethod
    def sample(cls, random, size):
        text = random.integers(0, cls.classes, cls.lengths[size] + 1)
        return text[:-1], text[1:]

    def forward(self, x):
        self.features = self.norm(self.blocks(self.embed(x) + self.place.weight[:x.shape[1]]))
        return self.head(self.features)


class Residual(nn.Module):
    def __init__(self, into, out, stride):
        super().__init__()
        self.a, self.b = nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(out), nn.BatchNorm2d(out)
        self.short = nn.Conv2d(into, out, 1, stride, bias=False) if into != out or stride > 1 else nn.Identity()

    def forward(self, x):
        return F.relu(self.short(x) + self.norm2(self.b(F.relu(self.norm1(self.a(x))))))


class ResNet(Images):
    batch = (256, 4)

    def __init__(self, size, width=None, depth=None):
        super().__init__()
        width, depth = width or (64, 8)[size], depth or (2, 1)[size]
        layers, into = [nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
                        nn.MaxPool2d(3, 2, 1)], width
        for stage in range(4):
            for block in range(depth):
                layers.append(Residual(into, width << stage, 2 if stage and not block else 1))
                into = width << stage
        self.body, self.head = nn.Sequential(*layers), nn.Linear(into, self.classes)

    def forward(self, x):
        self.features = self.body(pixels(x))
        return self.head(self.features.mean((2, 3)))


class UNet(Images):
    """Removes noise, as a diffusion model does."""

    batch = (64, 4)
    sizes = (96, 16)

    def __init__(self, size, width=None, depth=None):
        super().__init__()
        width, depth = width or (64, 8)[size], depth or 3
        widths = [width << level for level in range(depth)]
        self.first = nn.Conv2d(3, width, 3, 1, 1)
        self.down = nn.ModuleList([Residual(a, b, 2) for a, b in zip(widths, widths[1:])])
        self.middle = Residual(widths[-1], widths[-1], 1)
        self.up = nn.ModuleList([Residual(b + a, a, 1) for a, b in zip(widths, widths[1:])][::-1])
        self.last = nn.Conv2d(width, 3, 3, 1, 1)

    @classmethod
    def sample(cls, random, size):
        return super().sample(random, size)[0], random.standard_normal((3, cls.sizes[size], cls.sizes[size]),
                                                                       numpy.float32)

    def forward(self, x):
        x, kept = self.first(pixels(x)), []
        for down in self.down:
            kept.append(x)
            x = down(x)
        x = self.middle(x)
        for up in self.up:
            x = up(torch.cat([F.interpolate(x, scale_factor=2), kept.pop()], 1))
        self.features = x
        return self.last(x)

    def loss(self, output, y):
        return F.mse_loss(output.float(), y)


class MLP(Family):
    batch = (4096, 16)
    wide = (4096, 64)

    def __init__(self, size, width=None, depth=None):
        super().__init__()
        width, depth, into = width or (4096, 64)[size], depth or (6, 2)[size], self.wide[size]
        layers = []
        for _ in range(depth):
            layers += [nn.Linear(into, width), nn.ReLU()]
            into = width
        self.body, self.head = nn.Sequential(*layers), nn.Linear(width, self.classes)

    @classmethod
    def sample(cls, random, size):
        return random.standard_normal(cls.wide[size], numpy.float32), random.integers(0, cls.classes)

    def forward(self, x):
        self.features = self.body(x)
        return self.head(self.features)


class LSTM(Family):
    batch = (256, 4)
    classes = 4096
    lengths = (128, 16)

    def __init__(self, size, width=None, depth=None):
        super().__init__()
        width = width or (1024, 32)[size]
        self.embed = nn.Embedding(self.classes, width)
        self.body, self.head = nn.LSTM(width, width, depth or 2, batch_first=True), nn.Linear(width, self.classes)

    sample = classmethod(GPT.sample.__func__)

    def forward(self, x):
        self.features = self.body(self.embed(x))[0]
        return self.head(self.features)


FAMILIES = {"vit": ViT, "gpt": GPT, "resnet": ResNet, "unet": UNet, "mlp": MLP, "lstm": LSTM}
