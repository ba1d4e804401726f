import { z } from 'zod';
import { savedMany, saveOutcomes } from '../../domain/records/answers.ts';
import { contentItem, notes, tags, shelf } from '../../domain/records/content.ts';
import { exampleIds, exampleItem, exampleNote } from '../../domain/records/examples.ts';
import { pushedCaptions, pushedText } from '../../domain/records/pushed-content.ts';
import { refusedField } from '../../services/library/change-many.ts';
import { defineOperation } from '../operation.ts';
import { modelWords, standardTokens, undo } from '../fields.ts';
import { leanItem } from '../answers/lean.ts';
import { printSummary } from '../answers/print-item.ts';
import { line, meta } from '../answers/printed.ts';

const aboutTags = 'Tags, each of 1 to 100 characters without a comma.';

export const savedItem = contentItem.omit({ transcript: true }).extend({ outcome: z.enum(saveOutcomes), ...undo });

export const { transcript: _, ...exampleSaved } = exampleItem;

export const savedUrl = z
  .string()
  .min(1)
  .max(2_048)
  .describe('The address of the page, http or https, without user name and password.')
  // The service checks this form, and says in its error what is wrong.
  .meta({ format: 'uri', pattern: String.raw`^https?://[^\s/?#@]+(?:[/?#]\S*)?$` });

/** Addresses that one call may save. Each is judged by itself, so the list takes any text. */
const savedUrls = z.array(z.string()).min(1).max(20).describe('The addresses of the pages, each http or https.');

/** At most one of text, html and captions, and a title only with one of them. The service checks this. */
const pushedRules = {
  text: { properties: { html: false, captions: false } },
  html: { properties: { captions: false } },
  title: { not: { properties: { text: false, html: false, captions: false } } },
};

export const saveContent = defineOperation({
  name: 'save_content',
  title: 'Save a URL',
  description:
    'Saves pages or videos by URL, read in the background. Again: merges tags, retries failed ones. Text, html or captions (WebVTT, SRT) are read instead. Without url: a note.',
  input: z.strictObject({
    url: savedUrl.optional(),
    tags: tags.describe(aboutTags).optional(),
    notes: notes.describe('Your own words about it.').optional(),
    shelf: shelf
      .describe('Where to keep it; without it a new item comes to the inbox.')
      .optional()
      .register(modelWords, { isUnlisted: true }),
    refresh: z
      .boolean()
      .describe('Whether the page of an address that is known is fetched again.')
      .optional()
      .register(modelWords, { isUnlisted: true }),
    title: z.string().max(1_000).describe('The title of what is sent as text, html or captions.').optional(),
    text: pushedText
      .describe('The text of the page (plain or Markdown), if you have it: then nothing is fetched.')
      .optional(),
    html: pushedText.describe('The HTML of the page, instead of text.').optional(),
    captions: z
      .union([pushedText, pushedCaptions])
      .describe(
        'The captions of the video or recording, instead of text: WebVTT, SRT or a copied transcript with its times, or a list of start and duration in seconds with text.',
      )
      .optional(),
  }),
  output: savedItem,
  assistant: {
    input: {
      urls: savedUrls.optional().register(modelWords, { isForModels: true }),
      captions: pushedText.describe('WebVTT or SRT.').optional(),
      wait: z.number().min(0).max(45).describe('Seconds to wait until it is processed.').default(0),
    },
    output: z.union([savedItem, savedMany.extend(undo)]),
    lean: (answer) => ('items' in answer ? answer : leanItem(answer)),
  },
  permission: 'content:write',
  acknowledges: ['id', 'status', 'outcome', 'items', 'saved'],
  largeInputs: ['text', 'html', 'captions'],
  set: 'core',
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  http: {
    method: 'post',
    path: '/content',
    requires: ['url'],
    bodyRules: { dependentSchemas: pushedRules },
    maxBodyBytes: 10 * 2 ** 20,
    status: ({ outcome }) => (outcome === 'created' ? 201 : 200),
    about:
      'Saves a page by its address. The answer comes at once; the page is fetched, read and made searchable in the background, so ask for the item again until its `status` is `completed` or `failed`. Saving an address that is already there makes no second item: tags are merged, notes are kept unless new ones are given, and an item that had failed is tried again. For pages behind a login, and videos that servers may not read, the client can send the content itself: one of `text`, `html` and `captions`, with a `title`. It replaces what was read before, and nothing is fetched. Up to 10 MB.',
    answers: {
      200: 'The address was there already: `outcome` is `existed`, `requeued` when it had failed or other text was sent, so that it is read again, or `restored` when it had been deleted.',
      201: 'A new item, still `pending`.',
    },
  },
  apiV1: {
    method: 'post',
    path: '/content',
    maxBodyBytes: 10 * 2 ** 20,
    bodyRules: { dependentSchemas: pushedRules, anyOf: [{ required: ['url'] }, { required: ['text'] }] },
    status: ({ outcome }) => (outcome === 'created' ? 201 : 200),
    about:
      'Saves a page by its address, or without `url` a note of `title` and `text`. The answer comes at once; the item is read and made searchable in the background: ask for it again until its `status` is `completed` or `failed`. One of `text`, `html` and `captions` is read in place of the page.',
    answers: {
      200: 'The address or the note was there already: `outcome` is `existed`, `requeued` when it is read again, or `restored` when it had been deleted.',
      201: 'A new item, still `pending`.',
    },
  },
  // `cli/commands/save.ts` has this command, because it takes several addresses, and files.
  cli: { command: 'save <url>', print: (answer) => ('items' in answer ? [] : printSummary(answer)) },
  example: {
    input: { url: exampleSaved.url, tags: ['health', 'sleep'], notes: 'Read again in spring' },
    output: {
      ...exampleSaved,
      title: null,
      summary: null,
      contentType: null,
      status: 'pending',
      progress: { stage: 'fetch', attempts: 0 },
      author: null,
      siteName: null,
      publishedAt: null,
      language: null,
      wordCount: null,
      processedAt: null,
      analysis: null,
      keyInsights: [],
      actions: [],
      outcome: 'created',
    },
    otherOutputs: [{ ...exampleSaved, outcome: 'existed' }],
  },
  // Only assistants have `wait`, and they pay for the tokens of the answer.
  run({ wait, url, urls, ...rest }, { library, writer, onProgress, signal, forModel }) {
    const { title, ...others } = rest;
    const waiting = { onProgress, signal };
    const isFetched = [rest.text, rest.html, rest.captions].every((content) => content === undefined);
    if (urls !== undefined) {
      if (title !== undefined || !isFetched)
        throw refusedField('urls', 'take tags and notes alone: save a page with its title or text by itself');
      const all = url === undefined ? urls : [url, ...urls];
      return library.saveMany(writer, all, { tags: rest.tags, notes: rest.notes, shelf: rest.shelf, wait }, waiting);
    }
    // A model may name a page that is fetched: the title is then one of the person's own.
    const given = forModel && isFetched && url !== undefined ? { ...others, ownTitle: title } : rest;
    const request = { ...given, ...(wait !== undefined && { wait, maxTokens: standardTokens }) };
    return url === undefined
      ? library.saveNote(writer, request, waiting)
      : library.save(writer, { url, ...request }, waiting);
  },
});

