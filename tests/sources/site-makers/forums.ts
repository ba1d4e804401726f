import { essay as e, type SitePage } from './site-page.ts';

/*
 * Threads as forum software writes them. All have the same four posts: ann asks, bob answers, ann quotes him, eve ends it. Names, dates and
 * quotations are kept; ranks, buttons, signatures and "Click to expand" are not.
 */
const people = ['ann', 'bob', 'ann', 'eve'];
const texts = [
  `${e[1]} ${e[2]}`,
  e[3]!,
  'That worked, thank you very much. I had not thought of shaking the branch.',
  e[7]!,
];
const cells = (row: (text: string, name: string, at: number) => string, from = 0): string =>
  texts
    .slice(from)
    .map((text, at) => row(text, people[at + from]!, at + from))
    .join('\n');
const common = {
  must: [e[1]!, '## bob', e[3]!, '## ann', texts[2]!, '## eve', e[7]!],
  title: 'Swarm on the gutter',
  author: 'ann',
  date: '2024-06-14',
  contentType: 'discussion',
};
const noise = ['Click to expand', 'Keep calm', 'Joined', 'Log in', 'Queen bee', 'Powered by', 'Other thread'];
const head = (title: string, more = ''): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${more}</head>`;

const xenforo: SitePage = {
  ...common,
  name: 'XenForo',
  url: 'https://forum.bees.example/threads/swarm-on-the-gutter.512/',
  html: `${head('Swarm on the gutter | The Bee Forum')}<body data-template="thread_view"><div class="p-pageWrapper"><header class="p-header"><a href="/">The Bee Forum</a></header><div class="p-nav"><a href="/login/" class="p-navgroup-link">Log in</a></div>
