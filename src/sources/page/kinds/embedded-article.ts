import { parseJson } from '../../../domain/json/bounded-json.ts';
import type { PageFacts } from '../html/html-scan.ts';
import type { JsonLdArticle } from '../metadata/json-ld.ts';
import { linearMarkdown } from '../html/linear-html.ts';

export interface EmbeddedArticle {
  title: string | null;
  markdown: string;
}

/** The body from JSON-LD, or else the longest prose in the data from which the page builds itself. */
export function embeddedArticle(facts: PageFacts, jsonLd: JsonLdArticle | null): EmbeddedArticle | null {
  const body = jsonLd?.body ?? null;
  if (body !== null && isProse(body)) return { title: jsonLd?.headline ?? null, markdown: asMarkdown(body) };
  return facts.hydration === null ? null : hydrated(facts.hydration);
}

interface EmbeddedText {
  text: string;
  /** The title of the object that holds it. */
  title: string | null;
  /** Its property name. */
  key: string;
  /** The innermost list around it. */
  list: List | null;
}

interface List {
  around: List | null;
}

function hydrated(script: string): EmbeddedArticle | null {
  const all = textsIn(parseJson(script));
  const found = all.filter(({ text }) => isProse(text));
  const longest = found.toSorted((a, b) => b.text.length - a.text.length)[0];
  if (longest === undefined) return null;
  const whole = found.reduce((sum, { text }) => sum + text.length, 0);
  // If the longest text is more than half of the prose, it is the body. Otherwise the body is in pieces.
  const chosen = longest.text.length * 2 > whole ? [longest] : found;
  const markdown = [...new Set(chosen.map(({ text }) => text))].map(asMarkdown).join('\n\n');
  const isWholeBody = hasBlocks(longest.text) || /\n\s*\n/.test(longest.text);
  const tree = isWholeBody ? '' : treeAround(longest, all);
  return {
    title: chosen.find(({ title }) => title !== null)?.title ?? null,
    markdown: tree.length > markdown.length ? tree : markdown,
  };
}

/**
 * The text of a tree of paragraphs, as editors store it: each paragraph is a list of pieces, such as the words of a link. They all
 * have the same property name, in the outermost list around the longest. Empty when that is in no list.
 */
function treeAround({ key, list }: EmbeddedText, all: readonly EmbeddedText[]): string {
  const outermost = outermostOf(list);
  if (outermost === null) return '';
  const pieces = all.filter((one) => one.key === key && one.text !== '' && outermostOf(one.list) === outermost);
  let markdown = '';
  for (const [at, piece] of pieces.entries()) {
    const before = pieces[at - 1];
    if (before !== undefined) markdown += isInline(before, piece) ? '' : '\n\n';
    markdown += hasBlocks(piece.text) ? linearMarkdown(piece.text) : piece.text.replaceAll(/\s+/g, ' ');
  }
  return markdown.trim();
}

function outermostOf(list: List | null): List | null {
  let outermost = list;
  while (outermost !== null && outermost.around !== null) outermost = outermost.around;
  return outermost;
}

/** Whether two pieces are of one paragraph: one's list is in the other's, with a space or punctuation between their words. */
function isInline(before: EmbeddedText, after: EmbeddedText): boolean {
  const isNested = isWithin(after.list, before.list) || isWithin(before.list, after.list);
  return isNested && (/\s$/.test(before.text) || /^[\s.,;:!?)\]]/.test(after.text));
}

function isWithin(list: List | null, other: List | null): boolean {
  for (let at = list; at !== null; at = at.around) if (at === other) return true;
  return false;
}

const maxValues = 200_000;

function textsIn(root: unknown): EmbeddedText[] {
  const found: EmbeddedText[] = [];
  type Place = Omit<EmbeddedText, 'text'>;
  const stack: (Place & { value: unknown })[] = [{ value: root, title: null, key: '', list: null }];
  for (let seen = 0; stack.length > 0 && seen < maxValues; seen += 1) {
    const { value, ...place } = stack.pop() ?? { value: null, title: null, key: '', list: null };
    if (typeof value === 'string') found.push({ text: value, ...place });
    else if (Array.isArray(value)) {
      const list = { around: place.list };
      for (const one of value.toReversed()) stack.push({ ...place, value: one as unknown, list });
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value);
      const own = entries.find(([key, one]) => /^(?:title|headline)$/i.test(key) && typeof one === 'string')?.[1] as
        | string
        | undefined;
      for (const [key, one] of entries.toReversed())
        stack.push({ value: one as unknown, title: own ?? place.title, key, list: place.list });
    }
  }
  return found;
}

function isProse(text: string): boolean {
  if (text.length < 200 || /^\s*[[{]/.test(text)) return false;
  const sample = text.slice(0, 2_000);
  const spaces = sample.match(/\s/g)?.length ?? 0;
  return spaces > sample.length / 15 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]{20}/u.test(sample);
}

function asMarkdown(text: string): string {
  return hasBlocks(text) ? linearMarkdown(text) : text.replaceAll(/\r\n?/g, '\n').trim();
}

function hasBlocks(text: string): boolean {
  return /<(?:p|div|h[1-6]|ul|ol|br)[\s/>]/i.test(text);
}
