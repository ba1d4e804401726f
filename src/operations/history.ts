import { z } from 'zod';
import { exampleIds, exampleSummary } from '../domain/records/examples.ts';
import { modelName } from '../domain/text/model-names.ts';
import { listedHistoryEntry, type ListedHistoryEntry, undone } from '../domain/records/history-entry.ts';
import {
  budgetedListOf,
  cursor,
  listLimit,
  listOf,
  listOffset,
  modelWords,
  someId,
  undo as undoField,
} from './fields.ts';
import { day } from './answers/lean.ts';
import { defineOperation } from './operation.ts';
import { counted, indented, line, meta, oneLine, printList, shownTime, type Printed } from './answers/printed.ts';

const exampleEntry: ListedHistoryEntry = {
  id: exampleIds.change,
  at: '2026-03-09T06:30:42.017Z',
  face: 'mcp',
  by: 'laptop',
  operation: 'update_content',
  rows: 1,
  changes: [
    {
      id: exampleIds.content,
      title: exampleSummary.title,
      field: 'notes',
      before: null,
      after: 'Read again in spring',
    },
  ],
};

const usualLimit = 20;
const maxTokens = 4_000;

/** Texts in a list are shortened for a model; nothing of them is lost in the history itself. */
const maxShown = 160;

type ChangedValue = ListedHistoryEntry['changes'][number]['before'];

function shownValue(of: ChangedValue): string {
  if (of === null) return 'nothing';
  return oneLine(typeof of === 'object' ? of.join(', ') : String(of), 100) || 'nothing';
}

/** Empty where there is no value on either side: a note is saved without an address. */
function shownChange(before: ChangedValue, after: ChangedValue): string {
  return before === null && after === null ? '' : `: ${shownValue(before)} → ${shownValue(after)}`;
}

function leanValue(of: ChangedValue): ChangedValue {
  return typeof of === 'string' ? modelName(of, maxShown) : of;
}

function leanEntry({ at, changes, ...entry }: ListedHistoryEntry): unknown {
  return {
    ...entry,
    at: day(at),
    changes: changes.map(({ before, after, ...change }) => ({
      ...change,
      before: leanValue(before),
      after: leanValue(after),
    })),
  };
}

function printEntry({
  id,
  at,
  face,
  by,
  operation,
  rows,
  changes,
  undoneBy,
  undoes,
  isRestored,
}: ListedHistoryEntry): Printed {
  const who = by === null ? face : `${face}, ${oneLine(by, 60)}`;
  const undone = undoneBy === undefined ? '' : ` · undone by ${undoneBy}`;
  const state = `${isRestored === true ? ' · from an export' : ''}${undone}`;
  const what = undoes === undefined ? operation : `${operation} ${undoes}`;
  const changed = changes.map(({ id: of, title, field, before, after }) =>
    line(meta(of), `  ${title === null ? '' : `${oneLine(title, 60)} · `}${field}${shownChange(before, after)}`),
  );
  return [
    line(meta(id), `  ${shownTime(at)}  ${what}  `, meta(`(${who})${state}`)),
    ...indented('    ', changed),
    ...(rows > changes.length && changes.length >= 20
      ? indented('    ', [line(meta(`${counted(rows, 'row')} in all`))])
      : []),
  ];
}

export const history = defineOperation({
  name: 'history',
  title: 'What was changed',
  description: 'Newest first, with ids for `undo`.',
  input: z.strictObject({
    id: z
      .string()
      .min(1)
      .max(100)
      .describe('Only changes of this item, action item, goal or highlight, or one change (x_…).')
      .optional(),
    limit: listLimit.default(usualLimit),
    offset: listOffset.clone().register(modelWords, { isUnlisted: true }),
  }),
  output: listOf(listedHistoryEntry),
  assistant: {
    // A model follows the cursor; the command line lists all without a limit.
    input: { cursor, limit: listLimit.optional().register(modelWords, { isUnlisted: true }) },
    output: budgetedListOf(listedHistoryEntry),
    lean: (list) => ({ ...list, items: list.items.map(leanEntry) }),
  },
  permission: 'history:read',
  // Titles of items are shown beside the changes.
  alsoPermissions: ['content:read'],
  set: 'manage',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/history',
    mayMissRecord: true,
    about:
      'Lists what was changed, newest first: when, through what, by whom, before and after. The token sees the changes of records that it may read.',
    answers: { 200: 'One page of the list.' },
  },
  cli: {
    command: 'history [id]',
    print: (list) => printList(list, 'change', printEntry),
  },
  example: { input: {}, output: { items: [exampleEntry], total: 1, limit: usualLimit, offset: 0 } },
  run({ limit, offset, ...asked }, { history: service, account, caller, forModel, isLean }) {
    return service.list(account, {
      ...asked,
      ...(forModel ? { limit: undefined, offset: 0, maxTokens } : { limit, offset }),
      permissions: caller.permissions,
      ...(isLean && { show: leanEntry }),
    });
  },
});

export const undo = defineOperation({
  name: 'undo',
  title: 'Undo a change',
  description: 'By the undo of an answer. changed_since: ask the user before force.',
  input: z.strictObject({
    id: someId.describe('The id of the change: the `undo` of an answer, or of the history.'),
    force: z.boolean().describe('Overwrite what was changed since.').optional(),
  }),
  output: undone.extend(undoField),
  permission: 'history:write',
  // The answer reveals previous values.
  alsoPermissions: ['history:read', 'content:read'],
  set: 'manage',
  // Destructive: with `force` it overwrites what was changed since.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/history/:id/undo',
    about:
      'Takes back a change, for 30 days. When something was changed since, nothing is undone: `conflicts` says what would be overwritten, and `force` does it all the same.',
    answers: { 200: 'What was undone, or why it was not.' },
  },
  cli: {
    command: 'undo <id>',
    isFailure: ({ outcome }) => outcome === 'changed_since',
    print: ({ id, outcome, operation, conflicts, conflictsTotal }) => {
      const listed = conflicts.map(({ id: of, title, field, before, now, reason }) =>
        line(
          meta(of),
          `  ${title === null ? '' : `${oneLine(title, 60)} · `}${field}: ${shownValue(now)}, before: ${shownValue(before)}. ${reason}`,
        ),
      );
      const more = conflictsTotal > conflicts.length ? [line(meta(`${conflictsTotal} in all`))] : [];
      if (outcome === 'undone_before') return [line(`${id} was undone before.`)];
      if (outcome === 'undone')
        return [
          line(`Undone: ${operation}.`),
          ...(listed.length > 0 ? [line('Overwritten, or not possible any more:'), ...listed, ...more] : []),
        ];
      return [
        line(`Not undone: ${operation}. This was changed since:`),
        ...indented('    ', [...listed, ...more]),
        line(`commonplace undo ${id} --force overwrites it.`),
      ];
    },
  },
  example: {
    input: { id: exampleIds.change },
    output: {
      id: exampleIds.change,
      outcome: 'undone',
      operation: 'update_content',
      rows: 1,
      conflicts: [],
      conflictsTotal: 0,
    },
  },
  run: ({ id, force = false }, { history: service, writer, caller, onProgress }) =>
    service.undo(writer, id, {
      force,
      caller,
      onProgress: (rows, total) => onProgress?.({ progress: rows, total, message: 'rows undone' }),
    }),
});
