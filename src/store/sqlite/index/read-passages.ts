import { withoutNumber } from '../../../domain/access/account-names.ts';
import type { ArchivedCopy } from '../../../domain/records/content.ts';
import type { Locator } from '../../../domain/records/texts/locator.ts';
import type { Passage, RankedPassage } from '../../../domain/records/texts/passage.ts';
import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { StoredPassage } from '../../records.ts';
import type { FoundPassage, PassageFilter, PassageSample } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { tagsOf } from '../items/items.ts';
import { filterCondition } from './passage-filter.ts';
import { authorOfItem, type IndexedRow, indexedRows, marksOf, partsOf, titleOfItem } from '../items/indexed-words.ts';

/* Reads passages for searches. `passages.ts` writes them. */

interface PassageRow extends Omit<StoredPassage, 'headingPath' | 'locator'> {
  headingPath: string;
  locator: string;
}

const passageColumns = `p.id AS passageId, p.ordinal, p.start_at AS start, p.end_at AS "end",
  p.heading_path AS headingPath, p.locator, p.text`;

function toPassage(row: PassageRow): StoredPassage {
  const { passageId, ordinal, start, end, text } = row;
  return {
    passageId,
    ordinal,
    start,
    end,
    headingPath: JSON.parse(row.headingPath) as string[],
    locator: JSON.parse(row.locator) as Locator,
    text,
  };
}

/** Walks the items from the newest on, so that few are read when many match. */
export function listNewestPassages(
  file: SqliteFile,
  filter: PassageFilter,
  limit: number,
  signs: readonly string[] = [],
): RankedPassage[] {
  // The unary plus keeps SQLite from looking up all passages that the filter lets through for each item.
  const { sql, parameters } = filterCondition(file, '+p.id', filter);
  const having = signs.map(() => 'AND instr(p.text, ?) > 0').join(' ');
  return file.all<RankedPassage>(
    `SELECT passageId, contentId, 0.0 AS score FROM (
       SELECT c.id AS contentId, c.created_at, c.seq, (
         SELECT p.id FROM passages p WHERE p.item = c.seq ${sql} ${having} ORDER BY p.ordinal LIMIT 1) AS passageId
       FROM items c WHERE c.deleted_at IS NULL)
     WHERE passageId IS NOT NULL ORDER BY created_at DESC, seq DESC LIMIT ?`,
    ...parameters,
    ...signs,
    limit,
  );
}

interface FoundRow
  extends
    Omit<PassageRow, 'fragment'>,
    Pick<
      FoundPassage,
      'itemTitle' | 'itemContentType' | 'itemLanguage' | 'itemAuthor' | 'itemPublishedAt' | 'itemDuplicateOf'
    > {
  fragment: string | null;
  marks: string | null;
  notes: string | null;
  isCard: 0 | 1;
  itemState: 'unfinished' | 'completed' | 'failed';
  contentId: string;
  itemUrl: string;
  itemCanonicalUrl: string;
  itemTags: string;
  itemCopy: string | null;
}

/** SQL: what the warning about an archived copy says of it, which comes first. The warnings of other texts are not parsed. */
const archivedCopyColumn = `CASE WHEN d.warnings LIKE '[{"code":"archived_copy"%' AND json_valid(d.warnings)
  THEN json_extract(d.warnings, '$[0].copy') END`;

