"""How a matrix becomes the signed bytes that the product's own kernel (kernels/minilm.ts) multiplies by; see quantise.py."""

import numpy as np

MOST_ACTIVATION = 127
# Eight weights of one output meet in one 16-bit sum: two neighbouring inputs in each of four runs of four.
GROUP = 8
SMOOTHING = 0.6


def smoothing(largest: np.ndarray, weight: np.ndarray) -> np.ndarray:
    factors = np.maximum(largest, 1e-5) ** SMOOTHING / np.maximum(np.abs(weight).max(0), 1e-5) ** (1 - SMOOTHING)
    return (factors / np.exp(np.log(factors).mean())).astype(np.float32)


def groups(weight: np.ndarray) -> np.ndarray:
    """(outputs, groups, GROUP): the weights whose products the kernel adds in 16 bits."""
    outputs, inputs = weight.shape
    return weight.reshape(outputs, inputs // 16, 4, 2, 2).transpose(0, 1, 3, 2, 4).reshape(outputs, -1, GROUP)


def quantised_matrix(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """weight is (outputs, inputs); gives int8 values and a float32 scale per output."""
    parts = groups(weight)
    most = np.maximum(np.maximum(parts, 0).sum(2), np.maximum(-parts, 0).sum(2)).max(1)
    # Rounding may add half a step for each weight.
    limit = (2**15 - 1) / MOST_ACTIVATION - GROUP / 2
    scale = np.maximum(np.abs(weight).max(1) / 127, most / limit).astype(np.float32)
    values = np.round(weight / scale[:, None]).astype(np.int8)
    sums = groups(values.astype(np.int32))
    assert np.maximum(sums, 0).sum(2).max() * MOST_ACTIVATION < 2**15
    assert np.maximum(-sums, 0).sum(2).max() * MOST_ACTIVATION <= 2**15
    return values, scale