/** Assistants have `save_content` for it, and the command `save` takes several addresses. */
export const saveContents = defineOperation({
  name: 'save_contents',
  title: 'Save several URLs',
  description: 'Saves each page as `save_content` does. One that is refused does not keep the others from being saved.',
  input: z.strictObject({
    urls: savedUrls,
    tags: tags.describe('Tags for all of them.').optional(),
    notes: notes.describe('Your own words about all of them.').optional(),
    shelf: shelf.describe('Where to keep them; without it new ones come to the inbox.').optional(),
  }),
  output: savedMany.extend(undo),
  permission: 'content:write',
  acknowledges: ['items', 'saved'],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  apiV1: {
    method: 'post',
    path: '/content/saves',
    about:
      'Saves up to 20 pages by their addresses. Each has its own result: one that is refused does not keep the others from being saved.',
    answers: { 200: 'What became of each address, in the given order.' },
  },
  example: {
    input: { urls: [exampleSaved.url, 'not an address'], tags: ['sleep'] },
    output: {
      items: [
        { url: exampleSaved.url ?? '', outcome: 'created', id: exampleIds.content, status: 'pending' },
        { url: 'not an address', outcome: 'refused', message: 'This is not a web address.' },
      ],
      saved: 1,
    },
  },
  run: ({ urls, ...about }, { library, writer, signal }) => library.saveMany(writer, urls, about, { signal }),
});

/** Assistants have `save_content` for it. */
export const addNote = defineOperation({
  name: 'add_note',
  title: 'Save a note of your own',
  description: 'Saves a note: text without an address. The same title and text again are the same item.',
  input: z.strictObject({
    text: pushedText.min(1).describe('The text of the note, plain or Markdown.'),
    title: z.string().max(1_000).describe('Its title; without one, its first heading or line.').optional(),
    tags: tags.describe(aboutTags).optional(),
    notes: notes.describe('Your own words about it.').optional(),
  }),
  output: savedItem,
  permission: 'content:write',
  acknowledges: ['id', 'status', 'outcome'],
  largeInputs: ['text'],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  cli: {
    command: 'note [text...]',
    piped: 'text',
    print: (item) => [
      ...printSummary(item),
      line(meta('Searches find it when a server or `commonplace work` has read it.')),
    ],
  },
  example: {
    input: { text: 'The boiler was last serviced in May.', title: 'Boiler', tags: ['house'] },
    output: { ...exampleNote, outcome: 'created' },
  },
  run: (input, { library, writer, signal }) => library.saveNote(writer, input, { signal }),
});
