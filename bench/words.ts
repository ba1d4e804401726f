/*
 * What a search by words costs in a large account, beside FTS5 ranking all of its words ("plain"), and those in at most a
 * share of the passages, `--common` ("fewer"), in the same run:
 *
 *   node bench/words.ts [passages…] [--cache <folder>] [--common 0.4]
 *
 * The texts are made: words by Zipf's law over 300,000, the commonest of them English function words, passages of 40 to 120
 * words. Questions are 3 to 8 words in a row of some passage. Times are milliseconds of processor time (on a busy machine the
 * clock counts what others do, too); p50 by the clock stands beside them. Making a million passages takes minutes: `--cache` keeps them.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wordsOf } from '../src/domain/text/words/words.ts';
import { indexedText } from '../src/domain/search/index-terms.ts';
import { accountSchema } from '../src/store/sqlite/schema.ts';
import { SqliteFile } from '../src/store/sqlite/files/sqlite-file.ts';
import { searchWords } from '../src/store/sqlite/index/words/word-search.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { cache: { type: 'string' }, common: { type: 'string' } },
});
const counts = positionals.length > 0 ? positionals.map(Number) : [10_000, 100_000];
const questions = 300;
const passagesPerItem = 20;
const depth = 200;

const commonest = (
  'the of and to a in is that for it as was with be by on not he his but at are this have from or had an which one you were all ' +
  'her she there would their we him been has when who will no more if out so what up said about than its into them can only'
).split(' ');
const vocabulary = 300_000;
const cumulative = new Float64Array(vocabulary);
cumulative.forEach((_, rank) => {
  cumulative[rank] = (cumulative[rank - 1] ?? 0) + 1 / (rank + 2.7) ** 1.05;
});

/** The same numbers in every run (Numerical Recipes' generator). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function pickRank(random: () => number): number {
  const wanted = random() * (cumulative.at(-1) ?? 0);
  let [low, high] = [0, vocabulary - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A word that no stemmer changes. */
function wordOf(rank: number): string {
  let word = commonest[rank] ?? '';
  for (let rest = word === '' ? rank : 0; rest > 0; rest = Math.floor(rest / 80)) {
    word += `${'bcdfghklmnprstvz'[rest % 16] ?? ''}${'aeiou'[(rest >> 4) % 5] ?? ''}`;
  }
  return rank < commonest.length ? word : `${word}k`;
}

function fill(file: SqliteFile, passages: number): void {
  const random = createRandom(42);
  const text = (words: number) => Array.from({ length: words }, () => wordOf(pickRank(random))).join(' ');
  for (let from = 0; from < passages; from += 10_000) {
    file.write(() => {
      for (let id = from + 1; id <= Math.min(passages, from + 10_000); id += 1) {
        const item = Math.floor((id - 1) / passagesPerItem) + 1;
        if ((id - 1) % passagesPerItem === 0) addItem(file, item, Math.min(passagesPerItem, passages - id + 1));
        const written = text(40 + Math.floor(random() * 80));
        file.run(
          `INSERT INTO passages (id, document, item, ordinal, start_at, end_at, heading_path, locator, text)
           VALUES (?, ?, ?, ?, 0, 0, '[]', '{}', ?)`,
          id,
          item,
          item,
          (id - 1) % passagesPerItem,
          written,
        );
        file.run(
          'INSERT INTO passage_words (rowid, title, text) VALUES (?, ?, ?)',
          id,
          indexedText(text(6)),
          indexedText(written),
        );
      }
    });
  }
}

function addItem(file: SqliteFile, item: number, passages: number): void {
  file.run(
    `INSERT INTO items (seq, id, url, canonical_url, passage_count, created_at, updated_at, content_type)
     VALUES (@item, 'c_' || @item, 'u' || @item, 'u' || @item, @passages, 0, 0, 'article')`,
    { item, passages },
  );
  file.run(
    `INSERT INTO documents (id, item, version, content_type, word_count, warnings, text_hash, created_at, text, blocks)
     VALUES (@item, @item, 1, 'article', 0, '[]', x'00', 0, '', '[]')`,
    { item },
  );
  file.run('UPDATE items SET visible_document = seq WHERE seq = ?', item);
}

