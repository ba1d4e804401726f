import { OpenElements, readTokens, type Attributes } from './html-tokens.ts';
import { isoTime } from '../../../domain/clock.ts';

/** What one linear pass over a page's HTML collects: its size, its metadata, and candidates for its author and date. */
export type PageFacts = ReturnType<typeof emptyFacts> & {
  /** The blocks of text after the first `h1`. Pages without markup often name their author and date in one of them. */
  lead: string[];
};

function emptyFacts() {
  return {
    elements: 0,
    depth: 0,
    links: 0,
    /** `content` values of `meta` elements, keyed by lower-case name, property or itemprop. */
    metas: new Map<string, string[]>(),
    title: null as string | null,
    headings: [] as string[],
    /** The `h1` that links to the site's front page: the site's name. */
    siteHeading: null as string | null,
    /** Texts of JSON-LD scripts. */
    jsonLd: [] as string[],
    /** Text of the `__NEXT_DATA__` script: the data from which a client-rendered page builds itself. */
    hydration: null as string | null,
    bylines: [] as Marked[],
    times: [] as Marked[],
    /** Short texts with a year, without markup of a date. Not those in a `dd`, whose `dt` may name an event. */
    dates: [] as Marked[],
    /** Short lines that begin with an author label, anywhere. */
    signatures: [] as string[],
    /** The beginning of the visible text, up to about 4,000 characters. */
    opening: '',
    /** A publication date in the data of a script, as written there. */
    scriptDate: null as string | null,
    /** Where `<meta http-equiv="refresh">` leads, and after how many seconds. */
    refresh: null as { target: string; seconds: number } | null,
    isFrameset: false,
    canonical: null as string | null,
    /** Address from `<link rel="next">`. */
    next: null as string | null,
    baseHref: null as string | null,
    lang: null as string | null,
    hasPasswordField: false,
    /** Of text outside scripts and styles. White space counts only in runs of text of 200 or more characters. */
    visibleCharacters: 0,
  };
}

/**
 * Above these limits, building and querying a DOM takes minutes (240,000 elements: over 30 s; depth 5,000: the same). A
 * page with that many links is only an index and not worth the seconds it takes (50,000 links: 4 s).
 */
const maxDom = { elements: 60_000, depth: 256, links: 40_000 };

export function isTooLargeForDom({ elements, depth, links }: PageFacts): boolean {
  return elements > maxDom.elements || depth > maxDom.depth || links > maxDom.links;
}

const maxMarks = 60;
const maxLeadLength = 400;
const maxDateLength = 60;
const maxOpeningLength = 2_000;
const maxLabel = 60;
const maxWordHead = 20_000;
const wordProperty = /<o:(Author|Created)>([^<]{1,200})<\/o:/g;
/** Per kind: no more text is added once this many characters are collected. */
const maxLengths: Readonly<Record<Capture['kind'], number>> = {
  title: 2_000,
  heading: 2_000,
  jsonLd: 3_000_000,
  hydration: 3_000_000,
  byline: 400,
  time: 400,
};
/** Elements that begin a new line: a space keeps the words on both sides apart. */
const lines = new Set(
  'address article br dd div dl dt h1 h2 h3 h4 h5 h6 header footer li ol p section table td tr ul'.split(' '),
);
const silent = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'rt', 'rp']);

