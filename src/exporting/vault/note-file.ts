import { createHash } from 'node:crypto';
import { parse as parseYaml } from 'yaml';
import type { ActionState } from '../../domain/records/analyses/action.ts';
import { maxHead } from '../../domain/records/transfers/export-files.ts';
import { asWritten, lineOpening, sectionNames } from '../markdown.ts';
import { keyOf, type Template } from './template.ts';

/*
 * A file of a vault. Above a line that Obsidian and Logseq hide it is the program's; below, it is the person's. The line says
 * what the program wrote above it, so an edit is known by the file alone, wherever it was moved and whatever was lost beside it.
 */

interface Written {
  /** Of the item and the template. */
  version: string;
  /** Digests of the whole, of the fields of which an edit is taken back, and of the rest by sections. */
  whole: string;
  fields: Record<string, string>;
  parts: Record<string, string>;
  actions: Record<string, ActionState>;
  marks: string[];
}

export interface NoteFile {
  upper: string;
  /** Null when the line is gone or damaged. */
  written: Written | null;
  lower: Buffer;
}

/** The part above the line, which a person may edit, and the rest. */
export interface Upper {
  /** Absent where the file does not have it. `headings`: of the sections other than the notes. */
  fields: { title?: string; tags?: string[]; shelf?: string; notes?: string; headings: string[] };
  actions: Map<string, Box>;
  /** Check boxes in the text, by their words and their number among those with the same words. `line`: of the text, from 0. */
  boxes: Map<string, Box & { line: number }>;
  /** Between `==` in the text and what was made of it. */
  marks: string[];
  /** The text without these signs. */
  text: string;
  /** Lines of the front matter that a person added, which stay. */
  kept: string;
  /** The rest of the front matter, for a comparison; null when it is not valid YAML. */
  others: Map<string, string> | null;
  /** Lines by section, without what is taken back in them. `''`: those before the first section. */
  parts: Map<string, string[]>;
}

interface Box {
  state: ActionState;
  /** Without the day on which it was done. */
  words: string;
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
    const { version, whole, fields, parts, actions, marks } = value ?? {};
    const isWhole = typeof version === 'string' && typeof whole === 'string' && Array.isArray(marks);
    return isWhole && isRecord(fields) && isRecord(parts) && isRecord(actions)
      ? { version, whole, fields, parts, actions, marks }
      : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, never> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function joinNote(upper: string, version: string, lower: Buffer, template: Template): Buffer {
  const { fields, parts, others, actions, marks } = readUpper(upper, template);
  const written: Written = {
    version,
    whole: digest(upper),
    fields: digestsOf(fields),
    parts: { front: digestOf(others), ...Object.fromEntries([...parts].map(([name, some]) => [name, digestOf(some)])) },
    actions: Object.fromEntries([...actions].map(([id, { state }]) => [id, state])),
    marks: marks.map(digest),
  };
  const packed = Buffer.from(JSON.stringify(written)).toString('base64');
  return Buffer.concat([Buffer.from(`${upper}\n${lineOpening}write below this line | ${packed} -->\n`), lower]);
}

const digestOf = (some: Iterable<unknown> | null): string => digest(JSON.stringify([...(some ?? [])]));

export function digestsOf(fields: Upper['fields']): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, digest(JSON.stringify(value))]));
}

