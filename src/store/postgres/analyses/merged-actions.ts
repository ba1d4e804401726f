import {
  headFirst,
  isShownUnder,
  mayMerge,
  type MergeableAction,
  staysMerged,
} from '../../../domain/actions/merged-actions.ts';
import { instructionWords, minShare } from '../../../domain/duplicates/instruction-similarity.ts';
import type { AccountTx } from '../account-access.ts';

/*
 * A merged action is one head row with an identity (id, title, state, goal) and a place in a text, plus further rows
 * that are `merged_into` it and only add their own place. When the head loses its place, it takes that of another row.
 * So the action outlives the item that it came from, as long as one of its sources exists.
 */

interface OwnAction extends MergeableAction {
  item: number;
  state: string;
  mergedInto: number | null;
  /** Whether its item is deleted. */
  isHidden: boolean;
}

/** Actions `a` with their items `i`. */
const own = ({ sql, account }: AccountTx) => sql`
  SELECT a.seq, a.item, a.title, a.created_at, a.touched_at IS NOT NULL AS is_touched, a.state, a.merged_into,
    i.deleted_at IS NOT NULL AS is_hidden
  FROM actions a JOIN items i ON i.account_id = ${account} AND i.seq = a.item WHERE a.account_id = ${account}`;

async function readOwn(db: AccountTx, seq: number): Promise<OwnAction | undefined> {
  const [row] = await db.sql<OwnAction[]>`${own(db)} AND a.seq = ${seq}`;
  return row;
}

/**
 * Merges the item's actions with nearly identical open ones of other items: the newer into the older, but never one
 * that a person edited. Actions that are no longer nearly identical are split off. A person may have reworded the head;
 * from such a head only actions in `asksAnew` are split off.
 * @param asksAnew the keys of actions that now ask for something else than before
 */
export async function mergeActions(
  db: AccountTx,
  item: number,
  asksAnew: ReadonlySet<number> = new Set(),
): Promise<void> {
  const { sql, account } = db;
  await addMissingWords(db);
  const actions = await sql<{ seq: number }[]>`
    SELECT seq FROM actions WHERE account_id = ${account} AND item = ${item} ORDER BY seq`;
  for (const { seq } of actions) {
    const action = await readOwn(db, seq);
    if (action === undefined) continue;
    if (action.mergedInto !== null) {
      const head = await readOwn(db, action.mergedInto);
      if (head !== undefined && staysMerged({ title: action.title, asksAnew: asksAnew.has(seq) }, head)) continue;
      await part(db, action);
    }
    // A title that a person gave applies to all merged actions.
    const others = action.isTouched ? [] : await partOthers(db, action.seq, action.title);
    for (const one of [...others, seq]) await mergeWithTwins(db, one);
  }
}

/** Merges until the action is merged into another, or all nearly identical actions are merged into it. */
async function mergeWithTwins(db: AccountTx, seq: number): Promise<void> {
  for (;;) {
    const action = await readOwn(db, seq);
    // An action of a deleted item is merged when the item is restored: until then it must not hide another action.
    if (action?.state !== 'open' || action.mergedInto !== null || action.isHidden) return;
    const twin = await findTwin(db, action);
    if (twin === undefined) return;
    const [head, child] = headFirst(action, twin);
    // Actions merged into the child may differ too much from the head's title, under which they would now be shown.
    const others = await partOthers(db, child.seq, head.title);
    await db.sql`
      UPDATE actions SET merged_into = ${head.seq}
      WHERE account_id = ${db.account} AND (seq = ${child.seq} OR merged_into = ${child.seq})`;
    await touchAction(db, head.seq);
    for (const other of others) await mergeWithTwins(db, other);
  }
}

/** Splits a merged action off, so that it stands alone again. */
async function part(db: AccountTx, { seq, mergedInto }: OwnAction): Promise<void> {
  if (mergedInto !== null) await touchAction(db, mergedInto);
  await db.sql`UPDATE actions SET merged_into = NULL WHERE account_id = ${db.account} AND seq = ${seq}`;
}

/** Splits off the merged actions that are not nearly identical with `title`, so that they are not shown under it. */
async function partOthers(db: AccountTx, head: number, title: string): Promise<number[]> {
  const merged = await db.sql<OwnAction[]>`${own(db)} AND a.merged_into = ${head} ORDER BY a.created_at, a.seq`;
  const others = merged.filter((other) => !isShownUnder(other, title));
  for (const other of others) await part(db, other);
  return others.map(({ seq }) => seq);
}

async function addMissingWords({ sql, account }: AccountTx): Promise<void> {
  const actions = await sql<{ seq: number; title: string }[]>`
    SELECT seq, title FROM actions WHERE account_id = ${account} AND NOT has_words`;
  for (const { seq, title } of actions) {
    await sql`DELETE FROM action_words WHERE account_id = ${account} AND action = ${seq}`;
    await sql`
      INSERT INTO action_words (account_id, word, action)
      SELECT ${account}, w.word, ${seq} FROM unnest(${[...instructionWords(title)]}::text[]) AS w (word)
      ON CONFLICT DO NOTHING`;
    await sql`UPDATE actions SET has_words = true WHERE account_id = ${account} AND seq = ${seq}`;
  }
}

