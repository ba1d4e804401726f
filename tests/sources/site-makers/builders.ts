import { essay as e, para, type SitePage } from './site-page.ts';

const elementor: SitePage = {
  name: 'WordPress with Elementor',
  url: 'https://bees.example/2023/05/gentle-hands/',
  html: `<!doctype html><html lang="en-US"><head><title>Gentle hands &#8211; Hedgerow Bees</title><meta property="og:site_name" content="Hedgerow Bees"><meta property="og:title" content="Gentle hands"><meta property="article:published_time" content="2023-05-04T08:00:00+00:00"></head>
<body class="post-template-default single elementor-default elementor-page"><header class="elementor elementor-12 elementor-location-header"><section class="elementor-section"><div class="elementor-container"><div class="elementor-widget elementor-widget-nav-menu"><nav><ul class="elementor-nav-menu"><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav></div></div></section></header>
<div class="elementor elementor-88 elementor-location-single post"><section class="elementor-section elementor-top-section"><div class="elementor-container"><div class="elementor-column"><div class="elementor-widget-wrap">
<div class="elementor-element elementor-widget elementor-widget-theme-post-title"><div class="elementor-widget-container"><h1 class="elementor-heading-title elementor-size-default">Gentle hands</h1></div></div>
<div class="elementor-element elementor-widget elementor-widget-post-info"><ul class="elementor-inline-items elementor-post-info"><li class="elementor-icon-list-item elementor-inline-item" itemprop="author"><a href="/author/ann/"><span class="elementor-post-info__item--type-author">Ann Lee</span></a></li><li itemprop="datePublished"><span class="elementor-post-info__item--type-date">May 4, 2023</span></li></ul></div>
<div class="elementor-element elementor-widget elementor-widget-theme-post-content"><div class="elementor-widget-container"><div class="elementor elementor-88">
<section class="elementor-section"><div class="elementor-container"><div class="elementor-column"><div class="elementor-widget-wrap"><div class="elementor-widget elementor-widget-text-editor"><div class="elementor-widget-container">${para([e[0]!, e[1]!, e[2]!])}</div></div>
<div class="elementor-widget elementor-widget-heading"><div class="elementor-widget-container"><h2 class="elementor-heading-title">The first mistake</h2></div></div><div class="elementor-widget elementor-widget-text-editor"><div class="elementor-widget-container">${para([e[4]!, e[5]!])}</div></div>
<div class="elementor-widget elementor-widget-toggle"><div class="elementor-toggle"><div class="elementor-toggle-item"><div class="elementor-tab-title"><a>Is it worth the money?</a></div><div class="elementor-tab-content">${para([e[10]!])}</div></div></div></div></div></div></div></section></div></div></div>
<div class="elementor-widget elementor-widget-share-buttons"><div class="elementor-share-btn">Share on Facebook</div></div><div class="elementor-widget elementor-widget-post-navigation"><a rel="prev">Previous: Wax and wick</a></div></div></div></div></section>
<section class="elementor-section"><div class="elementor-widget elementor-widget-posts"><h3>Related posts</h3><article class="elementor-post"><h4><a href="/x">How to paint a hive</a></h4><div class="elementor-post__excerpt"><p>Paint keeps out the rain for six years at most.</p></div></article></div></section></div>
<footer class="elementor elementor-location-footer"><div class="elementor-widget-text-editor">© 2023 Hedgerow Bees. Made with love.</div></footer></body></html>`,
  must: [e[0]!, e[2]!, 'The first mistake', e[4]!, e[5]!, e[10]!],
  mustNot: ['Share on Facebook', 'How to paint a hive', 'Made with love', 'Wax and wick'],
  title: 'Gentle hands',
  author: 'Ann Lee',
  date: '2023-05-04',
};

