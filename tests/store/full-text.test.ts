import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../support/raw-database.ts';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stemOf } from '../../src/domain/text/words/porter.ts';
import { foldedWord } from '../../src/domain/text/words/words.ts';
import { FullText, fullTextOf } from '../../src/store/sqlite/index/full-text/full-text.ts';
import { Neighbours } from '../../src/store/sqlite/index/full-text/neighbours.ts';
import { UnsupportedIndexFormat } from '../../src/store/sqlite/index/full-text/unsupported-index-format.ts';
import { accountSchema } from '../../src/store/sqlite/schema.ts';
import { SqliteFile } from '../../src/store/sqlite/files/sqlite-file.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { isThorough } from '../support/thorough.ts';

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

const quoted = (words: readonly string[]) => words.map((one) => `"${one}"`).join(' OR ');
const asked = vocabulary.map((one) => one.toLowerCase());

/** What FTS5 says. */
function rankByStatement(reader: SqliteFile, expression: string): Scored[] {
  return reader.all<Scored>(
    'SELECT rowid AS passageId, -bm25(passage_words, 2.0, 1.0) AS score FROM passage_words WHERE passage_words MATCH ?',
    expression,
  );
}

const byId = (hits: readonly Scored[]) => hits.toSorted((a, b) => a.passageId - b.passageId);
const rounded = (hits: readonly Scored[]) =>
  byId(hits).map(({ passageId, score }) => `${passageId} ${score.toFixed(9)}`);

