import type { PlacedBlock } from '../../domain/records/document.ts';
import { graphemesOf, trimSpan, type Graphemes, type TextSpan } from '../../domain/text/graphemes.ts';
import { sentences } from '../../domain/text/sentences.ts';
import { splitOversized } from './split-oversized.ts';
import { seams, type Chunk, type PassageLimits } from './chunk.ts';

export interface Chunker {
  heading(block: PlacedBlock): Chunk[];
  /** @param reserved tokens that the first chunk has to leave free, for the heading above it */
  block(block: PlacedBlock, reserved: number): Chunk[];
  fits(start: number, end: number): boolean;
}

/** Cuts the blocks of one text into chunks that each fit into a passage. */
export function createChunker(text: string, limits: PassageLimits): Chunker {
  const graphemes = graphemesOf(text);
  const { maxTokens, countTokens } = limits;
  const count = (span: TextSpan): number => countTokens(span.start, span.end);
  const fits = (start: number, end: number): boolean => countTokens(start, end) <= maxTokens;

  /** Keeps each span whole when it fits into `limit`, and splits it otherwise. */
  function chunksOf(
    spans: readonly TextSpan[],
    block: PlacedBlock,
    limit: number,
    seam: (at: number) => number,
  ): Chunk[] {
    return spans.flatMap((span): Chunk[] => {
      const tokens = count(span);
      const whole = { ...span, tokens, block, seam: seam(span.start) };
      if (tokens <= limit) return [whole];
      return splitOversized(text, span, { ...limits, maxTokens: limit }, graphemes).map((part, i) => ({
        ...part,
        block,
        seam: i === 0 ? whole.seam : part.seam,
      }));
    });
  }

  function splitBlock(block: PlacedBlock, span: TextSpan, limit: number): Chunk[] {
    const tokens = count(span);
    const firstSeam = isCue(block) && !endsSentence(text, span.start) ? seams.cue : seams.block;
    const whole = [{ ...span, tokens, block, seam: firstSeam }];
    if (block.kind === 'code' || block.kind === 'table') {
      // Split only what exceeds a whole passage. A block that fits only without the heading above it leaves the heading
      // alone.
      if (tokens <= maxTokens) return whole;
      return chunksOf(linesOf(text, span, graphemes), block, limit, () => seams.line);
    }
    // Small blocks and cues of a recording stay whole. A passage may end at a sentence inside a longer paragraph.
    if (tokens <= (isCue(block) ? limit : Math.min(limit, maxTokens / 4))) return whole;
    const cut = proseParts(text, span, graphemes).flatMap((part) =>
      // Like a code block: keep it whole when it fits into a passage of its own.
      part.fence && count(part) <= maxTokens
        ? [{ ...part, tokens: count(part), block, seam: seams.item }]
        : chunksOf(part.fence ? linesOf(text, part, graphemes) : sentencesIn(text, part), block, limit, (at) =>
            part.fence ? seams.line : opensLine(text, at) ? seams.item : seams.sentence,
          ),
    );
    return cut.map((chunk, i) => (i === 0 ? { ...chunk, seam: firstSeam } : chunk));
  }

  return {
    fits,
    heading: (block) => {
      const span = trimSpan(text, block.start, block.end, graphemes);
      return span === undefined ? [] : chunksOf([span], block, maxTokens, () => seams.afterHeading);
    },
    block: (block, reserved) => {
      const span = trimSpan(text, block.start, block.end, graphemes);
      if (span === undefined) return [];
      const limit = reserved > 0 && reserved <= maxTokens / 2 ? maxTokens - reserved : maxTokens;
      const cut = splitBlock(block, span, limit);
      return reserved === 0 ? cut : cut.map((chunk, i) => (i === 0 ? { ...chunk, seam: seams.afterHeading } : chunk));
    },
  };
}

/** Whether the block is a cue of a recording, whose start is a time that a person can jump to. */
function isCue(block: PlacedBlock): boolean {
  return block.kind === 'caption' || block.locator?.kind === 'time';
}

function endsSentence(text: string, before: number): boolean {
  return /(?:^|[.!?…。！？]["'”’»)]*)\s*$/u.test(text.slice(Math.max(0, before - 8), before));
}

function opensLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 20), at));
}

function sentencesIn(text: string, span: TextSpan): TextSpan[] {
  return sentences(text.slice(span.start, span.end)).map(({ start, end }) => ({
    start: span.start + start,
    end: span.start + end,
  }));
}

function linesOf(text: string, span: TextSpan, graphemes: Graphemes): TextSpan[] {
  const lines: TextSpan[] = [];
  let start = span.start;
  while (start < span.end) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 || newline >= span.end ? span.end : newline;
    const line = trimSpan(text, start, end, graphemes);
    if (line !== undefined) lines.push(line);
    start = end + 1;
  }
  return lines;
}

interface ProsePart extends TextSpan {
  fence: boolean;
}

/** `inner` is the marker of a list item: only an opening fence may follow it. */
const fenceLine = /^[ \t>]*(?<inner>(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?<mark>`{3,}|~{3,})(?<rest>.*)$/gm;

/** Splits a span into prose and fenced code, which a list or quote may contain. */
function proseParts(text: string, span: TextSpan, graphemes: Graphemes): ProsePart[] {
  const parts: ProsePart[] = [];
  const add = (start: number, end: number, fence: boolean): void => {
    const part = trimSpan(text, start, end, graphemes);
    if (part !== undefined) parts.push({ ...part, fence });
  };
  let open: { at: number; mark: string } | undefined;
  let start = span.start;
  for (const found of text.slice(span.start, span.end).matchAll(fenceLine)) {
    const at = span.start + found.index;
    const { inner = '', mark = '', rest = '' } = found.groups ?? {};
    if (open === undefined) {
      // "```one line```" is code in a sentence.
      if (mark.startsWith('`') && rest.includes('`')) continue;
      add(start, at, false);
      open = { at, mark };
    } else if (inner === '' && mark.startsWith(open.mark) && rest.trim() === '') {
      start = at + found[0].length;
      add(open.at, start, true);
      open = undefined;
    }
  }
  add(open?.at ?? start, span.end, open !== undefined);
  return parts;
}
