import type { Shelf } from '../../domain/records/content.ts';
import { newId } from '../../domain/records/ids.ts';
import { maxSources } from '../../domain/records/limits.ts';
import { foldTag } from '../../domain/records/item.ts';
import type {
  ExportedGoal,
  ExportedItem,
  ExportedList,
  ExportedSource,
} from '../../domain/records/transfers/exported.ts';
import type { ImportedContent, ReplacedItems } from '../records.ts';
import { insertInsight } from './analyses/analyses.ts';
import { all, type Db, first, isKey, keyed, later, sql, type Steps, text, together } from './db.ts';
import { findDeleted } from './items/deletion.ts';
import { keepOlder, maxOlder } from './items/versions.ts';
import { insertDocument, type KeptOriginal, showDocument, textHash, writeOriginal } from './items/documents.ts';
import { replaceFingerprint, writeAddress } from './items/duplicates.ts';
import {
  actionFields,
  goalFields,
  highlightFields,
  itemFields,
  pageCheckFields,
  sourceFields,
  valuesOf,
} from './fields.ts';
import { goalsVersion, listGoalTitles, noteChangedGoal, sameTitle } from './analyses/goals.ts';
import { noteTransfer } from './history/history.ts';
import { importPackedContent } from './items/import.ts';
import { insertLists } from './items/item-lists.ts';
import { markPassages } from './highlights.ts';
import { leavePlaces } from './analyses/merged-actions.ts';
import { addFirstTags } from './items/tags.ts';
import { insertEntries } from './source-entries.ts';
import { hostOfSource, keyOfSource } from './sources.ts';

/** Inserts goals that are not there by their id or title. @returns the id that each of them has here */
export function* restoreGoals(db: Db, goals: readonly ExportedGoal[]): Steps<Map<string, string>> {
  yield* noteTransfer(db);
  const ids = new Map<string, string>();
  const known = yield* listGoalTitles(db);
  for (const goal of goals) {
    const { id, title } = goal;
    const here = known.find((one) => one.id === id) ?? known.find((one) => sameTitle(one.title, title));
    ids.set(id, here?.id ?? id);
    if (here !== undefined) continue;
    yield* later`${db.row('goals', valuesOf(goalFields, goal))}`;
    known.push({ id, title });
    yield* noteChangedGoal(db, id, goal.archivedAt !== null);
  }
  return ids;
}

interface PackedItem {
  item: ExportedItem;
  /** In the order of `item.originals`. */
  originals: readonly KeptOriginal[];
}

/**
 * See `Store.restoreItem` and `restoreItems`. Statements of several items are sent together, because waiting for
 * answers takes most of the time. Rows get their numbers in the order of the items.
 */
export function* restorePackedItems(
  db: Db,
  items: readonly PackedItem[],
  replaces: ReplacedItems,
): Steps<ImportedContent[]> {
  yield* noteTransfer(db);
  const places = yield* together(...items.map(({ item }) => clearPlace(db, item, replaces)));
  yield* together(
    ...items.map(function* ({ item, originals }, at): Steps<void> {
      const keys = places[at]?.keys ?? null;
      if (keys !== null) yield* insertItem(db, item, originals, keys);
    }),
  );
  return places.map(({ outcome }) => outcome);
}

export function* restorePackedItem(
  db: Db,
  item: ExportedItem,
  originals: readonly KeptOriginal[],
  replaces: ReplacedItems,
): Steps<ImportedContent> {
  const [outcome] = yield* restorePackedItems(db, [{ item, originals }], replaces);
  if (outcome === undefined) throw new Error('an item that was to be restored has no outcome');
  return outcome;
}

/** Keys of the rows of an item that is replaced. With the same ones, the history knows what was there before. */
interface Keys {
  item?: number;
  /** By version and hash of the text. */
  documents: ReadonlyMap<string, number>;
  actions: ReadonlyMap<string, number>;
  highlights: ReadonlyMap<string, number>;
  lists: readonly { list: number; ordinal: number; addedAt: number }[];
}

const noKeys: Keys = { documents: new Map(), actions: new Map(), highlights: new Map(), lists: [] };

interface ClearedPlace {
  /** Those of rows that were there, for the item's new ones; null when nothing is to be inserted. */
  keys: Keys | null;
  outcome: ImportedContent;
}

