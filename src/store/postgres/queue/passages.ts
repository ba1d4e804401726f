import type { Passage } from '../../../domain/records/passage.ts';
import type { AccountTx } from '../account-access.ts';
import { encodeText } from '../text-codec.ts';
import { json, later } from '../database.ts';
import { requireDocument, showDocument, visibleDocument } from '../items/documents.ts';

/** Makes the document visible and its passages the item's only ones. */
export async function replacePassages(
  db: AccountTx,
  item: number,
  documentId: number,
  passages: readonly Passage[],
): Promise<void> {
  const { sql, account } = db;
  const { text } = await requireDocument(db, item, documentId);
  later(sql`DELETE FROM passages WHERE account_id = ${account} AND item = ${item}`);
  insertPassages(db, item, { id: documentId, text }, passages);
  if ((await visibleDocument(db, item)) !== documentId) showDocument(db, item, documentId);
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
    INSERT INTO passages (account_id, item, document, ordinal, start_at, end_at, heading_path, locator, text, fragment)
    SELECT ${account}, ${item}, ${id}, p.ordinal, p.start, p."end", p."headingPath", p.locator, p.text, p.fragment
    FROM json_to_recordset(${json(rows)}) AS p (ordinal integer, start integer, "end" integer,
      "headingPath" json, locator json, text text, fragment text) ORDER BY p.ordinal`);
  later(sql`UPDATE items SET passage_count = ${passages.length} WHERE account_id = ${account} AND seq = ${item}`);
}
