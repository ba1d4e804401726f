import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesStandingIn } from '../../src/search/ranking.ts';
import { forAll } from '../support/for-all.ts';

describe('names inside a question', () => {
  it.each([
    ['what does jill winger put in it', ['Jill Winger'], ['Jill Winger']],
    ["Jill Winger's spray", ['Jill Winger', 'Jill Wing', 'ill Winger'], ['Jill Winger']],
    ['the NPR piece', ['NPR', 'PR'], ['NPR']],
    ['nature and medium in science', ['Nature', 'Medium', 'Science'], []],
    ['who is it', ['Who', 'It'], []],
    ['The essay', ['The'], []],
    ['von Łukasz Żak', ['Łukasz Żak'], ['Łukasz Żak']],
    ['anything', ['', '.', ' '], []],
  ])('are found in %j, of %j', (question, names, standing) => {
    expect(namesStandingIn(question, names)).toEqual(standing);
  });

  it('are always among the given ones, whatever the question', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    forAll(text, fc.array(text), (question, names) => {
      expect(names).toEqual(expect.arrayContaining(namesStandingIn(question, names)));
    });
  });
});