export function scanPage(html: string): PageFacts {
  const facts = emptyFacts();
  /** Dates before the first `h1`, with their position. Bylines there often belong to other articles. */
  const early = new Map<Marked, number>();
  let lead: string | null = null;
  let silence = 0;
  let line = '';
  let cell = '';
  let textSinceHeading = Number.POSITIVE_INFINITY;
  const active = new Set<Capture>();

  const finish = (capture: Capture): void => {
    active.delete(capture);
    const text = squeeze(capture.text);
    if (capture.kind === 'byline' || capture.kind === 'time') {
      const { value, strength, distance, label = '' } = capture;
      keepMark(capture.kind === 'byline' ? facts.bylines : facts.times, { text, value, strength, distance, label });
    } else if (capture.kind === 'title') facts.title ??= text === '' ? null : text;
    else if (capture.kind === 'jsonLd') facts.jsonLd.push(capture.text);
    else if (capture.kind === 'hydration') facts.hydration = capture.text;
    else {
      if (text !== '') facts.headings.push(text);
      if (text !== '' && capture.kind === 'heading' && capture.leadsHome === true) facts.siteHeading ??= text;
      textSinceHeading = 0;
      if (lead === null) for (const [mark, at] of early) mark.distance = facts.visibleCharacters - at;
      lead ??= '';
    }
  };
  const keepMark = (marks: Marked[], mark: Marked): void => {
    if (marks.length >= maxMarks) return;
    marks.push(mark);
    if (lead === null && marks !== facts.bylines) early.set(mark, facts.visibleCharacters);
  };
  const stack = new OpenElements<{ name: string; capture: Capture | null }>(({ name, capture }) => {
    if (silent.has(name)) silence -= 1;
    if (capture !== null) finish(capture);
  });

  readTokens(html, {
    open(name, attributes) {
      facts.elements += 1;
      if (name === 'a') {
        facts.links += 1;
        if (isFrontPage(attributes['href'] ?? '')) {
          for (const capture of active) if (capture.kind === 'heading') capture.leadsHome = true;
        }
      }
      if (lead?.endsWith('\n') === false && lines.has(name)) lead += '\n';
      // A term, or the head of a row, labels its neighbour.
      const isLabelled = name === 'dd' || (name === 'td' && cell === 'th') || onlyLabel.test(line);
      if ((lines.has(name) || name === 'th') && !isLabelled) line = '';
      if (name === 'tr' || name === 'td' || name === 'th') cell = name;
      if (active.size > 0 && lines.has(name)) {
        for (const capture of active) {
          if (isShown(capture) && capture.text.length < maxLengths[capture.kind]) capture.text += ' ';
        }
      }
      if (name === 'meta') {
        keepMeta(facts.metas, attributes);
        facts.refresh ??= refreshOf(attributes);
      } else if (name === 'frameset') facts.isFrameset = true;
      else if (name === 'html') facts.lang ??= attributes['lang'] ?? attributes['xml:lang'] ?? null;
      else if (name === 'base') facts.baseHref ??= attributes['href'] ?? null;
      else if (name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(attributes['rel'] ?? '')) {
        facts.canonical ??= attributes['href'] ?? null;
      } else if (name === 'link' && attributes['rel']?.toLowerCase() === 'next')
        facts.next ??= attributes['href'] ?? null;
      else if (name === 'input' && attributes['type']?.toLowerCase() === 'password') facts.hasPasswordField = true;
      // Limit the active captures: each text is added to all of them, so unlimited nesting would take quadratic time.
      const capture = silence > 0 || active.size >= maxMarks ? null : captureFor(name, attributes, textSinceHeading);
      if (capture?.kind === 'time') capture.label = line;
      if (capture !== null && (capture.kind !== 'title' || facts.title === null)) active.add(capture);
      if (silent.has(name)) silence += 1;
      stack.push(name, { name, capture });
      facts.depth = Math.max(facts.depth, stack.depth);
    },
    close(name) {
      if (lead?.endsWith('\n') === false && lines.has(name)) lead += '\n';
      stack.close(name);
    },
    text(text) {
      for (const capture of active) {
        if (silence > 0 && capture.kind !== 'jsonLd' && capture.kind !== 'hydration') continue;
        const limit = maxLengths[capture.kind];
        if (capture.text.length < limit) capture.text += text.slice(0, limit);
      }
      if (silence > 0) {
        facts.scriptDate ??= dateInScript(text);
        return;
      }
      const label = line;
      line = squeeze(`${line} ${text.slice(-2 * maxLabel)}`).slice(-maxLabel);
      if (text.length < maxLabel && facts.signatures.length < maxMarks && signature.test(line))
        facts.signatures.push(line);
      if (facts.opening.length < maxOpeningLength) facts.opening += ` ${text.trim().slice(0, maxOpeningLength)}`;
      if (lead !== null && lead.length < maxLeadLength)
        lead += ` ${text.slice(0, maxLeadLength).replaceAll('\n', ' ')}`;
      if (text.length < maxDateLength && /\d{4}|\d年/.test(text) && !stack.isOpen('dd'))
        keepMark(facts.dates, { text: squeeze(text), value: null, strength: 0, distance: textSinceHeading, label });
      const visible = text.length < 200 ? text.replaceAll(/\s+/g, '').length : text.length;
      facts.visibleCharacters += visible;
      textSinceHeading += visible;
    },
  });
  stack.closeAll();
  // Word writes its properties into a comment.
  for (const [, property = '', content = ''] of html.slice(0, maxWordHead).matchAll(wordProperty))
    keepMeta(facts.metas, { name: property.toLowerCase(), content });
  const leading = (lead ?? '').split('\n').map(squeeze);
  return { ...facts, lead: leading.filter((line) => line !== ''), opening: squeeze(facts.opening) };
}

