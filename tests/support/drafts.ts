import { readFileSync } from 'node:fs';

/** What was written about a passage: honest paraphrases, and lies under true quotes. */
export interface Passage {
  name: string;
  text: string;
  honest: WrittenAction[];
  lies: WrittenAction[];
}

export interface WrittenAction {
  quote: string;
  title: string;
  reason: string | null;
}

/** Reads passages from a file of `tests/fixtures/grounding`: `== name`, text, `-- honest`, `-- lies`; entries are `quote | title | reason`. */
export function readPassages(name: string): Passage[] {
  const file = readFileSync(new URL(`../fixtures/grounding/${name}.txt`, import.meta.url), 'utf8');
  return file
    .split(/^== /m)
    .slice(1)
    .map((part) => {
      const [head = '', honest = '', lies = ''] = part.split(/^-- (?:honest|lies)$/m);
      const end = head.indexOf('\n');
      return { name: head.slice(0, end), text: head.slice(end).trim(), honest: entries(honest), lies: entries(lies) };
    });
}

function entries(lines: string): WrittenAction[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [quote = '', title = '', reason = ''] = line.split(' | ').map((field) => field.replace(/\|$/, '').trim());
      return { quote, title, reason: reason === '' ? null : reason };
    });
}
