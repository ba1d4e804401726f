import type { Block, Document } from '../../domain/records/texts/document.ts';
import { decodeEntities } from '../../domain/text/entities.ts';
import { ProcessingError } from '../../errors.ts';
import { chapterMarkdown } from '../files/chapter-markdown.ts';
import { bareName, escaped, walkXml } from '../files/xml-elements.ts';
import { languageOfBlocks } from '../language/language.ts';
import { markdownBlocks } from '../text/markdown-blocks.ts';
import { tidy } from '../page/metadata/names.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import { textDocument, warningsOf } from '../text/read-text.ts';
import { webAddress } from '../page/html/dom-node.ts';

export type FeedEntry = ReturnType<typeof emptyEntry>;
type FieldName = Exclude<keyof FeedEntry, 'isIdAddress'>;

const maxEntries = 500;
const maxFieldLength = 1_000_000;

/** Local names of elements that mean the same in RSS 2.0, RSS 1.0, Atom and iTunes. */
const fields = new Map<string, FieldName>([
  ...['guid', 'id'].map((name) => [name, 'id'] as const),
  ...['title', 'link', 'author', 'published', 'updated'].map((name) => [name, name as FieldName] as const),
  ['creator', 'author'],
  ...['pubdate', 'issued', 'date'].map((name) => [name, 'published'] as const),
  ['modified', 'updated'],
  ...['description', 'encoded', 'content', 'summary'].map((name) => [name, 'text'] as const),
]);
/** Elements about another feed or a picture, with the same names as the entry's own. */
const ofOthers = new Set(['source', 'image', 'textinput', 'contributor']);
const rhythmNames = new Set(['ttl', 'updateperiod', 'updatefrequency', 'hour', 'day']);
const maxRhythmWords = 50;
const tag = /<\/?(?:[a-z][a-z0-9]{0,9}(?:\s[^<>]*)?\/?>|!--)/i;

export async function readFeed(xml: string, url: string, progress: (done: number) => void): Promise<Document> {
  const { channel, entries, count, cut, isWhole } = parseFeed(xml, url, maxEntries);
  if (entries.length === 0) {
    throw new ProcessingError(
      'empty',
      'The feed has no entries yet. Save the page of the site instead, or try again later.',
    );
  }
  const blocks = markdownBlocks(textMarkdown(channel, url));
  for (const [i, entry] of entries.entries()) {
    for (const block of entryBlocks(entry, url)) blocks.push(block);
    progress(i + 1);
  }
  const first = entries[0];
  return textDocument(blocks, {
    contentType: 'feed',
    title: tidy(channel.title),
    author: authorOf(channel),
    siteName: tidy(channel.title),
    publishedAt: parsePublished(first?.published || first?.updated || null),
    language: await languageOfBlocks(blocks),
    warnings: warningsOf(
      [
        count > maxEntries,
        'truncated',
        `The feed has ${count} entries; the first ${maxEntries} were read, and the rest was left out.`,
      ],
      [
        cut > 0,
        'truncated',
        `${cut} texts of this feed are longer than a million characters, and were cut. Save their pages.`,
      ],
      [
        !isWhole,
        'damaged',
        `The elements of this feed are nested too deeply behind entry ${count}. The rest was left out.`,
      ],
    ),
  });
}

// oxlint-disable-next-line no-control-regex -- XML allows none of them, and editors leave them behind
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

export interface ParsedFeed {
  channel: FeedEntry;
  rhythm: Readonly<Record<string, readonly string[]>>;
  entries: FeedEntry[];
  /** Number of entries, including omitted ones. */
  count: number;
  cut: number;
  isWhole: boolean;
}

/** How the text of an open element is meant: Atom says it in an attribute. */
type TextType = 'html' | 'xhtml' | 'text';

