import { cleanLine } from '../text/clean-text.ts';

/* Facts about items, tags and lists that need no schema: threads of libraries load none. */

export const maxTag = 100;
/** Checked before a text is cleaned, to bound that work; a tag has little white space around it. */
export const maxUncleanTag = 1_000;

/** The tag that a text names, as the schema of tags has it; null where none can be named so. */
export function tagOf(text: string): string | null {
  if (text.length > maxUncleanTag) return null;
  const tag = cleanLine(text);
  return tag.length > 0 && tag.length <= maxTag && !tag.includes(',') ? tag : null;
}

export const contentTypes = [
  'youtube',
  'article',
  'pdf',
  'video',
  'podcast',
  'discussion',
  'repo',
  'post',
  'paper',
  'feed',
  'ebook',
  'document',
  'text',
  'image',
] as const;

/** The display name of an item. A note that has not been read yet may have neither title nor address. */
export function nameOf({ title, url }: { title: string | null; url: string | null }): string {
  return title ?? url ?? 'A note';
}

/** The address under which MCP clients read an item as a resource. */
export function resourceOf(id: string): string {
  return `commonplace://content/${id}`;
}

/** The form in which tags are compared: it ignores letter case and how accents are encoded. */
export function foldTag(tag: string): string {
  return tag.toWellFormed().normalize('NFC').toLowerCase();
}

export const maxListNameLength = 100;

/** Why a list cannot have this name; null when it can. `list:"…"` has to name it, so it has no quotation marks. */
export function problemOfListName(name: string): string | null {
  if (name === '') return 'must not be empty';
  if (name.length > maxListNameLength) return `must have at most ${maxListNameLength} characters`;
  if (/["*]/.test(name)) return 'must not contain " or *';
  return /^l_[a-z2-7]{16}$/.test(name) ? 'must not be an id' : null;
}

export const cleanListName = (name: string): string => cleanLine(name.slice(0, 1_000));
