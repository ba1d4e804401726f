import { z } from 'zod';
import { hashOf, type RawEntry } from '../raw-entry.ts';
import { date, flag, maybe, names, namesOf, text } from './json-fields.ts';
import { favouriteTag, isTrue } from './states.ts';

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
