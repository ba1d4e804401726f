import { describe, expect, it } from 'vitest';
import { indexedCompounds, queryTerms, withJoinedWords } from '../../../src/domain/search/index-terms.ts';
import {
  furtherWords,
  isCompoundOf,
  reversedBeginning,
  reversedWord,
  splitsOf,
} from '../../../src/domain/search/spellings.ts';
import { createTermMatcher, matchedRanges } from '../../../src/domain/search/term-matches.ts';
import { growthOf, maxGrowth } from '../../support/texts/growth.ts';

const isPartOf = (part: string, compound: string): boolean => {
  const beginning = reversedBeginning(part);
  const word = reversedWord(compound);
  return beginning !== null && word?.startsWith(beginning) === true && isCompoundOf(beginning, word);
};

describe('parts of compounds', () => {
  it.each([
    ['Versicherung', 'Haftpflichtversicherungen'],
    ['Versicherungen', 'Haftpflichtversicherung'],
    ['Schrank', 'Kühlschränke'],
    ['Bremsen', 'Scheibenbremse'],
    ['Haus', 'Krankenhaus'],
    ['Wein', 'Weißwein'],
    ['kast', 'boekenkast'],
  ])('include %s in %s', (part, compound) => {
    expect(isPartOf(part, compound)).toBe(true);
  });

  it.each([
    ['Rest', 'Forest'],
    ['Eis', 'Speiseeis'],
    ['Versicherung', 'Versicherung'],
    ['Haft', 'Haftpflichtversicherung'],
  ])('do not include %s in %s', (part, compound) => {
    expect(isPartOf(part, compound)).toBe(false);
  });
});

describe('hostile texts and questions take time in proportion to their length', () => {
  const patterns = [
    'aB',
    'aB1',
    'a-',
    'abc-def-',
    '1,',
    '1,234',
    'x.',
    'R&D',
    'a1234',
    'ABC',
    'Donaudampfschiff ',
    'multi agent ',
  ];
  const spellings = [['multi', 'agent'], ['multiagent'], [reversedWord('donaudampfschiff') ?? '']];
  const matcher = createTermMatcher({ text: 'multi agent dampf', phrases: [], spellings });
  const works: [string, (text: string) => unknown, number][] = [
    ['further words', furtherWords, 4_000],
    ['compounds for the index', indexedCompounds, 1_000],
    ['terms of a question', (text) => withJoinedWords(text, queryTerms(text)), 1_000],
    ['highlights', (text) => matchedRanges(text, matcher), 1_000],
    ['words as two words', splitsOf, 4_000],
    ['words by their ends', (text) => [reversedWord(text), reversedBeginning(text)], 4_000],
  ];

  it.each(works)('%s', (_, run, size) => {
    for (const pattern of patterns)
      expect([pattern, growthOf((times) => pattern.repeat(times), run, size) < maxGrowth]).toEqual([pattern, true]);
  });
});