function* clearPlace(db: Db, item: ExportedItem, replaces: ReplacedItems): Steps<ClearedPlace> {
  const { id } = item;
  const [known, sameAddress] = yield* together(
    first<{ seq: number; updatedAt: number; deletedAt: number | null; isUndone: boolean }>`
      SELECT i.seq, i.updated_at, i.deleted_at, i.undone AS is_undone FROM items i WHERE ${db.of('i')} AND i.id = ${id}`,
    first`
      SELECT 1 AS found FROM items i WHERE ${db.of('i')} AND i.deleted_at IS NULL AND i.id <> ${id}
        AND ${isKey(db, 'i', 'canonical_url', item.canonicalUrl)}`,
  );
  const isUndone = known?.isUndone === true;
  const left = (outcome: ImportedContent['outcome']) => ({ keys: null, outcome: { id, outcome, leftOut: [] } });
  if (known !== undefined && !isUndone && replaces === 'older') {
    if (known.deletedAt !== null) return left('deleted');
    if (known.updatedAt >= item.updatedAt) return left('unchanged');
  }
  const inTrash = known === undefined && replaces === 'older' ? yield* findDeleted(db, item.canonicalUrl) : null;
  if (sameAddress !== undefined || inTrash !== null) return { keys: null, outcome: yield* mergeItem(db, item) };
  const keys = known === undefined ? noKeys : yield* keysOf(db, known.seq);
  if (known !== undefined) {
    if (replaces === 'older') yield* leavePlaces(db, known.seq, 'any');
    yield* later`DELETE FROM items WHERE ${db.of('items')} AND seq = ${known.seq}`;
  }
  // An action that had moved to another item is this one's again.
  if (replaces === 'any' && item.actions.length > 0)
    yield* later`
      DELETE FROM actions WHERE ${db.of('actions')} AND id IN (
        SELECT k.value FROM ${db.texts(
          'k',
          item.actions.map((action) => action.id),
        )})`;
  return { keys, outcome: { id, outcome: known === undefined || isUndone ? 'taken' : 'merged', leftOut: [] } };
}

function* keysOf(db: Db, item: number): Steps<Keys> {
  const [documents, actions, highlights, lists] = yield* together(
    all<{ version: number; textHash: Uint8Array; id: number }>`
      SELECT d.version, d.text_hash, d.id FROM documents d WHERE ${db.of('d')} AND d.item = ${item}`,
    all<{ id: string; seq: number }>`SELECT a.id, a.seq FROM actions a WHERE ${db.of('a')} AND a.item = ${item}`,
    all<{ id: string; seq: number }>`SELECT h.id, h.seq FROM highlights h WHERE ${db.of('h')} AND h.item = ${item}`,
    all<Keys['lists'][number]>`
      SELECT x.list, x.ordinal, x.added_at FROM list_items x WHERE ${db.of('x')} AND x.item = ${item}`,
  );
  return {
    item,
    lists,
    documents: new Map(documents.map(({ version, textHash: hash, id }) => [documentKey(version, hash), id])),
    actions: new Map(actions.map(({ id, seq }) => [id, seq])),
    highlights: new Map(highlights.map(({ id, seq }) => [id, seq])),
  };
}

const documentKey = (version: number, hash: Uint8Array) => `${version} ${Buffer.from(hash).toString('hex')}`;

/** Records that an export of another program would add. */
function* mergeItem(db: Db, item: ExportedItem): Steps<ImportedContent> {
  const { url, canonicalUrl, givenTitle, tags, notes, createdAt } = item;
  const highlights = item.highlights
    .filter(({ deletedAt }) => deletedAt === null)
    .map((one) => ({ ...one, source: one.source ?? `id:${one.id}` }));
  const { shelf = shelfByTags(tags), readAt = null, readingShare = null } = item;
  const state = { shelf, readAt, readingShare };
  const entry = { url, canonicalUrl, title: givenTitle, tags, notes, createdAt, state, highlights, original: null };
  const [merged] = yield* importPackedContent(db, [entry]);
  if (merged === undefined) throw new Error('an import of one entry has no outcome');
  return merged;
}

/** The shelf of an item of an older export: everything was put away, unless a tag says otherwise. */
function shelfByTags(tags: readonly string[]): Shelf {
  const folded = new Set(tags.map(foldTag));
  return folded.has('unread') ? 'inbox' : folded.has('later') ? 'later' : 'archive';
}

