import type { Fingerprinted } from '../../../domain/duplicates/alike-groups.ts';
import { bandsOf } from '../../../domain/duplicates/simhash.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** Replaces the fingerprint of an item's visible text; null: the text is too short to have one. */
export function replaceFingerprint(file: SqliteFile, content: number, fingerprint: Uint8Array | null): void {
  file.run('DELETE FROM fingerprints WHERE content = ?', content);
  if (fingerprint === null) return;
  file.run('INSERT INTO fingerprints (content, hash) VALUES (?, ?)', content, fingerprint);
  for (const [band, value] of bandsOf(fingerprint)) {
    file.run('INSERT INTO fingerprint_bands (band, value, content) VALUES (?, ?, ?)', band, value, content);
  }
}

/** The fingerprints of these items, and of all others that share a band with one of them. */
export function nearCandidates(file: SqliteFile, items: readonly number[]): Fingerprinted[] {
  return file.all<Fingerprinted>(
    `SELECT f.content AS item, f.hash FROM fingerprints f CROSS JOIN content c ON c.seq = f.content
     WHERE c.deleted_at IS NULL AND f.content IN (
       SELECT theirs.content
       FROM (SELECT DISTINCT mine.band, mine.value FROM json_each(?) wanted
         CROSS JOIN fingerprint_bands mine ON mine.content = wanted.value) bands
         CROSS JOIN fingerprint_bands theirs ON theirs.band = bands.band AND theirs.value = bands.value)`,
    JSON.stringify(items),
  );
}
