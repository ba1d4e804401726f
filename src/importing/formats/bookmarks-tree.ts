import { z } from 'zod';
import type { RawEntry } from '../raw-entry.ts';

/** A bookmark, a folder or a separator of Chrome's file (`name`, `url`) or of Firefox's backup (`title`, `uri`). */
const node = z.object({
  name: z.string().nullish().catch(null),
  title: z.string().nullish().catch(null),
  url: z.string().nullish().catch(null),
  uri: z.string().nullish().catch(null),
  date_added: z.union([z.string(), z.number()]).nullish().catch(null),
  dateAdded: z.union([z.string(), z.number()]).nullish().catch(null),
  /** Separated by commas. */
  tags: z.string().nullish().catch(null),
  /** Firefox's descriptions of old. */
  annos: z
    .array(z.object({ name: z.string(), value: z.string() }).nullable().catch(null))
    .nullish()
    .catch(null),
  children: z.array(z.unknown()).nullish().catch(null),
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

/** The names of what an object has beside what a format takes of it. */
export function fieldsBeside({ shape }: z.ZodObject, value: unknown): string[] {
  const hasValue = (one: unknown): boolean =>
    typeof one === 'object' ? Object.keys(one ?? {}).length > 0 : one !== undefined && one !== '' && one !== false;
  return Object.entries(value ?? {}).flatMap(([name, one]) => (!(name in shape) && hasValue(one) ? [name] : []));
}
