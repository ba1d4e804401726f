import { z } from 'zod';
import { cleanLine } from '../../text/clean-text.ts';
import { instant } from '../instant.ts';
import { tag } from '../content.ts';

/** `pages`: pages of items that a query finds, which are refetched. */
export const sourceKinds = ['feed', 'pages', 'folder', 'mailbox'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** Names of files that a folder or a letter brings. Pictures are left out: in a folder of notes they are parts of notes. */
export const readableFile = /\.(?:md|markdown|mdown|mkd|txt|text|pdf|epub|docx|html?|xhtml|mhtml?|eml|srt|vtt)$/i;

/** `gone`: its address no longer exists, and it is not checked again. */
export const sourceStates = ['active', 'paused', 'gone'] as const;
export type SourceState = (typeof sourceStates)[number];

const word = z.string().max(1_000, { abort: true }).overwrite(cleanLine).min(1).max(100);

/** A person's choices for a source. Each kind has some of them. */
export const sourceOptions = z
  .object({
    take: z
      .enum(['everything', 'headlines'])
      .describe('`headlines`: an entry becomes an item when somebody opens it. Default: everything.'),
    only: z.array(word).max(50).describe('Only entries or letters with one of these words in their title or text.'),
    without: z.array(word).max(50).describe('None with one of these words.'),
    tags: z.array(tag).max(20).describe('Tags of its items.'),
    keepUnread: z
      .int()
      .min(0)
      .max(10_000)
      .describe('How many of its items stay unread; older ones go to the trash. 0: all.'),
    keepDays: z
      .int()
      .min(0)
      .max(3_650)
      .describe('How many days its items stay unread before they go to the trash. 0: for ever.'),
  })
  .partial();
export type SourceOptions = z.infer<typeof sourceOptions>;

export const sourceName = z.string().max(5_000, { abort: true }).overwrite(cleanLine).min(1).max(200);
/** Minutes between two checks. Accounts with something that is due are looked for every five minutes. */
export const sourceMinutes = z
  .int()
  .min(0)
  .max(60 * 24 * 31);

/** The minimum and default interval between fetches of a page. */
export const leastPagesMinutes = 60;
export const usualPagesMinutes = 60 * 24;

/** Something that brings items by itself, as it is shown. */
export const source = z.object({
  id: z.string(),
  kind: z.enum(sourceKinds),
  address: z
    .string()
    .describe('Of the feed or mailbox; the path of the folder; the query whose items are fetched again.'),
  name: z.string(),
  state: z.enum(sourceStates),
  options: sourceOptions,
  everyMinutes: z.int().nullable().describe('How often it is checked; null: as often as it changes.'),
  items: z.int().describe('How many of its entries are items, without those in the trash.'),
  unread: z.int().describe('How many of these nobody has read.'),
  headlines: z.int().describe('How many entries wait to be opened.'),
  checkedAt: instant.nullable(),
  changedAt: instant.nullable().describe('When a check last found something new.'),
  nextCheckAt: instant.nullable(),
  problem: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why the last check failed, or why it is paused, and what to do.'),
  createdAt: instant,
});
export type Source = z.infer<typeof source>;

export interface NewSource {
  kind: SourceKind;
  address: string;
  name: string;
  options?: SourceOptions | undefined;
  everyMinutes?: number | null | undefined;
}

/** Absent fields stay as they are. `active` resumes it, and checks it now. */
export interface SourceChanges {
  name?: string | undefined;
  state?: 'active' | 'paused' | undefined;
  options?: SourceOptions | undefined;
  everyMinutes?: number | null | undefined;
}

/** State that a check keeps for the next one; each kind of source has its own. */
export type SourceMemory = Readonly<Record<string, unknown>>;

/** A source that this process checks now, while it holds the lease. */
export interface SourceClaim {
  id: string;
  leaseToken: string;
  kind: SourceKind;
  address: string;
  /** The host that the check asks; null when it asks none. */
  host: string | null;
  name: string;
  options: SourceOptions;
  everyMinutes: number | null;
  memory: SourceMemory;
  /** Checks in a row that failed. */
  failures: number;
  /** Milliseconds since the epoch; null before the first check that succeeded. */
  checkedAt: number | null;
}

/** The result of a check. */
export interface CheckOutcome {
  /** Replaces what was known before; absent: that stays. */
  memory?: SourceMemory | undefined;
  /** When it is checked next; ignored unless it stays `active`. */
  nextCheckInMs: number;
  /** Whether something new was found. */
  hasChanged: boolean;
  state?: SourceState | undefined;
  /** Why it failed, or is paused or gone; null: it succeeded. */
  problem: { code: string; message: string } | null;
  /** A name that the source gives itself, for one that was named by its address. */
  name?: string | undefined;
  /** Its new address after a permanent move; ignored if another source of its kind has it. */
  address?: string | undefined;
}

/** `left`: it was left out, and is not looked at again. */
export const sourceEntryStates = ['item', 'headline', 'left'] as const;
export type SourceEntryState = (typeof sourceEntryStates)[number];

/** An entry of a feed, a file of a folder, a letter. */
export interface SourceEntry {
  /** Names it within its source; at most `maxEntryKey` characters. */
  key: string;
  state: SourceEntryState;
  /** The id of its item; null when it has none, or it was purged. */
  contentId: string | null;
  address: string | null;
  title: string | null;
  /** Milliseconds since the epoch. */
  publishedAt: number | null;
  /** Tells whether it has changed since. */
  fingerprint: string | null;
  /** When it was found, or its file changed; milliseconds since the epoch. */
  seenAt: number;
}

/** Which untouched items of a source may go; oldest first, at most `limit`. */
export interface UntouchedItems {
  /** The newest of them stay; null: all. */
  keep: number | null;
  /** Those that were saved before this go, too: milliseconds since the epoch; null: none. */
  before: number | null;
  /** Tags that the source gave them. */
  tags: readonly string[];
  limit: number;
}

/** An entry, as it is shown. */
export const shownEntry = z.object({
  key: z.string().describe('Names the entry within its source.'),
  state: z
    .enum(['item', 'headline', 'left'])
    .describe('`item`: it was saved. `headline`: it waits to be opened. `left`: it was left out.'),
  contentId: z.string().nullable().describe('The id of its item.'),
  title: z.string().nullable(),
  address: z.string().nullable(),
  publishedAt: instant.nullable(),
  seenAt: instant.describe('When the source brought it.'),
});
export type ShownEntry = z.infer<typeof shownEntry>;

export interface SourceEntryQuery {
  state?: SourceEntryState | undefined;
  /** Entries with greater keys than this, by their keys; absent: newest first. */
  afterKey?: string | undefined;
  /** Only entries that are no item, by `seenAt`, the latest first. */
  withoutItem?: true | undefined;
  limit: number;
  offset?: number | undefined;
}
