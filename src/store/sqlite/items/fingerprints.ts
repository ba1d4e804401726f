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
