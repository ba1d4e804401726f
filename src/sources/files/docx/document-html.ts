import { noteRef, noteText } from '../../page/html/footnotes.ts';
import { pieceLength } from '../chapter-markdown.ts';
import { escaped } from '../xml-elements.ts';
import type { Label } from './numbering.ts';

export type OfficeBlock = OfficeParagraph | { rows: OfficeBlock[][][] };

export interface OfficeParagraph {
  tag: 'p' | 'blockquote' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6';
  html: string;
  label: Label | null;
  /** Whether the check box before the text is ticked; null without one. */
  isTicked: boolean | null;
}

/** A table with a longer text in a cell arranges the page. */
const maxCellLength = 800;

/** The HTML of a document, in pieces of bounded length as far as its paragraphs and tables allow. */
export function htmlPieces(blocks: readonly OfficeBlock[]): string[] {
  const pieces: string[] = [];
  let piece = new HtmlPiece();
  for (const block of blocks) {
    if (piece.length > pieceLength && !('html' in block && isItem(block) && (block.label?.depth ?? 0) > 0)) {
      pieces.push(piece.end());
      piece = new HtmlPiece();
    }
    piece.add(block);
  }
  return [...pieces, piece.end()];
}

/**
 * The HTML followed by its notes, in one numbering: footnotes as in Word, then end notes and comments.
 * @param notes in this order, by their marks
 */
export function numberNotes(pieces: readonly string[], notes: ReadonlyMap<string, readonly OfficeBlock[]>): string[] {
  const shown = new Set(pieces.flatMap(marksIn));
  const texts = new Map<string, string>();
  for (const [mark, blocks] of notes) {
    if (!shown.has(mark)) continue;
    const html = htmlPieces(blocks).join('');
    texts.set(mark, html);
    for (const inner of marksIn(html)) shown.add(inner);
  }
  const ordered = ['f', 'e', 'c'].flatMap((kind) => [...shown].filter((mark) => mark.startsWith(kind)));
  const numbers = new Map(ordered.map((mark, i) => [mark, `${i + 1}`]));
  const numbered = (html: string): string =>
    html.replaceAll(markPattern, (_, mark: string) => noteMark(numbers.get(mark) ?? ''));
  const noteHtml = ordered
    .filter((mark) => texts.has(mark))
    .map((mark) => `<div ${noteText}="${numbers.get(mark)}">${numbered(texts.get(mark) ?? '')}</div>`);
  return [...pieces.map(numbered), noteHtml.join('')];
}

/** The marks of footnotes, end notes and comments before they have their numbers. */
const markPattern = /<a data-note-ref="([cef]\d+)">[^<]*<\/a>/g;

function marksIn(html: string): string[] {
  return [...html.matchAll(markPattern)].map(([, mark = '']) => mark);
}

export function noteMark(label: string): string {
  return `<a ${noteRef}="${label}">${label}</a>`;
}

function isItem({ tag, label, isTicked }: OfficeParagraph): boolean {
  return tag === 'p' && (label !== null || isTicked !== null);
}

class HtmlPiece {
  readonly #parts: string[] = [];
  readonly #lists: { depth: number; isNumbered: boolean; last: number }[] = [];
  length = 0;

  add(block: OfficeBlock): void {
    if ('rows' in block) this.#addTable(block.rows);
    else if (isItem(block)) this.#addItem(block);
    else if (block.html.trim() !== '') {
      this.#closeLists(0);
      const label = block.label?.text ?? null;
      this.#push(`<${block.tag}>${label === null ? '' : `${escaped(label)} `}${block.html}</${block.tag}>`);
    }
  }

  end(): string {
    this.#closeLists(0);
    return this.#parts.join('');
  }

