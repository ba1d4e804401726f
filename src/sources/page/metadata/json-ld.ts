import { parseJson, type Json } from '../../../domain/json/bounded-json.ts';

/** JSON-LD data about the page's main item. Missing fields are null. */
export type JsonLdArticle = NonNullable<ReturnType<typeof readJsonLd>>;

export type JsonObject = { [key: string]: Json };

const articleTypes =
  /^(?:(?:news|blog|tech|scholarly|social ?media|report|review|analysis|opinion|advertiser|satirical|background|medical)?(?:article|posting|newsarticle)|liveblogposting|reportage.*|recipe|howto|discussionforumposting|report|podcastepisode|videoobject)$/i;
/** Types that may be the page's main item, or only something next to it. */
const looseTypes = /^(?:review|creativework|book|course|blog)$/i;
const productTypes = /^(?:product|productgroup|softwareapplication|webapplication|service|event|jobposting)$/i;
const pageTypes = /^(?:webpage|itempage|aboutpage|collectionpage|faqpage|profilepage|techarticle|medicalwebpage)$/i;

/** @param url address of the page, to tell data about this page from data about others */
export function readJsonLd(scripts: readonly string[], url = '') {
  const listed = new Set<JsonObject>();
  const objects = scripts.flatMap((script) => flatten(parse(script), listed));
  // An author may be only the id of an object that has the name.
  const byId = new Map(
    objects.flatMap((one) =>
      typeof one['@id'] === 'string' && one['name'] !== undefined ? [[one['@id'], one] as const] : [],
    ),
  );
  const own = objects.filter((one) => !listed.has(one));
  const titled = (one: JsonObject): boolean => (one['headline'] ?? one['articleBody'] ?? one['name']) !== undefined;
  const isText = (one: JsonObject): boolean => isOf(one, articleTypes) && titled(one);
  const reviews = own.filter((one) => isOf(one, /^review$/i)).length;
  const main =
    objects.find((one) => isText(one) && isAbout(one, url)) ??
    own.find(isText) ??
    // Several reviews belong to a product, so none of them is the main item.
    own.find((one) => isOf(one, looseTypes) && titled(one) && (reviews < 2 || !isOf(one, /^review$/i))) ??
    own.find((one) => isOf(one, productTypes)) ??
    own.find((one) => isOf(one, pageTypes));
  if (main === undefined) return null;
  const site = objects.find((one) => isOf(one, /^website$/i));
  const article = isOf(main, articleTypes) || isOf(main, looseTypes);
  return {
    /** Whether the main item is an article or similar, not a product or only a web page. */
    article,
    headline: textOf(main['headline']) ?? textOf(main['name']),
    author: people(main['author'] ?? main['creator'] ?? null, byId),
    publishedAt:
      textOf(main['datePublished']) ?? textOf(main['uploadDate']) ?? (article ? textOf(main['dateCreated']) : null),
    siteName: named(main['publisher'] ?? null, byId) ?? named(main['isPartOf'] ?? null, byId) ?? textOf(site?.['name']),
    body: textOf(main['articleBody']) ?? textOf(main['text']),
    url: textOf(main['url']) ?? idOf(main['mainEntityOfPage'] ?? null),
    /** False if the page says that it must be paid for. */
    free: freedom(main['isAccessibleForFree'] ?? null),
  };
}

function parse(script: string): Json {
  const bare = script.trim().replace(/^<!--|-->$|^\/\*<!\[?CDATA\[\*\/|\/\*\]\]>\*\/$|;$/g, '');
  // Hand-made JSON-LD often has raw line breaks inside strings.
  return (parseJson(bare) ?? parseJson(bare.replaceAll(/\s+/g, ' '))) as Json;
}

/** All objects of JSON-LD, outer ones first, with those under these keys. */
export function jsonLdObjects(scripts: readonly string[], inner: readonly string[] = innerKeys): JsonObject[] {
  return scripts.flatMap((script) => flatten(parse(script), new Set(), inner));
}

const maxObjects = 2_000;
const innerKeys = ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemReviewed', 'author', 'publisher', 'isPartOf'];
const listKeys = ['blogPost', 'blogPosts', 'hasPart'];

