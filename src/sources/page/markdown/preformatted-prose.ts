import type { DomDocument, DomNode } from '../html/dom-node.ts';

/*
 * Prose in `<pre>`, as archives of mailing lists, RFCs and old pages of plain text have it. Its lines, with their marks of
 * quotations and lists, are nearly Markdown and are written as such.
 */

interface ProsePart {
  /** Lines of text, or of an example or a drawing among them. */
  kind: 'lines' | 'code';
  text: string;
}

/** Attribute of a paragraph with its lines, which are written as they are. */
export const proseLines = 'data-lines';

/** In letters. A shorter text is left as it is. */
const minLetters = 200;
/** Share of the letters in paragraphs of sentences. */
const minProse = 0.6;
/** Share of the lines that may be code. */
const maxCode = 0.25;

const codeLine =
  /[;{}]$|^(?:\/\/|\/\*|\*\/|#|;;|\$ |% |>>> |@@ |\+\+\+ |--- |<\/?\w)|\w\(\)|[!=]=|=>|->|:=|\|\||&&|^[\w.[\]]{1,40} ?= ?\S|^(?:- )?[a-z_-]{1,40}:(?: |$)/;
const comment = /^\s*(?:\/\/|\/\*|\*\/)/;
const sentence = /[\p{L}\d)"'”’][.!?…]["'”’)]?(?:\s|$)|[。！？]/u;
const columns = /\S {3,}\S/;
const ruler = /^[-=_*~#]{3,}$/;
const codeClass = /code|highlight|syntax|prettyprint|hljs|brush|shiki|prism|literal|listing|screen|console|terminal/i;

/** The parts of the text of a `<pre>`; null if it is no prose, or if the page calls it code. */
export function proseIn(pre: DomNode, text: string): ProsePart[] | null {
  const classes = [pre, pre.parentNode].map((node) => node?.getAttribute('class') ?? '');
  const isCalledCode = classes.some((one) => codeClass.test(one)) || pre.querySelector('code, samp, kbd') !== null;
  return isCalledCode ? null : proseOf(text);
}

/** The parts of a text that is prose; null for code, tables and drawings. */
export function proseOf(text: string): ProsePart[] | null {
  const parts: ProsePart[] = [];
  let [letters, inProse, count, codeLines] = [0, 0, 0, 0];
  for (const lines of paragraphsOf(text)) {
    const bare = lines.map((line) => line.replace(/^[>\s]+/, ''));
    const own = countLetters(bare.join(' '));
    letters += own;
    count += lines.length;
    const isText = isProse(bare);
    if (isText) inProse += own;
    else codeLines += bare.filter((line) => codeLine.test(line)).length;
    const isCode = !isText && (isMostlyLayout(lines) || own < lines.join('').replaceAll(' ', '').length * 0.5);
    const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
    const written = lines.map((line) => (isCode ? line.slice(indent) : line.trim())).join('\n');
    const last = parts.at(-1);
    if (isCode && last?.kind === 'code') last.text += `\n\n${written}`;
    else parts.push({ kind: isCode ? 'code' : 'lines', text: written });
  }
  return letters < minLetters || inProse < letters * minProse || codeLines > count * maxCode ? null : parts;
}

/** Runs of lines between blank lines; quoted lines are separate runs. */
function paragraphsOf(text: string): string[][] {
  const paragraphs: string[][] = [];
  let open: string[] | null = null;
  for (const line of text.split('\n').map((one) => one.replaceAll('\t', '        ').trimEnd())) {
    const bare = line.trim();
    const isEnd = bare === '' || ruler.test(bare);
    if (open === null || isEnd || open[0]?.trim().startsWith('>') !== bare.startsWith('>')) open = null;
    if (isEnd) continue;
    if (open === null) paragraphs.push((open = []));
    open.push(line);
  }
  return paragraphs;
}

function countLetters(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(/\p{L}+/gu)) count += run.length;
  return count;
}

/** Whether lines are sentences. */
function isProse(lines: readonly string[]): boolean {
  const text = lines.join(' ');
  const spaces = text.match(/\s/g)?.length ?? 0;
  return (
    sentence.test(text) &&
    countLetters(text) + spaces > text.length * 0.8 &&
    !isMostlyLayout(lines) &&
    !lines.some((line) => comment.test(line))
  );
}

/** Whether most lines are code or have columns. */
function isMostlyLayout(lines: readonly string[]): boolean {
  return lines.filter((line) => codeLine.test(line.trim()) || columns.test(line.trim())).length * 2 > lines.length;
}

/** The parts as elements of a page. */
export function proseElement(document: DomDocument, parts: readonly ProsePart[]): DomNode {
  const whole = document.createElement('div');
  for (const { kind, text } of parts) {
    const element = document.createElement(kind === 'code' ? 'pre' : 'p');
    if (kind === 'lines') element.setAttribute(proseLines, text);
    element.append(text);
    whole.append(element);
  }
  return whole;
}

/** The lines of a paragraph as Markdown: what begins quotations and items stays, the rest is escaped. */
export function proseMarkdown(lines: string, escape: (text: string) => string): string {
  return lines
    .split('\n')
    .map((line) => {
      const mark = /^[>\s]*(?:[-*+] |\d{1,3}[.)] )?/.exec(line)?.[0] ?? '';
      return mark + escape(line.slice(mark.length));
    })
    .join('\n');
}
