import type { ManyChanged } from '../../domain/records/answers.ts';
import type { ContentChanges } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { AppError, invalidInput, noSuchItem } from '../../errors.ts';

/** Changes that apply to many items at once. Empty notes remove them. */
export type ManyChanges = Pick<
  ContentChanges,
  'tags' | 'addTags' | 'removeTags' | 'notes' | 'rejectTags' | 'shelf' | 'read'
>;

type OneChanged = Omit<ManyChanged['items'][number], 'id'>;

const maxChanged = 100;

/**
 * Each item is changed completely or not at all. Errors of the call as a whole are reported before the library is opened.
 * @param titles an individual title for each of these items
 */
export async function changeMany(
  open: () => Promise<Store>,
  ids: readonly string[],
  changes: ManyChanges,
  titles: ReadonlyMap<string, string>,
): Promise<ManyChanged> {
  const isNothing = Object.values(changes).every((change) => change === undefined);
  if (isNothing && titles.size === 0)
    throw invalidInput(
      'Nothing to change was given. Give `addTags`, `removeTags`, `rejectTags`, `notes`, `shelf` or `read`.',
    );
  if (!isNothing && ids.length === 0) throw refusedField('ids', 'are missing: give the ids of the items to change');
  const alike = new Set(isNothing ? [] : ids);
  const all = new Set([...alike, ...titles.keys()]);
  if (all.size > maxChanged) throw refusedField('ids', `are too many: give ${maxChanged} at a time`);
  const store = await open();
  const items: ManyChanged['items'] = [];
  for (const id of all) {
    const title = titles.get(id);
    const own = { ...(alike.has(id) && changes), ...(title !== undefined && { title: title || null }) };
    items.push({ id, ...(await changeOne(store, id, own)) });
  }
  return { items, changed: items.filter(({ outcome }) => outcome === 'changed').length };
}

async function changeOne(
  store: Store,
  id: string,
  { notes, ...others }: ManyChanges & Pick<ContentChanges, 'title'>,
): Promise<OneChanged> {
  try {
    const item = await store.updateContent(id, { ...others, ...(notes !== undefined && { notes: notes || null }) });
    return item === null ? { outcome: 'not_found', message: noSuchItem().message } : { outcome: 'changed' };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    return { outcome: 'refused', message: error.message };
  }
}

export function refusedField(path: string, problem: string): AppError {
  return invalidInput(`${path} ${problem}.`, { fields: [{ path, message: problem }] });
}