/**
 * All objects, outer ones first.
 * @param listed is filled with the objects inside lists such as `blogPosts`
 */
function flatten(root: Json, listed: Set<JsonObject>, inner: readonly string[] = innerKeys): JsonObject[] {
  const found: JsonObject[] = [];
  const queue: { value: Json; isListed: boolean }[] = [{ value: root, isListed: false }];
  for (let i = 0; i < queue.length && found.length < maxObjects; i += 1) {
    const { value, isListed } = queue[i] ?? { value: null, isListed: false };
    if (Array.isArray(value)) for (const one of value) queue.push({ value: one, isListed });
    else if (value !== null && typeof value === 'object') {
      found.push(value);
      if (isListed) listed.add(value);
      for (const key of inner) if (typeof value[key] === 'object') queue.push({ value: value[key], isListed });
      for (const key of listKeys) if (typeof value[key] === 'object') queue.push({ value: value[key], isListed: true });
    }
  }
  return found;
}

/** Whether an object's address is this page's. */
function isAbout(object: JsonObject, url: string): boolean {
  const page = URL.parse(url);
  if (page === null || page.pathname === '/') return false;
  return [object['url'], object['@id'], object['mainEntityOfPage']].some((value) => {
    const claim = idOf(value ?? null);
    const other = claim === null ? null : URL.parse(claim, url);
    return other?.hostname === page.hostname && bare(other.pathname) === bare(page.pathname);
  });
}

function bare(path: string): string {
  // Without the lookbehind, a long run of slashes would take quadratic time: each slash would be tried as the start.
  return path.replace(/(?<!\/)\/+$/, '');
}

export function isOf(object: JsonObject, types: RegExp): boolean {
  const type = object['@type'] ?? null;
  return (Array.isArray(type) ? type : [type]).some(
    (one) => typeof one === 'string' && types.test(one.replace(/^https?:\/\/schema\.org\//, '')),
  );
}

export function textOf(value: Json | undefined): string | null {
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one === 'object' && one !== null && !Array.isArray(one)) return textOf(one['@value'] ?? null);
  if (typeof one !== 'string') return null;
  const trimmed = one.trim();
  return trimmed === '' ? null : trimmed;
}

function idOf(value: Json): string | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? textOf(value['@id']) : textOf(value);
}

function named(value: Json, byId: ReadonlyMap<string, JsonObject>): string | null {
  const one = Array.isArray(value) ? (value[0] ?? null) : value;
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return textOf(one);
  const id = textOf(one['@id']);
  return textOf(one['name']) ?? (id === null ? null : textOf(byId.get(id)?.['name']));
}

function people(value: Json, byId: ReadonlyMap<string, JsonObject>): string | null {
  const names = (Array.isArray(value) ? value : [value]).flatMap((one) => named(one, byId) ?? []);
  const all = [...new Set(names)].slice(0, 8).join(', ');
  return all === '' ? null : all;
}

function freedom(value: Json): boolean | null {
  if (typeof value === 'boolean') return value;
  const said = textOf(value)?.toLowerCase();
  return said === undefined ? null : !['false', 'no', '0'].includes(said);
}

/** A recipe has fewer ingredients and steps. */
const maxSteps = 500;

export function readSteps(scripts: readonly string[]): string[] {
  const steps: string[] = [];
  for (const object of jsonLdObjects(scripts.filter((script) => /"(?:Recipe|HowTo)"/.test(script)))) {
    for (const key of ['recipeIngredient', 'recipeInstructions', 'step']) collect(object[key] ?? null, steps);
  }
  return steps;
}

function collect(value: Json, steps: string[]): void {
  const queue: Json[] = [value];
  for (let one = queue.pop(); one !== undefined && steps.length < maxSteps; one = queue.pop()) {
    if (typeof one === 'string') steps.push(...one.split('\n'));
    else if (Array.isArray(one)) queue.push(...one.slice(0, maxSteps));
    else if (one !== null && typeof one === 'object') queue.push(one['text'] ?? null, one['itemListElement'] ?? null);
  }
}
