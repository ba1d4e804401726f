import { expect, it } from 'vitest';
import { readItems } from '../../../bench/answer-library.ts';
import { isAdmitted, isHeld, readTasks, taskKinds } from '../../../bench/answer-tasks.ts';

const tasks = readTasks();
const items = readItems();

it('reads sixty tasks of known kinds, half of them held out, and sixty items', () => {
  expect(tasks).toHaveLength(60);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(60);
  expect(new Set(tasks.map(({ kind }) => kind))).toEqual(new Set(taskKinds));
  expect(tasks.filter(({ split }) => split === 'held-out')).toHaveLength(30);
  expect(items).toHaveLength(60);
  expect(new Set(items.map(({ key }) => key)).size).toBe(60);
});

it('expects an answer from a known item in every task, except in those about nothing saved', () => {
  const keys = new Set(items.map(({ key }) => key));
  for (const { id, kind, holds } of tasks) {
    expect(holds.length > 0, id).toBe(kind !== 'absent');
    for (const { item, text } of holds) {
      expect(keys, id).toContain(item);
      expect(text.trim(), id).toBe(text);
    }
  }
  expect(tasks.filter(({ kind }) => kind === 'absent')).toHaveLength(12);
});

it('names only known items and earlier answers in its calls', () => {
  const keys = new Set(items.map(({ key }) => key));
  const isKnown = (value: unknown, earlierCalls: number) => {
    const [, kind, of = ''] = /^\$(\w+):(.+)$/.exec(String(value)) ?? [];
    if (kind === 'cursor') return Number(of) < earlierCalls;
    return kind === 'id' ? keys.has(of) : kind === undefined || kind === 'goal';
  };
  for (const { id, calls } of tasks) {
    expect(calls[0]?.ifMissing, id).toBeUndefined();
    for (const [at, { input }] of calls.entries()) {
      const unknown = Object.values(input).filter((value) => !isKnown(value, at));
      expect(unknown, id).toEqual([]);
    }
  }
});

const answer = {
  results: [
    {
      id: 'c_one',
      url: 'https://example.com/bread',
      tags: ['baking'],
      passages: [
        { text: 'Feed it **twice** a [day](https://example.com/day).', url: 'https://example.com/bread#:~:text=Feed' },
      ],
    },
    { id: 'c_two', url: 'https://example.com/cake', passages: [{ text: 'Bake it.' }] },
  ],
};
const ids = (key: string) => `c_${key}`;

it('finds the words in the answer about the right item, whatever their Markdown', () => {
  expect(isHeld({ item: 'one', text: 'feed it twice a day' }, [answer], ids)).toBe(true);
  expect(isHeld({ item: 'two', text: 'feed it twice a day' }, [answer], ids)).toBe(false);
  expect(isHeld({ item: 'one', text: 'feed it once' }, [answer], ids)).toBe(false);
  expect(
    isHeld(
      { item: 'one', text: 'Call your mother' },
      [{ id: 'a_x', contentId: 'c_one', title: 'Call your mother' }],
      ids,
    ),
  ).toBe(true);
});

it('requires a link to the place, or the whole value of a field, where a task does', () => {
  expect(isHeld({ item: 'one', text: 'feed it', place: true }, [answer], ids)).toBe(true);
  expect(isHeld({ item: 'two', text: 'bake it', place: true }, [answer], ids)).toBe(false);
  expect(isHeld({ item: 'one', text: 'baking', field: 'tags' }, [answer], ids)).toBe(true);
  expect(isHeld({ item: 'one', text: 'bak', field: 'tags' }, [answer], ids)).toBe(false);
});

it('accepts a weak match or an empty answer as an admission that nothing was found', () => {
  expect(isAdmitted({ results: [], mode: 'hybrid' })).toBe(true);
  expect(isAdmitted({ ...answer, match: 'weak' })).toBe(true);
  expect(isAdmitted({ ...answer, match: 'strong' })).toBe(false);
  expect(isAdmitted(answer)).toBe(false);
});
