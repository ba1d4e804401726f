import type { AnalysisInfo, ContentSummary, KeptWarning } from '../../../domain/records/content.ts';
import type { KnownMetadata } from '../../../domain/records/document.ts';
import { type ContentRecord, summaryOf } from '../../records/content-record.ts';
import { tagsOf } from './tags.ts';

/** As `itemColumns` selects it. */
export interface ItemRow extends Omit<
  ContentRecord,
  'analysis' | 'tags' | 'warnings' | 'known' | 'failureRetryable' | 'isGivenUp'
> {
  analysis: string | null;
  tags: string;
  warnings: string | null;
  known: string | null;
  failureRetryable: 0 | 1 | null;
  isGivenUp: 0 | 1 | null;
}

function parsed<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}

export function toSummary(row: ItemRow, now: number): ContentSummary {
  const record: ContentRecord = {
    ...row,
    analysis: parsed<AnalysisInfo>(row.analysis),
    tags: JSON.parse(row.tags) as string[],
    warnings: parsed<KeptWarning[]>(row.warnings),
    known: parsed<KnownMetadata>(row.known),
    failureRetryable: row.failureRetryable === null ? null : row.failureRetryable === 1,
    isGivenUp: row.isGivenUp === null ? null : row.isGivenUp === 1,
  };
  return summaryOf(record, now);
}

export const itemColumns = `c.seq, c.id, c.url, c.canonical_url AS canonicalUrl, c.state, c.notes, c.summary,
  c.analysis, c.duplicate_of AS duplicateOf, c.known, c.deleted_at AS deletedAt, c.created_at AS createdAt, c.processed_at AS processedAt,
  ${tagsOf('c.seq')} AS tags, c.visible_document AS visibleDocument, c.content_type AS contentType,
  coalesce(c.given_title, d.title) AS title, d.author,
  d.site_name AS siteName, d.published_at AS publishedAt, d.language, d.word_count AS wordCount,
  d.duration_seconds AS durationSeconds, d.page_count AS pageCount, d.warnings, j.stage, j.state AS jobState, j.attempts,
  j.due_at AS dueAt, j.failure_code AS failureCode, j.failure_message AS failureMessage,
  j.failure_retryable AS failureRetryable, b.given_up AS isGivenUp, b.failure_code AS llmFailureCode,
  b.failure_message AS llmFailureMessage`;

export const itemTables = `items c LEFT JOIN documents d ON d.id = c.visible_document
  LEFT JOIN jobs j ON j.item = c.seq LEFT JOIN llm_analyses b ON b.item = c.seq`;

/** SQL: true while a worker holds the job `j` with an unexpired lease. Its parameter is the current time. */
export const isProcessing = `(j.state = 'claimed' AND j.due_at > ?)`;