const wix: SitePage = {
  name: 'Wix blog',
  url: 'https://www.bees.example/post/gentle-hands',
  html: `<!doctype html><html lang="en"><head><title>Gentle hands</title><meta property="og:site_name" content="Hedgerow Bees"><script type="application/ld+json">{"@context":"https://schema.org/","@type":"BlogPosting","headline":"Gentle hands","datePublished":"2022-11-02T10:11:12.000Z","author":{"@type":"Person","name":"Ann Lee","url":"https://www.bees.example"}}</script></head>
<body><div id="SITE_CONTAINER"><div id="masterPage" class="mesh-layout"><header id="SITE_HEADER"><nav><ul><li data-testid="linkElement"><p>Home</p></li><li><p>Blog</p></li></ul></nav></header>
<main id="PAGES_CONTAINER"><div id="TPAMultiSection"><div><div class="blog-post-page-layout"><nav aria-label="Blog"><ul><li><a href="/blog">All Posts</a></li></ul></nav><article><div data-hook="post"><header><ul data-hook="post-metadata"><li><span data-hook="user-name" title="Ann Lee">Ann Lee</span></li><li><span class="post-metadata__date" data-hook="time-ago">Nov 2, 2022</span></li><li><span data-hook="time-to-read">3 min read</span></li></ul></header>
<h1 data-hook="post-title"><span class="blog-post-title-font">Gentle hands</span></h1><section data-hook="post-description"><div class="post-content__body"><div data-rce-version="9"><div data-breakout="normal"><div data-id="content-viewer">
${[0, 1, 2, 4, 5, 6].map((i) => `<p dir="auto" class="Y9Dpf" id="viewer-${i}"><span class="bIvN5"><span>${e[i]!}</span></span></p><div type="empty-line" data-hook="rcv-block${i}"></div>`).join('')}
<h2 dir="auto" class="JIz2x"><span>Leaving alone</span></h2><p dir="auto"><span><span>${e[7]!}</span></span></p></div></div></div></div></section><footer><div data-hook="post-main-actions__stats"><span>128 views</span><span>0 comments</span></div><button>Post not marked as liked</button></footer></div></article>
<section data-hook="recent-posts"><h2>Recent Posts</h2><a href="/blog">See All</a><div data-hook="recent-post"><p>Wax and wick</p><p>Candles want a wick that is neither thin nor thick.</p></div></section><div id="comments"><h2>Comments</h2><p>Write a comment...</p></div></div></div></div></main>
<footer id="SITE_FOOTER"><p>©2022 by Hedgerow Bees. Proudly created with Wix.com</p></footer></div></div></body></html>`,
  must: [e[0]!, e[1]!, e[6]!, 'Leaving alone', e[7]!],
  mustNot: ['Proudly created', 'Wax and wick', 'See All', '128 views', 'Write a comment'],
  title: 'Gentle hands',
  author: 'Ann Lee',
  date: '2022-11-02',
};

