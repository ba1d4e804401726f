import { expect, test } from 'vitest';
import { isVisiblyEnglish, isVisiblyNotEnglish } from '../../../src/domain/search/question-language.ts';

test.each([
  'how long does caffeine stay in the blood',
  'index fund fees',
  'ZX-4711',
  'café',
  'What is the die size of the M1?',
  'the role of 5-HT₂ receptors',
  '',
  '!!!',
  'why do people in Łódź drink coffee',
  'las vegas hotels',
  'red hat linux',
  'MIT license',
  'tai chi exercises',
  'CO2 emissions',
  'ES6 modules',
  'le mans 24 hours',
  'Simone Weil essays',
  'river Seine',
])('%j may be English', (question) => {
  expect(isVisiblyNotEnglish(question)).toBe(false);
});

test.each([
  'Wie lange bleibt Koffein im Blut?',
  'Wie viele Punkte gab die Verteidigung der Panthers ab?',
  'Schlaf für Anfänger',
  'Wer hatte in dieser Saison die meisten Sacks?',
  'Was muss ich können, bevor ich das lese?',
  'receta de la abuela',
  'cómo dormir mejor',
  'comment mieux dormir la nuit',
  'perché il caffè tiene svegli',
  'jak długo kofeina jest we krwi',
  'カフェインはどのくらい血中に残りますか',
  'как лучше спать',
  'كيف أنام بشكل أفضل',
  'nasıl daha iyi uyurum',
])('%j is not English', (question) => {
  expect(isVisiblyNotEnglish(question)).toBe(true);
});

test.each([
  ['how long does caffeine stay in the blood', true],
  ['What is the die size of the M1?', true],
  ['sleep and coffee', true],
  ['index fund fees', false],
  ['Panthers Super Bowl', false],
  ['a la carte', false],
  ['was ist in Berlin', false],
  ['Wer hatte in dieser Saison die meisten Sacks?', false],
  ['', false],
])('%j is visibly English: %s', (question, isEnglish) => {
  expect(isVisiblyEnglish(question)).toBe(isEnglish);
});
