import { shownAddress } from '../../../domain/links/shown-address.ts';
import {
  headFirst,
  isShownUnder,
  mayMerge,
  type MergeableAction,
  staysMerged,
} from '../../../domain/actions/merged-actions.ts';
import { instructionWords, minShare } from '../../../domain/duplicates/instruction-similarity.ts';
import type { ActionSource } from '../../../domain/records/action.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import { deletedItems } from '../items/deleted.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

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

interface OwnRow extends Omit<OwnAction, 'isTouched' | 'isHidden'> {
  isTouched: 0 | 1;
  isHidden: 0 | 1;
}

function toOwn(row: OwnRow): OwnAction {
  return { ...row, isTouched: row.isTouched === 1, isHidden: row.isHidden === 1 };
}

/**
 * Merges the item's actions with nearly identical open ones of other items: the newer into the older, but never one
 * that a person edited. Actions that are no longer nearly identical are split off. A person may have reworded the head;
 * from such a head only actions in `asksAnew` are split off.
 * @param asksAnew the keys of actions that now ask for something else than before
 */
export function mergeActions(
  file: SqliteFile,
  item: number,
  now: number,
  asksAnew: ReadonlySet<number> = new Set(),
): void {
  addMissingWords(file);
  for (const { seq } of file.all<{ seq: number }>('SELECT seq FROM actions WHERE item = ? ORDER BY seq', item)) {
    const own = readOwn(file, seq);
    if (own === undefined) continue;
    if (own.mergedInto !== null) {
      const head = readOwn(file, own.mergedInto);
      if (head !== undefined && staysMerged({ title: own.title, asksAnew: asksAnew.has(seq) }, head)) continue;
      part(file, own, now);
    }
    // A title that a person gave applies to all merged actions.
    const others = own.isTouched ? [] : partOthers(file, own.seq, own.title, now);
    for (const one of [...others, seq]) mergeWithTwins(file, one, now);
  }
}

/** Merges until the action is merged into another, or all nearly identical actions are merged into it. */
function mergeWithTwins(file: SqliteFile, seq: number, now: number): void {
  for (;;) {
    const own = readOwn(file, seq);
    // An action of a deleted item is merged when the item is restored: until then it must not hide another action.
    if (own?.state !== 'open' || own.mergedInto !== null || own.isHidden) return;
    const twin = findTwin(file, own);
    if (twin === undefined) return;
    const [head, child] = headFirst(own, twin);
    // Actions merged into the child may differ too much from the head's title, under which they would now be shown.
    const others = partOthers(file, child.seq, head.title, now);
    file.run('UPDATE actions SET merged_into = @head WHERE seq = @child OR merged_into = @child', {
      head: head.seq,
      child: child.seq,
    });
    touchAction(file, head.seq, now);
    for (const other of others) mergeWithTwins(file, other, now);
  }
}

/** Splits a merged action off, so that it stands alone again. */
function part(file: SqliteFile, { seq, mergedInto }: OwnAction, now: number): void {
  if (mergedInto !== null) touchAction(file, mergedInto, now);
  file.run('UPDATE actions SET merged_into = NULL WHERE seq = ?', seq);
}

/** Splits off the merged actions that are not nearly identical with `title`, so that they are not shown under it. */
function partOthers(file: SqliteFile, head: number, title: string, now: number): number[] {
  const others = file
    .all<OwnRow>(`SELECT ${ownColumns} FROM actions a WHERE a.merged_into = ? ORDER BY a.created_at, a.seq`, head)
    .map(toOwn)
    .filter((other) => !isShownUnder(other, title));
  for (const other of others) part(file, other, now);
  return others.map(({ seq }) => seq);
}

const ownColumns = `a.seq, a.item, a.title, a.created_at AS createdAt, a.touched_at IS NOT NULL AS isTouched, a.state,
  a.merged_into AS mergedInto, a.item IN (${deletedItems}) AS isHidden`;

function readOwn(file: SqliteFile, seq: number): OwnAction | undefined {
  const row = file.get<OwnRow>(`SELECT ${ownColumns} FROM actions a WHERE a.seq = ?`, seq);
  return row === undefined ? undefined : toOwn(row);
}

