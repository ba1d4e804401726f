import { essay as e, para, type SitePage } from './site-page.ts';
const all = e;
const wordpress: SitePage = {
  name: 'WordPress block theme',
  url: 'https://hedgerow.example/2024/06/what-the-bees-taught-me/',
  html: `<!DOCTYPE html><html lang="en-US"><head><meta charset="UTF-8"><meta name="generator" content="WordPress 6.6.1">
<title>What the bees taught me &#8211; Hedgerow Notes</title><link rel="canonical" href="https://hedgerow.example/2024/06/what-the-bees-taught-me/"></head>
<body class="post-template-default single single-post postid-77 single-format-standard wp-embed-responsive"><a class="skip-link screen-reader-text" href="#wp--skip-link--target">Skip to content</a>
<div class="wp-site-blocks"><header class="wp-block-template-part"><div class="wp-block-group alignfull is-layout-constrained">
<div class="wp-block-group"><p class="wp-block-site-title"><a href="https://hedgerow.example" rel="home">Hedgerow Notes</a></p>
<nav class="is-responsive wp-block-navigation">
<ul class="wp-block-navigation__container"><li class="wp-block-navigation-item"><a class="wp-block-navigation-item__content" href="/about/"><span class="wp-block-navigation-item__label">About us</span></a></li><li class="wp-block-navigation-item"><a href="/shop/">The shop</a></li></ul></nav></div></div></header>
<main class="wp-block-group is-layout-flow" id="wp--skip-link--target"><div class="wp-block-group has-global-padding is-layout-constrained">
<h1 class="wp-block-post-title">What the bees taught me</h1><div class="wp-block-template-part"><div class="wp-block-group">
<div class="wp-block-post-date"><time datetime="2024-06-14T08:30:00+01:00"><a href="/2024/06/">June 14, 2024</a></time></div><p class="has-small-font-size">—</p><p>by</p>
<div class="wp-block-post-author-name"><a href="/author/marta/" class="wp-block-post-author-name__link">Marta Holm</a></div>
<div class="taxonomy-category wp-block-post-terms"><span class="wp-block-post-terms__prefix">in </span><a href="/category/animals/" rel="tag">Animals</a></div></div></div></div>
<div class="entry-content alignfull wp-block-post-content has-global-padding is-layout-constrained">${para(all.slice(0, 4))}<h2 class="wp-block-heading">The first mistake</h2>${para(all.slice(4, 7))}<figure class="wp-block-image size-large"><img src="/wp-content/uploads/hive.jpg" alt="A wooden hive under a willow" class="wp-image-80"><figcaption class="wp-element-caption">The oldest of the hives, in its ninth summer under the willow.</figcaption></figure><blockquote class="wp-block-quote"><p>${all[7]}</p><cite>My neighbour</cite></blockquote>
<ul class="wp-block-list"><li>One box<ul class="wp-block-list"><li>ten frames of pine</li><li>one lid</li></ul></li><li>Two gloves that nobody wears</li></ul>
<div class="wp-block-columns"><div class="wp-block-column">${para(all.slice(8, 9))}</div><div class="wp-block-column">${para(all.slice(9, 10))}</div></div>
<figure class="wp-block-table"><table><thead><tr><th>Year</th><th>Honey</th></tr></thead><tbody><tr><td>2022</td><td>31 kg</td></tr>
<tr><td>2023</td><td>44 kg</td></tr></tbody></table><figcaption>Honey by year</figcaption></figure>
<details class="wp-block-details"><summary>What it costs</summary>${para(all.slice(10, 11))}</details><div class="wp-block-buttons">
<div class="wp-block-button"><a class="wp-block-button__link" href="/shop/">Buy our honey</a></div></div>${para(all.slice(11, 12))}</div>
<div class="wp-block-template-part"><div class="wp-block-group">
<div class="taxonomy-post_tag wp-block-post-terms"><a href="/tag/bees/" rel="tag">bees</a>, <a href="/tag/garden/" rel="tag">garden</a></div></div></div>
<div class="wp-block-comments wp-block-comments-query-loop">
<h2 class="wp-block-comments-title" id="comments">2 responses to &#8220;What the bees taught me&#8221;</h2>
<ol class="wp-block-comment-template"><li id="comment-9" class="comment even"><div class="wp-block-columns">
<div class="wp-block-comment-author-name"><a href="https://b.example">Bob Ross</a></div>
<div class="wp-block-comment-date"><time datetime="2024-06-15T10:00:00+01:00">June 15, 2024</time></div>
<div class="wp-block-comment-content"><p>I had the same trouble with my hives in the spring of last year, and I lost two of them.</p></div>
<div class="wp-block-comment-reply-link"><a href="#r">Reply</a></div></div></li><li id="comment-10" class="comment odd">
<div class="wp-block-comment-content"><p>Thank you for writing this down, it made me look at my own bees in another way.</p></div></li></ol>
<div id="respond" class="comment-respond">
<h3 id="reply-title" class="comment-reply-title">Leave a Reply</h3><form><p class="comment-notes"><span id="email-notes">Your email address will not be published.</span></p></form></div></div>
<div class="wp-block-group"><h2 class="wp-block-heading">More posts</h2><ul class="wp-block-post-template"><li class="wp-block-post">
<h3 class="wp-block-post-title"><a href="/2024/05/wax/">How to melt wax without burning down the shed</a></h3>
<div class="wp-block-post-date"><time datetime="2024-05-02T08:00:00+01:00">May 2, 2024</time></div></li><li class="wp-block-post">
<h3 class="wp-block-post-title"><a href="/2024/04/queen/">The queen who would not leave</a></h3></li></ul></div></main>
<footer class="wp-block-template-part"><p>Twenty Twenty-Five</p><p>Designed with <a href="https://wordpress.org">WordPress</a></p></footer></div></body></html>`,
  must: [
    ...all.slice(0, 4),
    '## The first mistake',
    ...all.slice(4, 7),
    'in its ninth summer',
    all[7]!,
    'My neighbour',
    '- One box\n  - ten frames of pine',
    all[8]!,
    all[9]!,
    '| 2023 | 44 kg |',
    all[10]!,
    all[11]!,
  ],
  mustNot: ['lost two of them', 'Leave a Reply', 'melt wax', 'Designed with', 'About us', 'Skip to', 'email address'],
  title: 'What the bees taught me',
  author: 'Marta Holm',
  date: '2024-06-14',
  contentType: 'article',
};
const ghost: SitePage = {
  name: 'Ghost',
  url: 'https://letters.example/what-the-bees-taught-me/',
  html: `<!DOCTYPE html><html lang="en"><head><title>What the bees taught me</title><meta name="generator" content="Ghost 5.90">
<meta property="og:site_name" content="Slow Letters"><meta property="og:type" content="article"><meta property="og:title" content="What the bees taught me">
<meta property="article:published_time" content="2024-06-14T07:30:00.000Z"><meta name="twitter:data1" content="Marta Holm">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","publisher":{"@type":"Organization","name":"Slow Letters"},"author":{"@type":"Person","name":"Marta Holm"},"headline":"What the bees taught me","url":"https://letters.example/what-the-bees-taught-me/","datePublished":"2024-06-14T07:30:00.000Z"}</script></head>
<body class="post-template tag-garden is-head-left-logo has-cover"><div class="gh-viewport">
<header id="gh-navigation" class="gh-navigation is-left-logo gh-outer">
<div class="gh-navigation-inner gh-inner"><a class="gh-navigation-logo is-title" href="/">Slow Letters</a><nav class="gh-navigation-menu">
<ul class="nav"><li class="nav-home nav-current"><a href="/">Home</a></li><li><a href="/about/">About</a></li></ul></nav>
<div class="gh-navigation-members"><a href="#/portal/signin" data-portal="signin">Sign in</a><a class="gh-button" href="#/portal/signup" data-portal="signup">Subscribe</a></div></div></header>
<main class="gh-main"><article class="gh-article post tag-garden">
<header class="gh-article-header gh-canvas"><a class="gh-article-tag" href="/tag/garden/">Garden</a>
<h1 class="gh-article-title is-title">What the bees taught me</h1><p class="gh-article-excerpt is-body">On gloves, swarms and doing nothing at all.</p>
<div class="gh-article-meta">
<div class="gh-article-author-image"><a href="/author/marta/"><img class="author-profile-image" src="/m.png" alt="Marta Holm"></a></div>
<div class="gh-article-meta-wrapper"><h4 class="gh-article-author-name"><a href="/author/marta/">Marta Holm</a></h4>
<div class="gh-article-meta-content"><time class="gh-article-meta-date" datetime="2024-06-14">14 Jun 2024</time><span class="gh-article-meta-length"><span class="bull">—</span> 4 min read</span></div></div></div></header>
<section class="gh-content gh-canvas is-body drop-cap">${para(all.slice(0, 3))}<div class="kg-card kg-callout-card kg-callout-card-blue">
<div class="kg-callout-emoji">🐝</div><div class="kg-callout-text">${all[3]}</div></div>
<h2 id="mistakes">Mistakes</h2>${para(all.slice(4, 8))}<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://bees.example/">
<div class="kg-bookmark-content"><div class="kg-bookmark-title">The bee book</div>
<div class="kg-bookmark-description">Everything about hives</div></div></a></figure><div class="kg-card kg-toggle-card" data-kg-toggle-state="close">
<div class="kg-toggle-heading">
<h4 class="kg-toggle-heading-text">Did I feed them?</h4><button class="kg-toggle-card-icon" aria-label="Expand toggle"></button></div>
<div class="kg-toggle-content"><p>${all[8]}</p></div></div>${para(all.slice(9, 12))}<div class="kg-card kg-signup-card">
<h2>Sign up for Slow Letters</h2><p>A letter each month, straight to your inbox.</p></div></section></article><div class="gh-comments gh-canvas">
<h2>Member discussion</h2></div></main><section class="gh-container is-grid gh-outer"><div class="gh-container-inner gh-inner">
<h2 class="gh-container-title">Read more</h2>
<div class="gh-feed">${['Wax and fire', 'The queen', 'Willow days'].map((t) => `<article class="gh-card post"><a class="gh-card-link" href="/x/"><div class="gh-card-wrapper"><h3 class="gh-card-title is-title">${t}</h3><p class="gh-card-excerpt is-body">A short teaser that says what ${t} is going to be about this time.</p><footer class="gh-card-meta"><span class="gh-card-author">By Marta Holm</span><time class="gh-card-date" datetime="2024-05-01">01 May 2024</time></footer></div></a></article>`).join('')}</div></div></section>
<footer class="gh-footer gh-outer"><div class="gh-footer-copyright"><a href="https://ghost.org/">Powered by Ghost</a></div></footer></div></body></html>`,
  must: [...all.slice(0, 4), '## Mistakes', ...all.slice(4, 8), all[8]!, ...all.slice(9, 12)],
  mustNot: ['Powered by', 'Member discussion', 'A short teaser', 'Sign in'],
  title: 'What the bees taught me',
  author: 'Marta Holm',
  date: '2024-06-14',
  site: 'Slow Letters',
};
const substack: SitePage = {
  name: 'Substack',
  url: 'https://slowletters.substack.com/p/what-the-bees-taught-me',
  html: `<!DOCTYPE html><html lang="en"><head><title data-rh="true">What the bees taught me - by Marta Holm - Slow Letters</title>
<meta data-rh="true" property="og:type" content="article"><meta data-rh="true" property="og:title" content="What the bees taught me">
<meta name="author" content="Marta Holm"><meta data-rh="true" property="og:description" content="On gloves">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","url":"https://slowletters.substack.com/p/what-the-bees-taught-me","mainEntityOfPage":"https://slowletters.substack.com/p/what-the-bees-taught-me","headline":"What the bees taught me","datePublished":"2024-06-14T07:30:00+00:00","dateModified":"2024-06-14T07:30:00+00:00","isAccessibleForFree":true,"author":[{"@type":"Person","name":"Marta Holm"}],"publisher":{"@type":"Organization","name":"Slow Letters"}}</script></head>
<body class=""><div id="entry"><div id="main" class="main typography use-theme-bg"><div class="pencraft pc-display-contents"><div class="main-menu">
<h1 class="pencraft"><a href="/">Slow Letters</a></h1><button class="pencraft">Subscribe</button><a href="/sign-in">Sign in</a></div></div><div>
<div class="available-content-wrapper"><div class="single-post-container"><div class="container"><div class="single-post">
<article class="typography newsletter-post post"><div role="region" aria-label="Post header" class="post-header">
<h1 dir="auto" class="post-title published">What the bees taught me</h1><h3 class="subtitle">On gloves, swarms and doing nothing at all</h3>
<div class="byline-wrapper"><div class="pencraft profile-hover-card-target"><a href="https://substack.com/@marta">Marta Holm</a></div>
<div class="pencraft">Jun 14, 2024</div></div>
<div class="post-ufi"><a class="post-ufi-button has-label">31</a><a class="post-ufi-button has-label" href="/comments">4</a><a class="post-ufi-button">Share</a></div></div>
<div class="visibility-check"></div><div><div class="available-content">
<div dir="auto" class="body markup">${para(all.slice(0, 4))}<div class="captioned-image-container"><figure><a class="image-link" href="/i.jpg">
<div class="image2-inset"><img src="/i.jpg" alt="A hive"></div></a><figcaption class="image-caption">The oldest hive under its willow, last June.</figcaption></figure></div>
<h2 class="header-anchor-post">Mistakes<div class="pencraft header-anchor-parent"><div class="pencraft">
<div id="§mistakes" class="pencraft header-anchor"></div><button class="pencraft" aria-label="Link"></button></div></div></h2>${para(all.slice(4, 6))}<div class="subscription-widget-wrap" data-attrs="{}">
<div class="subscription-widget show-subscribe">
<div class="preamble"><p class="cta-caption">Slow Letters is a reader-supported publication. To receive new posts and support my work, consider becoming a subscriber.</p></div>
<div class="subscribe-widget is-signed-up"><form class="form"><button type="submit">Subscribe</button></form></div></div></div>${para(all.slice(6, 9))}<p>She was right about that too<a data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" href="#footnote-1" target="_self" class="footnote-anchor">1</a>, as it turned out in the autumn.</p><blockquote><p>${all[9]}</p></blockquote>${para(all.slice(10, 12))}<p class="button-wrapper"><a class="button primary" href="/share"><span>Share</span></a></p>
<div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number" contenteditable="false" target="_self">1</a>
<div class="footnote-content"><p>She died in 2011, and her hives went to the school.</p></div></div></div></div></div></article></div></div></div>
<div class="visibility-check"></div><div class="post-footer"><a class="post-ufi-button">31 Likes</a></div><div id="discussion" class="comments-section">
<div class="container"><h4 class="comments-page-title">Discussion about this post</h4><div class="comment-list"><div class="comment">
<div class="comment-body"><p>I read this with my coffee and had to think of my own grandfather all morning.</p></div></div></div></div></div></div>
<div class="single-post-section"><div class="portable-archive"><div class="tabs">Top Latest Discussions</div>
<div class="post-preview"><a href="/p/wax">Wax and fire</a><div>How I nearly lost the shed</div></div></div><h4>Ready for more?</h4></div></div></div>
<div class="footer-wrap">
<div class="footer">© 2024 Marta Holm · Privacy ∙ Terms ∙ Collection notice · Start Writing · Get the app</div></div></div></div></body></html>`,
  must: [
    ...all.slice(0, 4),
    'under its willow',
    '## Mistakes',
    ...all.slice(4, 9),
    'too[^1], as it turned',
    all[9]!,
    ...all.slice(10, 12),
    '[^1]: She died in 2011',
  ],
  mustNot: [
    'Sign in',
    'Ready for more',
    'with my coffee',
    'Collection notice',
    'Start Writing',
    'lost the shed',
    'reader-supported',
  ],
  title: 'What the bees taught me',
  author: 'Marta Holm',
  date: '2024-06-14',
  site: 'Slow Letters',
};
const medium: SitePage = {
  name: 'Medium',
  url: 'https://medium.com/@marta/what-the-bees-taught-me-0a1b2c3d4e5f',
  html: `<!doctype html><html lang="en"><head><title data-rh="true">What the bees taught me | by Marta Holm | The Slow Review | Medium</title>
<meta data-rh="true" property="og:site_name" content="Medium"><meta data-rh="true" property="og:type" content="article">
<meta data-rh="true" property="article:published_time" content="2024-06-14T07:30:00.000Z">
<meta data-rh="true" property="og:title" content="What the bees taught me"><meta data-rh="true" name="author" content="Marta Holm"></head><body><div id="root">
<div class="a b c"><div class="d e f g h i j k"></div><script>document.domain = document.domain;</script><div class="l c"><div class="l m n o c">
<div class="p q r s t u v w x i d y z"><a class="du ag dv bf ak" href="https://rsci.app.link/">Open in app<svg></svg></a>
<div class="ab q"><p class="bf b dw"><span><a href="https://medium.com/m/signin">Sign up</a></span></p>
<div class="ax l"><p><a href="/signin">Sign in</a></p></div></div></div></div><div class="l"><article><div class="l"><div class="l"><span class="l"></span>
<section><div><div class="fs fz ga gb gc gd"></div><div class="ge gf gg gh gi"><div class="ab ca"><div class="ch bg"><div>
<h1 id="4e1c" class="pw-post-title gj gk gl" data-testid="storyTitle">What the bees taught me</h1><div class="hg hh hi"><div class="speechify-ignore ab co">
<div class="speechify-ignore bg l"><div class="hj hk ab"><div>
<div class="ab hl"><a href="https://medium.com/@marta"><img alt="Marta Holm" src="/m.jpg"></a></div></div><div class="bm bg l">
<div class="ab"><span class="bf b">
<div class="ab q"><a data-testid="authorName" href="https://medium.com/@marta">Marta Holm</a><span class="bf">·</span><p><button>Follow</button></p></div></span></div>
<div class="l hs"><span>Published in</span><a data-testid="publicationName" href="/slow"><p>The Slow Review</p></a><span data-testid="storyReadTime">4 min read</span><span>·</span><span data-testid="storyPublishDate">Jun 14, 2024</span></div></div></div>
<div class="ab co ih"><div class="h k w"><button aria-label="clap"></button><p>1.2K</p><button aria-label="responses"><p>17</p></button></div><div><p>Listen</p><p>Share</p></div></div></div></div></div>${all
    .slice(0, 4)
    .map((t, i) => `<p id="a${i}" class="pw-post-body-paragraph np nq gm nr b">${t}</p>`)
    .join('')}<figure class="oj ok ol">
<div role="button" class="oq or"><picture><source srcset="x"><img alt="" src="/h.jpg"></picture></div><figcaption class="oy oz pa">The oldest of the hives. Photo by <a href="https://unsplash.com/x">Ann Lee</a> on Unsplash</figcaption></figure><h1 id="b" class="pg ph gm bf">Mistakes</h1>${all
    .slice(4, 8)
    .map((t, i) => `<p id="c${i}" class="pw-post-body-paragraph np nq">${t}</p>`)
    .join(
      '',
    )}<pre class="oj ok pz qa qb"><span id="f1" class="qc oi gm pw b">weigh(<span class="hljs-string">"box one"</span>)<br/>record()</span></pre><blockquote class="qk"><p id="d" class="np nq ql">${all[8]}</p></blockquote>${all
    .slice(9, 12)
    .map((t, i) => `<p id="e${i}" class="pw-post-body-paragraph np nq">${t}</p>`)
    .join(
      '',
    )}</div></div></div></div></section></div></div></article></div><div class="ab ca"><div class="ch bg"><div class="ab kz"><a href="/tag/bees"><div class="tag">Bees</div></a><a href="/tag/garden"><div>Gardening</div></a></div></div></div><footer class="rn ro rp"><div class="l"><p>1.2K</p></div></footer><div class="rs"><div class="ab"><h2 class="bf">Written by Marta Holm</h2><p>3.4K Followers</p><p>Writes about slow things.</p><button>Follow</button></div></div><div class="more"><h2>Responses (17)</h2><div><pre><div>What a fine text, I will think of it next time I see a swarm of bees on a gutter.</div></pre></div></div><div class="rt"><h2 class="bf">More from Marta Holm</h2><div><article><h2>Wax and fire</h2><h3>How I nearly lost the shed one evening</h3></article></div></div><div class="foot"><a href="/help"><p>Help</p></a><a href="/status"><p>Status</p></a><a href="/careers"><p>Careers</p></a></div></div></div></div></body></html>`,
  must: [
    ...all.slice(0, 4),
    'Mistakes',
    ...all.slice(4, 8),
    '```\nweigh("box one")\nrecord()\n```',
    all[8]!,
    ...all.slice(9, 12),
  ],
  mustNot: ['Open in app', 'Careers', 'lost the shed', 'Followers', 'next time I see a swarm', 'Listen'],
  title: 'What the bees taught me',
  author: 'Marta Holm',
  date: '2024-06-14',
};
const notion: SitePage = {
  name: 'Notion export',
  url: 'https://files.example/What%20the%20bees%20taught%20me%208f3a.html',
  html: `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>
<title>What the bees taught me</title><style>body{line-height:1.5}.indented{padding-left:1.5em}</style></head><body><article id="8f3a" class="page sans">
<header><div class="page-header-icon undefined"><span class="icon">🐝</span></div>
<h1 class="page-title">What the bees taught me</h1><p class="page-description"></p><table class="properties"><tbody>
<tr class="property-row property-row-created_time"><th><span class="icon property-icon"></span>Created</th><td><time>@June 14, 2024 8:30 AM</time></td></tr>
<tr class="property-row property-row-multi_select"><th>Tags</th><td><span class="selected-value select-value-color-blue">garden</span></td></tr></tbody></table></header><div class="page-body">${all
    .slice(0, 3)
    .map((t, i) => `<p id="p${i}" class="">${t}</p>`)
    .join(
      '',
    )}<h2 id="h" class="">Mistakes</h2><ul id="t" class="toggle"><li><details open=""><summary>What went wrong first</summary><p id="q" class="">${all[4]}</p></details></li></ul><figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex" id="cc"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%">${all[5]}</div></figure><ul id="b1" class="bulleted-list"><li style="list-style-type:disc">Ten frames of pine<ul class="bulleted-list"><li style="list-style-type:circle">with wire</li></ul></li></ul><ul id="b2" class="bulleted-list"><li style="list-style-type:disc">One lid</li></ul><ol type="1" id="n1" class="numbered-list" start="1"><li>Open the box</li></ol><ol type="1" id="n2" class="numbered-list" start="2"><li>Close the box</li></ol><ul id="td" class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Buy a smoker</span><div class="indented"></div></li></ul><script src="prism.js"></script><pre id="code" class="code code-wrap"><code class="language-Python">for box in hives:
    weigh(box)</code></pre>
<figure class="equation"><span class="katex-display"><span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mrow><mi>w</mi><mo>=</mo><mi>m</mi><mi>g</mi></mrow><annotation encoding="application/x-tex">w = mg</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">w=mg</span></span></span></figure>
<div id="cl" class="column-list"><div style="width:50%" class="column"><p>${all[6]}</p></div><div style="width:50%" class="column"><p>${all[7]}</p></div></div>
<table id="tb" class="simple-table"><tbody><tr><td class="">Year</td><td class="">Honey</td></tr>
<tr><td>2023</td><td>44 kg</td></tr></tbody></table>${para(all.slice(8, 12))}</div></article><span class="sans" style="font-size:14px;padding-top:2em"></span></body></html>`,
  must: [
    ...all.slice(0, 3),
    '## Mistakes',
    all[4]!,
    all[5]!,
    'Ten frames of pine',
    'with wire',
    'One lid',
    '1. Open the box',
    '2. Close the box',
    'Buy a smoker',
    '```python\nfor box in hives:\n    weigh(box)\n```',
    '$$w = mg$$',
    all[6]!,
    all[7]!,
    '| 2023 | 44 kg |',
    ...all.slice(8, 12),
  ],
  mustNot: [],
  title: 'What the bees taught me',
};
const hugo: SitePage = {
  name: 'Hugo (PaperMod)',
  url: 'https://marta.example/posts/bees/',
  html: `<!DOCTYPE html><html lang="en" dir="auto"><head><meta charset="utf-8"><meta name="generator" content="Hugo 0.131.0"><title>What the bees taught me | Marta Holm</title><meta property="og:type" content="article"><meta property="article:published_time" content="2024-06-14T08:30:00+00:00"></head><body id="top"><header class="header"><nav class="nav"><div class="logo"><a href="https://marta.example/" accesskey="h">Marta Holm</a></div><ul id="menu"><li><a href="/archives/"><span>Archives</span></a></li><li><a href="/search/"><span>Search</span></a></li></ul></nav></header><main class="main"><article class="post-single"><header class="post-header"><div class="breadcrumbs"><a href="/">Home</a>&nbsp;»&nbsp;<a href="/posts/">Posts</a></div><h1 class="post-title entry-hint-parent">What the bees taught me</h1><div class="post-meta"><span title='2024-06-14 08:30:00 +0000 UTC'>June 14, 2024</span>&nbsp;·&nbsp;4 min&nbsp;·&nbsp;Marta Holm&nbsp;|&nbsp;<a href="https://github.com/x">Suggest Changes</a></div></header><div class="toc"><details><summary accesskey="c"><span class="details">Table of Contents</span></summary><div class="inner"><ul><li><a href="#mistakes">Mistakes</a></li></ul></div></details></div><div class="post-content">${para(all.slice(0, 4))}<h2 id="mistakes">Mistakes<a hidden class="anchor" aria-hidden="true" href="#mistakes">#</a></h2>${para(all.slice(4, 7))}<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code><span class="lnt">1
</span><span class="lnt">2
</span></code></pre></td><td class="lntd"><pre tabindex="0" class="chroma"><code class="language-go" data-lang="go"><span class="line"><span class="cl"><span class="kn">package</span> <span class="nx">main</span>
</span></span><span class="line"><span class="cl"><span class="kd">func</span> <span class="nf">main</span><span class="p">()</span> <span class="p">{}</span>
</span></span></code></pre></td></tr></table></div></div>${para(all.slice(7, 9))}<p>The weight<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup> of a full box surprised me every single summer since then.</p>${para(all.slice(9, 12))}<div class="footnotes" role="doc-endnotes"><hr>
<ol><li id="fn:1"><p>About nineteen kilograms.&#160;<a href="#fnref:1" class="footnote-backref" role="doc-backlink">&#x21a9;&#xfe0e;</a></p></li></ol></div></div>
<footer class="post-footer"><ul class="post-tags"><li><a href="/tags/bees/">Bees</a></li></ul>
<nav class="paginav"><a class="prev" href="/posts/wax/"><span class="title">« Prev</span><br><span>Wax and fire</span></a></nav>
<ul class="share-buttons"><li><a href="https://x.com/intent">share on x</a></li></ul></footer></article></main>
<footer class="footer"><span>&copy; 2024 Marta Holm</span> · <span>Powered by <a href="https://gohugo.io/">Hugo</a> &amp; <a href="https://github.com/adityatelange/hugo-PaperMod/">PaperMod</a></span></footer></body></html>`,
  must: [
    ...all.slice(0, 4),
    '## Mistakes',
    ...all.slice(4, 7),
    '```go\npackage main\nfunc main() {}\n```',
    ...all.slice(7, 9),
    'weight[^1] of',
    ...all.slice(9, 12),
    '[^1]: About nineteen',
  ],
  mustNot: ['Powered by', 'Wax and fire', 'share on x', '1\n2', 'Archives', 'Table of Contents'],
  title: 'What the bees taught me',
  date: '2024-06-14',
};
const amp: SitePage = {
  name: 'AMP',
  url: 'https://gazette.example/amp/bees-return-to-the-city',
  html: `<!doctype html><html ⚡ lang="en"><head><meta charset="utf-8"><script async src="https://cdn.ampproject.org/v0.js"></script>
<title>Bees return to the city - The Gazette</title><link rel="canonical" href="https://gazette.example/bees-return-to-the-city"><style amp-boilerplate>body{-webkit-animation:-amp-start 8s steps(1,end) 0s 1 normal both}</style><noscript><style amp-boilerplate>body{animation:none}</style></noscript><style amp-custom>.h{color:red}</style>
<script type="application/ld+json">{"@context":"http://schema.org","@type":"NewsArticle","headline":"Bees return to the city","datePublished":"2024-06-14T07:30:00Z","author":{"@type":"Person","name":"Ann Lee"}}</script></head>
<body><amp-sidebar id="sidebar" layout="nodisplay" side="left">
<ul><li><a href="/world">World news</a></li><li><a href="/sport">Sports desk</a></li></ul></amp-sidebar>
<header class="header"><a href="/">The Gazette</a></header><amp-ad width="300" height="250" type="doubleclick"><div placeholder>Advertisement</div></amp-ad>
<article class="amp-wp-article"><header><h1 class="amp-wp-title">Bees return to the city</h1>
<div class="amp-wp-meta amp-wp-byline"><span class="amp-wp-author author vcard">Ann Lee</span></div></header><amp-img src="/b.jpg" width="600" height="400" layout="responsive" alt="Bees on a roof"></amp-img>
<div class="amp-wp-article-content">${para(all.slice(0, 6))}<amp-carousel layout="slides">
<figure><amp-img src="/c.jpg" alt="a"></amp-img><figcaption>One of the hives on the roof of the town hall, seen from the river.</figcaption></figure></amp-carousel>${para(all.slice(6, 12))}<amp-accordion>
<section><h4>How many hives are there?</h4><p>There are now forty hives in the city, most of them on flat roofs.</p></section></amp-accordion></div></article>
<section class="more"><h3>Related stories</h3><amp-list layout="fixed-height">
<ul><li><a href="/1">Council votes on trams again</a></li><li><a href="/2">River is clean enough to swim</a></li></ul></amp-list></section>
<footer>© The Gazette</footer></body></html>`,
  must: all,
  mustNot: ['Sports desk', 'votes on trams', 'Advertisement'],
  title: 'Bees return to the city',
  author: 'Ann Lee',
  date: '2024-06-14',
};
const live: SitePage = {
  name: 'live blog',
  url: 'https://gazette.example/news/live/2024/jun/14/storm-live',
  html: `<!doctype html><html lang="en"><head><title>Storm live: ferries cancelled as winds rise | The Gazette</title>
<meta property="og:type" content="article"><meta property="og:title" content="Storm live: ferries cancelled as winds rise">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"LiveBlogPosting","headline":"Storm live: ferries cancelled as winds rise","datePublished":"2024-06-14T05:00:00Z","coverageStartTime":"2024-06-14T05:00:00Z","author":[{"@type":"Person","name":"Ann Lee"}],"liveBlogUpdate":[{"@type":"BlogPosting","headline":"Bridge closed","datePublished":"2024-06-14T09:10:00Z","articleBody":"The bridge is closed."}]}</script></head>
<body><header><nav aria-label="Sections"><ul><li><a href="/news">News</a></li><li><a href="/opinion">Opinion pieces</a></li></ul></nav></header>
<main id="maincontent"><article><header>
<h1>Storm live: ferries cancelled as winds rise</h1><p class="standfirst">Follow the latest as the first storm of the season reaches the coast.</p></header>
<aside class="key-events"><h2>Key events</h2><ul><li><a href="#block-1"><time>09.10</time> Bridge closed</a></li></ul></aside>
<div id="liveblog-body" class="live-blog">${['Bridge closed to lorries', 'Schools send pupils home', 'First ferries cancelled', 'What we know so far', 'Good morning'].map((h, i) => `<article id="block-${i}" class="block" data-block-id="b${i}"><header><p class="block-time"><a href="#b"><time datetime="2024-06-14T0${9 - i}:10:00.000Z">0${9 - i}.10</time></a></p><h2 class="block-title">${h}</h2></header><div class="block-elements">${para(all.slice(i * 2, i * 2 + 2))}</div><footer class="block-share"><button>Share</button></footer></article>`).join('')}</div>
<div class="pagination"><button>Newest</button><button>Oldest</button></div></article></main><section class="onwards"><h2>Most viewed</h2>
<ol><li><a href="/1">Council votes on trams again</a></li><li><a href="/2">River is clean enough to swim</a></li></ol></section>
<footer>About us Contact us</footer></body></html>`,
  must: [
    'Bridge closed to lorries',
    all[0]!,
    all[1]!,
    'Schools send pupils home',
    all[2]!,
    all[3]!,
    'First ferries',
    all[4]!,
    all[5]!,
    'What we know',
    all[6]!,
    all[7]!,
    'Good morning',
    all[8]!,
    all[9]!,
  ],
  mustNot: ['votes on trams', 'Opinion pieces', 'Contact us'],
  title: 'Storm live: ferries cancelled as winds rise',
  author: 'Ann Lee',
  date: '2024-06-14',
};
const blogger: SitePage = {
  name: 'Blogger',
  url: 'https://hedgerow.blogspot.com/2024/06/what-bees-taught-me.html',
  html: `<!DOCTYPE html><html dir='ltr' xmlns='http://www.w3.org/1999/xhtml' xmlns:b='http://www.google.com/2005/gml/b'><head>
<meta content='blogger' name='generator'/><title>Hedgerow Notes: What the bees taught me</title>
<meta content='https://hedgerow.blogspot.com/2024/06/what-bees-taught-me.html' property='og:url'/>
<meta content='What the bees taught me' property='og:title'/></head><body class='loading'><div class='navbar section' id='navbar'></div>
<div class='body-fauxcolumns'></div><div class='content'><div class='content-inner'><header><div class='header section' id='header'>
<h1 class='title'><a href='/'>Hedgerow Notes</a></h1><p class='description'><span>From the edge of a field</span></p></div></header><div class='tabs-outer'>
<ul><li><a href='/p/about.html'>About this blog</a></li></ul></div><div class='main-outer'><div class='column-center-inner'><div class='main section' id='main'>
<div class='widget Blog' id='Blog1'><div class='blog-posts hfeed'><div class="date-outer"><h2 class='date-header'><span>Friday, 14 June 2024</span></h2>
<div class="date-posts"><div class='post-outer'>
<div class='post hentry uncustomized-post-template' itemprop='blogPost' itemscope='itemscope' itemtype='http://schema.org/BlogPosting'>
<meta content='77' itemprop='postId'/><h3 class='post-title entry-title' itemprop='name'>What the bees taught me</h3><div class='post-header'></div>
<div class='post-body entry-content' id='post-body-77' itemprop='description articleBody'>${all.slice(0, 6).join('<br /><br />\n')}<br /><div class="separator" style="clear: both; text-align: center;"><a href="/h.jpg"><img border="0" src="/h.jpg" /></a></div>${all
    .slice(6, 12)
    .map((t) => `<div>${t}</div><div><br /></div>`)
    .join('')}<div style='clear: both;'></div></div><div class='post-footer'>
<div class='post-footer-line post-footer-line-1'><span class='post-author vcard'>Posted by <span class='fn' itemprop='author' itemscope='itemscope' itemtype='http://schema.org/Person'><a class='g-profile' href='https://www.blogger.com/profile/1' rel='author'><span itemprop='name'>Marta Holm</span></a></span></span> <span class='post-timestamp'>at <a class='timestamp-link' href='x' rel='bookmark'><abbr class='published' itemprop='datePublished' title='2024-06-14T08:30:00+01:00'>08:30</abbr></a></span></div>
<div class='post-footer-line'><span class='post-labels'>Labels: <a href='/search/label/bees' rel='tag'>bees</a></span></div></div></div>
<div class='comments' id='comments'><h4>2 comments:</h4><div id='comment-holder'><ol><li class='comment'><div class='comment-block'>
<div class='comment-header'><cite class='user'>Bob</cite></div><p class='comment-content'>I had the same trouble with my hives in the spring of last year, and I lost two of them.</p></div></li></ol></div></div></div></div></div></div></div></div></div>
<div class='column-right-outer'><aside><div class='sidebar section'><div class='widget BlogArchive'><h2>Blog Archive</h2>
<ul><li class='archivedate'><a href='/2024/05/'>May 2024</a> (7)</li><li><a href='/2024/05/wax.html'>Wax and fire</a></li></ul></div>
<div class='widget Profile'><h2>About Me</h2><p>I keep bees and a slow garden.</p></div></div></aside></div></div></div></div></body></html>`,
  must: [...all],
  mustNot: ['Blog Archive', 'lost two of them', 'slow garden', 'About this blog', 'Wax and fire'],
  title: 'What the bees taught me',
  author: 'Marta Holm',
  date: '2024-06-14',
};
export const blogs: SitePage[] = [wordpress, ghost, substack, medium, notion, hugo, amp, live, blogger];
