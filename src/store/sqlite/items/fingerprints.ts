import { bandsOf } from '../../../domain/duplicates/simhash.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** Replaces the fingerprint of an item's visible text; null: the text is too short to have one. */
export function replaceFingerprint(file: SqliteFile, item: number, fingerprint: Uint8Array | null): void {
  file.run('DELETE FROM fingerprints WHERE item = ?', item);
  if (fingerprint === null) return;
  file.run('INSERT INTO fingerprints (item, hash) VALUES (?, ?)', item, fingerprint);
  for (const [band, value] of bandsOf(fingerprint)) {
    file.run('INSERT INTO fingerprint_bands (band, value, item) VALUES (?, ?, ?)', band, value, item);
  }
}
