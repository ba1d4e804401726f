/*
 * What the sentence model alone is worth on a retrieval collection: nDCG@10 of whole documents (title and text, cut to the
 * model's 256 tokens), as `scripts/export-model/check_retrieval.py` measures it for the original.
 *
 *   npm run build && npx node bench/dense.ts <folder with docs.jsonl, queries.jsonl, qrels.tsv>
 */
import { readCollection } from './retrieval/collection.ts';
import { mean, ndcg } from './retrieval/metrics.ts';
import { readMiniLmFiles } from '../src/models/embedding/minilm/files.ts';
import { openMiniLm } from '../src/models/embedding/minilm/forward.ts';
import { chooseKernel, openKernel } from '../src/models/embedding/minilm/kernel.ts';
import { loadWordPiece } from '../src/models/embedding/tokenizers/wordpiece.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: dense.ts <folder of a collection>');
const { model, id, maxTokens } = readMiniLmFiles();
const wordPiece = await loadWordPiece();
const run = openMiniLm(openKernel(chooseKernel()), model);
const embed = (text: string): Float32Array => run(wordPiece.encode(text, maxTokens));

const { documents, queries, judgements } = await readCollection(folder);
const vectors = documents.map(({ title, text }) => embed(`${title}\n${text}`.trim()));
const scores: number[] = [];
for (const query of queries) {
  const graded = judgements.get(query.id);
  if (graded === undefined || Math.max(...graded.values()) <= 0) continue;
  const asked = embed(query.text);
  const ranked = documents
    .map((document, at) => ({ id: document.id, score: asked.reduce((sum, x, d) => sum + x * vectors[at]![d]!, 0) }))
    .sort((a, b) => b.score - a.score);
  scores.push(
    ndcg(
      ranked.slice(0, 10).map((document) => document.id),
      graded,
      10,
    ),
  );
}
console.log(`${id}: nDCG@10 ${mean(scores).toFixed(4)} over ${scores.length} queries, ${documents.length} documents`);