export function readUpper(whole: string, template: Template): Upper {
  const text = whole.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const front = frontOf(text);
  const { ours, kept } = partFront(front, new Set(['id', ...template.fields.map(([key]) => key)]));
  const others = parseFront(ours);
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
  let lines: string[] = [];
  const sections = new Map([['', lines]]);
  for (const line of body) {
    const name = line.startsWith('## ') ? sectionNames.find((one) => line.trimEnd() === `## ${one}`) : undefined;
    if (name === undefined || sections.has('Text')) lines.push(line);
    else sections.set(name, (lines = sections.get(name) ?? []));
  }
  const shown = (sections.get('Text') ?? []).slice(1).map((line) => line.replaceAll('==', ''));
  const notes = sections.get('Notes');
  // YAML leaves comments out of the values.
  for (const line of ours) if (/\s#/.test(line)) others?.set(line.replaceAll(/["']/g, ''), '');
  return {
    fields: {
      ...(title !== undefined && { title }),
      ...(tags !== undefined && { tags }),
      ...(shelf !== undefined && { shelf }),
      ...(notes !== undefined && { notes: asWritten(notes.join('\n').trim()) }),
      headings: [...sections.keys()].filter((name) => name !== '' && name !== 'Notes'),
    },
    actions: new Map((sections.get('Actions') ?? []).flatMap(actionIn)),
    marks: marksIn([...sections].flatMap(([name, some]) => (name === '' || name === 'Notes' ? [] : some))),
    boxes: boxesIn(shown),
    text: shown.join('\n'),
    kept,
    others:
      others &&
      new Map([...others].map(([key, value]) => [key, isScalar(value) ? String(value) : JSON.stringify(value)])),
    parts: new Map([...sections].map(([name, some]) => [name, some.map(plain).filter((line) => line !== '')])),
  };
}

const plain = (line: string): string =>
  line.replaceAll('==', '').replace('[X]', '[x]').replaceAll(dayDone, '').trimEnd();

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

const signs: Readonly<Record<string, ActionState>> = { ' ': 'open', x: 'done', X: 'done', '-': 'dismissed' };
/** A plugin adds it by itself. */
const dayDone = /[✅❌] \d{4}-\d\d-\d\d/gu;

function boxIn(line: string): Box | null {
  const [opening, sign = ''] = /^\s{0,40}(?:[-*+]|\d{1,3}[.)]) {1,9}\[(.)\] /u.exec(line) ?? [];
  const state = signs[sign];
  if (opening === undefined || state === undefined) return null;
  return { state, words: line.slice(opening.length).replaceAll(dayDone, '').replaceAll(/\s+/g, ' ').trim() };
}

function boxesIn(lines: readonly string[]): Upper['boxes'] {
  const counts = new Map<string, number>();
  return new Map(
    lines.flatMap((text, line) => {
      const box = boxIn(text);
      if (box === null) return [];
      const number = counts.get(box.words) ?? 0;
      counts.set(box.words, number + 1);
      return [[`${number} ${box.words}`, { ...box, line }]];
    }),
  );
}

function actionIn(line: string): [string, Box][] {
  const box = boxIn(line);
  const [whole, anchor = ''] = / \^(a-[a-z2-7]{16})$/.exec(box?.words ?? '') ?? [];
  return box === null || whole === undefined
    ? []
    : [[anchor.replace('-', '_'), { ...box, words: box.words.slice(0, -whole.length).trim() }]];
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
export function hasForeignWords(
  { parts, others }: Upper,
  written: Written,
  known: readonly Upper[],
  isOurs: (name: string) => boolean,
): boolean {
  const lines = new Set(known.flatMap((one) => [...one.parts.values()].flat()));
  const isKnownAction = (line: string): boolean =>
    actionIn(line).some(([id, { words }]) => known.some(({ actions }) => actions.get(id)?.words === words));
  const isForeign = (line: string): boolean => {
    const [, link] = /^- \[\[([^\]|]{1,500})\]\]$/.exec(line) ?? [];
    return !lines.has(line) && !isKnownAction(line) && !(link !== undefined && isOurs(link));
  };
  const isEdited = (name: string, part: Iterable<unknown>): boolean => digestOf(part) !== written.parts[name];
  return (
    others === null ||
    [...parts].some(([name, some]) => isEdited(name, some) && some.some(isForeign)) ||
    (isEdited('front', others) &&
      [...others].some(([key, value]) => !known.some((one) => one.others?.get(key) === value)))
  );
}

/** A copy of the file that belongs only to the person, and says so. @param name of the original file */
export function asConflict(bytes: Buffer, name: string, why: string): Buffer {
  const head = bytes.toString('latin1', 0, maxHead).replace(/\nid: /, '\nconflict_of: ');
  const [front = ''] = /^[^]*?\n---\r?\n/.exec(head) ?? [];
  const said = front === '' ? '' : `\n> [!warning] Commonplace kept this copy of [[${name}]], because ${why}.\n`;
  const rest = Buffer.from(head.slice(front.length), 'latin1');
  return Buffer.concat([Buffer.from(front, 'latin1'), Buffer.from(said), rest, bytes.subarray(maxHead)]);
}
