"""Runs an exported graph, and the same model written a second time in plain numpy to check the graph against."""

import math
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from graph import EPSILON, HEADS, LAYERS, MAX_TOKENS

erf = np.vectorize(math.erf, otypes=[np.float64])


def load_tokenizer(path: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def embedder(model: Path, tokenizer: Tokenizer):
    """A function from texts to a (texts, 384) matrix of unit vectors, one text at a time on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])

    def embed(texts: list[str]) -> np.ndarray:
        ids = (np.array([tokenizer.encode(text).ids]) for text in texts)
        return np.vstack([session.run(None, {"input_ids": one})[0] for one in ids])

    return embed


def forward(weights: dict[str, np.ndarray], ids: list[int], dense=None) -> np.ndarray:
    """BERT, mean pooling and unit length straight from the published weights, in double precision.

    `dense(x, name)` may stand in for the multiplications by the model's matrices.
    """
    w = {name: value.astype(np.float64) for name, value in weights.items()}

    def exact(x: np.ndarray, name: str) -> np.ndarray:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    dense = dense or exact

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
        return centred / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]

    x = w["embeddings.word_embeddings.weight"][ids]
    x = x + w["embeddings.position_embeddings.weight"][: len(ids)] + w["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        q, k, v = (dense(x, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        mixed = []
        for q_head, k_head, v_head in zip(*(np.split(part, HEADS, axis=-1) for part in (q, k, v))):
            scores = q_head @ k_head.T / math.sqrt(q_head.shape[-1])
            odds = np.exp(scores - scores.max(-1, keepdims=True))
            mixed.append(odds / odds.sum(-1, keepdims=True) @ v_head)
        attended = dense(np.concatenate(mixed, axis=-1), f"{name}.attention.output.dense")
        x = norm(x + attended, f"{name}.attention.output.LayerNorm")
        inner = dense(x, f"{name}.intermediate.dense")
        inner = inner * (1 + erf(inner / math.sqrt(2))) / 2
        x = norm(x + dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)
