import { cleanLine } from '../../text/clean-text.ts';

/* Apart from the schemas: library threads need none. */

export const maxListNameLength = 100;

/** Why a list cannot have this name; null when it can. `list:"…"` has to name it, so it has no quotation marks. */
export function problemOfListName(name: string): string | null {
  if (name === '') return 'must not be empty';
  if (name.length > maxListNameLength) return `must have at most ${maxListNameLength} characters`;
  if (/["*]/.test(name)) return 'must not contain " or *';
  return /^l_[a-z2-7]{16}$/.test(name) ? 'must not be an id' : null;
}

export const cleanListName = (name: string): string => cleanLine(name.slice(0, 1_000));