const squarespace: SitePage = {
  name: 'Squarespace',
  url: 'https://www.bees.example/journal/gentle-hands',
  html: `<!doctype html><html lang="en-GB"><head><title>Gentle hands &mdash; Hedgerow Bees</title><meta property="og:site_name" content="Hedgerow Bees"><meta property="og:title" content="Gentle hands &mdash; Hedgerow Bees"><meta itemprop="datePublished" content="2021-06-07T09:00:00+0100"><meta itemprop="author" content="Ann Lee"></head>
<body class="collection-type-blog view-item"><div id="siteWrapper" class="site-wrapper"><header id="header" class="header"><div class="header-nav"><nav class="header-nav-list"><div class="header-nav-item"><a href="/about">About</a></div></nav></div></header>
<main id="page" class="container" role="main"><article class="sections"><section class="page-section blog-item content-collection"><div class="content-wrapper"><div class="content"><div class="blog-item-wrapper"><article class="h-entry entry"><div class="blog-item-inner-wrapper"><div class="blog-item-top-wrapper"><div class="blog-item-title"><h1 class="entry-title entry-title--large p-name">Gentle hands</h1></div><div class="blog-item-meta-wrapper"><span class="blog-meta-item--author">Written By <span class="blog-author-name">Ann Lee</span></span><time class="dt-published blog-meta-item--date" datetime="7 Jun">7 Jun</time></div></div>
<div class="blog-item-content-wrapper"><div class="blog-item-content e-content"><div class="sqs-layout sqs-grid-12"><div class="row sqs-row"><div class="col sqs-col-12 span-12"><div class="sqs-block html-block sqs-block-html"><div class="sqs-block-content"><div class="sqs-html-content">${para([e[0]!, e[2]!, e[3]!], 'class="" style="white-space:pre-wrap;"')}</div></div></div>
<div class="sqs-block quote-block sqs-block-quote"><figure class="block-animation-none"><blockquote><span>&#8220;</span>A bee can tell a nervous hand from a calm one.<span>&#8221;</span></blockquote><figcaption class="source">&mdash; My grandfather</figcaption></figure></div>
<div class="sqs-block html-block"><div class="sqs-block-content"><h3>What came of it</h3>${para([e[8]!, e[9]!])}</div></div></div></div></div></div></div></div><div class="blog-item-author-profile-wrapper"><div class="author-bio">Ann keeps six hives and writes on Sundays.</div></div></article></div></div></div></section>
<section class="item-pagination"><a href="/journal/wax" class="item-pagination-link"><div class="pagination-title-wrapper"><div class="visually-hidden">Previous</div><h2 class="item-pagination-title">Wax and wick</h2></div></a></section></article></main>
<footer class="sections" id="footer-sections"><section class="page-section"><div class="newsletter-form"><h2>Sign up with your email address</h2></div><p>Powered by Squarespace</p></section></footer></div></body></html>`,
  must: [e[0]!, e[3]!, 'A bee can tell a nervous hand', 'What came of it', e[8]!, e[9]!],
  mustNot: ['Powered by', 'Sign up with', 'Wax and wick'],
  title: 'Gentle hands',
  author: 'Ann Lee',
  date: '2021-06-07',
};

const webflow: SitePage = {
  name: 'Webflow',
  url: 'https://www.bees.example/blog/gentle-hands',
  html: `<!doctype html><html data-wf-domain="www.bees.example" lang="en"><head><title>Gentle hands | Hedgerow Bees</title><meta property="og:title" content="Gentle hands"></head>
<body><div data-animation="default" class="navbar w-nav" role="banner"><div class="w-container"><nav role="navigation" class="nav-menu w-nav-menu"><a class="nav-link w-nav-link">Product</a><a class="nav-link w-nav-link">Pricing</a></nav></div></div>
<div class="section blog-hero"><div class="container-default w-container"><div class="badge-tag">Craft</div><h1 class="heading-h1">Gentle hands</h1><div class="post-meta"><div class="text-block-4">Ann Lee</div><div class="text-block-5">March 9, 2024</div></div></div></div>
<div class="section"><div class="container-small w-container"><div class="rich-text w-richtext">${para([e[0]!, e[1]!])}<figure class="w-richtext-align-center w-richtext-figure-type-image"><div><img src="/swarm.jpg" alt=""></div><figcaption>A swarm on the gutter</figcaption></figure>${para([e[2]!])}<h2>Leave them alone</h2>${para([e[6]!, e[7]!])}<ul role="list"><li>Weigh the boxes in the evening</li><li>Count the mites once a week</li></ul></div></div></div>
<div class="section cta"><div class="w-container"><h2>Start your free trial today</h2><p>No credit card required.</p><a class="button w-button">Get started</a></div></div>
<div class="section"><div class="w-container"><h2>More from the blog</h2><div class="w-dyn-list"><div role="list" class="w-dyn-items"><div role="listitem" class="w-dyn-item"><a href="/blog/wax" class="w-inline-block"><h3>Wax and wick</h3><p>How to choose a wick for a candle of any width.</p></a></div></div></div></div></div>
<div class="footer"><div class="w-container"><p>Copyright © Hedgerow Bees</p></div></div></body></html>`,
  must: [e[0]!, 'A swarm on the gutter', e[2]!, 'Leave them alone', e[7]!, 'Count the mites'],
  mustNot: ['Wax and wick', 'No credit card', 'Pricing', 'Copyright'],
  title: 'Gentle hands',
  date: '2024-03-09',
};

