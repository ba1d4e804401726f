import { expect, test } from 'vitest';
import { counterFor } from '../../src/pipeline/splitting/token-counts.ts';

const ofModel = () => -1;
const transcript = (text: string) => ({ text, blocks: [] });

test.each([
  ['en-GB', 'Words of a text', -1],
  [null, 'Words of a text', -1],
  ['es', 'The presidents of Costa Rica, Peru and Chile', -1],
  [null, 'Слова одного текста', 5],
  ['ru', 'Слова одного текста', 5],
  ['de', 'Wörter eines Textes', 5],
  ['zh', '图书馆', 3],
  ['hi', 'किताबों', 1],
  ['th', 'ห้องสมุด', 2],
])('a text in %j is counted by the model or by characters: %j', (language, text, expected) => {
  expect(counterFor({ language, transcript: transcript(text) }, ofModel)(text)).toBe(expected);
});

test('a passage of Russian has about as many characters as one of English', () => {
  const text = 'Слова одного текста. '.repeat(100);
  const count = counterFor({ language: 'ru', transcript: transcript(text) }, ofModel);
  expect(count(text.slice(0, 1_000))).toBe(250);
});
