import { essay as e, manual as m, type SitePage } from './site-page.ts';
const short = [
  'I have the same problem since the last update, and going back one version made it go away at once.',
  'Did you clear the cache directory first? On my machine a stale entry was the whole reason for it.',
  'That worked, thank you very much. I had not thought of the cache because the docs say it is safe.',
  'For anyone who finds this later: the fix is in release 4.2.1, which came out on Tuesday evening.',
];
const discourse: SitePage = {
  name: 'Discourse (as crawlers see it)',
  url: 'https://meta.orrery.example/t/build-hangs-after-update/8123',
  html: `<!DOCTYPE html><html lang="en"><head><title>Build hangs after update - Support - Orrery Forum</title>
<meta name="generator" content="Discourse 3.4.0.beta1"><meta property="og:type" content="website"><meta property="og:title" content="Build hangs after update">
<meta property="article:published_time" content="2024-06-14T08:30:00+00:00"></head><body class="crawler"><header><a href="/">Orrery Forum</a></header>
<div id="main-outlet" class="wrap" role="main"><div id="topic-title"><h1><a href="/t/build-hangs-after-update/8123">Build hangs after update</a></h1>
<div class="topic-category"><span itemscope itemtype="http://schema.org/BreadcrumbList"><a href="/c/support/6" class="badge-wrapper bullet"><span class='badge-category-name'>Support</span></a></span></div></div>
<div itemscope itemtype='http://schema.org/DiscussionForumPosting'><meta itemprop='headline' content='Build hangs after update'>
<meta itemprop='datePublished' content='2024-06-14T08:30:00Z'>
${[
  `${m[5]}</p><pre><code class="lang-bash">orrery run build
waiting for lock
</code></pre><p>It stays like this for an hour.`,
  short[0]!,
  short[1]!,
  short[2]!,
]
  .map(
    (t, i) =>
      `<div id='post_${i + 1}' ${i === 0 ? '' : "itemprop='comment' itemscope itemtype='http://schema.org/Comment'"} class='topic-body crawler-post'>
<div class='crawler-post-meta'><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" rel='nofollow' href='/u/user${i}'><span itemprop='name'>user${i}</span></a></span><span class="crawler-post-infos"><time itemprop='datePublished' datetime='2024-06-1${4 + i}T08:30:00Z' class='post-time'>June 1${4 + i}, 2024, 8:30am</time><span itemprop='position'>${i + 1}</span></span></div>
<div class='post' itemprop='text'><p>${t}</p></div><div itemprop="interactionStatistic" itemscope itemtype="http://schema.org/InteractionCounter">
<meta itemprop="userInteractionCount" content="2"><span class='post-likes'>2 Likes</span></div></div>`,
  )
  .join(
    '',
  )}</div><div id="related-topics" class="more-topics__list"><h3 class="more-topics__list-title">Related topics</h3><div class="topic-list-container">
<table class="topic-list"><tbody>
<tr class="topic-list-item"><td><a href="/t/x/1" class='title raw-link raw-topic-link'>Slow cold starts on Windows</a></td></tr></tbody></table></div></div></div>
<footer class="container wrap"><nav class='crawler-nav'>
<ul><li><a href='/categories'>Categories</a></li></ul></nav><p class='powered-by-link'>Powered by <a href="https://www.discourse.org">Discourse</a>, best viewed with JavaScript enabled</p></footer></body></html>`,
  must: [
    m[5]!,
    '```bash\norrery run build\nwaiting for lock\n```',
    '## user1',
    short[0]!,
    '## user2',
    short[1]!,
    '## user3',
    short[2]!,
  ],
  mustNot: ['Slow cold starts', 'Powered by', 'Categories'],
  title: 'Build hangs after update',
  author: 'user0',
  date: '2024-06-14',
  contentType: 'discussion',
};
const phpbb: SitePage = {
  name: 'phpBB',
  url: 'https://forum.bees.example/viewtopic.php?t=512',
  html: `<!DOCTYPE html><html dir="ltr" lang="en-gb"><head><title>Swarm on the gutter - The Bee Forum</title></head>
<body id="phpbb" class="nojs notouch section-viewtopic ltr"><div id="wrap" class="wrap"><div id="page-header"><div class="headerbar">
<h1>The Bee Forum</h1><p class="skiplink"><a href="#start_here">Skip to content</a></p></div><div class="navbar">
<ul class="nav-main linklist"><li><a href="./faq.php"><span>FAQ</span></a></li><li><a href="./ucp.php?mode=login"><span>Login</span></a></li></ul></div></div>
<div id="page-body" class="page-body"><h2 class="topic-title"><a href="./viewtopic.php?t=512">Swarm on the gutter</a></h2>
<div class="action-bar bar-top"><a href="./posting.php" class="button">Post Reply</a>
<div class="pagination">4 posts • Page <strong>1</strong> of <strong>1</strong></div></div>
${[e[1]! + ' ' + e[2]!, e[3]!, `<blockquote><div><cite>bob wrote: <a href="./v">↑</a></cite>${e[3]}</div></blockquote>${short[2]}`, e[7]!].map((t, i) => `<div id="p${i}" class="post has-profile bg${i % 2}"><div class="inner"><dl class="postprofile" id="profile${i}"><dt class="has-profile-rank no-avatar"><div class="avatar-container"></div><a href="./memberlist.php?u=${i}" class="username">${['ann', 'bob', 'ann', 'eve'][i]}</a></dt><dd class="profile-rank">Drone</dd><dd class="profile-posts"><strong>Posts:</strong> <a href="#">31${i}</a></dd><dd class="profile-joined"><strong>Joined:</strong> 03 May 2019</dd></dl><div class="postbody"><div id="post_content${i}"><h3><a href="#p${i}">${i === 0 ? '' : 'Re: '}Swarm on the gutter</a></h3><ul class="post-buttons"><li><a href="./posting.php?mode=quote" class="button"><span>Quote</span></a></li></ul><p class="author"><a class="unread" href="#p${i}"><span class="sr-only">Post</span></a><span class="responsive-hide">by <strong><a href="./memberlist.php" class="username">${['ann', 'bob', 'ann', 'eve'][i]}</a></strong> » </span><time datetime="2024-06-14T0${i}:30:00+00:00">14 Jun 2024, 0${i}:30</time></p><div class="content">${t}</div><div id="sig${i}" class="signature">Keep calm and keep bees</div></div></div><div class="back2top"><a href="#top" class="top"><span class="sr-only">Top</span></a></div></div></div>`).join('<hr class="divider">')}</div>
<div id="page-footer" class="page-footer">
<div class="copyright"><p class="footer-row">Powered by <a href="https://www.phpbb.com/">phpBB</a></p></div></div></div></body></html>`,
  must: [e[1]!, '## bob', e[3]!, '## ann', short[2]!, '## eve', e[7]!],
  mustNot: ['Powered by', 'Keep calm', 'Joined', 'Post Reply', 'Drone'],
  title: 'Swarm on the gutter',
  author: 'ann',
  date: '2024-06-14',
  contentType: 'discussion',
};
const stackoverflow: SitePage = {
  name: 'Stack Overflow',
  url: 'https://stackoverflow.com/questions/7712345/how-to-stop-a-worker',
  html: `<!DOCTYPE html><html itemscope itemtype="https://schema.org/QAPage" class="html__responsive " lang="en"><head><title>node.js - How to stop a worker without losing its result? - Stack Overflow</title><meta name="twitter:title" property="og:title" itemprop="name" content="How to stop a worker without losing its result?"></head><body class="question-page unified-theme"><header class="s-topbar"><a href="#content" class="s-topbar--skip-link">Skip to main content</a><ol class="s-topbar--content"><li><a href="/about">About</a></li><li>Products</li></ol></header><div class="container"><div id="left-sidebar" class="left-sidebar"><ol class="nav-links"><li><a href="/questions">Questions</a></li><li><a href="/tags">Tags</a></li></ol></div><div id="content" class="snippet-hidden"><div itemprop="mainEntity" itemscope itemtype="https://schema.org/Question"><div class="inner-content clearfix"><div id="question-header" class="d-flex"><h1 itemprop="name" class="fs-headline1"><a href="/questions/7712345" class="question-hyperlink">How to stop a worker without losing its result?</a></h1></div><div class="d-flex"><div title="2021-03-05 10:11:12Z"><span class="fc-black-400">Asked</span> <time itemprop="dateCreated" datetime="2021-03-05T10:11:12">3 years ago</time></div><div>Viewed <span>12k times</span></div></div><div id="mainbar" role="main" aria-label="question and answers"><div class="question js-question" data-questionid="7712345" id="question"><div class="post-layout "><div class="votecell post-layout--left"><div class="js-voting-container"><button>up</button><div class="js-vote-count" itemprop="upvoteCount">42</div></div></div><div class="postcell post-layout--right"><div class="s-prose js-post-body" itemprop="text"><p>${m[1]}</p><pre class="lang-js s-code-block"><code class="hljs language-javascript"><span class="hljs-keyword">const</span> worker = <span class="hljs-keyword">new</span> <span class="hljs-title class_">Worker</span>(<span class="hljs-string">'./a.js'</span>);
worker.<span class="hljs-title function_">terminate</span>();
</code></pre><p>How do I wait for its last result?</p></div><div class="mt24 mb12"><div class="post-taglist d-flex">
<ul><li><a href="/questions/tagged/node.js" class="s-tag post-tag">node.js</a></li></ul></div></div><div class="mb0"><div class="d-flex">
<div class="post-signature owner flex--item"><div class="user-info">
<div class="user-action-time">asked <span title="2021-03-05 10:11:12Z" class="relativetime">Mar 5, 2021 at 10:11</span></div>
<div class="user-details" itemprop="author" itemscope itemtype="http://schema.org/Person"><a href="/users/1/ann">ann</a><span class="d-none" itemprop="name">ann</span>
<div class="-flair"><span class="reputation-score">1,234</span></div></div></div></div></div></div></div>
<div class="post-layout--right js-post-comments-component"><div id="comments-1" class="comments js-comments-container">
<ul class="comments-list"><li class="comment js-comment"><div class="comment-text">
<div class="comment-body js-comment-edit-hide"><span class="comment-copy">Which version of Node do you use for this?</span> &ndash; <a href="/users/9" class="comment-user">tom</a> <span class="comment-date">Mar 5, 2021</span></div></div></li></ul></div></div></div></div>
<div id="answers"><div id="answers-header"><h2 class="mb0" data-answercount="2">2 Answers <span style="display:none;" itemprop="answerCount">2</span></h2>
<div>Sorted by: <select><option>Highest score (default)</option><option>Date modified (newest first)</option></select></div></div>${[m[6]!, m[8]!].map((t, i) => `<div id="answer-${i}" class="answer js-answer ${i === 0 ? 'accepted-answer' : ''}" itemprop="${i === 0 ? 'acceptedAnswer' : 'suggestedAnswer'}" itemscope itemtype="https://schema.org/Answer"><div class="post-layout"><div class="votecell"><div class="js-vote-count">5${i}</div></div><div class="answercell post-layout--right"><div class="s-prose js-post-body" itemprop="text"><p>${t}</p></div><div class="mt24"><div class="d-flex"><div class="post-signature flex--item"><div class="user-info"><div class="user-action-time"><a href="/posts/${i}/revisions">edited <span>Apr 1, 2021</span></a></div><div class="user-details"><a href="/users/7">editor</a></div></div></div><div class="post-signature flex--item"><div class="user-info"><div class="user-action-time">answered <span class="relativetime">Mar 6, 2021</span></div><div class="user-details" itemprop="author" itemscope itemtype="http://schema.org/Person"><a href="/users/2${i}">${i === 0 ? 'bob' : 'eve'}</a><span class="d-none" itemprop="name">x</span></div></div></div></div></div></div></div></div>`).join('')}<h2 class="bottom-notice">Your Answer</h2><form id="post-form"><p>Thanks for contributing an answer to Stack Overflow!</p></form></div></div>
<div id="sidebar" class="show-votes" role="complementary"><div class="module sidebar-related"><h4>Related</h4>
<div class="related"><a href="/q/1" class="question-hyperlink">How to share memory between two workers</a></div></div></div></div></div></div></div>
<footer id="footer"><h5>Company</h5><ul><li>Press</li></ul></footer></body></html>`,
  must: [
    m[1]!,
    "```js\nconst worker = new Worker('./a.js');\nworker.terminate();\n```",
    'How do I wait',
    '## bob',
    m[6]!,
    '## eve',
    m[8]!,
  ],
  mustNot: ['share memory', 'Your Answer', 'Press', 'Sorted by', '12k times'],
  title: 'How to stop a worker without losing its result?',
  author: 'ann',
  date: '2021-03-05',
  contentType: 'discussion',
};
const redditNew: SitePage = {
  name: 'Reddit, new',
  url: 'https://www.reddit.com/r/Beekeeping/comments/1abc/swarm_on_my_gutter/',
  html: `<!DOCTYPE html><html lang="en-US" class="theme-beta"><head><title>Swarm on my gutter : r/Beekeeping</title></head>
<body><shreddit-app><reddit-header-large>
<nav><a href="/">Home</a></nav></reddit-header-large><flex-left-nav-container><a href="/r/popular">Popular</a></flex-left-nav-container>
<main id="main-content"><shreddit-title title="Swarm on my gutter : r/Beekeeping"></shreddit-title><shreddit-post id="t3_1abc" author="ann" post-title="Swarm on my gutter" created-timestamp="2024-06-14T08:30:00.000000+0000" score="31" comment-count="3"><span slot="credit-bar">r/Beekeeping</span>
<h1 slot="title" id="post-title-t3_1abc">Swarm on my gutter</h1><div slot="text-body"><div class="md"><p>${e[1]}</p><p>${e[2]}</p></div></div></shreddit-post><shreddit-comment-tree>${[
    ['bob', e[3]!],
    ['eve', short[1]!],
  ]
    .map(
      ([a, t], i) =>
        `<shreddit-comment author="${a}" thingid="t1_${i}" depth="0" score="1"><div slot="commentMeta">${a} • 3h ago</div>
<div id="t1_${i}-comment-rtjson-content" class="md" slot="comment">
<div><p>${t}</p></div></div><shreddit-comment-action-row slot="actionRow">Reply Share</shreddit-comment-action-row>${i === 0 ? `<shreddit-comment author="ann" depth="1"><div slot="comment" class="md"><div><p>${short[2]}</p></div></div></shreddit-comment>` : ''}</shreddit-comment>`,
    )
    .join(
      '',
    )}</shreddit-comment-tree></main><aside>Community rules: be kind. Related: r/gardening</aside></shreddit-app></body></html>`,
  must: [e[1]!, e[2]!, '## bob', e[3]!, '## ann', short[2]!, '## eve', short[1]!],
  mustNot: ['gardening', 'Popular', 'Reply Share'],
  title: 'Swarm on my gutter',
  author: 'ann',
  contentType: 'discussion',
};
const hn: SitePage = {
  name: 'Hacker News',
  url: 'https://news.ycombinator.com/item?id=40000001',
  html: `<html lang="en" op="item"><head><title>What the bees taught me | Hacker News</title></head><body><center><table id="hnmain" border="0" width="85%">
<tr><td bgcolor="#ff6600"><table>
<tr><td><span class="pagetop"><b class="hnname"><a href="news">Hacker News</a></b><a href="newest">new</a> | <a href="front">past</a></span></td></tr></table></td></tr>
<tr><td><table class="fatitem" border="0">
<tr class='athing' id='40000001'><td class="title"><span class="titleline"><a href="https://hedgerow.example/bees">What the bees taught me</a><span class="sitebit comhead"> (<a href="from?site=hedgerow.example"><span class="sitestr">hedgerow.example</span></a>)</span></span></td></tr>
<tr><td class="subtext"><span class="subline"><span class="score">212 points</span> by <a href="user?id=ann" class="hnuser">ann</a> <span class="age" title="2024-06-14T08:30:00 1718353800"><a href="item?id=1">5 hours ago</a></span> | <a href="hide?id=1">hide</a> | <a href="item?id=1">31 comments</a></span></td></tr>
<tr><td><form action="comment" method="post"><textarea name="text"></textarea><input type="submit" value="add comment"></form></td></tr></table><br><table border="0" class='comment-tree'>${[
    ['bob', e[5]!, 0],
    ['eve', short[1]!, 1],
    ['tom', e[9]!, 0],
  ]
    .map(
      ([a, t, d], i) =>
        `<tr class='athing comtr' id='c${i}'><td><table border='0'>
<tr><td class='ind' indent='${d}'><img src="s.gif" height="1" width="${Number(d) * 40}"></td><td class="votelinks"><a>
<div class='votearrow' title='upvote'></div></a></td><td class="default">
<div><span class="comhead"><a href="user?id=${a}" class="hnuser">${a}</a> <span class="age" title="2024-06-14T09:30:00"><a href="item?id=2">4 hours ago</a></span> <span class='navs'>| <a href="#x">next</a> <a class="togg clicky">[–]</a></span></span></div><br>
<div class="comment"><div class="commtext c00">${t}<p>And a second thought about this.</p></div>
<div class='reply'><p><font size="1"><u><a href="reply?id=3">reply</a></u></font></p></div></div></td></tr></table></td></tr>`,
    )
    .join('')}</table></td></tr></table></center></body></html>`,
  must: ['## bob', e[5]!, '## eve', short[1]!, '## tom', e[9]!, 'And a second thought'],
  mustNot: ['past', 'upvote', 'add comment', 'hide'],
  title: 'What the bees taught me',
  author: 'ann',
  contentType: 'discussion',
  date: '2024-06-14',
};
const githubIssue: SitePage = {
  name: 'GitHub issue',
  url: 'https://github.com/orrery/orrery/issues/512',
  html: `<!DOCTYPE html><html lang="en" data-color-mode="auto"><head><title>Build hangs after update · Issue #512 · orrery/orrery · GitHub</title>
<meta property="og:title" content="Build hangs after update · Issue #512 · orrery/orrery"><meta property="og:site_name" content="GitHub">
<meta name="octolytics-dimension-repository_nwo" content="orrery/orrery"><meta property="og:author:username" content="ann"></head>
<body class="logged-out env-production page-responsive"><div class="logged-out"><a href="#start-of-content" class="p-3">Skip to content</a>
<header class="HeaderMktg header-logged-out"><nav><ul><li>Product</li><li>Solutions</li></ul></nav></header><div class="application-main">
<main id="js-repo-pjax-container"><div id="repository-container-header"><strong><a href="/orrery/orrery">orrery</a></strong>
<nav class="js-repo-nav UnderlineNav"><ul class="UnderlineNav-body"><li>Code</li><li>Issues 12</li><li>Pull requests</li></ul></nav></div>
<div class="js-check-all-container"><div id="show_issue" class="js-issues-results"><div class="gh-header">
<h1 class="gh-header-title"><bdi class="js-issue-title markdown-title">Build hangs after update</bdi> <span class="f1-light">#512</span></h1><span class="State State--open">Open</span>
<div>ann opened this issue <relative-time datetime="2024-06-14T08:30:00Z" class="no-wrap">Jun 14, 2024</relative-time> · 2 comments</div></div>
<div id="discussion_bucket" class="Layout"><div class="Layout-main"><div class="js-discussion js-socket-channel">${[
    [
      'ann',
      `<p>${m[5]}</p><div class="highlight highlight-source-shell notranslate position-relative"><pre class="notranslate">orrery run build
<span class="pl-c"># hangs</span></pre></div><p>It stays like this for an hour or more.</p>`,
    ],
    ['bob', `<p>${short[0]}</p>`],
    ['eve', `<p>${short[3]}</p>`],
  ]
    .map(
      ([a, t], i) =>
        `<div class="TimelineItem js-comment-container"><div class="timeline-comment-group">
<div class="ml-n3 timeline-comment unminimized-comment comment js-comment"><div class="timeline-comment-header clearfix d-flex">
<h3 class="f5 text-normal"><strong><a class="author Link--primary" href="/${a}">${a}</a></strong> commented <a href="#issue" class="Link--secondary js-timestamp"><relative-time datetime="2024-06-14T0${i}:30:00Z" class="no-wrap">Jun 14, 2024</relative-time></a></h3></div>
<div class="edit-comment-hide"><task-lists><table class="d-block"><tbody class="d-block">
<tr class="d-block"><td class="d-block comment-body markdown-body js-comment-body">${t}</td></tr></tbody></table></task-lists></div></div></div></div>`,
    )
    .join(
      '',
    )}<div class="TimelineItem"><div class="TimelineItem-body">bob added the <a class="IssueLabel">bug</a> label</div></div></div>
