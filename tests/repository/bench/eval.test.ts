import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, runBuilt } from '../../support/command.ts';

// Every step starts the program again: on a busy machine that takes seconds.
let folder: string;

const data = (): string => join(folder, 'data');
const commonplace = (...args: string[]) => runBuilt(...args, '--data', data());

/** Runs `bench/eval.ts` as a person would. */
function runEval(...args: string[]): Promise<Outcome> {
  const program = join(import.meta.dirname, '../../../bench/eval.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
const evaluate = (...args: string[]) => runEval(...args, '--data', data());

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-eval-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

test('measures a collection', async () => {
  const collection = join(folder, 'insects');
  mkdirSync(collection);
  writeFileSync(
    join(collection, 'docs.jsonl'),
    lines([
      { id: 'a', title: 'Bees', text: 'Bees dance to tell where the flowers are.' },
      { id: 'b', title: '', text: 'Ants follow a trail of scent.' },
    ]),
  );
  writeFileSync(
    join(collection, 'queries.jsonl'),
    lines([
      { id: '1', text: 'why do bees dance' },
      { id: '2', text: 'ants scent trail' },
      { id: '3', text: 'not judged' },
    ]),
  );
  writeFileSync(join(collection, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\n1\ta\t1\n2\tb\t2\n');
  const { code, stdout, stderr } = await evaluate(collection, '--compare', 'embedder=none', '--json');
  expect(code, stderr).toBe(0);
  const perfect = { ndcg10: 1, recall10: 1, recall100: 1 };
  expect(JSON.parse(stdout)).toMatchObject({
    documents: 2,
    queries: 2,
    passages: 2,
    failed: 0,
    mode: 'hybrid',
    quotesShown: null,
    rankings: { lexical: perfect, dense: { recall100: 1 }, hybrid: perfect },
    compared: { settings: { embedder: 'none' }, mode: 'lexical', rankings: { lexical: perfect } },
  });
  expect((JSON.parse(stdout) as { compared: { rankings: object } }).compared.rankings).not.toHaveProperty('hybrid');
  expect((await evaluate(collection, '--embedder', 'none')).stdout).toMatch(/nDCG@10\s+1\.0000\s+–\s+–/);
});

test('measures questions about saved items and writes nothing', async () => {
  for (const [name, text] of [
    ['bees', 'Bees dance to tell the others where the flowers are.'],
    ['ants', 'Ants follow a trail of scent that the first of them laid.'],
  ] as const) {
    const file = join(folder, `${name}.txt`);
    writeFileSync(file, text);
    const address = `https://insects.invalid/${name}`;
    const saved = await commonplace('save', address, '--text-file', file, '--wait');
    expect(saved.code, saved.stderr).toBe(0);
  }
  const { items } = JSON.parse((await commonplace('list', '--json')).stdout) as {
    items: { id: string; url: string }[];
  };
  const idOf = (name: string) => items.find(({ url }) => url.endsWith(name))?.id;
  const file = join(folder, 'mine.jsonl');
  writeFileSync(
    file,
    lines([
      { query: 'why do bees dance', relevant: ['https://insects.invalid/bees'], quote: 'where the  FLOWERS are' },
      { query: 'the scent of ants', relevant: { [idOf('ants') ?? '']: 2 }, quote: 'words that stand nowhere' },
    ]),
  );
  const database = join(folder, 'data', 'accounts', 'local.db');
  const before = readFileSync(database);
  const { code, stdout, stderr } = await evaluate('--queries', file, '--compare', 'embedder=none', '--json');
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    collection: 'mine.jsonl',
    documents: 2,
    queries: 2,
    mode: 'hybrid',
    quotesShown: 0.5,
    rankings: { hybrid: { ndcg10: 1 }, lexical: { ndcg10: 1 } },
    compared: { mode: 'lexical', gained: [], lost: [] },
  });
  expect(readFileSync(database).equals(before)).toBe(true);
  expect((await evaluate('--queries', file)).stdout).toMatch(/answers with the quote\s+50 %/);
});

test('eval and doctor count the passages that wait for vectors and give no figure for meaning meanwhile', async () => {
  const waiting = ['--data', join(folder, 'waiting')];
  const text = join(folder, 'moths.txt');
  writeFileSync(text, 'Moths steer by the moon.');
  const address = 'https://insects.invalid/moths';
  const saved = await runBuilt('save', address, '--text-file', text, '--wait', '--embedder', 'none', ...waiting);
  expect(saved.code, saved.stderr).toBe(0);
  const file = join(folder, 'moths.jsonl');
  writeFileSync(file, lines([{ query: 'what moths steer by', relevant: [address] }]));
  const { stdout } = await runEval('--queries', file, ...waiting);
  expect(stdout).toContain('1 of 1 passages wait for their vector: words alone answered.');
  expect(stdout).toMatch(/nDCG@10\s+1\.0000\s+–\s+–/);
  expect((await runBuilt('doctor', ...waiting)).stdout).toMatch(
    /! +Search by meaning.*0 of 1 passages: words alone answer/s,
  );
});

test.each([
  [[], 'one of the two'],
  [['/nowhere', '--queries', '/nowhere'], 'one of the two'],
  [['--queries', '/nowhere'], 'one question a line'],
  [['/nowhere', '--compare', 'workers'], 'a setting and its value'],
  [['/nowhere', '--compare', 'colour=red'], 'not a setting'],
  [['/nowhere', '--compare', 'claudeApiKey=x'], 'not a setting'],
  [['/nowhere', '--compare', 'embedder=best'], 'embedder'],
])('%j exits 2 and says why', async (args, words) => {
  const { code, stderr } = await evaluate(...args);
  expect(stderr).toContain(words);
  expect(code).toBe(2);
});

test('an invalid line, and a line about an item that is not saved, are named', async () => {
  const file = join(folder, 'bad.jsonl');
  writeFileSync(file, '\n{"query": "x"}\n');
  expect((await evaluate('--queries', file)).stderr).toContain('line 2 is not a question');
  writeFileSync(file, lines([{ query: 'x', relevant: ['https://nowhere.invalid/'] }]));
  expect((await evaluate('--queries', file)).stderr).toContain('line 1: https://nowhere.invalid/');
});
