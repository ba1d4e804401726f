import type {
  ExportedAction,
  ExportedDocument,
  ExportedGoal,
  ExportedItem,
} from '../../../domain/records/transfers/exported.ts';
import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { ItemToExport } from '../../transfer.ts';
import { tagsOf } from '../items/tags.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

export function listToExport(file: SqliteFile, after: number, limit: number): ItemToExport[] {
  return file
    .all<ItemToExport & { url: string }>(
      `SELECT c.seq, c.id, c.url, c.updated_at AS updatedAt,
         coalesce(c.given_title, d.title, json_extract(c.known, '$.title')) AS title
       FROM items c LEFT JOIN documents d ON d.id = c.visible_document
       WHERE c.seq > ? AND c.deleted_at IS NULL ORDER BY c.seq LIMIT ?`,
      after,
      limit,
    )
    .map((row) => ({ ...row, url: shownAddress(row.url) }));
}

interface ItemRow extends Omit<
  ExportedItem,
  | 'tags'
  | 'analysis'
  | 'known'
  | 'documents'
  | 'passages'
  | 'fingerprint'
  | 'addresses'
  | 'insights'
  | 'actions'
  | 'highlights'
  | 'job'
  | 'betterAnalysis'
  | 'originals'
> {
  seq: number;
  tags: string;
  analysis: string | null;
  known: string | null;
}

const parsed = <T>(json: string): T => JSON.parse(json) as T;
const parsedOrNull = <T>(json: string | null): T | null => (json === null ? null : parsed<T>(json));

type StoredPlace = Pick<ExportedAction, 'start' | 'end' | 'url'> & { locator: string | null };

function placed<T extends StoredPlace>(row: T): Omit<T, 'locator'> & Pick<ExportedAction, 'locator'> {
  return { ...row, locator: parsedOrNull(row.locator) };
}

export function readToExport(file: SqliteFile, id: string): ExportedItem | null {
  return file.read(() => {
    const row = file.get<ItemRow>(
      `SELECT c.seq, c.id, c.url, c.canonical_url AS canonicalUrl, c.state,
         coalesce(c.given_title, d.title, json_extract(c.known, '$.title')) AS title, c.given_title AS givenTitle,
         ${tagsOf('c.seq')} AS tags, c.notes, c.summary, c.analysis, c.known, c.duplicate_of AS duplicateOf,
         c.created_at AS createdAt, c.updated_at AS updatedAt, c.processed_at AS processedAt,
         d.version AS visibleVersion
       FROM items c LEFT JOIN documents d ON d.id = c.visible_document WHERE c.id = ? AND c.deleted_at IS NULL`,
      id,
    );
    if (row === undefined) return null;
    const { seq, tags, analysis, known, ...item } = row;
    return {
      ...item,
      tags: parsed<string[]>(tags),
      analysis: parsedOrNull(analysis),
      known: parsedOrNull(known),
      documents: readDocuments(file, seq),
      passages: readPassagesOf(file, seq),
      fingerprint:
        file.get<{ hash: string }>('SELECT lower(hex(hash)) AS hash FROM fingerprints WHERE item = ?', seq)?.hash ??
        null,
      addresses: file
        .all<{ address: string }>('SELECT address FROM addresses WHERE item = ? ORDER BY address', seq)
        .map(({ address }) => address),
      insights: file
        .all<StoredPlace & Omit<ExportedItem['insights'][number], keyof StoredPlace>>(
          `SELECT d.version, i.text, i.quote, i.start_at AS start, i.end_at AS "end", i.locator, i.url,
             i.goal AS goalId, i.goal_reason AS goalReason
           FROM insights i JOIN documents d ON d.id = i.document WHERE i.item = ? ORDER BY i.ordinal`,
          seq,
        )
        .map(placed),
      actions: file
        .all<StoredPlace & Omit<ExportedAction, keyof StoredPlace>>(
          `SELECT a.id, d.version, a.goal AS goalId, a.goal_reason AS goalReason, a.title, a.reason, a.quote,
             a.start_at AS start, a.end_at AS "end", a.locator, a.url, a.state, a.touched_at AS touchedAt,
             a.completed_at AS completedAt, a.due, a.created_at AS createdAt,
             (SELECT id FROM actions into_one WHERE into_one.seq = a.merged_into) AS mergedInto
           FROM actions a LEFT JOIN documents d ON d.id = a.document WHERE a.item = ? ORDER BY a.seq`,
          seq,
        )
        .map(placed),
      highlights: file
        .all<StoredPlace & Omit<ExportedItem['highlights'][number], keyof StoredPlace>>(
          `SELECT h.id, h.source, h.quote, h.note, h.colour, d.version, h.start_at AS start, h.end_at AS "end",
             h.locator, h.url, h.touched_at AS touchedAt, h.created_at AS createdAt, h.updated_at AS updatedAt,
             h.deleted_at AS deletedAt
           FROM highlights h LEFT JOIN documents d ON d.id = h.document WHERE h.item = ? ORDER BY h.seq`,
          seq,
        )
        .map(placed),
      job: readJob(file, seq),
      betterAnalysis:
        file.get<NonNullable<ExportedItem['betterAnalysis']>>(
          `SELECT iif(given_up, 'failed', iif(state = 'claimed', 'waiting', state)) AS state, attempts,
             failure_code AS failureCode, failure_message AS failureMessage FROM llm_analyses WHERE item = ?`,
          seq,
        ) ?? null,
      originals: file
        .all<Omit<ExportedItem['originals'][number], 'isGiven'> & { isGiven: number }>(
          `SELECT name, url, final_url AS finalUrl, declared_type AS declaredType, fetched_at AS fetchedAt,
             given AS isGiven, lower(hex(hash)) AS hash, '' AS file FROM originals WHERE item = ? ORDER BY name`,
          seq,
        )
        .map((original) => ({ ...original, isGiven: original.isGiven === 1 })),
    };
  });
}

