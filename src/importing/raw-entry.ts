import { createHash } from 'node:crypto';
import { decodeHTMLStrict } from 'entities';
import { canonicalUrl, parseSavableUrl } from '../domain/links/url.ts';
import type { ImportEntry, ImportedAddress, ImportedState, KeptPage } from '../domain/records/transfers/import.ts';
import type { Shelf } from '../domain/records/content.ts';
import { maxTags, maxHighlights } from '../domain/records/limits.ts';
import { cleanLine, cleanText, hasVisibleText } from '../domain/text/clean-text.ts';
import { AppError } from '../errors.ts';
import { beginningOf } from '../domain/text/shortened.ts';
import {
  maxColourLength,
  maxHighlightNoteLength,
  maxQuoteLength,
  type ImportedHighlight,
} from '../domain/records/highlights/highlight.ts';

/** Where the other program kept an entry, and whether it was read there. */
export interface EntryState {
  shelf: Shelf;
  /** True when only that is known. */
  read?: true | string | number | undefined;
  /** 0 to 1. */
  share?: number | null | undefined;
}

/** An entry as a format's reader found it. */
export interface RawEntry {
  url?: string | undefined;
  title?: string | undefined;
  /** Tags, and folders that become tags, in this order. */
  tags?: readonly string[] | undefined;
  /** The lists of a person that contain it, each with its parents, outermost first. */
  lists?: readonly (readonly string[])[] | undefined;
  /** Joined with blank lines. */
  notes?: readonly (string | undefined)[] | undefined;
  /** Seconds, milliseconds or microseconds since the epoch, or a date in words that JavaScript reads. */
  date?: string | number | undefined;
  /** Absent: the other program has no such thing, and the entry goes to the archive. */
  state?: EntryState | undefined;
  /** Why it cannot become an item, when the reader knows. */
  refused?: string;
  /** For a file that is itself saved: its path. */
  path?: string;
  /** When it is inside an archive. */
  bytes?: Uint8Array;
  highlights?: readonly RawHighlight[] | undefined;
  /** For a text that is itself saved: its name, by which a later import recognises it, and its content. */
  text?: { name: string; body: string };
  /** A mail that is itself saved, with a name as `text` has it. */
  mail?: { name: string; bytes: Uint8Array };
  /** Of an entry without an address: the book that its highlights are from, with its author. */
  book?: { title: string; author: string };
  /** The page's content as the other program stored it, used instead of fetching. */
  page?: KeptPage | undefined;
  isFeed?: boolean | undefined;
  /** Values that this entry loses, in words. */
  leftOut?: readonly string[] | undefined;
  /** Names of fields that have a value and are not taken. The report names each once. */
  fields?: readonly string[] | undefined;
}

export const notRecognised = 'it is not recognised as an export of another program';

interface Told {
  /** Of the same format. */
  fields: Set<string>;
  /** The hash of each text of the file by its name, so that another text with the same name gets its own name. */
  texts: Map<string, string>;
}

const maxTitle = 500;
const maxTag = 100;
const maxNotes = 10_000;
const maxWhat = 300;
/** Longer addresses are refused in any case. */
const maxAddress = 20_000;
/** Longer values are cut before they are cleaned, to bound that work. */
const maxRaw = 200_000;

const maxPage = 9_000_000;
const maxLeftOut = 50;
const maxFields = 200;
const maxFieldName = 60;

/** Addresses that only a browser or another program can open. They cannot be saved. */
const isOfBrowser =
  /^(?:javascript|place|data|about|chrome|edge|file|mailto|feed|ftp|view-source|moz-extension|chrome-extension):/i;

