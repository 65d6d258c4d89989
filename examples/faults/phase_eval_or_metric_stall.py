# SPDX-License-Identifier: Apache-2.0
"""phase.eval_or_metric_stall: every few seconds an evaluation with a batch of two, and a score that a
Python loop computes. Fix: the batch of the training, inference mode, and the score on the card."""

import contextlib
import time

import torch

from common import Job, main


class EvalStall(Job):
    rule = "phase.eval_or_metric_stall"

    def build(self):
        super().build()
        self.evaluated = time.perf_counter()
        x, y = self.to_card(next(self.host_batches(1)))
        self.held_out = [(x, y)] if self.fix else list(zip(x.split(2), y.split(2)))

    def f1_by_hand(self, guesses, truths, seconds):
        """One class after the other, in Python."""
        scores, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end:
            for label in range(20):
                scores.append(sum(g == label and t == label for g, t in zip(guesses, truths)))
        return scores

    def evaluate(self):
        guesses, truths = [], []
        with torch.inference_mode() if self.fix else torch.no_grad():
            for x, y in self.held_out:
                output = self.model(x)
                guesses.append(output.flatten(1).argmax(1))
                truths.append(y.flatten())
        if self.fix:
            return (torch.cat(guesses).sum() / torch.cat(truths).sum()).item()
        guesses, truths = torch.cat(guesses).tolist(), torch.cat(truths).tolist()
        return self.f1_by_hand(guesses, truths[:len(guesses)], self.strength(0.6, 1.2, 2.5))

    def after_step(self, loss):
        if self.begun and time.perf_counter() - self.evaluated > 2.5:
            self.model.eval()
            with torch.autocast(self.device.type, torch.bfloat16) if self.cuda else contextlib.nullcontext():
                self.evaluate()
            self.model.train()
            self.evaluated = time.perf_counter()


main(EvalStall)
