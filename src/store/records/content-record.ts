import { withoutNumber } from '../../domain/access/account-names.ts';
import { isoTime } from '../../domain/clock.ts';
import { archivedCopyIn } from '../../domain/links/archived-copy.ts';
import { shownAddress, uploadedFileName } from '../../domain/links/shown-address.ts';
import type {
  AnalysisInfo,
  ContentSummary,
  ContentType,
  KeptWarning,
  Warning,
  Shelf,
} from '../../domain/records/content.ts';
import { restorableForMs } from '../../domain/records/limits.ts';
import type { KnownMetadata } from '../../domain/records/texts/document.ts';
import type { Stage } from '../../domain/records/stages.ts';
import type { ItemTitle } from '../records.ts';

/** An item with its visible document, its job and the LLM analysis that it waits for, as an engine reads them. */
export interface ContentRecord {
  seq: number;
  id: string;
  url: string;
  canonicalUrl: string;
  state: 'unfinished' | 'completed' | 'failed';
  notes: string | null;
  shelf: Shelf;
  readAt: number | null;
  readingStart: number | null;
  readingShare: number | null;
  summary: string | null;
  analysis: AnalysisInfo | null;
  duplicateOf: string | null;
  createdAt: number;
  processedAt: number | null;
  deletedAt: number | null;
  tags: string[];
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
  warnings: KeptWarning[] | null;
  known: KnownMetadata | null;
  stage: Stage | null;
  jobState: 'waiting' | 'claimed' | 'failed' | 'done' | null;
  attempts: number | null;
  dueAt: number | null;
  failureCode: string | null;
  failureMessage: string | null;
  isRetryable: boolean | null;
  /** Whether the model has given up analysing it; null when it was never planned. */
  isGivenUp: boolean | null;
  llmFailureCode: string | null;
  checkedAt: number | null;
  changedAt: number | null;
  checkCode: string | null;
  checkMessage: string | null;
  llmFailureMessage: string | null;
}

export function summaryOf(row: ContentRecord, now: number): ContentSummary {
  const isUnfinished = row.state === 'unfinished';
  const known = row.known ?? {};
  const durationSeconds = row.durationSeconds ?? known.durationSeconds ?? null;
  const warnings = row.warnings ?? [];
  const archivedCopy = archivedCopyIn(warnings);
  const pageCount = row.pageCount ?? known.pageCount ?? null;
  const fileName = uploadedFileName(row.url);
  const isBeingProcessed = row.jobState === 'claimed' && row.dueAt !== null && row.dueAt > now;
  return {
    id: row.id,
    url: shownAddress(row.url),
    ...(fileName !== null && { fileName }),
    title: row.title ?? known.title ?? null,
    summary: row.summary,
    contentType: row.contentType,
    status: row.state === 'unfinished' ? (isBeingProcessed ? 'processing' : 'pending') : row.state,
    ...(isUnfinished && row.stage !== null && { progress: { stage: row.stage, attempts: row.attempts ?? 0 } }),
    tags: row.tags,
    notes: row.notes,
    shelf: row.shelf,
    readAt: row.readAt === null ? null : isoTime(row.readAt),
    reading: row.readingShare === null ? null : { start: row.readingStart, share: row.readingShare },
    author: row.author ?? known.author ?? null,
    siteName: row.siteName ?? known.siteName ?? null,
    publishedAt: row.publishedAt ?? known.publishedAt ?? null,
    language: row.language ?? known.language ?? null,
    wordCount: row.wordCount,
    ...(durationSeconds !== null && { durationSeconds }),
    ...(pageCount !== null && { pageCount }),
    canonicalUrl: shownAddress(withoutNumber(row.canonicalUrl)),
    createdAt: isoTime(row.createdAt),
    processedAt: row.processedAt === null ? null : isoTime(row.processedAt),
    analysis: row.analysis,
    warnings: [
      ...warnings.map(({ code, message }) => ({ code, message })),
      ...whyStillAnExtract(row),
      ...whyNotRefreshed(row),
    ],
    ...(row.checkedAt !== null && {
      pageCheck: {
        checkedAt: isoTime(row.checkedAt),
        changedAt: row.changedAt === null ? null : isoTime(row.changedAt),
      },
    }),
    ...(archivedCopy !== null && { archivedCopy }),
    duplicateOf: row.duplicateOf,
    ...(row.deletedAt !== null && {
      deletedAt: isoTime(row.deletedAt),
      restorableUntil: isoTime(row.deletedAt + restorableForMs),
    }),
    ...failureOf(row),
  };
}

/** Why the text is still the previous one after a refetch. */
function whyNotRefreshed({ checkedAt, checkCode, checkMessage }: ContentRecord): Warning[] {
  if (checkCode === null || checkedAt === null) return [];
  const message = checkCode === 'page_shrunk' ? '' : 'The text is the one from before. ';
  return [
    {
      code: checkCode,
      message: `Fetched again on ${isoTime(checkedAt).slice(0, 10)}: ${message}${checkMessage ?? ''}`,
    },
  ];
}

/** Why an LLM analysis that was tried has not replaced the extractive one. */
function whyStillAnExtract({ id, state, isGivenUp, llmFailureCode, llmFailureMessage }: ContentRecord): Warning[] {
  // After an interruption the item is back in the queue, and nothing is wrong with it.
  if (llmFailureCode === null || llmFailureCode === 'interrupted' || state !== 'completed') return [];
  const way =
    isGivenUp === true
      ? ` \`commonplace reprocess ${id} --from analyse\` asks the model again.`
      : ' The model is asked again by itself.';
  return [{ code: llmFailureCode, message: `${llmFailureMessage ?? ''}${way}` }];
}

/** The failure of an item that failed or waits for a retry. Not shown while the retry runs. */
function failureOf(row: ContentRecord): Pick<ContentSummary, 'failure'> {
  if (row.failureCode === null || (row.jobState !== 'failed' && row.jobState !== 'waiting')) return {};
  return {
    failure: {
      code: row.failureCode,
      message: failureWords(row.failureMessage ?? '', {
        attempts: row.attempts ?? 0,
        isRetryable: row.isRetryable === true,
        isWaiting: row.jobState === 'waiting',
      }),
      retryable: row.isRetryable === true,
      attempts: row.attempts ?? 0,
      nextAttemptAt: row.dueAt === null ? null : isoTime(row.dueAt),
    },
  };
}

export interface TitleRecord extends Pick<ItemTitle, 'id' | 'contentType'> {
  title: string | null;
  url: string;
  createdAt: number;
}

export function titleOf({ id, title, url, contentType, createdAt }: TitleRecord): ItemTitle {
  return { id, title: title ?? shownAddress(url) ?? '', contentType, createdAt: isoTime(createdAt) };
}

/*
 * The code that detects a failure does not know whether it will be retried: that depends on the number of attempts. So
 * the stored reason does not mention retries. They are added where the failure is shown.
 */

const goesOn = 'It is tried again by itself.';

/** The reason of a failure, followed by whether it is retried. */
export function failureWords(
  reason: string,
  { attempts, isRetryable, isWaiting }: { attempts: number; isRetryable: boolean; isWaiting: boolean },
): string {
  if (isWaiting) return `${reason} ${goesOn}`;
  if (!isRetryable) return reason;
  return `${reason} It was given up after ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}; \`commonplace retry\` tries again.`;
}
