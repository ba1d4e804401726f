import { isWebAddress } from '../../../domain/links/shown-address.ts';
import { maxHighlights, maxTags } from '../../../domain/records/limits.ts';
import type { KeptOriginal } from '../../library/originals.ts';
import type { ImportContent, ImportedContent } from '../../records.ts';
import type { AccountWrite } from '../account-access.ts';
import { importHighlights } from '../../library/highlights.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { addressHash } from '../address-hash.ts';
import { findDeleted, restoreContent } from './deletion.ts';
import { insertNewItem } from './new-item.ts';
import { findItem } from './saving.ts';
import { addTags, countTags, hasOriginal, missingTags, replaceOriginal, restartJob, touchItem } from './bridged.ts';

const maxNotes = 10_000;

/** An entry of an import, with the place of its original. */
export interface KeptImport extends Omit<ImportContent, 'original'> {
  original: KeptOriginal | null;
}

interface Existing {
  seq: number;
  id: string;
  notes: string | null;
  createdAt: number;
  hasTitle: boolean;
  hasText: boolean;
}

/** Inserts entries, or adds what they know to the items that are there. See `Items.importContent`. */
export async function importContent(db: AccountWrite, entries: readonly KeptImport[]): Promise<ImportedContent[]> {
  const outcomes: ImportedContent[] = [];
  for (const entry of entries) outcomes.push(await importOne(db, entry));
  return outcomes;
}

const existing = ({ sql, account }: AccountWrite) => sql`
  SELECT seq, id, notes, created_at, given_title IS NOT NULL OR visible_document IS NOT NULL AS has_title,
    visible_document IS NOT NULL AS has_text
  FROM items WHERE account_id = ${account}`;

async function importOne(db: AccountWrite, entry: KeptImport): Promise<ImportedContent> {
  // Asked together: most addresses are new.
  const [[known], deleted] = await Promise.all([
    db.sql<Existing[]>`
      ${existing(db)} AND url_hash = ${addressHash(entry.canonicalUrl)} AND deleted_at IS NULL`,
    findDeleted(db, entry.canonicalUrl),
  ]);
  if (known !== undefined) return merge(db, known, entry);
  if (deleted !== null) return importDeleted(db, deleted, entry);
  return { ...(await insert(db, entry)), outcome: 'taken' };
}

/** A deleted item stays deleted, unless it was only that its import or save was undone: then it is imported anew. */
async function importDeleted(db: AccountWrite, id: string, entry: KeptImport): Promise<ImportedContent> {
  const [undone] = await db.sql<Existing[]>`${existing(db)} AND id = ${id} AND undone`;
  if (undone === undefined) return { id, outcome: 'deleted', leftOut: [] };
  await restoreContent(db, id);
  // Its title was taken away with the rest of what was saved.
  return { ...(await merge(db, { ...undone, hasTitle: false }, entry)), outcome: 'taken' };
}

async function insert(db: AccountWrite, entry: KeptImport): Promise<Pick<ImportedContent, 'id' | 'leftOut'>> {
  const { original, highlights = [], ...about } = entry;
  const made = { ...about, known: null, tags: about.tags.slice(0, maxTags), isBackground: true };
  const id = await insertNewItem(db, made, original);
  if (highlights.length === 0) return { id, leftOut: [] };
  const item = await findItem(db, id);
  if (item === null) throw new Error('an item that was just imported is not there');
  const { leftOut } = await runSteps(db, importHighlights(postgresDb(db), item, highlights));
  return { id, leftOut: aboutLeftOut(leftOut) };
}

function aboutLeftOut(highlights: number): string[] {
  return highlights === 0 ? [] : [`${highlights} highlights: an item has ${maxHighlights} at most`];
}

/**
 * Adds tags, notes, highlights, a missing title and an earlier date. A page gets a text only when it has none. Writes
 * nothing when the item has all of that.
 */
async function merge(db: AccountWrite, known: Existing, entry: KeptImport): Promise<ImportedContent> {
  const { sql, account } = db;
  const { seq, id } = known;
  const own = sql`account_id = ${account} AND seq = ${seq}`;
  const leftOut: string[] = [];
  let isChanged = false;
  const tags = await missingTags(db, seq, entry.tags);
  const room = maxTags - (tags.length === 0 ? 0 : await countTags(db, seq));
  if (tags.length > room) leftOut.push(`${tags.length - Math.max(0, room)} tags: the item has ${maxTags}`);
  if (tags.length > 0 && room > 0) {
    await addTags(db, seq, tags.slice(0, room));
    isChanged = true;
  }
  if (entry.notes !== null && known.notes?.includes(entry.notes) !== true) {
    const notes = known.notes === null ? entry.notes : `${known.notes}\n\n${entry.notes}`;
    if (notes.length > maxNotes) leftOut.push('the notes: the item has too many');
    else {
      await sql`UPDATE items SET notes = ${notes} WHERE ${own}`;
      isChanged = true;
    }
  }
  if (entry.title !== null && !known.hasTitle) {
    await sql`UPDATE items SET given_title = ${entry.title} WHERE ${own}`;
    isChanged = true;
  }
  if (entry.createdAt !== null && entry.createdAt < known.createdAt) {
    await sql`UPDATE items SET created_at = ${entry.createdAt} WHERE ${own}`;
    isChanged = true;
  }
  const mayReplace = !known.hasText || !isWebAddress(entry.url);
  if (entry.original !== null && mayReplace && !(await hasOriginal(db, seq, entry.original))) {
    replaceOriginal(db, seq, entry.original, 'given');
    await restartJob(db, seq, 'extract');
    isChanged = true;
  }
  const highlights = await runSteps(db, importHighlights(postgresDb(db), seq, entry.highlights ?? []));
  leftOut.push(...aboutLeftOut(highlights.leftOut));
  if (highlights.written > 0) isChanged = true;
  if (isChanged) touchItem(db, seq);
  return { id, outcome: isChanged ? 'merged' : 'unchanged', leftOut };
}
