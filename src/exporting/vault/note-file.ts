import { createHash } from 'node:crypto';
import { parse as parseYaml } from 'yaml';
import { maxHead } from '../../domain/records/transfers/item-of-file.ts';
import { asWritten, lineOpening, sectionNames } from '../markdown.ts';
import { keyOf, type Template } from './template.ts';

/*
 * A file of a vault. Above a line that Obsidian and Logseq hide it is the program's; below, it is the person's. The line says
 * what the program wrote above it, so an edit is known by the file alone, wherever it was moved and whatever was lost beside it.
 */

export type ActionState = 'open' | 'done' | 'dismissed';

/** What was written above the line. */
interface Written {
  /** Of the item and the template. */
  version: string;
  /** Digests of the whole, and of the fields of which an edit is taken back. */
  whole: string;
  fields: Record<string, string>;
  actions: Record<string, ActionState>;
  marks: string[];
}

export interface NoteFile {
  upper: string;
  /** Null when the line is gone or damaged. */
  written: Written | null;
  lower: Buffer;
}

/** What a person may change above the line, and what else is there. */
export interface Upper {
  /** Absent where the file does not have it. `headings`: of the sections other than the notes. */
  fields: { title?: string; tags?: string[]; shelf?: string; notes?: string; headings: string[] };
  /** With the words of each, without the day on which it was done. */
  actions: Map<string, { state: ActionState; words: string }>;
  /** Between `==` in the text and what was made of it. */
  marks: string[];
  /** The text without these signs. */
  text: string;
  /** Lines of the front matter that a person added, which stay. */
  kept: string;
  /** The rest of the front matter, for a comparison; null when it is not valid YAML. */
  others: Map<string, string> | null;
  body: string[];
}

const maxFront = 20_000;
const maxMarks = 1_000;

export const digest = (value: string): string => createHash('sha256').update(value).digest('base64').slice(0, 10);

export function splitNote(bytes: Buffer): NoteFile {
  for (let at = bytes.indexOf(lineOpening); at !== -1; at = bytes.indexOf(lineOpening, at + 1)) {
    const start = bytes.lastIndexOf('\n', at) + 1;
    // Logseq makes every paragraph a point of a list.
    if (!/^[\s-]*$/.test(bytes.toString('latin1', Math.max(start, at - 20), at)) || at - start > 20) continue;
    const newline = bytes.indexOf('\n', at);
    const end = newline === -1 ? bytes.length : newline + 1;
    return {
      upper: bytes.toString('utf8', 0, start),
      written: end - at > 200_000 ? null : parseWritten(bytes.toString('latin1', at, end)),
      lower: bytes.subarray(end),
    };
  }
  return { upper: bytes.toString('utf8'), written: null, lower: Buffer.alloc(0) };
}

function parseWritten(line: string): Written | null {
  const [, packed = ''] = /\| ([A-Za-z0-9+/=]+) -->\s*$/.exec(line.slice(lineOpening.length)) ?? [];
  try {
    const value = JSON.parse(Buffer.from(packed, 'base64').toString()) as Partial<Written> | null;
    const { version, whole, fields, actions, marks } = value ?? {};
    const isWhole = typeof version === 'string' && typeof whole === 'string' && Array.isArray(marks);
    return isWhole && isRecord(fields) && isRecord(actions) ? { version, whole, fields, actions, marks } : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, never> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function joinNote(upper: string, version: string, lower: Buffer, template: Template): Buffer {
  const { fields, actions, marks } = readUpper(upper, template);
  const written: Written = {
    version,
    whole: digest(upper),
    fields: digestsOf(fields),
    actions: Object.fromEntries([...actions].map(([id, { state }]) => [id, state])),
    marks: marks.map(digest),
  };
  const packed = Buffer.from(JSON.stringify(written)).toString('base64');
  return Buffer.concat([Buffer.from(`${upper}\n${lineOpening}write below this line | ${packed} -->\n`), lower]);
}

export function digestsOf(fields: Upper['fields']): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, digest(JSON.stringify(value))]));
}

