import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { layOutTranscript, type Transcript } from '../../src/domain/document.ts';
import { sniffResource } from '../../src/fetching/sniff.ts';
import { sourceSentences } from '../../src/models/extractive-candidates.ts';
import { featuresOf, type Marks } from '../../src/models/extractive-features.ts';
import { findInstruction } from '../../src/models/extractive-instructions.ts';
import { profileOfPage } from '../../src/models/extractive-model.ts';
import { loadTagger } from '../../src/models/extractive-tagger.ts';
import { extractPage } from '../../src/sources/extract-page.ts';
import { fit, score, type LinearModel, type SparseRow } from './logistic.ts';

/*
 * Trains the model that tells things to do from other instructions: `node scripts/actions/train.ts <corpora> [--documents FILE]
 * [--folds N]`. With `--folds` it writes no model, but measures: each group of sentences and each page is judged by a
 * model that has not seen it. `--documents` keeps what was read of the pages for the next run. Held-out sentences are never read.
 */

interface LabelledRow {
  group: string;
  label: number;
  page: boolean;
  /** Null where the grammar finds no instruction: missed, whatever the model says. */
  marks: Marks | null;
}

interface PageText extends Transcript {
  id: string;
  title: string | null;
}

const args = process.argv.slice(2);
const corpora = args.find((arg, i) => !arg.startsWith('--') && !args[i - 1]?.startsWith('--'));
if (corpora === undefined) throw new Error('Give the folder of the corpora.');
const option = (name: string): string | undefined => args[args.indexOf(`--${name}`) + 1 || args.length];

/** What single words say holds less elsewhere than what classes of words say. */
const lexical = /^(?:word|two|pair|triple|verb|next|last|heading|opening|manner) /;
const runs = /^(?:two|triple|pair|verb \S+) \S/;
const penalties = { lexical: 2, other: 1.5 };
const company = 0.5;
const least = { page: 0.7, alone: 0.3 };

const tag = await loadTagger();
const rows = [...madeSentences(), ...(await pageSentences(join(corpora, 'articles')))];
const folds = Number(option('folds') ?? 0);
if (folds > 1) measure();
else writeModel();

function madeSentences(): LabelledRow[] {
  const lines = readLines<{ text: string; action: boolean; group: string; split: string }>('action-sentences.jsonl');
  return lines.flatMap(({ text, action, group, split }, n) => {
    if (split !== 'train') return [];
    // The long mixed lists are no groups of one subject; forty of them in a row are.
    const named = group.endsWith('list') ? `${group} ${Math.floor(n / 40)}` : group;
    const found = [...sourceSentences(layOutTranscript([{ kind: 'paragraph', text }]))].flatMap((sentence) => {
      const imperative = findInstruction(sentence, tag);
      return imperative === null ? [] : [featuresOf(sentence, imperative, null)];
    });
    return [{ group: named, label: action ? 1 : 0, page: false, marks: found[0] ?? null }];
  });
}

async function pageSentences(folder: string): Promise<LabelledRow[]> {
  const labels = new Map<string, Map<string, number>>();
  for (const { page, sentence, action } of readLines<{ page: string; sentence: string; action: boolean }>(
    'page-sentences.jsonl',
  )) {
    const known = labels.get(page) ?? new Map<string, number>();
    labels.set(page, known.set(sentence, action ? 1 : 0));
  }
  const found: LabelledRow[] = [];
  for (const document of await readPages(folder, labels)) {
    const known = labels.get(document.id);
    if (known === undefined) continue;
    const sentences = [...sourceSentences(document)];
    const code = document.blocks.filter(({ kind }) => kind === 'code');
    const codeShare = code.reduce((sum, { start, end }) => sum + end - start, 0) / document.text.length;
    const profile = profileOfPage(document.title, sentences, codeShare);
    for (const sentence of sentences) {
      const hash = createHash('sha256').update(sentence.plain).digest('hex').slice(0, 16);
      const label = known.get(hash);
      const imperative = label === undefined ? null : findInstruction(sentence, tag);
      if (label === undefined || imperative === null) continue;
      known.delete(hash);
      const marks = featuresOf(sentence, imperative, profile);
      found.push({ group: `page ${document.id}`, label, page: true, marks });
    }
  }
  return found;
}

