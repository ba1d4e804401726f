import { countWords } from '../../../domain/records/document.ts';
import { plainText } from '../../../domain/text/plain-text.ts';
import type { PageElement, PageReading, WholePage } from '../reading.ts';

/**
 * Selectors for the posts of one forum software. They do not depend on the host: the software's markup is the same
 * everywhere.
 */
interface Markup {
  post: string;
  /** Selectors inside the post. The first match is used. */
  author: readonly string[];
  text: readonly string[];
  /** Selectors of the thread's first post, if its markup differs. */
  opening?: { post: string; author: readonly string[]; text: readonly string[] };
}

const markups: readonly Markup[] = [
  {
    // Hacker News
    post: 'tr.comtr',
    author: ['.hnuser'],
    text: ['.commtext'],
    opening: { post: '.fatitem', author: ['.hnuser'], text: ['.toptext'] },
  },
  {
    // Reddit, current design
    post: 'shreddit-comment',
    author: [],
    text: ['[slot="comment"]'],
    opening: { post: 'shreddit-post', author: [], text: ['[slot="text-body"]'] },
  },
  {
    // Reddit, old design
    post: '.commentarea .thing.comment',
    author: ['.author'],
    text: ['.usertext-body .md'],
    opening: { post: '#siteTable .thing', author: ['.author'], text: ['.usertext-body .md'] },
  },
  {
    // Stack Exchange
    post: '.answer',
    author: ['.post-signature:last-of-type .user-details a', '.user-details a'],
    text: ['.s-prose', '.post-text'],
    opening: { post: '.question', author: ['.post-signature.owner .user-details a'], text: ['.s-prose', '.post-text'] },
  },
  // XenForo, phpBB, Discourse (with and without scripts)
  { post: 'article.message--post', author: ['.message-name', '.username'], text: ['.message-body .bbWrapper'] },
  { post: '.post .postbody', author: ['.author strong', '.author .username', '.author a'], text: ['.content'] },
  { post: '.crawler-post', author: ['[itemprop="author"]', '.creator'], text: ['.post', '[itemprop="text"]'] },
  // Vanilla, bbPress, vBulletin, Simple Machines, MyBB, Invision
  {
    post: '.ItemComment',
    author: ['.Author .Username', '.Username'],
    text: ['.Message', '.userContent'],
    opening: {
      post: '.ItemDiscussion',
      author: ['.Author .Username', '.Username'],
      text: ['.Message', '.userContent'],
    },
  },
  {
    post: '.bbp-body .type-reply, .bbp-body .type-topic, .bbp-threaded-replies .type-reply',
    author: ['.bbp-author-name'],
    text: ['.bbp-reply-content', '.bbp-topic-content'],
    opening: { post: '.bbp-lead-topic .type-topic', author: ['.bbp-author-name'], text: ['.bbp-topic-content'] },
  },
  { post: '.postcontainer, .postbitlegacy', author: ['.username'], text: ['.postcontent'] },
  { post: '.post_wrapper', author: ['.poster h4 a', '.poster h4'], text: ['.post .inner', '.inner'] },
  { post: '.post', author: ['.author_information a'], text: ['.post_body'] },
  {
    post: 'article.ipsComment, article.cPost',
    author: ['.cAuthorPane_author a', '.ipsComment_author a'],
    text: ['[data-role="commentContent"]'],
  },
  // FluxBB and PunBB
  { post: '.blockpost', author: ['.postleft dt strong', '.postleft dt'], text: ['.postmsg'] },
  // schema.org in the page itself
  {
    post: '[itemtype$="schema.org/Comment"], [itemtype$="schema.org/Answer"]',
    author: ['[itemprop="author"] [itemprop="name"]', '[itemprop="author"]'],
    text: ['[itemprop="text"]'],
    opening: {
      post: '[itemtype$="schema.org/DiscussionForumPosting"], [itemtype$="schema.org/Question"]',
      author: ['[itemprop="author"] [itemprop="name"]', '[itemprop="author"]'],
      text: ['[itemprop="text"]', '[itemprop="articleBody"]'],
    },
  },
];
/**
 * A page without any of these words matches none of the selectors. Most pages have none, so their DOM is not searched.
 */
const anyMark =
  /comtr|shreddit-comment|commentarea|s-prose|post-text|message--post|postbody|crawler-post|ItemComment|bbp-reply-content|postcontent|post_wrapper|post_body|blockpost|commentContent|schema\.org\/(?:Comment|Answer|DiscussionForumPosting|Question)/;

interface Post {
  author: string | null;
  /** When it was written, as the page shows it. */
  date?: string | null;
  markdown: string;
}

const minPosts = 2;
const minWords = 30;
const maxPosts = 2_000;

/**
 * Reads a thread: the first post, then each reply under a heading with its author's name. Null if the page is not a
 * thread.
 */
