import { quantize } from '../../sqlite/index/index.ts';
import type { AccountTx, AccountWrite } from '../database.ts';
import { all, type Db, later, type Steps, toJson } from '../../library/db.ts';
import { json } from '../database.ts';

/* Vectors of passages are records here. Searches compare them in the copies that nodes keep of the index. */

interface StoredVector {
  passageId: number;
  scale: number;
  components: string;
}

const base64 = (bytes: Int8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** Stores one vector per passage, replacing another embedder's. Missing passages are skipped. */
export async function keepVectors(
  { sql, account }: AccountWrite,
  embedder: string,
  vectors: readonly { passageId: number; vector: Float32Array }[],
): Promise<void> {
  const known = await sql<{ dimensions: number }[]>`
    SELECT octet_length(components) AS dimensions FROM vectors
    WHERE account_id = ${account} AND embedder = ${embedder} LIMIT 1`;
  const dimensions = known[0]?.dimensions ?? vectors[0]?.vector.length ?? 0;
  const rows = vectors.map(({ passageId, vector }): StoredVector => {
    if (vector.length !== dimensions)
      throw new Error(`the embedder's vectors have ${dimensions} dimensions, not ${vector.length}`);
    const { scale, components } = quantize(vector);
    return { passageId, scale, components: base64(components) };
  });
  if (rows.length === 0) return;
  await sql`
    INSERT INTO vectors (account_id, passage, embedder, scale, components, change)
    SELECT ${account}, p.id, ${embedder}, v.scale, decode(v.components, 'base64'),
      (SELECT take_index_change(${account}))
    FROM json_to_recordset(${json(rows)}) AS v ("passageId" bigint, scale double precision, components text)
      JOIN passages p ON p.account_id = ${account} AND p.id = v."passageId"
    ON CONFLICT (account_id, passage) DO UPDATE SET embedder = excluded.embedder, scale = excluded.scale,
      components = excluded.components, change = excluded.change`;
}

/** A vector, by the hash of the text that it is of. */
interface VectorOfText {
  hash: string;
  embedder: string;
  scale: number;
  components: string;
}

/**
 * The vectors of an item's passages by their text, while the passages still exist. Empty when `documentId` is in
 * another language: an embedder gives no vectors to a language it does not know.
 */
export const readItemVectors = (db: Db, item: number, documentId: number): Steps<VectorOfText[]> =>
  all<VectorOfText>`
    SELECT DISTINCT ON (hash) encode(sha256(convert_to(p.text, 'UTF8')), 'hex') AS hash, v.embedder, v.scale,
      encode(v.components, 'base64') AS components
    FROM passages p JOIN documents d ON ${db.of('d')} AND d.id = p.document
      JOIN vectors v ON ${db.of('v')} AND v.passage = p.id
    WHERE ${db.of('p')} AND p.item = ${item} AND d.language IS NOT DISTINCT FROM (
      SELECT o.language FROM documents o WHERE ${db.of('o')} AND o.id = ${documentId})
    ORDER BY hash, p.ordinal DESC`;

/** For an item whose passages are new. */
export function* giveVectors(db: Db, account: string, item: number, vectors: readonly VectorOfText[]): Steps<void> {
  if (vectors.length === 0) return;
  yield* later`
    INSERT INTO vectors (account_id, passage, embedder, scale, components, change)
    SELECT ${account}, p.id, v.embedder, v.scale, decode(v.components, 'base64'), (SELECT take_index_change(${account}))
    FROM json_to_recordset(CAST(${toJson(vectors)} AS json))
        AS v (hash text, embedder text, scale double precision, components text)
      JOIN passages p ON ${db.of('p')} AND p.item = ${item}
        AND encode(sha256(convert_to(p.text, 'UTF8')), 'hex') = v.hash`;
}

/** Copies of the index take the vectors of an item away together with its text, and get the text again. */
export function* forgetVectors(db: Db, account: string, items: readonly number[]): Steps<void> {
  yield* later`
    WITH gone AS (
      DELETE FROM vectors v USING passages p
      WHERE ${db.of('v')} AND ${db.of('p')} AND p.id = v.passage AND p.item IN (SELECT n.value FROM ${db.numbers('n', items)})
      RETURNING p.item)
    SELECT note_index_changes(${account}, list.items, true)
    FROM (SELECT array_agg(DISTINCT item) AS items FROM gone) list WHERE list.items IS NOT NULL`;
}

export async function listEmbedders({ sql, account }: AccountTx): Promise<{ id: string; vectors: number }[]> {
  const rows = await sql<{ id: string; vectors: number }[]>`
    SELECT embedder AS id, count(*) AS vectors FROM vectors WHERE account_id = ${account}
    GROUP BY embedder ORDER BY count(*) DESC, embedder`;
  return [...rows];
}
