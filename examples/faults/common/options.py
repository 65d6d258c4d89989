# SPDX-License-Identifier: Apache-2.0
"""The options that every program of examples/faults understands. Next: job.py."""

import argparse

SEVERITIES = ("mild", "medium", "strong")
FAMILIES = ("vit", "gpt", "resnet", "unet", "mlp", "lstm")


def parse(text: str, arguments: list | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="the same job without the fault")
    parser.add_argument("--severity", choices=SEVERITIES, default="medium")
    parser.add_argument("--model", choices=FAMILIES, default="vit")
    parser.add_argument("--seconds", type=float, default=30, help="of training, from the first step on")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cuda", help="cuda, or cpu to try the program without a card")
    parser.add_argument("--batch", type=int, help="samples in a step; by default the card is kept busy")
    parser.add_argument("--dtype", choices=("bf16", "tf32", "fp32"), help="default: bf16 on a card")
    parser.add_argument("--workers", type=int, help="processes that load data, where the program has any")
    parser.add_argument("--companion", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)
