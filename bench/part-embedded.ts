/*
 * What search is worth while only some items have vectors: words alone, and both fused.
 *
 *   npm run build && npx node bench/part-embedded.ts <folder of collections> <folder of their data>
 *
 * The data folders are those that `bench/quality.ts --cache` left behind. Whole items at random are taken for embedded, the same ones
 * for every way of ranking; the list found by meaning holds those alone.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '../src/app/app.ts';

import { documentIdOf, readCollection, noAnalysis, countPassages } from './retrieval/collection.ts';
import { loadConfig } from '../src/settings/config.ts';
import { fuseRankings } from '../src/search/ranking.ts';
import type { RankedPassage } from '../src/domain/records/texts/passage.ts';
import { mean, ndcg, type Judgements } from './retrieval/metrics.ts';

const parts = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1];
const draws = 10;
const depth = 200;

const [root, data] = process.argv.slice(2);
if (root === undefined || data === undefined) throw new Error('usage: part-embedded.ts <collections> <their data>');

/** The same for the same item and draw, evenly spread over 0–1. */
function chance(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

process.stdout.write('nDCG@10, mean of the draws; "worst" is the draw that is worst against words alone\n');
process.stdout.write('collection       part  words   fused   worst   words count half without a vector\n');
for (const name of readdirSync(data).sort()) {
  if (!existsSync(join(root, name, 'docs.jsonl'))) continue;
  const { queries, judgements } = await readCollection(join(root, name));
  const app = await createApp(loadConfig({ data: join(data, name), logLevel: 'error' }, {}), { analyst: noAnalysis });
  const { embedder } = app;
  if (embedder === null) throw new Error('this measures the built-in embedder: do not set it to none');
  const store = await app.stores.open('local');
  const passages = await countPassages(app);
  const documents = new Map<number, string>();
  const asked: { ofQuery: Judgements; lexical: RankedPassage[]; semantic: RankedPassage[] }[] = [];
  for (const { id, text } of queries) {
    const ofQuery = judgements.get(id);
    if (ofQuery === undefined) continue;
    const lexical = await store.searchWords(text, {}, depth);
    const vector = await embedder.embedQuery(text, AbortSignal.timeout(60_000));
    const semantic = await store.searchVectors(embedder.id, vector, {}, passages);
    const unknown = [...lexical, ...semantic].map((hit) => hit.passageId).filter((one) => !documents.has(one));
    for (const found of await store.readPassages(unknown))
      documents.set(found.passageId, documentIdOf(found.itemUrl ?? ''));
    asked.push({ ofQuery, lexical, semantic });
  }
  await app.close();
  const documentOf = ({ passageId }: RankedPassage): string => documents.get(passageId) ?? '';
  const score = (rank: (one: (typeof asked)[number]) => readonly RankedPassage[]) =>
    mean(asked.map((one) => ndcg([...new Set(rank(one).map(documentOf))], one.ofQuery, 10)));
  const words = score(({ lexical }) => lexical);
  for (const part of parts) {
    const scores = Array.from({ length: draws }, (_, draw) => {
      const isEmbedded = (hit: RankedPassage) => chance(`${draw} ${documentOf(hit)}`) < part;
      const near = (hits: readonly RankedPassage[]) => hits.filter(isEmbedded).slice(0, depth);
      const waiting = (hits: readonly RankedPassage[]) =>
        new Set(hits.filter((hit) => !isEmbedded(hit)).map(({ passageId }) => passageId));
      return {
        fused: score(({ lexical, semantic }) => fuseRankings(lexical, near(semantic), waiting(lexical))),
        halved: score(({ lexical, semantic }) => fuseRankings(lexical, near(semantic))),
      };
    });
    const fused = scores.map((one) => one.fused);
    const cells = [words, mean(fused), Math.min(...fused), mean(scores.map(({ halved }) => halved))];
    process.stdout.write(
      `${name.padEnd(16)} ${String(part).padEnd(5)} ${cells.map((cell) => cell.toFixed(4).padEnd(7)).join(' ')}\n`,
    );
  }
}
process.exit(0);
