import { isoTime } from '../../../domain/clock.ts';
import {
  restorableForMs,
  type AnalysisInfo,
  type ContentSummary,
  type ContentType,
  type KeptWarning,
  type Warning,
} from '../../../domain/records/content.ts';
import type { Stage } from '../../../domain/records/stages.ts';
import type { KnownMetadata } from '../../../domain/records/document.ts';
import { archivedCopyIn } from '../../../domain/links/archived-copy.ts';
import { shownAddress } from '../../../domain/links/note-address.ts';
import { failureWords } from '../../../domain/failure-words.ts';
import { tagsOf } from './tags.ts';

/** An item with its visible document and its job, as `contentColumns` selects it. */
export interface ContentRow {
  seq: number;
  id: string;
  url: string;
  canonicalUrl: string;
  state: 'unfinished' | 'completed' | 'failed';
  notes: string | null;
  summary: string | null;
  analysis: string | null;
  duplicateOf: string | null;
  createdAt: number;
  processedAt: number | null;
  deletedAt: number | null;
  tags: string;
  visibleDocument: number | null;
  contentType: ContentType | null;
  title: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
  language: string | null;
  wordCount: number | null;
  durationSeconds: number | null;
  pageCount: number | null;
  warnings: string | null;
  known: string | null;
  stage: Stage | null;
  jobState: 'waiting' | 'claimed' | 'failed' | 'done' | null;
  attempts: number | null;
  dueAt: number | null;
  failureCode: string | null;
  failureMessage: string | null;
  failureRetryable: number | null;
  betterState: 'waiting' | 'claimed' | 'failed' | 'done' | null;
  betterCode: string | null;
  betterMessage: string | null;
}

export const contentColumns = `c.seq, c.id, c.url, c.canonical_url AS canonicalUrl, c.state, c.notes, c.summary,
  c.analysis, c.duplicate_of AS duplicateOf, c.known, c.deleted_at AS deletedAt, c.created_at AS createdAt, c.processed_at AS processedAt,
  ${tagsOf('c.seq')} AS tags, c.visible_document AS visibleDocument, c.content_type AS contentType,
  coalesce(c.given_title, d.title) AS title, d.author,
  d.site_name AS siteName, d.published_at AS publishedAt, d.language, d.word_count AS wordCount,
  d.duration_seconds AS durationSeconds, d.page_count AS pageCount, d.warnings, j.stage, j.state AS jobState, j.attempts,
  j.due_at AS dueAt, j.failure_code AS failureCode, j.failure_message AS failureMessage,
  j.failure_retryable AS failureRetryable, b.state AS betterState, b.failure_code AS betterCode,
  b.failure_message AS betterMessage`;

export const contentTables = `content c LEFT JOIN documents d ON d.id = c.visible_document
  LEFT JOIN jobs j ON j.content = c.seq LEFT JOIN better_analyses b ON b.content = c.seq`;

/** SQL: true while a worker holds the job `j` with an unexpired lease. Its parameter is the current time. */
export const isProcessing = `(j.state = 'claimed' AND j.due_at > ?)`;

function keptWarnings({ warnings }: ContentRow): KeptWarning[] {
  return warnings === null ? [] : (JSON.parse(warnings) as KeptWarning[]);
}

export function toSummary(row: ContentRow, now: number): ContentSummary {
  const isUnfinished = row.state === 'unfinished';
  const known = row.known === null ? {} : (JSON.parse(row.known) as KnownMetadata);
  const durationSeconds = row.durationSeconds ?? known.durationSeconds ?? null;
  const warnings = keptWarnings(row);
  const archivedCopy = archivedCopyIn(warnings);
  const pageCount = row.pageCount ?? known.pageCount ?? null;
  const isBeingProcessed = row.jobState === 'claimed' && row.dueAt !== null && row.dueAt > now;
  return {
    id: row.id,
    url: shownAddress(row.url),
    title: row.title ?? known.title ?? null,
    summary: row.summary,
    contentType: row.contentType,
    status: row.state === 'unfinished' ? (isBeingProcessed ? 'processing' : 'pending') : row.state,
    ...(isUnfinished && row.stage !== null && { progress: { stage: row.stage, attempts: row.attempts ?? 0 } }),
    tags: JSON.parse(row.tags) as string[],
    notes: row.notes,
    author: row.author ?? known.author ?? null,
    siteName: row.siteName ?? known.siteName ?? null,
    publishedAt: row.publishedAt ?? known.publishedAt ?? null,
    language: row.language ?? known.language ?? null,
    wordCount: row.wordCount,
    ...(durationSeconds !== null && { durationSeconds }),
    ...(pageCount !== null && { pageCount }),
    canonicalUrl: shownAddress(row.canonicalUrl),
    createdAt: isoTime(row.createdAt),
    processedAt: row.processedAt === null ? null : isoTime(row.processedAt),
    analysis: row.analysis === null ? null : (JSON.parse(row.analysis) as AnalysisInfo),
    warnings: [...warnings.map(({ code, message }) => ({ code, message })), ...whyStillAnExtract(row)],
    ...(archivedCopy !== null && { archivedCopy }),
    duplicateOf: row.duplicateOf,
    ...(row.deletedAt !== null && {
      deletedAt: isoTime(row.deletedAt),
      restorableUntil: isoTime(row.deletedAt + restorableForMs),
    }),
    ...failureOf(row),
  };
}

/** Why an LLM analysis that was tried has not replaced the extractive one. */
function whyStillAnExtract({ id, state, betterState, betterCode, betterMessage }: ContentRow): Warning[] {
  // After an interruption the item is back in the queue, and nothing is wrong with it.
  if (betterCode === null || betterCode === 'interrupted' || state !== 'completed') return [];
  const way =
    betterState === 'failed'
      ? ` \`commonplace reprocess ${id} --from analyse\` asks the model again.`
      : ' The model is asked again by itself.';
  return [{ code: betterCode, message: `${betterMessage ?? ''}${way}` }];
}

/** The failure of an item that failed or waits for a retry. Not shown while the retry runs. */
function failureOf(row: ContentRow): Pick<ContentSummary, 'failure'> {
  if (row.failureCode === null || (row.jobState !== 'failed' && row.jobState !== 'waiting')) return {};
  return {
    failure: {
      code: row.failureCode,
      message: failureWords(row.failureMessage ?? '', {
        attempts: row.attempts ?? 0,
        isRetryable: row.failureRetryable === 1,
        isWaiting: row.jobState === 'waiting',
      }),
      retryable: row.failureRetryable === 1,
      attempts: row.attempts ?? 0,
      nextAttemptAt: row.dueAt === null ? null : isoTime(row.dueAt),
    },
  };
}