export function readUpper(whole: string, template: Template): Upper {
  const text = whole.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const front = frontOf(text);
  const { ours, kept } = partFront(front, new Set(['id', ...template.fields.map(([key]) => key)]));
  const others = parseFront(ours);
  /** Takes a value that is understood out of the others. */
  const take = <T>(name: string, read: (value: unknown) => T | undefined): T | undefined => {
    const key = keyOf(template, name);
    const value = key !== undefined && others?.has(key) ? read(others.get(key)) : undefined;
    if (key !== undefined && value !== undefined) others?.delete(key);
    return value;
  };
  const [title, tags, shelf] = [take('title', wordsIn), take('tags', tagsIn), take('shelf', wordsIn)];
  const body = text
    .slice(front.length)
    .replace(/^---\n?/, '')
    .split('\n');
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of body) {
    const name = line.startsWith('## ') ? sectionNames.find((one) => line.trimEnd() === `## ${one}`) : undefined;
    if (name === undefined || sections.has('Text')) lines.push(line);
    else sections.set(name, (lines = sections.get(name) ?? []));
  }
  const shown = (sections.get('Text') ?? []).join('\n');
  const notes = sections.get('Notes');
  // YAML leaves comments out of the values.
  for (const line of ours) if (/\s#/.test(line)) others?.set(line.replaceAll(/["']/g, ''), '');
  return {
    fields: {
      ...(title !== undefined && { title }),
      ...(tags !== undefined && { tags }),
      ...(shelf !== undefined && { shelf }),
      ...(notes !== undefined && { notes: asWritten(notes.join('\n').trim()) }),
      headings: [...sections.keys()].filter((name) => name !== 'Notes'),
    },
    actions: new Map((sections.get('Actions') ?? []).flatMap(actionIn)),
    marks: marksIn([...sections].flatMap(([name, some]) => (name === 'Notes' ? [] : some))),
    text: shown.replaceAll('==', ''),
    kept,
    others:
      others &&
      new Map([...others].map(([key, value]) => [key, isScalar(value) ? String(value) : JSON.stringify(value)])),
    body,
  };
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** With the opening line, without the closing one; empty without front matter. */
function frontOf(text: string): string {
  const end = text.startsWith('---\n') ? text.slice(0, maxFront).indexOf('\n---\n', 3) : -1;
  return end === -1 ? '' : text.slice(0, end + 1);
}

/** Null when it is not valid YAML, or not made of keys. */
function parseFront(lines: readonly string[]): Map<string, unknown> | null {
  try {
    // Aliases can make a short text into an endless value; with `silent`, errors are left out.
    const value: unknown = parseYaml(lines.join('\n'), { maxAliasCount: 0, logLevel: 'error' }) ?? {};
    return isRecord(value) ? new Map(Object.entries(value)) : null;
  } catch {
    return null;
  }
}

const wordsIn = (value: unknown): string | undefined => (isScalar(value) ? String(value).trim() : undefined);

function tagsIn(value: unknown): string[] | undefined {
  const listed: unknown[] = Array.isArray(value) ? value : (wordsIn(value) ?? '').split(',');
  if (!(value === null || isScalar(value) || listed.every((tag) => tag === null || isScalar(tag)))) return undefined;
  const tags = listed.map((tag) => (wordsIn(tag) ?? '').replace(/^#/, ''));
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

/** Parts the lines of the program's keys from comments and the lines of other keys. */
function partFront(front: string, own: ReadonlySet<string>): { ours: string[]; kept: string } {
  let isOurs = true;
  const ours: string[] = [];
  let kept = '';
  for (const line of front.split('\n').slice(1, -1)) {
    const [, key] = /^["']?([^\s"'#:-][^":]{0,99}?)["']?:/.exec(line) ?? [];
    if (key !== undefined) isOurs = own.has(key.trim());
    if (isOurs && !line.startsWith('#')) ours.push(line);
    else kept += `${line}\n`;
  }
  return { ours, kept };
}

const boxes: Readonly<Record<string, ActionState>> = { ' ': 'open', x: 'done', X: 'done', '-': 'dismissed' };

function actionIn(line: string): [string, { state: ActionState; words: string }][] {
  const [opening, box = ''] = /^\s{0,40}[-*+] \[(.)\] /u.exec(line) ?? [];
  const at = line.lastIndexOf(' ^a-');
  const anchor = line.slice(at + 2).trimEnd();
  const state = boxes[box];
  if (opening === undefined || state === undefined || !/^a-[a-z2-7]{16}$/.test(anchor)) return [];
  // A plugin adds the day on which it was done by itself.
  const words = line.slice(opening.length, at).replaceAll(/[✅❌] \d{4}-\d\d-\d\d/gu, '');
  return [[anchor.replace('-', '_'), { state, words: words.replaceAll(/\s+/g, ' ').trim() }]];
}

function marksIn(lines: readonly string[]): string[] {
  const marks: string[] = [];
  for (const line of lines) {
    for (let at = line.indexOf('=='); at !== -1 && marks.length < maxMarks; at = line.indexOf('==', at + 2)) {
      const end = line.indexOf('==', at + 2);
      if (end === -1) break;
      const words = line.slice(at + 2, end);
      if (words === '' || words !== words.trim()) continue;
      marks.push(words);
      at = end;
    }
  }
  return marks;
}

/** Whether a person wrote something above the line that none of these has, and that is not taken back. */
export function hasForeignWords(file: Upper, known: readonly Upper[], isOurs: (name: string) => boolean): boolean {
  const plain = (line: string): string => line.replaceAll('==', '').trimEnd();
  const lines = new Set(known.flatMap(({ body }) => body.map(plain)));
  const isKnownAction = (line: string): boolean =>
    actionIn(line).some(([id, { words }]) => known.some(({ actions }) => actions.get(id)?.words === words));
  const isForeign = (line: string): boolean => {
    const words = plain(line);
    const [, link] = /^- \[\[([^\]|]{1,500})\]\]$/.exec(words) ?? [];
    return words !== '' && !lines.has(words) && !isKnownAction(line) && !(link !== undefined && isOurs(link));
  };
  return (
    file.others === null ||
    file.body.some(isForeign) ||
    [...file.others].some(([key, value]) => !known.some(({ others }) => others?.get(key) === value))
  );
}

/** The file as a copy that belongs to nobody but the person. */
export function asConflict(bytes: Buffer): Buffer {
  const head = bytes.toString('latin1', 0, maxHead);
  return Buffer.concat([Buffer.from(head.replace(/\nid: /, '\nconflict_of: '), 'latin1'), bytes.subarray(maxHead)]);
}
