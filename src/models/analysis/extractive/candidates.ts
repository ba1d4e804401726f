import type { PlacedBlock } from '../../../domain/records/texts/document.ts';
import { headingName, plainText } from '../../../domain/text/plain-text.ts';
import { sentences, withoutNoteMarks } from '../../../domain/text/sentences.ts';
import type { AnalysisInput } from '../analyst.ts';

/**
 * A sentence of running text. `text.slice(start, end)` is its Markdown source; `plain` is the text that a reader sees.
 */
export interface SourceSentence {
  start: number;
  end: number;
  plain: string;
  /** Position among the sentences of the document, from 0. */
  index: number;
  /** Position of its block in the document; `place` is the position of the sentence in its block. Both from 0. */
  block: number;
  place: number;
  kind: PlacedBlock['kind'];
  /** The heading above the sentence, as plain text, or ''. */
  heading: string;
  /** True if it begins inside a quotation that was opened by an earlier sentence of the block. */
  quoted: boolean;
  /** Share of `plain` that is link text, 0–1. */
  linked: number;
}

/** Characters of a title or heading that are read: each sentence is compared with them. */
export const maxTitle = 300;

/**
 * A transcript without punctuation is one endless sentence. It is split at the first cue boundary after this many
 * characters.
 */
const cueRun = 220;

/** Whether a block is the header of a mail that was sent on (`From: … Subject: …`), in any language: a mail address in lines with labels. */
export function isMailHeader(block: string): boolean {
  const start = block.slice(0, 2_000);
  const labels = start.match(/^[*_]{0,2}\p{L}[\p{L} ]{0,19}(?:: ?[*_]{0,2}|[*_]{1,2}: ?)(?=\S)/gmu)?.length ?? 0;
  return labels >= 3 && /[<(:[ ][\w.+-]{1,64}@[\w-]{1,63}\./.test(start);
}

/**
 * The sentences of all blocks except code, tables, headings and headers of mails, in order. A generator, so that the caller can pause.
 */
export function* sourceSentences({ text, blocks }: Pick<AnalysisInput, 'text' | 'blocks'>): Generator<SourceSentence> {
  let index = 0;
  let heading = '';
  for (let b = 0; b < blocks.length; b += 1) {
    const block = blocks[b];
    if (block === undefined || block.kind === 'code' || block.kind === 'table') continue;
    if (block.kind === 'heading') {
      heading = headingName(text.slice(block.start, block.end)).slice(0, maxTitle);
      continue;
    }
    const cue = isCue(block);
    const first = b;
    // In a transcript, one sentence spans many cues.
    if (cue) while (isCue(blocks[b + 1])) b += 1;
    const end = blocks[b]?.end ?? block.end;
    const slice = text.slice(block.start, end);
    if (isMailHeader(slice)) continue;
    let place = 0;
    let isOpen = false;
    for (const span of cue ? cueSentences(slice) : proseSentences(slice)) {
      const source = slice.slice(span.start, span.end);
      const plain = withoutNoteMarks(oneLine(plainText(source)));
      const quoted = isOpen;
      isOpen = leavesQuotationOpen(plain, isOpen);
      if (plain === '') continue;
      const { kind } = block;
      yield {
        start: block.start + span.start,
        end: block.start + span.end,
        plain,
        index,
        block: first,
        place,
        kind,
        heading,
        quoted,
        linked: linkedShare(source, plain),
      };
      index += 1;
      place += 1;
    }
  }
}

/**
 * True if a quotation is still open after this sentence. A straight quotation mark after a digit is an inch sign unless
 * a quotation is open.
 */
function leavesQuotationOpen(plain: string, isOpenBefore: boolean): boolean {
  let isOpen = isOpenBefore;
  for (const { 0: mark, index } of plain.matchAll(/["“”]/g)) {
    const isInches = mark === '"' && !isOpen && /\p{N}/u.test(plain.charAt(index - 1));
    if (!isInches) isOpen = !isOpen;
  }
  return isOpen;
}

function linkedShare(source: string, plain: string): number {
  let linked = 0;
  for (const [, shown = ''] of source.matchAll(/(?<!!)\[([^[\]\n]{1,1000})\]\([^()\s]/g)) linked += shown.length;
  return Math.min(1, linked / Math.max(1, plain.length));
}

function isCue(block: PlacedBlock | undefined): boolean {
  return block?.locator?.kind === 'time';
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

interface SentenceSpan {
  start: number;
  end: number;
}

function* proseSentences(slice: string): Generator<SentenceSpan> {
  let fence: string | undefined;
  for (const span of sentences(slice)) {
    const source = slice.slice(span.start, span.end);
    // A list item or quote may hold fenced code.
    const marks = source.match(/^[ \t>]*(?:[-*+][ \t]+)?(`{3}|~{3})/gm) ?? [];
    const fenced = fence !== undefined || marks.length > 0;
    for (const mark of marks) fence = fence === undefined ? mark.trim() : undefined;
    if (!fenced) yield withoutMarkers(source, span);
  }
}

/** The sentence without the list marker before it and without emphasis that another sentence opens or closes. */
function withoutMarkers(source: string, span: SentenceSpan): SentenceSpan {
  let { start, end } = span;
  start += /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s))[ \t]*(?:\[[ xX]\][ \t]+)?)*/.exec(source)?.[0].length ?? 0;
  const inner = source.slice(start - span.start);
  const open = /^(?:\*{1,3}|_{1,3})(?=\S)/.exec(inner)?.[0];
  const close = /(?:\*{1,3}|_{1,3})$/.exec(inner)?.[0];
  if (open !== undefined && inner.indexOf(open, open.length) === -1) start += open.length;
  else if (close !== undefined && inner.indexOf(close) === inner.length - close.length) end -= close.length;
  return start < end ? { start, end } : span;
}

function* cueSentences(slice: string): Generator<SentenceSpan> {
  // Replace line breaks with spaces: they only separate cues, and the length, and so the offsets, must not change.
  for (const span of sentences(slice.replaceAll('\n', ' '))) {
    if (span.end - span.start <= 2 * cueRun) {
      yield span;
      continue;
    }
    for (let { start } = span; start < span.end;) {
      const from = Math.min(start + cueRun, span.end);
      const line = slice.slice(from, Math.min(start + 2 * cueRun + 1, span.end)).indexOf('\n');
      const end = line === -1 ? span.end : from + line;
      yield { start, end };
      start = end;
      while (start < span.end && /\s/.test(slice.charAt(start))) start += 1;
    }
  }
}
