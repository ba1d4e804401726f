import { z } from 'zod';
import { contentSummary, itemVersion, readVersion } from '../../domain/records/content.ts';
import { exampleIds, exampleSummary } from '../../domain/records/examples.ts';
import { leastPagesMinutes, source, sourceMinutes } from '../../domain/records/sources/source.ts';
import { printSummary } from '../answers/print-item.ts';
import { counted, line, meta, oneLine, prose, shownTime, type Printed } from '../answers/printed.ts';
import { listQuery } from './filters.ts';
import { someId, undo } from '../fields.ts';
import { defineOperation } from '../operation.ts';

const effects = { readOnly: false, destructive: false, idempotent: true, openWorld: true };
const readOnly = { ...effects, readOnly: true, openWorld: false };

/** `cli/commands/queue-commands.ts` has the command, and assistants have `update_contents` for it. */
export const refreshContent = defineOperation({
  name: 'refresh_content',
  title: 'Fetch saved pages again',
  description: 'Fetches the pages of saved items again. What has not changed stays as it is.',
  input: z.strictObject({
    ids: z.array(someId).min(1).max(100).describe('The ids of the items.').optional(),
    query: listQuery.unwrap().describe('The items that this query finds, at most 500, in place of ids.').optional(),
    everyMinutes: sourceMinutes
      .min(leastPagesMinutes)
      .describe(
        'Also fetch them again from now on, each so often. Makes a source, or changes the one of the same query.',
      )
      .optional(),
    replaceGiven: z
      .boolean()
      .describe('Replace texts that were sent and not fetched, too. Otherwise such an item is refused.')
      .optional(),
  }),
  output: z.object({
    source: source.optional().describe('Fetches them again from now on.'),
    ...undo,
    items: z.array(
      z.object({ id: z.string(), outcome: z.enum(['queued', 'refused', 'not_found']), message: z.string().optional() }),
    ),
    queued: z.int(),
    left: z.int().describe('Items that the query finds beyond those 500.'),
  }),
  permission: 'content:write',
  acknowledges: ['items', 'queued', 'left'],
  effects,
  apiV1: {
    method: 'post',
    path: '/content/refreshes',
    bodyRules: { oneOf: [{ required: ['ids'] }, { required: ['query'] }] },
    about:
      'Queues the pages of these items to be fetched again. An item stays as it is, `completed`, until its page has another text; then that becomes its text, and the one before one of its versions. `pageCheck` says when the page was fetched, and `warnings` why the text is still the one from before. With `everyMinutes`, they are fetched again regularly: `source` does that, and is changed and removed like others. By `ids`, these are at most 20.',
    answers: { 200: 'What became of each item, in the given order.' },
  },
  example: {
    input: { ids: [exampleIds.content] },
    output: { items: [{ id: exampleIds.content, outcome: 'queued' }], queued: 1, left: 0 },
  },
  run: (request, { library, writer }) => library.refresh(writer, request),
});

const exampleVersion = {
  version: 2,
  createdAt: '2026-03-02T06:30:42.017Z',
  title: exampleSummary.title,
  wordCount: 1_204,
  isShown: true,
};

function printVersion({ version, createdAt, title, wordCount, isShown }: z.infer<typeof itemVersion>): Printed {
  const about = `${shownTime(createdAt)}  ${counted(wordCount, 'word')}${isShown ? '  shown' : ''}`;
  return [line(`${version}  `, meta(about), '  ', oneLine(title ?? '', 100))];
}

const number = z.int().min(1).max(1_000_000_000).describe('The number of the version.');

export const listVersions = defineOperation({
  name: 'list_versions',
  title: 'List the versions of a text',
  description: 'The text that an item has, and those from before its page was fetched again.',
  input: z.strictObject({ id: someId }),
  output: z.object({ items: z.array(itemVersion) }),
  permission: 'content:read',
  effects: readOnly,
  apiV1: {
    method: 'get',
    path: '/content/:id/versions',
    about:
      'The text that an item has, and the last ones that it had before its page was fetched again: five together, the newest first.',
    answers: { 200: 'The versions, without their texts.' },
  },
  cli: { command: 'versions <id>', print: ({ items }) => items.flatMap(printVersion) },
  example: { input: { id: exampleIds.content }, output: { items: [exampleVersion] } },
  run: async ({ id }, { library, account }) => ({ items: await library.listVersions(account, id) }),
});

export const getVersion = defineOperation({
  name: 'get_version',
  title: 'Read a version of a text',
  description: 'A version of the text of an item, and how it differs from another one.',
  input: z.strictObject({
    id: someId,
    version: number,
    against: number.describe('The version to compare it with; without it the one that is shown.').optional(),
  }),
  output: readVersion,
  permission: 'content:read',
  effects: readOnly,
  apiV1: {
    method: 'get',
    path: '/content/:id/version',
    about: 'A version with its text, and the paragraphs in which it differs from another one.',
    answers: { 200: 'The version.' },
  },
  cli: {
    command: 'version show <id> <version>',
    print: ({ text, against, added, removed, changes, ...version }) => [
      ...printVersion(version),
      ...(version.version === against
        ? [line(), prose(text)]
        : [
            line(meta(`Compared with ${against}: ${counted(added, 'paragraph')} added, ${removed} taken away.`)),
            ...changes.map(({ change, text: paragraph }) => prose(`${change === 'added' ? '+' : '−'} ${paragraph}`)),
          ]),
    ],
  },
  example: {
    input: { id: exampleIds.content, version: 1 },
    output: {
      ...exampleVersion,
      version: 1,
      isShown: false,
      text: 'The room costs 900.',
      against: 2,
      added: 1,
      removed: 1,
      changes: [
        { change: 'removed', text: 'The room costs 1200.' },
        { change: 'added', text: 'The room costs 900.' },
      ],
    },
  },
  run: ({ id, version, against }, { library, account }) => library.readVersion(account, id, version, against),
});

export const restoreVersion = defineOperation({
  name: 'restore_version',
  title: 'Show a version of a text again',
  description: 'Makes a version of the text of an item the one that is shown and searched.',
  input: z.strictObject({ id: someId, version: number }),
  output: contentSummary.extend(undo),
  permission: 'content:write',
  acknowledges: ['id', 'status'],
  effects: { ...effects, openWorld: false },
  apiV1: {
    method: 'put',
    path: '/content/:id/version',
    about:
      'Makes a version the one that is shown and searched. It gets a new number. The version that is shown stays as it is.',
    answers: { 200: 'The item, in short form.' },
  },
  cli: { command: 'version restore <id> <version>', print: printSummary },
  example: { input: { id: exampleIds.content, version: 1 }, output: exampleSummary },
  run: ({ id, version }, { library, writer }) => library.restoreVersion(writer, id, version),
});