/** In the order of `passageIds`; ids that are gone are left out. */
export function readPassages(file: SqliteFile, passageIds: readonly number[]): FoundPassage[] {
  const rows = file.all<FoundRow>(
    `SELECT ${passageColumns}, p.fragment, p.marks, iif(p.ordinal = 0, c.notes, NULL) AS notes, p.document IS NULL AS isCard,
       c.state AS itemState, c.id AS contentId, c.url AS itemUrl, c.canonical_url AS itemCanonicalUrl,
       ${titleOfItem} AS itemTitle, coalesce(d.content_type, c.content_type) AS itemContentType, ${tagsOf('c.seq')} AS itemTags,
       d.language AS itemLanguage, ${authorOfItem} AS itemAuthor, d.published_at AS itemPublishedAt,
       c.duplicate_of AS itemDuplicateOf, ${archivedCopyColumn} AS itemCopy
     FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value
     JOIN items c ON c.seq = p.item LEFT JOIN documents d ON d.id = p.document
     WHERE c.deleted_at IS NULL`,
    JSON.stringify(passageIds),
  );
  const byId = new Map(rows.map((row) => [row.passageId, row]));
  return passageIds.flatMap((passageId) => {
    const row = byId.get(passageId);
    if (row === undefined) return [];
    const { contentId, itemUrl, itemCanonicalUrl, itemTitle, itemContentType, itemTags } = row;
    const { itemLanguage, itemAuthor, itemPublishedAt, itemDuplicateOf } = row;
    const addresses = {
      itemUrl: shownAddress(itemUrl),
      itemCanonicalUrl: shownAddress(withoutNumber(itemCanonicalUrl)),
    };
    const item = { contentId, ...addresses, itemTitle, itemContentType };
    const marks = [...marksOf(row.marks), ...(row.notes === null ? [] : [row.notes])];
    const about = { itemTags: JSON.parse(itemTags) as string[], itemLanguage, itemAuthor, itemPublishedAt };
    return [
      {
        ...toPassage(row),
        ...item,
        ...about,
        itemDuplicateOf,
        ...(row.itemCopy !== null && { itemCopy: JSON.parse(row.itemCopy) as ArchivedCopy }),
        ...storedFragment(row.fragment),
        ...(marks.length > 0 && { marks }),
        ...(row.isCard === 1 && { cardOf: row.itemState === 'unfinished' ? 'pending' : row.itemState }),
      },
    ];
  });
}

/** Null in the table means not computed, and an empty string means none. */
export function storedFragment(stored: string | null): Pick<Passage, 'fragment'> {
  return stored === null ? {} : { fragment: stored === '' ? null : stored };
}

/**
 * The text of each passage, followed by its item's title, its headings, the author and the highlights' notes; for a first passage
 * also the notes and tags. A card has its address as its text.
 */
export function readPassageParts(
  file: SqliteFile,
  passageIds: readonly number[],
): { passageId: number; parts: [text: string, ...above: string[]] }[] {
  const rows = file.all<IndexedRow>(
    `${indexedRows} WHERE p.id IN (SELECT value FROM json_each(?)) AND c.deleted_at IS NULL`,
    JSON.stringify(passageIds),
  );
  return rows.map((row) => {
    const { above, text } = partsOf(row);
    return { passageId: row.id, parts: [text, ...above] };
  });
}

export function readSurroundings(
  file: SqliteFile,
  passageIds: readonly number[],
  distance: number,
): { passageId: number; start: number; end: number }[] {
  return file.all(
    `SELECT p.id AS passageId, min(n.start_at) AS start, max(n.end_at) AS "end"
     FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value
     JOIN items c ON c.seq = p.item AND c.deleted_at IS NULL
     JOIN passages n ON n.document = p.document AND n.ordinal BETWEEN p.ordinal - ? AND p.ordinal + ?
     GROUP BY p.id`,
    JSON.stringify(passageIds),
    distance,
    distance,
  );
}

/**
 * Passages of an item, evenly spread over it. Each has its vector (of unit length), or null without one of this
 * embedder.
 */
export function sampleItem(
  file: SqliteFile,
  contentId: string,
  embedderName: string | null,
  limit: number,
): PassageSample[] {
  return file.read(() => {
    const ids = file
      .all<{ id: number }>(
        `SELECT p.id FROM passages p JOIN items c ON c.seq = p.item
         WHERE c.id = ? AND c.deleted_at IS NULL AND p.document IS NOT NULL ORDER BY p.ordinal`,
        contentId,
      )
      .map(({ id }) => id);
    const step = Math.max(1, ids.length / limit);
    const chosen = Array.from(
      { length: Math.min(limit, ids.length) },
      (_, index) => ids[Math.floor(index * step)] ?? 0,
    );
    const vectors = new Map(
      file
        .all<{ passage: number; components: Buffer }>(
          `SELECT v.passage, v.components FROM vectors v
           WHERE v.passage IN (SELECT value FROM json_each(?)) AND v.embedder = (SELECT id FROM embedders WHERE name = ?)`,
          JSON.stringify(chosen),
          embedderName,
        )
        .map(({ passage, components }) => [passage, unitVector(components)]),
    );
    return chosen.map((passageId) => ({ passageId, vector: vectors.get(passageId) ?? null }));
  });
}

/** The direction of a vector does not depend on its scale. */
function unitVector(components: Buffer): Float32Array {
  const vector = Float32Array.from(new Int8Array(components.buffer, components.byteOffset, components.byteLength));
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((component) => component / length);
}
