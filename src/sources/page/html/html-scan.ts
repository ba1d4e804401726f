import { OpenElements, readTokens, type Attributes } from './html-tokens.ts';

/** What one linear pass over a page finds: its size, and everything that says something about the page. */
export interface PageFacts {
  elements: number;
  /** Of the most deeply nested element. */
  depth: number;
  links: number;
  /** Contents of `meta` by lower-case name, property or itemprop. */
  metas: ReadonlyMap<string, readonly string[]>;
  title: string | null;
  headings: readonly string[];
  /** Texts of JSON-LD scripts. */
  jsonLd: readonly string[];
  /** Text of the script with the data of a page that builds itself (`__NEXT_DATA__`). */
  hydration: string | null;
  bylines: readonly Marked[];
  times: readonly Marked[];
  /** Short texts with a year in them, which may be dates without any marking. */
  dates: readonly Marked[];
  /** The text behind the first `h1`, where pages without markup say who wrote them and when. */
  lead: string;
  /** The first two thousand characters of text that a reader sees. */
  opening: string;
  canonical: string | null;
  /** The address that the page gives as the one after it. */
  next: string | null;
  baseHref: string | null;
  lang: string | null;
  hasPasswordField: boolean;
  /** Characters of text outside scripts and styles, white space not counted. */
  visibleCharacters: number;
}

/** An element whose marking says what it is. `value` is the machine-readable attribute, when there is one. */
export interface Marked {
  text: string;
  value: string | null;
  /** How sure the marking is: 3 microdata or rel, 2 a telling class, 1 a link to an author's page. */
  strength: number;
  /** Characters of text since the last `h1`, or up to the first one; infinite in a page that has none. */
  distance: number;
}

/**
 * Beyond these a DOM and what asks it take minutes (240,000 elements: over 30 s; depth 5,000: the same), or seconds for what is no more
 * than an index (50,000 links: 4 s).
 */
const largestDom = { elements: 60_000, depth: 256, links: 40_000 };

export function isTooLargeForDom({ elements, depth, links }: PageFacts): boolean {
  return elements > largestDom.elements || depth > largestDom.depth || links > largestDom.links;
}

type Capture = TextCapture | MarkCapture;
interface TextCapture {
  kind: 'title' | 'heading' | 'jsonLd' | 'hydration';
  text: string;
}
interface MarkCapture extends Marked {
  kind: 'byline' | 'time';
}

const maxMarks = 60;
const maxLeadLength = 400;
/** Characters of a text that may be no more than a date. */
const maxDateLength = 60;
const maxOpeningLength = 2_000;
/** Characters of text that are kept of each. */
const longest: Readonly<Record<Capture['kind'], number>> = {
  title: 2_000,
  heading: 2_000,
  jsonLd: 3_000_000,
  hydration: 3_000_000,
  byline: 400,
  time: 400,
};
/** Elements that begin a line: what stands before one and in it are two words. */
const lines = new Set(
  'address article br dd div dl dt h1 h2 h3 h4 h5 h6 header footer li ol p section table td tr ul'.split(' '),
);
const silent = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object']);

