import type { Passage } from '../../../domain/records/passage.ts';
import { type Db, later, type Steps, toJson } from '../../library/db.ts';
import { encodeText } from '../text-codec.ts';
import { giveVectors, readItemVectors } from '../searching/vectors.ts';

/** See `Indexing`. */
export function* replacePassages(
  db: Db,
  account: string,
  item: number,
  documentId: number,
  text: string,
  passages: readonly Passage[],
): Steps<void> {
  const vectors = yield* readItemVectors(db, item, documentId);
  yield* later`DELETE FROM passages WHERE ${db.of('passages')} AND item = ${item}`;
  yield* insertPassages(db, account, item, { id: documentId, text }, passages);
  yield* giveVectors(db, account, item, vectors);
}

/** For an item that has none. One statement for all of them: a book has thousands. */
function* insertPassages(
  db: Db,
  account: string,
  item: number,
  { id, text }: { id: number; text: string },
  passages: readonly Passage[],
): Steps<void> {
  const rows = passages.map(({ ordinal, start, end, headingPath, locator, fragment }) => {
    if (!(start >= 0 && start <= end && end <= text.length))
      throw new Error(`passage ${ordinal} reaches outside its document`);
    const words = { ordinal, start, end, text: encodeText(text.slice(start, end)), headingPath, locator };
    return { ...words, fragment: fragment === null ? '' : (fragment ?? null) };
  });
  yield* later`
    WITH numbered AS (
      UPDATE libraries SET last_passage = last_passage + ${rows.length} WHERE ${db.of('libraries')}
      RETURNING last_passage - ${rows.length} AS before)
    INSERT INTO passages (account_id, id, item, document, ordinal, start_at, end_at, heading_path, locator, text, fragment)
    SELECT ${account}, numbered.before + row_number() OVER (ORDER BY p.ordinal), ${item}, ${id}, p.ordinal, p.start,
      p."end", p."headingPath", p.locator, p.text, p.fragment
    FROM numbered, json_to_recordset(CAST(${toJson(rows)} AS json)) AS p (ordinal integer, start integer, "end" integer,
      "headingPath" json, locator json, text text, fragment text) ORDER BY p.ordinal`;
  yield* later`UPDATE items SET passage_count = ${passages.length} WHERE ${db.of('items')} AND seq = ${item}`;
}
