import type { ContentSummary } from '../records.ts';
import { text } from '../text.ts';

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

/** What stands below a title, in a few words each. @param isRead what is read says when it was published, a list when it was saved */
export function factsOf(item: Facts, isRead = false): string[] {
  const { contentType, author, publishedAt, createdAt } = item;
  const facts = [
    contentType === null ? '' : text.kinds[contentType],
    siteOf(item),
    author ?? '',
    isRead ? (publishedAt === null ? '' : text.published(text.day(publishedAt))) : text.saved(text.day(createdAt)),
    lengthOf(item),
  ];
  return facts.filter((fact, index) => fact !== '' && facts.indexOf(fact) === index);
}

/** The name of its site. */
export function siteOf({ siteName, url }: Pick<Facts, 'siteName' | 'url'>): string {
  return siteName ?? hostOf(url);
}

function lengthOf({ durationSeconds, pageCount, wordCount }: Facts): string {
  if (durationSeconds !== undefined) return text.clock(durationSeconds);
  if (pageCount !== undefined) return text.counted(pageCount, 'page');
  return wordCount === null ? '' : text.reading.words(wordCount);
}

/** What an item is called where it has no title: its site, which is all that is known of many a video. */
export function nameOf(title: string | null, url: string | null): string {
  return title ?? (hostOf(url) || text.library.untitled);
}

function hostOf(url: string | null): string {
  return URL.parse(url ?? '')?.host.replace(/^www\./, '') ?? '';
}
