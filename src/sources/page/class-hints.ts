import type { DomNode } from './html/dom-node.ts';

/** Hints in an element's tag, role, class and id. The order is that of the model's features. */
const markings: readonly [name: string, pattern: RegExp][] = [
  [
    'navigation',
    /\bnav|menu|breadcrumb|\btoc\b|table-of-contents|crumb|skip-?link|\btabs?\b|dropdown|offcanvas|drawer/,
  ],
  ['footer', /footer|copyright|colophon|contentinfo|\blegal\b|disclaimer/],
  ['header', /header|masthead|banner|topbar|top-bar|\bhero\b|\blogo\b|jumbotron/],
  ['aside', /sidebar|side-bar|\baside\b|complementary|\brail\b|widget|\bright-?col|\bside\b/],
  [
    'related',
    /related|recommend|more-|popular|trending|\bnext\b|\bprev|also-?like|read-?more|latest|similar|you-may|suggest|up-?sell|cross-?sell|outbrain|taboola/,
  ],
  ['comments', /comment|repl(?:y|ies)|disqus|respond|discussion/],
  ['share', /\bshare|sharing|social|follow|\blikes?\b|\bvotes?\b|\btweet|facebook|action|toolbar|\btools?\b/],
  ['advertising', /\bads?\b|advert|sponsor|promo|\bcta\b|call-to-action|affiliate|campaign|offer/],
  ['consent', /cookie|consent|gdpr|modal|pop-?up|overlay|dialog|lightbox|notice|alert|toast|privacy/],
  ['newsletter', /newsletter|subscri|sign-?up|mailing|opt-?in|\bform\b|\blog-?in|register|search|input|contact/],
  [
    'meta',
    /\bauthor|\bbio\b|byline|\bmeta|\btags?\b|categor|\bdate\b|\btime\b|posted|published|\binfo\b|eyebrow|kicker|label|badge/,
  ],
  [
    'hidden',
    /\bhidden\b|\bhide\b|sr-only|screen-reader|visually-hidden|invisible|\bclosed\b|collapse(?!d-border)|d-none|noprint|no-print/,
  ],
  ['article', /article|\bpost\b|\bentry\b|story|\bblog/],
  ['body', /content|\bbody\b|\bmain\b|\btext\b|prose|markdown|rich-?text|wysiwyg|copy\b|\bpage\b/],
  ['product', /product|description|\bspec|feature|detail|price|\bsku\b|variant|\bcart\b|\bbuy/],
  ['review', /review|rating|testimonial|stars?\b|feedback|quote/],
  [
    'card',
    /\bcards?\b|\bgrid|\bitems?\b|\btiles?\b|\blist|teaser|carousel|slide|gallery|thumb|\bloop\b|\bcol\b|column/,
  ],
  ['questions', /\bfaqs?\b|accordion|question|answer|toggle|expand/],
  ['thread', /thread|message|topic|forum|\bposts?-?(?:body|content|text|message)|userpost|bbcode|p-body/],
  ['pages', /pagination|\bpager?\b|paging|load-?more/],
  ['caption', /caption|credit|figcaption|image|img|photo|figure|media/],
  ['section', /section|\brow\b|container|wrapper|block|module|elementor|wp-block|\bpanel\b/],
];
export const markingKinds: readonly string[] = markings.map(([name]) => name);

const byTag: ReadonlyMap<string, number> = new Map(
  Object.entries({
    nav: 'navigation',
    footer: 'footer',
    header: 'header',
    aside: 'aside',
    form: 'newsletter',
    dialog: 'consent',
    article: 'article',
    main: 'body',
    figure: 'caption',
    figcaption: 'caption',
  }).map(([tag, kind]) => [tag, 1 << markingKinds.indexOf(kind)] as const),
);

export type KnownMarkings = Map<string, number>;
const maxKnown = 20_000;

/** The class hints of one element as a bit mask, in the order of `markingKinds`. */
export function kindsOf(tag: string, element: DomNode, known: KnownMarkings): number {
  const marking = [
    element.getAttribute('class'),
    element.getAttribute('id'),
    element.getAttribute('role'),
    element.getAttribute('itemprop'),
    element.getAttribute('data-testid'),
  ]
    .filter((one) => one !== null && one !== '')
    .join(' ');
  let kinds = byTag.get(tag) ?? 0;
  if (marking !== '') kinds |= kindsNamed(marking.slice(0, 300), known);
  if (
    element.getAttribute('hidden') !== null ||
    element.getAttribute('aria-hidden') === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute('style') ?? '')
  ) {
    kinds |= hiddenBit;
  }
  return kinds;
}

const hiddenBit = 1 << markingKinds.indexOf('hidden');

function kindsNamed(marking: string, known: KnownMarkings): number {
  const before = known.get(marking);
  if (before !== undefined) return before;
  const spelled = marking
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  let kinds = 0;
  for (const [i, [, pattern]] of markings.entries()) if (pattern.test(spelled)) kinds |= 1 << i;
  if (known.size >= maxKnown) known.clear();
  known.set(marking, kinds);
  return kinds;
}
