import { beginningOf } from '../domain/text/shortened.ts';
import { tokensOf } from '../domain/text/token-budget.ts';

const cutMark = ' … [cut; more tokens show all]';
/** Fields that may be cut: text for a reader. A part of an id, a time or a type is useless. */
const texts: ReadonlySet<string> = new Set(
  'title summary notes text quote reason message description author siteName'.split(' '),
);
/** Fields that are cut only when cutting all texts was not enough. */
const textsAndAddresses: ReadonlySet<string> = new Set([...texts, 'url', 'canonicalUrl', 'tags']);
/** Minimum length of a shortened text, in characters. */
const minText = 40;
const minAddress = 8;

/**
 * Shortens the longest texts of a record until it costs at most `maxTokens`, and marks each cut. Addresses and tags are
 * cut only when the record would still cost more than `hardMaxTokens`. A quote gets no mark: it stays an exact slice of
 * the stored text, and its locator still says where it begins.
 */
export function shortenTexts<T>(record: T, maxTokens: number, hardMaxTokens = maxTokens): T {
  if (tokensOf(record) <= maxTokens) return record;
  let shorter = record;
  const maxLength = Math.ceil(maxTokens * 4);
  for (let length = maxLength; length >= minText; length = Math.floor(length * 0.8)) {
    shorter = cutStrings(record, { length, mark: cutMark, cuttable: texts }) as T;
    if (tokensOf(shorter) <= maxTokens) return shorter;
  }
  const shortTexts = shorter;
  for (
    let length = maxLength;
    length >= minAddress && tokensOf(shorter) > hardMaxTokens;
    length = Math.floor(length * 0.8)
  ) {
    shorter = cutStrings(shortTexts, { length, mark: '…', cuttable: textsAndAddresses }) as T;
  }
  return shorter;
}

interface ShorteningStep {
  length: number;
  mark: string;
  cuttable: ReadonlySet<string>;
}

function cutStrings(value: unknown, cut: ShorteningStep, name = ''): unknown {
  if (typeof value === 'string') return cutString(value, cut, name);
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, cut, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cutStrings(field, cut, key)]));
}

function cutString(text: string, { length, mark, cuttable }: ShorteningStep, name: string): string {
  if (!cuttable.has(name) || text.length <= length + mark.length) return text;
  const kept = beginningOf(text, length);
  return name === 'quote' ? kept : kept + mark;
}
