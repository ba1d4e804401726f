import { expect, it } from 'vitest';
import { findImperative } from '../../src/models/extractive-imperatives.ts';
import { loadTagger } from '../../src/models/extractive-tagger.ts';

const tag = await loadTagger();

it.each([
  ['Batch cooking: Prepare the beans on Sunday.', 'Prepare the beans on Sunday.'],
  ['For beginners – Start with ten minutes a day.', 'Start with ten minutes a day.'],
  ['Cold nights: If frost is forecast, cover the lemons.', 'cover the lemons.'],
  ['Step 3: Define your scope: Write down what you can do without.', 'Write down what you can do without.'],
  // What follows is no instruction; the label is.
  ['Keep a diary: It shows what the medicine does.', 'Keep a diary: It shows what the medicine does.'],
  ['Keep three things at hand: a torch, water and a radio.', 'Keep three things at hand: a torch, water and a radio.'],
])('an instruction may have a label before it: %s', (sentence, clause) => {
  expect(sentence.slice(findImperative(sentence, tag)?.clause ?? sentence.length)).toBe(clause);
});

it.each([
  'Not to be confused with the house of that name, it opened in 1910.',
  'Not the kind with a back but the one without.',
  'Breakfast: Porridge with berries.',
  'His motto: The early bird catches the worm.',
])('nothing is asked for in: %s', (sentence) => {
  expect(findImperative(sentence, tag)).toBeNull();
});