function addMissingWords(file: SqliteFile): void {
  const actions = file.all<{ seq: number; title: string }>('SELECT seq, title FROM actions WHERE has_words = 0');
  for (const { seq, title } of actions) {
    file.run('DELETE FROM action_words WHERE action = ?', seq);
    for (const word of instructionWords(title))
      file.run('INSERT INTO action_words (word, action) VALUES (?, ?)', word, seq);
    file.run('UPDATE actions SET has_words = 1 WHERE seq = ?', seq);
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
function findTwin(file: SqliteFile, own: OwnAction): OwnAction | undefined {
  const words = instructionWords(own.title);
  const mayLack = words.length - Math.ceil(words.length * minShare);
  const candidates = file.all<OwnRow>(
    `SELECT ${ownColumns} FROM (
       SELECT DISTINCT w.action AS seq FROM (
         SELECT value AS word FROM json_each(@words)
         ORDER BY (SELECT count(*) FROM (SELECT 1 FROM action_words c WHERE c.word = value LIMIT @commonFrom)) LIMIT @rarest
       ) rare JOIN action_words w ON w.word = rare.word
     ) near JOIN actions a ON a.seq = near.seq
     WHERE a.state = 'open' AND a.merged_into IS NULL AND a.item <> @item AND a.item NOT IN (${deletedItems})
     ORDER BY a.created_at, a.seq LIMIT @maxCompared`,
    { words: JSON.stringify(words), commonFrom, rarest: mayLack + 1, item: own.item, maxCompared },
  );
  return candidates.map(toOwn).find((other) => mayMerge(own, other));
}

/** Updates `updated_at` of every item that shows the action, after a visible change. */
export function touchAction(file: SqliteFile, seq: number, now: number): void {
  file.run(
    `UPDATE items SET updated_at = max(updated_at + 1, @now)
     WHERE seq IN (SELECT item FROM actions WHERE seq = @seq OR merged_into = @seq)`,
    { seq, now },
  );
}

/** Removes an action that its text no longer asks for. If it has another source, it moves there instead. */
export function removeAction(file: SqliteFile, seq: number, now: number): void {
  touchAction(file, seq, now);
  const heir = firstSource(file, seq, 'live') ?? firstSource(file, seq, 'any');
  if (heir !== undefined) swapPlaces(file, seq, heir);
  file.run('DELETE FROM actions WHERE seq = ?', heir ?? seq);
}

/** Call when the item was hidden: its actions move to another source, a visible one unless `which` is `any`. */
export function leavePlaces(file: SqliteFile, item: number, now: number, which: 'live' | 'any' = 'live'): void {
  const heads = file.all<{ seq: number }>('SELECT seq FROM actions WHERE item = ? AND merged_into IS NULL', item);
  for (const { seq } of heads) {
    const heir = firstSource(file, seq, which);
    if (heir === undefined) continue;
    swapPlaces(file, seq, heir);
    touchAction(file, seq, now);
  }
}

/** Call when the item is visible again: an action's place is in its oldest visible item. */
export function takePlaces(file: SqliteFile, item: number, now: number): void {
  const sources = file.all<{ seq: number; head: number }>(
    `SELECT min(mine.seq) AS seq, a.seq AS head
     FROM actions mine JOIN actions a ON a.seq = mine.merged_into
     WHERE mine.item = @item AND (a.item > @item OR a.item IN (${deletedItems})) GROUP BY a.seq`,
    { item },
  );
  for (const { seq, head } of sources) {
    swapPlaces(file, head, seq);
    touchAction(file, head, now);
  }
}

/** The key of the action's oldest source in another item; `live`: in an item that is not deleted. */
function firstSource(file: SqliteFile, head: number, which: 'live' | 'any'): number | undefined {
  return file.get<{ seq: number }>(
    `SELECT seq FROM actions WHERE merged_into = @head AND item <> (SELECT item FROM actions WHERE seq = @head)
       ${which === 'live' ? `AND item NOT IN (${deletedItems})` : ''}
     ORDER BY created_at, seq LIMIT 1`,
    { head },
  )?.seq;
}

/** Columns of a place in a text, as opposed to those of the action itself. */
const place = ['item', 'document', 'reason', 'quote', 'start_at', 'end_at', 'locator', 'url'];

function swapPlaces(file: SqliteFile, one: number, other: number): void {
  const read = (seq: number) =>
    file.get<Record<string, unknown>>(`SELECT ${place.join(', ')} FROM actions WHERE seq = ?`, seq);
  const [first, second] = [read(one), read(other)];
  if (first === undefined || second === undefined) return;
  const write = `UPDATE actions SET ${place.map((column) => `${column} = @${column}`).join(', ')} WHERE seq = @seq`;
  file.run(write, { ...second, seq: one });
  file.run(write, { ...first, seq: other });
}

/** How many further sources of an action are shown. */
const maxShown = 5;

/** The further sources of actions, by the actions' keys: one for each visible item, the oldest first. */
export function listSources(
  file: SqliteFile,
  heads: readonly number[],
): Map<number, { alsoIn: ActionSource[]; alsoInTotal?: number }> {
  const rows = file.all<Omit<ActionSource, 'locator'> & { head: number; locator: string | null }>(
    `SELECT s.merged_into AS head, c.id AS contentId, s.quote,
       iif(s.document = c.visible_document, s.locator, NULL) AS locator,
       iif(s.document = c.visible_document, s.url, NULL) AS url
     FROM json_each(?) wanted JOIN actions s ON s.merged_into = wanted.value
       JOIN actions a ON a.seq = s.merged_into JOIN items c ON c.seq = s.item
     WHERE c.deleted_at IS NULL AND s.item <> a.item
     GROUP BY s.merged_into, s.item HAVING s.seq = min(s.seq) ORDER BY s.merged_into, s.seq`,
    JSON.stringify(heads),
  );
  const byHead = Map.groupBy(rows, ({ head }) => head);
  return new Map(
    [...byHead].map(([head, sources]) => [
      head,
      {
        alsoIn: sources.slice(0, maxShown).map(({ contentId, quote, locator, url }) => ({
          contentId,
          quote,
          locator: locator === null ? null : (JSON.parse(locator) as Locator),
          url: shownAddress(url),
        })),
        ...(sources.length > maxShown && { alsoInTotal: sources.length }),
      },
    ]),
  );
}
