import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { forAll } from '../../support/for-all.ts';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stemOf } from '../../../src/domain/text/words/porter.ts';
import { foldedWord } from '../../../src/domain/text/words/words.ts';
import { rank } from '../../../src/store/sqlite/index/words/bm25.ts';
import { fullTextOf } from '../../../src/store/sqlite/index/words/full-text.ts';
import { accountSchema } from '../../../src/store/sqlite/schema.ts';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { isThorough } from '../../support/vitest/thorough.ts';

const folder = temporaryFolder();
mkdirSync(folder.path);
afterAll(() => folder.remove());
let made = 0;

function openFile(): { path: string; writer: SqliteFile; reader: SqliteFile; close(): void } {
  made += 1;
  const path = join(folder.path, `${made}.db`);
  const open = (readOnly: boolean) => SqliteFile.open({ path, schema: accountSchema, readOnly });
  const [writer, reader] = [open(false), open(true)];
  return {
    path,
    writer,
    reader,
    close() {
      writer.close();
      reader.close();
    },
  };
}

const long = 'long'.repeat(1_500);
const common = ['the', 'sleeping', 'dreams', 'x9', 'naïve', 'Straße', 'ΟΔΥΣΣΕΥΣ', 'सपना', 'елка', '猫図', '図書'];
const rare = [
  'dreamer',
  'dream',
  'sleepless',
  'ab',
  'abc',
  'abcd',
  'ıI',
  'ﬁn',
  'a\u0301b',
  'zażółć',
  '\u{10400}x',
  long,
];
const vocabulary = [...common, ...rare];
const word = fc.nat({ max: 999 }).map((n) => vocabulary[Math.floor((vocabulary.length * n ** 2) / 1e6)] ?? '');
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
const row = fc.record({ title: fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')), text });

/** What is done to an index in one transaction; `share` chooses among its rows. */
const change = fc.oneof(
  { weight: 5, arbitrary: fc.record({ add: fc.array(row, { minLength: 1, maxLength: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ add: fc.array(row, { minLength: 40, maxLength: 80 }) }) },
  { weight: 3, arbitrary: fc.record({ remove: fc.integer({ min: 2, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ retitle: fc.integer({ min: 2, max: 9 }), row }) },
  { weight: 3, arbitrary: fc.record({ merge: fc.constantFrom(-200, -3, -1, 1, 4, 16) }) },
  { weight: 1, arbitrary: fc.record({ optimize: fc.constant(true) }) },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(writer: SqliteFile, live: Set<number>, last: number, done: Change): number {
  const insert = (id: number, { title, text }: { title: string; text: string }) =>
    writer.run('INSERT INTO passage_words (rowid, title, text) VALUES (?, ?, ?)', id, title, text);
  const command = (name: string, value: number | null) =>
    writer.run('INSERT INTO passage_words (passage_words, rank) VALUES (?, CAST(? AS INTEGER))', name, value);
  const some = (share: number) => [...live].filter((id) => id % share === 0);
  let id = last;
  writer.write(() => {
    if ('add' in done) {
      for (const one of done.add) {
        id += 1 + (id % 3);
        insert(id, one);
        live.add(id);
      }
    } else if ('remove' in done) {
      for (const gone of some(done.remove)) {
        writer.run('DELETE FROM passage_words WHERE rowid = ?', gone);
        live.delete(gone);
      }
    } else if ('retitle' in done) {
      for (const changed of some(done.retitle)) {
        writer.run('DELETE FROM passage_words WHERE rowid = ?', changed);
        insert(changed, done.row);
      }
      writer.run('UPDATE libraries SET titles_given = titles_given + 1');
    } else if ('merge' in done) command('merge', done.merge);
    else command('optimize', null);
  });
  return id;
}

interface Scored {
  passageId: number;
  score: number;
}

const asked = vocabulary.map((one) => one.toLowerCase());
const rounded = (hits: readonly Scored[]) =>
  hits.toSorted((a, b) => a.passageId - b.passageId).map(({ passageId, score }) => `${passageId} ${score.toFixed(9)}`);
const all = [100_000, () => false] as const;

/** What `bm25()` of FTS5 says. */
function rankByStatement(reader: SqliteFile, expression: string): Scored[] {
  return reader.all<Scored>(
    'SELECT rowid AS passageId, -bm25(passage_words, 2.0, 1.0) AS score FROM passage_words WHERE passage_words MATCH ?',
    expression,
  );
}

/** Compares counts, scores and beginnings with those of FTS5, and returns how many questions it compared. */
function compare(reader: SqliteFile, questions: readonly (readonly string[])[]): number {
  reader.read(() => {
    const index = fullTextOf(reader);
    const find = (text: string, isPrefix = false) => index.find({ text, isPrefix });
    for (const one of asked) {
      const expected = rankByStatement(reader, `"${one}"`);
      expect([...find(one).ids].join()).toBe(expected.map(({ passageId }) => passageId).join());
      expect(index.count({ text: one, isPrefix: false })).toBe(expected.length);
    }
    for (const beginning of ['a', 'dre', 'sle', 'l', 'e', '図', 'zz', 'ze'])
      expect(rounded(rank(reader, [find(beginning, true)], ...all))).toEqual(
        rounded(rankByStatement(reader, `"${beginning}"*`)),
      );
    for (const words of questions) {
      const postings = words.map((one) => find(one));
      const expected = rankByStatement(reader, words.map((one) => `"${one}"`).join(' OR '));
      expect(rounded(rank(reader, postings, ...all))).toEqual(rounded(expected));
      const limit = Math.max(1, Math.floor(expected.length / 3));
      const best = rank(reader, postings, limit, () => false).map(({ score }) => score.toFixed(9));
      const scores = expected.map(({ score }) => score).sort((a, b) => b - a);
      expect(best).toEqual(scores.slice(0, limit).map((score) => score.toFixed(9)));
    }
  });
  return questions.length;
}

describe('the ranking of words', () => {
  const question = fc.uniqueArray(fc.constantFrom(...asked), { minLength: 2, maxLength: 6 });

  it('agrees with FTS5 in every state of an account', () => {
    forAll(
      isThorough ? 100 : 10,
      fc.array(change, { minLength: 2, maxLength: 10 }),
      fc.array(question, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(32, 64, 500, 4_050),
      fc.constantFrom(0, 2, 4),
      (changes, questions, pageSize, automerge) => {
        const { writer, reader, close } = openFile();
        const set = 'INSERT INTO passage_words (passage_words, rank) VALUES (?, CAST(? AS INTEGER))';
        writer.write(() => writer.run(set, 'pgsz', pageSize));
        writer.write(() => writer.run(set, 'automerge', automerge));
        const live = new Set<number>();
        let last = 0;
        for (const done of changes) {
          last = apply(writer, live, last, done);
          if (live.size === 0) continue;
          expect(compare(reader, questions)).toBe(questions.length);
        }
        close();
      },
    );
  });

  it('reuses nothing when a backup is restored over the open file', async () => {
    const { path, writer, reader, close } = openFile();
    const add = (text: string) =>
      writer.write(() => writer.run(`INSERT INTO passage_words (rowid, title, text) VALUES (2, '', ?)`, text));
    writer.write(() => writer.run(`INSERT INTO passage_words (rowid, title, text) VALUES (1, '', 'dreams')`));
    const backup = join(folder.path, 'backup.db');
    openRaw(path).exec(`VACUUM INTO '${backup}'`).close();
    add('sleeping');
    compare(reader, [['sleeping', 'dreams']]);
    await openRaw(backup).backup(path);
    add('dreams of more words than there were');
    compare(reader, [['sleeping', 'dreams']]);
    expect(reader.read(() => [...fullTextOf(reader).find({ text: 'dreams', isPrefix: false }).ids])).toEqual([1, 2]);
    close();
  });

  it('finds a word after a transaction that searched was rolled back', () => {
    const { writer, close } = openFile();
    writer.write(() => writer.run(`INSERT INTO passage_words (rowid, title, text) VALUES (1, '', 'dreams')`));
    const find = () => [...fullTextOf(writer).find({ text: 'dreams', isPrefix: false }).ids];
    expect(() =>
      writer.write(() => {
        expect(find()).toEqual([1]);
        throw new Error('rolled back');
      }),
    ).toThrow('rolled back');
    expect(find()).toEqual([1]);
    close();
  });

  it('keeps distant ids apart', () => {
    const { writer, close } = openFile();
    writer.write(() => {
      for (const id of [1, 2 ** 32 + 1, 2 ** 40])
        writer.run(`INSERT INTO passage_words (rowid, title, text) VALUES (?, 'a', 'dreams')`, id);
    });
    expect(compare(writer, [['dreams', 'the']])).toBe(1);
    close();
  });
});

describe('the stem of a plain word', () => {
  it('is the same as in the index', () => {
    const { writer, close } = openFile();
    writer.run(`CREATE VIRTUAL TABLE temp.words USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2')`);
    writer.run(`CREATE VIRTUAL TABLE temp.stems USING fts5vocab('temp', 'words', 'instance')`);
    const endings =
      'ational tional enci izer bli alli entli eli ousli ization ation ator alism iveness fulness biliti icate ative alize ical ful ness ' +
      'al ance er ic able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize s es ies sses ss eed ed ing ated izing y ll e';
    const letters = fc.stringMatching(/^[a-z0-9äéîñöüç]{1,8}$/);
    const words = fc
      .tuple(letters, fc.constantFrom('', ...endings.split(' ')), fc.constantFrom('', ...endings.split(' ')))
      .map((parts) => parts.join(''));
    forAll(
      fc.array(fc.oneof(words, fc.stringMatching(/^[a-zé0-9]{55,80}$/)), { minLength: 1, maxLength: 200 }),
      (all) => {
        writer.run('DELETE FROM temp.words');
        writer.run('INSERT INTO temp.words (rowid, word) VALUES (1, ?)', all.join(' '));
        const stems = writer
          .all<{ term: string }>('SELECT term FROM temp.stems ORDER BY offset')
          .map(({ term }) => term);
        expect(all.map((word) => stemOf(foldedWord(word)))).toEqual(stems);
      },
    );
    close();
  });

  it("can be computed without clearing the account's cache", () => {
    const { writer, close } = openFile();
    writer.run(`INSERT INTO passage_words (rowid, title, text) VALUES (1, '', 'đường øre')`);
    const before = writer.read(() => fullTextOf(writer));
    for (const text of ['đường', 'øre']) {
      expect(writer.read(() => fullTextOf(writer).count({ text, isPrefix: false }))).toBe(1);
      expect(fullTextOf(writer)).toBe(before);
    }
    close();
  });
});