function* insertItem(db: Db, item: ExportedItem, originals: readonly KeptOriginal[], keys: Keys): Steps<void> {
  const inserted = yield* first<{ seq: number }>`${db.row('items', {
    ...(keys.item !== undefined && { seq: keys.item }),
    ...valuesOf(itemFields, item),
    shelf: item.shelf ?? shelfByTags(item.tags),
    ...keyed(db, 'canonical_url', item.canonicalUrl),
  })} RETURNING seq`;
  if (inserted === undefined) throw new Error('an item that was just written has no key');
  const { seq } = inserted;
  yield* addFirstTags(db, seq, item.tags);
  for (const { list, ordinal, addedAt } of keys.lists)
    yield* later`${db.row('list_items', { list, item: seq, ordinal, added_at: addedAt })}`;
  for (const { decidedAt, ...proposal } of item.tagProposals ?? []) {
    const row = { item: seq, folded: foldTag(proposal.tag), ...proposal, decided_at: decidedAt };
    yield* later`${db.row('tag_proposals', row)} ON CONFLICT DO NOTHING`;
  }
  // Of two with the same name, the last one counts.
  const byName = new Map(item.originals.map((original, at) => [original.name, { original, kept: originals[at] }]));
  for (const { original, kept } of byName.values()) {
    if (kept !== undefined) yield* writeOriginal(db, seq, original.name, kept, original.isGiven ? 'given' : 'fetched');
  }
  const ids = yield* together(
    ...item.documents.map((document) =>
      insertDocument(db, seq, document, keys.documents.get(documentKey(document.version, textHash(document.text)))),
    ),
  );
  const versions = new Map(item.documents.map(({ version }, at) => [version, ids[at] ?? -1]));
  yield* showText(db, seq, item, versions);
  if (item.pageCheck !== undefined) {
    const { checkedAt } = item.pageCheck;
    // A time in the future would keep the page from being fetched until then.
    const check = { ...item.pageCheck, checkedAt: checkedAt !== null && checkedAt > db.now ? null : checkedAt };
    yield* later`${db.row('page_checks', { item: seq, ...valuesOf(pageCheckFields, check) })}`;
  }
  const older = item.documents
    .filter(({ version }) => version !== item.visibleVersion)
    .toSorted((a, b) => a.version - b.version);
  if (older.length > 0)
    yield* keepOlder(
      db,
      seq,
      older.flatMap(({ version }) => versions.get(version) ?? []),
      maxOlder + 1,
    );
  for (const address of item.addresses) yield* writeAddress(db, seq, address);
  yield* insertAnalysis(db, seq, item, versions, keys);
  yield* insertHighlights(db, seq, item, versions, keys);
  yield* insertJobs(db, seq, item);
  yield* later`UPDATE items SET updated_at = ${item.updatedAt} WHERE ${db.of('items')} AND seq = ${seq}`;
}

/** Ids of documents by version. */
type Versions = ReadonlyMap<number, number>;

function* showText(
  db: Db,
  item: number,
  { visibleVersion, documents, passages, fingerprint }: ExportedItem,
  versions: Versions,
): Steps<void> {
  const shown = documents.find(({ version }) => version === visibleVersion);
  const id = versions.get(visibleVersion ?? -1);
  if (shown === undefined || id === undefined) return;
  yield* showDocument(db, item, id);
  if (passages.length > 0) yield* db.indexing.replacePassages(item, id, shown.text, passages);
  if (fingerprint !== null) yield* replaceFingerprint(db, item, Buffer.from(fingerprint, 'hex'));
}

function* insertAnalysis(
  db: Db,
  item: number,
  { insights, actions }: ExportedItem,
  versions: Versions,
  keys: Keys,
): Steps<void> {
  const goalIds = [...new Set([...insights, ...actions].flatMap(({ goalId }) => goalId ?? []))];
  const [version, goals] = yield* together(
    goalsVersion(db),
    all<{ id: string }>`
      SELECT g.id FROM goals g WHERE ${db.of('g')} AND g.id IN (SELECT k.value FROM ${db.texts('k', goalIds)})`,
  );
  const isGoal = (id: string | null | undefined) => goals.some((goal) => goal.id === id);
  for (const [ordinal, insight] of insights.entries()) {
    const document = versions.get(insight.version);
    // Those without a goal were not compared with this library's goals.
    const linkedAt = isGoal(insight.goalId) ? version : 0;
    if (document !== undefined) yield* insertInsight(db, item, document, ordinal, insight, linkedAt);
  }
  for (const action of actions) {
    const document = action.version === null ? null : versions.get(action.version);
    const key = keys.actions.get(action.id);
    if (document === undefined) continue;
    yield* later`${db.row('actions', {
      ...(key !== undefined && { seq: key }),
      item,
      document,
      ...valuesOf(actionFields, action),
      goal: isGoal(action.goalId) ? action.goalId : null,
    })} ON CONFLICT DO NOTHING`;
  }
}