export function toEntry(raw: RawEntry, line: number, now: number, told: Told): ImportEntry {
  const refusal = (outcome: 'skipped' | 'failed', reason: string): ImportEntry => ({
    kind: 'refusal',
    line,
    what: cleanLine((raw.url ?? raw.title ?? '').slice(0, 2_000)).slice(0, maxWhat),
    outcome,
    reason,
  });
  if (raw.refused !== undefined) return refusal('skipped', raw.refused);
  const about = aboutEntry(raw, line, now);
  about.shortened.push(...(raw.leftOut ?? []).slice(0, maxLeftOut), ...fieldsToTell(raw.fields ?? [], told.fields));
  if (raw.path !== undefined)
    return { kind: 'file', path: raw.path, ...(raw.bytes !== undefined && { bytes: raw.bytes }), ...about };
  if (raw.text !== undefined)
    return { kind: 'text', name: nameOfText(raw.text, told.texts), text: raw.text.body.slice(0, maxPage), ...about };
  if (raw.mail !== undefined) return { kind: 'mail', ...raw.mail, ...about };
  if (raw.url === undefined || raw.url.trim() === '') return refusal('skipped', 'it has no web address');
  try {
    const parsed = parseSavableUrl(withScheme(raw.url.trim().slice(0, maxAddress)));
    const page = keptPage(raw.page);
    const address = { url: parsed.href, canonicalUrl: canonicalUrl(parsed.href) };
    return { kind: 'address', ...address, ...about, ...page, ...(raw.isFeed === true && { isFeed: true }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusal(isOfBrowser.test(raw.url.trim()) ? 'skipped' : 'failed', whyRefused(error));
  }
}

/** Tables and lists often name a site without `https:`. */
function withScheme(url: string): string {
  return /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?(?:[/?#]\S*)?$/i.test(url) ? `https://${url}` : url;
}

/** A page without words is fetched. */
function keptPage(page: KeptPage | undefined): { page?: KeptPage } {
  const words = page?.html?.replaceAll(/<[^<>]{0,10000}>/g, ' ') ?? page?.text ?? '';
  return page !== undefined && words.length <= maxPage && hasVisibleText(words) ? { page } : {};
}

function fieldsToTell(fields: readonly string[], told: Set<string>): string[] {
  const names = fields
    .map((name) => cleanLine(name.slice(0, 500)).slice(0, maxFieldName))
    .filter((name) => name !== '');
  const fresh = [...new Set(names)].filter((name) => !told.has(name)).slice(0, maxFields - told.size);
  for (const name of fresh) told.add(name);
  return fresh.length === 0 ? [] : [`not taken: ${fresh.join(', ')}`];
}

/** Two texts of a file with one name are two: other programs can have made both in the same moment. */
function nameOfText({ name, body }: { name: string; body: string }, texts: Map<string, string>): string {
  const hash = hashOf(body);
  const known = texts.get(name);
  if (known === undefined) texts.set(name, hash);
  return known === undefined || known === hash ? name : hashOf(`${name}\n${hash}`);
}

export function hashOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function whyRefused(error: AppError): string {
  return `the address ${error.fields[0]?.message ?? 'cannot be saved'}`.slice(0, 300);
}

function aboutEntry(raw: RawEntry, line: number, now: number): Omit<ImportedAddress, 'kind' | 'url' | 'canonicalUrl'> {
  const shortened: string[] = [];
  const tags = cleanTags(raw.tags ?? [], shortened);
  const createdAt = readDate(raw.date, now);
  const { highlights, notes } = cleanHighlights(raw.highlights ?? [], (date) => readDate(date, now), shortened);
  return {
    line,
    title: cleanTitle(raw.title, raw.url, shortened),
    tags,
    ...listsOf(raw.lists ?? []),
    notes: cleanNotes([...(raw.notes ?? []), ...notes], shortened),
    createdAt,
    ...(raw.state !== undefined && { state: cleanState(raw.state, createdAt, now) }),
    highlights,
    shortened,
  };
}

const maxListsOfEntry = 50;

/** Names as `listName` of `list.ts` takes them. */
function listsOf(paths: readonly (readonly string[])[]): Pick<ImportedAddress, 'lists'> {
  const names = paths.slice(0, maxListsOfEntry).map((path) =>
    beginningOf(
      cleanLine(path.map((part) => part.slice(0, maxTag).trim()).join(' / '))
        .replaceAll('"', '”')
        .replaceAll('*', '＊'),
      maxTag,
    ).trim(),
  );
  const lists = [...new Set(names.filter(hasVisibleText))];
  return lists.length === 0 ? {} : { lists };
}

/** An entry read at an unknown time gets the time of saving. */
function cleanState({ shelf, read, share }: EntryState, createdAt: number | null, now: number): ImportedState {
  const isRead = read !== undefined && read !== '';
  const readAt = (typeof read === 'boolean' ? null : readDate(read, now)) ?? createdAt ?? now;
  const isShare = typeof share === 'number' && share > 0 && share <= 1;
  return { shelf, readAt: isRead ? readAt : null, readingShare: isShare ? share : null };
}

/** Programs that could not read a page give its address as the title. */
function cleanTitle(title: string | undefined, url: string | undefined, shortened: string[]): string | null {
  const clean = cleanLine((title ?? '').slice(0, maxRaw));
  if (!hasVisibleText(clean) || clean === url?.trim() || /^https?:\/\/\S+$/i.test(clean)) return null;
  if (clean.length > maxTitle) shortened.push(`the title was cut to ${maxTitle} characters`);
  return beginningOf(clean, maxTitle);
}

function cleanTags(tags: readonly string[], shortened: string[]): string[] {
  const byFolded = new Map<string, string>();
  for (const raw of tags.slice(0, 1_000)) {
    // Lists of tags are separated by commas, so a tag has none.
    const clean = cleanLine(raw.slice(0, 10_000).replaceAll(',', ' '));
    if (!hasVisibleText(clean)) continue;
    const tag = beginningOf(clean, maxTag).trim();
    if (tag !== clean) shortened.push(`a tag was cut to ${maxTag} characters`);
    const folded = tag.normalize('NFC').toLowerCase();
    if (!byFolded.has(folded)) byFolded.set(folded, tag);
  }
  const all = [...byFolded.values()];
  if (all.length > maxTags) shortened.push(`${all.length - maxTags} of its tags were left out`);
  return all.slice(0, maxTags);
}

function cleanNotes(notes: readonly (string | undefined)[], shortened: string[]): string | null {
  const texts = notes.map((note) => cleanText((note ?? '').slice(0, maxRaw)).trim()).filter(hasVisibleText);
  const joined = [...new Set(texts)].join('\n\n');
  if (joined.length > maxNotes) shortened.push(`the notes were cut to ${maxNotes} characters`);
  return joined === '' ? null : beginningOf(joined, maxNotes);
}

const earliest = Date.UTC(1990, 0);
const dayMs = 86_400_000;

/** Null when there is no date, or one that no bookmark can have. */
function readDate(date: string | number | undefined, now: number): number | null {
  const time = typeof date === 'number' ? scaled(date) : readDateText((date ?? '').trim().slice(0, 100));
  return time !== null && time >= earliest && time <= now + dayMs ? Math.round(time) : null;
}

function readDateText(text: string): number | null {
  if (text === '') return null;
  if (/^\d{1,20}(?:\.\d{1,10})?$/.test(text)) return scaled(Number(text));
  // Without a zone, other programs mean UTC; JavaScript would take the zone of this machine.
  const shape =
    asIso(text) ?? (/(?:\b(?:Z|UTC|GMT|[ECMP][SD]T)|[+-]\d\d:?\d\d)\)?$/i.test(text) ? text : `${text} UTC`);
  const parsed = Date.parse(shape);
  return Number.isNaN(parsed) ? null : parsed;
}

/** 2020-09-13, 2020/09/13, 13.09.2020, 13/09/2020 or 9/13/2020, with or without a time; null for another form. */
function asIso(text: string): string | null {
  // As XML of Evernote has it: 20200913T122640Z.
  const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/.exec(text);
  if (basic !== null) return `${basic.slice(1, 4).join('-')}T${basic.slice(4, 7).join(':')}Z`;
  const [, date = '', hour, rest = '', zone = 'Z'] =
    /^([\d./-]{8,10})(?:[ T](\d{1,2})(:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/.exec(text) ?? [];
  const [, first = '', mark = '', second = '', third = ''] = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})$/.exec(date) ?? [];
  const two = (number: string): string => number.padStart(2, '0');
  const time = `${two(hour ?? '0')}${rest === '' ? ':00' : rest}${zone === 'UTC' ? 'Z' : zone}`;
  if (first.length === 4) return `${first}-${two(second)}-${two(third)}T${time}`;
  if (third.length !== 4) return null;
  // With slashes the month comes first, unless it cannot be one.
  const isDayFirst = mark !== '/' || Number(first) > 12;
  return `${third}-${two(isDayFirst ? second : first)}-${two(isDayFirst ? first : second)}T${time}`;
}

/** Seconds, milliseconds, microseconds or nanoseconds, or WebKit's microseconds since 1601. */
function scaled(value: number): number | null {
  if (!Number.isFinite(value) || value <= 0) return null;
  if (value < 1e11) return value * 1_000;
  if (value < 1e14) return value;
  if (value < 1e16) return value / 1_000;
  return value < 1e17 ? value / 1_000 - 11_644_473_600_000 : value / 1e6;
}

/** Titles from web pages often contain HTML entities. */
export function withPlainTitle(raw: RawEntry): RawEntry {
  const isEncoded = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/i.test(raw.title ?? '');
  return isEncoded ? { ...raw, title: decodeHTMLStrict((raw.title ?? '').slice(0, 10_000)) } : raw;
}

/** A highlight as a format's reader found it. */
export interface RawHighlight {
  /** The words that were marked; empty for a note about the whole page. */
  text: string;
  note?: string | null | undefined;
  colour?: string | null | undefined;
  date?: string | number | null | undefined;
  /** The other program's id, if it is the same in each of its exports. */
  id?: string | number | undefined;
}

/** Longer values are cut before they are cleaned, to bound that work. */
const maxRawWords = 50_000;

/** A highlight without words is a note about the whole page. `shortened` gets a line for each cut. */
function cleanHighlights(
  raws: readonly RawHighlight[],
  readDate: (date: string | number) => number | null,
  shortened: string[],
): { highlights: ImportedHighlight[]; notes: string[] } {
  const bySource = new Map<string, ImportedHighlight>();
  const notes: string[] = [];
  if (raws.length > maxHighlights)
    shortened.push(`${raws.length - maxHighlights} of its highlights were left out: an item has ${maxHighlights}`);
  for (const raw of raws.slice(0, maxHighlights)) {
    const quote = cutTo(cleanWords(raw.text), maxQuoteLength, 'a highlight', shortened);
    const note = cutTo(cleanWords(raw.note ?? ''), maxHighlightNoteLength, 'the note of a highlight', shortened);
    if (!hasVisibleText(quote)) {
      if (hasVisibleText(note)) notes.push(note);
      continue;
    }
    const colour = cleanLine((raw.colour ?? '').slice(0, 1_000)).slice(0, maxColourLength);
    const source = raw.id === undefined ? `text:${hashOf(quote).slice(0, 24)}` : `id:${String(raw.id).slice(0, 100)}`;
    bySource.set(source, {
      source,
      quote,
      note: hasVisibleText(note) ? note : null,
      colour: colour === '' ? null : colour,
      createdAt: raw.date === null || raw.date === undefined ? null : readDate(raw.date),
    });
  }
  return { highlights: [...bySource.values()], notes };
}

function cleanWords(text: string): string {
  return cleanText(text.slice(0, maxRawWords)).trim();
}

function cutTo(text: string, length: number, what: string, shortened: string[]): string {
  if (text.length > length) shortened.push(`${what} was cut to ${length} characters`);
  return beginningOf(text, length);
}

/* Values that programs know about an entry: where it is kept and whether it was read, and a tag for marked ones. */
export const unread: EntryState = { shelf: 'inbox' };
export const later: EntryState = { shelf: 'later' };
export const read: EntryState = { shelf: 'archive', read: true };
export const favouriteTag = 'favourite';

/** `1`, `true` and `yes`, as programs write them. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:1|true|yes)$/i.test(value.trim()));
}
