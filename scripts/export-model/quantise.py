"""Quantises the model for the product's own kernel (kernels/minilm.ts) and writes it as a safetensors file.

- Matrices: signed 8 bit, symmetric, one scale per output. The kernel multiplies them by activations of 0 to 127 and adds
  GROUP products in 16 bits, so each output's scale is the smallest that keeps every such group from overflowing.
- Smoothing: before a matrix, each input channel is divided by a factor that moves some of the activations' spread into the
  weights, which bear it better (the idea of SmoothQuant, Xiao et al. 2022). The factors come from the largest activations
  that the calibration texts cause.
- Word vectors: signed 8 bit, one scale per word, because the length of a word's vector varies a lot between words.
- Biases, layer norms and positions stay float. Token types are always 0, so their row is added to the positions.
"""

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from embedding import forward
from graph import HEAD_WIDTH, LAYERS, MAX_TOKENS, WIDTH, quantised


def largest_inputs(weights: dict[str, np.ndarray], texts: list[list[int]]) -> dict[str, np.ndarray]:
    """For each matrix the largest magnitude of each of its inputs."""
    largest: dict[str, np.ndarray] = {}

    def dense(x: np.ndarray, name: str) -> np.ndarray:
        largest[name] = np.maximum(largest.get(name, 0), np.abs(x).max(0))
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    for ids in texts:
        forward(weights, ids, dense)
    return largest


def layers(weights: dict[str, np.ndarray], largest: dict[str, np.ndarray]):
    """For each layer its matrices: name in the file, weight, bias and the largest inputs."""
    for layer in range(LAYERS):
        source, target = f"encoder.layer.{layer}", f"layer{layer}"
        parts = [f"{source}.attention.self.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([weights[f"{part}.weight"] for part in parts])
        bias = np.concatenate([weights[f"{part}.bias"] for part in parts])
        # The softmax's 1/sqrt(width of a head) goes into the query's own channels; a scale per channel loses nothing by it.
        weight[:WIDTH] /= np.sqrt(HEAD_WIDTH)
        bias[:WIDTH] /= np.sqrt(HEAD_WIDTH)
        yield f"{target}.qkv", weight, bias, largest[parts[0]]
        for name, part in (("attended", "attention.output"), ("inner", "intermediate"), ("output", "output")):
            dense = f"{source}.{part}.dense"
            yield f"{target}.{name}", weights[f"{dense}.weight"], weights[f"{dense}.bias"], largest[dense]


def tensors(weights: dict[str, np.ndarray], calibration: list[list[int]]) -> dict[str, np.ndarray]:
    result: dict[str, np.ndarray] = {}
    values, scale = quantised(weights["embeddings.word_embeddings.weight"], axis=1)
    result["words.values"], result["words.scale"] = values, scale[:, 0]
    positions = weights["embeddings.position_embeddings.weight"][:MAX_TOKENS]
    result["positions"] = positions + weights["embeddings.token_type_embeddings.weight"][0]
    for name, weight, bias, largest in layers(weights, largest_inputs(weights, calibration)):
        factors = smoothing(largest, weight)
        result[f"{name}.values"], result[f"{name}.scale"] = quantised_matrix(weight * factors)
        result[f"{name}.bias"], result[f"{name}.inputs"] = bias, 1 / factors
    norms = {"embedded": "embeddings.LayerNorm"}
    for layer in range(LAYERS):
        norms[f"layer{layer}.attended"] = f"encoder.layer.{layer}.attention.output.LayerNorm"
        norms[f"layer{layer}.output"] = f"encoder.layer.{layer}.output.LayerNorm"
    for name, source in norms.items():
        result[f"{name}.norm.weight"], result[f"{name}.norm.bias"] = weights[f"{source}.weight"], weights[f"{source}.bias"]
    return result


def write(target: Path, weights: dict[str, np.ndarray], calibration: list[list[int]]) -> None:
    save_file({name: np.ascontiguousarray(value) for name, value in tensors(weights, calibration).items()}, target)