const drupal: SitePage = {
  name: 'Drupal (Olivero)',
  url: 'https://bees.example/node/42',
  html: `<!doctype html><html lang="en" dir="ltr"><head><title>Gentle hands | Hedgerow Bees</title><meta name="Generator" content="Drupal 10 (https://www.drupal.org)"></head>
<body class="page-node-type-article"><a href="#main-content" class="visually-hidden focusable skip-link">Skip to main content</a><div class="dialog-off-canvas-main-canvas"><div id="page-wrapper" class="page-wrapper"><header id="header" class="site-header"><div class="region region--primary-menu"><nav><ul class="menu primary-nav__menu"><li><a href="/">Home</a></li></ul></nav></div></header>
<div id="main-wrapper" class="layout-main-wrapper"><main role="main"><div class="region region--breadcrumb"><nav class="breadcrumb"><ol><li>Home</li></ol></nav></div><div class="main-content"><a id="main-content"></a><div class="main-content__container"><div class="region region--content-above"><div id="block-olivero-page-title" class="block block-core block-page-title-block"><h1 class="title page-title"><span class="field field--name-title field--type-string field--label-hidden">Gentle hands</span></h1></div></div>
<div class="region region--content"><div id="block-olivero-content" class="block block-system"><div class="block__content"><article data-history-node-id="42" class="node node--type-article node--promoted node--view-mode-full"><header><div class="node__meta"><span>By <span class="field field--name-uid"><a title="View user profile." href="/user/1">Ann Lee</a></span></span>, <span>10 September, 2020</span></div></header><div class="node__content"><div class="text-content clearfix field field--name-body field--type-text-with-summary field--label-hidden field__item">${para([e[0]!, e[1]!, e[2]!])}<h2>The second year</h2>${para([e[8]!, e[9]!])}</div>
<div class="field field--name-field-tags field--label-inline"><h3 class="field__label">Tags</h3><ul class="field__items"><li><a href="/tags/bees">beginnings</a></li></ul></div></div>
<section id="comments" class="comments field field--name-comment"><h2 class="comments__title">Comments</h2><article class="comment"><div class="comment__text-wrapper"><p class="comment__author">Bo</p><div class="comment__content"><p>I was stung eleven times on my first day and never again.</p></div></div></article><h2>Add new comment</h2><form class="comment-form"><label>Your name</label></form></section></article></div></div></div></div></div></main>
<aside class="region region--sidebar"><div class="block"><h2>Recent content</h2><ul><li><a href="/node/41">Wax and wick</a></li></ul></div></aside></div><footer class="site-footer"><span>Powered by Drupal</span></footer></div></div></body></html>`,
  must: [e[0]!, e[2]!, 'The second year', e[8]!, e[9]!],
  mustNot: ['Powered by', 'Wax and wick', 'Add new comment', 'Skip to main'],
  title: 'Gentle hands',
  author: 'Ann Lee',
  date: '2020-09-10',
};

