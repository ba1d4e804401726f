import { bestFirst, type RankedPassage } from '../../../domain/records/texts/passage.ts';
import type { PassageFilter } from '../../records/search-records.ts';
import { filterCondition } from './passage-filter.ts';
import { candidatesFor, cosine, fineQuery, type QuantizedVector, quantize } from './quantize.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import type { VectorCache } from './vector-cache/vector-cache.ts';

function asBlob({ components }: QuantizedVector): Buffer {
  return Buffer.from(components.buffer, components.byteOffset, components.byteLength);
}

function findEmbedder(file: SqliteFile, name: string, dimensions: number): number | null {
  const known = file.get<{ id: number; dimensions: number }>(
    'SELECT id, dimensions FROM embedders WHERE name = ?',
    name,
  );
  if (known === undefined) return null;
  if (known.dimensions !== dimensions) {
    throw new Error(`the embedder's vectors have ${known.dimensions} dimensions, not ${dimensions}`);
  }
  return known.id;
}

function addEmbedder(file: SqliteFile, name: string, dimensions: number): number {
  return file.run('INSERT INTO embedders (name, dimensions) VALUES (?, ?)', name, dimensions).rowId;
}

/** Stores one vector per passage, replacing another embedder's. Missing passages are skipped. */
export function keepVectors(
  file: SqliteFile,
  embedderName: string,
  vectors: readonly { passageId: number; vector: Float32Array }[],
): void {
  const embedders = new Map<number, number>();
  for (const { passageId, vector } of vectors) {
    const dimensions = vector.length;
    const embedder =
      embedders.get(dimensions) ??
      findEmbedder(file, embedderName, dimensions) ??
      addEmbedder(file, embedderName, dimensions);
    embedders.set(dimensions, embedder);
    const quantized = quantize(vector);
    file.run(
      // Not REPLACE: it deletes rows without firing the trigger that keeps the log of changes.
      `INSERT INTO vectors (passage, embedder, scale, components, item)
       SELECT id, ?, ?, ?, item FROM passages WHERE id = ?
       ON CONFLICT (passage) DO UPDATE SET
         embedder = excluded.embedder, scale = excluded.scale, components = excluded.components`,
      embedder,
      quantized.scale,
      asBlob(quantized),
      passageId,
    );
  }
}

interface VectorRow {
  embedder: number;
  scale: number;
  components: Buffer;
}

/**
 * The vectors of an item's passages by their text, while the passages still exist. Empty when `documentId` is in
 * another language: an embedder gives no vectors to a language it does not know.
 */
export function readItemVectors(file: SqliteFile, item: number, documentId: number): ReadonlyMap<string, VectorRow> {
  const rows = file.all<VectorRow & { text: string }>(
    `SELECT p.text, v.embedder, v.scale, v.components
     FROM passages p JOIN documents d ON d.id = p.document JOIN vectors v ON v.passage = p.id
     WHERE p.item = ? AND d.language IS (SELECT language FROM documents WHERE id = ?)`,
    item,
    documentId,
  );
  return new Map(rows.map(({ text, ...row }) => [text, row]));
}

/** For a passage that has no vector yet. */
export function giveVector(
  file: SqliteFile,
  passageId: number,
  item: number,
  { embedder, scale, components }: VectorRow,
): void {
  file.run(
    'INSERT INTO vectors (passage, embedder, scale, components, item) VALUES (?, ?, ?, ?, ?)',
    passageId,
    embedder,
    scale,
    components,
    item,
  );
}

/**
 * An exact scan, best cosine first: in memory if the vectors are or can be loaded there, otherwise in the file.
 * @param cacheOf returns null when there is no memory
 */
export function searchVectors(
  file: SqliteFile,
  embedderName: string,
  query: Float32Array,
  filter: PassageFilter,
  limit: number,
  cacheOf: (embedder: number) => VectorCache | null = () => null,
): RankedPassage[] {
  const embedder = findEmbedder(file, embedderName, query.length);
  if (embedder === null) return [];
  const found = cacheOf(embedder)?.search(file, query, filter, limit) ?? null;
  if (found !== null) return found;
  return searchInFile(file, embedder, query, filter, limit);
}

/**
 * Scans with the functions of sqlite-vec, then compares the best more exactly. The unary plus makes SQLite start at the
 * filter if there is one: nearly all vectors are of one embedder, so its index would narrow nothing.
 */
function searchInFile(
  file: SqliteFile,
  embedder: number,
  query: Float32Array,
  filter: PassageFilter,
  limit: number,
): RankedPassage[] {
  const { sql, parameters } = filterCondition(file, 'v.passage', filter);
  const candidates = file.all<{ passageId: number; contentId: string; components: Buffer }>(
    `SELECT hit.passageId, c.id AS contentId, v.components
     FROM (
       SELECT v.passage AS passageId, vec_distance_cosine(vec_int8(v.components), vec_int8(?)) AS distance
       FROM vectors v WHERE +v.embedder = ? ${sql}
       ORDER BY distance, v.passage LIMIT ?
     ) hit
     JOIN vectors v ON v.passage = hit.passageId
     JOIN passages p ON p.id = hit.passageId JOIN items c ON c.seq = p.item`,
    asBlob(quantize(query)),
    embedder,
    ...parameters,
    candidatesFor(limit),
  );
  const fine = fineQuery(query);
  return candidates
    .map(({ passageId, contentId, components: { buffer, byteOffset, length } }) => {
      const score = cosine(new Int8Array(buffer, byteOffset, length), fine);
      return { passageId, contentId, score };
    })
    .sort(bestFirst)
    .slice(0, limit);
}

/** Whether the newest passage has a vector: an earlier count does not include passages created after it. */
export function newestHasVector(file: SqliteFile): boolean {
  return file.remember('newest has vector', () => {
    const newest = file.get<{ passage: number | null; vector: number | null }>(
      'SELECT (SELECT max(id) FROM passages) AS passage, (SELECT max(passage) FROM vectors) AS vector',
    );
    return newest?.passage === newest?.vector;
  });
}

/** The passages among these that have no vector of any of these embedders. A card never has one, and is none of them. */
export function passagesWithoutVector(
  file: SqliteFile,
  passageIds: readonly number[],
  embedderNames: readonly string[],
): number[] {
  const rows = file.all<{ id: number }>(
    `SELECT p.id FROM json_each(?) asked JOIN passages p ON p.id = asked.value WHERE p.document IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM vectors v WHERE v.passage = asked.value
         AND v.embedder IN (SELECT id FROM embedders WHERE name IN (SELECT value FROM json_each(?))))`,
    JSON.stringify(passageIds),
    JSON.stringify(embedderNames),
  );
  return rows.map(({ id }) => id);
}

/** The embedders that passages have vectors of; the one with the most vectors first. */
export function listEmbedders(file: SqliteFile): { id: string; vectors: number }[] {
  return file.all<{ id: string; vectors: number }>(
    `SELECT e.name AS id, v.count AS vectors
     FROM (SELECT embedder, count(*) AS count FROM vectors GROUP BY embedder) v JOIN embedders e ON e.id = v.embedder
     ORDER BY v.count DESC, e.id DESC`,
  );
}
