import { z } from 'zod';
import type { JsonElement } from '../reading/json-elements.ts';
import { type RawEntry, hashOf, favouriteTag, isTrue } from '../raw-entry.ts';

/* Fields of objects of other programs. */

/** Null where it is missing or something else. */
export const maybe = <S extends z.ZodType>(schema: S) => schema.nullish().catch(null);
export const text = maybe(z.string());
export const texts = maybe(z.array(z.string()));
export const date = maybe(z.union([z.string(), z.number()]));
export const flag = z.unknown().optional();
export const names = maybe(
  z.array(z.union([z.string(), z.object({ name: text, label: text, title: text })]).catch('')),
);
export const namesOf = (tags: z.infer<typeof names>): string[] =>
  (tags ?? []).map((tag) => (typeof tag === 'string' ? tag : (tag.name ?? tag.label ?? tag.title ?? '')));

/** The names of an object's fields that a format does not use. */
export function fieldsBeside({ shape }: z.ZodObject, value: unknown): string[] {
  const hasValue = (one: unknown): boolean =>
    typeof one === 'object' ? Object.keys(one ?? {}).length > 0 : one !== undefined && one !== '' && one !== false;
  return Object.entries(value ?? {}).flatMap(([name, one]) => (!(name in shape) && hasValue(one) ? [name] : []));
}

/** The names of a folder and its parents, outermost first. Empty for an unknown folder. */
export type FolderPath = (id: unknown) => string[];

export const noFolders: FolderPath = () => [];

/** Deeper folders are left out, and so are cycles. */
const maxDepth = 20;
const maxFolders = 100_000;

const folder = z.object({
  id: z.union([z.string(), z.number()]),
  name: z.string(),
  parentId: z.union([z.string(), z.number()]).nullish().catch(null),
});

/** Reads the folders of an export, where each names its parent, which may come later. */
export async function readFolders(elements: AsyncIterable<JsonElement>): Promise<FolderPath> {
  const folders = new Map<unknown, z.infer<typeof folder>>();
  for await (const { value } of elements) {
    const found = folder.safeParse(value).data;
    if (found !== undefined && folders.size < maxFolders) folders.set(found.id, found);
  }
  return (id) => {
    const path: string[] = [];
    for (let next = folders.get(id); next !== undefined && path.length < maxDepth; next = folders.get(next.parentId))
      path.unshift(next.name);
    return [...new Set(path)];
  };
}

/** A bookmark, a folder or a separator of Chrome's file (`name`, `url`) or of Firefox's backup (`title`, `uri`). */
const node = z.object({
  name: text,
  title: text,
  url: text,
  uri: text,
  date_added: date,
  dateAdded: date,
  /** Separated by commas. */
  tags: text,
  /** Firefox's descriptions of old. */
  annos: maybe(z.array(maybe(z.object({ name: z.string(), value: z.string() })))),
  children: maybe(z.array(z.unknown())),
});

/** The bookmarks of one of the folders in which a browser keeps everything. Its own name is not a tag. */
export function bookmarksOf(root: unknown): RawEntry[] {
  const found: RawEntry[] = [];
  const walk = (children: readonly unknown[], folders: readonly string[]): void => {
    for (const child of children) {
      const one = node.safeParse(child).data;
      if (one === undefined) continue;
      const title = one.name ?? one.title ?? undefined;
      const url = one.url ?? one.uri ?? undefined;
      if (one.children) walk(one.children, title === undefined ? folders : [...folders, title]);
      else if (url !== undefined)
        found.push({
          url,
          title,
          tags: [...folders, ...(one.tags ?? '').split(',')],
          notes: (one.annos ?? []).map((anno) =>
            anno?.name.endsWith('/description') === true ? anno.value : undefined,
          ),
          date: one.date_added ?? one.dateAdded ?? undefined,
          fields: fieldsBeside(node, child),
        });
    }
  };
  walk(node.safeParse(root).data?.children ?? [], []);
  return found;
}

export const keepNote = z.object({
  title: text,
  textContent: text,
  /** The same text again. */
  textContentHtml: text,
  listContent: maybe(z.array(z.object({ text, isChecked: flag }))),
  labels: names,
  annotations: maybe(z.array(z.object({ url: text, title: text }))),
  attachments: maybe(z.array(z.object({ filePath: text }))),
  isTrashed: flag,
  isPinned: flag,
  isArchived: flag,
  createdTimestampUsec: date,
  userEditedTimestampUsec: date,
});

/** A note of Google Keep. One that holds nothing but an address is a bookmark. */
export function readKeepNote(note: z.infer<typeof keepNote>, file: string): RawEntry {
  const title = (note.title ?? '').trim();
  if (isTrue(note.isTrashed)) return { title: title || file, refused: 'it is in the trash of Google Keep' };
  const list = (note.listContent ?? []).map((one) => `- [${isTrue(one.isChecked) ? 'x' : ' '}] ${one.text ?? ''}`);
  const words = joined([note.textContent ?? '', list.join('\n')]);
  const links = (note.annotations ?? []).flatMap(({ url, title: name }) =>
    typeof url === 'string' && /^https?:/i.test(url) && !words.includes(url)
      ? [{ url, name: (name ?? '').trim() }]
      : [],
  );
  const [link] = links;
  const date = note.createdTimestampUsec ?? note.userEditedTimestampUsec ?? undefined;
  const entry: RawEntry = {
    title,
    tags: [
      ...namesOf(note.labels),
      ...(isTrue(note.isPinned) ? [favouriteTag] : []),
      ...(isTrue(note.isArchived) ? ['archived'] : []),
    ],
    date,
    leftOut: (note.attachments ?? []).map(
      ({ filePath }) => `the attachment ${(filePath ?? '').slice(0, 200)} is not taken`,
    ),
  };
  if (/^https?:\/\/\S{1,20000}$/i.test(words)) return { ...entry, url: words };
  if (words === '' && links.length === 1 && link !== undefined) return { ...entry, ...link, title: title || link.name };
  const body = joined([words, links.map(({ url, name }) => (name === '' ? url : `[${name}](${url})`)).join('\n')]);
  if (body === '' && title === '') return { ...entry, title: file, refused: 'the note has no text' };
  return { ...entry, text: { name: hashOf(`Google Keep\n${file}\n${date}`), body: body || title } };
}

function joined(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}
