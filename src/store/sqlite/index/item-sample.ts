import type { PassageSample } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

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
