"""Trains the instruction scorer: the layers of the package's sentence model, and a head, for this one question.

`tune.py sentences.json readings.json [--parts 0,1,2,all] [--seeds N]`: reads what `train.ts --sentences` wrote, has the sentences of every
fold scored by layers that have not seen it (readings.json), and writes the layers trained on all to assets/actions. README.md says in
which order. Parts can be done by several processes, each with readings of its own.
"""

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path

# One core is enough, and others want the rest.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import jax
import jax.numpy as jnp
import numpy as np
import optax
from safetensors.numpy import load_file, save_file

sys.path.append(str(Path(__file__).parents[1] / "export-model"))
from matrices import quantised_matrix, smoothing

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "assets/all-MiniLM-L6-v2"
TARGET = ROOT / "assets/actions"
GOLDEN = ROOT / "tests/fixtures/actions/golden.json"
LAYERS, HEADS, HEAD_WIDTH, WIDTH = 6, 12, 32, 384
MATRICES = ("qkv", "attended", "inner", "output")

# Chosen by cross-validation.
TUNED = 6
EPOCHS = 2
BATCH = 32
RATE = {"layers": 1.5e-4, "head": 2e-2}
# A lower layer learns so much more slowly than the one above it: it says more of language and less of the question.
LOWER_RATE = 0.8
# There are few sentences of pages, and those are what is scored in the end.
PAGE_WEIGHT = 2.0
DECAY = 0.05
DROPPED = 0.1
# The pooled vector has unit length; without this the head's weights would have to grow large first.
SCALE = 10.0
# Texts of a batch are padded to one of these, so that few shapes are compiled.
LENGTHS = (12, 16, 20, 24, 28, 32, 40, 48, 64, 80)
CALIBRATION = 400


def load_model() -> tuple[dict, list[dict]]:
    """The package's model as floats: what the scorer stands on is the model that runs, quantisation included."""
    file = load_file(MODEL / "model_int8.safetensors")
    embedding = {
        "words": file["words.values"].astype(np.float32) * file["words.scale"][:, None],
        "positions": file["positions"],
        "norm": (file["embedded.norm.weight"], file["embedded.norm.bias"]),
    }
    layers = []
    for n in range(LAYERS):
        layer = {}
        for name in MATRICES:
            of = f"layer{n}.{name}"
            # Values times scale is the weight times the factors that its inputs are divided by.
            weight = file[f"{of}.values"].astype(np.float32) * file[f"{of}.scale"][:, None]
            layer[name] = {"weight": weight * file[f"{of}.inputs"], "bias": file[f"{of}.bias"]}
        for name in ("attended", "output"):
            of = f"layer{n}.{name}.norm"
            layer[f"{name}.norm"] = {"weight": file[f"{of}.weight"], "bias": file[f"{of}.bias"]}
        layers.append(layer)
    return embedding, layers


def normed(x, by):
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12) * by["weight"] + by["bias"]


def dropped(x, key, share):
    return jnp.where(jax.random.bernoulli(key, 1 - share, x.shape), x / (1 - share), 0) if share > 0 else x


def through(layer: dict, x, mask, key, share: float, seen=None):
    """One layer; `seen` is given what every matrix is multiplied by."""

    def dense(y, name):
        if seen is not None:
            seen(name, y)
        return y @ layer[name]["weight"].T + layer[name]["bias"]

    texts, tokens, _ = x.shape
    first, second = jax.random.split(key)
    heads = lambda y: y.reshape(texts, tokens, HEADS, HEAD_WIDTH).transpose(0, 2, 1, 3)
    # The queries have the softmax's 1/sqrt(width of a head) in them.
    q, k, v = (heads(part) for part in jnp.split(dense(x, "qkv"), 3, -1))
    attention = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) + mask[:, None, None, :], -1)
    mixed = (attention @ v).transpose(0, 2, 1, 3).reshape(texts, tokens, WIDTH)
    x = normed(x + dropped(dense(mixed, "attended"), first, share), layer["attended.norm"])
    inner = jax.nn.gelu(dense(x, "inner"), approximate=False)
    return normed(x + dropped(dense(inner, "output"), second, share), layer["output.norm"])


def pooled(x, mask):
    """The mean over the tokens, brought to unit length."""
    total = (x * (mask == 0)[..., None]).sum(1)
    return total / jnp.sqrt((total**2).sum(-1, keepdims=True) + 1e-12)


def odds(scorer: dict, x, mask, key, share: float):
    *keys, last = jax.random.split(key, len(scorer["layers"]) + 1)
    for layer, one in zip(scorer["layers"], keys):
        x = through(layer, x, mask, one, share)
    return SCALE * (dropped(pooled(x, mask), last, share) @ scorer["head"]["weight"]) + scorer["head"]["bias"]


