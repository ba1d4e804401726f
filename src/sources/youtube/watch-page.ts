import { parseJson } from '../../domain/json/bounded-json.ts';
import type { Chapter } from '../../domain/captions/timed-lines.ts';
import { readTokens } from '../page/html/html-tokens.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import { factsOf, mergeFacts, noFacts, parsePlayer, type VideoFacts } from './player.ts';

/** YouTube's substitute for the page: a consent form, a robot check, or nothing. */
export type PageReplacement = 'consent' | 'captcha' | 'refused';

export function noteOfRefusal(replacement: PageReplacement): string {
  return `The watch page was not shown: ${replacement}`;
}

export type WatchPage = ReturnType<typeof readWatchPage>;

/** Reads a watch page, or its substitute: a form, or the video's description for embedding (oEmbed). */
export function readWatchPage(text: string, videoId: string) {
  const embed = readEmbed(text);
  if (embed !== null) return { player: null, facts: embed, replacement: null };
  const found = assignedObject(text, 'ytInitialPlayerResponse');
  const player = parsePlayer(found, videoId);
  const replacement = player === null ? pageReplacement(text) : null;
  // If the player belongs to another video, so do the page's other facts.
  const fromPage = replacement !== null || (player === null && found !== null) ? noFacts : pageFacts(text);
  return { player, facts: mergeFacts({ ...factsOf(player), chapters: [] }, fromPage, factsOf(player)), replacement };
}

export function pageReplacement(text: string): PageReplacement | null {
  const noted = (['captcha', 'refused'] as const).find((replacement) => text === noteOfRefusal(replacement));
  if (noted !== undefined) return noted;
  if (/action="https:\/\/consent\.(?:youtube|google)\.com\//.test(text)) return 'consent';
  return text.includes('g-recaptcha') || text.includes('google.com/recaptcha/') ? 'captcha' : null;
}

/** The cookie value with which YouTube takes the consent form as answered; null if the page has none. */
export function consentValue(text: string): string | null {
  return /name="v" value="([\w.+-]{1,200})"/.exec(text)?.[1] ?? null;
}

/** Reads `{title, author_name}` of YouTube's oEmbed answer; null if the text is no such answer. */
export function readEmbed(text: string): VideoFacts | null {
  if (!text.startsWith('{') || text.length > 100_000) return null;
  const answer = parseJson(text);
  if (typeof answer !== 'object' || answer === null) return null;
  const [title, author] = ['title', 'author_name'].map((name) => {
    const value: unknown = Reflect.get(answer, name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  });
  return title === null || title === undefined ? null : { ...noFacts, title, author: author ?? null };
}

function pageFacts(html: string): VideoFacts {
  const metas = new Map<string, string>();
  readTokens(html, {
    open(name, attributes) {
      const key = attributes['itemprop'] ?? attributes['property'] ?? attributes['name'];
      if (name === 'meta' && key !== undefined && !metas.has(key)) metas.set(key, attributes['content'] ?? '');
    },
  });
  return {
    ...noFacts,
    title: metas.get('og:title')?.trim() || null,
    publishedAt: parsePublished(metas.get('datePublished') ?? metas.get('uploadDate') ?? null),
    chapters: pageChapters(html),
  };
}

function pageChapters(html: string): Chapter[] {
  const pattern =
    /"chapterRenderer":\{"title":\{"simpleText":("(?:[^"\\]|\\.){1,400}")\},"timeRangeStartMillis":(\d{1,9})/g;
  return [...html.matchAll(pattern).take(500)].flatMap(([, title = '', millis]) => {
    const name = parseJson(title);
    return typeof name === 'string' ? [{ start: Number(millis) / 1_000, title: name }] : [];
  });
}

/** The object that a script assigns to `name`. Its end is found by counting braces outside strings. */
function assignedObject(html: string, name: string): unknown {
  for (let at = html.indexOf(name); at !== -1; at = html.indexOf(name, at + 1)) {
    const opening = /^(?:"\]|'\])?\s{0,9}=\s{0,9}(?=\{)/.exec(html.slice(at + name.length, at + name.length + 40));
    if (opening === null) continue;
    const start = at + name.length + opening[0].length;
    const end = objectEnd(html, start);
    return end === null ? null : parseJson(html.slice(start, end));
  }
  return null;
}

function objectEnd(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
