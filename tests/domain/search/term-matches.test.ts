import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stemOf } from '../../../src/domain/text/words/porter.ts';
import { parseQuery } from '../../../src/domain/search/query-language.ts';
import { containsPhrase, createTermMatcher, matchedRanges } from '../../../src/domain/search/term-matches.ts';
import { runs } from '../../support/vitest/thorough.ts';
import { forAll } from '../../support/for-all.ts';

const marked = (text: string, query: string) =>
  matchedRanges(text, createTermMatcher(parseQuery(query, 0))).map(({ start, end }) => text.slice(start, end));

describe('the matches of a query in a text', () => {
  it.each([
    ['other forms of its words', 'Running shoes, runners and a run.', 'run shoe', ['Running', 'shoes', 'run']],
    [
      'words in other letter case and without accents',
      'CAFÉ, Cafe\u0301 und café',
      'cafe',
      ['CAFÉ', 'Cafe\u0301', 'café'],
    ],
    ['accented words of the query', 'Uber uns', 'Über', ['Uber']],
    ['ligatures and full-width letters', 'An e\ufb03cient ＡＢＣ', 'efficient abc', ['e\ufb03cient', 'ＡＢＣ']],
    ['no function words beside others', 'How to sleep: the way to sleep.', 'how to sleep', ['sleep', 'sleep']],
    ['function words when there is nothing else', 'To be or not to be', 'to be', ['To', 'be', 'to', 'be']],
    [
      'phrases as a whole',
      'Deep, sleep. A deep sleep is sleep.',
      '"deep sleep"',
      ['Deep, sleep', 'deep sleep', 'sleep'],
    ],
    ['runs without spaces', '北京大学的图书馆今天开放', '图书馆', ['图书馆']],
    ['one character of such a run', '黒い猫がいる', '猫', ['猫']],
    ['Hindi', 'हिन्दी में एक वाक्य', 'हिन्दी', ['हिन्दी']],
    ['Arabic words with an article or a pronoun', 'اشترى الحذاء وحذاءها.', 'حذاء', ['الحذاء', 'وحذاءها']],
    ['Russian words without their dots', 'Ёлка и елка', 'ёлка', ['Ёлка', 'елка']],
    ['nothing', 'A fox.', 'wolf', []],
  ])('are %s', (_, text, query, expected) => {
    expect(marked(text, query)).toEqual(expected);
  });

  it('are in order and never overlap, whatever the text and the query', () => {
    const words = fc.array(
      fc.constantFrom('deep', 'sleep', '"deep sleep"', '図書', '館', '猫', ' ', '. ', '\ud800', 'e\u0301'),
    );
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      words.map((parts) => parts.join(' ')),
      words.map((parts) => parts.join('')),
    );
    forAll(runs(60), anything, anything, (text, query) => {
      let behind = 0;
      for (const { start, end } of matchedRanges(text, createTermMatcher(parseQuery(query, 0)))) {
        expect(start).toBeGreaterThanOrEqual(behind);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        behind = end;
      }
    });
  });
});

describe('a phrase', () => {
  it('matches word for word, not by stems', () => {
    expect(containsPhrase('The deep – sleep', 'Deep sleep')).toBe(true);
    expect(containsPhrase('Deeper sleep', 'deep sleep')).toBe(false);
    expect(containsPhrase('universal rules', 'university')).toBe(false);
    expect(containsPhrase('北京大学的图书馆', '图书馆')).toBe(true);
    expect(containsPhrase('北京大学的图书馆', '图馆')).toBe(false);
  });

  it('matches with the symbols of a symbol term, and ignores other punctuation', () => {
    const text = 'We write C++17, (C#) and state-of-the-art code: it costs $3.75, or -111 at 42 %. See foo_bar.';
    for (const phrase of ['c#', 'C++17', '$3.75', '-111', 'foo_bar', 'state of the art', 'costs, $3.75!', 'code it'])
      expect([phrase, containsPhrase(text, phrase)]).toEqual([phrase, true]);
    for (const phrase of ['C+', 'F#', '3:75', '$13.75', '+111', 'foo-bar#', '75%'])
      expect([phrase, containsPhrase(text, phrase)]).toEqual([phrase, false]);
  });
});

describe('stems', () => {
  it('are the same as in the index', () => {
    const syllables = fc.constantFrom(
      ...'a e i o u y b l s t n r w x z bb ll ss tt str con pre qu ee rel oper hop fall'.split(' '),
      ...'s es ies sses ed eed ing at bl iz ational tional enci anci izer logi bli alli entli eli ousli ization'.split(
        ' ',
      ),
      ...'ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness'.split(' '),
      ...'al ance ence er ic able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize'.split(' '),
    );
    const words = fc.sample(fc.array(syllables, { minLength: 1, maxLength: 5 }), { numRuns: runs(20_000), seed: 7 });
    const distinct = [...new Set(words.map((parts) => parts.join('')))];
    const db = new Database(':memory:');
    db.exec(`CREATE VIRTUAL TABLE words USING fts5 (word, tokenize = 'porter unicode61');
      CREATE VIRTUAL TABLE stems USING fts5vocab (words, instance)`);
    const insert = db.prepare('INSERT INTO words (rowid, word) VALUES (?, ?)');
    db.transaction(() => distinct.forEach((word, index) => insert.run(index, word)))();
    const rows = db.prepare<[], { doc: number; term: string }>('SELECT doc, term FROM stems').all();
    db.close();
    expect(rows).toHaveLength(distinct.length);
    for (const { doc, term } of rows) {
      const same = term.length > 2 ? 2 : 1;
      expect(distinct[doc]?.slice(0, same)).toBe(term.slice(0, same));
    }
    const wrong = rows.filter(({ doc, term }) => stemOf(distinct[doc] ?? '') !== term);
    expect(wrong.map(({ doc, term }) => [distinct[doc], term, stemOf(distinct[doc] ?? '')])).toEqual([]);
  });
});
