import { nameOf } from '../library/item-facts.ts';
import { plainPassage } from '../library/passage-parts.ts';
import { text } from '../text.ts';
import type { Item } from '../records.ts';

/** The address of the source, or that of the text here when it has none. */
export function linkOf({ id, url }: Item, origin: string): string {
  return url ?? `${origin}/app/read/${id}`;
}

/** Other people's words, which are neither links, pictures, code nor HTML where the Markdown is pasted. */
const escaped = (words: string): string => words.replaceAll(/[[\]\\<`]/g, String.raw`\$&`);

/** Where words are from, as Markdown: author, linked title, site and day. */
function citationOf(item: Item, origin: string): string {
  const { author = null, title, url, siteName = null, publishedAt = null } = item;
  const address = linkOf(item, origin).replaceAll(/[()<>` ]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const link = `[${escaped(nameOf(title, url))}](${address})`;
  const facts = [author && escaped(author), link, siteName && escaped(siteName), publishedAt && text.day(publishedAt)];
  return facts.filter(Boolean).join(', ');
}

/**
 * Items as Markdown. One alone with a quotation: the words that are selected, or the passage that a search found, or its summary.
 */
export function markdownOf(items: readonly Item[], selected: string, origin: string): string {
  const [item] = items;
  if (item === undefined || items.length > 1) return items.map((one) => `- ${citationOf(one, origin)}`).join('\n');
  const quote = selected.trim() || plainPassage(item.passages?.[0]?.text ?? '') || item.summary || '';
  const lines = escaped(quote)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd());
  return quote === '' ? citationOf(item, origin) : `${lines.join('\n')}\n\n— ${citationOf(item, origin)}`;
}
