import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { FileProblem } from './finding.ts';

/* Checks what belongs together: texts and originals with their SHA-256, passages with their text, vectors with their passage. */

/** A finding names at most this many items. */
const maxNamed = 5;

export function naming(ids: readonly string[]): string {
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : '';
  return `${ids.slice(0, maxNamed).join(', ')}${more}`;
}

function problemOf(ids: readonly string[], problem: (items: string) => string, fix: string): FileProblem[] {
  const distinct = [...new Set(ids)];
  return distinct.length === 0 ? [] : [{ problem: problem(naming(distinct)), fix }];
}

export function checkOriginals(db: Database.Database): FileProblem[] {
  const damaged: string[] = [];
  const rows = db.prepare<[], { id: string; packing: string; bytes: Uint8Array; hash: Buffer }>(
    `SELECT coalesce(c.id, 'an item that is gone') AS id, o.packing, o.bytes, o.hash
     FROM (SELECT item, packing, bytes, hash FROM originals
       UNION ALL SELECT item, packing, bytes, hash FROM history_originals) o LEFT JOIN items c ON c.seq = o.item`,
  );
  for (const { id, packing, bytes, hash } of rows.iterate()) {
    if (!isWhole(packing, bytes, hash)) damaged.push(id);
  }
  return problemOf(
    damaged,
    (items) => `originals that are not what was fetched or given: ${items}`,
    'Restore a backup, or save these addresses or files again. What was read from them before is still there.',
  );
}

function isWhole(packing: string, bytes: string | Uint8Array, hash: Buffer): boolean {
  try {
    const unpacked = packing === 'zstd' ? zstdDecompressSync(bytes) : bytes;
    return createHash('sha256').update(unpacked).digest().equals(hash);
  } catch {
    // Bytes that cannot be decompressed are damaged.
    return false;
  }
}

export function checkDocuments(db: Database.Database): FileProblem[] {
  const damaged: string[] = [];
  const rows = db.prepare<[], { id: string; hash: Buffer; warnings: string; text: string; blocks: string }>(
    `SELECT coalesce(c.id, 'an item that is gone') AS id, d.text_hash AS hash, d.warnings, d.text, d.blocks
     FROM documents d LEFT JOIN items c ON c.seq = d.item`,
  );
  for (const { id, hash, warnings, text, blocks } of rows.iterate())
    if (!isWhole('none', text, hash) || !isJson(blocks) || !isJson(warnings)) damaged.push(id);
  return problemOf(
    damaged,
    (items) => `texts that are not as they were read: ${items}`,
    'Restore a backup, or read them again from their originals: commonplace reprocess <id>.',
  );
}

/** Checks that each passage is the slice of its document's text that its offsets say. */
export function checkPassages(db: Database.Database): FileProblem[] {
  const damaged: string[] = [];
  const texts = db.prepare<[], { id: string; documentId: number; hash: Buffer; text: string }>(
    `SELECT coalesce(c.id, 'an item that is gone') AS id, d.id AS documentId, d.text_hash AS hash, d.text
     FROM documents d LEFT JOIN items c ON c.seq = d.item`,
  );
  const passages = db.prepare<
    [number],
    { start: number; end: number; text: string; headingPath: string; locator: string }
  >(
    'SELECT start_at AS start, end_at AS "end", text, heading_path AS headingPath, locator FROM passages WHERE document = ?',
  );
  for (const { id, documentId, hash, text } of texts.iterate()) {
    // A text that is damaged is told of with the documents.
    if (!isWhole('none', text, hash)) continue;
    const isRight = passages
      .all(documentId)
      .every(
        (passage) =>
          text.slice(passage.start, passage.end) === passage.text &&
          isJson(passage.headingPath) &&
          isJson(passage.locator),
      );
    if (!isRight) damaged.push(id);
  }
  return problemOf(
    damaged,
    (items) => `passages that are not in their text: ${items}`,
    'Split them again: commonplace reprocess <id> --from split.',
  );
}

export function checkVectors(db: Database.Database): FileProblem[] {
  const rows = db.prepare<[], { id: string }>(
    `SELECT coalesce(c.id, 'an item that is gone') AS id
     FROM vectors v LEFT JOIN passages p ON p.id = v.passage LEFT JOIN embedders e ON e.id = v.embedder
       LEFT JOIN items c ON c.seq = p.item
     WHERE p.id IS NULL OR e.id IS NULL OR v.item IS NOT p.item
       OR length(v.components) <> e.dimensions OR NOT (v.scale >= 0 AND v.scale < 1e9)`,
  );
  return problemOf(
    rows.all().map(({ id }) => id),
    (items) => `vectors that belong to no passage, or are not those of their model: ${items}`,
    'Make them anew: commonplace reprocess <id> --from embed, or --all for the whole account.',
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A parse error means that the text is not JSON.
    return false;
  }
}
