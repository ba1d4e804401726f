import { expect, test } from 'vitest';
import { undoEntry, type UndoneEntry, type UndoPart } from '../../src/store/history/undo.ts';

const entry: UndoneEntry = {
  seq: 1,
  operation: 'import',
  scopes: ['content:write'],
  rows: 5_000,
  undoes: null,
  undoneBy: null,
  undoneFrom: null,
  isRestored: false,
};

const part: UndoPart = {
  outcome: 'undone',
  operation: 'import',
  rows: 2_000,
  conflicts: [],
  conflictsTotal: 0,
  isDone: false,
};

const undoing = (...parts: (UndoPart | null)[]) =>
  undoEntry(
    {
      entry,
      conflictsBelow: () => Promise.reject(new Error('by force nothing is looked for')),
      undoPart: () => Promise.resolve(parts.shift() ?? null),
      join: () => expect.unreachable('no undo was begun before'),
    },
    { force: true },
  );

test('a change whose history is removed during the undo is not reported as unknown', async () => {
  expect(await undoing(null)).toBeNull();
  await expect(undoing(part, null)).rejects.toMatchObject({ code: 'conflict', message: /^A part of this change/ });
});

test('other calls get their turn between the parts of a search for conflicts', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const seen: number[] = [];
  const conflict = { id: 'c', title: null, field: 'url', before: null, now: null, canForce: true, reason: 'why' };
  const undone = await undoEntry(
    {
      entry,
      conflictsBelow: (below) => {
        seen.push(turns);
        return Promise.resolve({ conflicts: [conflict], total: 3, next: below > 4 ? 4 : below > 1 ? below - 1 : null });
      },
      undoPart: () => Promise.reject(new Error('nothing is undone')),
      join: () => expect.unreachable('no undo was begun before'),
    },
    { force: false },
  );
  clearImmediate(counting);
  expect(undone).toMatchObject({ outcome: 'changed_since', conflictsTotal: 15 });
  expect(undone?.conflicts).toHaveLength(5);
  expect(new Set(seen).size).toBe(5);
});
