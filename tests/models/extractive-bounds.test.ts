import { expect, test } from 'vitest';
import { sourceSentences, type SourceSentence } from '../../src/models/analysis/extractive/candidates.ts';
import { layOutTranscript } from '../../src/domain/records/texts/document.ts';
import { createExtractiveAnalyst } from '../../src/models/analysis/extractive/extractive.ts';
import { extract } from '../../src/models/analysis/extractive/pick-sentences.ts';
import { centrality, countTerms } from '../../src/models/analysis/extractive/rank.ts';
import { instructs } from '../../src/models/analysis/extractive/instructions.ts';
import { english } from '../../src/models/analysis/extractive/languages/english.ts';
import { instructsNobody, isRecipe } from '../../src/models/analysis/extractive/page-kinds.ts';

/*
 * Some patterns of the analyst start over at each word of a sentence, and a text without stops is one sentence. They look at its beginning
 * alone; without that, each of these takes hours.
 */

function sentence(plain: string): SourceSentence {
  const place = { start: 0, end: plain.length, index: 0, block: 0, place: 0 };
  return { plain, ...place, kind: 'paragraph', heading: '', quoted: false, linked: 0 };
}

test('an instruction has a maximum length, and no pattern is tried on longer sentences', () => {
  const long = (unit: string) => sentence(`Save ${unit.repeat(1_000_000)}.`);
  for (const attack of ['send ', 'ignore ', 'email\u0000', 'per month ', '" '])
    expect(instructs(long(attack), english)).toBe(false);
});

test('only the beginning of a very long sentence is tested for offers and statements about the page', async () => {
  const offers = 'our éour '.repeat(500_000);
  const page = { title: 'for a '.repeat(500_000), text: offers, blocks: [] };
  expect(instructsNobody(page, [sentence(offers)])).toBe(false);
  expect(isRecipe(page, [sentence('5 ge '.repeat(500_000))])).toBe(false);
  const leftover = sentence('commission '.repeat(500_000));
  const input = { title: null, language: 'en', text: '', blocks: [] };
  // It is no summary either: that has at most 600 characters.
  expect(
    await extract(input, [leftover], {
      table: null,
      isEnglish: true,
      compare: null,
      tasks: [],
      pause: () => undefined,
    }),
  ).toEqual({
    summary: null,
    insights: [],
  });
});

test('sentences are compared with only the beginning of a very long title or heading', async () => {
  const long = 'Bread and salt '.repeat(70_000);
  const said = Array.from(
    { length: 300 },
    (_, n) => `Dough number ${n} rises because its yeast makes gas in the warm kitchen.`,
  );
  const page = layOutTranscript([
    { kind: 'heading', level: 2, text: `## ${long}` },
    { kind: 'paragraph', text: said.join(' ') },
  ]);
  expect([...sourceSentences(page)].map(({ heading }) => heading.length)).toEqual(said.map(() => 300));
  const analysed = (title: string) =>
    createExtractiveAnalyst().analyse({ title, language: 'en', ...page }, [], new AbortController().signal);
  expect(await analysed(long)).toEqual(await analysed(long.slice(0, 300)));
});

test('only the beginning of a very long sentence is compared with others, also in Chinese', async () => {
  const han = Array.from({ length: 350_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * n) % 20_011))).join('');
  const terms = countTerms(han);
  expect(terms.counts.size).toBeGreaterThan(1_000);
  expect(terms.counts.size).toBeLessThan(2_000);
  expect(terms).toEqual(countTerms(han.slice(0, 2_000)));
});

test('other work gets its turn after each sentence that is counted or scored', async () => {
  let turns = 0;
  const pause = () => {
    turns += 1;
    return undefined;
  };
  const { scores } = await centrality(
    ['Rain fell.', 'Rain fell on roofs.', 'Cats slept.'].map((text) => countTerms(text)),
    pause,
  );
  expect(turns).toBe(2 * scores.length);
  const [first = 0, second = 0, third = 0] = scores;
  expect(Math.min(first, second)).toBeGreaterThan(third);
});
