import { z } from 'zod';
import { parseJson } from '../../../domain/json/bounded-json.ts';
import { isoTime } from '../../../domain/clock.ts';
import type { Document } from '../../../domain/records/texts/document.ts';
import { plainText } from '../../../domain/text/plain-text.ts';
import { ProcessingError } from '../../../errors.ts';
import { threadMarkdown } from './discussion.ts';
import { detectLanguage } from '../../language/language.ts';
import { markdownBlocks } from '../../text/markdown-blocks.ts';
import { textDocument } from '../../text/read-text.ts';

/** Of reddit.com/comments/<id>.json: the post, then its comments with their replies. */
const thing = z.object({
  kind: z.string().nullish(),
  data: z.looseObject({
    title: z.string().nullish(),
    author: z.string().nullish(),
    selftext: z.string().nullish(),
    url: z.string().nullish(),
    body: z.string().nullish(),
    subreddit_name_prefixed: z.string().nullish(),
    permalink: z.string().nullish(),
    created_utc: z.number().nullish(),
    replies: z.unknown().optional(),
    children: z.array(z.unknown()).nullish(),
  }),
});
const answer = z.array(thing).min(1);

const maxComments = 1_000;

interface Comment {
  author: string | null;
  markdown: string;
}

export async function readReddit(text: string): Promise<Document> {
  const [first, second] = answer.safeParse(parseJson(text)).data ?? [];
  const post = thing.safeParse(first?.data.children?.[0]).data?.data;
  if (post === undefined) throw broken();
  const found = collect(second?.data.children ?? []);
  const comments = found.slice(0, maxComments);
  const own = post.selftext ?? '';
  const link = own === '' && post.url?.startsWith('http') === true ? `<${post.url}>` : '';
  const opening = { author: post.author ?? null, markdown: own === '' ? link : own };
  const markdown = threadMarkdown(opening, comments);
  return textDocument(markdownBlocks(markdown), {
    contentType: 'discussion',
    title: post.title ?? null,
    author: post.author ?? null,
    siteName: post.subreddit_name_prefixed ?? 'Reddit',
    publishedAt: typeof post.created_utc === 'number' ? isoTime(post.created_utc * 1_000) : null,
    language: await detectLanguage(plainText(markdown.slice(0, 40_000))),
    warnings:
      found.length > maxComments
        ? [{ code: 'truncated', message: `The thread has more than ${maxComments} comments; the rest was left out.` }]
        : [],
  });
}

/** Comments in reading order: a comment, then its replies. At most one more than are kept. */
function collect(children: readonly unknown[]): Comment[] {
  const comments: Comment[] = [];
  const waiting = [...children].toReversed();
  while (waiting.length > 0 && comments.length <= maxComments) {
    const { data } = thing.safeParse(waiting.pop()).data ?? {};
    if (data === undefined) continue;
    if (typeof data.body === 'string' && !/^\[(?:removed|deleted)\]$/.test(data.body))
      comments.push({ author: data.author ?? null, markdown: data.body });
    const replies = thing.safeParse(data.replies).data?.data.children ?? [];
    waiting.push(...replies.toReversed());
  }
  return comments;
}

function broken(): ProcessingError {
  return new ProcessingError(
    'empty',
    'Reddit answered without the thread: it may be private or removed. Open it in your browser and save it again together with its text.',
  );
}
