import { readFileSync } from 'node:fs';
import { createQuoteFinder } from '../../../src/domain/text/quotes.ts';

/** What was written about a passage: honest paraphrases, and lies under true quotes. */
export interface Passage {
  name: string;
  text: string;
  honest: WrittenAction[];
  /** All of them; some files tell two kinds apart. */
  lies: WrittenAction[];
  /** Ask for something that the text says nothing of. */
  blatant: WrittenAction[];
  /** Made of what the text says. */
  subtle: WrittenAction[];
}

export interface WrittenAction {
  quote: string;
  title: string;
  reason: string | null;
}

/**
 * Reads passages from a file of `tests/fixtures/grounding`: `== name`, text, `-- honest`, then `-- lies`, or `-- blatant`
 * and `-- subtle`; entries are
 * `quote | title | reason`. A passage without a text is about the one of the same name in `others` that has its quotes.
 */
export function readPassages(name: string, others: readonly Passage[] = []): Passage[] {
  const file = readFileSync(new URL(`../../fixtures/grounding/${name}.txt`, import.meta.url), 'utf8');
  return file
    .split(/^== /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...sections] = part.split(/^-- (honest|lies|blatant|subtle)$/m);
      const end = head.indexOf('\n');
      const of = (kind: string) => (sections.includes(kind) ? entries(sections[sections.indexOf(kind) + 1] ?? '') : []);
      const [honest, blatant, subtle] = [of('honest'), of('blatant'), of('subtle')];
      const lies = [...of('lies'), ...blatant, ...subtle];
      const passage = { name: head.slice(0, end), honest, lies, blatant, subtle };
      const text = head.slice(end).trim();
      return { ...passage, text: text === '' ? textOf(passage, others) : text };
    });
}

function textOf({ name, honest, lies }: Omit<Passage, 'text'>, others: readonly Passage[]): string {
  const quote = [...honest, ...lies][0]?.quote ?? '';
  const other = others.find((one) => one.name === name && createQuoteFinder(one.text)(quote) !== null);
  if (other === undefined) throw new Error(`No other file has the text of the passage: ${name}`);
  return other.text;
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
