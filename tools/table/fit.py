#!/usr/bin/env python3
"""Makes the static embedding table that is built into engram.

    python3 fit.py                      fits the table that is shipped and writes work/table.bin
    python3 fit.py --compare FILE       tells how far work/table.bin is from another table

A table has one direction for every word piece, and a text is the sum of its
pieces. The directions are fitted so that this sum points where a sentence
model, the teacher, puts the whole passage. See README.md for what each option
was worth.

Needs text.txt of gather.py and the package of the teacher. Takes a GPU if
there is one.
"""
import argparse
import hashlib
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import tablefile
from teacher import LONGEST, TEACHERS, Teacher

HERE = Path(__file__).resolve().parent
SEED = 7
DIMENSIONS = 256
LONGEST_SUM = 128  # pieces of a passage that are added up
UNKNOWN = 100  # the piece [UNK]
RARE = 1e-3  # a piece of this frequency starts with half its length
COSINE_WEIGHT = 5.0
TEACHER_SHARPNESS = 1 / 0.05  # of the teacher's similarities, before they become shares
FIRST_SHARPNESS = 3.0  # of the table's, as a logarithm; it is fitted too
LOSSES = ("cosine", "similarities", "stretch")
BEGAN = time.monotonic()


def main():
    options = parse_options()
    if options.compare:
        print(tablefile.difference(read_table(options.out), read_table(options.compare)))
        return
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    say("working on", device)
    teachers = [Teacher(name, options.teachers, device) for name in options.teacher]
    tokenizer = teachers[0].tokenizer
    vocabulary = [tokenizer.id_to_token(piece) for piece in range(tokenizer.get_vocab_size())]
    if options.unfitted:
        rows = unfitted(teachers, len(vocabulary), options.unfitted == "weighted")
    else:
        passages = options.text.read_text(encoding="utf-8").removesuffix("\n").split("\n")[: options.passages]
        say(len(passages), "passages")
        text = Text(passages, tokenizer)
        rows = fitted(teachers, text, len(vocabulary), options, device)
    data = tablefile.to_bytes(tablefile.rounded(rows.cpu().numpy(), vocabulary))
    digest = hashlib.sha256(data).hexdigest()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(data)
    options.out.with_suffix(".sha256").write_text(digest + "\n")
    say("wrote", options.out.name, len(data), "bytes, sha256", digest)


def parse_options():
    parser = argparse.ArgumentParser(description="Make the static embedding table that is built into engram.")
    add = parser.add_argument
    add("--teacher", nargs="+", choices=TEACHERS, default=["minilm"], help="one model, or several side by side")
    add("--losses", nargs="+", choices=LOSSES, default=list(LOSSES), help="what is fitted; all three are shipped")
    add("--stretch-weight", type=float, default=0.3, metavar="W", help="weight of the stretch loss (default .3)")
    add("--unfitted", choices=("plain", "weighted"), help="no fitting and no text: every piece alone")
    add("--steps", type=int, default=8000)
    add("--batch", type=int, default=4096, help="passages in a step")
    add("--passages", type=int, metavar="N", help="only the first N passages of the text")
    add("--text", type=Path, default=HERE / "work" / "text.txt", metavar="FILE")
    add("--teachers", type=Path, default=HERE / "work" / "teachers", metavar="FOLDER", help="where their packages lie")
    add("--out", type=Path, default=HERE / "work" / "table.bin", metavar="FILE")
    add("--compare", type=Path, metavar="FILE", help="make nothing: compare --out with this table")
    options = parser.parse_args()
    if options.steps <= 20:
        parser.error("--steps must be more than 20: a twentieth of them is for gathering pace")
    needed = [options.compare, options.out] if options.compare else [] if options.unfitted else [options.text]
    for path in needed:
        if not path.is_file():
            parser.error(f"{path} is not there; README.md tells what makes it")
    return options


def read_table(path):
    return tablefile.from_bytes(path.read_bytes())


def say(*words):
    print(f"{time.monotonic() - BEGAN:7.1f}s", *words, flush=True)


class Text:
    """The pieces of all passages, one after the other."""

    def __init__(self, passages, tokenizer):
        pieces = []
        for start in range(0, len(passages), 10_000):
            for encoded in tokenizer.encode_batch(passages[start : start + 10_000], add_special_tokens=False):
                pieces.append(np.array(encoded.ids[:LONGEST] or [UNKNOWN], np.int32))
        self.lengths = np.array([len(one) for one in pieces])
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.pieces = np.concatenate(pieces)


