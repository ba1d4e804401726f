/*
 * Prepares the multilingual-e5-small that unpack.py wrote as `commonplace model install` does, and compares token ids and vectors
 * with those of reference.py: `npm run build && node scripts/check-e5/compare.ts FOLDER`.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installableModels } from '../../src/app/choose-embedder.ts';
import { loadTokenizer, readModelFiles } from '../../src/models/embedding/minilm/files.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';
import { prepareModel } from '../../src/models/embedding/minilm/prepare-model.ts';

const never = new AbortController().signal;
const quiet = (): void => undefined;
const [folder] = process.argv.slice(2);
const model = installableModels.find(({ name }) => name === 'multilingual-e5-small');
if (folder === undefined || model === undefined) throw new Error('usage: compare.ts FOLDER');

const prepared = join(folder, 'prepared');
mkdirSync(prepared, { recursive: true });
for (const name of ['model.safetensors', 'tokenizer.json']) copyFileSync(join(folder, name), join(prepared, name));
await prepareModel(model, prepared, quiet, never);

interface Reference {
  text: string;
  ids: number[];
  vector: number[];
}
const reference: Reference[] = JSON.parse(readFileSync(join(folder, 'reference.json'), 'utf8'));
const files = readModelFiles(prepared);
const tokenizer = await loadTokenizer(files.tokenizer);
const isSame = ({ text, ids }: Reference): boolean =>
  JSON.stringify(tokenizer.encode(text, Number.POSITIVE_INFINITY)) === JSON.stringify(ids);
process.stdout.write(`token ids: ${reference.filter(isSame).length} of ${reference.length} texts the same\n`);

const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const embedder = createMiniLm({ files, idleMs: 60_000, log });
const cosines: number[] = [];
for (const { text, vector } of reference) {
  const ours = text.startsWith(model.queryPrefix)
    ? await embedder.embedQuery(text.slice(model.queryPrefix.length), never)
    : (await embedder.embedPassages([text.slice(model.passagePrefix.length)], never))[0];
  cosines.push(vector.reduce((sum, value, at) => sum + value * (ours?.[at] ?? 0), 0));
}
await embedder.close();
const mean = cosines.reduce((sum, one) => sum + one, 0) / cosines.length;
process.stdout.write(`cosine to plain arithmetic: mean ${mean.toFixed(4)}, least ${Math.min(...cosines).toFixed(4)}\n`);
process.stdout.write(`mean cosine of unrelated texts: ${files.unrelatedCosine}\n`);