export function readDiscussion(page: WholePage): PageReading | null {
  if (!anyMark.test(page.html) || isBeside(page)) return null;
  for (const markup of markups) {
    const opening = markup.opening === undefined ? null : openingOf(page, markup.opening);
    const posts: Post[] = [];
    let characters = 0;
    for (const element of page.root.querySelectorAll(markup.post)) {
      // Nested posts repeat the text of their inner posts. Stop once the posts together are longer than the page.
      if (posts.length >= maxPosts || characters > page.html.length) break;
      const post = postOf(page, element, markup);
      if (post !== null) posts.push(post);
      characters += post?.markdown.length ?? 0;
    }
    if (posts.length === 0 || posts.length + (opening === null ? 0 : 1) < minPosts) continue;
    const first = opening ?? posts.shift() ?? null;
    const markdown = threadMarkdown(first, withoutRepeats(first, posts));
    if (countWords(plainText(markdown)) < minWords) continue;
    return { contentType: 'discussion', markdown, author: first?.author ?? null };
  }
  return null;
}

/** Questions of a product, and answers that a company gives to its own questions, are not what such a page is about. */
function isBeside({ html, facts }: WholePage): boolean {
  const data = facts.jsonLd.join(' ');
  if (/schema\.org\/(?:DiscussionForumPosting|QAPage)/.test(html) || /"(?:DiscussionForumPosting|QAPage)"/.test(data))
    return false;
  return /schema\.org\/(?:FAQPage|Product)\b/.test(html) || /"(?:FAQPage|Product)"/.test(data);
}

/** A shorter line of a quotation is kept: without it, the reply may not be understood. In characters. */
const minRepeated = 40;

/** Leaves out what a reply quotes of the posts above it, line by line. The first words of a quotation name its author. */
function withoutRepeats(first: Post | null, posts: readonly Post[]): Post[] {
  const said = new Set<string>();
  const own = (markdown: string): void => {
    for (const line of markdown.split('\n')) if (!line.startsWith('>')) said.add(bareLine(line));
  };
  if (first !== null) own(first.markdown);
  return posts.map(({ markdown, ...post }) => {
    const kept = markdown.split('\n').filter((line) => {
      if (!line.startsWith('>')) return true;
      const bare = bareLine(line);
      return bare.length < minRepeated || !said.has(bare);
    });
    own(markdown);
    return { ...post, markdown: kept.join('\n') };
  });
}

function bareLine(line: string): string {
  return line.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** The thread as Markdown: the first post as it is, each further one under a heading with its author's name. */
export function threadMarkdown(first: Post | null, posts: readonly Post[]): string {
  return [
    ...(first === null || first.markdown === '' ? [] : [first.markdown]),
    ...posts.map(({ author, date, markdown }) => {
      const name = author === null ? 'A reply' : heading(author);
      return `## ${name}${date ? ` · ${heading(date)}` : ''}\n\n${belowHeading(markdown)}`;
    }),
  ].join('\n\n');
}

/** Sets headings inside a reply to level 4, so that they do not end the section under its author's name. */
function belowHeading(markdown: string): string {
  return markdown.replaceAll(/^#{1,6}(?= )/gm, '####');
}

function openingOf(page: WholePage, markup: NonNullable<Markup['opening']>): Post | null {
  const element = page.root.querySelector(markup.post);
  if (element === null) return null;
  return postOf(page, element, markup) ?? { author: nameOf(element, markup.author), markdown: '' };
}

function postOf(page: WholePage, element: PageElement, { author, text }: Pick<Markup, 'author' | 'text'>): Post | null {
  const body = firstOf(element, text);
  if (body === null) return null;
  const markdown = page.toMarkdown(body);
  return markdown === '' ? null : { author: nameOf(element, author), date: dateOf(element), markdown };
}

function nameOf(element: PageElement, selectors: readonly string[]): string | null {
  const names = [
    ...selectors.map((selector) => element.querySelector(selector)?.textContent),
    element.getAttribute('author'),
    element.getAttribute('data-author'),
  ];
  for (const name of names) {
    const bare = name?.replaceAll(/\s+/g, ' ').trim().slice(0, 80) ?? '';
    // "#1" is a post's number, which some forums mark up like a name.
    if (bare !== '' && !/^#\d+$/.test(bare)) return bare;
  }
  return null;
}

/** A longer text is more than a date. */
const maxDateLength = 40;

function dateOf(element: PageElement): string | null {
  const text = element.querySelector('time')?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return /\d/.test(text) && text.length <= maxDateLength ? text : null;
}

/** Escapes Markdown characters in a name. */
function heading(name: string): string {
  return name.replaceAll(/[\\[\]*_`#]/g, String.raw`\$&`);
}

function firstOf(element: PageElement, selectors: readonly string[]): PageElement | null {
  for (const selector of selectors) {
    const found = element.querySelector(selector);
    if (found !== null) return found;
  }
  return null;
}
