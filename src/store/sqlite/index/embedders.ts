import type { SqliteFile } from '../files/sqlite-file.ts';

/** The embedders that passages have vectors of; the one with the most vectors first. */
export function listEmbedders(file: SqliteFile): { id: string; vectors: number }[] {
  return file.all<{ id: string; vectors: number }>(
    `SELECT e.name AS id, v.count AS vectors
     FROM (SELECT embedder, count(*) AS count FROM vectors GROUP BY embedder) v JOIN embedders e ON e.id = v.embedder
     ORDER BY v.count DESC, e.id DESC`,
  );
}
