/**
 * Selectors for the posts of one forum software. They do not depend on the host: the software's markup is the same
 * everywhere.
 */
export interface Markup {
  post: string;
  /** Selectors inside the post, with bars between them. The first one that matches is used. */
  author: string;
  text: string;
  /** Of the thread's title, where the page's own title is less certain. */
  title?: string;
  /** Whether comments below articles have the same markup. */
  isBelowArticles?: boolean;
  /** Selectors of the thread's first post, if its markup differs. */
  opening?: { post: string; author: string; text: string };
}

export const markups: readonly Markup[] = [
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
    opening: {
      post: '.ItemDiscussion',
      author: '.Author .Username | .Username',
      text: '.Message | .userContent',
    },
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
 * What says when a post was written, inside the post or in the header before it. Most software uses `<time>`; the others are
 * Hacker News, Discourse, NodeBB, MyBB, Simple Machines, vBulletin and bbPress.
 */
export const postTime =
  'time, relative-time, .age[title], .relative-date[title], .timeago[title], .post_date, .postinfo, .postdate, .bbp-reply-post-date, .bbp-topic-post-date';

/**
 * A page without any of these words matches none of the selectors. Most pages have none, so their DOM is not searched.
 */
export const anyMark =
  /comtr|shreddit-comment|commentarea|s-prose|post-text|message--post|postbody|crawler-post|topic-post|CommentPost|ItemComment|bbp-reply-content|postcontent|react-issue-comment|timeline-comment|timeline-item|post_wrapper|post_body|blockpost|commentContent|schema\.org\/(?:Comment|Answer|DiscussionForumPosting|Question)/;
