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
    },
    { force: true },
  );

test('a change whose history is removed while it is undone is not said to be unknown', async () => {
  expect(await undoing(null)).toBeNull();
  await expect(undoing(part, null)).rejects.toMatchObject({ code: 'conflict', message: /^A part of this change/ });
});