/** A word's actions are counted up to this number only: the count just serves to find the rarest words. */
const commonFrom = 200;
/**
 * An action is compared with this many others, the oldest: a library may have thousands that differ only in a number.
 */
const maxCompared = 1_000;

/**
 * The oldest open action of another item that is nearly identical. Two actions that a person edited are never merged.
 * An action that shares most words shares one of the rarest few, so only actions with one of those are compared.
 */
async function findTwin(db: AccountTx, action: OwnAction): Promise<OwnAction | undefined> {
  const { sql, account } = db;
  const words = [...instructionWords(action.title)];
  const mayLack = words.length - Math.ceil(words.length * minShare);
  const rarest = sql`
    SELECT w.word FROM unnest(${words}::text[]) AS w (word)
    ORDER BY (SELECT count(*) FROM (
      SELECT 1 FROM action_words c WHERE c.account_id = ${account} AND c.word = w.word LIMIT ${commonFrom}) few)
    LIMIT ${mayLack + 1}`;
  const candidates = await sql<OwnAction[]>`
    ${own(db)} AND a.state = 'open' AND a.merged_into IS NULL AND a.item <> ${action.item} AND i.deleted_at IS NULL
      AND a.seq IN (SELECT w.action FROM action_words w WHERE w.account_id = ${account} AND w.word IN (${rarest}))
    ORDER BY a.created_at, a.seq LIMIT ${maxCompared}`;
  return candidates.find((other) => mayMerge(action, other));
}

/** Updates `updated_at` of every item that shows the action, after a visible change. */
export async function touchAction({ sql, account, now }: AccountTx, seq: number): Promise<void> {
  await sql`
    UPDATE items SET updated_at = greatest(updated_at + 1, ${now})
    WHERE account_id = ${account} AND seq IN (
      SELECT item FROM actions WHERE account_id = ${account} AND (seq = ${seq} OR merged_into = ${seq}))`;
}

/** Removes an action that its text no longer asks for. If it has another source, it moves there instead. */
export async function removeAction(db: AccountTx, seq: number): Promise<void> {
  await touchAction(db, seq);
  const heir = (await firstSource(db, seq, 'live')) ?? (await firstSource(db, seq, 'any'));
  if (heir !== undefined) await swapPlaces(db, seq, heir);
  await db.sql`DELETE FROM actions WHERE account_id = ${db.account} AND seq = ${heir ?? seq}`;
}

/** Call when the item was hidden: its actions move to another source, a visible one unless `which` is `any`. */
export async function leavePlaces(db: AccountTx, item: number, which: 'live' | 'any' = 'live'): Promise<void> {
  const heads = await db.sql<{ seq: number }[]>`
    SELECT seq FROM actions WHERE account_id = ${db.account} AND item = ${item} AND merged_into IS NULL`;
  for (const { seq } of heads) {
    const heir = await firstSource(db, seq, which);
    if (heir === undefined) continue;
    await swapPlaces(db, seq, heir);
    await touchAction(db, seq);
  }
}

/** Call when the item is visible again: an action's place is in its oldest visible item. */
export async function takePlaces(db: AccountTx, item: number): Promise<void> {
  const { sql, account } = db;
  const sources = await sql<{ seq: number; head: number }[]>`
    SELECT min(mine.seq) AS seq, a.seq AS head
    FROM actions mine JOIN actions a ON a.account_id = ${account} AND a.seq = mine.merged_into
      JOIN items i ON i.account_id = ${account} AND i.seq = a.item
    WHERE mine.account_id = ${account} AND mine.item = ${item} AND (a.item > ${item} OR i.deleted_at IS NOT NULL)
    GROUP BY a.seq`;
  for (const { seq, head } of sources) {
    await swapPlaces(db, head, seq);
    await touchAction(db, head);
  }
}

/** The key of the action's oldest source in another item; `live`: in an item that is not deleted. */
async function firstSource(
  { sql, account }: AccountTx,
  head: number,
  which: 'live' | 'any',
): Promise<number | undefined> {
  const [source] = await sql<{ seq: number }[]>`
    SELECT a.seq FROM actions a JOIN items i ON i.account_id = ${account} AND i.seq = a.item
    WHERE a.account_id = ${account} AND a.merged_into = ${head}
      AND a.item <> (SELECT item FROM actions WHERE account_id = ${account} AND seq = ${head})
      ${which === 'live' ? sql`AND i.deleted_at IS NULL` : sql``}
    ORDER BY a.created_at, a.seq LIMIT 1`;
  return source?.seq;
}

/** The columns of a place in a text, as opposed to those of the action itself. */
async function swapPlaces({ sql, account }: AccountTx, one: number, other: number): Promise<void> {
  await sql`
    UPDATE actions a SET item = o.item, document = o.document, reason = o.reason, quote = o.quote,
      start_at = o.start_at, end_at = o.end_at, locator = o.locator, url = o.url
    FROM actions o WHERE a.account_id = ${account} AND o.account_id = ${account}
      AND ((a.seq = ${one} AND o.seq = ${other}) OR (a.seq = ${other} AND o.seq = ${one}))`;
}
