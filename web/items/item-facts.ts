import type { ContentSummary, Item } from '../data/records.ts';
import { text } from '../text.ts';
import { isWaiting } from '../kept/laid-over.ts';
import { plainPassage } from '../reading/source.ts';

type Facts = Pick<
  ContentSummary,
  | 'contentType'
  | 'siteName'
  | 'author'
  | 'publishedAt'
  | 'createdAt'
  | 'wordCount'
  | 'durationSeconds'
  | 'pageCount'
  | 'url'
>;

/** What stands below a title, in a few words each; in a narrow list the last ones have no room. @param isRead what is read says when it was published, a list when it was saved */
export function factsOf(item: Facts, isRead = false): string[] {
  const { contentType, author, publishedAt, createdAt } = item;
  const by = author ?? '';
  const facts = [
    isWaiting(item) ? 'Waits to be sent' : '',
    contentType === null ? '' : text.kinds[contentType],
    ...(isRead
      ? [siteOf(item), by, publishedAt === null ? '' : `published ${text.day(publishedAt)}`, lengthOf(item)]
      : [text.saved(text.day(createdAt)), siteOf(item), lengthOf(item), by]),
  ];
  return facts.filter((fact, index) => fact !== '' && facts.indexOf(fact) === index);
}

/** It failed, or waits for a later attempt: it can be tried now, or given its text. */
export const canRetry = ({ status, failure }: Pick<Item, 'status' | 'failure'>): boolean =>
  status === 'failed' || (status === 'pending' && failure !== undefined);

/** The name of its site. */
export function siteOf({ siteName, url }: Pick<Facts, 'siteName' | 'url'>): string {
  return siteName ?? hostOf(url);
}

function lengthOf({ durationSeconds, pageCount, wordCount }: Facts): string {
  if (durationSeconds !== undefined) return text.clock(durationSeconds);
  if (pageCount !== undefined) return text.counted(pageCount, 'page');
  return wordCount === null ? '' : text.reading.words(wordCount);
}

/** The title of an item, or else its whole address: where there is room for one. */
export function headingOf({ title, url }: { title?: string | null; url?: string | null }): string {
  return title ?? url ?? 'Untitled';
}

/** What an item is called in a line that is short of room: without a title its site, which is all that is known of many a video. */
export function nameOf(title: string | null, url: string | null): string {
  return title ?? (hostOf(url) || 'Untitled');
}

function hostOf(url: string | null): string {
  return URL.parse(url ?? '')?.host.replace(/^www\./, '') ?? '';
}

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
