import { differInNumbersAlone } from '../../../domain/text/words/without-numbers.ts';
import type { ItemVersion, ReadVersion } from '../../../domain/records/content.ts';
import { isoTime } from '../../../domain/clock.ts';
import { all, type Db, first, fromJson, JsonText, later, type Steps, together, toJson } from '../db.ts';
import { readTextOf, visibleDocument } from './documents.ts';
import { restartJob } from '../queue/jobs.ts';

/*
 * The texts of an item from before its page was refetched. The version with the highest number is the visible one, or about to be:
 * an earlier version that is shown again gets the next number.
 */

/** Versions that are kept beside the visible one. */
export const maxOlder = 4;

/** Documents of an item that stay, and are listed as versions, though another one is visible. */
interface KeptDocuments {
  /** They were visible before; the most important one is the last. */
  older: number[];
  /** Its page has lost most of its words: one of these is kept, so that they do not push out the older ones. */
  shrunk?: number;
  /** Made from the original, but not visible: it waits to be split, or could not be split. */
  unsplit?: number | undefined;
}

export function* keptDocuments(db: Db, item: number): Steps<KeptDocuments> {
  const row = yield* first<{ versions: unknown }>`
    SELECT versions FROM page_checks c WHERE ${db.of('c')} AND item = ${item}`;
  return { older: [], ...fromJson<Partial<KeptDocuments> | null>(row?.versions ?? null) };
}

function* keptIds(db: Db, item: number): Steps<number[]> {
  const { older, shrunk, unsplit } = yield* keptDocuments(db, item);
  return older.concat(shrunk ?? [], unsplit ?? []);
}

export function* keepDocuments(db: Db, item: number, changed: Partial<KeptDocuments>): Steps<void> {
  const versions = toJson({ ...(yield* keptDocuments(db, item)), ...changed });
  yield* later`
    ${db.row('page_checks', { item, versions })}
    ON CONFLICT ${db.key('item')} DO UPDATE SET versions = excluded.versions`;
}

/** Notes that documents stay when newer ones take their place, the most important last. */
export function* keepOlder(db: Db, item: number, documents: readonly number[], max = maxOlder): Steps<void> {
  const { older } = yield* keptDocuments(db, item);
  yield* keepDocuments(db, item, {
    older: [...older.filter((id) => !documents.includes(id)), ...documents].slice(-max),
  });
}

/**
 * Notes that the visible text stays when a newer one takes its place. A clock or a counter on the page pushes no other text
 * out: of too many, one goes that differs from the one before it in numbers and dates alone.
 */
export function* keepReplaced(db: Db, item: number, visible: number, language: string | null): Steps<void> {
  const { older } = yield* keptDocuments(db, item);
  const documents = [...older.filter((id) => id !== visible), visible];
  const texts: string[] = [];
  for (const id of documents.length > maxOlder ? documents : []) texts.push((yield* readTextOf(db, id)) ?? '');
  const isRepeated = texts.slice(1).map((text, at) => differInNumbersAlone(texts[at] ?? '', text, language));
  // The last ones stay when all are of this kind, such as the prices of a shop.
  const surplus = isRepeated.includes(false) ? isRepeated.slice(0, -1).indexOf(true) + 1 : 0;
  const kept = documents.filter((_, at) => surplus === 0 || at !== surplus);
  yield* keepDocuments(db, item, { older: kept.slice(-maxOlder) });
}

/** Removes versions that have been replaced and are not kept, unless an action or an insight refers to them. */
export function* removeOldDocuments(db: Db, item: number): Steps<void> {
  const kept = yield* keptIds(db, item);
  yield* later`
    DELETE FROM documents AS d WHERE ${db.of('d')} AND d.item = ${item}
      AND d.version < (SELECT v.version FROM items i JOIN documents v ON ${db.of('v')} AND v.id = i.visible_document
        WHERE ${db.of('i')} AND i.seq = ${item})
      AND d.id NOT IN (SELECT k.value FROM ${db.numbers('k', kept)})
      AND NOT EXISTS (SELECT 1 FROM actions a WHERE ${db.of('a')} AND a.document = d.id)
      AND NOT EXISTS (SELECT 1 FROM insights n WHERE ${db.of('n')} AND n.document = d.id)`;
}

export function* makeNewest(db: Db, item: number, document: number): Steps<void> {
  yield* later`
    UPDATE documents SET version = (
      SELECT max(v.version) + 1 FROM documents v WHERE ${db.of('v')} AND v.item = ${item})
    WHERE ${db.of('documents')} AND id = ${document}`;
}

/** Shows another version as soon as its passages are made, as a part of the change that is being recorded. */
export function* chooseVersion(db: Db, item: number, document: number): Steps<void> {
  const before = yield* visibleDocument(db, item);
  yield* makeNewest(db, item, document);
  yield* keepOlder(db, item, [...(before === null ? [] : [before]), document], maxOlder + 1);
  yield* later`
    UPDATE page_checks SET failure_code = NULL, failure_message = NULL
    WHERE ${db.of('page_checks')} AND item = ${item}`;
  yield* recordVersion(db, item, before, document);
  yield* restartJob(db, item, 'split');
}