class Sentences:
    """What the lower layers make of every sentence: they are not trained, so that is worked out once."""

    def __init__(self, rows: list[dict], embedding: dict, lower: list[dict]):
        # Without a label (NaN) a sentence is scored, and not learned from.
        self.labels = np.array([row["label"] for row in rows], np.float32)
        self.folds = np.array([row["fold"] for row in rows])
        self.weights = np.array([PAGE_WEIGHT if row["page"] else 1 for row in rows], np.float32)
        ids = [row["ids"] for row in rows]
        self.lengths = np.array([next(most for most in LENGTHS if most >= len(one)) for one in ids])
        self.states = [np.zeros(0)] * len(rows)
        key = jax.random.PRNGKey(0)
        weight, bias = embedding["norm"]

        @jax.jit
        def run(x, mask):
            x = normed(x, {"weight": weight, "bias": bias})
            for layer in lower:
                x = through(layer, x, mask, key, 0)
            return x

        for part in self.batches(np.argsort(self.lengths, kind="stable")):
            most = int(self.lengths[part].max())
            x, mask = np.zeros((BATCH, most, WIDTH), np.float32), masked(BATCH, most)
            for n, i in enumerate(part):
                x[n, : len(ids[i])] = embedding["words"][ids[i]] + embedding["positions"][: len(ids[i])]
                mask[n, : len(ids[i])] = 0
            for i, state in zip(part, np.asarray(run(x, mask))):
                self.states[i] = state[: len(ids[i])].astype(np.float16)

    def batches(self, order: np.ndarray) -> list[np.ndarray]:
        return [order[at : at + BATCH] for at in range(0, len(order), BATCH)]

    def batch(self, part: np.ndarray):
        """States, mask, labels and what the rows count; always BATCH rows."""
        most = int(self.lengths[part].max())
        x, mask = np.zeros((BATCH, most, WIDTH), np.float32), masked(BATCH, most)
        labels, counts = np.zeros(BATCH, np.float32), np.zeros(BATCH, np.float32)
        for n, i in enumerate(part):
            x[n, : len(self.states[i])], mask[n, : len(self.states[i])] = self.states[i], 0
            labels[n], counts[n] = np.nan_to_num(self.labels[i]), self.weights[i]
        return x, mask, labels, counts


def masked(texts: int, tokens: int) -> np.ndarray:
    mask = np.full((texts, tokens), -1e9, np.float32)
    # A row of padding attends to something, or there would be no number.
    mask[:, 0] = 0
    return mask


optimiser = optax.multi_transform(
    {
        "layers": optax.chain(
            optax.clip_by_global_norm(1.0), optax.scale_by_adam(), optax.add_decayed_weights(DECAY)
        ),
        "head": optax.scale_by_adam(),
    },
    {"layers": "layers", "head": "head"},
)


def loss(scorer, x, mask, labels, counts, key):
    wrong = optax.sigmoid_binary_cross_entropy(odds(scorer, x, mask, key, DROPPED), labels)
    return (wrong * counts).sum() / counts.sum()


@jax.jit
def step(scorer, state, batch, key, share):
    """`share` of the rates: they rise at first, and fall to nothing at the end."""
    value, gradient = jax.value_and_grad(loss)(scorer, *batch, key)
    change, state = optimiser.update(gradient, state, scorer)
    slowed = lambda rate, tree: jax.tree.map(lambda one: -share * rate * one, tree)
    top = len(change["layers"]) - 1
    scaled = {
        "layers": [slowed(RATE["layers"] * LOWER_RATE ** (top - n), one) for n, one in enumerate(change["layers"])],
        "head": slowed(RATE["head"], change["head"]),
    }
    return optax.apply_updates(scorer, scaled), state, value