/** The same asked in both ways. */
function ask(
  reader: SqliteFile,
  questions: readonly (readonly string[])[],
): { direct: unknown; byStatements: unknown } {
  const direct: unknown[] = [];
  const byStatements: unknown[] = [];
  const both = (one: unknown, other: unknown) => {
    direct.push(one);
    byStatements.push(other);
  };
  reader.read(() => {
    const index = fullTextOf(reader);
    if (index === null) throw new Error('the index is not understood');
    const all = { limit: 100_000, isLeftOut: () => false };
    const idsOf = (hits: readonly Scored[]) => byId(hits).map(({ passageId }) => passageId);
    for (const one of asked)
      both([...index.find({ text: one, isPrefix: false }).ids], idsOf(rankByStatement(reader, `"${one}"`)));
    for (const beginning of ['a', 'dre', 'sle', 'l', 'e', '図', 'zz', 'ze']) {
      const expected = rankByStatement(reader, `"${beginning}"*`);
      both(rounded(index.rank([index.find({ text: beginning, isPrefix: true })], [], all)), rounded(expected));
    }
    for (const words of questions) {
      const [first = '', second = ''] = words;
      const postings = words.map((one) => index.find({ text: one, isPrefix: false }));
      const expected = rankByStatement(reader, quoted(words));
      both(rounded(index.rank(postings, [], all)), rounded(expected));
      const limit = Math.max(1, Math.floor(expected.length / 3));
      const scores = (hits: readonly Scored[]) => hits.map(({ score }) => score.toFixed(9));
      const best = expected.toSorted((a, b) => b.score - a.score).slice(0, limit);
      both(scores(index.rank(postings, [], { ...all, limit })), scores(best));
      const having = new Set(index.find({ text: first, isPrefix: false }).ids);
      const withFirst = expected.filter(({ passageId }) => having.has(passageId));
      both(rounded(index.rank(postings.slice(0, 1), postings.slice(1), all)), rounded(withFirst));
      // What the index has read already it gives as a whole: so another one, which has read nothing.
      const unread = new FullText(reader);
      both(
        words.map((one) => unread.count({ text: one, isPrefix: false })),
        postings.map(({ ids }) => ids.length),
      );
      const whole = new FullText(reader).find({ text: first, isPrefix: false });
      const among = words
        .slice(1)
        .map((one) => new FullText(reader).findAmong({ text: one, isPrefix: false }, whole.ids, true));
      both(rounded(index.rank([whole], among, all)), rounded(withFirst));
      const everywhere = Uint32Array.from(expected, ({ passageId }) => passageId).sort();
      const [one, other] = [
        index.find({ text: first, isPrefix: false }),
        index.find({ text: second, isPrefix: false }),
      ];
      const together = idsOf(rankByStatement(reader, `"${first} ${second}"`));
      both([...new Neighbours().among(everywhere, one, other)], together);
      const everyThird = everywhere.filter((_, at) => at % 3 === 1);
      const fresh = new FullText(reader);
      const some = [
        fresh.findAmong({ text: first, isPrefix: false }, everyThird),
        fresh.findAmong({ text: second, isPrefix: false }, everyThird),
      ] as const;
      both(
        [...some[0].ids],
        [...one.ids].filter((id) => everyThird.includes(id)),
      );
      both(
        [...new Neighbours().among(everyThird, ...some)],
        together.filter((id) => everyThird.includes(id)),
      );
    }
    reader.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.words_there USING fts5vocab('main', 'passage_words', 'row')`);
    const known = reader.all<{ term: string; doc: number }>('SELECT term, doc FROM temp.words_there');
    const words = index.wordsBeginning('').map((word) => [word, index.findToken(word).ids.length] as const);
    for (const beginning of ['dre', 'l', '図', 'zz']) {
      const having = known.filter(({ term }) => term.startsWith(beginning)).map(({ term }) => term);
      const found = index.wordsBeginning(beginning).filter((word) => index.findToken(word).ids.length > 0);
      both(new Set(found), new Set(having));
    }
    both(new Map(words.filter(([, passages]) => passages > 0)), new Map(known.map(({ term, doc }) => [term, doc])));
  });
  return { direct, byStatements };
}

describe('the index read directly', () => {
  const question = fc.uniqueArray(fc.constantFrom(...asked), { minLength: 2, maxLength: 6 });

  it('says of every state of an account what FTS5 says', () => {
    fc.assert(
      fc.property(
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
            const { direct, byStatements } = ask(reader, questions);
            expect(direct).toEqual(byStatements);
          }
          close();
        },
      ),
      { numRuns: isThorough ? 100 : 10 },
    );
  });

  it.each([4_050, 32])(
    'follows the postings of a word over many pages of %i bytes, also those of one passage',
    (size) => {
      const { writer, reader, close } = openFile();
      writer.write(() =>
        writer.run(`INSERT INTO passage_words (passage_words, rank) VALUES ('pgsz', CAST(? AS INTEGER))`, size),
      );
      const insert = 'INSERT INTO passage_words (rowid, title, text) VALUES (?, ?, ?)';
      writer.write(() => {
        for (let id = 1; id <= 3_000; id += 1) {
          const again = id % 700 === 0 ? ' dreams sleeping'.repeat(5_000) : '';
          writer.run(
            insert,
            id * 7,
            id % 5 === 0 ? 'dreams' : 'title',
            `the dreams of x9${again} ${'the '.repeat(id % 40)}`,
          );
        }
      });
      const question = [['the', 'sleeping', 'dreams', 'x9']];
      const { direct, byStatements } = ask(reader, question);
      expect(direct).toEqual(byStatements);
      writer.write(() =>
        writer.run('DELETE FROM passage_words WHERE rowid % 3 = 0 AND rowid IN (SELECT id FROM passage_words_docsize)'),
      );
      const after = ask(reader, question);
      expect(after.direct).toEqual(after.byStatements);
      expect(after.direct).not.toEqual(direct);
      close();
    },
  );

  it('reads no page and no length of before when a backup is restored over the file that is open', async () => {
    const { path, writer, reader, close } = openFile();
    const add = (text: string) =>
      writer.write(() => writer.run(`INSERT INTO passage_words (rowid, title, text) VALUES (2, '', ?)`, text));
    const found = () =>
      ['sleeping', 'dreams'].map((word) =>
        reader.read(() => [...(fullTextOf(reader)?.find({ text: word, isPrefix: false }).ids ?? [])].join()),
      );
    writer.write(() => writer.run(`INSERT INTO passage_words (rowid, title, text) VALUES (1, '', 'dreams')`));
    const backup = join(folder.path, 'backup.db');
    openRaw(path).exec(`VACUUM INTO '${backup}'`).close();
    add('sleeping');
    expect(found()).toEqual(['2', '1']);
    const scores = () =>
      reader.read(() => {
        const index = fullTextOf(reader);
        return rounded(
          index?.rank([index.find({ text: 'dreams', isPrefix: false })], [], { limit: 9, isLeftOut: () => false }) ??
            [],
        );
      });
    expect(scores()).toEqual(rounded(rankByStatement(reader, 'dreams')));
    await openRaw(backup).backup(path);
    add('dreams of more words than there were');
    expect(found()).toEqual(['', '1,2']);
    expect(scores()).toEqual(rounded(rankByStatement(reader, 'dreams')));
    close();
  });

  it('leaves a beginning of very many words to FTS5', () => {
    const { writer, reader, close } = openFile();
    const addWords = (from: number, to: number) =>
      writer.write(() => {
        for (let id = from; id < to; id += 1)
          writer.run(`INSERT INTO passage_words (rowid, title, text) VALUES (?, '', ?)`, id + 1, `word${id}`);
      });
    const find = () => reader.read(() => fullTextOf(reader)?.find({ text: 'wor', isPrefix: true }).ids.length);
    addWords(0, 600);
    addWords(600, 1_000);
    expect(find()).toBe(1_000);
    addWords(1_000, 1_001);
    expect(find).toThrow(UnsupportedIndexFormat);
    close();
  });

  it('is left to FTS5 where it is laid out otherwise', () => {
    const { path, reader, close } = openFile();
    expect(reader.read(() => fullTextOf(reader))).not.toBeNull();
    const raw = openRaw(path).unsafeMode();
    raw.exec(`UPDATE passage_words_config SET v = 5 WHERE k = 'version'`);
    raw.close();
    expect(reader.read(() => fullTextOf(reader))).toBeNull();
    close();
  });
});

describe('the stem of a plain word', () => {
  it('is the one that the index makes', () => {
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
    fc.assert(
      fc.property(
        fc.array(fc.oneof(words, fc.stringMatching(/^[a-zé0-9]{55,80}$/)), { minLength: 1, maxLength: 200 }),
        (all) => {
          writer.run('DELETE FROM temp.words');
          writer.run('INSERT INTO temp.words (rowid, word) VALUES (1, ?)', all.join(' '));
          const stems = writer
            .all<{ term: string }>('SELECT term FROM temp.stems ORDER BY offset')
            .map(({ term }) => term);
          expect(all.map((word) => stemOf(foldedWord(word)))).toEqual(stems);
        },
      ),
    );
    close();
  });

  it('is asked for without forgetting what is known of the account', () => {
    const { writer, close } = openFile();
    writer.run(`INSERT INTO passage_words (rowid, title, text) VALUES (1, '', 'đường øre')`);
    const before = writer.read(() => fullTextOf(writer));
    for (const text of ['đường', 'øre']) {
      expect(writer.read(() => fullTextOf(writer)?.count({ text, isPrefix: false }))).toBe(1);
      expect(fullTextOf(writer)).toBe(before);
    }
    close();
  });
});
