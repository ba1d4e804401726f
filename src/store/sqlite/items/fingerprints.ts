import { bandsOf, differingBits, maxDifferingBits } from '../../../domain/duplicates/simhash.ts';
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

/** The items whose visible text is nearly the same as this one's. */
export function nearCopies(file: SqliteFile, content: number): number[] {
  const own = file.get<{ hash: Uint8Array }>('SELECT hash FROM fingerprints WHERE content = ?', content)?.hash;
  if (own === undefined) return [];
  const candidates = file.all<{ content: number; hash: Uint8Array }>(
    `SELECT DISTINCT other.content, other.hash FROM fingerprint_bands mine
     JOIN fingerprint_bands theirs ON theirs.band = mine.band AND theirs.value = mine.value AND theirs.content <> mine.content
     JOIN fingerprints other ON other.content = theirs.content
     WHERE mine.content = ?`,
    content,
  );
  return candidates.filter(({ hash }) => differingBits(own, hash) <= maxDifferingBits).map(({ content }) => content);
}
