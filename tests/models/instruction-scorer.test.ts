import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMiniLmFiles } from '../../src/models/embedding/minilm/files.ts';
import { openBranchingMiniLm, openMiniLm, openPlacedModel } from '../../src/models/embedding/minilm/forward.ts';
import {
  loadInstructionScorer,
  oddsOf,
  scorerFile,
  tokensOf,
} from '../../src/models/embedding/minilm/instruction-scorer.ts';
import { openKernel } from '../../src/models/embedding/minilm/kernel.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';
import { loadTokenizer } from '../../src/models/embedding/tokenizers/load-tokenizer.ts';
import { rememberingLog } from '../support/stores.ts';

const files = readMiniLmFiles();
const tokenizer = await loadTokenizer(files.tokenizer);

/** A model, and its scorer as the threads of the model's process run it. */
function openScorer() {
  const kernel = openKernel('pairs');
  const model = openBranchingMiniLm(kernel, files.model, files);
  const run = openPlacedModel(kernel, model.placed, model.takeBuffers());
  const { head, layers } = loadInstructionScorer(model, scorerFile)!;
  return {
    model,
    score: (text: string, around: string) => oddsOf(head, run(tokensOf(tokenizer, text, around), layers)),
  };
}

const { model, score } = openScorer();

/** What `scripts/actions/tune.py` computed with floats, for sentences that it was trained on. */
const golden: { text: string; odds: number }[] = JSON.parse(
  readFileSync(new URL('../fixtures/actions/golden.json', import.meta.url), 'utf8'),
);

test('the shipped layers score as those that were trained, but for their quantisation', () => {
  expect(golden.length).toBeGreaterThanOrEqual(20);
  const apart = golden.map(({ text, odds }) => Math.abs((score(text, '')[0] ?? Number.NaN) - odds));
  expect(Math.max(...apart)).toBeLessThan(1.5);
  expect(apart.reduce((sum, one) => sum + one, 0) / apart.length).toBeLessThan(0.4);
  expect(golden.filter(({ text, odds }) => score(text, '')[0]! > 0 !== odds > 0)).toEqual([]);
});

test('a sentence is judged the same whatever was judged or embedded before, and what it stands under counts', () => {
  const { score: fresh } = openScorer();
  const texts = golden.map(({ text }) => text);
  const inOrder = texts.map((text) => score(text, 'What to do'));
  for (const [at, text] of [...texts.entries()].toReversed()) {
    expect(fresh(text, 'What to do')).toEqual(inOrder[at]);
    expect(fresh(text, '')).not.toEqual(inOrder[at]);
  }
});

test('layers of its own leave the model’s vectors as they are', () => {
  const alone = openMiniLm(openKernel('pairs'), files.model, files);
  for (const { text } of golden.slice(0, 4)) {
    const ids = tokenizer.encode(text, files.maxTokens);
    expect(model.run(ids)).toEqual(alone(ids));
  }
});

test('a sentence and its heading keep their marks, however long they are', () => {
  const [begin, end] = [tokenizer.encode('', 8)[0], tokenizer.encode('', 8)[1]];
  const long = 'a word and another one '.repeat(40);
  const ids = tokensOf(tokenizer, long, long);
  expect(ids.length).toBeLessThanOrEqual(80);
  expect(ids.filter((id) => id === begin)).toHaveLength(1);
  expect(ids.filter((id) => id === end)).toHaveLength(2);
  expect(ids.at(-1)).toBe(end);
});

test('a file that cannot be read gives no scorer, and the model lives on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-scorer-'));
  const broken = join(folder, 'scorer.safetensors');
  writeFileSync(broken, readFileSync(scorerFile).subarray(0, 100_000));
  expect(loadInstructionScorer(model, broken)).toBeNull();
  rmSync(folder, { recursive: true });
  expect(loadInstructionScorer(model, broken)).toBeNull();
  expect(Math.hypot(...model.run([101, 2_000, 102]))).toBeCloseTo(1, 5);
});

test('the model’s process judges and embeds in turn', async () => {
  const embedder = createMiniLm({ idleMs: 60_000, log: rememberingLog() });
  const signal = new AbortController().signal;
  try {
    const [first, second] = golden;
    const [odds, vector] = await Promise.all([
      embedder.scoreInstructions(
        [first!, second!].map(({ text }) => ({ text, around: '' })),
        signal,
      ),
      embedder.embedQuery('tea', signal),
    ]);
    expect(odds).toEqual([score(first!.text, '')[0], score(second!.text, '')[0]]);
    expect(vector).toEqual(model.run(tokenizer.encode('tea', files.maxTokens)));
  } finally {
    await embedder.close();
  }
});
