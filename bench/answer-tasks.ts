import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readJsonLines } from './answer-library.ts';

/* The tasks of bench/answers.ts: what a user asks, which tools an assistant calls then, and what must stand in the answers. */

export const taskKinds = [
  'fact',
  'quote',
  'compare',
  'week',
  'goal',
  'name',
  'year',
  'german',
  'tags',
  'absent',
] as const;
export type TaskKind = (typeof taskKinds)[number];

const call = z.strictObject({
  tool: z.enum(['search', 'fetch', 'list_content', 'get_content', 'list_actions', 'list_goals']),
  /**
   * A search without a query asks the question as it is. `$id:<key>` and `$goal:<title>` stand for the id of an item or a
   * goal that an earlier answer must have shown, `$cursor:<n>` for the nextCursor of the nth call, counted from 0.
   */
  input: z.record(z.string(), z.unknown()),
  /** Made only when something is still missing. */
  ifMissing: z.literal(true).optional(),
});
export type TaskCall = z.infer<typeof call>;

const expectation = z.strictObject({
  /** Key of the item that must say it: the answer names the item by its id. */
  item: z.string().min(1),
  /** A few words of the source. */
  text: z.string().min(1).max(100),
  /** The words must come with a link to their place in the source, not only to the source. */
  place: z.literal(true).optional(),
  /** The text must be the whole value of this field. */
  field: z.string().optional(),
});
export type Expectation = z.infer<typeof expectation>;

export const answerTask = z.strictObject({
  id: z.string().min(1),
  kind: z.enum(taskKinds),
  split: z.enum(['tuning', 'held-out']),
  question: z.string().min(1),
  calls: z.array(call).min(1),
  /** Empty for what nothing was saved about. */
  holds: z.array(expectation).default([]),
});
export type AnswerTask = z.infer<typeof answerTask>;

export const readTasks = (): AnswerTask[] =>
  readJsonLines(readFileSync(new URL('data/answer-tasks.jsonl', import.meta.url), 'utf8'), answerTask);

/** A string in an answer. */
interface Leaf {
  /** Id of the item that it belongs to. */
  owner: string | null;
  field: string;
  text: string;
  /** The link of the nearest record around it: an address, or one that `at` completes. */
  url: string | null;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

function* leavesOf(value: unknown, around: Omit<Leaf, 'text'>): Generator<Leaf> {
  if (typeof value === 'string') yield { ...around, text: value };
  else if (Array.isArray(value)) for (const one of value) yield* leavesOf(one, around);
  else if (typeof value === 'object' && value !== null) {
    const { id, contentId, url, at } = value as Record<string, unknown>;
    const own = textOf(contentId) ?? (textOf(id)?.startsWith('c_') ? textOf(id) : null);
    const page = textOf(url) ?? around.url;
    const inside = { owner: own ?? around.owner, url: page === null ? null : page + (textOf(at) ?? '') };
    for (const [field, one] of Object.entries(value)) yield* leavesOf(one, { ...inside, field });
  }
}

/** The address of a Markdown link, from its `](` to the `)`. */
const linkTarget = /\]\([^()\s]{0,2000}\)/g;

/** Text without Markdown's marks, so that it does not matter whether an answer has them. */
const plain = (text: string) =>
  text
    .replaceAll(linkTarget, '')
    .replaceAll(/[*_\\[\]`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();

/** A link to a place: a fragment, or a time in a video. */
const isPlace = (url: string | null) => url !== null && /#|[?&]t=\d/.test(url);

/** @param ids of the items, by key */
export function isHeld(
  { item, text, place, field }: Expectation,
  answers: readonly unknown[],
  ids: (key: string) => string,
): boolean {
  const [owner, wanted] = [ids(item), plain(text)];
  for (const answer of answers) {
    for (const leaf of leavesOf(answer, { owner: null, field: '', url: null })) {
      if (leaf.owner !== owner || (place === true && !isPlace(leaf.url))) continue;
      if (field === undefined ? plain(leaf.text).includes(wanted) : leaf.field === field && leaf.text === text)
        return true;
    }
  }
  return false;
}

/** Whether a search admits that nothing saved fits the question. */
export function isAdmitted(answer: unknown): boolean {
  const { results, match } = z
    .object({ results: z.array(z.unknown()).optional(), match: z.string().optional() })
    .parse(answer);
  return match === 'weak' || results?.length === 0;
}
