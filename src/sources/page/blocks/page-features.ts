import type { PageFacts } from '../html/html-scan.ts';
import type { TextBlock } from './page-blocks.ts';
import { unmarked, type Box } from './block-elements.ts';
import { markingKinds } from '../class-hints.ts';

const commentsKind = markingKinds.indexOf('comments');
const tags = ['p', 'li', 'td', 'th', 'dt', 'dd', 'pre', 'blockquote', 'figcaption', 'div', 'button', 'section'];

const phrases: readonly RegExp[] = [
  /©|all rights reserved|copyright|privacy policy|terms (?:of|and|&)|cookie/i,
  /\bshare\b|follow us|facebook|twitter|instagram|linkedin|whatsapp|pinterest|\bemail\b|copy link|\bprint\b/i,
  /subscribe|newsletter|sign ?up|log ?in|sign ?in|register|download (?:the|our) app|free trial|get started|join (?:now|us|the)/i,
  /read (?:more|next|also|the full)|related|you (?:may|might) (?:also )?like|recommended|more (?:from|stories|articles|posts|in)|see (?:all|more)|view (?:all|more)|learn more|show more|load more|popular|trending|latest|most read|previous|next (?:post|article)/i,
  /comments?\b|repl(?:y|ies)\b|leave a|post a|\bsaid:?$|says:?$|upvote|reactions?|posts?: \d|member since|joined|likes?\b/i,
  /add to (?:cart|basket|bag|wish)|\bcart\b|in stock|out of stock|shipping|\bprice|[$€£]\s?\d|quantity|buy now|wishlist|sale\b/i,
  /\bby\b .{2,40}$|written by|posted (?:by|on|in)|updated|published|min(?:ute)?s? read|tags?:|categor(?:y|ies)|author/i,
  /skip to|menu\b|search|home\b|toggle|close|back to|navigation|advertisement|sponsored|sort by|filter|language/i,
  /(?:^|\D)(?:19|20)\d\d(?:\D|$)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d|\d (?:minutes?|hours?|days?|weeks?|months?|years?) ago|\d\d?:\d\d/i,
  /[.!?。！？…:]["'”’)]*$/,
  /\?["'”’)]*$/,
  /^\W*\d/,
  /^[a-z]/,
];

function pageFeatures(blocks: readonly TextBlock[], root: Box, facts: PageFacts, path: string): number[] {
  const paragraphs = blocks.filter(({ box, words }) => box.tag === 'p' && words > 10).length;
  const longOnes = blocks.filter(({ words }) => words > 30).length;
  const type = facts.metas.get('og:type')?.[0]?.toLowerCase() ?? '';
  const data = facts.jsonLd.join(' ').slice(0, 100_000);
  const parts = path.split('/').filter((part) => part !== '');
  return [
    Math.log1p(root.words),
    share(root.linkChars, root.chars),
    Math.log1p(blocks.length),
    Math.log1p(paragraphs),
    Math.log1p(longOnes),
    share(root.proseWords, root.words),
    type === 'article' ? 1 : type === 'website' ? 2 : type.includes('product') ? 3 : type === '' ? 0 : 4,
    /"(?:News|Blog|Tech)?(?:Article|Posting)"/i.test(data) ? 1 : 0,
    /"Product"/.test(data) ? 1 : 0,
    /"(?:DiscussionForumPosting|QAPage|FAQPage)"/.test(data) ? 1 : 0,
    /"(?:ItemList|CollectionPage|OfferCatalog)"/.test(data) ? 1 : 0,
    parts.length,
    Math.log1p(parts.at(-1)?.length ?? 0),
    (parts.at(-1)?.match(/-/g) ?? []).length,
    facts.headings.length,
    facts.times.length,
    facts.bylines.length,
  ];
}

/** One feature row per block, by which the model separates content from its surroundings. */
export function blockFeatures(blocks: readonly TextBlock[], facts: PageFacts, url: string): Float32Array[] {
  const [first] = blocks;
  if (first === undefined) return [];
  let root = first.box;
  while (root.parent !== null) root = root.parent;
  const page = pageFeatures(blocks, root, facts, URL.parse(url)?.pathname ?? '');

  const shapes = new Map<string, { blocks: number; words: number; linkChars: number; chars: number }>();
  const texts = new Map<string, number>();
  const shapeOf = blocks.map((block) => {
    const { box } = block;
    const key = `${box.shape}<${box.parent?.shape ?? ''}<${box.parent?.parent?.shape ?? ''}`;
    const known = shapes.get(key) ?? { blocks: 0, words: 0, linkChars: 0, chars: 0 };
    known.blocks += 1;
    known.words += block.words;
    known.linkChars += block.linkChars;
    known.chars += block.chars;
    shapes.set(key, known);
    texts.set(block.text, (texts.get(block.text) ?? 0) + 1);
    return known;
  });
  const mainBox = richestBox(blocks);
  const mainAbove = new Map<Box, number>();
  for (let box: Box | null = mainBox, up = 0; box !== null; box = box.parent, up += 1) mainAbove.set(box, up);
  const heading = blocks.findIndex(({ box }) => box.tag === 'h1' || box.parent?.tag === 'h1');
  const title = (facts.headings[0] ?? facts.title ?? '').toLowerCase();
  const description = (
    facts.metas.get('description')?.[0] ??
    facts.metas.get('og:description')?.[0] ??
    ''
  ).toLowerCase();
  const wordsBefore: number[] = [];
  const proseBefore: number[] = [0];
  let sum = 0;
  for (const block of blocks) {
    wordsBefore.push(sum);
    sum += block.words;
    proseBefore.push((proseBefore.at(-1) ?? 0) + (isProse(block) ? block.words : 0));
  }
  const since = sectionStarts(blocks);
  const commentWords = blocks.reduce(
    (all, { box, words }) => all + ((box.marked[commentsKind] ?? unmarked) < unmarked ? words : 0),
    0,
  );
  const outside = blocks.reduce(
    (all, block) => all + (isProse(block) && (block.box.marked[commentsKind] ?? 0) === unmarked ? block.words : 0),
    0,
  );
  const prose = (from: number, to: number): number =>
    (proseBefore[Math.min(blocks.length, Math.max(0, to))] ?? 0) -
    (proseBefore[Math.max(0, Math.min(blocks.length, from))] ?? 0);

  return blocks.map((block, i) => {
    const { box, text, words, chars } = block;
    const row: number[] = [];
    row.push(
      Math.log1p(words),
      chars / Math.max(1, words),
      share(block.linkChars, chars),
      block.links,
      (text.match(/[,;:.!?。，、]/g)?.length ?? 0) / Math.max(1, words),
      (text.match(/\p{Lu}/gu)?.length ?? 0) / Math.max(1, words),
      (text.match(/\d/g)?.length ?? 0) / Math.max(1, chars),
      block.inStrong ? 1 : 0,
      block.inButton ? 1 : 0,
      block.images,
    );
    const sample = text.slice(0, 400);
    const short = words < 40;
    for (const phrase of phrases)
      row.push((short || phrase.source.startsWith('[.!') ? phrase.test(sample) : false) ? 1 : 0);
    row.push(headingLevel(box), tags.indexOf(box.tag), tags.indexOf(box.parent?.tag ?? ''));
    for (const kind of box.marked) row.push(kind);
    row.push(
      insideOf(box, 'ul', 'ol'),
      insideOf(box, 'table'),
      insideOf(box, 'section'),
      insideOf(box, 'main'),
      insideOf(box, 'article'),
    );
    row.push(i / blocks.length, share(wordsBefore[i] ?? 0, root.words), Math.log1p(wordsBefore[i] ?? 0), box.depth);
    row.push(Math.log1p(blocks.length - i), heading === -1 ? -99 : Math.min(60, Math.max(-60, i - heading)));
    let up: Box | null = box;
    for (let level = 0; level < 6; level += 1) {
      up = up?.parent ?? null;
      const at: Box = up ?? root;
      if (level === 0 || level === 1 || level === 2 || level === 3 || level === 5) {
        row.push(
          Math.log1p(at.words),
          share(at.linkChars, at.chars),
          share(at.proseWords, at.words),
          share(at.words, root.words),
        );
        row.push(Math.log1p(at.words / Math.max(1, at.blocks)), share(i - at.first, at.blocks));
      }
    }
    let common: Box = box;
    let steps = 0;
    while (!mainAbove.has(common) && common.parent !== null) {
      common = common.parent;
      steps += 1;
    }
    row.push(mainAbove.get(common) ?? 0, steps, share(common.words, root.words), share(mainBox.words, root.words));
    row.push(share(i - mainBox.first, mainBox.blocks));
    for (const offset of [-2, -1, 1, 2]) {
      const other = blocks[i + offset];
      row.push(
        other === undefined ? -1 : Math.log1p(other.words),
        other === undefined ? -1 : share(other.linkChars, other.chars),
      );
      row.push(other === undefined ? -1 : headingLevel(other.box));
    }
    row.push(
      Math.log1p(prose(i - 5, i)),
      Math.log1p(prose(i + 1, i + 6)),
      Math.log1p(prose(i - 15, i)),
      Math.log1p(prose(i + 1, i + 16)),
    );
    row.push(share(prose(0, i), prose(0, blocks.length)));
    const alike = shapeOf[i] ?? { blocks: 1, words, linkChars: 0, chars: 1 };
    row.push(
      Math.log1p(alike.blocks),
      Math.log1p(alike.words),
      alike.words / alike.blocks,
      share(alike.linkChars, alike.chars),
    );
    row.push(share(alike.words, root.words));
    const lower = text.toLowerCase();
    row.push(
      Math.min(5, texts.get(text) ?? 1),
      lower === title ? 2 : title.length > 10 && (title.includes(lower) || lower.includes(title)) ? 1 : 0,
    );
    row.push(
      lower.length > 20 &&
        description.length > 20 &&
        (description.startsWith(lower.slice(0, 60)) || lower.startsWith(description.slice(0, 60)))
        ? 1
        : 0,
    );
    for (const starts of since) row.push(starts[i] ?? 999);
    const inComments = (box.marked[commentsKind] ?? unmarked) < unmarked;
    row.push(share(commentWords, root.words), Math.log1p(outside), inComments ? Math.log1p(outside) : -1);
    row.push(Math.min(since[0]?.[i] ?? 999, inComments ? 0 : 999) < 999 ? share(outside, root.proseWords) : -1);
    row.push(bestUnder(box, root));
    row.push(...page);
    return Float32Array.from(row);
  });
}

const starters: readonly RegExp[] = [
  /^\W*(?:\d+ )?(?:comments?|repl(?:y|ies)|responses?|discussion|reactions?|thoughts on|leave a (?:reply|comment)|post a comment|join the (?:discussion|conversation)|reviews?|customer reviews)\b/i,
  /^\W*(?:related|recommended|you (?:may|might)|more (?:from|stories|articles|posts|in|on|news|like)|read (?:more|next|also)|also (?:read|like)|up next|what to read|similar|popular|trending|latest|recent|most (?:read|popular)|further reading|see also|keep reading|explore|customers also|frequently bought|featured)\b/i,
  /^\W*(?:subscribe|newsletter|sign ?up|stay|get (?:the|our|updates)|join|follow|share|about the author|written by|about us|contact|categories|tags|archives)\b/i,
  /^\W*(?:references|footnotes|sources|notes|citations|bibliography)\b/i,
];

/** For each kind of starter: the number of blocks since it last occurred, at most 999. */
function sectionStarts(blocks: readonly TextBlock[]): number[][] {
  return starters.map((pattern) => {
    let last = Number.NEGATIVE_INFINITY;
    return blocks.map(({ text, words }, i) => {
      if (words <= 8 && pattern.test(text)) last = i;
      return Math.min(999, i - last);
    });
  });
}

/** Share of prose in the innermost box around a block that has 150 words or more; -1 if that is the whole page. */
function bestUnder(box: Box, root: Box): number {
  let at = box;
  while (at.words < 150 && at.parent !== null) at = at.parent;
  return at === root ? -1 : share(at.proseWords, at.words);
}

/**
 * The box with the most prose close below it. A block adds its words (at most 100) to its parent box and half as much
 * to each further box, four boxes in all. Boxes with many links get less.
 */
function richestBox(blocks: readonly TextBlock[]): Box {
  const scores = new Map<Box, number>();
  for (const { box, words, linkChars, chars } of blocks) {
    if (words < 8 || linkChars * 2 > chars) continue;
    let value = Math.min(words, 100);
    for (let at: Box | null = box.parent ?? box, level = 0; at !== null && level < 4; at = at.parent, level += 1) {
      scores.set(at, (scores.get(at) ?? 0) + value * (1 - share(at.linkChars, at.chars)));
      value /= 2;
    }
  }
  let best = blocks[0]?.box as Box;
  let bestScore = 0;
  for (const [box, score] of scores) {
    if (score > bestScore) [best, bestScore] = [box, score];
  }
  return best;
}

/** Whether a block is text of some length and not a list of links. */
export function isProse(block: TextBlock | undefined, minWords = 9): boolean {
  return block !== undefined && block.linkChars * 3 < block.chars && block.words >= minWords;
}

/** Whether a short text begins comments, links to other pages or an invitation to subscribe. */
export function startsOther({ text, words }: TextBlock): boolean {
  return words <= 8 && starters.slice(0, 3).some((pattern) => pattern.test(text));
}

function headingLevel(box: Box): number {
  const level = /^h([1-6])$/.exec(box.tag)?.[1] ?? /^h([1-6])$/.exec(box.parent?.tag ?? '')?.[1];
  return level === undefined ? 0 : Number(level);
}

function insideOf(box: Box, ...names: string[]): number {
  let steps = 0;
  for (let at: Box | null = box; at !== null; at = at.parent, steps += 1)
    if (names.includes(at.tag)) return Math.min(steps, unmarked);
  return unmarked;
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : part / whole;
}