def train(sentences: Sentences, chosen: np.ndarray, upper: list[dict], seed: int) -> dict:
    rng = np.random.default_rng(seed)
    chosen = chosen[~np.isnan(sentences.labels[chosen])]
    scorer = {"layers": upper, "head": {"weight": np.zeros(WIDTH, np.float32), "bias": np.zeros((), np.float32)}}
    steps = -(-len(chosen) // BATCH) * EPOCHS
    share = optax.warmup_cosine_decay_schedule(0, 1, steps // 10, steps)
    state = optimiser.init(scorer)
    key, done = jax.random.PRNGKey(seed), 0
    for epoch in range(EPOCHS):
        # Texts of like length together.
        order = rng.permutation(chosen)
        parts = sentences.batches(order[np.argsort(sentences.lengths[order], kind="stable")])
        values = []
        for n in rng.permutation(len(parts)):
            key, one = jax.random.split(key)
            scorer, state, value = step(scorer, state, sentences.batch(parts[n]), one, share(done))
            values.append(float(value))
            done += 1
        print(f"seed {seed}, epoch {epoch}: {np.mean(values):.4f}", flush=True)
    return scorer


def train_mean(sentences: Sentences, chosen: np.ndarray, upper: list[dict], seeds: int) -> dict:
    """The mean of the weights that several seeds end with: nearly as good as asking all of them (Wortsman et al. 2022)."""
    trained = [train(sentences, chosen, upper, seed) for seed in range(seeds)]
    return jax.tree_util.tree_map(lambda *all: np.asarray(sum(all) / len(all)), *trained)


run_scorer = jax.jit(lambda scorer, x, mask: odds(scorer, x, mask, jax.random.PRNGKey(0), 0))


def scored(scorer: dict, sentences: Sentences, chosen: np.ndarray) -> np.ndarray:
    found = np.zeros(len(sentences.labels))
    for part in sentences.batches(chosen[np.argsort(sentences.lengths[chosen], kind="stable")]):
        x, mask, _, _ = sentences.batch(part)
        found[part] = np.asarray(run_scorer(scorer, x, mask))[: len(part)]
    return found[chosen]


def largest_inputs(scorer: dict, sentences: Sentences) -> list[dict[str, np.ndarray]]:
    """For each matrix the largest magnitude of each of its inputs, over evenly spread sentences."""
    largest: list[dict[str, np.ndarray]] = [{} for _ in scorer["layers"]]
    key = jax.random.PRNGKey(0)
    for state in sentences.states[:: max(1, len(sentences.states) // CALIBRATION)]:
        x, mask = state.astype(np.float32)[None], np.zeros((1, len(state)), np.float32)
        for n, layer in enumerate(scorer["layers"]):

            def seen(name, y, n=n):
                most = np.abs(np.asarray(y)).reshape(-1, y.shape[-1]).max(0)
                largest[n][name] = np.maximum(largest[n].get(name, 0), most)

            x = through(layer, x, mask, key, 0, seen)
    return largest


def write(scorer: dict, sentences: Sentences, target: Path) -> None:
    tensors = {}
    for n, (layer, largest) in enumerate(zip(scorer["layers"], largest_inputs(scorer, sentences)), LAYERS - TUNED):
        for name in MATRICES:
            weight, of = np.asarray(layer[name]["weight"]), f"layer{n}.{name}"
            factors = smoothing(largest[name], weight)
            tensors[f"{of}.values"], tensors[f"{of}.scale"] = quantised_matrix(weight * factors)
            tensors[f"{of}.bias"], tensors[f"{of}.inputs"] = layer[name]["bias"], 1 / factors
        for name in ("attended", "output"):
            tensors[f"layer{n}.{name}.norm.weight"] = layer[f"{name}.norm"]["weight"]
            tensors[f"layer{n}.{name}.norm.bias"] = layer[f"{name}.norm"]["bias"]
    tensors["head.weight"] = SCALE * scorer["head"]["weight"]
    tensors["head.bias"] = np.reshape(scorer["head"]["bias"], 1)
    save_file({name: np.ascontiguousarray(value) for name, value in tensors.items()}, target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("readings", type=Path)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--parts", help="folds to measure, and `all` for the layers to keep; without it every one")
    asked = parser.parse_args()
    given = json.loads(asked.sentences.read_text())
    embedding, layers = load_model()
    lower, upper = layers[: LAYERS - TUNED], layers[LAYERS - TUNED :]
    sentences = Sentences(given["sentences"], embedding, lower)
    folds = sorted(set(sentences.folds))
    parts = asked.parts.split(",") if asked.parts else [*map(str, folds), "all"]
    keys = [row["key"] for row in given["sentences"]]
    readings = {}
    for fold in folds:
        if str(fold) not in parts:
            continue
        scorer = train_mean(sentences, np.flatnonzero(sentences.folds != fold), upper, asked.seeds)
        left = np.flatnonzero(sentences.folds == fold)
        readings |= {keys[n]: round(float(one), 4) for n, one in zip(left, scored(scorer, sentences, left))}
        asked.readings.write_text(json.dumps(readings))
    if "all" not in parts:
        return
    scorer = train_mean(sentences, np.arange(len(keys)), upper, asked.seeds)
    target = TARGET / "instruction-scorer_int8.safetensors"
    write(scorer, sentences, target)
    checksum = hashlib.sha256(target.read_bytes()).hexdigest()
    (TARGET / "instruction-scorer.json").write_text(json.dumps({"model": given["model"], "sha256": checksum}) + "\n")
    # Sentences that stand by themselves: nothing of a page is copied.
    made = np.array([n for n, row in enumerate(given["sentences"]) if not row["page"]])
    shown = made[:: len(made) // 24]
    golden = [
        {"text": given["sentences"][n]["text"], "odds": round(float(one), 3)}
        for n, one in zip(shown, scored(scorer, sentences, shown))
    ]
    GOLDEN.parent.mkdir(parents=True, exist_ok=True)
    GOLDEN.write_text(json.dumps(golden, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
