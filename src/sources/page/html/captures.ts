import { isoTime } from '../../../domain/clock.ts';
import type { Attributes } from './html-tokens.ts';

/** An element or text that may be a byline or a date. `value` is its machine-readable attribute, if it has one. */
export interface Marked {
  text: string;
  value: string | null;
  /**
   * Confidence: 3 = microdata or `rel`, 2 = `time` element or byline class, 1 = link to an author's page or date class,
   * 0 = no markup.
   */
  strength: number;
  /**
   * Visible characters since the last `h1`, or up to the first `h1` for dates before it. Infinite on a page without
   * `h1`, and for bylines before the first `h1`.
   */
  distance: number;
  /** The last words before it in its line: they may say what is dated. */
  label?: string;
}

/** What is collected of an element's text while it is open. */
export type Capture = TextCapture | MarkCapture;
interface TextCapture {
  kind: 'title' | 'heading' | 'jsonLd' | 'hydration';
  text: string;
  /** Whether a link to the site's front page is in it. */
  leadsHome?: boolean;
}
interface MarkCapture extends Marked {
  kind: 'byline' | 'time';
}

const bylineClass =
  /(?:^|[\s_-])(?:by-?line|author(?:s|-?name|_name)?|authored-by|post-?author|entry-?author|article-?author|writer|contributor-name|reporter)(?:$|[\s_-])/i;
const timeClass =
  /(?:^|[\s_-])(?:published|publish-?date|pub-?dates?|post-?date|entry-?date|article-?date|date-?published|posted-?on|dateline|timestamp|date)(?:$|[\s_-])/i;

/**
 * What to collect of an element; null when its text is of no use.
 * @param distance see `Marked.distance`
 */
export function captureFor(name: string, attributes: Attributes, distance: number): Capture | null {
  if (name === 'title') return { kind: 'title', text: '' };
  if (name === 'h1') return { kind: 'heading', text: '' };
  if (name === 'script') {
    if (/^application\/ld\+json/i.test(attributes['type'] ?? '')) return { kind: 'jsonLd', text: '' };
    return attributes['id'] === '__NEXT_DATA__' ? { kind: 'hydration', text: '' } : null;
  }
  if (name === 'meta' || name === 'link' || name === 'body' || name === 'html') return null;
  const mark = (kind: 'byline' | 'time', strength: number, value: string | null): MarkCapture => ({
    kind,
    text: '',
    value,
    strength,
    distance,
  });
  const itemprop = attributes['itemprop']?.toLowerCase() ?? '';
  const marking = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''} ${attributes['data-testid'] ?? ''}`;
  const isPublished = itemprop === 'datepublished' || itemprop === 'datecreated';
  if (name === 'time') return mark('time', isPublished ? 3 : 2, machineDate(attributes));
  if (attributes['data-utime'] !== undefined) return mark('time', 1, machineDate(attributes));
  if (isPublished) return mark('time', 3, attributes['content'] ?? attributes['datetime'] ?? null);
  if (/(?:^|\s)author(?:\s|$)/.test(itemprop) || /(?:^|\s)author(?:\s|$)/i.test(attributes['rel'] ?? '')) {
    return mark('byline', 3, null);
  }
  // Who comments is not the author of the page.
  if (bylineClass.test(marking) && !/comment/i.test(marking)) return mark('byline', 2, null);
  if (name === 'a' && /\/(?:authors?|by|people|profile|contributors?|staff)\/[^/]/i.test(attributes['href'] ?? '')) {
    return mark('byline', 1, null);
  }
  if (timeClass.test(marking)) return mark('time', 1, machineDate(attributes));
  return null;
}

/** A date that a program may read: in ISO 8601, or written out in a tooltip. */
function machineDate(attributes: Attributes): string | null {
  const named = ['datetime', 'data-datetime', 'data-date', 'data-time', 'title'].map((name) => attributes[name]);
  const written = named.find((value) => value !== undefined && /\d{4}/.test(value.slice(0, 100)));
  if (written !== undefined) return written.slice(0, 100);
  const seconds = /^1\d{9}$/.exec(attributes['data-utime'] ?? attributes['data-timestamp'] ?? '')?.[0];
  return seconds === undefined ? (attributes['datetime'] ?? null) : isoTime(Number(seconds) * 1_000);
}
