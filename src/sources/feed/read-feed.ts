import { Parser } from 'htmlparser2';
import type { Warning } from '../../domain/records/content.ts';
import type { Document } from '../../domain/records/document.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { ProcessingError } from '../../errors.ts';
import { detectLanguage } from '../language/language.ts';
import { linearMarkdown } from '../page/html/linear-html.ts';
import { markdownBlocks } from '../text/markdown-blocks.ts';
import { tidy } from '../page/metadata/names.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import { textDocument } from '../text/read-plain-text.ts';
import { webAddress } from '../page/html/web-address.ts';

const broken: Warning = {
  code: 'damaged',
  message: 'The elements of this feed are nested too deeply. What comes before them was read; the rest was left out.',
};

interface FeedEntry {
  title: string;
  link: string;
  author: string;
  date: string;
  /** HTML or plain text, the longest that the entry has. */
  text: string;
}

const maxEntries = 500;
const maxFieldLength = 1_000_000;
const maxDepth = 500;
/** Length of the pieces that are passed to the parser, in UTF-16 units. */
const pieceLength = 50_000;

/** Local names of elements that mean the same in RSS 2.0, RSS 1.0, Atom and iTunes. */
const fields: Readonly<Record<string, keyof FeedEntry>> = {
  title: 'title',
  link: 'link',
  creator: 'author',
  author: 'author',
  pubdate: 'date',
  published: 'date',
  date: 'date',
  updated: 'date',
  description: 'text',
  encoded: 'text',
  content: 'text',
  summary: 'text',
};

/** Child elements of an Atom author. */
const namingParts = /^(?:name|email|uri)$/;

/** Reads a feed: each entry under its title, with its text (articles, show notes) and its link. */
export async function readFeed(xml: string, url: string): Promise<Document> {
  const { channel, entries, more, isBroken } = parseFeed(xml);
  if (entries.length === 0) {
    throw new ProcessingError(
      'empty',
      'The feed has no entries yet. Save the page of the site instead, or try again later.',
    );
  }
  const markdown = entries.map((entry) => entryMarkdown(entry, url)).join('\n\n');
  const intro = linearMarkdown(channel.text);
  return textDocument(markdownBlocks(intro === '' ? markdown : `${intro}\n\n${markdown}`), {
    contentType: 'feed',
    title: tidy(channel.title),
    author: tidy(channel.author),
    siteName: tidy(channel.title),
    publishedAt: parsePublished(entries[0]?.date ?? null),
    language: await detectLanguage(plainText(markdown.slice(0, 40_000))),
    warnings: [
      ...(more
        ? [{ code: 'truncated', message: `The feed has more than ${maxEntries} entries; the rest was left out.` }]
        : []),
      ...(isBroken ? [broken] : []),
    ],
  });
}

function parseFeed(xml: string): { channel: FeedEntry; entries: FeedEntry[]; more: boolean; isBroken: boolean } {
  const channel = emptyEntry();
  const entries: FeedEntry[] = [];
  let entry = channel;
  let more = false;
  let field: keyof FeedEntry | null = null;
  let fieldDepth = 0;
  let depth = 0;
  let text = '';
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        const local = localName(name);
        if (field !== null) {
          // Atom allows markup as elements. It is kept as text with tags.
          if (!namingParts.test(local)) text += `<${local}>`;
          return;
        }
        if (local === 'item' || local === 'entry') {
          entry = emptyEntry();
          if (entries.length < maxEntries) entries.push(entry);
          else more = true;
          return;
        }
        if (local === 'link' && attributes['href'] !== undefined) {
          if ((attributes['rel'] ?? 'alternate') === 'alternate') entry.link = attributes['href'];
          return;
        }
        // An image's title is not the feed's.
        const known =
          local === 'image' || local === 'textinput'
            ? undefined
            : Object.hasOwn(fields, local)
              ? fields[local]
              : undefined;
        if (known === undefined || inside.has('image')) {
          inside.add(local);
          return;
        }
        field = known;
        fieldDepth = depth;
        text = '';
      },
      ontext(data) {
        if (field !== null && text.length < maxFieldLength) text += data;
      },
      onclosetag(name) {
        const local = localName(name);
        inside.delete(local);
        if (field !== null && depth === fieldDepth) {
          const value = text.trim();
          if (value.length > entry[field].length || field !== 'text') {
            if (entry[field] === '' || field === 'text') entry[field] = value;
          }
          field = null;
        } else if (field !== null && !namingParts.test(local)) text += `</${local}>`;
        else if (local === 'item' || local === 'entry') entry = channel;
        depth -= 1;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const inside = new Set<string>();
  // The parser's stack is slow when it is deep. Stop at a depth that no real feed has.
  let at = 0;
  const isTooDeep = (): boolean => depth > maxDepth;
  for (; at < xml.length && !isTooDeep(); at += pieceLength) parser.write(xml.slice(at, at + pieceLength));
  const isBroken = at < xml.length;
  parser.end();
  return { channel, entries, more, isBroken };
}

function entryMarkdown({ title, link, author, date, text }: FeedEntry, base: string): string {
  const heading = (tidy(title) ?? 'Without a title').replaceAll(/[\\[\]*_`]/g, String.raw`\$&`);
  const address = link === '' ? null : webAddress(link, base);
  const day = parsePublished(date)?.slice(0, 10) ?? null;
  const byline = [tidy(author.replaceAll(/<[^<>]*>/g, ' ')), day].filter((one) => one !== null).join(', ');
  const body = /<[a-z!/]/i.test(text) ? linearMarkdown(text) : text;
  return [
    `## ${address === null ? heading : `[${heading}](${address})`}`,
    byline,
    body.replaceAll(/^#{1,6}(?= )/gm, '####'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function emptyEntry(): FeedEntry {
  return { title: '', link: '', author: '', date: '', text: '' };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
