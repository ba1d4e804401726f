import { cleanText, hasVisibleText } from '../../text/clean-text.ts';
import type { ContentType, KeptWarning } from '../content.ts';
import { countLatinWords } from '../../text/words/latin-words.ts';
import type { Locator, SourceLocator } from './locator.ts';

export const blockKinds = ['heading', 'paragraph', 'list', 'quote', 'code', 'table', 'caption'] as const;
export type BlockKind = (typeof blockKinds)[number];

/** One block of a document as a source read it. `text` is Markdown (a heading keeps its `#`, code its fence). */
export interface Block {
  text: string;
  kind: BlockKind;
  /** 1–6, headings only. */
  level?: number | undefined;
  /** The page or second where the block begins; absent where only the text offset tells. */
  locator?: SourceLocator | undefined;
}

/** The result of a source's extraction from the fetched bytes. Fields that the source does not know are null. */
export interface Document {
  contentType: ContentType;
  title: string | null;
  author: string | null;
  siteName: string | null;
  /** ISO 8601, UTC. */
  publishedAt: string | null;
  /** Language of the text, BCP 47. */
  language: string | null;
  /** The canonical address that the page declares, when plausible. */
  canonicalUrl: string | null;
  durationSeconds: number | null;
  pageCount: number | null;
  blocks: Block[];
  warnings: KeptWarning[];
}

/** Metadata of an item that has no text. */
export type KnownMetadata = Partial<
  Pick<
    Document,
    'contentType' | 'title' | 'author' | 'siteName' | 'publishedAt' | 'language' | 'durationSeconds' | 'pageCount'
  >
>;

/** A block placed in the transcript: `text.slice(start, end)` is its Markdown. */
export interface PlacedBlock {
  start: number;
  end: number;
  kind: BlockKind;
  level?: number | undefined;
  locator?: SourceLocator | undefined;
}

/** A document's text as it is stored, with the positions of its blocks. */
export interface Transcript {
  text: string;
  blocks: PlacedBlock[];
}

const blockSeparator = '\n\n';

/**
 * Blocks per document. The longest books have some 30,000 paragraphs, but a page of a few megabytes can have millions
 * of blocks, and every stage would pass a record of each to the next.
 */
export const maxBlocks = 50_000;

/** Joins blocks to one text, with a blank line between them. Blocks without visible text are left out. */
export function layOutTranscript(blocks: readonly Block[]): Transcript {
  const placed: PlacedBlock[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const block of blocks) {
    // `trimEnd`, because the pattern `\s+$` takes quadratic time on a long run of spaces within the text.
    const text = cleanText(block.text).replace(/^\n+/, '').trimEnd();
    if (!hasVisibleText(text)) continue;
    if (parts.length > 0) length += blockSeparator.length;
    const { kind, level, locator } = block;
    placed.push({
      start: length,
      end: length + text.length,
      kind,
      ...(level !== undefined && { level }),
      ...(locator !== undefined && { locator }),
    });
    parts.push(text);
    length += text.length;
  }
  return { text: parts.join(blockSeparator), blocks: atMost(maxBlocks, placed) };
}

/** Merges neighbouring blocks so that at most `maxBlocks` remain. A merged block is a paragraph with the first locator. */
function atMost(maxBlocks: number, blocks: PlacedBlock[]): PlacedBlock[] {
  if (blocks.length <= maxBlocks) return blocks;
  const together = Math.ceil(blocks.length / maxBlocks);
  const joined: PlacedBlock[] = [];
  for (let first = 0; first < blocks.length; first += together) {
    const [opening, last] = [blocks[first], blocks[Math.min(first + together, blocks.length) - 1]];
    if (opening === undefined || last === undefined) break;
    const { start, locator } = opening;
    joined.push({ start, end: last.end, kind: 'paragraph', ...(locator !== undefined && { locator }) });
  }
  return joined;
}

/**
 * The locator of `text.slice(start, end)`: the page or second of the block that contains `start` (or of the nearest
 * block before it that has one), else the offsets themselves.
 */
export function locatorAt(transcript: Pick<Transcript, 'blocks'>, start: number, end: number): Locator {
  let nearest: SourceLocator | undefined;
  for (const block of transcript.blocks) {
    if (block.start > start) break;
    nearest = block.locator ?? nearest;
  }
  return nearest ?? { kind: 'text', start, end };
}

/**
 * After its first character a word may have marks: vowel signs of Indic scripts, combining accents. Its length is
 * bounded: matching millions of characters at once overflows the stack.
 */
const wordPattern =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]][\p{M}\u200c\u200d]{0,500}){1,500}(?:['’](?:\p{L}\p{M}{0,500}){1,500}){0,500}/gv;

/**
 * The number of words as a person counts them: runs of letters and digits, and each character of the scripts
 * without spaces (Han, Kana, Thai).
 */
export function countWords(text: string): number {
  const latin = countLatinWords(text);
  if (latin !== null) return latin;
  let count = 0;
  for (const _ of text.matchAll(wordPattern)) count += 1;
  return count;
}
