import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords } from '../../../src/domain/records/texts/document.ts';
import { foldText } from '../../../src/domain/text/words/folded-text.ts';
import { closingWords, tailOf } from '../../../src/domain/links/fragment-words.ts';
import {
  prefixSetOf,
  latinWords,
  latinWordsWithPrefix,
  mayHavePrefix,
} from '../../../src/domain/text/words/latin-words.ts';
import { plainBlocks } from '../../../src/domain/text/plain-text.ts';
import { createTermMatcher, matchedRanges } from '../../../src/domain/search/term-matches.ts';
import { wordsOf } from '../../../src/domain/text/words/words.ts';
import { indexedText } from '../../../src/domain/search/index-terms.ts';
import { runs } from '../../support/vitest/thorough.ts';
import { forAll } from '../../support/for-all.ts';

/* Most texts take a short way; whatever stands behind them that is not Latin, or is markup, makes them take the long one. */

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('runs', 'Running', 'run', 'naïve', 'Über', 'A', 'x2', '42', 'ªµ¼', 'ſtone') },
  { weight: 4, arbitrary: fc.constantFrom(' ', ' ', ', ', '. ', '-', '_', '’', '“', '…', '\u00ad', '\t', '\u00a0') },
  fc.string({ unit: fc.integer({ min: 0, max: 0x24f }).map((code) => String.fromCharCode(code)), maxLength: 4 }),
);
const latinText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const anyText = fc.oneof(latinText, fc.string({ unit: 'binary', maxLength: 40 }));

describe('Latin text', () => {
  it('has the same words as beside other scripts', () => {
    forAll(runs(500), latinText, (text) => {
      expect(latinWords(text)).not.toBeNull();
      const beside = wordsOf(`${text} 図`).filter(({ isRun }) => !isRun);
      expect(wordsOf(text)).toEqual(beside);
    });
  });

  it('has all words with a given beginning, and others only where their first letters cannot decide', () => {
    const prefixes = fc.array(fc.constantFrom('r', 'ru', 'na', 'üb', 'a', 'x2', 'x3', '4', 'br'), { maxLength: 4 });
    forAll(runs(500), latinText, prefixes, (text, some) => {
      const prefixes = prefixSetOf(some);
      const begins = (word: string) => some.some((prefix) => word.toLowerCase().startsWith(prefix));
      const found = new Set(latinWordsWithPrefix(text, prefixes)?.filter((_, at) => at % 2 === 0));
      for (const { text: word, start } of wordsOf(text)) {
        expect(found.has(start)).toBe(mayHavePrefix(word, prefixes));
        const isPlain = /^[\0-\x7e]{1,2}$/.test(word.slice(0, 2));
        expect(found.has(start)).toBe(begins(word) || (!isPlain && found.has(start)));
      }
    });
  });

  it('has the same word count as beside another script', () => {
    forAll(
      runs(1_000),
      latinText,
      fc.constantFrom("'s", '’t', "'5", '’’a', "l'été7"),
      latinText,
      (one, joined, other) => {
        for (const text of [one, one + joined + other, `${joined}${joined} ${other}`]) {
          expect(countWords(`${text} 図`)).toBe(countWords(text) + 1);
        }
      },
    );
  });

  it('is indexed as beside another script', () => {
    forAll(runs(1_000), anyText, latinText, (any, latin) => {
      for (const text of [any, latin])
        // Other ways to write its words follow on their own line.
        expect(indexedText(`${text} 図`).replace(' 図 ', '')).toBe(indexedText(`${text} `));
    });
  });

  it('is highlighted as beside other scripts', () => {
    forAll(runs(500), latinText, latinText, (text, query) => {
      const matcher = createTermMatcher({ text: query, phrases: [] });
      expect(matchedRanges(text, matcher)).toEqual(matchedRanges(`${text} 図`, matcher));
    });
  });

  it('is shown as beside markup', () => {
    forAll(runs(500), latinText, (text) => {
      expect(plainBlocks(text)).toEqual(plainBlocks(`${text}\n\n***`));
    });
  });

  it('ends with the same words however much of it is read', () => {
    forAll(runs(300), fc.array(latinText, { maxLength: 12 }), fc.nat(9), (texts, most) => {
      const text = texts.join(' ');
      const [few, all] = [closingWords(text, 0, text.length, most), closingWords(text, 0, text.length)];
      expect(tailOf(few, most)).toEqual(tailOf(all, most));
    });
  });
});

describe('folded text', () => {
  it('is folded character by character and keeps its length', () => {
    forAll(runs(300), anyText, anyText, (one, other) => {
      expect(foldText(one)).toHaveLength(one.length);
      expect(foldText(`${one}\n${other}`)).toBe(`${foldText(one)}\n${foldText(other)}`);
    });
    expect(foldText('ÀÉÎ İI ΣΑΣ “It’s”')).toBe('aei ii σασ "it\'s"');
  });
});
