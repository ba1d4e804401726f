import type { PlacedBlock } from '../../domain/records/texts/document.ts';
import { type TextSpan, graphemesOf, trimSpan, type Graphemes } from '../../domain/text/graphemes.ts';
import type { CountSliceTokens } from '../../models/embedding/index.ts';
import { sentences } from '../../domain/text/sentences.ts';

/** A part of a block that is never split between passages. */
interface Chunk extends TextSpan {
  tokens: number;
  block: PlacedBlock;
  /** Cost of starting a passage with this chunk, one of `seams`. */
  seam: number;
}

export interface PassageLimits {
  maxTokens: number;
  /**
   * Tokenizers count a word of hundreds of characters as one unknown token; without a bound on the characters a
   * line of base64 would be one passage. Running text has 3 to 6 characters a token.
   */
  maxChars: number;
  /** Infinity for a slice of more than `maxChars`. */
  countTokens: CountSliceTokens;
}

/** Costs in `packChunks`, where an empty passage costs 1. */
const seams = {
  block: 0,
  item: 0.1,
  cue: 0.15,
  sentence: 0.25,
  clause: 0.6,
  word: 0.7,
  line: 0.8,
  grapheme: 1,
  /** More than any arrangement saves: a heading is parted from its text only when both do not fit into one passage. */
  afterHeading: 100,
} as const;

