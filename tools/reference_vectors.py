#!/usr/bin/env python3
"""Vectors of a sentence model by the reference implementation (onnxruntime and tokenizers).

    reference_vectors.py all-minilm-l6-v2 model.onnx tokenizer.json > vectors.json

What it prints is read by crates/engram-providers/examples/reference.rs.
Needs: pip install onnxruntime tokenizers numpy.
"""
import json
import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

# Tokens, pooling, prefix of a query, prefix of a document.
MODELS = {
    "all-minilm-l6-v2": (256, "mean", "", ""),
    "bge-small-en-v1.5": (512, "first", "Represent this sentence for searching relevant passages: ", ""),
    "e5-small-v2": (512, "mean", "query: ", "passage: "),
}

PROSE = (
    "The staging cluster was rebuilt on a Tuesday, after the old one had run out of disk for the third "
    "time; since then every deploy goes through the same narrow door, and nobody has touched the keys. "
)

TEXTS = [
    "",
    " ",
    ".",
    "a",
    "where is the staging key",
    "The staging key is in 1password, not in vault.",
    "We decided to use PostgreSQL 16 instead of MySQL because of its JSON support.",
    "How do I run the tests?",
    "Merhaba dünya, bugün İstanbul'da hava çok güzel; ığdır ĞÜŞİÖÇ",
    "Anahtar nerede saklanıyor? Kullanıcı koyu temayı tercih ediyor.",
    "naïve café résumé Ångström Ærøskøbing Straße ﬁ ligature",
    "e\u0301 composed by hand, and q\u0323\u0307 too",
    "东京は日本の首都です。한국어 텍스트와 中文混排",
    "Привет, мир! Как дела?",
    "नमस्ते दुनिया — क्या हाल है",
    "مرحبا بالعالم",
    "emoji 🎉🚀 family 👨‍👩‍👧‍👦 flags 🇹🇷",
    "zero\u200bwidth and\u00a0no-break\tand\ttabs\r\nand lines \u0000 nul \ufffd bad \u0007 bell",
    "fn main() { println!(\"{}\", vec![1, 2, 3].iter().map(|x| x * 2).sum::<i32>()); }",
    "SELECT m.id, count(*) FROM memory m LEFT JOIN edge e ON e.from = m.id WHERE m.kind <> 'note' GROUP BY 1;",
    "if err != nil { return fmt.Errorf(\"open %s: %w\", path, err) }",
    "thread 'main' panicked at src/main.rs:42:17: index out of bounds: the len is 3 but the index is 7",
    "/usr/local/lib/python3.12/site-packages/numpy/core/_multiarray_umath.cpython-312-x86_64-linux-gnu.so",
    "https://example.org/path?query=1&other=%20two#fragment",
    "$100, €50, £20, ¥1000 ~ 3.14159 ^ 2 = `x` | y < z > w + v",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "x" * 99 + " " + "y" * 100 + " " + "z" * 101 + " after",
    "[CLS] special [SEP] tokens [MASK] in [UNK] the [PAD] text",
    "ALL CAPS SHOUTING AND camelCaseIdentifiers_with_snake and kebab-case-too",
    PROSE,
    PROSE * 6,
    PROSE * 20,
    "«quoted» „deutsch“ ‘single’ … — – ‐ ‑ · • ※ ‽ 、。",
    "½ ² ³ ① Ⅷ ㎏ ™ ℃ ﷺ",
]


def main():
    name, model, tokenizer = sys.argv[1:4]
    limit, pooling, query, document = MODELS[name]
    tokens = Tokenizer.from_file(tokenizer)
    tokens.no_padding()
    tokens.enable_truncation(limit)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    rows = []
    for text in TEXTS:
        for purpose, prefix in (("query", query), ("document", document)):
            # A text that spells a special token is only text: nobody may speak to the model that way.
            ids = encode(tokens, prefix + text, limit)
            hidden = session.run(
                ["last_hidden_state"],
                {
                    "input_ids": np.array([ids], dtype=np.int64),
                    "attention_mask": np.ones((1, len(ids)), dtype=np.int64),
                    "token_type_ids": np.zeros((1, len(ids)), dtype=np.int64),
                },
            )[0][0].astype(np.float64)
            vector = hidden[0] if pooling == "first" else hidden.mean(axis=0)
            vector /= np.linalg.norm(vector)
            rows.append({"text": text, "purpose": purpose, "tokens": ids, "vector": [float(x) for x in vector]})
    json.dump(rows, sys.stdout)


def encode(tokens, text, limit):
    pieces = []
    for word, _ in tokens.pre_tokenizer.pre_tokenize_str(tokens.normalizer.normalize_str(text)):
        pieces += [token.id for token in tokens.model.tokenize(word)]
    first, last = tokens.token_to_id("[CLS]"), tokens.token_to_id("[SEP]")
    return [first, *pieces[: limit - 2], last]


if __name__ == "__main__":
    main()
