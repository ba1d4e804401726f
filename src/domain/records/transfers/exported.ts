import { z } from 'zod';
import { actionPriority, actionState } from '../analyses/action.ts';
import { changeFaces } from '../change.ts';
import { analysisInfo, contentType, keptWarning, reading, shelf } from '../content.ts';
import { goalCategories } from '../analyses/goal-categories.ts';
import { idPattern } from '../ids.ts';
import { listIcon, listName, listQuery } from '../list.ts';
import { maxEntryKey, maxHighlights, maxListItems, maxTags } from '../limits.ts';
import { locator } from '../texts/locator.ts';
import { isValidator } from '../resource.ts';
import { sourceEntryStates, sourceKinds, sourceName, sourceOptions, sourceStates } from '../sources/source.ts';
import { stages } from '../stages.ts';
import { maxHistoryText } from './export-files.ts';

/*
 * A library as it is exported and imported again: whole records, so that nothing has to be fetched or derived again but
 * vectors. Times are milliseconds since the epoch. Files with these records come from outside, too: the importer checks
 * them with these schemas.
 */

/** Zeros end a text for some of SQLite's functions. No text of this program has any. */
const hasNoZero = (value: string): boolean => !value.includes('\0');
const text = z.string().max(50_000_000).refine(hasNoZero);
const line = z.string().max(100_000).refine(hasNoZero);
const time = z.number().min(0).max(8.64e15);
const count = z.int().min(0);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const metadata = {
  contentType,
  title: line.nullable(),
  author: line.nullable(),
  siteName: line.nullable(),
  publishedAt: line.nullable(),
  language: line.nullable(),
  durationSeconds: z.number().nullable(),
  pageCount: count.nullable(),
};
/** Facts about an item from before it was read. */
const knownMetadata = z.looseObject(metadata).partial();

const exportedDocument = z.object({
  ...metadata,
  version: z.int().min(1),
  canonicalUrl: line.nullable(),
  wordCount: count,
  warnings: z.array(keptWarning).max(1_000),
  createdAt: time,
  text,
  blocks: z
    .array(
      z.object({
        start: count,
        end: count,
        kind: z.enum(['heading', 'paragraph', 'list', 'quote', 'code', 'table', 'caption']),
        level: z.int().min(1).max(6).optional(),
        locator: locator.optional(),
      }),
    )
    .max(60_000),
});
export type ExportedDocument = z.infer<typeof exportedDocument>;

const exportedPassage = z.object({
  ordinal: count,
  start: count,
  end: count,
  headingPath: z.array(line).max(100),
  locator,
  fragment: line.nullable().optional(),
});

const place = { start: count.nullable(), end: count.nullable(), locator: locator.nullable(), url: line.nullable() };

const exportedInsight = z.object({
  version: z.int(),
  text: line,
  quote: line.nullable(),
  ...place,
  /** Missing in the exports of older versions. */
  goalId: z.string().regex(idPattern('g')).nullish(),
  goalReason: line.nullish(),
});

const exportedAction = z.object({
  id: z.string().regex(idPattern('a')),
  /** Null: a person added it before the item had a text. */
  version: z.int().nullable(),
  goalId: z.string().regex(idPattern('g')).nullable(),
  goalReason: line.nullable(),
  title: line,
  reason: line.nullable(),
  quote: line.nullable(),
  ...place,
  state: actionState,
  touchedAt: time.nullable(),
  completedAt: time.nullable(),
  /** These three are missing in the exports of older versions. */
  due: day.nullish(),
  priority: actionPriority.default('normal'),
  snoozedUntil: day.nullish(),
  createdAt: time,
  /** The action of another item that it represents. */
  mergedInto: z.string().regex(idPattern('a')).nullable(),
});
export type ExportedAction = z.infer<typeof exportedAction>;

const exportedHighlight = z.object({
  id: z.string().regex(idPattern('h')),
  source: line.nullable(),
  quote: line,
  note: line.nullable(),
  colour: line.nullable(),
  /** The version of the text in which it was looked for. */
  version: z.int().nullable(),
  ...place,
  touchedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
  deletedAt: time.nullable(),
});
export type ExportedHighlight = z.infer<typeof exportedHighlight>;

/** One that no fetch would keep is left out. */
export const validator = z.string().refine(isValidator).nullable().catch(null);
const failure = { failureCode: line.nullable(), failureMessage: line.nullable() };

