import { canonicalUrl } from '../../../domain/links/url.ts';
import { nearCopies } from './fingerprints.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/*
 * Two items are duplicates when their texts are equal or nearly equal, or when they share an address and a title. The
 * address may be the saved one, the one after redirects, or the canonical one that the page names. An address alone
 * proves little: some sites name their front page as the canonical address of every page.
 */

const sameItems = `
  SELECT other.content FROM documents mine JOIN documents other ON other.text_hash = mine.text_hash
    JOIN content c ON c.seq = other.content AND c.visible_document = other.id
  WHERE mine.id = @documentId AND (mine.text <> '' OR mine.packed IS NOT NULL) AND c.deleted_at IS NULL
  UNION ALL
  SELECT theirs.content FROM addresses ours JOIN addresses theirs ON theirs.address = ours.address
    JOIN documents mine ON mine.id = @documentId
    JOIN content c ON c.seq = theirs.content
    JOIN documents other ON other.id = c.visible_document AND other.title = mine.title
  WHERE ours.content = @content AND theirs.content <> @content AND c.deleted_at IS NULL`;

/**
 * Stores the addresses of an item whose document has become visible, and marks duplicates: in a group of equal items
 * all but the first.
 */
export function linkDuplicates(file: SqliteFile, content: number, documentId: number, now: number): void {
  keepAddresses(file, content, documentId);
  file.run(
    `UPDATE content SET duplicate_of = NULL, updated_at = max(updated_at + 1, @now)
     WHERE seq = @content OR duplicate_of = (SELECT id FROM content WHERE seq = @content)`,
    { content, now },
  );
  const same = file.all<{ content: number }>(sameItems, { content, documentId });
  const alike = new Set([...same.map((item) => item.content), ...nearCopies(file, content)]);
  alike.delete(content);
  if (alike.size === 0) return;
  // A duplicate points to the first item of its group, which is never a duplicate itself: chains stay one step long.
  const [first, ...copies] = file.all<{ seq: number; id: string }>(
    `SELECT DISTINCT coalesce(head.seq, c.seq) AS seq, coalesce(head.id, c.id) AS id
     FROM json_each(?) alike CROSS JOIN content c ON c.seq = alike.value
       LEFT JOIN content head ON head.id = c.duplicate_of
     WHERE c.deleted_at IS NULL OR c.seq = ? ORDER BY 1`,
    JSON.stringify([content, ...alike]),
    content,
  );
  for (const copy of copies) {
    file.run(
      `UPDATE content SET duplicate_of = ?, updated_at = max(updated_at + 1, ?) WHERE seq = ? OR duplicate_of = ?`,
      first?.id,
      now,
      copy.seq,
      copy.id,
    );
  }
}

function keepAddresses(file: SqliteFile, content: number, documentId: number): void {
  const known = file.get<{ saved: string; landed: string | null; claimed: string | null }>(
    `SELECT c.canonical_url AS saved, o.final_url AS landed, d.canonical_url AS claimed
     FROM content c JOIN documents d ON d.id = ? LEFT JOIN originals o ON o.content = c.seq AND o.name = ''
     WHERE c.seq = ?`,
    documentId,
    content,
  );
  if (known === undefined) return;
  file.run('DELETE FROM addresses WHERE content = ?', content);
  const others = [known.landed, known.claimed].filter((address) => address !== null && address !== known.saved);
  for (const address of new Set([known.saved, ...others.map((other) => canonicalUrl(other ?? ''))])) {
    file.run('INSERT INTO addresses (address, content) VALUES (?, ?)', address, content);
  }
}