function* insertHighlights(
  db: Db,
  item: number,
  { highlights, visibleVersion }: ExportedItem,
  versions: Versions,
  keys: Keys,
): Steps<void> {
  for (const one of highlights) {
    const key = keys.highlights.get(one.id);
    yield* later`${db.row('highlights', {
      ...(key !== undefined && { seq: key }),
      item,
      ...valuesOf(highlightFields, one),
      document: versions.get(one.version ?? -1) ?? null,
      place_due: one.deletedAt === null && visibleVersion !== null && one.version !== visibleVersion,
    })} ON CONFLICT DO NOTHING`;
  }
  if (highlights.length > 0) yield* markPassages(db, item);
}

function* insertJobs(db: Db, item: number, { job, betterAnalysis }: ExportedItem): Steps<void> {
  const due = (state: string) => (state === 'waiting' ? db.now : null);
  if (job !== null)
    yield* later`${db.row('jobs', {
      item,
      id: newId('j'),
      stage: job.stage,
      state: job.state,
      attempts: job.attempts,
      due_at: due(job.state),
      background: job.isBackground,
      failure_code: job.failureCode,
      failure_message: job.failureMessage,
      failure_retryable: job.isRetryable,
    })}`;
  if (betterAnalysis !== null)
    yield* later`${db.row('llm_analyses', {
      item,
      state: betterAnalysis.state,
      due_at: due(betterAnalysis.state),
      attempts: betterAnalysis.attempts,
      failure_code: betterAnalysis.failureCode,
      failure_message: betterAnalysis.failureMessage,
      given_up: betterAnalysis.state === 'failed',
    })}`;
}

/** Merges actions again where both exist. */
export function* restoreMerges(db: Db, merges: readonly { id: string; into: string }[]): Steps<void> {
  for (const { id, into } of merges)
    yield* later`
      UPDATE actions SET merged_into = (
        SELECT h.seq FROM actions h WHERE ${db.of('h')} AND h.id = ${into} AND h.merged_into IS NULL)
      WHERE ${db.of('actions')} AND id = ${id} AND id <> ${into} AND merged_into IS NULL`;
}

/**
 * Inserts lists, with their existing items. An existing list with its id or name gets the missing items (`older`), or existing
 * lists are replaced (`any`). @returns the names of lists without enough room, or of another kind
 */
export function* restoreLists(db: Db, lists: readonly ExportedList[], replaces: ReplacedItems): Steps<string[]> {
  yield* noteTransfer(db);
  if (replaces === 'any')
    for (const table of ['list_items', 'lists']) yield* later`DELETE FROM ${text(table)} WHERE ${db.of(table)}`;
  return yield* insertLists(db, lists);
}

/**
 * Inserts sources with their entries. An existing one of the same kind and address is unchanged, and gets missing entries
 * (`older`); or all existing ones are replaced (`any`). A source with many entries comes several times, with some of them each
 * time. @returns how many did not fit
 */
export function* restoreSources(db: Db, sources: readonly ExportedSource[], replaces: ReplacedItems): Steps<number> {
  yield* noteTransfer(db);
  if (replaces === 'any') yield* later`DELETE FROM sources WHERE ${db.of('sources')}`;
  const counted = yield* first<{ count: number }>`SELECT count(*) AS count FROM sources s WHERE ${db.of('s')}`;
  let [room, leftOut] = [maxSources - (counted?.count ?? 0), 0];
  for (const { entries: offered, ...exported } of sources) {
    const key = keyOfSource(exported);
    // An export may be another person's, or of another machine: it does not make this one read its disk by itself.
    const isForeignFolder = exported.kind === 'folder' && replaces !== 'any';
    const found = () => first<{ seq: number }>`
      SELECT s.seq FROM sources s WHERE ${db.of('s')} AND (s.key = ${key} OR s.id = ${exported.id})
      ORDER BY CASE WHEN s.key = ${key} THEN 0 ELSE 1 END LIMIT 1`;
    let known = yield* found();
    if (known === undefined && room > 0) {
      room -= 1;
      yield* later`${db.row('sources', {
        ...valuesOf(sourceFields, exported),
        ...(isForeignFolder && { state: 'paused' }),
        key,
        host: hostOfSource(exported),
        due_at: exported.state === 'active' && !isForeignFolder ? db.now : null,
      })}`;
      known = yield* found();
    }
    if (known === undefined) leftOut += 1;
    else yield* insertEntries(db, known.seq, offered, sql`DO NOTHING`);
  }
  return leftOut;
}
