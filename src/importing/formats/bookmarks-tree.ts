import { z } from 'zod';
import type { RawEntry } from '../raw-entry.ts';
import { date, fieldsBeside, maybe, text } from './json-fields.ts';

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

/** The bookmarks of one of the folders in which a browser keeps everything. Its own name is no tag. */
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