const joomla: SitePage = {
  name: 'Joomla (Cassiopeia)',
  url: 'https://bees.example/index.php/blog/7-gentle-hands',
  html: `<!doctype html><html lang="en-gb"><head><title>Gentle hands</title><meta name="generator" content="Joomla! - Open Source Content Management"><meta name="author" content="Ann Lee"></head>
<body class="site com_content wrapper-static view-article"><header class="header container-header full-width"><div class="grid-child container-nav"><ul class="mod-menu mod-list nav"><li class="nav-item"><a href="/">Home</a></li></ul></div></header>
<div class="site-grid"><div class="grid-child container-component"><nav class="mod-breadcrumbs__wrapper"><ol class="mod-breadcrumbs breadcrumb"><li>You are here: Home</li></ol></nav><main><div class="com-content-article item-page" itemscope itemtype="https://schema.org/Article"><meta itemprop="inLanguage" content="en-GB"><div class="page-header"><h1 itemprop="headline">Gentle hands</h1></div>
<dl class="article-info text-muted"><dt class="article-info-term">Details</dt><dd class="createdby" itemprop="author" itemscope itemtype="https://schema.org/Person">Written by: <span itemprop="name">Ann Lee</span></dd><dd class="category-name">Category: <a href="/blog">Blog</a></dd><dd class="published"><time datetime="2019-02-03T12:00:00+00:00" itemprop="datePublished">Published: 03 February 2019</time></dd><dd class="hits">Hits: 1234</dd></dl>
<div itemprop="articleBody" class="com-content-article__body">${para([e[0]!, e[3]!, e[4]!, e[6]!])}<table><thead><tr><th>Hive</th><th>Weight</th></tr></thead><tbody><tr><td>North</td><td>31 kg</td></tr><tr><td>South</td><td>28 kg</td></tr></tbody></table>${para([e[11]!])}</div><nav class="pagenavigation"><span class="pagination"><a class="btn" href="/wax">Prev: Wax and wick</a></span></nav></div></main></div>
<div class="grid-child container-sidebar-right"><div class="sidebar-right card"><h3 class="card-header">Login Form</h3><form><label>Username</label><button>Log in</button></form></div></div></div><footer class="container-footer footer">Back to Top</footer></body></html>`,
  must: [e[0]!, e[6]!, 'North', '31 kg', e[11]!],
  mustNot: ['Login Form', 'Username', 'Hits: 1234', 'Wax and wick', 'You are here'],
  title: 'Gentle hands',
  author: 'Ann Lee',
  date: '2019-02-03',
};

const jekyll: SitePage = {
  name: 'Jekyll (Minima)',
  url: 'https://ann.example/bees/2018/07/08/gentle-hands.html',
  html: `<!doctype html><html lang="en"><head><title>Gentle hands | Ann’s notes</title><meta name="generator" content="Jekyll v4.2.0"><meta property="og:title" content="Gentle hands"><meta name="author" content="Ann Lee"><meta property="article:published_time" content="2018-07-08T00:00:00+02:00"></head>
<body><header class="site-header" role="banner"><div class="wrapper"><a class="site-title" rel="author" href="/">Ann’s notes</a><nav class="site-nav"><div class="trigger"><a class="page-link" href="/about/">About</a></div></nav></div></header>
<main class="page-content" aria-label="Content"><div class="wrapper"><article class="post h-entry" itemscope itemtype="http://schema.org/BlogPosting"><header class="post-header"><h1 class="post-title p-name" itemprop="name headline">Gentle hands</h1><p class="post-meta"><time class="dt-published" datetime="2018-07-08T00:00:00+02:00" itemprop="datePublished">Jul 8, 2018</time></p></header>
<div class="post-content e-content" itemprop="articleBody">${para([e[1]!, e[2]!])}<div class="language-python highlighter-rouge"><div class="highlight"><pre class="highlight"><code><span class="k">def</span> <span class="nf">weight</span><span class="p">(</span><span class="n">box</span><span class="p">):</span>
    <span class="k">return</span> <span class="n">box</span><span class="p">.</span><span class="n">kilos</span>
</code></pre></div></div>${para([e[8]!])}<p>Bees were early this year.<sup id="fnref:1" role="doc-noteref"><a href="#fn:1" class="footnote" rel="footnote">1</a></sup></p><div class="footnotes" role="doc-endnotes"><ol><li id="fn:1" role="doc-endnote"><p>By eleven days. <a href="#fnref:1" class="reversefootnote" role="doc-backlink">&#8617;</a></p></li></ol></div></div><a class="u-url" href="/x" hidden></a></article></div></main>
<footer class="site-footer h-card"><div class="wrapper"><ul class="contact-list"><li class="p-name">Ann Lee</li></ul><p>Notes about bees and code.</p></div></footer></body></html>`,
  must: [e[1]!, 'def weight(box):\n    return box.kilos', e[8]!, 'Bees were early this year', 'By eleven days'],
  mustNot: ['Notes about bees and code', 'About'],
  title: 'Gentle hands',
  author: 'Ann Lee',
  date: '2018-07-08',
};