export function* recordVersion(db: Db, item: number, before: number | null, after: number): Steps<void> {
  const recording = yield* first<{ entry: number | null }>`SELECT ${db.recording.entry} AS entry`;
  const entry = recording?.entry ?? null;
  if (entry === null || before === null) return;
  const found = yield* all<{ id: number; createdAt: number; wordCount: number }>`
    SELECT d.id, d.created_at, d.word_count FROM documents d
    WHERE ${db.of('d')} AND d.id IN (SELECT k.value FROM ${db.numbers('k', [before, after])})`;
  const noted = (document: number) => {
    const one = found.find(({ id }) => id === document);
    const shown = one && `${one.wordCount} words, read ${isoTime(one.createdAt)}`;
    return new JsonText({ visible_document: document, shown });
  };
  yield* later`
    ${db.row('history_changes', { entry, kind: 'text', key: item, part: '', item, before: noted(before), after: noted(after) })}
    ON CONFLICT ${db.key('entry', 'kind', 'key', 'part')} DO UPDATE SET after = excluded.after`;
}

interface VersionRow extends Omit<ItemVersion, 'createdAt'> {
  document: number;
  createdAt: number;
}

/** The newest first; none of an item that was never read. */
function* versionRows(db: Db, contentId: string): Steps<VersionRow[] | null> {
  const item = yield* first<{ seq: number }>`
    SELECT seq FROM items i WHERE ${db.of('i')} AND id = ${contentId} AND deleted_at IS NULL`;
  if (item === undefined) return null;
  const kept = yield* keptIds(db, item.seq);
  return yield* all<VersionRow>`
    SELECT d.id AS document, d.version, d.title, d.word_count, d.created_at, d.id = i.visible_document AS is_shown
    FROM items i JOIN documents d ON ${db.of('d')} AND d.item = i.seq
    WHERE ${db.of('i')} AND i.seq = ${item.seq}
      AND (d.id = i.visible_document OR d.id IN (SELECT k.value FROM ${db.numbers('k', kept)}))
    ORDER BY d.version DESC LIMIT ${maxOlder + 3}`;
}

function toVersion({ version, title, wordCount, isShown, createdAt }: VersionRow): ItemVersion {
  return { version, createdAt: isoTime(createdAt), title, wordCount, isShown };
}

/** The versions that can be read, the newest first; null without such an item. */
export function* listVersions(db: Db, contentId: string): Steps<ItemVersion[] | null> {
  return (yield* versionRows(db, contentId))?.map(toVersion) ?? null;
}

/** A version, and its differences from another one, or from the visible one. Null when either is missing. */
export function* readVersion(db: Db, contentId: string, version: number, against?: number): Steps<ReadVersion | null> {
  const rows = yield* versionRows(db, contentId);
  const wanted = rows?.find((row) => row.version === version);
  const other = rows?.find((row) => (against === undefined ? row.isShown : row.version === against));
  if (wanted === undefined || other === undefined) return null;
  const [own, compared] = yield* together(textOf(db, wanted.document), textOf(db, other.document));
  const [before, after] = wanted.version < other.version ? [own, compared] : [compared, own];
  return { ...toVersion(wanted), text: own.text, against: other.version, ...paragraphChanges(before, after) };
}

function* textOf(db: Db, document: number): Steps<BlockText> {
  const row = yield* first<{ text: string; blocks: unknown }>`
    SELECT text, blocks FROM documents d WHERE ${db.of('d')} AND id = ${document}`;
  return { text: row?.text ?? '', blocks: fromJson(row?.blocks ?? []) };
}

/** Shows an earlier version again. False: there is none with this number. */
export function* restoreVersion(db: Db, contentId: string, version: number): Steps<boolean> {
  const row = (yield* versionRows(db, contentId))?.find((one) => one.version === version);
  if (row === undefined) return false;
  const item = yield* first<{
    seq: number;
  }>`SELECT d.item AS seq FROM documents d WHERE ${db.of('d')} AND d.id = ${row.document}`;
  if (item !== undefined && !row.isShown) yield* chooseVersion(db, item.seq, row.document);
  return true;
}

/** The parts of a text that another one lacks. `changes`: at most `maxShown`, each with at most `maxLength` characters. */
type TextChanges = Pick<ReadVersion, 'added' | 'removed' | 'changes'>;

interface BlockText {
  text: string;
  blocks: readonly { start: number; end: number }[];
}

const maxShown = 200;
const maxLength = 2_000;

/**
 * Compares two texts by paragraph, in linear time. A paragraph that only moved has not changed; one in which a word
 * changed was taken away and added.
 */
function paragraphChanges(before: BlockText, after: BlockText): TextChanges {
  const [old, now] = [paragraphsOf(before), paragraphsOf(after)];
  const isRemoved = missingIn(now, old);
  const isAdded = missingIn(old, now);
  const found: TextChanges = { added: 0, removed: 0, changes: [] };
  const note = (change: 'added' | 'removed', text = ''): void => {
    found[change] += 1;
    if (found.changes.length < maxShown) found.changes.push({ change, text: text.slice(0, maxLength) });
  };
  for (let i = 0, j = 0; i < old.length || j < now.length;) {
    if (isRemoved[i] === true) note('removed', old[i++]);
    else if (isAdded[j] === true) note('added', now[j++]);
    else {
      i += 1;
      j += 1;
    }
  }
  return found;
}

function paragraphsOf({ text, blocks }: BlockText): string[] {
  return blocks.map(({ start, end }) => text.slice(start, end).trim()).filter((paragraph) => paragraph !== '');
}

/** For each of the paragraphs: whether the other text has fewer of the same. */
function missingIn(other: readonly string[], paragraphs: readonly string[]): boolean[] {
  const left = new Map<string, number>();
  for (const paragraph of other) left.set(paragraph, (left.get(paragraph) ?? 0) + 1);
  return paragraphs.map((paragraph) => {
    const count = left.get(paragraph) ?? 0;
    left.set(paragraph, count - 1);
    return count <= 0;
  });
}
