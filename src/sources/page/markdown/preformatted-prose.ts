/*
 * Prose in `<pre>`, as archives of mailing lists, RFCs and old pages of plain text have it: paragraphs with blank lines
 * between them, broken at a fixed width, with quotations, lists, and examples of code among them.
 */

type ProsePart =
  | { kind: 'paragraph' | 'code'; text: string }
  | { kind: 'item'; text: string; number: number | null }
  | { kind: 'quote'; parts: ProsePart[] };

interface ProseElement {
  setAttribute(name: string, value: string): void;
  append(...nodes: unknown[]): void;
}

export interface ProseDocument {
  createElement(name: string): ProseElement;
}

interface Preformatted {
  readonly parentNode: { getAttribute?(name: string): string | null } | null;
  getAttribute(name: string): string | null;
  querySelector?(selector: string): unknown;
}

/** In letters. A shorter text is left as it is. */
const minLetters = 200;
/** Share of the letters that stand in paragraphs of sentences. */
const minProse = 0.6;
/** Share of the lines that may be code. */
const maxCode = 0.25;
/** Quotations of quotations. Deeper ones keep their marks. */
const maxDepth = 8;
/** In characters. Longer lines are not broken at a width: each is a paragraph. */
const maxWidth = 120;

const codeLine =
  /[;{}]$|^(?:\/\/|\/\*|\*\/|#|;;|\$ |% |>>> |@@ |\+\+\+ |--- |<\/?\w)|\w\(\)|[!=]=|=>|->|:=|\|\||&&|^[\w.[\]]{1,40} ?= ?\S|^(?:- )?[a-z_-]{1,40}:(?: |$)/;
const comment = /^\s*(?:\/\/|\/\*|\*\/)/;
const sentence = /[\p{L}\d)"'”’][.!?…]["'”’)]?(?:\s|$)|[。！？]/u;
const columns = /\S {3,}\S/;
const ruler = /^[-=_*~#]{3,}$/;
const itemMark = /^(?:([-*+•])|(\d{1,3})[.)])\s+/;

interface Paragraph {
  lines: string[];
  isQuote: boolean;
}

const codeClass = /code|highlight|syntax|prettyprint|hljs|brush|shiki|prism|literal|listing|screen|console|terminal/i;

/** Whether the page says that a `<pre>` is code, or the output of a program. */
function isCalledCode(pre: Preformatted): boolean {
  const classes = [pre, pre.parentNode].map((node) => node?.getAttribute?.('class') ?? '');
  return classes.some((one) => codeClass.test(one)) || pre.querySelector?.('code, samp, kbd') !== null;
}

/** The parts of the text of a `<pre>`; null if it is no prose, or if the page calls it code. */
export function proseIn(pre: Preformatted, text: string): ProsePart[] | null {
  return isCalledCode(pre) ? null : proseOf(text);
}

/** The parts of a text that is prose; null for code, tables and drawings. */
export function proseOf(text: string): ProsePart[] | null {
  const paragraphs = paragraphsOf(text.split('\n').map((line) => line.replaceAll('\t', '        ').trimEnd()));
  let [letters, inProse, lines, codeLines] = [0, 0, 0, 0];
  for (const { lines: own, isQuote } of paragraphs) {
    const bare = isQuote ? own.map((line) => line.replace(/^[>\s]+/, '')) : own;
    const count = countLetters(bare.join(' '));
    letters += count;
    if (isProse(bare)) inProse += count;
    else codeLines += bare.filter((line) => codeLine.test(line.trim())).length;
    lines += own.length;
  }
  if (letters < minLetters || inProse < letters * minProse || codeLines > lines * maxCode) return null;
  return partsOf(paragraphs, 0);
}

/** Runs of lines between blank lines; quoted lines are runs of their own. */
function paragraphsOf(lines: readonly string[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: Paragraph | null = null;
  for (const line of lines) {
    const bare = line.trim();
    if (bare === '' || ruler.test(bare)) {
      open = null;
      continue;
    }
    const isQuote = bare.startsWith('>');
    if (open === null || open.isQuote !== isQuote) paragraphs.push((open = { lines: [], isQuote }));
    open.lines.push(isQuote ? bare : line);
  }
  return paragraphs;
}

function partsOf(paragraphs: readonly Paragraph[], depth: number): ProsePart[] {
  const usual = usualIndent(paragraphs);
  const width = usualWidth(paragraphs);
  const parts: ProsePart[] = [];
  for (const { lines, isQuote } of paragraphs) {
    const last = parts.at(-1);
    if (isQuote && depth < maxDepth) {
      const inner = partsOf(paragraphsOf(lines.map((line) => line.replace(/^> ?/, ''))), depth + 1);
      if (last?.kind === 'quote') last.parts.push(...inner);
      else parts.push({ kind: 'quote', parts: inner });
    } else if (isLayout(lines, usual)) {
      const indent = Math.min(...lines.map(indentOf));
      const text = lines.map((line) => line.slice(indent)).join('\n');
      if (last?.kind === 'code') last.text += `\n\n${text}`;
      else parts.push({ kind: 'code', text });
    } else parts.push(...linesToParts(lines, width));
  }
  return parts;
}

/** The indent that most lines have. */
function usualIndent(paragraphs: readonly Paragraph[]): number {
  const counts = new Map<number, number>();
  for (const line of paragraphs.flatMap(({ lines }) => lines)) {
    const indent = indentOf(line);
    counts.set(indent, (counts.get(indent) ?? 0) + 1);
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}

/** The width at which lines are broken: nine in ten are not longer. */
function usualWidth(paragraphs: readonly Paragraph[]): number {
  const lengths = paragraphs.flatMap(({ lines }) => lines.map((line) => line.length)).toSorted((a, b) => a - b);
  return lengths[Math.floor(lengths.length * 0.9)] ?? 0;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function countLetters(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(/\p{L}+/gu)) count += run.length;
  return count;
}

/** Whether lines are sentences. */
function isProse(lines: readonly string[]): boolean {
  const text = lines.map((line) => line.trim()).join(' ');
  const spaces = text.match(/\s/g)?.length ?? 0;
  return (
    sentence.test(text) &&
    countLetters(text) + spaces > text.length * 0.8 &&
    !isMostly(lines, isLayoutLine) &&
    !lines.some((line) => comment.test(line))
  );
}

/** Whether the layout of lines says something: code, columns, a drawing, or an example that is set further in. */
function isLayout(lines: readonly string[], usual: number): boolean {
  if (isProse(lines)) return false;
  const text = lines.map((line) => line.trim()).join('');
  return (
    isMostly(lines, isLayoutLine) ||
    countLetters(text) < text.length * 0.5 ||
    lines.every((line) => indentOf(line) >= usual + 4)
  );
}

function isLayoutLine(line: string): boolean {
  return codeLine.test(line.trim()) || columns.test(line.trim());
}

function isMostly(lines: readonly string[], is: (line: string) => boolean): boolean {
  return lines.filter(is).length * 2 > lines.length;
}

/** Share of the width that a line fills at least if it was broken because it was full. */
const minFull = 0.8;

/** Joins lines that were broken at a width. Where the next word would have had room, the break was meant. */
function linesToParts(lines: readonly string[], width: number): ProsePart[] {
  const parts: Exclude<ProsePart, { kind: 'quote' }>[] = [];
  let room = 0;
  for (const line of lines) {
    const bare = line.trim();
    const mark = itemMark.exec(bare);
    const last = parts.at(-1);
    const isBroken = room < (/^\S+/.exec(bare)?.[0].length ?? 0) + 1;
    if (mark !== null && (last?.kind !== 'paragraph' || !isBroken || mark[1] !== undefined))
      parts.push({
        kind: 'item',
        text: bare.slice(mark[0].length),
        number: mark[2] === undefined ? null : Number(mark[2]),
      });
    else if (last === undefined || width > maxWidth) parts.push({ kind: 'paragraph', text: bare });
    else last.text += `${isBroken ? ' ' : '\n'}${bare}`;
    room = width * minFull - line.length;
  }
  return parts;
}

/** The parts as elements of a page, in a `name`. */
export function proseElement(document: ProseDocument, parts: readonly ProsePart[], name = 'div'): ProseElement {
  const whole = document.createElement(name);
  let list: ProseElement | null = null;
  let listName = '';
  for (const part of parts) {
    if (part.kind === 'item') {
      const needed = part.number === null ? 'ul' : 'ol';
      if (list === null || listName !== needed) {
        listName = needed;
        list = document.createElement(needed);
        if (part.number !== null) list.setAttribute('start', String(part.number));
        whole.append(list);
      }
      list.append(textElement(document, 'li', part.text));
      continue;
    }
    list = null;
    if (part.kind === 'quote') whole.append(proseElement(document, part.parts, 'blockquote'));
    else whole.append(textElement(document, part.kind === 'code' ? 'pre' : 'p', part.text));
  }
  return whole;
}

function textElement(document: ProseDocument, name: string, text: string): ProseElement {
  const element = document.createElement(name);
  const lines = name === 'pre' ? [text] : text.split('\n');
  for (const [i, line] of lines.entries()) element.append(...(i === 0 ? [line] : [document.createElement('br'), line]));
  return element;
}