<div class="p-body"><div class="p-body-header"><div class="p-title"><h1 class="p-title-value">Swarm on the gutter</h1></div><div class="p-description"><ul class="listInline"><li><a href="/m/ann.1/" class="username">ann</a></li><li><time class="u-dt" datetime="2024-06-14T10:30:00+0200">Jun 14, 2024</time></li></ul></div></div>
<div class="block block--messages"><div class="block-container"><div class="block-body js-replyNewMessageContainer">
${cells((text, name, at) => `<article class="message message--post js-post" data-author="${name}" data-content="post-${at}" id="js-post-${at}"><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user"><div class="message-avatar"><a href="#" class="avatar"><img alt="${name}"></a></div><div class="message-userDetails"><h4 class="message-name"><a href="/m/${name}/" class="username"><span>${name}</span></a></h4><h5 class="userTitle message-userTitle">Queen bee</h5></div><div class="message-userExtras"><dl class="pairs"><dt>Joined</dt><dd>May 3, 2019</dd></dl></div></section></div><div class="message-cell message-cell--main"><div class="message-main"><header class="message-attribution message-attribution--split"><ul class="message-attribution-main listInline"><li class="u-concealed"><a href="#post-${at}"><time class="u-dt" datetime="2024-06-1${4 + at}T10:30:00+0200">Jun 1${4 + at}, 2024</time></a></li></ul><ul class="message-attribution-opposite"><li><a href="#post-${at}">#${at + 1}</a></li></ul></header><div class="message-content"><div class="message-userContent"><article class="message-body js-selectToQuote"><div class="bbWrapper">${at === 2 ? `<blockquote data-attributes="" data-quote="bob" data-source="post: 1" class="bbCodeBlock bbCodeBlock--expandable bbCodeBlock--quote js-expandWatch"><div class="bbCodeBlock-title"><a href="/goto/post?id=1" class="bbCodeBlock-sourceJump">bob said:</a></div><div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent js-expandContent ">Give the branch a shake.</div><div class="bbCodeBlock-expandLink js-expandLink"><a role="button" tabindex="0">Click to expand...</a></div></div></blockquote>` : ''}${text}</div><div class="js-selectToQuoteEnd">&nbsp;</div></article></div><aside class="message-signature"><div class="bbWrapper">Keep calm and keep bees</div></aside></div><footer class="message-footer"><div class="message-actionBar"><a>Reply</a></div></footer></div></div></div></article>`)}
</div></div></div><div class="block"><h3 class="block-minorHeader">Similar threads</h3><div class="structItem"><a href="/t/9/">Other thread</a></div></div></div><footer class="p-footer">Powered by XenForo</footer></div></body></html>`,
  must: [
    e[1]!,
    '## bob',
    'Jun 15, 2024',
    e[3]!,
    '## ann',
    'bob said',
    'Give the branch a shake.',
    texts[2]!,
    '## eve',
    e[7]!,
  ],
  mustNot: noise,
};
const mybb: SitePage = {
  ...common,
  name: 'MyBB',
  url: 'https://forum.bees.example/showthread.php?tid=512',
  html: `${head('Swarm on the gutter')}<body><div id="container"><div id="header"><div id="panel"><span class="welcome">Hello There, Guest! <a href="/login">Log in</a></span></div></div><div id="content"><div class="wrapper"><div class="navigation"><a href="/">The Bee Forum</a> › <span class="active">Swarm on the gutter</span></div>
<table class="tborder tfixed clear"><tr><td class="thead"><div><strong>Swarm on the gutter</strong></div></td></tr><tr><td id="posts_container"><div id="posts">
${cells((text, name, at) => `<a name="pid${at}" id="pid${at}"></a><div class="post classic " id="post_${at}"><div class="post_author scaleimages"><div class="author_avatar"><img src="/a.png"></div><div class="author_information"><strong><span class="largetext"><a href="/user-${at}.html">${name}</a></span></strong><br><span class="smalltext">Queen bee<br></span></div><div class="author_statistics">Posts: 31<br>Joined: May 2019</div></div><div class="post_content"><div class="post_head"><div class="float_right"><strong><a href="#pid${at}">#${at + 1}</a></strong></div><span class="post_date">06-1${4 + at}-2024, 08:30 AM</span></div><div class="post_body scaleimages" id="pid_${at}">${at === 2 ? `<blockquote class="mycode_quote"><cite><span> (06-15-2024, 08:30 AM)</span>bob Wrote: <a href="#pid1" class="quick_jump"></a></cite>Give the branch a shake.</blockquote>` : ''}${text}</div><div class="signature scaleimages">Keep calm and keep bees</div><div class="post_meta"></div></div><div class="post_controls"><div class="postbit_buttons"><a href="/r" class="postbit_find"><span>Find</span></a></div></div></div>`)}
</div></td></tr></table></div></div><div id="footer"><span id="copyright">Powered By MyBB</span></div></div></body></html>`,
  must: [e[1]!, '## bob', '06-15-2024', e[3]!, '## ann', 'Give the branch a shake.', texts[2]!, '## eve', e[7]!],
  mustNot: [...noise, 'Posts: 31', 'Powered By'],
};
const smf: SitePage = {
  ...common,
  name: 'Simple Machines 2.1',
  url: 'https://forum.bees.example/index.php?topic=512.0',
  html: `${head('Swarm on the gutter')}<body id="chrome" class="action_messageindex"><div id="top_section"><div class="inner_wrap"><ul><li>Welcome to <strong>The Bee Forum</strong>. Please <a>log in</a>.</li></ul></div></div><div id="content_section"><div id="main_content_section">
<div id="display_head" class="information"><h2 class="display_title"><span id="top_subject">Swarm on the gutter</span></h2><p>Started by ann, June 14, 2024, 08:30:00 AM</p></div><div id="forumposts"><form>
${cells((text, name, at) => `<div class="windowbg" id="msg${at}"><div class="post_wrapper"><div class="poster"><h4><a href="/u" title="View the profile of ${name}">${name}</a></h4><ul class="user_info"><li class="membergroup">Queen bee</li><li class="postcount">Posts: 31</li></ul></div><div class="postarea"><div class="keyinfo"><div id="subject_${at}" class="subject_title"><a href="#msg${at}">${at === 0 ? '' : 'Re: '}Swarm on the gutter</a></div><div class="postinfo"><a href="#msg${at}" class="smalltext">June 1${4 + at}, 2024, 08:30:00 AM</a></div></div><div class="post"><div class="inner" data-msgid="${at}" id="msg_${at}">${at === 2 ? `<blockquote class="bbc_standard_quote"><cite><a href="#msg1">Quote from: bob on June 15, 2024, 08:30:00 AM</a></cite>Give the branch a shake.</blockquote>` : ''}${text}</div></div><div class="under_message"><ul class="quickbuttons"><li><a>Quote</a></li></ul></div></div><div class="moderatorbar"><div class="signature" id="msg_${at}_signature">Keep calm and keep bees</div></div></div></div>`)}
</form></div></div></div><div id="footer"><ul><li class="copyright">Powered by SMF 2.1.4</li></ul></div></body></html>`,
  must: [e[1]!, '## bob', 'June 15, 2024', e[3]!, '## ann', 'Give the branch a shake.', texts[2]!, '## eve', e[7]!],
  mustNot: [...noise, 'Posts: 31'],
};
const vbulletin: SitePage = {
  ...common,
  name: 'vBulletin 5',
  url: 'https://forum.bees.example/forum/hives/512-swarm-on-the-gutter',
  html: `${head('Swarm on the gutter - The Bee Forum')}<body id="vb-page-body"><div id="header"><a class="b-link">Log in</a></div><div id="wrapper"><div id="main-navbar">Forum</div><h1 class="main-title js-main-title">Swarm on the gutter</h1>
<div class="conversation-content"><ul class="conversation-list list-container stream-view thread-view">
${cells((text, name, at) => `<li data-node-id="${at}" data-node-publishdate="1718353800" class="b-post js-post js-comment-entry h-restore--on-preview" itemscope itemtype="http://schema.org/Comment"><div class="b-post__body l-row"><div class="b-post__grid-container"><div class="l-col__fixed--left b-post__side"><div class="b-userinfo js-userinfo"><div class="b-userinfo__details"><div class="author h-text-size--14" itemprop="author" itemscope itemtype="http://schema.org/Person"><strong><a href="/m/${name}" itemprop="url"><span itemprop="name">${name}</span></a></strong></div><div class="usertitle">Queen bee</div><ul class="userinfo__extras"><li>Join Date: May 2019</li></ul></div></div></div><div class="b-post__content js-post__content l-col__flex-full"><div class="b-post__arrow"></div><hr class="b-divider--section"><div class="b-post__timestamp"><time itemprop="dateCreated" datetime="2024-06-1${4 + at}T08:30:00">06-1${4 + at}-2024, 08:30 AM</time></div><div class="js-post__content-text OLD__post-content-text restore h-wordwrap" itemprop="text">${at === 2 ? `<div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container"><div class="bbcode_quote_container vb-icon vb-icon-quote-large"></div><div class="bbcode_postedby">Originally posted by <strong>bob</strong></div><div class="message">Give the branch a shake.</div></div></div></div>` : ''}${text}</div><div class="post-signature restore">Keep calm and keep bees</div></div></div></div></li>`)}
</ul></div></div><div id="footer">Powered by vBulletin</div></body></html>`,
  must: [e[1]!, '## bob', '06-15-2024', e[3]!, '## ann', 'Give the branch a shake.', texts[2]!, '## eve', e[7]!],
  mustNot: noise,
};
const bbpress: SitePage = {
  ...common,
  name: 'bbPress with replies inside replies',
  url: 'https://bees.example/forums/topic/swarm-on-the-gutter/',
  html: `${head('Swarm on the gutter - The Bee Forum')}<body class="topic bbpress"><header><a href="/wp-login.php">Log in</a></header><main><article id="post-0" class="post-0 topic type-topic hentry"><header class="entry-header"><h1 class="entry-title">Swarm on the gutter</h1></header><div class="entry-content"><div id="bbpress-forums" class="bbpress-wrapper"><div class="bbp-breadcrumb"><p><a href="/">Home</a> › <span class="bbp-breadcrumb-current">Swarm on the gutter</span></p></div>
<div class="bbp-template-notice info"><ul><li class="bbp-topic-description">This topic has 3 replies, 3 voices, and was last updated 4 years ago.</li></ul></div>
<ul id="bbp-topic-512-lead" class="bbp-lead-topic"><li class="bbp-header"><div class="bbp-topic-author">Creator</div><div class="bbp-topic-content">Topic</div></li><li class="bbp-body"><div class="bbp-topic-header"><div class="bbp-meta"><span class="bbp-topic-post-date">June 14, 2024 at 8:30 am</span><a href="#" class="bbp-topic-permalink">#512</a></div></div><div id="post-512" class="loop-item-0 post-512 topic type-topic status-publish"><div class="bbp-topic-author"><a href="/u/ann" class="bbp-author-link"><span class="bbp-author-avatar"><img alt=""></span><span class="bbp-author-name">ann</span></a><div class="bbp-author-role">Queen bee</div></div><div class="bbp-topic-content"><p>${texts[0]}</p></div></div></li></ul>
<ul id="topic-512-replies" class="forums bbp-replies"><li class="bbp-header"><div class="bbp-reply-author">Author</div><div class="bbp-reply-content">Replies</div></li><li class="bbp-body">
<ul class="bbp-replies-list"><li>${[1, 2, 3].map((at) => `<div id="post-60${at}" class="bbp-reply-header"><div class="bbp-meta"><span class="bbp-reply-post-date">June 1${4 + at}, 2024 at 8:30 am</span><a href="#60${at}" class="bbp-reply-permalink">#60${at}</a><span class="bbp-admin-links"><a>Reply</a></span></div></div><div class="post-60${at} reply type-reply status-publish"><div class="bbp-reply-author"><a href="/u" class="bbp-author-link"><span class="bbp-author-avatar"><img alt=""></span><span class="bbp-author-name">${people[at]}</span></a><div class="bbp-author-role">Queen bee</div></div><div class="bbp-reply-content"><p>${texts[at]}</p></div></div><ul class="bbp-threaded-replies"><li>`).join('\n')}${'</li></ul>'.repeat(3)}</li></ul></li><li class="bbp-footer"></li></ul><div class="bbp-no-reply"><p>You must be logged in to reply to this topic.</p></div></div></div></article></main><footer>Powered by WordPress</footer></body></html>`,
  must: [e[1]!, '## bob', 'June 15, 2024', e[3]!, '## ann', texts[2]!, '## eve', e[7]!],
  mustNot: [...noise, 'You must be logged in', 'voices', '## ann · June 14'],
};
const vanilla: SitePage = {
  ...common,
  name: 'Vanilla',
  url: 'https://forum.bees.example/discussion/512/swarm-on-the-gutter',
  html: `${head('Swarm on the gutter — The Bee Forum')}<body id="vanilla_discussion_index" class="Vanilla Discussion"><div class="Frame"><header class="Header"><a href="/entry/signin">Log in</a></header><div class="Frame-content"><main class="Content MainContent"><div class="MessageList Discussion"><div class="PageTitle"><h1>Swarm on the gutter</h1></div>
<div id="Discussion_512" class="Item ItemDiscussion"><div class="Discussion"><div class="Item-Header DiscussionHeader"><div class="AuthorWrap"><span class="Author"><a class="PhotoWrap"><img alt="ann"></a><a href="/profile/ann" class="Username js-userCard">ann</a></span><span class="AuthorInfo"><span class="MItem Rank">Queen bee</span></span></div><div class="Meta DiscussionMeta"><span class="MItem DateCreated"><a class="Permalink"><time title="June 14, 2024 8:30AM" datetime="2024-06-14T08:30:00+00:00">June 2024</time></a></span><span class="MItem Category">in <a>Swarms</a></span></div></div><div class="Item-BodyWrap"><div class="Item-Body"><div class="Message userContent"><p>${texts[0]}</p></div></div></div></div></div></div>
<div class="CommentsWrap"><h2 class="CommentHeading">Comments</h2><ul class="MessageList DataList Comments">
${cells((text, name, at) => `<li class="Item Alt ItemComment" id="Comment_${at}"><div class="Comment"><div class="Item-Header CommentHeader"><div class="AuthorWrap"><span class="Author"><a class="PhotoWrap"><img alt="${name}"></a><a href="/profile/${name}" class="Username js-userCard">${name}</a></span><span class="AuthorInfo"><span class="MItem Rank">Queen bee</span></span></div><div class="Meta CommentMeta CommentInfo"><span class="MItem DateCreated"><a class="Permalink"><time title="June 1${4 + at}, 2024 8:30AM" datetime="2024-06-1${4 + at}T08:30:00+00:00">June 2024</time></a></span></div></div><div class="Item-BodyWrap"><div class="Item-Body"><div class="Message userContent">${at === 2 ? '<blockquote class="Quote UserQuote blockquote"><div class="QuoteAuthor blockquote-author"><a>bob</a> said:</div><div class="QuoteText blockquote-content"><p>Give the branch a shake.</p></div></blockquote>' : ''}<p>${text}</p></div><div class="UserSignature"><p>Keep calm and keep bees</p></div><div class="Reactions"><a>Like</a></div></div></div></div></li>`, 1)}
</ul></div></main><aside class="Panel"><h4>Howdy!</h4><ul><li><a>Other thread</a></li></ul></aside></div></div></body></html>`,
  must: [e[1]!, '## bob · 2024-06-15', e[3]!, '## ann', 'Give the branch a shake.', texts[2]!, '## eve', e[7]!],
  mustNot: [...noise, 'Howdy'],
};
const invision: SitePage = {
  ...common,
  name: 'Invision',
  url: 'https://forum.bees.example/topic/512-swarm-on-the-gutter/',
  html: `${head('Swarm on the gutter - Swarms - The Bee Forum')}<body class="ipsApp" data-pageapp="forums"><header><a id="elUserSignIn">Log in</a></header><main><div id="ipsLayout_mainArea"><div class="ipsPageHeader"><h1 class="ipsType_pageTitle"><span class="ipsType_break ipsContained"><span>Swarm on the gutter</span></span></h1><div class="ipsPhotoPanel"><p class="ipsType_reset">By <a href="/u/ann" class="ipsType_break">ann</a>, <time datetime="2024-06-14T08:30:00Z" title="06/14/24 08:30 AM">June 14, 2024</time></p></div></div>
<div class="ipsBox cTopic" data-role="commentFeed"><h2 class="ipsType_sectionTitle">Recommended Posts</h2><form>
${cells((text, name, at) => `<a id="findComment-${at}"></a><article id="elComment_${at}" class="cPost ipsBox ipsComment ipsComment_parent ipsClearfix"><aside class="ipsComment_author cAuthorPane ipsColumn"><h3 class="ipsType_sectionHead cAuthorPane_author ipsType_blendLinks"><strong><a href="/profile/${name}" class="ipsType_break">${name}</a></strong></h3><ul class="cAuthorPane_info"><li data-role="group">Queen bee</li><li data-role="stats"><ul><li>31 posts</li></ul></li></ul></aside><div class="ipsColumn ipsColumn_fluid"><div id="comment-${at}_wrap" class="ipsComment_content ipsType_medium"><div class="ipsComment_meta"><p class="ipsComment_header"><a href="#findComment-${at}">Posted <time datetime="2024-06-1${4 + at}T08:30:00Z" title="06/1${4 + at}/24 08:30 AM">June 1${4 + at}, 2024</time></a></p></div><div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_normal ipsType_richText">${at === 2 ? '<blockquote class="ipsQuote" data-ipsquote="" data-ipsquote-username="bob"><div class="ipsQuote_citation">On 6/15/2024 at 8:30 AM, bob said:</div><div class="ipsQuote_contents"><p>Give the branch a shake.</p></div></blockquote>' : ''}<p>${text}</p></div><div data-role="memberSignature" class="ipsHide"><p>Keep calm and keep bees</p></div></div><div class="ipsItemControls"><ul><li><a>Quote</a></li></ul></div></div></div></article>`)}
</form></div></div></main><footer>Powered by Invision Community</footer></body></html>`,
  must: [e[1]!, '## bob', 'June 15, 2024', e[3]!, '## ann', 'Give the branch a shake.', texts[2]!, '## eve', e[7]!],
  mustNot: [...noise, '31 posts'],
};
const flarum: SitePage = {
  ...common,
  name: 'Flarum',
  url: 'https://forum.bees.example/d/512-swarm-on-the-gutter',
  html: `${head('Swarm on the gutter - The Bee Forum', '<meta name="generator" content="Flarum">')}<body><div id="app" class="App"><div id="header"><a class="Button Button--link">Log in</a></div><main class="App-content"><div id="content"><div class="DiscussionPage"><header class="Hero DiscussionHero"><h1 class="DiscussionHero-title">Swarm on the gutter</h1></header><div class="PostStream">
${cells((text, name, at) => `<div class="PostStream-item" data-index="${at}" data-time="2024-06-1${4 + at}T08:30:00.000Z" data-number="${at + 1}" data-type="comment"><article class="CommentPost Post"><div class="Post-container"><div class="Post-side"></div><div class="Post-main"><header class="Post-header"><ul><li class="item-user"><div class="PostUser"><h3 class="PostUser-name"><a href="/u/${name}"><span class="username">${name}</span></a></h3><ul class="PostUser-badges badges"><li>Queen bee</li></ul></div></li><li class="item-meta"><div class="Dropdown PostMeta"><a class="Dropdown-toggle"><time pubdate="true" datetime="2024-06-1${4 + at}T08:30:00.000Z" title="Friday, June 14, 2024 8:30 AM">14 Jun 2024</time></a></div></li></ul></header><div class="Post-body">${at === 2 ? '<blockquote class="uncited"><div><p>Give the branch a shake.</p></div></blockquote>' : ''}<p>${text}</p></div><footer class="Post-footer"></footer><aside class="Post-actions"><ul><li><button>Reply</button></li></ul></aside></div></div></article></div>`)}
</div></div></div></main></div></body></html>`,
  must: [e[1]!, '## bob', e[3]!, '## ann', 'Give the branch a shake.', texts[2]!, '## eve', e[7]!],
  mustNot: noise,
};
const nodebb: SitePage = {
  ...common,
  name: 'NodeBB',
  url: 'https://forum.bees.example/topic/512/swarm-on-the-gutter',
  html: `${head('Swarm on the gutter | The Bee Forum')}<body class="page-topic"><nav id="header-menu"><a href="/login">Log in</a></nav><main id="panel"><div class="container" id="content"><div class="topic" itemid="/topic/512" itemscope itemtype="https://schema.org/DiscussionForumPosting"><meta itemprop="headline" content="Swarm on the gutter"><h1 component="post/header"><span component="topic/title">Swarm on the gutter</span></h1>
<ul component="topic" class="posts timeline" data-tid="512">
${cells((text, name, at) => `<li component="post" class="posts-list-item ${at === 0 ? 'topic-owner-post' : ''}" data-index="${at}" data-pid="${at}" data-username="${name}" ${at === 0 ? '' : 'itemprop="comment" itemtype="http://schema.org/Comment" itemscope'}><a component="post/anchor" data-index="${at}" id="${at}"></a><meta itemprop="datePublished" content="2024-06-1${4 + at}T08:30:00.000Z"><div class="d-flex post-container"><div class="post-header"><a href="/user/${name}" itemprop="author" data-username="${name}">${name}</a><span class="badge">Queen bee</span><a class="permalink" href="/post/${at}"><span class="timeago" title="2024-06-1${4 + at}T08:30:00.000Z">Jun 1${4 + at}, 2024, 8:30 AM</span></a></div><div class="content mt-2 text-break" component="post/content" itemprop="text">${at === 2 ? '<blockquote><p dir="auto">Give the branch a shake.</p></blockquote>' : ''}<p dir="auto">${text}</p></div><div component="post/signature" class="post-signature">Keep calm and keep bees</div><div class="post-footer"><a component="post/reply">Reply</a></div></div></li>`)}
</ul></div></div></main></body></html>`,
  must: [e[1]!, '## bob', e[3]!, '## ann', 'Give the branch a shake.', texts[2]!, '## eve', e[7]!],
  mustNot: noise,
};
const discourseRendered: SitePage = {
  ...common,
  name: 'Discourse (as a browser shows it)',
  url: 'https://meta.bees.example/t/swarm-on-the-gutter/512',
  html: `${head('Swarm on the gutter - Swarms - The Bee Forum', '<meta name="generator" content="Discourse 3.5">')}<body class="docked"><section id="main"><div class="ember-application"><header class="d-header"><button class="login-button">Log in</button></header><div id="main-outlet" class="wrap"><div id="topic-title"><h1 data-topic-id="512"><a href="/t/512" class="fancy-title"><span>Swarm on the gutter</span></a></h1></div><section id="topic" class="topic-area"><div class="post-stream">
${cells((text, name, at) => `<div class="topic-post clearfix ${at === 0 ? 'topic-owner ' : ''}regular" data-post-number="${at + 1}"><article id="post_${at + 1}" aria-label="@${name}" data-post-id="${at}" class="boxed onscreen-post"><div class="row"><div class="topic-avatar"><div class="post-avatar"><a class="trigger-user-card main-avatar"><img alt=""></a></div></div><div class="topic-body clearfix"><div role="heading" aria-level="2" class="topic-meta-data"><div class="names trigger-user-card"><span class="first username"><a href="/u/${name}" data-user-card="${name}">${name}</a></span><span class="user-title">Queen bee</span></div><div class="post-infos"><div class="post-info post-date"><a href="/t/512/${at + 1}" class="post-date"><span data-time="17183538000${at}" data-format="tiny" class="relative-date" title="Jun 1${4 + at}, 2024 8:30 am">Jun 1${4 + at}</span></a></div></div></div><div class="regular contents"><div class="cooked">${at === 2 ? `<aside class="quote no-group" data-username="bob" data-post="2" data-topic="512"><div class="title"><div class="quote-controls"></div><img alt="" class="avatar"> bob:</div><blockquote><p>Give the branch a shake.</p></blockquote></aside>` : ''}<p>${text}</p></div><section class="post-menu-area"><nav class="post-controls"><button class="reply">Reply</button></nav></section></div></div></div></article></div>`)}
</div></section><div class="more-topics__container"><h3>Suggested topics</h3><a>Other thread</a></div></div></div></section></body></html>`,
  must: [e[1]!, '## bob · 2024-06-15', e[3]!, '## ann', 'Give the branch a shake.', texts[2]!, '## eve', e[7]!],
  mustNot: noise,
};

export const forums: SitePage[] = [
  xenforo,
  mybb,
  smf,
  vbulletin,
  bbpress,
  vanilla,
  invision,
  flarum,
  nodebb,
  discourseRendered,
];