<div class="discussion-timeline-actions"><p>Sign up for free to join this conversation on GitHub.</p></div></div><div class="Layout-sidebar">
<div class="discussion-sidebar-item">
<div class="discussion-sidebar-heading">Assignees</div><span class="css-truncate">No one assigned</span></div></div></div></div></div></main></div>
<footer class="footer"><ul><li>Terms</li><li>Privacy</li></ul></footer></div></body></html>`,
  must: [m[5]!, '```shell\norrery run build\n# hangs\n```', '## bob', short[0]!, '## eve', short[3]!],
  mustNot: ['No one assigned', 'Solutions', 'Sign up for free', 'Terms'],
  title: 'Build hangs after update',
  author: 'ann',
  contentType: 'discussion',
  date: '2024-06-14',
};
const githubIssueNew: SitePage = {
  name: 'GitHub issue, React',
  url: 'https://github.com/orrery/orrery/issues/513',
  html: `<!DOCTYPE html><html lang="en"><head><title>Build hangs after update · Issue #513 · orrery/orrery · GitHub</title><meta property="og:title" content="Build hangs after update · Issue #513 · orrery/orrery"><meta property="og:site_name" content="GitHub"><script type="application/ld+json">{"@context":"https://schema.org","@type":"DiscussionForumPosting","headline":"Build hangs after update","articleBody":"x","author":{"url":"https://github.com/ann","@type":"Person","name":"ann"},"datePublished":"2024-06-14T08:30:00.000Z","interactionStatistic":{"@type":"InteractionCounter","interactionType":"https://schema.org/CommentAction","userInteractionCount":2},"url":"https://github.com/513/orrery/issues/513"}</script></head><body class="logged-out"><header class="HeaderMktg"><nav><ul><li>Product</li><li>Solutions</li></ul></nav></header><main><react-app app-name="issues-react"><div data-target="react-app.reactRoot"><div class="IssueViewer-module__mainContainer--a"><div data-testid="issue-header"><h1 class="prc-PageHeader-Title-b"><bdi data-testid="issue-title" class="markdown-title">Build hangs after update</bdi><span>#513</span></h1></div><div data-testid="issue-viewer-container"><div data-testid="issue-viewer-issue-container" class="IssueViewer"><div class="IssueBodyHeader-module"><a data-testid="issue-body-header-author" href="/ann">ann</a> opened <a href="#x"><relative-time datetime="2024-06-14T08:30:00Z">on Jun 14, 2024</relative-time></a></div><div data-testid="issue-body" class="IssueBody"><h2 class="sr-only">Description</h2><div data-testid="markdown-body" data-team-hovercards-enabled="true"><div class="markdown-body NewMarkdownViewer-module"><p dir="auto">${m[5]}</p><div class="highlight highlight-source-shell"><pre>orrery run build
<span class="pl-c"># hangs</span></pre></div></div></div></div></div><div data-testid="issue-timeline-container">${[
    ['bob', short[0]!],
    ['eve', short[3]!],
  ]
    .map(
      ([a, t]) =>
        `<div class="react-issue-comment TimelineRow">
<div data-testid="comment-header"><a data-testid="avatar-link" href="/${a}">${a}</a><relative-time datetime="2024-06-15T08:30:00Z">on Jun 15, 2024</relative-time></div>
<div data-testid="comment-viewer-outer-box"><div data-testid="markdown-body">
<div class="markdown-body NewMarkdownViewer-module"><p dir="auto">${t}</p></div></div></div></div>`,
    )
    .join('')}</div></div><div data-testid="issue-viewer-metadata-pane"><h2>Metadata</h2>
<h3>Assignees</h3><span>No one assigned</span></div></div></div></react-app></main><footer class="footer">Terms Privacy</footer></body></html>`,
  must: [m[5]!, '```shell\norrery run build\n# hangs\n```', '## bob', short[0]!, '## eve', short[3]!],
  mustNot: ['No one assigned', 'Solutions', 'Terms'],
  title: 'Build hangs after update',
  author: 'ann',
  contentType: 'discussion',
  date: '2024-06-14',
};
const githubReadme: SitePage = {
  name: 'GitHub README',
  url: 'https://github.com/orrery/orrery',
  html: `<!DOCTYPE html><html lang="en"><head><title>GitHub - orrery/orrery: A build tool for large repositories</title><meta property="og:title" content="GitHub - orrery/orrery: A build tool for large repositories"><meta property="og:description" content="A build tool for large repositories. Contribute to orrery/orrery development by creating an account on GitHub."><meta name="octolytics-dimension-repository_nwo" content="orrery/orrery"></head><body><header class="HeaderMktg"><nav>Product Solutions</nav></header><main><div class="Layout"><div class="Layout-main"><table aria-labelledby="folders-and-files"><tbody><tr><td><a href="/tree/src">src</a></td><td>Fix the fixture</td></tr></tbody></table><div id="readme" class="Box-sc"><div data-hpc="true"><article class="markdown-body entry-content container-lg" itemprop="text"><div class="markdown-heading" dir="auto"><h1 tabindex="-1" class="heading-element" dir="auto">Orrery</h1><a id="user-content-orrery" class="anchor" aria-label="Permalink: Orrery" href="#orrery"><svg></svg></a></div><p dir="auto"><a href="https://img.shields.io"><img src="https://camo.githubusercontent.com/x" alt="CI status"></a></p><p dir="auto">${m[0]}</p><div class="markdown-heading"><h2 tabindex="-1" class="heading-element">Install</h2><a class="anchor" href="#install"></a></div><p dir="auto">${m[3]}</p><div class="highlight highlight-source-shell notranslate position-relative overflow-auto" dir="auto"><pre>npm install -g orrery</pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" value="npm install -g orrery"></clipboard-copy></div></div><div class="markdown-alert markdown-alert-note" dir="auto"><p class="markdown-alert-title">Note</p><p>${m[8]}</p></div><ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled class="task-list-item-checkbox" checked> Workspaces</li><li class="task-list-item"><input type="checkbox" disabled class="task-list-item-checkbox"> Remote cache</li></ul></article></div></div></div><div class="Layout-sidebar"><h2>About</h2><p>A build tool for large repositories</p><h3>Stars</h3></div></div></main></body></html>`,
  must: [
    'A build tool for large repositories',
    '# Orrery',
    m[0]!,
    '## Install',
    m[3]!,
    '```shell\nnpm install -g orrery\n```',
    m[8]!,
    '- [x] Workspaces',
    '- [ ] Remote cache',
  ],
  mustNot: ['Fix the fixture', 'Stars', 'Contribute to'],
  title: 'orrery/orrery',
  contentType: 'repo',
};
const wikipedia: SitePage = {
  name: 'Wikipedia',
  url: 'https://en.wikipedia.org/wiki/Swarming_(honey_bee)',
  html: `<!DOCTYPE html><html class="client-nojs vector-feature-language-in-header-enabled" lang="en" dir="ltr"><head><meta charset="UTF-8">
<title>Swarming (honey bee) - Wikipedia</title><meta name="generator" content="MediaWiki 1.43.0-wmf.20"></head>
<body class="skin--responsive skin-vector skin-vector-search-vue mediawiki ltr ns-0 ns-subject page-Swarming"><a class="mw-jump-link" href="#bodyContent">Jump to content</a>
<div class="vector-header-container"><header class="vector-header mw-header"><nav class="vector-main-menu-landmark" aria-label="Site">
<div class="vector-menu-heading">Navigation</div>
<ul class="vector-menu-content-list"><li class="mw-list-item"><a href="/wiki/Main_Page"><span>Main page</span></a></li><li><a href="/wiki/Portal:Current_events">Current events</a></li></ul></nav></header></div>
<div class="mw-page-container"><div class="mw-page-container-inner"><div class="vector-sitenotice-container"><div id="siteNotice"></div></div>
<div class="vector-column-start"><nav id="mw-panel-toc" class="mw-table-of-contents-container"><div id="vector-toc" class="vector-toc">
<h2 class="vector-pinnable-header-label">Contents</h2>
<ul class="vector-toc-contents" id="mw-panel-toc-list"><li class="vector-toc-list-item"><a class="vector-toc-link" href="#Preparation">
<div class="vector-toc-text"><span class="vector-toc-numb">1</span><span>Preparation</span></div></a></li></ul></div></nav></div>
<div class="mw-content-container"><main id="content" class="mw-body"><header class="mw-body-header vector-page-titlebar">
<h1 id="firstHeading" class="firstHeading mw-first-heading"><span class="mw-page-title-main">Swarming (honey bee)</span></h1>
<div id="p-lang-btn"><label>12 languages</label></div></header><div class="vector-page-toolbar">
<ul><li><a href="/wiki/Talk:Swarming">Talk</a></li><li>Edit</li><li>View history</li></ul></div><div id="bodyContent" class="vector-body">
<div id="siteSub" class="noprint">From Wikipedia, the free encyclopedia</div><div id="mw-content-text" class="mw-body-content">
<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr">
<div class="shortdescription nomobile noexcerpt noprint searchaux" style="display:none">Process by which a colony reproduces</div>
<div role="note" class="hatnote navigation-not-searchable">For other uses, see <a href="/wiki/Swarm">Swarm</a>.</div><table class="infobox biota"><tbody>
<tr><th colspan="2" class="infobox-above">Honey bee swarm</th></tr>
<tr><th scope="row" class="infobox-label">Season</th><td class="infobox-data">Spring</td></tr>
<tr><th scope="row" class="infobox-label">Size</th><td class="infobox-data">10,000</td></tr></tbody></table>
<p><b>Swarming</b> is the natural means of reproduction.<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span class="cite-bracket">&#91;</span>1<span class="cite-bracket">&#93;</span></a></sup> ${e[2]}<sup class="noprint Inline-Template Template-Fact">&#91;<i><a href="/wiki/CN">citation needed</a></i>&#93;</sup></p>
<div class="mw-heading mw-heading2">
<h2 id="Preparation">Preparation</h2><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/w/index.php?action=edit"><span>edit</span></a><span class="mw-editsection-bracket">]</span></span></div>
<figure class="mw-default-size" typeof="mw:File/Thumb"><a href="/wiki/File:S.jpg" class="mw-file-description"><img src="//upload.wikimedia.org/s.jpg" class="mw-file-element"></a><figcaption>A swarm of bees on the branch of an old apple tree</figcaption></figure><p>${e[3]}</p><p>${e[5]}</p><p>The weight is <span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math xmlns="http://www.w3.org/1998/Math/MathML" alttext="{\\displaystyle w=mg}"><semantics><mrow><mi>w</mi></mrow><annotation encoding="application/x-tex">{\\displaystyle w=mg}</annotation></semantics></math></span><img src="https://wikimedia.org/x.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle w=mg}"></span> as always with bees of this kind.</p>
<table class="wikitable"><caption>Swarms by month</caption><tbody><tr><th>Month</th><th>Swarms</th></tr><tr><td>May</td><td>31</td></tr>
<tr><td>June</td><td>12</td></tr></tbody></table>
<h2><span class="mw-headline" id="Collection">Collection</span><span class="mw-editsection">[<a href="/e">edit</a>]</span></h2><p>${e[7]}</p>
<div class="mw-heading mw-heading2"><h2 id="See_also">See also</h2></div><ul><li><a href="/wiki/Beekeeping">Beekeeping</a></li></ul>
<div class="mw-heading mw-heading2"><h2 id="References">References</h2></div><div class="mw-references-wrap">
<ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b><a href="#cite_ref-1">^</a></b></span> <span class="reference-text"><cite class="citation book">Villa, José (2004). "Swarming Behavior of Honey Bees". Annals. <b>97</b> (1): 111–116.</cite></span></li></ol></div>
<div class="navbox-styles"></div><div role="navigation" class="navbox"><table class="nowraplinks navbox-inner"><tbody>
<tr><th class="navbox-title">Apiculture topics</th></tr><tr><td>
<ul><li><a href="/wiki/Hive">Beehive</a></li><li><a href="/wiki/Smoker">Bee smoker</a></li></ul></td></tr></tbody></table></div></div>
<div class="printfooter">Retrieved from "https://en.wikipedia.org/w/index.php"</div></div><div id="catlinks" class="catlinks">
<div id="mw-normal-catlinks"><a href="/wiki/Help:Category">Categories</a>: <ul><li><a href="/wiki/Category:Bees">Western honey bee behaviour</a></li></ul></div></div></div></main></div>
<footer id="footer" class="mw-footer">
<ul id="footer-info"><li id="footer-info-lastmod"> This page was last edited on 3 June 2024, at 10:11<span class="anonymous-show">&#160;(UTC)</span>.</li><li>Text is available under the Creative Commons License</li></ul></footer></div></div></body></html>`,
  must: [
    '**Swarming** is the natural',
    'reproduction.[^1]',
    e[2]!,
    '## Preparation',
    'on the branch of an old apple tree',
    e[3]!,
    e[5]!,
    'w=mg',
    '| May | 31 |',
    '## Collection',
    e[7]!,
    '[^1]:',
    'Swarming Behavior of Honey Bees',
  ],
  mustNot: [
    'Main page',
    '[edit]',
    'Bee smoker',
    'Jump to',
    'Retrieved from',
    'View history',
    'Creative Commons',
    '\\[edit',
    'edit\\]',
  ],
  title: 'Swarming (honey bee)',
};
export const discussions: SitePage[] = [
  discourse,
  phpbb,
  stackoverflow,
  redditNew,
  hn,
  githubIssue,
  githubIssueNew,
  githubReadme,
  wikipedia,
];
