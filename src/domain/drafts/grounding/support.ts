import { addressesIn } from '../../links/addresses.ts';
import type { TextSpan } from '../../text/graphemes.ts';
import { sentences } from '../../text/sentences.ts';
import { tokensOf, type GroundingToken } from './tokens.ts';
import { plainText } from '../../text/plain-text.ts';

/** At most this many UTF-16 units on each side of a quote: a neighbouring paragraph may be as long as a book. */
const maxReach = 1_500;
/** At least this many UTF-16 units on each side, even across several short paragraphs. */
const minReach = 800;
/** UTF-16 units from the beginning of a text, which states its subject. */
const maxOpening = 400;
const maxHeadings = 3;
/** A sentence model reads these: each takes some five milliseconds. */
const maxSentences = 16;
const maxSentence = 400;

/** The parts of a text that an instruction is compared with. */
export interface Support {
  /** The paragraph of the quote with its neighbours, the headings above, and the beginning of the text. */
  near: readonly GroundingToken[];
  /** The sentences that contain the quote. */
  quote: readonly GroundingToken[];
  /** `quote` with one more sentence on each side. */
  close: readonly GroundingToken[];
  addresses: ReadonlySet<string>;
  /** The source text of `near`, in lower case. */
  written: string;
  /** The sentences nearest to the quote, and the headings above. */
  sentences: readonly string[];
}

/** Collects the text near a quote. Reads a bounded part of the text. */
export function supportFor(text: string, quote: TextSpan): Support {
  const from = Math.min(paragraphsBefore(text, quote.start), Math.max(0, quote.start - minReach));
  const to = Math.max(paragraphsAfter(text, quote.end), Math.min(text.length, quote.end + minReach));
  const window = text.slice(from, to);
  const opening = text.slice(0, Math.min(from, maxOpening));
  const headings = headingsBefore(text, from);
  const around = `${opening}\n\n${headings.join('\n\n')}\n\n${window}`;
  return {
    near: tokensOf(plainText(around)),
    quote: tokensOf(plainText(sentencesAround(text, quote, 0))),
    close: tokensOf(plainText(sentencesAround(text, quote, 1))),
    addresses: new Set(addressesIn(around)),
    written: around.toLowerCase(),
    sentences: [...headings, ...sentencesNear(window, quote.start - from, quote.end - from)].map((sentence) =>
      plainText(sentence).slice(0, maxSentence),
    ),
  };
}

/** The sentences of a text that are nearest to a place in it. */
function sentencesNear(text: string, start: number, end: number): string[] {
  const distance = (span: TextSpan) => Math.max(0, span.start - end, start - span.end);
  return sentences(text)
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, maxSentences)
    .map((span) => text.slice(span.start, span.end));
}

function paragraphsBefore(text: string, start: number): number {
  const minStart = Math.max(0, start - maxReach);
  const own = text.lastIndexOf('\n\n', start);
  if (own < minStart) return minStart;
  return Math.max(minStart, text.lastIndexOf('\n\n', own - 1));
}

function paragraphsAfter(text: string, end: number): number {
  const limit = Math.min(text.length, end + maxReach);
  const own = text.indexOf('\n\n', end);
  if (own === -1 || own > limit) return limit;
  const next = text.indexOf('\n\n', own + 2);
  return next === -1 ? limit : Math.min(limit, next);
}

function headingsBefore(text: string, start: number): string[] {
  const found: string[] = [];
  const before = text.slice(Math.max(0, start - 20_000), start);
  for (
    let at = before.lastIndexOf('\n#');
    at >= 0 && found.length < maxHeadings;
    at = before.lastIndexOf('\n#', at - 1)
  ) {
    const end = before.indexOf('\n', at + 1);
    found.push(before.slice(at + 1, Math.min(end === -1 ? before.length : end, at + 200)));
    if (at === 0) break;
  }
  return found;
}

/** The sentences that contain the quote, with `more` sentences of its paragraph on each side. */
function sentencesAround(text: string, { start, end }: TextSpan, more: number): string {
  let from = start;
  for (let passed = 0; from > 0 && start - from < maxReach; from -= 1) {
    const before = text.charAt(from - 1);
    if (before === '\n' || (sentenceEnd.test(text.slice(from - 1, from + 1)) && passed++ >= more)) break;
  }
  let to = end;
  for (let passed = 0; to < text.length && to - end < maxReach; to += 1) {
    if (text.charAt(to) === '\n' || (sentenceEnd.test(text.slice(to - 1, to + 1)) && passed++ >= more)) break;
  }
  return text.slice(from, to);
}

/** A full stop must be followed by a space: within a number or address it does not end a sentence. */
const sentenceEnd = /^(?:[.!?]\s|[。！？])/;