const exportedOriginal = z.object({
  /** Empty for the item itself; else the name of a companion. */
  name: line,
  url: line,
  finalUrl: line,
  declaredType: line.nullable(),
  fetchedAt: line,
  isGiven: z.boolean(),
  /** SHA-256 in hexadecimal, and the file of the export that has the bytes. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  file: z.string().regex(/^originals\/c_[a-z2-7]{16}\/[0-9]{1,6}\.[a-z0-9]{1,8}$/),
});

const exportedTagProposal = z.object({
  tag: z.string().min(1).max(1_000).refine(hasNoZero),
  reason: line,
  score: z.number().min(0).max(1),
  state: z.enum(['proposed', 'confirmed', 'rejected']),
  decidedAt: time.nullable(),
});

export const exportedItem = z.object({
  id: z.string().regex(idPattern('c')),
  url: line,
  canonicalUrl: line,
  state: z.enum(['unfinished', 'completed', 'failed']),
  title: line.nullable(),
  givenTitle: line.nullable(),
  tags: z.array(z.string().min(1).max(1_000).refine(hasNoZero)).max(maxTags),
  notes: line.nullable(),
  /** Tags proposed for it, and the decisions. Missing where there were none. */
  tagProposals: z.array(exportedTagProposal).max(10_000).optional(),
  /** Missing in the exports of older versions, like the next three. */
  shelf: shelf.optional(),
  readAt: time.nullish(),
  readingStart: reading.shape.start.optional(),
  readingShare: reading.shape.share.nullish(),
  summary: text.nullable(),
  analysis: analysisInfo.loose().nullable(),
  known: knownMetadata.nullable(),
  duplicateOf: z.string().regex(idPattern('c')).nullable(),
  createdAt: time,
  updatedAt: time,
  processedAt: time.nullable(),
  visibleVersion: z.int().nullable(),
  documents: z.array(exportedDocument).max(1_000),
  passages: z.array(exportedPassage).max(500_000),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{0,128}$/)
    .nullable(),
  addresses: z.array(line).max(100),
  insights: z.array(exportedInsight).max(10_000),
  actions: z.array(exportedAction).max(10_000),
  highlights: z.array(exportedHighlight).max(maxHighlights * 20),
  job: z
    .object({
      stage: z.enum(stages),
      state: z.enum(['waiting', 'failed', 'done']),
      attempts: count,
      isBackground: z.boolean(),
      ...failure,
      isRetryable: z.boolean().nullable(),
    })
    .nullable(),
  /** Missing where the page was never refetched. */
  pageCheck: z
    .object({
      etag: validator,
      lastModified: validator,
      checkedAt: time.nullable(),
      changedAt: time.nullable(),
      ...failure,
    })
    .optional(),
  betterAnalysis: z.object({ state: z.enum(['waiting', 'failed', 'done']), attempts: count, ...failure }).nullable(),
  originals: z.array(exportedOriginal).max(10_000),
});
export type ExportedItem = z.infer<typeof exportedItem>;

export const exportedGoal = z.object({
  id: z.string().regex(idPattern('g')),
  title: z.string().min(1).max(1_000),
  category: z.enum(goalCategories),
  description: line.nullable(),
  createdAt: time,
  archivedAt: time.nullable(),
});
export type ExportedGoal = z.infer<typeof exportedGoal>;

/** A list. `items`: ids of its items, in order; null for a query list. */
export const exportedList = z.object({
  id: z.string().regex(idPattern('l')),
  name: listName,
  icon: listIcon.nullable(),
  query: listQuery.nullable(),
  ordinal: z.int32(),
  createdAt: time,
  updatedAt: time,
  items: z
    .array(z.string().regex(idPattern('c')))
    // Records that do not fit are left out and reported.
    .max(10 * maxListItems)
    .nullable(),
});
export type ExportedList = z.infer<typeof exportedList>;

/** Entries of a source that are exported and moved together. */
export const maxEntriesTogether = 500;

/** A source with some of its entries; one with many entries occurs several times. */
export const exportedSource = z.object({
  id: z.string().regex(idPattern('f')),
  kind: z.enum(sourceKinds),
  address: line.min(1),
  name: sourceName,
  state: z.enum(sourceStates),
  options: sourceOptions,
  memory: z.record(z.string(), z.unknown()),
  everyMs: z
    .int()
    // No source is checked without end because an export says so.
    .overwrite((ms) => Math.max(5 * 60_000, ms))
    .nullable(),
  checkedAt: time.nullable(),
  changedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
  entries: z
    .array(
      z.object({
        key: line.min(1).max(maxEntryKey),
        state: z.enum(sourceEntryStates),
        contentId: z.string().regex(idPattern('c')).nullable(),
        address: line.nullable(),
        title: line.nullable(),
        publishedAt: z.number().min(-8.64e15).max(8.64e15).nullable(),
        fingerprint: line.nullable(),
        seenAt: time,
      }),
    )
    .max(maxEntriesTogether),
});
export type ExportedSource = z.infer<typeof exportedSource>;

const historyValue = z.union([
  z.string().max(maxHistoryText),
  z.number(),
  z.boolean(),
  z.array(z.string().max(maxHistoryText)).max(10_000),
  z.null(),
]);

/** One thing that was changed, in the words in which people see it. */
const exportedChange = z.object({
  id: z.string().regex(/^[acfghl]_[a-z2-7]{16}$/),
  /** The item that an action item or a highlight belongs to. */
  contentId: z.string().regex(idPattern('c')).nullable(),
  title: line.nullable(),
  field: z.string().min(1).max(100),
  before: historyValue,
  after: historyValue,
});

/** A change of the history, for reading. The data needed to undo it stays in the original library. */
export const exportedHistoryEntry = z.object({
  id: z.string().regex(idPattern('x')),
  at: z.iso.datetime(),
  face: z.enum(changeFaces),
  by: z.string().max(1_000).nullable(),
  operation: z.string().regex(/^[a-z][a-z_ -]{0,99}$/),
  rows: count,
  undoneBy: z.string().regex(idPattern('x')).nullable(),
  undoes: z.string().regex(idPattern('x')).nullable(),
  changes: z.array(exportedChange).min(1).max(10_000),
});
export type ExportedHistoryEntry = z.infer<typeof exportedHistoryEntry>;

/** The manifest of an export, in `commonplace.json`. */
export const exportManifest = z.object({
  format: z.literal('commonplace export'),
  version: z.literal(1),
  program: z.string().max(100),
  createdAt: z.string().max(100),
  /** Only items that were changed at this time or later are in it. */
  since: z.string().max(100).nullable(),
  items: count,
  goals: count,
  actions: count,
  highlights: count,
  /** Changes of the history; missing in the exports of older versions. */
  changes: count.optional(),
  /** SHA-256 of `checksums.sha256`. */
  checksums: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ExportManifest = z.infer<typeof exportManifest>;
