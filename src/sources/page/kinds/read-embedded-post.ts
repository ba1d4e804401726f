import { z } from 'zod';
import { isoTime } from '../../../domain/clock.ts';
import type { Document } from '../../../domain/records/texts/document.ts';
import { plainText } from '../../../domain/text/plain-text.ts';
import { ProcessingError } from '../../../errors.ts';
import { detectLanguage } from '../../language/language.ts';
import { linearMarkdown } from '../html/linear-html.ts';
import { markdownBlocks } from '../../text/markdown-blocks.ts';
import { parseJson } from '../../../domain/json/bounded-json.ts';
import { postReading } from './page-kinds.ts';
import { parsePublished } from '../metadata/published-date.ts';
import { textDocument } from '../../text/read-text.ts';

/** oEmbed answer (https://oembed.com) for a post. The post's text is in the HTML snippet for embedding. */
const embedding = z.object({ html: z.string(), author_name: z.string().nullish(), author_url: z.string().nullish() });

/**
 * @param url address of the post itself
 * @throws {ProcessingError} `login_required`
 */
export async function readEmbeddedPost(text: string, url: string): Promise<Document> {
  const found = embedding.safeParse(parseJson(text));
  const quote = firstParagraph(found.data?.html.slice(0, 50_000) ?? '');
  if (found.data === undefined || quote === null) {
    throw new ProcessingError(
      'login_required',
      'The site shows this post only after a login. Open it in your browser and save it again together with its text.',
    );
  }
  const post = plainText(
    quote
      .split(/<br\s*\/?>/)
      .map((line) => linearMarkdown(`<p>${line}</p>`))
      .join('\n'),
  );
  const day = />([^<>]*\d{4})<\/a>\s*<\/blockquote>/.exec(found.data.html.slice(-2_000))?.[1];
  const reading = postReading(found.data.author_name ?? '', post, parsePublished(day ?? null) ?? timeOf(url));
  const { markdown, contentType, title = null, author = null, publishedAt = null } = reading;
  return textDocument(markdownBlocks(markdown), {
    contentType,
    title,
    author,
    siteName: 'X',
    publishedAt,
    language: await detectLanguage(post),
  });
}

function firstParagraph(html: string): string | null {
  const tag = html.search(/<p\b/);
  const start = tag === -1 ? -1 : html.indexOf('>', tag);
  const end = start === -1 ? -1 : html.indexOf('</p>', start);
  return end === -1 ? null : html.slice(start + 1, end);
}

/** The time in a post's id: the bits above the lowest 22 are milliseconds since 4 November 2010. */
function timeOf(address: string): string | null {
  const id = /status\/(\d{15,20})/.exec(decodeURIComponent(address.slice(0, 2_000)))?.[1];
  return id === undefined ? null : isoTime(Number(BigInt(id) >> 22n) + 1_288_834_974_657);
}