function askFor(file: SqliteFile, passages: number): string[] {
  const random = createRandom(7);
  return Array.from({ length: questions }, () => {
    const id = 1 + Math.floor(random() * passages);
    const words = file.get<{ text: string }>('SELECT text FROM passages WHERE id = ?', id)?.text.split(' ') ?? [];
    const length = 3 + Math.floor(random() * 6);
    const start = Math.floor(random() * (words.length - length));
    return words.slice(start, start + length).join(' ');
  });
}

/** FTS5 as it comes: every word of the question ranked by BM25. */
function searchPlainly(file: SqliteFile, question: string): void {
  const words = [...new Set(wordsOf(question).map(({ text }) => `"${text}"`))].join(' OR ');
  file.all(
    'SELECT rowid FROM passage_words WHERE passage_words MATCH ? ORDER BY bm25(passage_words, 2.0, 1.0) LIMIT ?',
    words,
    depth,
  );
}

/** Words in more of the passages are left out while two rarer ones remain. */
const commonShare = Number(options.common ?? 0.4);
const minWords = 2;

/** The same without the commonest words. The numbers of passages are counted once for each word. */
function createSearchWithoutCommonest(file: SqliteFile, passages: number): (question: string) => void {
  const counts = new Map<string, number>();
  const countOf = (word: string): number => {
    const known =
      counts.get(word) ??
      file.get<{ count: number }>('SELECT count(*) AS count FROM passage_words WHERE passage_words MATCH ?', word)
        ?.count ??
      0;
    counts.set(word, known);
    return known;
  };
  return (question) => {
    const words = [...new Set(wordsOf(question).map(({ text }) => `"${text}"`))];
    const rarestFirst = words.toSorted((one, another) => countOf(one) - countOf(another));
    const chosen = rarestFirst.filter((word, at) => at < minWords || countOf(word) <= passages * commonShare);
    file.all(
      'SELECT rowid FROM passage_words WHERE passage_words MATCH ? ORDER BY bm25(passage_words, 2.0, 1.0) LIMIT ?',
      chosen.join(' OR '),
      depth,
    );
  };
}

interface Taken {
  processor: number[];
  clock: number[];
}

function measure(taken: Taken, work: () => void): void {
  const [started, start] = [process.threadCpuUsage(), performance.now()];
  work();
  taken.clock.push(performance.now() - start);
  const { user, system } = process.threadCpuUsage(started);
  taken.processor.push((user + system) / 1_000);
}

function quantile(times: readonly number[], share: number): string {
  return (times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1).padStart(8);
}

process.stdout.write('passages   by      p50     p95    mean   p50 by the clock   (ms)\n');
for (const passages of counts) {
  const folder = options.cache ?? mkdtempSync(join(tmpdir(), 'commonplace-words-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${passages}.db`);
  const isNew = !existsSync(path);
  const file = SqliteFile.open({ path, schema: accountSchema, readOnly: false });
  if (isNew) fill(file, passages);
  const asked = askFor(file, passages);
  const ours: Taken = { processor: [], clock: [] };
  const plain: Taken = { processor: [], clock: [] };
  const fewer: Taken = { processor: [], clock: [] };
  const searchWithoutCommonest = createSearchWithoutCommonest(file, passages);
  for (const question of asked.slice(0, 20)) searchWords(file, question, {}, depth);
  for (const [at, question] of asked.entries()) {
    measure(ours, () => searchWords(file, question, {}, depth));
    measure(fewer, () => searchWithoutCommonest(question));
    // Ranking everything takes so long in a large account that some of the questions have to do.
    if (at % Math.ceil(passages / 50_000) === 0) measure(plain, () => searchPlainly(file, question));
  }
  const mean = ({ processor }: Taken) => processor.reduce((sum, time) => sum + time, 0) / processor.length;
  for (const [name, taken] of Object.entries({ ours, fewer, plain })) {
    const { processor, clock } = taken;
    process.stdout.write(
      `${String(passages).padEnd(9)} ${name.padEnd(6)}${quantile(processor, 0.5)}${quantile(processor, 0.95)}${mean(taken).toFixed(1).padStart(8)}${quantile(clock, 0.5)}\n`,
    );
  }
  process.stdout.write(`${''.padEnd(9)} ratio of the means ${(mean(plain) / mean(ours)).toFixed(1)}\n`);
  file.close();
  if (options.cache === undefined) rmSync(folder, { recursive: true });
}
