import type { EntryState } from '../raw-entry.ts';

/* What programs know about an entry: where it is kept and whether it was read, and a tag for what was marked. */
export const unread: EntryState = { shelf: 'inbox' };
export const later: EntryState = { shelf: 'later' };
export const read: EntryState = { shelf: 'archive', read: true };
export const favouriteTag = 'favourite';

/** `1`, `true` and `yes`, as programs write them. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:1|true|yes)$/i.test(value.trim()));
}
