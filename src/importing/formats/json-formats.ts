import { z } from 'zod';
import { idPattern } from '../../domain/records/ids.ts';
import { reading, shelf } from '../../domain/records/content.ts';
import {
  type FolderPath,
  bookmarksOf,
  date,
  fieldsBeside,
  flag,
  maybe,
  names,
  namesOf,
  text,
  texts,
  keepNote,
  readKeepNote,
  noFolders,
  readFolders,
} from './json-entries.ts';
import {
  hashOf,
  type RawEntry,
  type RawHighlight,
  favouriteTag,
  isTrue,
  read,
  unread,
  notRecognised,
  withPlainTitle,
} from '../raw-entry.ts';
import { type JsonElement, wholeFile, readWholeJson } from '../reading/json-elements.ts';
import { wallabagPage } from './csv-formats.ts';
import { historyEntry } from './youtube-history.ts';
import { omnivoreHighlights } from './highlight-texts.ts';
import { type ForeignFile, nameOf, headOf } from '../reading/export-files.ts';
import { textChunks } from '../reading/text-chunks.ts';

interface JsonContext {
  folderPath: FolderPath;
  file: string;
}

/** Reads the elements of an export; null for an element of another format. */
interface JsonFormat {
  name: string;
  /** The key of the root object whose array holds the folders. Absent: it has none. */
  folders?: string;
  /** Recognises the beginning of a file whose root object is the one element, of at most this many characters. */
  root?: { start: RegExp; maxLength: number };
  read(element: JsonElement, context: JsonContext): RawEntry[] | null;
}

interface Described<S extends z.ZodObject> extends Omit<JsonFormat, 'read'> {
  /** Keys of the root object whose arrays hold elements; null for a root that is the array. */
  keys: readonly (string | null)[];
  /** Keys whose arrays hold nothing to save. */
  others?: readonly string[];
  /** The report names what else it has. */
  schema: S;
  read(value: z.infer<S>, context: JsonContext): RawEntry[] | null;
}

function describe<S extends z.ZodObject>({ keys, others = [], schema, read, ...about }: Described<S>): JsonFormat {
  return {
    ...about,
    read({ key, value }, context) {
      if (key !== null && others.includes(key)) return [];
      const element = keys.includes(key) ? schema.safeParse(value).data : undefined;
      const raws = element === undefined ? null : read(element, context);
      if (raws === null) return null;
      const fields = fieldsBeside(schema, value);
      return raws.map((raw) => ({ fields, ...raw }));
    },
  };
}

/** As Karakeep, Linkwarden, Wallabag and Inoreader keep them: what one calls a note is a comment or a text to another. */
const marks = maybe(
  z.array(
    z.object({
      id: z.union([z.string(), z.number()]).nullish().catch(null),
      text,
      quote: text,
      note: text,
      comment: text,
      color: text,
      createdAt: date,
      created_at: date,
      added_on: date,
    }),
  ),
);

function highlightsOf(found: z.infer<typeof marks>): RawHighlight[] {
  return (found ?? []).map(({ id, text: words, quote, note, comment, color, ...dates }) => ({
    text: quote ?? words ?? '',
    id: id ?? undefined,
    note: note ?? comment ?? (quote === null || quote === undefined ? null : words),
    colour: color,
    date: dates.createdAt ?? dates.created_at ?? dates.added_on,
  }));
}

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
const hrefs = maybe(z.array(z.object({ href: text })));

/** A text without an address becomes a note. */
function asNote(entry: RawEntry, body: string): RawEntry {
  const [first = ''] = body.trim().split('\n', 1);
  return { ...entry, title: entry.title ?? first.slice(0, 80), text: { name: hashOf(`Karakeep\n${body}`), body } };
}

/** Root keys whose arrays hold bookmarks, of programs that are not known. */
const listKeys = 'bookmarks links items results entries articles pages urls list records posts saved data'.split(' ');
const ofBookmarks =
  'title tags tag_names labels notes note description excerpt created createdAt created_at date_added dateAdded added saved unread is_archived'.split(
    ' ',
  );
const ofOthers =
  'email login role mime mimetype mimeType content_type contentType size sha from sender version page_transition'.split(
    ' ',
  );

const isOwnLine = z.looseObject({ id: z.string().regex(idPattern('c')) });

/**
 * Whether an object with an address is a bookmark: other JSON has addresses as well. Lines of our own export are recognised by
 * their id.
 */
