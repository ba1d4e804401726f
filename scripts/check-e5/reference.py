"""Token ids by sentencepiece and vectors by plain arithmetic, of the texts in sentences.txt, with the vocabulary and weights that
unpack.py wrote. Writes FOLDER/reference.json, and the part of the vocabulary that these texts need with the ids to the fixture.

usage: reference.py FOLDER FIXTURE
"""

import json
import math
import struct
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as protocol

folder, fixture = Path(sys.argv[1]), Path(sys.argv[2])
lines = (Path(__file__).parent / "sentences.txt").read_text().splitlines()
texts = [prefix + line for line in lines for prefix in ("query: ", "passage: ")]
vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]

# A model of any words, for its normaliser: XLM-R was trained with nmt_nfkc. Its pieces are then replaced.
with TemporaryDirectory() as scratch:
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines * 20),
        model_prefix=f"{scratch}/any",
        vocab_size=300,
        hard_vocab_limit=False,
        normalization_rule_name="nmt_nfkc",
        minloglevel=2,
    )
    model = protocol.ModelProto()
    model.ParseFromString(Path(f"{scratch}/any.model").read_bytes())
del model.pieces[:]
for piece, kind in [("<unk>", 2), ("<s>", 3), ("</s>", 3)]:
    model.pieces.add(piece=piece, score=0, type=kind)
for piece, score in vocabulary[4:-1]:
    model.pieces.add(piece=piece, score=score, type=1)
processor = sentencepiece.SentencePieceProcessor()
processor.LoadFromSerializedProto(model.SerializeToString())


def ids_of(text):
    # XLM-R puts <s>, <pad>, </s> and <unk> first, where sentencepiece has three words of its own.
    return [0] + [3 if i == 0 else i + 1 for i in processor.Encode(text)] + [2]


with open(folder / "model.safetensors", "rb") as file:
    (length,) = struct.unpack("<Q", file.read(8))
    header = json.loads(file.read(length))
data = np.memmap(folder / "model.safetensors", "u1", "r", 8 + length)
weights = {
    name: data[slice(*about["data_offsets"])].view("<f4").reshape(about["shape"]) for name, about in header.items()
}
erf = np.vectorize(math.erf, otypes=["f8"])


def dense(name, x):
    return x @ weights[f"{name}.weight"].T.astype("f8") + weights[f"{name}.bias"]


def norm(name, x):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def vector_of(ids):
    """A BERT of twelve heads, the mean of all tokens, unit length: what the model card does."""
    x = weights["embeddings.word_embeddings.weight"][ids].astype("f8")
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm("embeddings.LayerNorm", x + weights["embeddings.token_type_embeddings.weight"][0])
    for layer in range(12):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            dense(f"{name}.attention.self.{part}", x).reshape(len(ids), 12, -1).swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        share = np.exp(query @ key.swapaxes(1, 2) / math.sqrt(query.shape[-1]))
        share = share / share.sum(-1, keepdims=True)
        attended = (share @ value).swapaxes(0, 1).reshape(len(ids), -1)
        x = norm(f"{name}.attention.output.LayerNorm", x + dense(f"{name}.attention.output.dense", attended))
        between = dense(f"{name}.intermediate.dense", x)
        between = between * (1 + erf(between / math.sqrt(2))) / 2
        x = norm(f"{name}.output.LayerNorm", x + dense(f"{name}.output.dense", between))
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


encoded = [(text, ids_of(text)) for text in texts]
reference = [{"text": text, "ids": ids, "vector": vector_of(ids).tolist()} for text, ids in encoded]
(folder / "reference.json").write_text(json.dumps(reference))

# Every piece that could be a part of these texts, so that the best way to cut them is the same as with all 250,002.
normal = "".join("\u2581" + word for text in texts for word in processor.Normalize(text).split("\u2581"))
lowest = min(range(len(vocabulary)), key=lambda i: vocabulary[i][1])
kept = [i for i, (piece, _) in enumerate(vocabulary) if i < 4 or i == lowest or piece in normal or piece == "<mask>"]
rows = [json.dumps([i, *vocabulary[i]], ensure_ascii=False) for i in kept]
cuts = [json.dumps(pair, ensure_ascii=False) for pair in encoded]
fixture.parent.mkdir(parents=True, exist_ok=True)
fixture.write_text('{"pieces":[\n' + ",\n".join(rows) + '\n],"texts":[\n' + ",\n".join(cuts) + "\n]}\n")
