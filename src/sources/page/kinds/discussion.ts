import { countWords } from '../../../domain/records/texts/document.ts';
import { plainText } from '../../../domain/text/plain-text.ts';
import type { DomNode } from '../html/dom-node.ts';
import type { PageReading, WholePage } from '../reading.ts';
import { declaresArticle } from '../blocks/choose-blocks.ts';
import { bareName } from '../metadata/names.ts';
import { parsePublished } from '../metadata/published-date.ts';

/** Selectors for the posts of one forum software, whose markup is the same on every host. */
interface Markup {
  post: string;
  /** Selectors inside the post, with bars between them. The first one that matches is used. */
  author: string;
  text: string;
  /** Of the thread's title, where the page's own title is less certain. */
  title?: string;
  isBelowArticles?: boolean;
  opening?: { post: string; author: string; text: string };
}

const markups: readonly Markup[] = [
  // Hacker News
  {
    post: 'tr.comtr',
    author: '.hnuser',
    text: '.commtext',
    opening: { post: '.fatitem', author: '.hnuser', text: '.toptext' },
  },
  // Reddit, current design
  {
    post: 'shreddit-comment',
    author: '',
    text: '[slot="comment"]',
    opening: { post: 'shreddit-post', author: '', text: '[slot="text-body"]' },
  },
  // Reddit, old design
  {
    post: '.commentarea .thing.comment',
    author: '.author',
    text: '.usertext-body .md',
    title: '#siteTable .thing a.title',
    // The link is the text of a post that is nothing else.
    opening: {
      post: '#siteTable .thing',
      author: '.author',
      text: '.usertext-body .md | p.title:has(> a.title.outbound, > a.title[href^="http"])',
    },
  },
  // Stack Exchange
  {
    post: '.answer',
    author: '.post-signature:last-of-type .user-details a | .user-details a',
    text: '.s-prose | .post-text',
    opening: { post: '.question', author: '.post-signature.owner .user-details a', text: '.s-prose | .post-text' },
  },
  // XenForo, phpBB, Discourse (with and without scripts)
  { post: 'article.message--post', author: '.message-name | .username', text: '.message-body .bbWrapper' },
  {
    post: '.post .postbody',
    author: '.author strong | .author .username | .author a',
    text: '.content',
    title: '.topic-title',
  },
  { post: '.crawler-post', author: '[itemprop="author"] | .creator', text: '.post | [itemprop="text"]' },
  { post: '.topic-post', author: '.names .username | [data-user-card]', text: '.cooked' },
  // Flarum
  { post: '.CommentPost', author: '.PostUser-name .username | .username', text: '.Post-body' },
  // Vanilla, bbPress, vBulletin, Simple Machines, MyBB, Invision
  {
    post: '.ItemComment',
    author: '.Author .Username | .Username',
    text: '.Message | .userContent',
    opening: { post: '.ItemDiscussion', author: '.Author .Username | .Username', text: '.Message | .userContent' },
  },
  {
    post: '.bbp-body .type-reply, .bbp-body .type-topic, .bbp-threaded-replies .type-reply',
    author: '.bbp-author-name',
    text: '.bbp-reply-content | .bbp-topic-content',
    opening: { post: '.bbp-lead-topic .type-topic', author: '.bbp-author-name', text: '.bbp-topic-content' },
  },
  { post: '.postcontainer, .postbitlegacy', author: '.username', text: '.postcontent' },
  { post: '.post_wrapper', author: '.poster h4 a | .poster h4', text: '.post .inner | .inner' },
  { post: '.post', author: '.author_information a', text: '.post_body' },
  {
    post: 'article.ipsComment, article.cPost',
    author: '.cAuthorPane_author a | .ipsComment_author a',
    text: '[data-role="commentContent"]',
  },
  // FluxBB and PunBB
  { post: '.blockpost', author: '.postleft dt strong | .postleft dt', text: '.postmsg' },
  // GitHub's issues and pull requests, in both of its designs; Gitea and Forgejo
  {
    post: '.react-issue-comment',
    author:
      '[class*="ActivityHeader-module__AuthorLink"] | [data-testid="avatar-link"] | [data-hovercard-url*="/users/"]',
    text: '.markdown-body',
    title: '[data-testid="issue-title"]',
    opening: {
      post: '[data-testid="issue-viewer-issue-container"]',
      author: '[data-testid="issue-body-header-author"]',
      text: '.markdown-body',
    },
  },
  { post: '.timeline-comment, .review-comment', author: '.author', text: '.comment-body', title: '.js-issue-title' },
  {
    post: '.timeline-item.comment',
    author: '.author',
    text: '.render-content.markup | .comment-body',
    title: '#issue-title-display .issue-title, .issue-title h1',
  },
  // schema.org in the page itself
  {
    isBelowArticles: true,
    post: '[itemtype$="schema.org/Comment"], [itemtype$="schema.org/Answer"]',
    author: '[itemprop="author"] [itemprop="name"] | [itemprop="author"]',
    text: '[itemprop="text"]',
    opening: {
      post: '[itemtype$="schema.org/DiscussionForumPosting"], [itemtype$="schema.org/Question"]',
      author: '[itemprop="author"] [itemprop="name"] | [itemprop="author"]',
      text: '[itemprop="text"] | [itemprop="articleBody"]',
    },
  },
];
/**
 * Elements with the time of a post, inside it or in the header before it. Most software uses `<time>`; the others are Hacker News,
 * Discourse, NodeBB, MyBB, Simple Machines, vBulletin and bbPress.
 */
const postTime =
  'time, relative-time, .age[title], .relative-date[title], .timeago[title], .post_date, .postinfo, .postdate, .bbp-reply-post-date, .bbp-topic-post-date';

