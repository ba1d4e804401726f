import type { Passage } from '../../../domain/records/passage.ts';
import type { AccountTx } from '../account-access.ts';
import { encodeText } from '../text-codec.ts';
import { json, later } from '../database.ts';
import { giveVectors, readItemVectors } from '../searching/vectors.ts';
import { requireDocument, showDocument } from '../items/bridged.ts';
import { readTextOf } from '../../library/documents.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';

/**
 * Makes the document visible and its passages the item's only ones. A vector depends only on the text, so a new passage
 * with unchanged text takes over the old vector.
 */
export async function replacePassages(
  db: AccountTx,
  item: number,
  documentId: number,
  passages: readonly Passage[],
): Promise<void> {
  const { sql, account } = db;
  const [, text, vectors] = await Promise.all([
    requireDocument(db, item, documentId),
    runSteps(db, readTextOf(postgresDb(db), documentId)),
    readItemVectors(db, item, documentId),
  ]);
  later(sql`DELETE FROM passages WHERE account_id = ${account} AND item = ${item}`);
  insertPassages(db, item, { id: documentId, text: text ?? '' }, passages);
  giveVectors(db, item, vectors);
  showDocument(db, item, documentId);
}

/** For an item that has none. One statement for all of them: a book has thousands. */
export function insertPassages(
  { sql, account }: AccountTx,
  item: number,
  { id, text }: { id: number; text: string },
  passages: readonly Passage[],
): void {
  const rows = passages.map(({ ordinal, start, end, headingPath, locator, fragment }) => {
    if (!(start >= 0 && start <= end && end <= text.length))
      throw new Error(`passage ${ordinal} reaches outside its document`);
    const words = { ordinal, start, end, text: encodeText(text.slice(start, end)), headingPath, locator };
    return { ...words, fragment: fragment === null ? '' : (fragment ?? null) };
  });
  later(sql`
    WITH numbered AS (
      UPDATE libraries SET last_passage = last_passage + ${rows.length} WHERE account_id = ${account}
      RETURNING last_passage - ${rows.length} AS before)
    INSERT INTO passages (account_id, id, item, document, ordinal, start_at, end_at, heading_path, locator, text, fragment)
    SELECT ${account}, numbered.before + row_number() OVER (ORDER BY p.ordinal), ${item}, ${id}, p.ordinal, p.start,
      p."end", p."headingPath", p.locator, p.text, p.fragment
    FROM numbered, json_to_recordset(${json(rows)}) AS p (ordinal integer, start integer, "end" integer,
      "headingPath" json, locator json, text text, fragment text) ORDER BY p.ordinal`);
  later(sql`UPDATE items SET passage_count = ${passages.length} WHERE account_id = ${account} AND seq = ${item}`);
}
