import { youtubeVideoId } from '../../domain/links/youtube-url.ts';
import type { RawEntry } from '../raw-entry.ts';
import type { HtmlToken } from '../reading/html-tags.ts';
import { dateInWords } from './dates-in-words.ts';

/*
 * Watched and liked videos, as Google Takeout exports them in JSON or HTML ("My Activity" has the same form). Searches, posts and
 * advertisements are ignored.
 */

/**
 * JSON's words before or after a title: English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Polish, Japanese,
 * Chinese.
 */
const watched =
  /^(?:watched|liked|vous avez (?:regardé|aimé)|(?:has|ha) visto|hai guardato|você (?:assistiu a|gostou de)|assistiu a|bekeken:|gekeken naar|вы посмотрели(?: видео)?|просмотрено видео:?|obejrzano(?: film)?:?|已观看|已觀看)\s|\s(?:angesehen|bekeken|を視聴しました)$/i;
const ofAds = /google (?:ads|anzeigen|adverteren|広告|广告|廣告)/i;

interface Watched {
  url: string;
  title: string;
  date: string | undefined;
  details: readonly string[];
}

export function historyEntry({ url: given, title, date, details }: Watched): RawEntry {
  // A title of a video without one is its address.
  const url = given || (/https?:\/\/\S{1,2000}/i.exec(title)?.[0] ?? '');
  const address = URL.parse(url);
  const about = { title, url };
  if (details.some((detail) => ofAds.test(detail))) return { ...about, refused: 'it is an advertisement' };
  if (address === null) return { title, refused: 'it has no web address: the video is gone, or it is not a video' };
  if (youtubeVideoId(address) === null) return { ...about, refused: 'it is not a video' };
  // In another language, the title that the page has is better than one with a verb in it.
  const named = title.replace(watched, '');
  const isAddress = /^https?:/i.test(named);
  return { url, title: named === title || isAddress ? undefined : named, tags: ['watched'], date };
}

/** The same in HTML, where the words of the link are the title, and the last words of a cell are the date. */
export async function* readHistoryPage(tokens: AsyncIterable<HtmlToken>): AsyncGenerator<RawEntry> {
  let entry: { url: string; title: string; words: string[] } | null = null;
  let isInLink = false;
  const finished = function* (): Generator<RawEntry> {
    if (entry === null) return;
    const { url, title, words } = entry;
    entry = null;
    const date = words.map(dateInWords).findLast((one) => one !== undefined);
    const raw = historyEntry({ url, title: '', date, details: words });
    yield { ...raw, title: /^https?:/i.test(title) ? undefined : title };
  };
  for await (const token of tokens) {
    if (token.kind === 'open' && token.attributes.get('class')?.includes('outer-cell') === true) yield* finished();
    if (token.kind === 'open' && token.name === 'a') {
      const url = token.attributes.get('href') ?? '';
      if (entry === null && /^https?:/i.test(url)) [entry, isInLink] = [{ url, title: '', words: [] }, true];
    } else if (token.kind === 'close' && token.name === 'a') isInLink = false;
    else if (token.kind === 'text' && entry !== null) {
      if (isInLink && entry.title.length < 1_000) entry.title += token.text;
      else if (entry.words.length < 50) entry.words.push(token.text.slice(0, 500));
    }
  }
  yield* finished();
}