async function readPages(folder: string, wanted: ReadonlyMap<string, unknown>): Promise<PageText[]> {
  const kept = option('documents');
  if (kept !== undefined && existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as PageText[];
  const read: PageText[] = [];
  for (const line of readFileSync(join(folder, 'manifest.jsonl'), 'utf8').trim().split('\n')) {
    const { id, url, html } = JSON.parse(line) as { id: string; url: string; html: string };
    if (!wanted.has(id)) continue;
    const bytes = new Uint8Array(gunzipSync(readFileSync(join(folder, html))));
    const { text } = await sniffResource(bytes, 'text/html', url);
    const { title, blocks } = await extractPage(text ?? '', url);
    read.push({ id, title, ...layOutTranscript(blocks) });
  }
  if (kept !== undefined) writeFileSync(kept, JSON.stringify(read));
  return read;
}

interface Trained {
  names: string[];
  model: LinearModel;
}

function train(chosen: readonly LabelledRow[]): Trained {
  const count = new Map<string, number>();
  for (const { marks } of chosen) for (const name of marks?.keys() ?? []) count.set(name, (count.get(name) ?? 0) + 1);
  const names = [...count].filter(([name, n]) => n >= (runs.test(name) ? 4 : 2)).map(([name]) => name);
  const columns = new Map(names.map((name, i) => [name, i]));
  const known = chosen.flatMap(({ marks, label }) => (marks === null ? [] : [sparseRow(marks, label, columns)]));
  const penalty = Float32Array.from(names, (name) => (lexical.test(name) ? penalties.lexical : penalties.other));
  return { names, model: fit(known, penalty) };
}

function sparseRow(marks: Marks, label: number, columns: ReadonlyMap<string, number>): SparseRow {
  const known = [...marks].flatMap(([name, value]) => {
    const column = columns.get(name);
    return column === undefined ? [] : [[column, value] as const];
  });
  return {
    columns: Int32Array.from(known, ([column]) => column),
    values: Float32Array.from(known, ([, value]) => value),
    label,
  };
}

function measure(): void {
  const fold = new Map([...new Set(rows.map(({ group }) => group))].map((group, n) => [group, (n * 7) % folds]));
  const scores = new Map<LabelledRow, number>();
  for (let n = 0; n < folds; n += 1) {
    const { names, model } = train(rows.filter(({ group }) => fold.get(group) !== n));
    const columns = new Map(names.map((name, i) => [name, i]));
    for (const row of rows)
      if (row.marks !== null && fold.get(row.group) === n)
        scores.set(row, score(model, sparseRow(row.marks, 0, columns)));
  }
  const mates = Map.groupBy(rows, ({ group }) => group);
  const final = rows.map((row) => {
    const own = scores.get(row) ?? -Infinity;
    if (!row.page) return own - least.alone;
    const others = (mates.get(row.group) ?? []).filter((other) => other !== row);
    const sum = others.reduce((total, other) => total + Math.max(-4, Math.min(4, scores.get(other) ?? 0)), 0);
    return own + (company * sum) / (others.length + 1) - least.page;
  });
  const table = [false, true].flatMap((page) =>
    [-1, -0.5, 0, 0.5, 1, 1.5].map((limit) => {
      const [right, wrong, all] = [0, 0, 0];
      const sums = { right, wrong, all };
      for (const [i, row] of rows.entries()) {
        if (row.page !== page) continue;
        sums.all += row.label;
        if ((final[i] ?? 0) >= limit) sums[row.label === 1 ? 'right' : 'wrong'] += 1;
      }
      return {
        rows: page ? 'sentences of pages' : 'made sentences',
        'above what is kept': limit,
        precision: (sums.right / (sums.right + sums.wrong)).toFixed(3),
        recall: (sums.right / sums.all).toFixed(3),
      };
    }),
  );
  console.table(table);
}

/** A line for each mark, in order of the alphabet, so that a change can be looked at; the weakest say nothing. */
function writeModel(): void {
  const { names, model } = train(rows);
  const weights = names
    .map((name, i) => [name, Number((model.weights[i] ?? 0).toFixed(2))] as const)
    .filter(([, weight]) => Math.abs(weight) >= 0.03)
    .toSorted(([x], [y]) => (x < y ? -1 : 1))
    .map(([name, weight]) => `${JSON.stringify(name)}:${weight}`);
  mkdirSync('assets/actions', { recursive: true });
  const head = JSON.stringify({ bias: Number(model.bias.toFixed(3)), company, least }).slice(0, -1);
  writeFileSync('assets/actions/model.json', `${head},"weights":{\n${weights.join(',\n')}\n}}\n`);
}

function readLines<Line>(name: string): Line[] {
  return readFileSync(new URL(`../../bench/data/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
}
