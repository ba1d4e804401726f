import { parseBoundedJson } from '../../../domain/json/bounded-json.ts';
import type { PageFacts } from '../html/html-scan.ts';
import type { JsonLdArticle } from '../metadata/json-ld.ts';
import { linearMarkdown } from '../html/linear-html.ts';

/** Text that a page contains as data, as client-rendered pages do. */
export interface EmbeddedArticle {
  title: string | null;
  markdown: string;
}

/**
 * The body from JSON-LD, or else the longest prose in the data from which the page builds itself. Null if there is
 * none.
 */
export function embeddedArticle(facts: PageFacts, jsonLd: JsonLdArticle | null): EmbeddedArticle | null {
  const body = jsonLd?.body ?? null;
  if (body !== null && isProse(body)) return { title: jsonLd?.headline ?? null, markdown: asMarkdown(body) };
  return facts.hydration === null ? null : hydrated(facts.hydration);
}

interface EmbeddedProse {
  text: string;
  title: string | null;
}

function hydrated(script: string): EmbeddedArticle | null {
  const found: EmbeddedProse[] = [];
  try {
    collect(parseBoundedJson(script), found);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const longest = found.toSorted((a, b) => b.text.length - a.text.length)[0];
  if (longest === undefined) return null;
  const whole = found.reduce((sum, { text }) => sum + text.length, 0);
  // If the longest text is more than half of the prose, it is the body. Otherwise the body is in pieces.
  const chosen = longest.text.length * 2 > whole ? [longest] : found;
  const texts = [...new Set(chosen.map(({ text }) => text))];
  return {
    title: chosen.find(({ title }) => title !== null)?.title ?? null,
    markdown: texts.map(asMarkdown).join('\n\n'),
  };
}

const maxValues = 200_000;

/** Prose strings in document order, each with the title of the object that holds it. */
function collect(root: unknown, found: EmbeddedProse[]): void {
  const stack: { value: unknown; title: string | null }[] = [{ value: root, title: null }];
  for (let seen = 0; stack.length > 0 && seen < maxValues; seen += 1) {
    const { value, title } = stack.pop() ?? { value: null, title: null };
    if (typeof value === 'string') {
      if (isProse(value)) found.push({ text: value, title });
    } else if (Array.isArray(value)) {
      for (const one of value.toReversed()) stack.push({ value: one as unknown, title });
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value);
      const own = entries.find(([key, one]) => /^(?:title|headline)$/i.test(key) && typeof one === 'string')?.[1] as
        | string
        | undefined;
      for (const [, one] of entries.toReversed()) stack.push({ value: one as unknown, title: own ?? title });
    }
  }
}

function isProse(text: string): boolean {
  if (text.length < 200 || /^\s*[[{]/.test(text)) return false;
  const sample = text.slice(0, 2_000);
  const spaces = sample.match(/\s/g)?.length ?? 0;
  return spaces > sample.length / 15 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]{20}/u.test(sample);
}

function asMarkdown(text: string): string {
  if (/<(?:p|div|h[1-6]|ul|ol|br)[\s/>]/i.test(text)) return linearMarkdown(text);
  return text.replaceAll(/\r\n?/g, '\n').trim();
}
