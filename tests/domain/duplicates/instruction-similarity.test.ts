import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areNearlyIdentical, instructionWords } from '../../../src/domain/duplicates/instruction-similarity.ts';
import { forAll } from '../../support/for-all.ts';

describe('instructions that are nearly identical', () => {
  it.each([
    ['Drink water', 'Drink water.'],
    ['Drink your last coffee before noon', 'Drink the last coffee before noon'],
    ['Keep your bedroom cool and dark', 'Keep the bedrooms cool, dark'],
    ['Always back up your data every week', 'Back up the data every week!'],
    ['Walk for 30 minutes every day', 'Walk for 30 minutes every single day'],
    ['Turn the compost once a week', 'TURN THE COMPOST ONCE A WEEK'],
    ['Don’t drink coffee after noon', "Don't drink coffee after noon"],
    ['Kaufe im Herbst neue Reifen', 'Kaufe im Herbst neue Reifen.'],
    ['毎日散歩する', '毎日散歩する。'],
  ])('include %j and %j', (one, other) => {
    expect(areNearlyIdentical(one, other)).toBe(true);
  });

  it.each([
    ['Drink coffee before bed', "Don't drink coffee before bed"],
    ['Drink water before every meal', 'Drink water after every meal'],
    ['Walk for 30 minutes every day', 'Walk for 10 minutes every day'],
    ['Walk to work every single day', 'Walk to work every single day for 30 minutes'],
    ['Drink a large glass of cold water every morning', 'Drink a large glass of cold water every evening'],
    ['Call your doctor', 'Call your lawyer'],
    ['Call your doctor', 'Call your doctor and ask about statins'],
    ['Take vitamin D', 'Take vitamin D with magnesium'],
    ['Move money from savings into checking', 'Move money from checking into savings'],
    ['Eat red meat twice every week', 'Avoid eating red meat twice every week'],
    ['Save money', 'Spend money'],
    ['', ''],
    ['the', 'a'],
    ['…', '!'],
  ])('do not include %j and %j', (one, other) => {
    expect(areNearlyIdentical(one, other)).toBe(false);
  });

  it('match in either order, and every one with words matches itself', () => {
    const word = fc.constantFrom('walk', 'walking', 'every', 'day', 'before', 'not', '30', 'the', 'noon', 'to', 'bed');
    const text = fc.array(word, { maxLength: 9 }).map((words) => words.join(' '));
    forAll(text, text, (one, other) => {
      expect(areNearlyIdentical(one, other)).toBe(areNearlyIdentical(other, one));
      expect(areNearlyIdentical(one, one)).toBe(instructionWords(one).length > 0);
    });
    forAll(fc.string({ unit: 'binary' }), (text) => void areNearlyIdentical(text, text));
  });
});
