import { randomBytes } from 'node:crypto';

/** `c` content, `a` action, `g` goal, `u` account, `j` job, `t` token, `k` key, `s` session, `h` highlight, `l` list, `f` source that is followed, `x` change. */
export type IdKind = 'c' | 'a' | 'g' | 'u' | 'j' | 't' | 'k' | 's' | 'h' | 'l' | 'f' | 'x';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * A new id: kind, underscore, 16 random characters of lower-case base32 (80 bits).
 * Safe as a file name on every system and as a URL segment; never reused.
 */
export function newId(kind: IdKind): string {
  const bytes = randomBytes(16);
  let id = `${kind}_`;
  for (const byte of bytes) id += alphabet[byte & 31];
  return id;
}

/** Matches the ids that `newId(kind)` makes. */
export function idPattern(kind: IdKind): RegExp {
  // regex: built on loading: the kinds are those above
  return new RegExp(`^${kind}_[a-z2-7]{16}$`);
}
