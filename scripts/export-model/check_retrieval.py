"""Prints dense nDCG@10 of the original model on a retrieval collection.

    python check_retrieval.py FLOAT_ONNX TOKENIZER COLLECTION

COLLECTION holds docs.jsonl (id, title, text), queries.jsonl (id, text) and qrels.tsv (query, document, grade). A document
is its title and text, cut to the model's 256 tokens; every document is scored by the dot product with the question.
bench/dense.ts measures the product's own model in the same way.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from embedding import embedder, load_tokenizer


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf8").splitlines() if line]


def judgements(path: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for line in path.read_text("utf8").splitlines():
        query, document, grade = line.split("\t")
        if grade.lstrip("-").isdigit():
            grades[query][document] = int(grade)
    return grades


def ndcg(ranked: list[str], grades: dict[str, int], depth: int = 10) -> float:
    """As trec_eval: linear gains, log2 discount, the ideal order over all judged documents."""
    discount = 1 / np.log2(np.arange(2, depth + 2))
    gains = np.array([max(grades.get(document, 0), 0) for document in ranked[:depth]], float)
    ideal = np.array(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:depth], float)
    return float(gains @ discount[: len(gains)] / (ideal @ discount[: len(ideal)]))


def main(float_model: str, tokenizer_file: str, collection: str) -> None:
    folder = Path(collection)
    documents, queries = lines(folder / "docs.jsonl"), lines(folder / "queries.jsonl")
    qrels = judgements(folder / "qrels.tsv")
    judged = [query for query in queries if any(grade > 0 for grade in qrels.get(query["id"], {}).values())]
    tokenizer = load_tokenizer(Path(tokenizer_file))
    names = [document["id"] for document in documents]
    embed = embedder(Path(float_model), tokenizer)
    matrix = embed([f"{document.get('title') or ''}\n{document['text']}".strip() for document in documents])
    scores = embed([query["text"] for query in judged]) @ matrix.T
    order = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    values = [ndcg([names[i] for i in row], qrels[query["id"]]) for row, query in zip(order, judged)]
    print(f"nDCG@10 {np.mean(values):.4f} over {len(judged)} queries, {len(documents)} documents")


if __name__ == "__main__":
    main(*sys.argv[1:])
