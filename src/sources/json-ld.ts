/** What JSON-LD says about the page's main thing; fields that it does not give are null. */
export interface JsonLdArticle {
  headline: string | null;
  /** Whether the main thing is an article or the like, not a product or just the page. */
  article: boolean;
  author: string | null;
  publishedAt: string | null;
  siteName: string | null;
  body: string | null;
  url: string | null;
  /** False when the page says that it has to be paid for. */
  free: boolean | null;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const articleTypes =
  /^(?:(?:news|blog|tech|scholarly|social ?media|report|review|analysis|opinion|advertiser|satirical|background|medical)?(?:article|posting|newsarticle)|blog|liveblogposting|reportage.*|review|recipe|howto|discussionforumposting|report|creativework|book|course|podcastepisode|videoobject)$/i;
const productTypes = /^(?:product|productgroup|softwareapplication|webapplication|service|event|jobposting)$/i;
const pageTypes = /^(?:webpage|itempage|aboutpage|collectionpage|faqpage|profilepage|techarticle|medicalwebpage)$/i;

export function readJsonLd(scripts: readonly string[]): JsonLdArticle | null {
  const objects = scripts.flatMap((script) => flatten(parse(script)));
  const byId = new Map(objects.flatMap((one) => (typeof one['@id'] === 'string' ? [[one['@id'], one] as const] : [])));
  const main =
    objects.find(
      (one) => isOf(one, articleTypes) && (one['headline'] ?? one['articleBody'] ?? one['name']) !== undefined,
    ) ??
    objects.find((one) => isOf(one, productTypes)) ??
    objects.find((one) => isOf(one, pageTypes));
  if (main === undefined) return null;
  const site = objects.find((one) => isOf(one, /^website$/i));
  const article = isOf(main, articleTypes);
  return {
    article,
    headline: text(main['headline']) ?? text(main['name']),
    author: people(main['author'] ?? main['creator'] ?? null, byId),
    publishedAt:
      text(main['datePublished']) ?? text(main['uploadDate']) ?? (article ? text(main['dateCreated']) : null),
    siteName: named(main['publisher'] ?? null, byId) ?? named(main['isPartOf'] ?? null, byId) ?? text(site?.['name']),
    body: text(main['articleBody']) ?? text(main['text']),
    url: text(main['url']) ?? idOf(main['mainEntityOfPage'] ?? null),
    free: freedom(main['isAccessibleForFree'] ?? null),
  };
}

function parse(script: string): Json {
  const bare = script.trim().replace(/^<!--|-->$|^\/\*<!\[?CDATA\[\*\/|\/\*\]\]>\*\/$|;$/g, '');
  // Hand-made JSON-LD often has raw line breaks inside strings.
  for (const candidate of [bare, bare.replaceAll(/\s+/g, ' ')]) {
    try {
      return JSON.parse(candidate) as Json;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return null;
}

const mostObjects = 2_000;

/** All objects, outer ones first. */
function flatten(root: Json): JsonObject[] {
  const found: JsonObject[] = [];
  const queue: Json[] = [root];
  for (let i = 0; i < queue.length && found.length < mostObjects; i += 1) {
    const value = queue[i] ?? null;
    if (Array.isArray(value)) for (const one of value) queue.push(one);
    else if (value !== null && typeof value === 'object') {
      found.push(value);
      for (const key of [
        '@graph',
        'mainEntity',
        'mainEntityOfPage',
        'itemReviewed',
        'author',
        'publisher',
        'isPartOf',
      ]) {
        if (typeof value[key] === 'object') queue.push(value[key]);
      }
    }
  }
  return found;
}

function isOf(object: JsonObject, types: RegExp): boolean {
  const type = object['@type'] ?? null;
  return (Array.isArray(type) ? type : [type]).some(
    (one) => typeof one === 'string' && types.test(one.replace(/^https?:\/\/schema\.org\//, '')),
  );
}

function text(value: Json | undefined): string | null {
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one === 'object' && one !== null && !Array.isArray(one)) return text(one['@value'] ?? null);
  if (typeof one !== 'string') return null;
  const trimmed = one.trim();
  return trimmed === '' ? null : trimmed;
}

function idOf(value: Json): string | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? text(value['@id']) : text(value);
}

function named(value: Json, byId: ReadonlyMap<string, JsonObject>): string | null {
  const one = Array.isArray(value) ? (value[0] ?? null) : value;
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return text(one);
  const id = text(one['@id']);
  return text(one['name']) ?? (id === null ? null : text(byId.get(id)?.['name']));
}

function people(value: Json, byId: ReadonlyMap<string, JsonObject>): string | null {
  const names = (Array.isArray(value) ? value : [value]).flatMap((one) => named(one, byId) ?? []);
  const all = [...new Set(names)].slice(0, 8).join(', ');
  return all === '' ? null : all;
}

function freedom(value: Json): boolean | null {
  if (typeof value === 'boolean') return value;
  const said = text(value)?.toLowerCase();
  return said === undefined ? null : !['false', 'no', '0'].includes(said);
}