/**
 * A page without any of these words matches none of the selectors. Most pages have none, so their DOM is not searched.
 */
const anyMark =
  /comtr|shreddit-comment|commentarea|s-prose|post-text|message--post|postbody|crawler-post|topic-post|CommentPost|ItemComment|bbp-reply-content|postcontent|react-issue-comment|timeline-comment|timeline-item|post_wrapper|post_body|blockpost|commentContent|schema\.org\/(?:Comment|Answer|DiscussionForumPosting|Question)/;

interface Post {
  author: string | null;
  /** When it was written, as the page shows it. */
  date?: string | null;
  /** In UTC. */
  writtenAt?: string | null;
  markdown: string;
}

const minPosts = 2;
const minWords = 30;
const maxPosts = 2_000;

/** The first post, then each reply under a heading with its author's name. Null if the page is no thread. */
export function readDiscussion(page: WholePage): PageReading | null {
  if (!anyMark.test(page.html) || isBeside(page)) return null;
  for (const markup of markups) {
    const start = markup.opening === undefined ? null : page.root.querySelector(markup.opening.post);
    const opening = start === null || markup.opening === undefined ? null : openingOf(page, start, markup.opening);
    if (opening === null && markup.isBelowArticles === true && holdsArticle(page)) continue;
    const posts: Post[] = [];
    let characters = 0;
    for (const element of page.root.querySelectorAll(markup.post)) {
      // Nested posts repeat the text of their inner posts. Stop once the posts together are longer than the page.
      if (posts.length >= maxPosts || characters > page.html.length) break;
      const post = element === start ? null : postOf(page, element, markup);
      if (post !== null) posts.push(post);
      characters += post?.markdown.length ?? 0;
    }
    if (posts.length === 0 || posts.length + (opening === null ? 0 : 1) < minPosts) continue;
    const first = opening ?? posts.shift() ?? null;
    const markdown = threadMarkdown(first, withoutRepeats(first, posts));
    if (countWords(plainText(markdown)) < minWords) continue;
    const titled = markup.title === undefined ? null : oneLine(page.root.querySelector(markup.title));
    return {
      contentType: 'discussion',
      markdown,
      author: first?.author ?? null,
      title: titled === '' ? null : titled,
      hints: [{ title: null, author: null, siteName: null, publishedAt: first?.writtenAt ?? null }],
    };
  }
  return null;
}

function holdsArticle({ html, facts }: WholePage): boolean {
  return (
    declaresArticle(facts) ||
    /itemtype\s?=\s?["']https?:\/\/schema\.org\/(?:\w{0,20}Article|BlogPosting|Recipe|Review)["']/i.test(html)
  );
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
    for (const line of markdown.split('\n')) if (!line.startsWith('>')) said.add(bareName(line));
  };
  if (first !== null) own(first.markdown);
  return posts.map(({ markdown, ...post }) => {
    const kept = markdown.split('\n').filter((line) => {
      if (!line.startsWith('>')) return true;
      const bare = bareName(line);
      return bare.length < minRepeated || !said.has(bare);
    });
    own(markdown);
    return { ...post, markdown: kept.join('\n') };
  });
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

function openingOf(page: WholePage, element: DomNode, markup: NonNullable<Markup['opening']>): Post {
  return postOf(page, element, markup) ?? { author: nameOf(element, markup.author), ...timeOf(element), markdown: '' };
}

function postOf(page: WholePage, element: DomNode, { author, text }: Pick<Markup, 'author' | 'text'>): Post | null {
  const body = firstOf(element, text);
  if (body === null) return null;
  const markdown = page.toMarkdown(body);
  return markdown === '' ? null : { author: nameOf(element, author), ...timeOf(element), markdown };
}

function nameOf(element: DomNode, selectors: string): string | null {
  const names = [
    ...listed(selectors).map((selector) => element.querySelector(selector)?.textContent),
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

const maxDateLength = 40;
const ago = /\bago$|^(?:\d+ ?[a-z]{1,3}|yesterday|today|just now)$/i;

/** When a post was written: as the page shows it, or its day where the page shows how long ago that was, or no whole date. */
function timeOf(element: DomNode): Pick<Post, 'date' | 'writtenAt'> {
  const time = element.querySelector(postTime) ?? headerOf(element)?.querySelector(postTime) ?? null;
  const text = oneLine(time) ?? '';
  const stamp =
    time?.getAttribute('datetime') ?? time?.getAttribute('title') ?? element.getAttribute('created-timestamp');
  const shown = parsePublished(text);
  const writtenAt = parsePublished(stamp ?? null) ?? shown;
  const isWhole = shown !== null || writtenAt === null;
  const isShown = isWhole && /\d/.test(text) && text.length <= maxDateLength && !ago.test(text);
  return { date: isShown ? text : (writtenAt?.slice(0, 10) ?? null), writtenAt };
}

/** bbPress puts a post's date into a header before the post. */
function headerOf(element: DomNode): DomNode | null {
  const before = element.previousElementSibling;
  return /\bbbp-(?:reply|topic)-header\b/.test(before?.getAttribute('class') ?? '') ? before : null;
}

function oneLine(element: DomNode | null): string | null {
  return element?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? null;
}

function heading(name: string): string {
  return name.replaceAll(/[\\[\]*_`#]/g, String.raw`\$&`);
}

function listed(selectors: string): string[] {
  return selectors.split(' | ').filter((selector) => selector !== '');
}

function firstOf(element: DomNode, selectors: string): DomNode | null {
  for (const selector of listed(selectors)) {
    const found = element.querySelector(selector);
    if (found !== null) return found;
  }
  return null;
}
