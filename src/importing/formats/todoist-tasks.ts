import { hashOf, type RawEntry } from '../raw-entry.ts';
import type { CsvRow } from './table-columns.ts';

/*
 * A project of Todoist. It becomes one note with a checkbox for each task. A task that is nothing but a link is a
 * bookmark.
 */

const maxCharacters = 5_000_000;
const tooMuch = 'the project is larger than an import can take: split it';
const aLabel = /\s@([^\s@]{1,100})(?=\s|$)/g;
const aLink = /^(?:\[([^\][]{0,1000})\]\((https?:\/\/[^\s()]{1,4000})\)|(https?:\/\/\S{1,4000}))$/i;

/** @param file the name of the project */
export function createTodoList(file: string) {
  const project = file.replace(/ \[\d{1,20}\]$/, '');
  const lines: string[] = [];
  let length = 0;
  let section: string | null = null;
  /** The bookmark that the comments below it belong to. It is handed out with the next task. */
  let link: (RawEntry & { notes: string[] }) | null = null;
  let indent = '';
  const links: RawEntry[] = [];
  const write = (line: string): RawEntry | null => {
    length += line.length;
    if (length > maxCharacters) return { title: line.slice(0, 300), refused: tooMuch };
    lines.push(line);
    return null;
  };
  const addTask = (row: CsvRow): RawEntry | null => {
    const content = row('content').trim();
    const [description, depth, due, deadline] = [
      row('description').trim(),
      row('indent'),
      row('date'),
      row('deadline'),
    ];
    const labels = [...content.matchAll(aLabel)].map(([, label = '']) => label);
    const [, title, named, bare] = aLink.exec(content.replaceAll(aLabel, '').trim()) ?? [];
    const url = named ?? bare;
    link = null;
    if (url !== undefined) {
      link = { url, title, tags: [project, ...(section === null ? [] : [section]), ...labels], notes: [description] };
      length += content.length;
      if (length > maxCharacters) return { url, refused: tooMuch };
      links.push(link);
      return null;
    }
    indent = '  '.repeat(Math.min(4, Math.max(1, Number(depth) || 1)) - 1);
    const dates = [...(due === '' ? [] : [`due ${due}`]), ...(deadline === '' ? [] : [`deadline ${deadline}`])];
    const when = dates.length === 0 ? '' : ` (${dates.join(', ')})`;
    return write(`${indent}- [ ] ${oneLine(content)}${when}`) ?? (description === '' ? null : addText(description));
  };
  const addText = (text: string): RawEntry | null => {
    if (link === null) return write(`${indent}  ${oneLine(text)}`);
    link.notes.push(text);
    return null;
  };
  return {
    add(row: CsvRow): RawEntry | null {
      const [type, content] = [row('type').trim().toLowerCase(), row('content').trim()];
      if (content === '') return null;
      if (type === 'task') return addTask(row);
      if (type === 'note') return addText(content);
      if (type !== 'section') return null;
      [section, link] = [oneLine(content), null];
      return write(`\n## ${section}\n`);
    },
    *entries(): Iterable<RawEntry> {
      yield* links;
      const body = lines.join('\n').trim();
      if (lines.some((line) => line.includes('- [ ] ')))
        yield { title: project, tags: ['Todoist'], text: { name: hashOf(`Todoist\n${project}`), body } };
    },
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s{1,1000}/g, ' ');
