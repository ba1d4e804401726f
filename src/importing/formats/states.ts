/* The tags that stand for what a program knew about an entry. */
export const unreadTag = 'unread';
export const readTag = 'read';
export const favouriteTag = 'favourite';

/** `1`, `true` and `yes`, as programs write them. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:1|true|yes)$/i.test(value.trim()));
}
