import { essay as e, type SitePage } from './site-page.ts';

/* Categories of shops, pages of services, listings and home pages, as their makers write them. Tiles keep name and price; facets, carts and newsletters go. */
const hives = [
  'Oak hive',
  'Pine hive',
  'Larch hive',
  'Hive for beginners',
  'Observation hive',
  'Long hive',
  'Cedar hive with window',
  'Swarm box',
];
const prices = hives.map((_, at) => `1${at}9.00`);
const tiles = (tile: (name: string, price: string, at: number) => string): string =>
  hives.map((name, at) => tile(name, prices[at]!, at)).join('\n');
const tileTexts = hives.flatMap((name, at) => [name, prices[at]!]);
const intro =
  'Hives of solid wood, made in our own shop in the valley. Each comes with ten frames, wire and a roof of tin that keeps out the rain for thirty years.';
const head = (title: string, more = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${more}</head>`;
const services = [
  [
    'Swarm collection',
    'We come within two hours, take the swarm down and find it a hive. You pay nothing, and you may name the queen.',
  ],
  [
    'Care of hives',
    'Once a week we look after your hives from April to August, and write down what we saw in a book that stays with you.',
  ],
  ['Courses', 'On six evenings in spring you learn how a colony lives, what it needs, and when it is best left alone.'],
] as const;

const wooArchive: SitePage = {
  name: 'WooCommerce category',
  url: 'https://shop.bees.example/product-category/hives/',
  html: `${head('Hives Archives - The Bee Shop')}<body class="archive tax-product_cat woocommerce"><header id="masthead"><ul class="menu"><li>Contact us</li></ul><div class="site-header-cart"><span class="amount">€0.00</span> <span class="count">0 items</span></div></header><div id="content"><nav class="woocommerce-breadcrumb"><a href="/">Home</a> / Hives</nav><div id="primary"><main id="main"><header class="woocommerce-products-header"><h1 class="woocommerce-products-header__title page-title">Hives</h1><div class="term-description"><p>${intro}</p></div></header><div class="woocommerce-notices-wrapper"></div><p class="woocommerce-result-count">Showing all 8 results</p><form class="woocommerce-ordering"><select name="orderby"><option>Sort by popularity</option></select></form><ul class="products columns-3">
${tiles((name, price, at) => `<li class="product type-product post-${at} instock product_cat-hives"><a href="/product/${at}/" class="woocommerce-LoopProduct-link"><img alt=""><h2 class="woocommerce-loop-product__title">${name}</h2><span class="price"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">€</span>${price}</bdi></span></span></a><a href="?add-to-cart=${at}" class="button add_to_cart_button">Add to cart</a></li>`)}
</ul></main></div><div id="secondary" class="widget-area"><div class="widget woocommerce widget_layered_nav"><span class="widget-title">Filter by wood</span><ul><li><a>Oak</a> <span class="count">(4)</span></li></ul></div></div></div><footer>Newsletter</footer></body></html>`,
  must: ['Hives of solid wood', ...tileTexts],
  mustNot: ['Add to cart', 'Filter by wood', 'Contact us', 'Sort by popularity', 'Newsletter', '0 items'],
  title: 'Hives',
};
const opencart: SitePage = {
  name: 'OpenCart category',
  url: 'https://shop.bees.example/index.php?route=product/category&path=12',
  html: `${head('Hives')}<body><nav id="top"><ul><li>My Account</li></ul></nav><header><div id="cart">0 item(s) - €0.00</div></header><div id="product-category" class="container"><ul class="breadcrumb"><li>Home</li></ul><div class="row"><aside id="column-left"><div class="list-group"><a class="list-group-item active">Hives (8)</a><a class="list-group-item">Smokers (3)</a></div></aside><div id="content" class="col"><h2>Hives</h2><div class="row"><div class="col-sm-10"><p>${intro}</p></div></div><div id="display-control" class="row"><div class="form-group"><label>Sort By:</label><select><option>Default</option></select></div><div>Show: <select><option>20</option></select></div></div><div id="product-list" class="row row-cols-1">
${tiles((name, price, at) => `<div class="col mb-3"><div class="product-thumb"><div class="image"><a href="/p${at}"><img alt="${name}"></a></div><div class="content"><div class="description"><h4><a href="/p${at}">${name}</a></h4><p>A hive of good wood with ten frames, wire and a roof of tin..</p><div class="price"><span class="price-new">€${price}</span> <span class="price-tax">Ex Tax: €9${at}.00</span></div></div><form><div class="button-group"><button aria-label="Add to Cart"></button></div></form></div></div></div>`)}
</div><div class="row"><div class="col-sm-6 text-end">Showing 1 to 8 of 8 (1 Pages)</div></div></div></div></div><footer><p>Powered By OpenCart</p></footer></body></html>`,
  must: ['Hives of solid wood', ...tileTexts],
  mustNot: ['My Account', 'Powered By', 'Smokers (3)', '0 item(s)'],
};
const squareShop: SitePage = {
  name: 'Squarespace shop',
  url: 'https://bees.example/shop',
  html: `${head('Shop — The Bee Valley')}<body class="collection-type-products"><header id="header"><div class="header-nav">About</div></header><main id="page"><article class="sections"><section class="page-section collection-type-products"><div class="content-wrapper"><div class="products-flex-container"><nav class="nested-category-tree-wrapper"><ul><li>All</li><li>Veils</li></ul></nav><div class="products-list"><div class="list-grid">
${tiles((name, price, at) => `<div class="grid-item" data-product-id="${at}"><a class="grid-item-link product-lists-item" href="/shop/p/${at}"><div class="grid-image"><img alt="${name}"></div><section class="grid-main-meta"><div class="grid-title">${name}</div><div class="grid-prices"><div class="product-price">€${price}</div></div></section></a></div>`)}
</div></div></div></div></section></article></main><footer id="footer-sections"><section><p>Sign up to receive news and updates.</p></section></footer></body></html>`,
  must: tileTexts,
  mustNot: ['Sign up to receive'],
};
const divi: SitePage = {
  name: 'Divi services',
  url: 'https://bees.example/services/',
  html: `${head('Services | The Bee Valley')}<body class="et_divi_theme page"><header id="main-header"><ul id="top-menu"><li>Book now</li></ul></header><div id="et-main-area"><div id="main-content"><article class="page type-page"><div class="entry-content"><div class="et-l et-l--post"><div class="et_builder_inner_content"><div class="et_pb_section et_section_regular"><div class="et_pb_row"><div class="et_pb_column"><div class="et_pb_module et_pb_text"><div class="et_pb_text_inner"><h1>What we do</h1><p>${e[11]}</p></div></div></div></div><div class="et_pb_row">
${services.map(([title, text]) => `<div class="et_pb_column et_pb_column_1_3"><div class="et_pb_module et_pb_blurb"><div class="et_pb_blurb_content"><div class="et_pb_main_blurb_image"><span class="et-pb-icon"></span></div><div class="et_pb_blurb_container"><h4 class="et_pb_module_header"><span>${title}</span></h4><div class="et_pb_blurb_description"><p>${text}</p></div></div></div></div></div>`).join('\n')}
</div></div><div class="et_pb_section"><div class="et_pb_module et_pb_toggle et_pb_accordion_item et_pb_toggle_open"><h5 class="et_pb_toggle_title">Do bees sting in winter?</h5><div class="et_pb_toggle_content"><p>Hardly ever: below ten degrees they stay in their cluster and keep warm.</p></div></div></div></div></div></div></article></div><footer id="main-footer"><div id="footer-info">Designed by Elegant Themes</div></footer></div></body></html>`,
  must: [e[11]!, ...services.flat(), 'Do bees sting in winter?', 'Hardly ever'],
  mustNot: ['Elegant Themes', 'Book now'],
};
const wpbakery: SitePage = {
  name: 'WPBakery services',
  url: 'https://bees.example/our-services/',
  html: `${head('Our services - The Bee Valley')}<body class="page wpb-js-composer"><header class="site-header"><nav><ul><li>Book now</li></ul></nav></header><div class="site-content"><article class="page"><h1 class="entry-title">Our services</h1><div class="entry-content"><div class="wpb-content-wrapper"><div class="vc_row wpb_row vc_row-fluid"><div class="wpb_column vc_column_container vc_col-sm-12"><div class="vc_column-inner"><div class="wpb_wrapper"><div class="wpb_text_column wpb_content_element"><div class="wpb_wrapper"><p>[vc_row el_class="x"][vc_column]${e[11]}[/vc_column][/vc_row]</p></div></div></div></div></div></div><div class="vc_row wpb_row vc_row-fluid">
${services.map(([title, text]) => `<div class="wpb_column vc_column_container vc_col-sm-4"><div class="vc_column-inner"><div class="wpb_wrapper"><h3 class="vc_custom_heading">${title}</h3><div class="wpb_text_column wpb_content_element"><div class="wpb_wrapper"><p>${text}</p></div></div><div class="vc_btn3-container"><a class="vc_general vc_btn3">Read more</a></div></div></div></div>`).join('\n')}
</div></div></div></article></div><footer class="site-footer">© The Bee Valley</footer></body></html>`,
  must: [e[11]!, ...services.flat()],
  mustNot: ['[vc_', '[/vc_', 'Book now'],
  title: 'Our services',
};
const webflowLanding: SitePage = {
  name: 'Webflow landing page',
  url: 'https://bees.example/',
  html: `${head('The Bee Valley: hives, swarms and courses')}<body><div class="navbar w-nav"><nav class="w-nav-menu"><a class="w-nav-link">Pricing</a></nav></div><section class="hero"><div class="w-layout-blockcontainer container w-container"><h1 class="heading-hero">Bees for every garden</h1><p class="paragraph-large">${e[11]}</p><a class="button w-button">Get started</a></div></section><section class="features"><div class="w-layout-grid grid-3">
${services.map(([title, text]) => `<div class="feature-card"><img class="icon"><h3 class="heading-small">${title}</h3><p class="paragraph">${text}</p></div>`).join('\n')}
</div></section><section class="testimonials"><div class="w-slider"><div class="w-slider-mask"><div class="w-slide"><blockquote class="quote">They took the swarm from our chimney, and the children were allowed to watch from the window.</blockquote><div class="author">Ann Lee, Upper Mill</div></div></div></div></section><section class="pricing"><div class="price-card"><h4>Small</h4><div class="price">€29</div><div>a month for two hives</div></div><div class="price-card"><h4>Large</h4><div class="price">€59</div><div>a month for six hives</div></div></section><footer class="footer"><div>All rights reserved</div></footer></body></html>`,
  must: [e[11]!, ...services.flat()],
  mustNot: ['All rights reserved'],
};
const events: SitePage = {
  name: 'The Events Calendar list',
  url: 'https://bees.example/events/list/',
  html: `${head('Events from June 14 – September 3 – The Bee Valley')}<body class="post-type-archive-tribe_events"><header><nav>Shop</nav></header><main id="tribe-events"><div class="tribe-common tribe-events tribe-events-view tribe-events-view--list"><div class="tribe-common-l-container tribe-events-l-container"><header class="tribe-events-header"><div class="tribe-events-header__events-bar tribe-events-c-events-bar"><form><label>Enter Keyword. Search for Events by Keyword.</label><button>Find Events</button></form></div></header><div class="tribe-events-calendar-list">
${hives.map((name, at) => `<div class="tribe-common-g-row tribe-events-calendar-list__event-row"><div class="tribe-events-calendar-list__event-date-tag"><time class="tribe-events-calendar-list__event-date-tag-datetime" datetime="2024-06-${14 + at}"><span class="tribe-events-calendar-list__event-date-tag-weekday">Fri</span><span>${14 + at}</span></time></div><div class="tribe-events-calendar-list__event-wrapper"><article class="tribe-events-calendar-list__event"><div class="tribe-events-calendar-list__event-details"><header class="tribe-events-calendar-list__event-header"><div class="tribe-events-calendar-list__event-datetime-wrapper"><time datetime="2024-06-${14 + at}">June ${14 + at} @ 8:00 am - 5:00 pm</time></div><h4 class="tribe-events-calendar-list__event-title"><a href="/event/${at}/">Building a ${name.toLowerCase()}</a></h4><address class="tribe-events-calendar-list__event-venue"><span class="tribe-events-calendar-list__event-venue-title">The old barn</span> <span>${at} Mill Lane, Upper Mill</span></address></header><div class="tribe-events-calendar-list__event-description"><p>We build it together from planed boards. Bring gloves, and something to eat at noon.</p></div></div></article></div></div>`).join('\n')}
</div><nav class="tribe-events-calendar-list-nav"><ul><li>Previous Events</li><li>Next Events</li></ul></nav></div></div></main><footer>Newsletter</footer></body></html>`,
  must: hives.flatMap((name, at) => [`June ${14 + at} @`, `Building a ${name.toLowerCase()}`, `${at} Mill Lane`]),
  mustNot: ['Find Events', 'Newsletter'],
};
const jobs: SitePage = {
  name: 'list of jobs (Greenhouse)',
  url: 'https://boards.bees.example/valley',
  html: `${head('Jobs at The Bee Valley')}<body><main class="main"><div class="image-container"><img alt="Logo"></div><h1 class="page-header">Current openings at The Bee Valley</h1><div class="content"><p>${e[11]}</p></div><div class="filters"><label>Department</label><div class="select">Select...</div><label>Office</label></div>
${['Apiary', 'Shop']
  .map(
    (department, group) =>
      `<div class="job-posts--department"><h3 class="section-header">${department}</h3><div class="job-posts--table"><table><tbody>${hives
        .slice(group * 4, group * 4 + 4)
        .map(
          (name, at) =>
            `<tr class="job-post"><td class="cell"><a href="/jobs/${at}"><p class="body body--medium">Maker of the ${name.toLowerCase()}</p><p class="body body__secondary body--metadata">Upper Mill, room ${group * 4 + at}</p></a></td></tr>`,
        )
        .join('')}</tbody></table></div></div>`,
  )
  .join('\n')}
</main><footer class="footer"><p>Powered by</p><a>Privacy Policy</a></footer></body></html>`,
  must: [
    e[11]!,
    'Apiary',
    'Maker of the oak hive',
    'room 0',
    'Maker of the hive for beginners',
    'Shop',
    'Maker of the observation hive',
    'room 4',
    'Maker of the swarm box',
    'room 7',
  ],
  mustNot: ['Privacy Policy', 'Select...'],
};
const ghostHome: SitePage = {
  name: 'Ghost home page',
  url: 'https://notes.bees.example/',
  html: `${head('Notes of a beekeeper', '<meta property="og:type" content="website"><meta name="generator" content="Ghost 5.87">')}<body class="home-template"><div class="gh-viewport"><header id="gh-navigation"><ul class="nav"><li>About</li></ul><a class="gh-button">Subscribe</a></header><section class="gh-header"><h1>Notes of a beekeeper</h1><p>What eleven hives behind a barn have taught me, once a week.</p></section><main class="gh-main"><div class="gh-feed">
${hives.map((name, at) => `<article class="gh-card post"><a class="gh-card-link" href="/${at}/"><figure class="gh-card-image"><img alt=""></figure><div class="gh-card-wrapper"><h3 class="gh-card-title is-title">How I built the ${name.toLowerCase()}</h3><p class="gh-card-excerpt is-body">${e[at]!.slice(0, 120).trim()}</p><footer class="gh-card-meta"><span class="gh-card-author">By Ann Lee</span><time class="gh-card-date" datetime="2024-06-${14 + at}">${14 + at} Jun 2024</time></footer></div></a></article>`).join('\n')}
</div></main><footer class="gh-footer"><section class="gh-signup"><p>Sign up now to get access to the library of members-only issues.</p></section><div>Powered by Ghost</div></footer></div></body></html>`,
  must: hives.flatMap((name, at) => [`How I built the ${name.toLowerCase()}`, e[at]!.slice(0, 120).trim()]),
  mustNot: ['Powered by Ghost', 'members-only'],
};
const newsHome: SitePage = {
  name: 'home page of a paper',
  url: 'https://gazette.example/',
  html: `${head('The Gazette | News from the valley', '<meta property="og:type" content="website">')}<body class="front"><div class="skip"><a href="#main">Skip to content</a></div><header class="masthead"><nav class="nav-primary"><ul><li><a>Opinion</a></li><li><a>Sport</a></li></ul></nav></header><main id="main"><section class="container container--lead"><div class="fc-item fc-item--lead"><h2 class="fc-item__title"><a href="/a">Bees return to the city after eleven summers</a></h2><div class="fc-item__standfirst">${e[1]}</div></div>
${hives.map((name, at) => `<div class="fc-item"><div class="fc-item__media"><img alt=""></div><div class="fc-item__content"><h3 class="fc-item__title"><a href="/a${at}"><span class="fc-item__kicker">Valley</span> Prize for the ${name.toLowerCase()}</a></h3><div class="fc-item__standfirst">${e[at + 2]!.slice(0, 100).trim()}</div><time datetime="2024-06-14">${at + 1}h ago</time></div></div>`).join('\n')}</section><section class="most-viewed"><h2>Most viewed</h2><ol><li><a>Tram line opens early</a></li><li><a>Rain until Friday</a></li></ol></section></main><footer class="l-footer"><ul><li>Complaints and corrections</li></ul></footer></body></html>`,
  must: [
    'Bees return to the city',
    e[1]!,
    ...hives.flatMap((name, at) => [`Prize for the ${name.toLowerCase()}`, e[at + 2]!.slice(0, 100).trim()]),
  ],
  mustNot: ['Complaints and corrections', 'Skip to content'],
};

export const shelves: SitePage[] = [
  wooArchive,
  opencart,
  squareShop,
  divi,
  wpbakery,
  webflowLanding,
  events,
  jobs,
  ghostHome,
  newsHome,
];