function readDocuments(file: SqliteFile, item: number): ExportedDocument[] {
  return file
    .all<Omit<ExportedDocument, 'warnings' | 'blocks'> & { warnings: string; blocks: string }>(
      `SELECT version, content_type AS contentType, title, author, site_name AS siteName, published_at AS publishedAt,
         language, canonical_url AS canonicalUrl, duration_seconds AS durationSeconds, page_count AS pageCount,
         word_count AS wordCount, warnings, created_at AS createdAt, text, blocks
       FROM documents WHERE item = ? ORDER BY version`,
      item,
    )
    .map(({ warnings, blocks, ...document }) => ({
      ...document,
      warnings: parsed(warnings),
      blocks: parsed(blocks),
    }));
}

function readPassagesOf(file: SqliteFile, item: number): ExportedItem['passages'] {
  return file
    .all<{
      ordinal: number;
      start: number;
      end: number;
      headingPath: string;
      locator: string;
      fragment: string | null;
    }>(
      `SELECT ordinal, start_at AS start, end_at AS "end", heading_path AS headingPath, locator, fragment
       FROM passages WHERE item = ? AND document IS NOT NULL ORDER BY ordinal`,
      item,
    )
    .map(({ headingPath, locator, fragment, ...passage }) => ({
      ...passage,
      headingPath: parsed(headingPath),
      locator: parsed(locator),
      ...(fragment !== null && { fragment: fragment === '' ? null : fragment }),
    }));
}

function readJob(file: SqliteFile, item: number): ExportedItem['job'] {
  const row = file.get<
    Omit<NonNullable<ExportedItem['job']>, 'isBackground' | 'isRetryable'> & {
      isBackground: number;
      isRetryable: number | null;
    }
  >(
    `SELECT stage, iif(state = 'claimed', 'waiting', state) AS state, attempts, background AS isBackground,
       failure_code AS failureCode, failure_message AS failureMessage, failure_retryable AS isRetryable
     FROM jobs WHERE item = ?`,
    item,
  );
  if (row === undefined) return null;
  const { isBackground, isRetryable, ...job } = row;
  return { ...job, isBackground: isBackground === 1, isRetryable: isRetryable === null ? null : isRetryable === 1 };
}

export function listGoalsToExport(file: SqliteFile): ExportedGoal[] {
  return file.all<ExportedGoal>(
    `SELECT id, title, category, description, created_at AS createdAt, archived_at AS archivedAt
     FROM goals ORDER BY seq`,
  );
}