  #push(html: string): void {
    this.#parts.push(html);
    this.length += html.length;
  }

  #closeLists(depth: number): void {
    for (let list = this.#lists.at(-1); list !== undefined && list.depth >= depth; list = this.#lists.at(-1)) {
      this.#push(list.isNumbered ? '</li></ol>' : '</li></ul>');
      this.#lists.pop();
    }
  }

  #addItem({ label, isTicked, html }: OfficeParagraph): void {
    const { depth = 0, number = null, text = null } = label ?? {};
    const isNumbered = number !== null && number >= 0;
    this.#closeLists(depth + 1);
    const list = this.#lists.at(-1);
    const goesOn = list?.depth === depth && list.isNumbered === isNumbered && (!isNumbered || number === list.last + 1);
    if (list !== undefined && goesOn) {
      list.last += 1;
      this.#push('</li><li>');
    } else {
      this.#closeLists(depth);
      this.#lists.push({ depth, isNumbered, last: number ?? 0 });
      this.#push(isNumbered ? `<ol start="${number}"><li>` : '<ul><li>');
    }
    if (isTicked !== null) this.#push(`<input type="checkbox" disabled${isTicked ? ' checked' : ''}>`);
    this.#push(`${isNumbered || text === null ? '' : `${escaped(text)} `}${html}`);
  }

  #addTable(rows: OfficeBlock[][][]): void {
    this.#closeLists(0);
    const isData =
      rows.some((cells) => cells.length > 1) &&
      rows.every((cells) => cells.every((cell) => lengthOf(cell) <= maxCellLength));
    if (isData) {
      for (const [i, cells] of rows.entries())
        this.#push(
          `${i === 0 ? '<table>' : ''}<tr>${cells.map((cell) => `<td>${inlineHtml(cell)}</td>`).join('')}</tr>`,
        );
      this.#push('</table>');
    } else for (const block of rows.flat(2)) this.add(block);
  }
}

export function lengthOf(blocks: readonly OfficeBlock[]): number {
  return blocks.reduce(
    (sum, block) =>
      sum + ('rows' in block ? lengthOf(block.rows.flat(2)) : block.html.replaceAll(/<[^<>]*>/g, '').length),
    0,
  );
}

function inlineHtml(blocks: readonly OfficeBlock[]): string {
  return blocks
    .map((block) => {
      if ('rows' in block)
        return block.rows
          .map((cells) =>
            cells
              .map(inlineHtml)
              .filter((cell) => cell !== '')
              .join(' · '),
          )
          .join('<br>');
      const mark =
        block.isTicked === null
          ? isItem(block)
            ? (block.label?.text ?? '•')
            : (block.label?.text ?? '')
          : block.isTicked
            ? '☒'
            : '☐';
      return `${mark === '' ? '' : `${escaped(mark)} `}${block.html}`.trim();
    })
    .filter((html) => html !== '')
    .join('<br>');
}

export interface OfficeRun {
  format: RunFormat;
  html: string;
}

export const plainRun = { isBold: false, isItalic: false, isStruck: false, vertical: '', isHidden: false, href: '' };
export type RunFormat = typeof plainRun;

export function joinRuns(runs: readonly OfficeRun[]): string {
  const parts: string[] = [];
  let link = '';
  let before: RunFormat = plainRun;
  let open = '';
  const close = (): void => {
    if (open.trim() === '') parts.push(open);
    else parts.push(marked(open, before));
    open = '';
  };
  for (const { format, html } of runs) {
    if (!isAlike(format, before)) {
      close();
      if (format.href !== link) {
        if (link !== '') parts.push('</a>');
        if (format.href !== '') parts.push(`<a href="${escaped(format.href)}">`);
        link = format.href;
      }
      before = format;
    }
    open += html;
  }
  close();
  if (link !== '') parts.push('</a>');
  return parts.join('').trim();
}

function isAlike(one: RunFormat, other: RunFormat): boolean {
  return (
    one.href === other.href &&
    one.isBold === other.isBold &&
    one.isItalic === other.isItalic &&
    one.isStruck === other.isStruck &&
    one.vertical === other.vertical
  );
}

function marked(html: string, { isBold, isItalic, isStruck, vertical }: RunFormat): string {
  let text = html;
  if (vertical === 'superscript' && !text.startsWith('<a')) text = `<sup>${text}</sup>`;
  if (vertical === 'subscript') text = `<sub>${text}</sub>`;
  if (isStruck) text = `<s>${text}</s>`;
  if (isItalic) text = `<em>${text}</em>`;
  return isBold ? `<strong>${text}</strong>` : text;
}

/** Programs append notes to the descriptions that they generate. */
const madeByProgram = /(?:Description automatically generated|AI-generated content may be incorrect)/i;

export function picture(description = ''): string {
  const [words = ''] = description.split(madeByProgram, 1);
  const text = words.replaceAll(/\s+/g, ' ').trim().slice(0, maxDescription);
  return text === '' ? '' : ` (Picture: ${escaped(text)}) `;
}
const maxDescription = 2_000;
