import { canonicalUrl } from '../../../domain/links/url.ts';
import { copiesOf, groupAlike, type Member, type SharedKey } from '../../../domain/duplicates/alike-groups.ts';
import { nearCandidates } from './fingerprints.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/*
 * Two items are duplicates when their texts are equal or nearly equal, or when they share an address and a title. The
 * address may be the saved one, the one after redirects, or the canonical one that the page names. An address alone
 * proves little: some sites name their front page as the canonical address of every page.
 */

/** Items in the JSON array `@items`, with their visible documents. */
const wanted = `json_each(@items) wanted CROSS JOIN content mine ON mine.seq = wanted.value
  JOIN documents own ON own.id = mine.visible_document`;

const sameTexts = `
  SELECT c.seq AS item, hex(d.text_hash) AS key
  FROM (SELECT DISTINCT own.text_hash FROM ${wanted} WHERE own.text <> '' OR own.packed IS NOT NULL) texts
    CROSS JOIN documents d ON d.text_hash = texts.text_hash
    JOIN content c ON c.seq = d.content AND c.visible_document = d.id
  WHERE c.deleted_at IS NULL`;

const sameAddressesAndTitles = `
  SELECT c.seq AS item, json_array(theirs.address, d.title) AS key
  FROM (SELECT DISTINCT a.address FROM json_each(@items) wanted JOIN addresses a ON a.content = wanted.value) ours
    CROSS JOIN addresses theirs ON theirs.address = ours.address
    JOIN content c ON c.seq = theirs.content
    JOIN documents d ON d.id = c.visible_document
  WHERE c.deleted_at IS NULL AND d.title IN (SELECT own.title FROM ${wanted})`;

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
  linkAlike(file, [content], now);
}

/**
 * Marks the duplicates among these items and those like them. Takes time in proportion to the items. None of them may
 * be marked as a duplicate yet.
 */
export function linkAlike(file: SqliteFile, items: readonly number[], now: number): void {
  const asked = { items: JSON.stringify(items) };
  const keys = [sameTexts, sameAddressesAndTitles].flatMap((sql) => file.all<SharedKey>(sql, asked));
  const groups = groupAlike(items, keys, nearCandidates(file, items));
  const members = file.all<Member>(
    `SELECT c.seq, coalesce(head.seq, c.seq) AS headSeq, coalesce(head.id, c.id) AS headId
     FROM json_each(?) alike CROSS JOIN content c ON c.seq = alike.value LEFT JOIN content head ON head.id = c.duplicate_of`,
    JSON.stringify(groups.list().flat()),
  );
  for (const { firstId, seqs, ids } of copiesOf(groups, members))
    file.run(
      `UPDATE content SET duplicate_of = @firstId, updated_at = max(updated_at + 1, @now)
       WHERE seq IN (SELECT value FROM json_each(@seqs) UNION ALL
         SELECT c.seq FROM json_each(@ids) copy CROSS JOIN content c ON c.duplicate_of = copy.value)`,
      { firstId, now, seqs: JSON.stringify(seqs), ids: JSON.stringify(ids) },
    );
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
