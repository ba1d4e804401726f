/** Entries that are asked for at once. */
const changesAtOnce = 50;
/** Deleted items that are asked for at once. */
export const deletedAtOnce = 50;

/** Of one item, or of all. */
export function historyAddress(id?: string): string {
  return id === undefined ? '/app/history' : `/app/history?id=${id}`;
}

export function historyInput(query: URLSearchParams, offset: number): object {
  const id = query.get('id');
  return { ...(id !== null && { id }), limit: changesAtOnce, offset };
}

export function trashInput(offset: number): object {
  return { deleted: true, limit: deletedAtOnce, offset };
}
