import { hashOf, type RawEntry } from '../raw-entry.ts';
import { cutOff, type FileEnding } from '../reading/export-files.ts';
import type { HtmlToken } from '../reading/html-tags.ts';
import { htmlToMarkdown } from './html-text.ts';

/*
 * Notes of Evernote (ENEX). A clipped page is saved with its address and the text of the clip; nothing of it is fetched.
 */

/** A longer content is cut, and the report says so. */
const maxContent = 9_000_000;
/** Of every other value. */
const maxValue = 10_000;
const maxValues = 200;

const fileName = 'resource/resource-attributes/file-name';
const mediaType = 'resource/mime';
/** Elements that are taken, by their path below the note. */
const taken = new Set(
  `title content created updated tag note-attributes/source-url task/title task/taskstatus ${fileName} ${mediaType}`.split(
    ' ',
  ),
);
const silent = new Set(['note-attributes', 'task', 'note-attributes/source']);

interface Note {
  values: Map<string, string[]>;
  fields: Set<string>;
  attachments: string[];
  isCut: boolean;
}

export async function* readEvernote(tokens: AsyncIterable<HtmlToken>, ending: FileEnding): AsyncGenerator<RawEntry> {
  let note: Note | null = null;
  let path: string[] = [];
  let value: string[] = [];
  let length = 0;
  for await (const token of tokens) {
    if (token.kind === 'text') {
      if (note === null || path.length === 0) continue;
      const limit = path[0] === 'content' ? maxContent : maxValue;
      if (length >= limit) {
        note.isCut ||= path[0] === 'content';
        continue;
      }
      value.push(token.text.slice(0, limit - length));
      length += token.text.length;
    } else if (token.kind === 'open') {
      if (token.name === 'note' && path.length === 0) {
        if (note !== null) yield entryOf(note);
        note = { values: new Map(), fields: new Set(), attachments: [], isCut: false };
      } else if (note !== null && !token.isClosed && path.length < 10) path.push(token.name);
      [value, length] = [[], 0];
    } else if (note !== null && token.name === 'note' && path.length === 0) {
      yield entryOf(note);
      note = null;
    } else if (note !== null && path.includes(token.name)) {
      take(note, path, value.join(''));
      path = path.slice(0, path.lastIndexOf(token.name));
      [value, length] = [[], 0];
    }
  }
  if (note === null) return;
  take(note, path, value.join(''));
  ending.fault = cutOff;
  yield entryOf(note);
}

function take(note: Note, path: readonly string[], value: string): void {
  const [name, last = ''] = [path.join('/'), path.at(-1)];
  if (name === 'resource') {
    note.attachments.push(valueOf(note, fileName) ?? valueOf(note, mediaType) ?? '');
    note.values.delete(fileName);
    note.values.delete(mediaType);
  } else if (taken.has(name)) {
    const values = note.values.get(name) ?? [];
    if (values.length < maxValues) note.values.set(name, [...values, value.trim()]);
  } else if (path[0] !== 'resource' && !silent.has(name) && value.trim() !== '') note.fields.add(last);
}

function valueOf({ values }: Note, name: string): string | undefined {
  return values.get(name)?.[0];
}

function entryOf(note: Note): RawEntry {
  const { values, attachments, isCut } = note;
  const [title, created, url] = ['title', 'created', 'note-attributes/source-url'].map((name) => valueOf(note, name));
  const content = valueOf(note, 'content') ?? '';
  const states = values.get('task/taskstatus') ?? [];
  const tasks = (values.get('task/title') ?? []).map(
    (task, at) => `- [${states[at] === 'completed' ? 'x' : ' '}] ${task}`,
  );
  const body = [htmlToMarkdown(content), tasks.join('\n')].filter((part) => part !== '').join('\n\n');
  const entry: RawEntry = {
    title,
    tags: values.get('tag'),
    date: created ?? valueOf(note, 'updated'),
    fields: [...note.fields],
    leftOut: [
      ...attachments.map((name) => `the attachment ${name.slice(0, 200)} is not taken`),
      ...(content.includes('<en-crypt') ? ['its encrypted part is not taken'] : []),
      ...(isCut ? [`the text was cut to ${maxContent} characters`] : []),
    ],
  };
  if (/^https?:\/\/\S/i.test(url ?? '')) return { ...entry, url, page: { text: body } };
  if (body === '' && (title ?? '') === '') return { ...entry, refused: 'the note is empty' };
  return {
    ...entry,
    text: { name: hashOf(`Evernote\n${title ?? ''}\n${created ?? body}`), body: body || (title ?? '') },
  };
}
