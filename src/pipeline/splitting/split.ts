import type { PlacedBlock, Transcript } from '../../domain/records/texts/document.ts';
import type { SourceLocator } from '../../domain/records/texts/locator.ts';
import type { Passage } from '../../domain/records/texts/passage.ts';
import { headingName } from '../../domain/text/plain-text.ts';
import type { CountSliceTokens, WordPiece } from '../../models/embedding/index.ts';
import { createChunker, packChunks, type PassageLimits } from './chunks.ts';
import type { ContentType } from '../../domain/records/content.ts';
import { hasTextPlaces } from '../../domain/links/deep-links.ts';
import { createTextFragments } from '../../domain/links/text-fragment.ts';
import { isVisiblyEnglish } from '../../domain/search/question-language.ts';
import { charactersPerToken } from '../../domain/text/token-budget.ts';
import type { SourceText } from '../text-worker/text-protocol.ts';

/** No running text has this many characters per token (see `PassageLimits`). */
const maxCharsPerToken = 16;

/**
 * Splits a transcript into passages of at most `maxTokens` tokens (default 250).
 *
 * A passage is an exact slice. Passages are in order, do not overlap, and together hold every non-blank character once.
 * A heading starts a passage and belongs to it. Blocks under one heading share passages. Code and tables are split, at
 * line ends, only when one alone is too long. Other text is split at sentences, then clauses, words and graphemes. The
 * locator of a passage is that of the block in which it begins, or of the nearest earlier block that has one.
 */
export function splitTranscript(
  transcript: Transcript,
  countTokens: CountSliceTokens,
  { maxTokens = 250 }: { maxTokens?: number } = {},
): Passage[] {
  const maxChars = maxTokens * maxCharsPerToken;
  const limits: PassageLimits = {
    maxTokens,
    maxChars,
    // Text without tokens counts as one token: otherwise a passage could hold thousands of them.
    countTokens: (start, end) => (end - start > maxChars ? Infinity : Math.max(1, countTokens(start, end))),
  };
  const chunker = createChunker(transcript.text, limits);
  const passages: Passage[] = [];
  let source: SourceLocator | undefined;

  for (const { headings, body, paths } of sections(transcript)) {
    const chunks = headings.flatMap((block) => chunker.heading(block));
    const reserved = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
    for (const [i, block] of body.entries()) {
      for (const chunk of chunker.block(block, i === 0 ? reserved : 0)) chunks.push(chunk);
    }
    for (const [first, last] of packChunks(chunks, limits, chunker.fits)) {
      const start = chunks[first]?.start ?? 0;
      const end = chunks[last]?.end ?? start;
      source = chunks[first]?.block.locator ?? source;
      const locator = source ?? { kind: 'text', start, end };
      // When the headings do not fit into one passage, a passage that ends with a heading gets that heading's path, not
      // a later one's.
      const path = paths.get(chunks[last]?.block) ?? paths.get(headings.at(-1)) ?? [];
      passages.push({ ordinal: passages.length, start, end, headingPath: [...path], locator });
      for (let i = first; i <= last; i += 1) source = chunks[i]?.block.locator ?? source;
    }
  }
  return passages;
}

/** One heading, or several in a row, and the blocks below until the next heading. */
interface HeadedSection {
  headings: PlacedBlock[];
  body: PlacedBlock[];
  /** The heading path of the text under each heading, outermost first. */
  paths: Map<PlacedBlock | undefined, readonly string[]>;
}

function sections(transcript: Transcript): HeadedSection[] {
  const found: HeadedSection[] = [];
  let current: HeadedSection = { headings: [], body: [], paths: new Map() };
  let above: { level: number; name: string }[] = [];
  for (const block of coveringBlocks(transcript)) {
    if (block.kind !== 'heading') {
      current.body.push(block);
      continue;
    }
    if (current.body.length > 0) {
      found.push(current);
      current = { headings: [], body: [], paths: new Map() };
    }
    const source = transcript.text.slice(block.start, block.end);
    const level = block.level ?? (/^\s*(#{1,6})\s/.exec(source)?.[1]?.length || 1);
    above = above.filter((heading) => heading.level < level);
    const name = headingName(source);
    if (name !== '') above.push({ level, name });
    current.headings.push(block);
    current.paths.set(
      block,
      above.map((heading) => heading.name),
    );
  }
  if (current.headings.length + current.body.length > 0) found.push(current);
  return found;
}

/** The blocks, plus a paragraph for any text that no block holds: all text of a transcript must be findable. */
function coveringBlocks({ text, blocks }: Transcript): PlacedBlock[] {
  const covering: PlacedBlock[] = [];
  let at = 0;
  for (const block of blocks) {
    if (block.start > at) covering.push({ start: at, end: block.start, kind: 'paragraph' });
    if (block.end > at) covering.push({ ...block, start: Math.max(at, block.start) });
    at = Math.max(at, block.end);
  }
  if (at < text.length) covering.push({ start: at, end: text.length, kind: 'paragraph' });
  return covering.filter((block) => text.slice(block.start, block.end).trim() !== '');
}

/** Longer texts get no fragments: each passage is searched for in all the text before it. */
const maxLinkedLength = 400_000;

/** Adds the text fragment of its link to each passage, so that no search has to read the page for it. */
export function linkPassages(
  passages: readonly Passage[],
  { transcript, contentType }: { transcript: Transcript; contentType: ContentType },
): Passage[] {
  if (!hasTextPlaces(contentType) || transcript.text.length > maxLinkedLength) return [...passages];
  const fragmentOf = createTextFragments(transcript);
  return passages.map((passage) =>
    passage.locator.kind === 'text' ? { ...passage, fragment: fragmentOf(passage.start, passage.end) } : passage,
  );
}

/*
 * Passages are sized for the model in the package, whose words are English: it cuts a Russian word into letters, so 250
 * of its tokens are two sentences of Russian and ten of English. Texts that it never reads are sized by characters.
 */

/** How the tokens of a text's slices are counted when it is split. */
export function counterFor(
  { language, transcript }: Pick<SourceText, 'language' | 'transcript'>,
  wordPiece: Pick<WordPiece, 'countSlicesOf'>,
): CountSliceTokens {
  const primary = language?.toLowerCase().split(/[-_]/, 1)[0] ?? null;
  const sample = transcript.text.slice(0, sampleLength);
  const isRead = primary === 'en' || (primary === null ? isMostlyLatin(sample) : isVisiblyEnglish(sample));
  const { text } = transcript;
  return isRead ? wordPiece.countSlicesOf(text) : (start, end) => countByCharacters(text.slice(start, end));
}

const sampleLength = 2_000;

function isMostlyLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length >= letters.length / 2;
}

/** A character of these scripts carries as much as a few letters, and is about one token of any model. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Vowel signs and the like, which Indian scripts write beside or over letters. */
const marks = /\p{M}/gu;

function countByCharacters(text: string): number {
  if (/^[\0-\u02ff]*$/.test(text)) return Math.ceil(text.length / charactersPerToken);
  const denseCount = text.match(dense)?.length ?? 0;
  const markCount = text.match(marks)?.length ?? 0;
  return Math.ceil(denseCount + (text.length - denseCount - markCount) / charactersPerToken);
}