/** Takes linear time. @param limit further entries are only counted */
export function parseFeed(xml: string, url: string, limit: number): ParsedFeed {
  const channel = emptyEntry();
  const rhythm: Record<string, string[]> = {};
  const feed: ParsedFeed = { channel, rhythm, entries: [], count: 0, cut: 0, isWhole: true };
  let rhythmName = '';
  let entry = channel;
  let isAtom = false;
  let field: { name: FieldName; type: TextType; depth: number; base: string } | null = null;
  let text = '';
  let depth = 0;
  /** Depth of the element of others that the walk is in; 0 outside. */
  let other = 0;
  let part = '';
  const bases: { depth: number; base: string }[] = [{ depth: 0, base: '' }];
  const baseNow = (): string => bases.at(-1)?.base ?? '';
  const add = (more: string): void => {
    if (text.length < maxFieldLength) text += more;
    else if (!text.endsWith(cutMark)) {
      text += cutMark;
      feed.cut += 1;
    }
  };

  const openField = (name: FieldName, attributes: Readonly<Record<string, string>>): void => {
    const given = (attributes['type'] ?? attributes['mode'] ?? '').toLowerCase();
    const usual = isAtom && name !== 'text' ? 'text' : 'html';
    const type = given.includes('xhtml')
      ? 'xhtml'
      : given === ''
        ? usual
        : /^text(?:\/plain)?$/.test(given)
          ? 'text'
          : 'html';
    field = { name, type, depth, base: baseNow() };
    text = '';
  };
  const closeField = (name: FieldName, type: TextType, base: string): void => {
    const value = text.replace(cutMark, '').trim();
    if (name === 'text') {
      const isHtml = type !== 'text' && tag.test(value);
      if (value.length > entry.text.value.length)
        entry.text = {
          value: isHtml ? withoutCdata(value) : type === 'text' ? value : decodeEntities(value),
          isHtml,
          base,
        };
    } else if (entry[name] === '') {
      // Of a title in plain text, no part is a tag or an entity.
      entry[name] = name === 'title' && type === 'text' ? escaped(value) : withoutCdata(value);
      if (name === 'link') entry.link = URL.parse(value, base || url)?.href ?? value;
    }
    field = null;
  };

  feed.isWhole = walkXml(xml.replaceAll(controls, ' '), {
    open(written, attributes) {
      depth += 1;
      const name = bareName(written);
      const base = attributes['xml:base'];
      if (base !== undefined) bases.push({ depth, base: URL.parse(base, baseNow() || url)?.href ?? baseNow() });
      if (field !== null) {
        if (field.name === 'author') part = name;
        // Atom allows markup as elements. It is kept as text with tags.
        else
          add(
            `<${name}${Object.entries(attributes)
              .map(([key, value]) => ` ${key}="${escaped(value)}"`)
              .join('')}>`,
          );
      } else if (other === 0) {
        if (name === 'feed') isAtom = true;
        if (name === 'item' || name === 'entry') {
          entry = emptyEntry();
          feed.count += 1;
          entry.id = attributes['rdf:about'] ?? '';
          if (feed.entries.length < limit) feed.entries.push(entry);
        } else if (rhythmNames.has(name) && entry === channel) rhythmName = name;
        else if (name === 'enclosure') entry.enclosure ||= attributes['url'] ?? '';
        else if (ofOthers.has(name)) other = depth;
        else if (name === 'link' && attributes['href'] !== undefined) {
          const isOwn = (attributes['rel'] ?? 'alternate') === 'alternate';
          if (isOwn) entry.link = URL.parse(attributes['href'], baseNow() || url)?.href ?? attributes['href'];
          else if (attributes['rel'] === 'enclosure') entry.enclosure ||= attributes['href'];
        } else if (fields.has(name) && !/^media:(?!description)/i.test(written)) {
          if (name === 'guid') entry.isIdAddress = (attributes['isPermaLink'] ?? 'true') !== 'false';
          openField(fields.get(name) ?? 'text', attributes);
        }
      }
    },
    text(data) {
      if (rhythmName !== '') {
        const words = (rhythm[rhythmName] ??= []);
        if (words.length < maxRhythmWords) words.push(data.slice(0, 100).trim());
      }
      if (field === null) return;
      if (field.name === 'author') add(part === '' || part === 'name' ? data : '');
      else add(field.type === 'xhtml' ? escaped(data) : data);
    },
    close(written) {
      const name = bareName(written);
      if (field !== null && depth === field.depth) closeField(field.name, field.type, field.base);
      else if (field !== null && field.name !== 'author') add(voids.has(name) ? '' : `</${name}>`);
      else if (other === depth) other = 0;
      else if (name === 'item' || name === 'entry') entry = channel;
      part = '';
      rhythmName = '';
      if (bases.at(-1)?.depth === depth) bases.pop();
      depth -= 1;
    },
  });
  return feed;
}

const voids = new Set(['img', 'br', 'hr', 'wbr', 'input', 'source', 'area', 'col']);
/** Marks a text that is cut. XML has no such character. */
const cutMark = '\u0000';

/** Some programs write the marks of a CDATA section as text. */
function withoutCdata(text: string): string {
  return text.replace(/^<!\[CDATA\[/, '').replace(/\]\]>$/, '');
}

export function authorOf({ author }: FeedEntry): string | null {
  const bare = author.replaceAll(/<[^<>]*>/g, ' ').trim();
  // RSS has the address first: `ada@example.org (Ada Marsh)`.
  const [address = '', name = ''] = bare.split('(', 2);
  return tidy(address.includes('@') && name.endsWith(')') ? name.slice(0, -1) : bare);
}

export function textMarkdown({ text, link }: FeedEntry, url: string): string {
  if (!text.isHtml) return plainMarkdown(text.value);
  return chapterMarkdown(text.value, { baseUrl: text.base || link || url });
}

/** Markdown that shows a text as it is written. Addresses stay as they are. */
export function plainMarkdown(text: string): string {
  return text
    .replaceAll(/https?:\/\/[^\s<>[\]()\\`*"]+|[\\[\]*_`]|<(?=[a-z/!?])/gi, (found) =>
      found.length > 1 ? found : `\\${found}`,
    )
    .replaceAll(/^[ \t]*(?=#{1,6}(?:\s|$)|~{3}|(?:=+|-+)[ \t]*$)/gm, '$&\\');
}

function entryBlocks(entry: FeedEntry, url: string): Block[] {
  const heading = plainMarkdown(tidy(entry.title) ?? 'Without a title');
  const address = entry.link === '' ? null : webAddress(entry.link, url);
  const day = parsePublished(entry.published || entry.updated)?.slice(0, 10) ?? null;
  const byline = [authorOf(entry), day].filter((one) => one !== null).join(', ');
  return [
    ...markdownBlocks(`## ${address === null ? heading : `[${heading}](${address})`}\n\n${plainMarkdown(byline)}`),
    ...markdownBlocks(textMarkdown(entry, url)).map((block): Block =>
      block.kind === 'heading' ? { ...block, level: 4, text: block.text.replace(/^#+/, '####') } : block,
    ),
  ];
}

export function emptyEntry() {
  return {
    /** Names it within its feed; empty without one. */
    id: '',
    /** Whether the id is also the address of its page. */
    isIdAddress: false,
    title: '',
    link: '',
    enclosure: '',
    author: '',
    published: '',
    updated: '',
    /** The longest text of the entry, as HTML or as visible text. `base`: the base of its links; empty for the entry's address. */
    text: { value: '', isHtml: false, base: '' },
  };
}
