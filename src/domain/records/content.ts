import { z } from 'zod';
import { actionItem } from './analyses/action.ts';
import { cleanLine, cleanText } from '../text/clean-text.ts';
import { instant } from './instant.ts';
import { contentTypes, maxTag, maxUncleanTag } from './item.ts';
import { highlight } from './highlights/highlight.ts';
import { idPattern } from './ids.ts';
import { namedList } from './list.ts';
import { maxTags } from './limits.ts';
import { locator } from './texts/locator.ts';
import { stages } from './stages.ts';

export const contentType = z.enum(contentTypes);
export type ContentType = z.infer<typeof contentType>;

const contentStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export const contentStatus = z.enum(contentStatuses);
export type ContentStatus = z.infer<typeof contentStatus>;

/** In which order items are listed: by the time of saving, by title, or as in the list by hand that is asked for, else newest first. */
export const itemOrder = z.enum(['newest', 'oldest', 'title', 'list']);
export type ItemOrder = z.infer<typeof itemOrder>;

const stage = z.enum(stages);

export const contentId = z.string().regex(idPattern('c'), 'is not a content id (c_ and 16 characters)');

/** One tag: trimmed, 1–100 characters, no comma (lists of tags are comma-separated in URLs). */
export const tag = z
  .string()
  .max(maxUncleanTag, { abort: true })
  .overwrite(cleanLine)
  .min(1)
  .max(maxTag)
  .refine((text) => !text.includes(','), 'must not contain a comma');
export const tags = z.array(tag).max(maxTags);
/** A title that a person enters. */
export const givenTitle = z.string().max(5_000, { abort: true }).overwrite(cleanLine).max(500);
/** Invisible characters are removed. */
export const notes = z.string().overwrite(cleanText).max(10_000);

/** A problem of a text that was read nevertheless. */
export const warning = z.object({ code: z.string(), message: z.string().describe('For a person to read.') });
export type Warning = z.infer<typeof warning>;

/** A copy of a page in a web archive, from which the text of an item is. */
export const archivedCopy = z.object({
  url: z.string().describe('Opens the copy.'),
  date: z.string().describe('When the archive made it: YYYY-MM-DD.'),
});
export type ArchivedCopy = z.infer<typeof archivedCopy>;

/** A warning as stored with its text; one about an archived copy identifies the copy. */
export const keptWarning = warning.extend({ copy: archivedCopy.optional() });
export type KeptWarning = z.infer<typeof keptWarning>;

export const failure = z.object({
  code: z.string(),
  message: z.string().describe('What happened and what can be done, for a person to read.'),
  retryable: z.boolean().describe('Whether trying again may help.'),
  attempts: z.int(),
  nextAttemptAt: instant.nullable().describe('When it is tried again; null when it is not.'),
});

/** Progress of an unfinished item: the stage that it is at or waits for, and the number of attempts. */
export const progress = z.object({ stage, attempts: z.int() });

/** An insight. `quote` is an exact slice of the stored text, or null when the insight is not from a single place. */
export const insight = z.object({
  text: z.string(),
  quote: z
    .string()
    .nullable()
    .describe('An exact slice of the stored text, or null when the insight was not drawn from one place.'),
  locator: locator.nullable().describe('The place of the quote in the text.'),
  url: z.string().nullable().describe('Opens the source at that place.'),
  unquoted: z
    .literal(true)
    .optional()
    .describe('Present when there is no quote: these are words of the analyst that no place in the text bears out.'),
  goalId: z.string().optional().describe('The goal that it serves. Absent when it serves none.'),
  goalReason: z.string().optional().describe('Why it serves that goal.'),
});
export type Insight = z.infer<typeof insight>;

export const analysisInfo = z.object({
  by: z.enum(['extractive', 'claude', 'assistant']),
  model: z.string().nullable(),
  at: instant,
  droppedQuotes: z
    .int()
    .describe('Entries that were left out: their quote was not found in the text, or does not say what they said.'),
  promptVersion: z.string().optional().describe('Version of the rules by which it was written.'),
  inputTokens: z.int().optional(),
  outputTokens: z.int().optional(),
  costUsd: z.number().optional().describe('What the model cost, in dollars, by the prices of the settings.'),
  unread: z.string().optional().describe('What of the text was not read for the analysis.'),
});
export type AnalysisInfo = z.infer<typeof analysisInfo>;

/** Where a person keeps an item: not looked at yet, wanted for later, or put away. Whether it was read is another thing. */
export const shelf = z.enum(['inbox', 'later', 'archive']);
export type Shelf = z.infer<typeof shelf>;

/** Where reading stopped. */
export const reading = z.object({
  start: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .describe(
      'Offset of the passage in `transcript`; null when only the share is known, as after a new version of it.',
    ),
  share: z.number().min(0).max(1).describe('How much was read: 0 to 1.'),
});
export type Reading = z.infer<typeof reading>;

/** How many items that are not deleted there are. */
export const itemCounts = z.object({
  shelves: z.object({ inbox: z.int(), later: z.int(), archive: z.int() }),
  unread: z.int().describe('On all shelves: those without `readAt`.'),
});
export type ItemCounts = z.infer<typeof itemCounts>;