interface Chunker {
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
      // Split only what exceeds a whole passage. A block that fits only without the heading above it is separated from the heading.
      if (tokens <= maxTokens) return whole;
      return chunksOf(linesOf(text, span, graphemes), block, limit, () => seams.line);
    }
    // Small blocks and cues of a recording stay whole. A passage may end at a sentence inside a longer paragraph.
    if (tokens <= (isCue(block) ? limit : Math.min(limit, maxTokens / 4))) return whole;
    const cut = proseParts(text, span, graphemes).flatMap((part) =>
      // Like a code block: keep it whole when it fits into one passage.
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

/** First and last chunk of a passage, both inclusive. */
type ChunkRun = readonly [first: number, last: number];

/**
 * Groups consecutive chunks into passages that fit, by the cheapest arrangement: a passage costs the square of the
 * share that it leaves empty, plus the seam at which it begins. Two half passages thus cost less than a full one and an
 * orphan.
 */
export function packChunks(
  chunks: readonly Chunk[],
  limits: Pick<PassageLimits, 'maxTokens' | 'maxChars'>,
  fits: (start: number, end: number) => boolean,
): ChunkRun[] {
  /** For the cheapest arrangement of the first n chunks: its cost, and the first chunk of its last passage. */
  const cost = new Float64Array(chunks.length + 1);
  const begin = new Uint32Array(chunks.length + 1);
  for (let n = 1; n <= chunks.length; n += 1) {
    const end = chunks[n - 1]?.end ?? 0;
    let best = Infinity;
    let tokens = 0;
    for (let first = n - 1; first >= 0; first -= 1) {
      const chunk = chunks[first];
      if (chunk === undefined) break;
      tokens += chunk.tokens;
      if (first < n - 1 && (tokens > limits.maxTokens || end - chunk.start > limits.maxChars)) break;
      const empty = Math.max(0, 1 - tokens / limits.maxTokens);
      const candidate = (cost[first] ?? 0) + empty * empty + (first === 0 ? 0 : chunk.seam);
      if (candidate < best) {
        best = candidate;
        begin[n] = first;
      }
    }
    cost[n] = best;
  }

  const runs: ChunkRun[] = [];
  for (let n = chunks.length; n > 0; n = begin[n] ?? 0) runs.push([begin[n] ?? 0, n - 1]);
  return runs.reverse().flatMap((run) => halveUntilFitting(run, chunks, fits));
}

/** When chunks meet inside a word, a tokenizer may count more for the whole than for its parts. */
function halveUntilFitting(
  [first, last]: ChunkRun,
  chunks: readonly Chunk[],
  fits: (start: number, end: number) => boolean,
): ChunkRun[] {
  if (first === last || fits(chunks[first]?.start ?? 0, chunks[last]?.end ?? 0)) return [[first, last]];
  const middle = (first + last) >> 1;
  return [...halveUntilFitting([first, middle], chunks, fits), ...halveUntilFitting([middle + 1, last], chunks, fits)];
}

interface SentencePart extends TextSpan {
  tokens: number;
  seam: number;
}

/**
 * Ends of clauses: after a mark (and what closes behind it) before white space; after the marks of scripts without
 * spaces; after the space before a dash or an opening bracket. The pattern finds the white space first and then looks
 * behind, so that a run of brackets is read only once.
 */
const clauseEnd = /(?=\s)(?<=[,;:)\]—–]["'”’*_)\]]*)|[、，；：]|\s(?=[—–(])/gu;

/**
 * Splits a sentence (or line) that is too long for a passage at clauses, a clause that is still too long between words,
 * and a word that is too long (a script without spaces, base64) between graphemes. The parts are about a quarter of a
 * passage or smaller, so that packing can choose where a passage ends. Linear in the span.
 */
function splitOversized(text: string, span: TextSpan, limits: PassageLimits, graphemes: Graphemes): SentencePart[] {
  const small: PassageLimits = {
    ...limits,
    maxTokens: Math.max(1, limits.maxTokens / 4),
    maxChars: Math.ceil(limits.maxChars / 4),
  };
  const parts: SentencePart[] = [];
  for (const clause of spansBetween(text, span, clauseEnd, graphemes)) {
    const tokens = limits.countTokens(clause.start, clause.end);
    if (tokens <= small.maxTokens && clause.end - clause.start <= small.maxChars) {
      parts.push({ ...clause, tokens, seam: seams.clause });
    } else {
      for (const part of splitWords(text, clause, small, graphemes)) parts.push(part);
    }
  }
  return parts;
}

/** Splits `span` after each match of `mark`; blank parts are left out. */
function spansBetween(text: string, span: TextSpan, mark: RegExp, graphemes: Graphemes): TextSpan[] {
  const spans: TextSpan[] = [];
  let start = span.start;
  const add = (end: number): void => {
    if (graphemes.floor(end) !== end) return;
    const part = trimSpan(text, start, end, graphemes);
    if (part !== undefined) spans.push(part);
    start = end;
  };
  for (const found of text.slice(span.start, span.end).matchAll(mark)) add(span.start + found.index + found[0].length);
  add(span.end);
  return spans;
}

/** Groups words into runs that fit into `limits`. A longer word is split between graphemes. */
function splitWords(text: string, span: TextSpan, limits: PassageLimits, graphemes: Graphemes): SentencePart[] {
  const parts: SentencePart[] = [];
  let run: SentencePart | undefined;
  for (const word of spansBetween(text, span, /\s+/gu, graphemes)) {
    const tokens = limits.countTokens(word.start, word.end);
    if (run !== undefined && run.tokens + tokens <= limits.maxTokens && word.end - run.start <= limits.maxChars) {
      run.end = word.end;
      run.tokens += tokens;
      continue;
    }
    if (run !== undefined) parts.push(run);
    run = undefined;
    if (tokens <= limits.maxTokens && word.end - word.start <= limits.maxChars) {
      run = { ...word, tokens, seam: parts.length === 0 ? seams.clause : seams.word };
    } else {
      for (const part of splitGraphemes(text, word, limits)) parts.push(part);
    }
  }
  if (run !== undefined) parts.push(run);
  return parts;
}

function splitGraphemes(text: string, span: TextSpan, limits: PassageLimits): SentencePart[] {
  const parts: SentencePart[] = [];
  let guess = Math.min(limits.maxChars, Math.ceil(limits.maxTokens));
  for (let start = span.start; start < span.end;) {
    // The segmenter looks back to the start of a run of flag emoji, however long, so it gets only a short slice.
    const ahead = text.slice(start, Math.min(span.end, codePointFloor(text, start + 2 * limits.maxChars)));
    let length = fittingLength(
      Math.min(limits.maxChars, ahead.length),
      guess,
      (size) => limits.countTokens(start, start + size) / limits.maxTokens,
    );
    guess = length;
    if (length < ahead.length) {
      const graphemes = graphemesOf(ahead);
      length = graphemes.floor(wordEnd(ahead, length));
      // A grapheme longer than a chunk is kept whole up to the end of the slice, which limits endless combining marks.
      if (length === 0) length = graphemes.ceil(1);
    }
    const end = start + length;
    parts.push({ start, end, tokens: limits.countTokens(start, end), seam: seams.grapheme });
    start = end;
  }
  return parts;
}

/** A size in 1–`max` that fills three quarters or more, galloping from `guess`; else the largest that fits, or 1. */
function fittingLength(max: number, guess: number, share: (size: number) => number): number {
  let low = 1;
  let high = max + 1;
  for (let size = guess; low + 1 < high;) {
    const tried = Math.min(Math.max(size, low + 1), high - 1);
    const filled = share(tried);
    if (filled <= 1) low = tried;
    else high = tried;
    if (filled >= 0.75 && filled <= 1) break;
    size = high > max ? low * 2 : (low + high) >> 1;
  }
  return low;
}

const unspaced =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The end of a word at or shortly before `end`, in scripts that are written without spaces. */
function wordEnd(text: string, end: number): number {
  const from = codePointFloor(text, Math.max(0, end - 60));
  const near = text.slice(from, end + 20);
  if (!unspaced.test(near)) return end;
  const word = from + (wordSegmenter.segment(near).containing(end - from)?.index ?? 0);
  return word > 0 ? word : end;
}

function codePointFloor(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
