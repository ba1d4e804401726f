import { z } from 'zod';
import { relatedAnswer, type RelatedAnswer } from '../domain/records/answers.ts';
import { exampleIds, exampleQuote } from '../domain/records/examples.ts';
import { defineOperation } from './operation.ts';
import { someId } from './fields.ts';
import {
  counted,
  indented,
  line,
  link,
  meta,
  oneLine,
  paragraphs,
  prose,
  title,
  type Printed,
} from './answers/printed.ts';

const readOnly = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

function printRelated({ items, by }: RelatedAnswer): Printed {
  if (items.length === 0) return [line('Nothing is near it.')];
  const found = items.map(({ id, title: name, isLinked, why }, index): Printed => [
    line(`${index + 1}. `, title(oneLine(name, 500)), '  ', meta(isLinked ? `${id}  linked` : id)),
    ...paragraphs(
      why.map(({ here, there }) =>
        indented('   ', [
          prose(here.text.trim(), ': '),
          prose(there.text.trim(), '| '),
          ...(there.url === null ? [] : [line(link(there.url))]),
        ]),
      ),
    ),
  ]);
  const about = `Compared by ${by}. Of each pair the first passage is its own, the second that of the other item.`;
  return paragraphs([...found, [line(meta(about))]]);
}

export const related = defineOperation({
  name: 'related',
  title: 'Show items similar to a saved item',
  description: 'Other saved items with similar passages, and those passages.',
  input: z.strictObject({
    id: someId,
    limit: z.int().min(1).max(50).describe('How many items at most.').default(5),
  }),
  output: relatedAnswer,
  permission: 'search:read',
  effects: readOnly,
  apiV1: {
    method: 'get',
    path: '/related/:id',
    about: 'Other saved items that have passages close to those of this item, with the passages that are alike.',
    answers: { 200: 'The items, closest first; `by` says what was compared.' },
  },
  cli: { command: 'related <id>', print: printRelated },
  example: {
    input: { id: exampleIds.content, limit: 3 },
    output: {
      id: exampleIds.content,
      by: 'meaning',
      items: [
        {
          id: 'c_7dhw3xk5rnq2vt6m',
          title: 'A quiet evening',
          url: 'https://example.com/articles/evening',
          contentType: 'article',
          tags: ['sleep'],
          score: 0.71,
          isLinked: false,
          why: [
            {
              here: { text: exampleQuote.quote, locator: exampleQuote.locator, url: exampleQuote.url },
              there: {
                text: 'Who gets up at a fixed hour falls asleep at one.',
                locator: { kind: 'text', start: 90, end: 138 },
                url: 'https://example.com/articles/evening#:~:text=Who%20gets%20up%20at%20a%20fixed%20hour',
              },
            },
          ],
        },
      ],
    },
  },
  run: ({ id, limit }, { related, account, signal }) => related.related(account, id, limit, signal),
});

export const suggest = defineOperation({
  name: 'suggest',
  title: 'Complete what is being typed',
  description: 'Operators, tags, titles, frequent phrases and past questions that begin with what is typed.',
  input: z.strictObject({
    prefix: z.string().max(200).describe('What is typed so far.'),
    limit: z.int().min(1).max(50).describe('How many suggestions at most.').default(10),
  }),
  output: z.object({
    suggestions: z.array(
      z.object({
        text: z.string(),
        kind: z.enum(['operator', 'query', 'tag', 'phrase', 'title']),
        id: z.string().optional(),
      }),
    ),
  }),
  permission: 'search:read',
  effects: readOnly,
  apiV1: {
    method: 'get',
    path: '/search/suggestions',
    about:
      'Completes what is being typed, with operators of the query, tags, titles, frequent phrases and past questions.',
    answers: { 200: 'The suggestions, best first.' },
  },
  example: {
    input: { prefix: 'sle' },
    output: {
      suggestions: [
        { text: 'sleep', kind: 'tag' },
        { text: 'sleep better', kind: 'phrase' },
      ],
    },
  },
  run: ({ prefix, limit }, { suggestions, account }) => suggestions.suggest(account, prefix, limit),
});

export const forgetQueries = defineOperation({
  name: 'forget_queries',
  title: 'Forget all past questions',
  description: 'Removes the questions that were kept for suggestions.',
  input: z.strictObject({}),
  output: z.object({ forgotten: z.int() }),
  permission: 'search:delete',
  acknowledges: ['forgotten'],
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'delete',
    path: '/search/suggestions',
    about: 'Removes the past questions that were kept for suggestions.',
    answers: { 200: 'How many were removed.' },
  },
  cli: {
    command: 'forget-queries',
    print: ({ forgotten }) => [line(`${counted(forgotten, 'question')} forgotten.`)],
  },
  example: { input: {}, output: { forgotten: 12 } },
  run: (_, { suggestions, account }) => suggestions.forgetQueries(account),
});