class Sampler:
    """Draws passages, whole or a stretch of each, as embedding_bag wants them."""

    def __init__(self, text, device):
        self.device = device
        self.pieces = torch.tensor(text.pieces, device=device)
        self.starts = torch.tensor(text.starts, device=device)
        self.lengths = torch.tensor(text.lengths, device=device).clamp(max=LONGEST_SUM)

    def frequencies(self, count):
        counted = self.whole(torch.arange(len(self.lengths), device=self.device))[0]
        counts = torch.bincount(counted, minlength=count).float()
        return counts / counts.sum()

    def draw(self, count):
        return torch.randint(0, len(self.lengths), (count,), device=self.device)

    def whole(self, drawn):
        return self.cut(self.starts[drawn], self.lengths[drawn])

    def stretch(self, drawn):
        """Between 20 and 70 % of each passage, but three pieces at least, from anywhere in it."""
        lengths = self.lengths[drawn]
        share = 0.2 + (0.7 - 0.2) * torch.rand(len(drawn), device=self.device)
        kept = torch.maximum((lengths * share).long(), lengths.clamp(max=3))
        skipped = ((lengths - kept + 1) * torch.rand(len(drawn), device=self.device)).long()
        return self.cut(self.starts[drawn] + skipped, kept)

    def cut(self, starts, lengths):
        """The pieces of all stretches in one row, and where each stretch begins in it."""
        offsets = torch.cumsum(lengths, 0) - lengths
        places = torch.arange(int(lengths.sum()), device=self.device)
        places += torch.repeat_interleave(starts - offsets, lengths)
        return self.pieces[places].long(), offsets


def unfitted(teachers, count, weighted):
    """Every piece alone through the teacher, reduced to the main directions of the vocabulary itself.

    There is no text here, so the weight takes the frequency from the rank: the
    vocabulary is roughly in order of frequency after its first thousand.
    """
    alone = torch.cat([teacher.read_alone(count) for teacher in teachers], 1).double()
    centred = alone - alone.mean(0)
    rows = centred @ main_directions(centred)
    if weighted:
        rank = torch.arange(count, device=rows.device)
        frequency = 1 / ((rank - 996).clamp(min=1) + 2.0)
        rows *= weight_of(frequency / frequency.sum(), 1e-4)[:, None]
    return rows.float()


def fitted(teachers, text, count, options, device):
    """Every piece alone as the beginning, then the losses over the text."""
    targets = []
    for teacher in teachers:
        vectors = torch.tensor(teacher.read_passages(text.pieces, text.starts, text.lengths), device=device)
        targets.append(F.normalize(vectors - vectors.mean(0), dim=1))
        say("the teacher has read", len(vectors), "passages")
    target = F.normalize(torch.cat(targets, 1), dim=1)
    directions = main_directions(target)
    reduced = F.normalize(target @ directions, dim=1)

    alone = [F.normalize(teacher.read_alone(count), dim=1) for teacher in teachers]
    alone = torch.cat([rows - rows.mean(0) for rows in alone], 1)
    sampler = Sampler(text, device)
    weight = weight_of(sampler.frequencies(count), RARE)
    begin = F.normalize(alone @ directions, dim=1) * weight[:, None]

    torch.manual_seed(SEED)
    table = torch.nn.Parameter(begin.clone())
    sharpness = torch.nn.Parameter(torch.tensor(FIRST_SHARPNESS, device=device))
    adam = torch.optim.Adam([{"params": [table]}, {"params": [sharpness]}])
    pace = torch.optim.lr_scheduler.OneCycleLR(adam, max_lr=[4e-3, 1e-2], total_steps=options.steps, pct_start=0.05)
    not_itself = torch.eye(options.batch, device=device)
    for step in range(options.steps):
        drawn = sampler.draw(options.batch)
        whole = summed(table, sampler.whole(drawn))
        likeness = target[drawn] @ target[drawn].T
        loss = 0.0
        if "cosine" in options.losses:
            loss = loss + COSINE_WEIGHT * (1 - (whole * reduced[drawn]).sum(1)).mean()
        if "similarities" in options.losses:
            # A passage is always most like itself, so the diagonal is taken out on both sides.
            ours = (whole @ whole.T - 2 * not_itself) * sharpness.exp()
            loss = loss + divergence(ours, likeness.clone().fill_diagonal_(-1))
        if "stretch" in options.losses:
            ours = summed(table, sampler.stretch(drawn)) @ whole.T * sharpness.exp()
            loss = loss + options.stretch_weight * divergence(ours, likeness)
        adam.zero_grad()
        loss.backward()
        adam.step()
        pace.step()
        if step % 1000 == 0 or step == options.steps - 1:
            say(f"step {step}: loss {float(loss.detach()):.4f}, sharpness {float(sharpness.detach().exp()):.2f}")
    return table.detach()


def main_directions(rows):
    """The directions in which the rows differ most, each with its largest number positive."""
    values, vectors = torch.linalg.eigh(rows.T @ rows / len(rows))
    vectors = vectors.flip(1)[:, :DIMENSIONS]
    say(f"{DIMENSIONS} directions keep {float(values.flip(0)[:DIMENSIONS].sum() / values.sum()):.1%}")
    largest = vectors.gather(0, vectors.abs().argmax(0, keepdim=True))
    return vectors * largest.sign()


def weight_of(frequency, rare):
    return rare / (rare + frequency)


def summed(table, cut):
    pieces, offsets = cut
    return F.normalize(F.embedding_bag(pieces, table, offsets, mode="mean"), dim=1)


def divergence(ours, likeness):
    """How badly our similarities, as shares of each row, tell those of the teacher."""
    shares = F.softmax(likeness * TEACHER_SHARPNESS, 1)
    return F.kl_div(F.log_softmax(ours, 1), shares, reduction="batchmean")


if __name__ == "__main__":
    main()