export const libraryCounts = itemCounts.extend({
  lists: z
    .array(z.object({ id: z.string(), count: z.int() }))
    .describe('In their order. What a query finds is counted up to 1,000.'),
});
export type LibraryCounts = z.infer<typeof libraryCounts>;

/** A tag that the item may be given, and why. */
export const proposedTag = z.object({ tag: z.string(), reason: z.string() });
export type ProposedTag = z.infer<typeof proposedTag>;

/** Tags that were found for an item, the best first; `score` is above 0, at most 1. */
export interface TagProposals {
  found: readonly (ProposedTag & { score: number })[];
  /** Of computed ones, which take the place of those before. An analyst's own are added, and one may be new. */
  areComputed: boolean;
  /** Whether they are given to the item as soon as this person's decisions bear them out. */
  areApplied: boolean;
}

/** The short form of an item, used in lists. */
export const contentSummary = z.object({
  id: z.string(),
  url: z.string().nullable().describe('As it was saved; null for an uploaded file and for a note.'),
  fileName: z.string().optional().describe('Present for an uploaded file: the name that it had.'),
  title: z.string().nullable(),
  summary: z.string().nullable(),
  contentType: contentType.nullable().describe('Null until the item has been fetched.'),
  status: contentStatus,
  progress: progress.optional().describe('Only while it is unfinished: the stage it is at or waits for.'),
  tags: z.array(z.string()),
  notes: z.string().nullable(),
  shelf,
  readAt: instant.nullable().describe('When it was read, or marked as read; null while it is unread.'),
  reading: reading.nullable().describe('Where reading stopped; null when it did not begin.'),
  author: z.string().nullable(),
  siteName: z.string().nullable(),
  publishedAt: instant.nullable(),
  language: z.string().nullable().describe('ISO 639-1 code.'),
  wordCount: z.int().nullable(),
  durationSeconds: z.number().optional().describe('Of video and audio.'),
  pageCount: z.int().optional().describe('Of a PDF.'),
  canonicalUrl: z.string().nullable().describe('One spelling for all addresses of the same page; null where `url` is.'),
  createdAt: instant,
  processedAt: instant.nullable(),
  analysis: analysisInfo.nullable().describe('Who wrote summary, insights and actions.'),
  warnings: z.array(warning).describe('The text was got, but there is something to know about it.'),
  archivedCopy: archivedCopy
    .optional()
    .describe('Present when the page is gone, and the text is from a copy: links to places open that.'),
  pageCheck: z
    .object({
      checkedAt: instant.describe('When its page was fetched again the last time.'),
      changedAt: instant.nullable().describe('When that brought another text the last time; null: never.'),
    })
    .optional()
    .describe('Present when its page was fetched again. A problem with that is among the warnings.'),
  duplicateOf: z.string().nullable().describe('The id of an older item with the same content.'),
  deletedAt: instant.optional().describe('Present while it is deleted.'),
  restorableUntil: instant.optional().describe('A deleted item can be restored until then.'),
  failure: failure.optional().describe('Why it failed or waits to be tried again.'),
});
export type ContentSummary = z.infer<typeof contentSummary>;

/** One item in full. `transcript` is present only when there is one. */
export const contentItem = contentSummary.extend({
  keyInsights: z.array(insight),
  actions: z.array(actionItem),
  highlights: z
    .array(highlight)
    .optional()
    .describe('What a person marked in it, in the order of the text: the first ones. Absent when there are none.'),
  highlightsTotal: z.int().optional().describe('How many those are, when not all are shown.'),
  lists: z.array(namedList).optional().describe('The lists by hand that it is in. Absent when there are none.'),
  proposedTags: z
    .array(proposedTag)
    .optional()
    .describe(
      'Tags that it may be given, and why. Adding one confirms it, `rejectTags` rejects it. Absent when there are none.',
    ),
  transcript: z.string().optional().describe('The full text or transcript, as Markdown. Absent until there is one.'),
});
export type ContentItem = z.infer<typeof contentItem>;

/** A text of an item, current or from before its page was refetched. */
export const itemVersion = z.object({
  version: z.int().describe('Its number. A version that is shown again gets a new one.'),
  createdAt: instant.describe('When it was read.'),
  title: z.string().nullable(),
  wordCount: z.int(),
  isShown: z.boolean().describe('Whether it is the one that is shown and searched.'),
});
export type ItemVersion = z.infer<typeof itemVersion>;

/** A version with its text, and how the texts of two versions differ: the older one is before. */
export const readVersion = itemVersion.extend({
  text: z.string().describe('As Markdown.'),
  against: z.int().describe('The version that it is compared with.'),
  added: z.int().describe('Paragraphs that only the later one of the two has.'),
  removed: z.int().describe('Paragraphs that only the earlier one has.'),
  changes: z
    .array(z.object({ change: z.enum(['added', 'removed']), text: z.string() }))
    .describe('Those paragraphs in their order: the first 200, the first 2,000 characters of each.'),
});
export type ReadVersion = z.infer<typeof readVersion>;