export function scanPage(html: string): PageFacts {
  const metas = new Map<string, string[]>();
  const jsonLd: string[] = [];
  const headings: string[] = [];
  const bylines: Marked[] = [];
  const times: Marked[] = [];
  const dates: Marked[] = [];
  /** Dates that stand before the first `h1`, with their places; names there are those of other texts as often. */
  const early = new Map<Marked, number>();
  let title: string | null = null;
  let hydration: string | null = null;
  let opening = '';
  let canonical: string | null = null;
  let next: string | null = null;
  let baseHref: string | null = null;
  let lang: string | null = null;
  let hasPasswordField = false;
  let visibleCharacters = 0;
  let lead: string | null = null;
  let elements = 0;
  let depth = 0;
  let links = 0;
  let silence = 0;
  let textSinceHeading = Number.POSITIVE_INFINITY;
  const active = new Set<Capture>();

  const finish = (capture: Capture): void => {
    active.delete(capture);
    const text = squeeze(capture.text);
    if (capture.kind === 'byline' || capture.kind === 'time') {
      const { value, strength, distance } = capture;
      keepMark(capture.kind === 'byline' ? bylines : times, { text, value, strength, distance });
    } else if (capture.kind === 'title') title ??= text === '' ? null : text;
    else if (capture.kind === 'jsonLd') jsonLd.push(capture.text);
    else if (capture.kind === 'hydration') hydration = capture.text;
    else {
      if (text !== '') headings.push(text);
      textSinceHeading = 0;
      if (lead === null) for (const [mark, at] of early) mark.distance = visibleCharacters - at;
      lead ??= '';
    }
  };
  const keepMark = (marks: Marked[], mark: Marked): void => {
    if (marks.length >= maxMarks) return;
    marks.push(mark);
    if (lead === null && marks !== bylines) early.set(mark, visibleCharacters);
  };
  const stack = new OpenElements<{ name: string; capture: Capture | null }>(({ name, capture }) => {
    if (silent.has(name)) silence -= 1;
    if (capture !== null) finish(capture);
  });

  readTokens(html, {
    open(name, attributes) {
      elements += 1;
      if (name === 'a') links += 1;
      if (active.size > 0 && lines.has(name)) {
        for (const capture of active) {
          if (isShown(capture) && capture.text.length < longest[capture.kind]) capture.text += ' ';
        }
      }
      if (name === 'meta') keepMeta(metas, attributes);
      else if (name === 'html') lang ??= attributes['lang'] ?? attributes['xml:lang'] ?? null;
      else if (name === 'base') baseHref ??= attributes['href'] ?? null;
      else if (name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(attributes['rel'] ?? '')) {
        canonical ??= attributes['href'] ?? null;
      } else if (name === 'link' && attributes['rel']?.toLowerCase() === 'next') next ??= attributes['href'] ?? null;
      else if (name === 'input' && attributes['type']?.toLowerCase() === 'password') hasPasswordField = true;
      // Text is added to each active one: marks within marks without end would make that quadratic.
      const capture = silence > 0 || active.size >= maxMarks ? null : captureFor(name, attributes, textSinceHeading);
      if (capture !== null && (capture.kind !== 'title' || title === null)) active.add(capture);
      if (silent.has(name)) silence += 1;
      stack.push(name, { name, capture });
      depth = Math.max(depth, stack.depth);
    },
    close: (name) => stack.close(name),
    text(text) {
      for (const capture of active) {
        if (silence > 0 && capture.kind !== 'jsonLd' && capture.kind !== 'hydration') continue;
        const limit = longest[capture.kind];
        if (capture.text.length < limit) capture.text += text.slice(0, limit);
      }
      if (silence > 0) return;
      if (opening.length < maxOpeningLength) opening += ` ${text.trim().slice(0, maxOpeningLength)}`;
      if (lead !== null && lead.length < maxLeadLength) lead += ` ${text.slice(0, maxLeadLength)}`;
      if (text.length < maxDateLength && /\d{4}|\d年/.test(text)) {
        keepMark(dates, { text: squeeze(text), value: null, strength: 0, distance: textSinceHeading });
      }
      const visible = text.length < 200 ? text.replaceAll(/\s+/g, '').length : text.length;
      visibleCharacters += visible;
      textSinceHeading += visible;
    },
  });
  stack.closeAll();
  return {
    elements,
    depth,
    links,
    metas,
    title,
    headings,
    jsonLd,
    hydration,
    bylines,
    times,
    dates,
    lead: squeeze(lead ?? ''),
    opening: squeeze(opening),
    canonical,
    next,
    baseHref,
    lang,
    hasPasswordField,
    visibleCharacters,
  };
}

/** Whether it is text of the page, not data of a script. */
function isShown({ kind }: Capture): boolean {
  return kind === 'byline' || kind === 'time' || kind === 'heading';
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function keepMeta(metas: Map<string, string[]>, attributes: Attributes): void {
  const content = squeeze(attributes['content'] ?? '').slice(0, 2_000);
  if (content === '') return;
  for (const key of ['name', 'property', 'itemprop']) {
    const name = attributes[key]?.trim().toLowerCase();
    if (name === undefined || name === '') continue;
    const known = metas.get(name) ?? [];
    if (known.length < 20) known.push(content);
    metas.set(name, known);
  }
}

const bylineClass =
  /(?:^|[\s_-])(?:by-?line|author(?:s|-?name|_name)?|authored-by|post-?author|entry-?author|article-?author|writer|contributor-name|reporter)(?:$|[\s_-])/i;
const timeClass =
  /(?:^|[\s_-])(?:published|publish-?date|pub-?dates?|post-?date|entry-?date|article-?date|date-?published|posted-?on|dateline|timestamp|date)(?:$|[\s_-])/i;

function captureFor(name: string, attributes: Attributes, distance: number): Capture | null {
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
  if (name === 'time') return mark('time', isPublished ? 3 : 2, attributes['datetime'] ?? null);
  if (isPublished) return mark('time', 3, attributes['content'] ?? attributes['datetime'] ?? null);
  if (/(?:^|\s)author(?:\s|$)/.test(itemprop) || /(?:^|\s)author(?:\s|$)/i.test(attributes['rel'] ?? '')) {
    return mark('byline', 3, null);
  }
  if (bylineClass.test(marking)) return mark('byline', 2, null);
  if (name === 'a' && /\/(?:authors?|by|people|profile|contributors?|staff)\/[^/]/i.test(attributes['href'] ?? '')) {
    return mark('byline', 1, null);
  }
  if (timeClass.test(marking)) return mark('time', 1, attributes['datetime'] ?? null);
  return null;
}
