import { parse as parseYaml } from 'yaml';
import type { RawEntry } from '../raw-entry.ts';

/** The front matter is read up to this length. */
const maxFrontMatter = 20_000;

/**
 * The metadata at the head of a Markdown note: the front matter of Obsidian and of Notion's exporters, the properties of Logseq,
 * and tags in the text. The note itself is saved as a file.
 * @param path inside the folder; the folders become tags
 */
export function readNoteHead(head: string, path: string): RawEntry {
  const text = head.replace(/^\ufeff/, '');
  const front = frontMatter(text);
  const body = front === null ? text : text.slice(front.length);
  const parts = path.split('/');
  const name = (parts.pop() ?? '').replace(/\.(?:md|markdown|pdf)$/i, '');
  const isOfNotion = nameWithoutId(name) !== name;
  const properties = front?.properties ?? (isOfNotion ? notionProperties(body) : logseqProperties(body));
  return {
    title: textOf(properties.get('title')) ?? nameWithoutId(name),
    tags: [
      ...parts
        .map(nameWithoutId)
        .filter((folder) => !ignoredFolders.has(folder.toLowerCase()) && !ofExport.test(folder)),
      ...listOf(properties.get('tags') ?? properties.get('tag')),
      ...inlineTags(body.slice(0, maxFrontMatter)),
    ],
    date: dateNames.map((one) => textOf(properties.get(one))).find((date) => date !== undefined) ?? dayOf(name),
  };
}

const dateNames = ['created', 'date', 'created_at', 'created time', 'created at', 'date created'];

/** Backup copies of earlier versions of a note. */
export function isOldVersion(path: string): boolean {
  return /(?:^|\/)logseq\/(?:bak|version-files)\//.test(path);
}

/** Notes of a day are called by it. */
function dayOf(name: string): string | undefined {
  const [, year, month, day] = /^(\d{4})[-_](\d\d)[-_](\d\d)$/.exec(name) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/** Folders in which programs keep all notes. */
const ignoredFolders = new Set(['pages', 'journals', 'notes', 'vault', 'private & shared']);
/** Archives, and the folder that Notion makes for an export. */
const ofExport = /\.zip$|^export-[0-9a-f]{8}-[0-9a-f-]{27}/i;

interface FrontMatter {
  properties: ReadonlyMap<string, unknown>;
  length: number;
}

function frontMatter(text: string): FrontMatter | null {
  const [, opening = ''] = /^(---\r?\n)/.exec(text) ?? [];
  if (opening === '') return null;
  const end = text.slice(0, maxFrontMatter).indexOf('\n---', opening.length - 1);
  if (end === -1) return null;
  const length = end + '\n---'.length;
  try {
    // Aliases can make a short text into an endless value.
    const value: unknown = parseYaml(text.slice(opening.length, end), { maxAliasCount: 0, logLevel: 'silent' });
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return {
      properties: new Map(isMap ? Object.entries(value).map(([key, one]) => [key.toLowerCase(), one]) : []),
      length,
    };
  } catch {
    // A broken head: the note is saved without what it says.
    return { properties: new Map(), length };
  }
}

/** `key:: value` in the first lines. */
function logseqProperties(text: string): ReadonlyMap<string, unknown> {
  const properties = new Map<string, unknown>();
  for (const line of text.slice(0, maxFrontMatter).split('\n', 20)) {
    const at = line.indexOf('::');
    if (at < 1 || at > 50) break;
    properties.set(line.slice(0, at).replace(/^- /, '').trim().toLowerCase(), line.slice(at + 2).trim());
  }
  return properties;
}

/** `Key: value`, a line each, between the title and the text of a page from one of Notion's databases. */
function notionProperties(text: string): ReadonlyMap<string, unknown> {
  const properties = new Map<string, unknown>();
  const lines = text.slice(0, maxFrontMatter).split('\n', 60);
  const from = lines.findIndex((line, at) => line.trim() !== '' && !(at === 0 && line.startsWith('# ')));
  for (const line of from === -1 ? [] : lines.slice(from)) {
    const at = line.indexOf(': ');
    if (at < 1 || at > 50) break;
    const [key, value] = [line.slice(0, at).trim().toLowerCase(), line.slice(at + 2).trim()];
    // A name of several words is one tag.
    properties.set(key, key === 'tags' || key === 'tag' ? value.split(',').map((tag) => tag.trim()) : value);
  }
  return properties;
}

function textOf(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function listOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? (value.slice(0, maxFrontMatter).match(/#?\[\[[^\]]{1,100}\]\]|[^,\s]+/g) ?? [])
      : [];
  return list.filter((one) => typeof one === 'string').map((tag) => tag.replace(/^#/, '').replaceAll(/\[\[|\]\]/g, ''));
}

/** `#tag` after white space. Tags of Obsidian hold letters, digits, `_`, `-` and `/`, and not digits alone. */
function inlineTags(text: string): string[] {
  const found = text.matchAll(/(?:^|\s)#([\p{L}\p{N}_/-]{1,100})(?=\s|$)/gu);
  return [...found].map(([, tag = '']) => tag).filter((tag) => !/^\d+$/.test(tag));
}

/** Notion puts a number of 32 digits behind each name. */
function nameWithoutId(name: string): string {
  return name.replace(/ [0-9a-f]{32}$/, '');
}
