import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type FolderPath, noFolders } from '../folder-paths.ts';
import type { RawEntry } from '../raw-entry.ts';
import type { RawHighlight } from '../raw-highlight.ts';
import type { JsonElement } from '../reading/json-elements.ts';
import { favouriteTag, isTrue, readTag, unreadTag } from './states.ts';

/** Reads the elements of an export; null for an element of another format. */
export interface JsonFormat {
  name: string;
  /** The key of the root object whose array holds the folders. Absent: it has none. */
  folders?: string;
  read(element: JsonElement, folderPath: FolderPath): RawEntry[] | null;
}

const text = z.string().nullish().catch(null);
const texts = z.array(z.string()).nullish().catch(null);
const date = z.union([z.string(), z.number()]).nullish().catch(null);
const flag = z.unknown().optional();
const names = z
  .array(z.union([z.string(), z.object({ name: text, label: text, title: text })]).catch(''))
  .nullish()
  .catch(null);
const namesOf = (tags: z.infer<typeof names>): string[] =>
  (tags ?? []).map((tag) => (typeof tag === 'string' ? tag : (tag.name ?? tag.label ?? tag.title ?? '')));

/** As Karakeep and Linkwarden keep them: what one calls a note is a comment to the other. */
const marks = z
  .array(
    z.object({
      id: z.union([z.string(), z.number()]).nullish().catch(null),
      text,
      note: text,
      comment: text,
      color: text,
      createdAt: date,
    }),
  )
  .nullish()
  .catch(null);

function highlightsOf(found: z.infer<typeof marks>): RawHighlight[] {
  return (found ?? []).map(({ id, text: words, note, comment, color, createdAt }) => ({
    text: words ?? '',
    id: id ?? undefined,
    note: note ?? comment,
    colour: color,
    date: createdAt,
  }));
}

const karakeep = z.object({
  createdAt: date,
  title: text,
  tags: names,
  lists: texts,
  note: text,
  archived: flag,
  favourited: flag,
  highlights: marks,
  content: z.object({ type: z.string(), url: text, text: text }).nullable(),
});
const karakeepList = z.object({ id: z.string(), name: z.string(), type: z.enum(['manual', 'smart']) });

const link = z.object({
  name: text,
  url: text,
  description: text,
  tags: names,
  createdAt: date,
  importDate: date,
  highlight: marks,
  highlights: marks,
});
const linkwarden = z.object({
  id: z.unknown().optional(),
  name: z.string(),
  links: z.array(link.nullable().catch(null)),
});

const omnivore = z.object({
  slug: z.string(),
  title: text,
  description: text,
  url: z.string(),
  state: text,
  labels: names,
  savedAt: text,
});

const wallabag = z.object({
  url: z.string(),
  title: text,
  is_archived: flag,
  is_starred: flag,
  tags: names,
  created_at: date,
  annotations: z
    .array(
      z.object({
        id: z.union([z.string(), z.number()]).nullish().catch(null),
        quote: text,
        text: text,
        created_at: date,
      }),
    )
    .nullish()
    .catch(null),
});

const pinboard = z.object({
  href: z.string(),
  description: text,
  extended: text,
  time: text,
  toread: text,
  tags: text,
});

const other = z.object({
  url: text,
  link: text,
  href: text,
  title: text,
  name: text,
  tags: z.union([names, z.string()]).catch(null),
  tag_names: texts,
  notes: text,
  note: text,
  description: text,
  created: date,
  createdAt: date,
  date_added: date,
  unread: flag,
  is_archived: flag,
});

/** A text without an address becomes a note. */
function asNote(entry: RawEntry, body: string): RawEntry {
  const [first = ''] = body.trim().split('\n', 1);
  const name = createHash('sha256').update(`Karakeep\n${body}`).digest('hex').slice(0, 32);
  return { ...entry, title: entry.title ?? first.slice(0, 80), text: { name, body } };
}

/** The highlights of Pocket's archive, in files of their own. */
const pocketHighlights = z.object({
  url: z.string(),
  title: text,
  highlights: z.array(z.object({ quote: z.string(), created_at: z.union([z.string(), z.number()]) })).min(1),
});

