import { expect, it } from 'vitest';
import { findImperative } from '../../src/models/analysis/extractive/grammar/imperatives.ts';
import { loadTagger } from '../../src/models/analysis/extractive/grammar/tagger.ts';

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

it.each([
  ['Salt the lentils only once they are soft.', 'salt'],
  ['Return calls on the same day.', 'return'],
  ['Thank the ones who pay early.', 'thank'],
  ['Put felt under the chairs when somebody lives beneath you.', 'put'],
  ['Tell someone where you go and when you will be back.', 'tell'],
  ['Ask "what happened then?" instead of telling your own story.', 'ask'],
  ['If the cough stays, or if you bring up blood even once, let a doctor listen to your lungs.', 'let'],
])('what the tagger takes for a noun may still be a verb: %s', (sentence, verb) => {
  expect(findImperative(sentence, tag)?.verb).toBe(verb);
});

it.each([
  'Fear slows everything down.',
  'Report says that rents will fall.',
  'Time clock: The clock keeps the hours of the staff.',
  'Spice Cayenne keeps the data in two layers.',
])('a noun with its verb asks for nothing: %s', (sentence) => {
  expect(findImperative(sentence, tag)).toBeNull();
});