const woo: SitePage = {
  name: 'WooCommerce product',
  url: 'https://shop.bees.example/product/oak-hive/',
  html: `<!doctype html><html lang="en"><head><title>Oak hive &#8211; The Bee Shop</title><meta property="og:site_name" content="The Bee Shop"><script type="application/ld+json">{"@context":"https://schema.org/","@graph":[{"@type":"BreadcrumbList","itemListElement":[]},{"@type":"Product","name":"Oak hive","description":"A hive.","sku":"OAK1","offers":[{"@type":"Offer","price":"1189.00","priceCurrency":"EUR"}]}]}</script></head>
<body class="product-template-default single-product woocommerce"><header id="masthead" class="site-header"><ul class="menu"><li><a href="/shop">Shop</a></li><li><a href="/cart">Cart</a></li></ul></header><div id="content" class="site-content"><nav class="woocommerce-breadcrumb"><a href="/">Home</a> / Hives / Oak hive</nav>
<main id="main" class="site-main"><div id="product-9" class="product type-product"><span class="onsale">Sale!</span><div class="woocommerce-product-gallery"><img src="/h.jpg" alt=""></div><div class="summary entry-summary"><h1 class="product_title entry-title">Oak hive</h1>
<p class="price"><del aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&euro;</span>1,289.00</bdi></span></del> <ins><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&euro;</span>1,189.00</bdi></span></ins></p>
<div class="woocommerce-product-details__short-description">${para(['A hive of oak from our own valley, with ten frames, wire and a roof of tin that keeps out the rain for thirty years.'])}</div><form class="cart"><div class="quantity"><label class="screen-reader-text">Oak hive quantity</label><input type="number" value="1"></div><button type="submit" class="single_add_to_cart_button button">Add to cart</button></form><div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">OAK1</span></span></div></div>
<div class="woocommerce-tabs wc-tabs-wrapper"><ul class="tabs wc-tabs"><li class="description_tab"><a href="#tab-description">Description</a></li><li class="reviews_tab"><a href="#tab-reviews">Reviews (0)</a></li></ul><div class="woocommerce-Tabs-panel entry-content wc-tab" id="tab-description"><h2>Description</h2>${para([e[9]!, e[11]!])}</div><div class="woocommerce-Tabs-panel wc-tab" id="tab-reviews"><h2>Reviews</h2><p class="woocommerce-noreviews">There are no reviews yet.</p></div></div>
<section class="related products"><h2>Related products</h2><ul class="products columns-4"><li class="product"><h2 class="woocommerce-loop-product__title">Veil of linen</h2><span class="price">&euro;19.00</span><a class="button add_to_cart_button">Add to cart</a></li></ul></section></div></main></div><footer class="site-footer">Built with WooCommerce</footer></body></html>`,
  must: ['1,189.00', 'A hive of oak', e[9]!, e[11]!],
  mustNot: ['Veil of linen', 'Built with', 'Add to cart'],
  title: 'Oak hive',
  site: 'The Bee Shop',
};

export const builders: SitePage[] = [elementor, wix, squarespace, webflow, drupal, joomla, jekyll, woo];
