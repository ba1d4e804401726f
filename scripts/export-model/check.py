"""Checks the float graph, which the golden vectors come from, with two independent witnesses.

    python check.py MODEL_FOLDER FLOAT_ONNX TOKENIZER

The texts are the lines of sentences.txt and paragraphs of 2 to 30 neighbouring lines, up to 200. The witnesses of the float
graph are a forward pass in numpy straight from the published weights, and the similarities that the model's authors print
in their documentation for three sentences. How near the product's int8 model comes to the golden vectors is for the
product's own tests to say (tests/models/embed.test.ts).
"""

import sys
from pathlib import Path

import numpy as np

from embedding import embedder, forward, load_tokenizer
from graph import load_weights

# Documentation of sentence-transformers, "Quickstart": model.similarity(...) of this very model.
PUBLISHED_TEXTS = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
PUBLISHED = np.array([[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]])


def check_texts(count: int = 200) -> list[str]:
    lines = (Path(__file__).parent / "sentences.txt").read_text("utf8").splitlines()
    texts = list(lines)
    for number in range(count - len(lines)):
        size = 2 + number % 29
        start = number * 7 % (len(lines) - size)
        texts.append(" ".join(lines[start : start + size]))
    return texts


def main(model_folder: str, float_model: str, tokenizer_file: str) -> None:
    tokenizer = load_tokenizer(Path(tokenizer_file))
    exact = embedder(Path(float_model), tokenizer)
    texts = check_texts()
    lengths = np.array([len(tokenizer.encode(text).ids) for text in texts])
    print(f"{len(texts)} texts of {lengths.min()} to {lengths.max()} tokens, median {np.median(lengths):.0f}")
    weights = load_weights(Path(model_folder))
    chosen = texts[::10]
    rows = [forward(weights, tokenizer.encode(text).ids) for text in chosen]
    witness = np.sum(np.array(rows) * exact(chosen), axis=1)
    print(f"float graph against numpy: cosine minimum {witness.min():.7f} over {len(rows)} texts")
    vectors = exact(PUBLISHED_TEXTS)
    print(f"against the published similarities: off by at most {np.abs(vectors @ vectors.T - PUBLISHED).max():.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
