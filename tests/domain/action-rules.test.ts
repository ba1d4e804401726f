import { describe, expect, it } from 'vitest';
import { continueActions } from '../../src/domain/actions/continued-actions.ts';
import { headFirst, mayMerge, staysMerged } from '../../src/domain/actions/merged-actions.ts';

const known = (title: string, quote: string, isTouched = false) => ({ title, quote, isTouched });
const found = (title: string, quote = title) => ({ title, quote });

describe('a new analysis', () => {
  it('keeps the actions that it finds again, adds new ones, and drops the missing untouched ones', () => {
    const [walk, bake, done] = [
      known('Walk to work', 'Walk to work twice.'),
      known('Bake bread', 'Bake bread.'),
      known('Call the plumber', 'Call the plumber.', true),
    ];
    const plan = continueActions([done, walk, bake], [found('Walk to work'), found('Plant a tree')]);
    expect(plan.found.map(({ continues, isReworded }) => [continues, isReworded])).toEqual([
      [walk, true],
      [null, false],
    ]);
    expect(plan.gone).toEqual([bake]);
  });

  it('updates only the location of an action that a person touched, and reports when it asks for something else', () => {
    const mine = known('Ring the plumber on Monday', 'Call the  plumber.', true);
    const [again] = continueActions([mine], [found('Call the plumber', 'Call the plumber.')]).found;
    expect(again).toMatchObject({ continues: mine, isReworded: false, asksAnew: true });
  });

  it('matches a quote with a longer one that contains it, unless it is less than half of it', () => {
    const old = known('Rest', 'Go to bed at ten so that your sleep is long enough.');
    const continued = (quote: string) => continueActions([old], [found('Sleep more', quote)]).found[0]?.continues;
    expect(continued('Go to bed at ten so that your sleep is')).toBe(old);
    expect(continued('Go to bed')).toBeNull();
  });
});

describe('actions of several items', () => {
  const action = (seq: number, isTouched = false, createdAt = 1, title = 'Back up the laptop every week') => ({
    seq,
    isTouched,
    createdAt,
    title,
  });

  it('merge when they are nearly identical, unless a person touched both', () => {
    expect(mayMerge(action(1), action(2))).toBe(true);
    expect(mayMerge(action(1, true), action(2))).toBe(true);
    expect(mayMerge(action(1, true), action(2, true))).toBe(false);
    expect(mayMerge(action(1), action(2, false, 1, 'Never back up the laptop'))).toBe(false);
  });

  it.each([
    ['the older', action(9, false, 1), action(1, false, 2)],
    ['the first stored of two equally old', action(1), action(2)],
    ['the one that a person touched', action(9, true, 5), action(1, false, 1)],
  ])('have %s as their head, in either order', (_, head, child) => {
    expect(headFirst(head, child)).toEqual([head, child]);
    expect(headFirst(child, head)).toEqual([head, child]);
  });

  it('keep a title that a person gave, unless their text now asks for something else', () => {
    const [mine, other] = [action(1, true, 1, 'Laptop on Fridays'), { title: 'Back up the laptop every week' }];
    expect(staysMerged({ ...other, asksAnew: false }, mine)).toBe(true);
    expect(staysMerged({ ...other, asksAnew: true }, mine)).toBe(false);
    expect(staysMerged({ ...other, asksAnew: false }, { ...mine, isTouched: false })).toBe(false);
  });
});