/** A line that only labels the next one. */
const onlyLabel = /^(?:(?:first |originally )?(?:posted|published|written|created|updated)(?: on| by)?|authors?):?$/i;
const signature =
  /^(?:written|words|authored|verfasst|geschrieben|écrit|escrito|scritto|geschreven) (?:by|von|par|por|da|door):? ?\p{L}/iu;

/** Whether the capture collects text of the page's body, not its title or a script's data. */
function isShown({ kind }: Capture): boolean {
  return kind === 'byline' || kind === 'time' || kind === 'heading';
}

/** Whether a link has an empty path. Whose front page it is does not matter here. */
function isFrontPage(href: string): boolean {
  return /^(?:\/|(?:https?:)?\/\/[^/?#\s]{1,255}\/?)$/i.test(href.trim());
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

/** Only scripts that are data name dates in this way. */
const dataDate =
  /"(?:datePublished|publishedAt|published_at|publishDate|publish_date|publishedDate|published_date|publicationDate|publication_date|pubDate|firstPublishedAt|first_published_at|originalPublishDate)"\s{0,5}:\s{0,5}"(\d{4}-\d{2}-\d{2}[^"]{0,20})"/;

function dateInScript(text: string): string | null {
  return text.includes('ubl') || text.includes('ubDate') ? (dataDate.exec(text)?.[1] ?? null) : null;
}

/** The attribute's form is `5; url=address`, with or without quotation marks around the address. */
function refreshOf(attributes: Attributes): PageFacts['refresh'] {
  if (attributes['http-equiv']?.trim().toLowerCase() !== 'refresh') return null;
  const content = (attributes['content'] ?? '').slice(0, maxRefreshLength);
  const [, seconds, rest] = /^\s*(\d{1,9})(?:\.\d*)?\s*[;,\s]\s*(.*)$/s.exec(content) ?? [];
  const address = rest?.replace(/^url\s*=\s*/i, '').trim() ?? '';
  const quote = /^["']/.exec(address)?.[0];
  const target = quote === undefined ? address : (address.slice(1).split(quote, 1)[0] ?? '');
  return seconds === undefined || target === '' ? null : { target, seconds: Number(seconds) };
}
const maxRefreshLength = 4_000;

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
  /** The last words before it in its line: they may label the date. */
  label?: string;
}

/** State of an element's text while it is open. */
type Capture = TextCapture | MarkCapture;
interface TextCapture {
  kind: 'title' | 'heading' | 'jsonLd' | 'hydration';
  text: string;
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
 * Which text of an element to collect; null when it is of no use.
 * @param distance see `Marked.distance`
 */
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
  if (name === 'time') return mark('time', isPublished ? 3 : 2, machineDate(attributes));
  if (attributes['data-utime'] !== undefined) return mark('time', 1, machineDate(attributes));
  if (isPublished) return mark('time', 3, attributes['content'] ?? attributes['datetime'] ?? null);
  if (/(?:^|\s)author(?:\s|$)/.test(itemprop) || /(?:^|\s)author(?:\s|$)/i.test(attributes['rel'] ?? ''))
    return mark('byline', 3, null);
  // Who comments is not the author of the page.
  if (bylineClass.test(marking) && !/comment/i.test(marking)) return mark('byline', 2, null);
  if (name === 'a' && /\/(?:authors?|by|people|profile|contributors?|staff)\/[^/]/i.test(attributes['href'] ?? ''))
    return mark('byline', 1, null);
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