function isBookmark(value: unknown): boolean {
  if (isOwnLine.safeParse(value).success) return true;
  const keys = Object.keys(value ?? {});
  if (keys.some((key) => ofOthers.includes(key))) return false;
  return keys.some((key) => ofBookmarks.includes(key)) || keys.every((key) => key in anyBookmark.shape);
}

const anyBookmark = z.looseObject({
  url: text,
  link: text,
  href: text,
  uri: text,
  title: text,
  name: text,
  tags: z.union([names, z.string()]).catch(null),
  tag_names: texts,
  labels: names,
  folder: text,
  notes: text,
  note: text,
  description: text,
  excerpt: text,
  created: date,
  createdAt: date,
  created_at: date,
  date_added: date,
  unread: flag,
  is_archived: flag,
  shelf: shelf.optional().catch(undefined),
  readAt: text,
  reading: reading.nullish().catch(null),
});

function stateOf(entry: z.infer<typeof anyBookmark>): RawEntry['state'] {
  // A line of our own export.
  if (entry.shelf !== undefined)
    return { shelf: entry.shelf, read: entry.readAt ?? undefined, share: entry.reading?.share };
  return isTrue(entry.is_archived) ? read : isTrue(entry.unread) ? unread : undefined;
}

const jsonFormats: readonly JsonFormat[] = [
  describe({
    name: 'Google Keep',
    root: { start: /^\{[^]{0,60000}?"is(?:Trashed|Pinned|Archived)"\s{0,9}:/, maxLength: 5_000_000 },
    keys: [wholeFile],
    schema: keepNote,
    read(note, { file }) {
      if ((note.createdTimestampUsec ?? note.userEditedTimestampUsec ?? note.textContent ?? null) === null) return null;
      return [readKeepNote(note, file)];
    },
  }),
  describe({
    name: 'Chrome bookmarks (JSON)',
    root: { start: /^\{[^]{0,2000}?"roots"\s{0,9}:\s{0,99}\{/, maxLength: 64_000_000 },
    keys: [wholeFile],
    schema: z.object({ roots: z.record(z.string(), z.unknown()), checksum: flag, version: flag }),
    read: ({ roots }) => Object.entries(roots).flatMap(([name, root]) => (name === 'trash' ? [] : bookmarksOf(root))),
  }),
  describe({
    name: 'Firefox bookmarks (JSON)',
    keys: ['children'],
    schema: z.looseObject({ type: z.literal('text/x-moz-place-container'), root: text, children: z.unknown() }),
    read: (root) => (root.root === 'tagsFolder' ? [] : bookmarksOf(root)),
  }),
  describe({
    name: 'Karakeep (JSON)',
    folders: 'lists',
    others: ['lists'],
    keys: ['bookmarks'],
    schema: z.object({
      createdAt: date,
      title: text,
      tags: names,
      lists: texts,
      note: text,
      archived: flag,
      favourited: flag,
      highlights: marks,
      content: z.object({ type: z.string(), url: text, text: text }).nullable(),
    }),
    read(bookmark, { folderPath }) {
      const { content } = bookmark;
      const states = isTrue(bookmark.favourited) ? [favouriteTag] : [];
      const entry: RawEntry = {
        url: content?.url ?? undefined,
        title: bookmark.title ?? undefined,
        tags: [...(bookmark.lists ?? []).flatMap(folderPath), ...namesOf(bookmark.tags), ...states],
        lists: (bookmark.lists ?? []).map(folderPath),
        state: isTrue(bookmark.archived) ? read : undefined,
        notes: [bookmark.note ?? undefined],
        highlights: highlightsOf(bookmark.highlights),
        date: bookmark.createdAt ?? undefined,
      };
      if (content?.type === 'link') return [entry];
      if (content?.type === 'text' && (content.text ?? '').trim() !== '') return [asNote(entry, content.text ?? '')];
      const title = bookmark.title ?? content?.text?.slice(0, 80) ?? undefined;
      const refused = content === null ? 'it has no web address' : `it is a ${content.type}, without a web address`;
      return [{ ...entry, title, refused }];
    },
  }),
  describe({
    name: 'Linkwarden (JSON)',
    folders: 'collections',
    others: ['pinnedLinks'],
    keys: ['collections'],
    schema: z.object({ id: flag, name: z.string(), links: z.array(link.nullable().catch(null)) }),
    read({ id, name, links }, { folderPath }) {
      const path = folderPath(id);
      const folders = (path.length === 0 ? [name] : path).filter((one) => !/^unorganized$/i.test(one));
      return links.map((one) => ({
        url: one?.url ?? undefined,
        title: one?.name ?? undefined,
        tags: [...folders, ...namesOf(one?.tags)],
        notes: [one?.description ?? undefined],
        highlights: highlightsOf(one?.highlights ?? one?.highlight),
        date: one?.importDate ?? one?.createdAt ?? undefined,
      }));
    },
  }),
  describe({
    name: 'Omnivore',
    keys: [null],
    schema: z.object({
      slug: z.string(),
      title: text,
      url: z.string(),
      state: text,
      readingProgress: z.number().nullish().catch(null),
      labels: names,
      savedAt: text,
    }),
    read(page) {
      if ((page.savedAt ?? page.state ?? null) === null) return null;
      const state = page.state?.toLowerCase() === 'archived' ? read : unread;
      return [
        {
          url: page.url,
          title: page.title ?? undefined,
          tags: namesOf(page.labels),
          state: { ...state, share: (page.readingProgress ?? 0) / 100 },
          notes: [],
          date: page.savedAt ?? undefined,
        },
      ];
    },
  }),
  describe({
    name: 'Wallabag (JSON)',
    keys: [null],
    schema: z.object({
      url: z.string(),
      title: text,
      content: text,
      is_archived: flag,
      archived_at: text,
      is_starred: flag,
      tags: names,
      created_at: date,
      annotations: marks,
    }),
    read(entry) {
      if (entry.is_archived === undefined) return null;
      return [
        {
          url: entry.url,
          title: entry.title ?? undefined,
          tags: [...namesOf(entry.tags), ...(isTrue(entry.is_starred) ? [favouriteTag] : [])],
          state: isTrue(entry.is_archived) ? { ...read, read: entry.archived_at ?? true } : unread,
          highlights: highlightsOf(entry.annotations),
          date: entry.created_at ?? undefined,
          page: wallabagPage(entry.content ?? ''),
        },
      ];
    },
  }),
  describe({
    name: 'Pinboard (JSON)',
    keys: [null],
    schema: z.object({ href: z.string(), description: text, extended: text, time: text, toread: text, tags: text }),
    read: (post) => [
      {
        url: post.href,
        title: post.description ?? undefined,
        tags: (post.tags ?? '').split(' '),
        state: isTrue(post.toread) ? unread : undefined,
        notes: [post.extended ?? undefined],
        date: post.time ?? undefined,
      },
    ],
  }),
  describe({
    /** The highlights of Pocket's archive, in separate files. */
    name: 'Pocket (highlights)',
    keys: [null],
    schema: z.object({
      url: z.string(),
      title: text,
      highlights: z.array(z.object({ quote: z.string(), created_at: z.union([z.string(), z.number()]) })).min(1),
    }),
    read({ url, title, highlights }) {
      const marked = highlights.map(({ quote, created_at }) => ({ text: quote, date: created_at }));
      return [{ url, title: title ?? undefined, highlights: marked }];
    },
  }),
  describe({
    /** Of Inoreader and other feed readers that have the form of Google Reader. */
    name: 'starred articles (JSON)',
    keys: ['items'],
    schema: z.object({
      title: text,
      canonical: hrefs,
      alternate: hrefs,
      categories: texts,
      crawlTimeMsec: date,
      timestampUsec: date,
      annotations: marks,
    }),
    read(item) {
      const url = item.canonical?.[0]?.href ?? item.alternate?.[0]?.href;
      if (typeof url !== 'string') return null;
      const tags = (item.categories ?? []).flatMap((path) => {
        const [, label] = path.split('/label/', 2);
        return label ?? (path.endsWith('/state/com.google/starred') ? favouriteTag : []);
      });
      const isRead = item.categories?.some((path) => path.endsWith('/state/com.google/read')) === true;
      const state = isRead ? read : undefined;
      const date = item.crawlTimeMsec ?? item.timestampUsec ?? undefined;
      return [{ url, title: item.title ?? undefined, tags, state, highlights: highlightsOf(item.annotations), date }];
    },
  }),
  describe({
    name: 'YouTube history (Google Takeout)',
    keys: [null],
    schema: z.object({
      header: z.string(),
      title: text,
      titleUrl: text,
      time: z.string(),
      products: texts,
      details: names,
    }),
    read: ({ title, titleUrl, time, details }) => [
      historyEntry({ url: titleUrl ?? '', title: title ?? '', date: time, details: namesOf(details) }),
    ],
  }),
  describe({
    name: 'bookmarks (JSON)',
    keys: [null, ...listKeys],
    schema: anyBookmark,
    read(entry) {
      const url = entry.url ?? entry.link ?? entry.href ?? entry.uri;
      if (typeof url !== 'string' || !isBookmark(entry)) return null;
      const tags = typeof entry.tags === 'string' ? entry.tags.split(',') : namesOf(entry.tags);
      return [
        {
          url,
          title: entry.title ?? entry.name ?? undefined,
          tags: [...(entry.folder ?? '').split('/'), ...tags, ...(entry.tag_names ?? []), ...namesOf(entry.labels)],
          state: stateOf(entry),
          notes: [entry.description, entry.notes, entry.note].map((one) => one ?? undefined),
          date: entry.date_added ?? entry.created ?? entry.createdAt ?? entry.created_at ?? undefined,
        },
      ];
    },
  }),
];

export const jsonFormatNames = jsonFormats.map(({ name }) => name);

function jsonFormatOf(element: JsonElement, context: JsonContext): JsonFormat | null {
  return jsonFormats.find((format) => format.read(element, context) !== null) ?? null;
}

/** The most characters of a file whose root object may be the one element of a format; 0 when it is none. */
function maxWholeLength(head: string): number {
  return Math.max(0, ...jsonFormats.map(({ root }) => (root?.start.test(head) === true ? root.maxLength : 0)));
}

/** Of the highlights of one page. */
const maxHighlightBytes = 1_000_000;
/** A longer page is fetched. */
const maxPageBytes = 5_000_000;

export async function* readJson(
  file: ForeignFile,
  companions: ReadonlyMap<string, ForeignFile>,
  elements: AsyncIterable<JsonElement>,
  elementsOf: (key: string) => AsyncIterable<JsonElement>,
): AsyncGenerator<{ format: string; raw: RawEntry }> {
  let format: JsonFormat | null = null;
  const context: JsonContext = { folderPath: noFolders, file: nameOf(file) };
  let count = 0;
  for await (const element of elements) {
    count += 1;
    if (format === null) {
      format = jsonFormatOf(element, context);
      if (format?.folders !== undefined) context.folderPath = await readFolders(elementsOf(format.folders));
    }
    if (format === null) continue;
    const raws = format.read(element, context);
    if (raws === null) yield { format: format.name, raw: { title: `entry ${count}`, refused: 'it could not be read' } };
    for (const raw of raws ?? [])
      yield {
        format: format.name,
        raw: withPlainTitle(
          format.name === 'Omnivore' ? await withCompanions(raw, element.value, file, companions) : raw,
        ),
      };
  }
  if (format === null) yield { format: '', raw: { title: file.path, refused: notRecognised } };
}

/** The elements of a file, or its root object for a format that is one object. */
export async function* elementsOfFile(
  file: ForeignFile,
  elements: () => AsyncIterable<JsonElement>,
): AsyncGenerator<JsonElement> {
  const maxLength = maxWholeLength((await headOf(file)).replace(/^\ufeff/, '').trimStart());
  if (maxLength > 0) {
    const whole = await readWholeJson(textChunks(file.read()), maxLength);
    if (jsonFormatOf(whole, { folderPath: noFolders, file: nameOf(file) }) !== null) return yield whole;
  }
  yield* elements();
}

/** Omnivore keeps highlights as Markdown, and texts as HTML, in files named by the page. */
async function withCompanions(
  raw: RawEntry,
  value: unknown,
  file: ForeignFile,
  companions: ReadonlyMap<string, ForeignFile>,
): Promise<RawEntry> {
  const { slug } = value as { slug: string };
  const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
  const highlights = companions.get(`${folder}highlights/${slug}.md`);
  const content = companions.get(`${folder}content/${slug}.html`);
  return {
    ...raw,
    ...(highlights !== undefined && omnivoreHighlights(await headOf(highlights, maxHighlightBytes))),
    ...(content !== undefined &&
      content.bytes <= maxPageBytes && { page: { html: await headOf(content, maxPageBytes) } }),
  };
}