const jsonFormats: readonly JsonFormat[] = [
  {
    name: 'Karakeep (JSON)',
    folders: 'lists',
    read({ key, value }, folderPath) {
      if (key === 'lists' && karakeepList.safeParse(value).success) return [];
      const bookmark = key === 'bookmarks' ? karakeep.safeParse(value).data : undefined;
      if (bookmark === undefined) return null;
      const { content } = bookmark;
      const states = [
        ...(isTrue(bookmark.archived) ? [readTag] : []),
        ...(isTrue(bookmark.favourited) ? [favouriteTag] : []),
      ];
      const entry: RawEntry = {
        url: content?.url ?? undefined,
        title: bookmark.title ?? undefined,
        tags: [...(bookmark.lists ?? []).flatMap(folderPath), ...namesOf(bookmark.tags), ...states],
        notes: [bookmark.note ?? undefined],
        highlights: highlightsOf(bookmark.highlights),
        date: bookmark.createdAt ?? undefined,
      };
      if (content?.type === 'link') return [entry];
      if (content?.type === 'text' && (content.text ?? '').trim() !== '') return [asNote(entry, content.text ?? '')];
      const title = bookmark.title ?? content?.text?.slice(0, 80) ?? undefined;
      return [
        {
          ...entry,
          title,
          refused: content === null ? 'it has no web address' : `it is a ${content.type}, without a web address`,
        },
      ];
    },
  },
  {
    name: 'Linkwarden (JSON)',
    folders: 'collections',
    read({ key, value }, folderPath) {
      if (key !== 'collections') return key === 'pinnedLinks' ? [] : null;
      const collection = linkwarden.safeParse(value).data;
      if (collection === undefined) return null;
      const path = folderPath(collection.id);
      const folders = (path.length === 0 ? [collection.name] : path).filter((name) => !/^unorganized$/i.test(name));
      return collection.links.map((one) => ({
        url: one?.url ?? undefined,
        title: one?.name ?? undefined,
        tags: [...folders, ...namesOf(one?.tags)],
        notes: [one?.description ?? undefined],
        highlights: highlightsOf(one?.highlights ?? one?.highlight),
        date: one?.importDate ?? one?.createdAt ?? undefined,
      }));
    },
  },
  {
    name: 'Omnivore',
    read({ key, value }) {
      const page = key === null ? omnivore.safeParse(value).data : undefined;
      if (page === undefined || (page.savedAt ?? page.state ?? null) === null) return null;
      return [
        {
          url: page.url,
          title: page.title ?? undefined,
          tags: [...namesOf(page.labels), page.state?.toLowerCase() === 'archived' ? readTag : unreadTag],
          notes: [],
          date: page.savedAt ?? undefined,
        },
      ];
    },
  },
  {
    name: 'Wallabag (JSON)',
    read({ key, value }) {
      const entry = key === null ? wallabag.safeParse(value).data : undefined;
      if (entry === undefined || entry.is_archived === undefined) return null;
      return [
        {
          url: entry.url,
          title: entry.title ?? undefined,
          tags: [
            ...namesOf(entry.tags),
            isTrue(entry.is_archived) ? readTag : unreadTag,
            ...(isTrue(entry.is_starred) ? [favouriteTag] : []),
          ],
          highlights: (entry.annotations ?? []).map((one) => ({
            text: one.quote ?? '',
            note: one.text,
            id: one.id ?? undefined,
            date: one.created_at,
          })),
          date: entry.created_at ?? undefined,
        },
      ];
    },
  },
  {
    name: 'Pinboard (JSON)',
    read({ key, value }) {
      const post = key === null ? pinboard.safeParse(value).data : undefined;
      if (post === undefined) return null;
      return [
        {
          url: post.href,
          title: post.description ?? undefined,
          tags: [...(post.tags ?? '').split(' '), ...(isTrue(post.toread) ? [unreadTag] : [])],
          notes: [post.extended ?? undefined],
          date: post.time ?? undefined,
        },
      ];
    },
  },
  {
    name: 'Pocket (highlights)',
    read({ key, value }) {
      const page = key === null ? pocketHighlights.safeParse(value).data : undefined;
      if (page === undefined) return null;
      const { url, title, highlights } = page;
      const marked = highlights.map(({ quote, created_at }) => ({ text: quote, date: created_at }));
      return [{ url, title: title ?? undefined, highlights: marked }];
    },
  },
  {
    name: 'bookmarks (JSON)',
    read({ value }) {
      const entry = other.safeParse(value).data;
      const url = entry?.url ?? entry?.link ?? entry?.href;
      if (entry === undefined || typeof url !== 'string') return null;
      const tags = typeof entry.tags === 'string' ? entry.tags.split(',') : namesOf(entry.tags);
      return [
        {
          url,
          title: entry.title ?? entry.name ?? undefined,
          tags: [...tags, ...(entry.tag_names ?? []), ...(isTrue(entry.unread) ? [unreadTag] : [])],
          notes: [entry.notes ?? entry.note ?? entry.description ?? undefined],
          date: entry.created ?? entry.createdAt ?? entry.date_added ?? undefined,
        },
      ];
    },
  },
];

/** The format of an export by one of its elements; null when none knows it. */
export function jsonFormatOf(element: JsonElement): JsonFormat | null {
  return jsonFormats.find((format) => format.read(element, noFolders) !== null) ?? null;
}
