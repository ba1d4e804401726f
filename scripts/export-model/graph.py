"""Writes all-MiniLM-L6-v2 as one ONNX graph: the token ids of one text in, its unit sentence vector out.

Six BERT layers, mean pooling over the tokens and L2 normalisation, all inside the graph. The graph takes one text at a
time, without padding or mask: activations are quantised over the whole tensor, so in a batch a text's vector would depend
on its neighbours, and on one thread a batch is no faster.

The float graph is the reference; the int8 graph is the same with quantised weights:

- matrices: signed 8 bit, symmetric, one scale per output channel; activations are quantised while running
  (unsigned 8 bit, over the whole tensor). DynamicQuantizeMatMul does both; it is what the runtime itself makes of
  DynamicQuantizeLinear and MatMulInteger, and writing it down saves that work at every start;
- word embeddings: signed 8 bit, one scale per word, because the length of a word's vector varies a lot between words;
- biases, layer norms and positions stay float: together they are under 1 MB.

Token types are always 0 in this product, so their row is added to the positions, which are cut to the model's 256 tokens.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

LAYERS = 6
HEADS = 12
WIDTH = 384
HEAD_WIDTH = WIDTH // HEADS
MAX_TOKENS = 256
EPSILON = 1e-12
OPSET = 20


def quantised(matrix: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """int8 values in -127..127 and the float32 scale of each slice along the other axis."""
    scale = np.abs(matrix).max(axis=axis, keepdims=True) / 127
    scale = np.where(scale == 0, 1, scale).astype(np.float32)
    return np.round(matrix / scale).clip(-127, 127).astype(np.int8), scale


class Graph:
    """Collects nodes and constants; every method that adds a node returns the name of its output."""

    def __init__(self, int8: bool):
        self.int8 = int8
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: np.ndarray) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def shape(self, *sizes: int) -> str:
        return self.constant("shape_" + "_".join(map(str, sizes)), np.array(sizes, np.int64))

    def add(self, operator: str, inputs: list[str], output: str, **attributes) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def linear(self, x: str, weight: np.ndarray, bias: np.ndarray, output: str) -> str:
        """x @ weight + bias; weight is (inputs, outputs)."""
        bias_name = self.constant(f"{output}_bias", bias)
        if not self.int8:
            product = self.add("MatMul", [x, self.constant(f"{output}_weight", weight)], f"{output}_product")
            return self.add("Add", [product, bias_name], output)
        values, scale = quantised(weight, axis=0)
        names = [x, self.constant(f"{output}_weight", values), self.constant(f"{output}_weight_scale", scale[0])]
        return self.add("DynamicQuantizeMatMul", [*names, "", bias_name], output, domain="com.microsoft")

    def layer_norm(self, x: str, weight: np.ndarray, bias: np.ndarray, output: str) -> str:
        names = [x, self.constant(f"{output}_weight", weight), self.constant(f"{output}_bias", bias)]
        return self.add("LayerNormalization", names, output, axis=-1, epsilon=EPSILON)


def build(weights: dict[str, np.ndarray], int8: bool) -> onnx.ModelProto:
    g = Graph(int8)
    x = embeddings(g, weights)
    for layer in range(LAYERS):
        x = encoder_layer(g, weights, layer, x)
    pool(g, x)
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])]
    outputs = [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, [1, WIDTH])]
    graph = helper.make_graph(g.nodes, "all-MiniLM-L6-v2", inputs, outputs, list(g.constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)], producer_name="commonplace")
    model.ir_version = 10
    onnx.checker.check_model(model)
    return model


def embeddings(g: Graph, weights: dict[str, np.ndarray]) -> str:
    words = weights["embeddings.word_embeddings.weight"]
    if g.int8:
        values, scale = quantised(words, axis=1)
        rows = g.add("Gather", [g.constant("words", values), "input_ids"], "words_i8")
        rows = g.add("Cast", [rows], "words_unscaled", to=TensorProto.FLOAT)
        row_scale = g.add("Gather", [g.constant("words_scale", scale), "input_ids"], "words_row_scale")
        x = g.add("Mul", [rows, row_scale], "words_f32")
    else:
        x = g.add("Gather", [g.constant("words", words), "input_ids"], "words_f32")
    positions = weights["embeddings.position_embeddings.weight"][:MAX_TOKENS]
    positions = positions + weights["embeddings.token_type_embeddings.weight"][0]
    length = g.add("Shape", ["input_ids"], "length", start=1, end=2)
    first = g.add("Slice", [g.constant("positions", positions), g.shape(0), length, g.shape(0)], "positions_used")
    x = g.add("Add", [x, first], "embedded")
    name = "embeddings.LayerNorm"
    return g.layer_norm(x, weights[f"{name}.weight"], weights[f"{name}.bias"], "embedding_norm")


def encoder_layer(g: Graph, weights: dict[str, np.ndarray], layer: int, x: str) -> str:
    def of(name: str) -> np.ndarray:
        return weights[f"encoder.layer.{layer}.{name}"]

    def name(part: str) -> str:
        return f"layer{layer}_{part}"

    parts = ("query", "key", "value")
    kernel = np.concatenate([of(f"attention.self.{part}.weight").T for part in parts], axis=1)
    bias = np.concatenate([of(f"attention.self.{part}.bias") for part in parts])
    # The softmax's 1/sqrt(width of a head) goes into the query's own channels; a scale per channel loses nothing by it.
    kernel[:, :WIDTH] /= np.sqrt(HEAD_WIDTH)
    bias[:WIDTH] /= np.sqrt(HEAD_WIDTH)
    projected = g.linear(x, kernel, bias, name("qkv"))
    split = [name(part) for part in parts]
    g.nodes.append(helper.make_node("Split", [projected], split, name=name("split"), axis=-1, num_outputs=3))
    heads = [g.add("Reshape", [part, g.shape(0, 0, HEADS, HEAD_WIDTH)], f"{part}_heads") for part in split]
    q = g.add("Transpose", [heads[0]], name("q"), perm=[0, 2, 1, 3])
    k = g.add("Transpose", [heads[1]], name("k"), perm=[0, 2, 3, 1])
    v = g.add("Transpose", [heads[2]], name("v"), perm=[0, 2, 1, 3])
    scores = g.add("MatMul", [q, k], name("scores"))
    attention = g.add("Softmax", [scores], name("attention"), axis=-1)
    mixed = g.add("MatMul", [attention, v], name("mixed"))
    joined = g.add("Transpose", [mixed], name("joined"), perm=[0, 2, 1, 3])
    context = g.add("Reshape", [joined, g.shape(0, 0, WIDTH)], name("context"))
    x = dense_and_norm(g, of, "attention.output", context, x, name("attended"))
    inner = g.linear(x, of("intermediate.dense.weight").T, of("intermediate.dense.bias"), name("inner"))
    active = g.add("Gelu", [inner], name("gelu"), approximate="none")
    return dense_and_norm(g, of, "output", active, x, name("output"))


def dense_and_norm(g: Graph, of, part: str, x: str, residual: str, output: str) -> str:
    dense = g.linear(x, of(f"{part}.dense.weight").T, of(f"{part}.dense.bias"), f"{output}_dense")
    added = g.add("Add", [dense, residual], f"{output}_sum")
    return g.layer_norm(added, of(f"{part}.LayerNorm.weight"), of(f"{part}.LayerNorm.bias"), output)


def pool(g: Graph, x: str) -> None:
    """Mean over the tokens, then unit length."""
    mean = g.add("ReduceMean", [x, g.shape(1)], "pooled", keepdims=0)
    g.add("LpNormalization", [mean], "sentence_embedding", axis=-1, p=2)


def load_weights(model_folder: Path) -> dict[str, np.ndarray]:
    return load_file(model_folder / "model.safetensors")
