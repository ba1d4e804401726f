import { z } from 'zod';
import { contentType } from '../domain/records/content.ts';
import { locator } from '../domain/records/locator.ts';
import { defineOperation } from './operation.ts';
import { someId } from './fields.ts';

const readOnly = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const place = z.object({ text: z.string(), locator, url: z.string() });

export const related = defineOperation({
  name: 'related',
  title: 'Show items near a saved item',
  description: 'Other saved items that say something alike, with the passages that are alike.',
  input: z.strictObject({ id: someId, limit: z.int().min(1).max(50).default(5) }),
  output: z.object({
    id: z.string(),
    by: z.enum(['meaning', 'words']),
    items: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        url: z.string(),
        contentType,
        tags: z.array(z.string()),
        score: z.number(),
        why: z.array(z.object({ here: place, there: place })),
      }),
    ),
  }),
  scope: 'search:read',
  set: null,
  effects: readOnly,
  cli: { command: 'related <id>' },
  example: { input: { id: '$contentId', limit: 3 } },
  run: ({ id, limit }, { related, account, signal }) => related.related(account, id, limit, signal),
});

export const suggest = defineOperation({
  name: 'suggest',
  title: 'Complete what is being typed',
  description: 'Tags, titles, frequent phrases and past questions that begin with what is typed.',
  input: z.strictObject({ prefix: z.string().max(200), limit: z.int().min(1).max(50).default(10) }),
  output: z.object({
    suggestions: z.array(
      z.object({ text: z.string(), kind: z.enum(['query', 'tag', 'phrase', 'title']), id: z.string().optional() }),
    ),
  }),
  scope: 'search:read',
  set: null,
  effects: readOnly,
  cli: { command: 'suggest <prefix>' },
  example: { input: { prefix: 'sle' } },
  run: ({ prefix, limit }, { suggestions, account }) => suggestions.suggest(account, prefix, limit),
});

export const forgetQueries = defineOperation({
  name: 'forget_queries',
  title: 'Forget all past questions',
  description: 'Removes the questions that were kept for suggestions.',
  input: z.strictObject({}),
  output: z.object({ forgotten: z.int() }),
  scope: 'content:write',
  acknowledges: ['forgotten'],
  set: null,
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  cli: { command: 'forget-queries' },
  example: { input: {} },
  run: (_, { suggestions, account }) => suggestions.forgetQueries(account),
});
