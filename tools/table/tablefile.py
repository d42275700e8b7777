"""The file of a table, which crates/engram-providers/src/table.rs reads.

    ENGRAMT1                        the name of the format, 8 bytes
    pieces, dimensions, bytes       three little-endian u32; bytes is the length of the vocabulary
    scales                          pieces x f32, little-endian
    codes                           pieces x dimensions x i8; a number is its code times the scale of its row
    vocabulary                      the word pieces in order, UTF-8, parted by a line feed
"""
import struct
from dataclasses import dataclass

import numpy as np

NAME = b"ENGRAMT1"


@dataclass(frozen=True)
class Table:
    scales: np.ndarray
    codes: np.ndarray
    vocabulary: list

    @property
    def rows(self):
        return self.codes.astype(np.float32) * self.scales[:, None]


def rounded(rows, vocabulary):
    """Eight bits for a number and a scale for a row, which is its largest number over 127."""
    rows = rows.astype(np.float16).astype(np.float32)  # the shipped table passed through 16 bits too
    scales = np.abs(rows).max(axis=1) / 127
    scales[scales == 0] = 1
    codes = np.clip(np.round(rows / scales[:, None]), -127, 127).astype(np.int8)
    return Table(scales, codes, vocabulary)


def to_bytes(table):
    words = "\n".join(table.vocabulary).encode()
    count, dimensions = table.codes.shape
    head = NAME + struct.pack("<III", count, dimensions, len(words))
    return head + table.scales.astype("<f4").tobytes() + table.codes.tobytes() + words


def from_bytes(data):
    if not data.startswith(NAME):
        raise SystemExit("this is no table")
    at = len(NAME) + 12
    count, dimensions, words = struct.unpack("<III", data[len(NAME) : at])
    if len(data) != at + count * 4 + count * dimensions + words:
        raise SystemExit("the table is cut short or too long")
    scales = np.frombuffer(data, "<f4", count, at)
    codes = np.frombuffer(data, np.int8, count * dimensions, at + count * 4).reshape(count, dimensions)
    return Table(scales, codes, data[len(data) - words :].decode("utf-8").split("\n"))


def difference(new, old):
    """Tells in words how far one table is from another.

    A table may be turned as a whole without changing any similarity, and the
    libraries that find the main directions are free to turn each of them
    around. So directions that point the other way are turned back first, and
    the cosine is told again after the rotation that fits best.
    """
    if new.vocabulary != old.vocabulary or new.codes.shape != old.codes.shape:
        raise SystemExit("the tables have different pieces or dimensions and cannot be compared")
    ours, theirs = new.rows, old.rows
    turned = np.where((ours * theirs).sum(axis=0) < 0, -1, 1).astype(np.int8)
    apart = np.abs((new.codes * turned).astype(np.int16) - old.codes)
    left, _, right = np.linalg.svd(ours.T @ theirs)
    told = [
        f"directions turned around: {np.sum(turned < 0)} of {len(turned)}",
        f"equal codes: {np.mean(apart == 0):.2%}, at most one apart: {np.mean(apart <= 1):.2%}",
    ]
    for words, rows in (("as they lie", ours * turned), ("after the best rotation", ours @ (left @ right))):
        cosines = (rows * theirs).sum(axis=1) / np.maximum(lengths(rows) * lengths(theirs), 1e-12)
        lowest = np.quantile(cosines, 0.01)
        told.append(f"cosine of rows {words}: mean {cosines.mean():.4f}, lowest hundredth {lowest:.4f}")
    return "\n".join(told)


def lengths(rows):
    return np.linalg.norm(rows, axis=1)
