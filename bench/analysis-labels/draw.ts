/**
 * Draws what is labelled for the analysis without a model: `node bench/analysis-labels/draw.ts <corpora> <folder to write to>`.
 * By a fixed seed, so that who has the corpora gets the same sentences, pages and pairs again. The texts go to the folder
 * alone; `sentences.jsonl`, `pages.jsonl` and `pairs.jsonl` beside this program name them by page and hash.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../src/workers/log.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';
import { candidates, context, type Drawn } from './candidates.ts';
import { readPages } from './corpus.ts';
import { byChance, hash16, readLines, splitOf, type LabelledGoal, type OwnAction } from './material.ts';

const [corpora, folder] = process.argv.slice(2);
if (corpora === undefined || folder === undefined) throw new Error('usage: draw.ts <corpora> <folder to write to>');
mkdirSync(join(folder, 'pages'), { recursive: true });

/** Titles of pages that are likely to advise; which subjects an everyday goal may have. */
const advising =
  /\b(?:how to|tips?|guide|steps?|ways|checklist|plan|plans|schedule|beginner|myths?|training|what to|need|essentials|practical|recipe|keep|start(?:ed)?|budget|negotiat\w+|meditation|transition\w*|saving|taxes|insurance|prevent|maintenance)\b/i;
const everyday =
  /\b(?:health\w*|diet|nutrition\w*|food|meals?|vegan|plant-based|weight|meditation|yoga|workout|marathon|running|mental|teeth|oral|financ\w*|tax\w*|funds?|retire\w*|insurance|debt|salary|home|houses?|plumbing|garden\w*|clean\w*|cook\w*|waste|wedding|puppy|relationship|friends?|family|language|lessons|activity|car|tiny|invest\w*|phone|smartphone|essays?|ergonomic\w*|workstation|desk|wine|coffee|budget|gym)\b/i;
const pages = await readPages(corpora);

function take<Of>(what: string, count: number, from: readonly Of[]): Of[] {
  if (from.length < count) console.warn(`${what}: only ${from.length} of ${count}`);
  return from.slice(0, count);
}

const write = (file: string, rows: readonly object[]): void =>
  writeFileSync(new URL(file, import.meta.url), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const batch = (name: string, size: number, rows: readonly string[]): void => {
  for (let at = 0; at < rows.length; at += size)
    writeFileSync(join(folder, `${name}-${at / size + 1}.md`), rows.slice(at, at + size).join('\n'));
};
// 400 sentences of 100 pages: of pages that advise three that tell what to do and one other, of others one and three.
const shuffled = byChance(pages, ({ id }) => id);
const drawn: Drawn[] = [];
const perKind = { advises: 50, other: 50 };
for (const page of shuffled) {
  const advises = page.kind === 'own' || (page.kind !== 'paper' && advising.test(page.title));
  const sort = advises ? 'advises' : 'other';
  const all = candidates(page);
  const looksTold = (one: Drawn): boolean => one.tells || one.isListed;
  const tells = all.filter(looksTold).slice(0, advises ? 3 : 1);
  const others = all.filter((one) => !looksTold(one)).slice(0, 4 - tells.length);
  if (perKind[sort] === 0 || tells.length + others.length < 4) continue;
  perKind[sort] -= 1;
  drawn.push(...tells, ...others);
}
write(
  'sentences.jsonl',
  drawn.map(({ page, text }, at) => ({
    id: `s${at + 1}`,
    page: page.id,
    sentence: hash16(text),
    split: 'train',
  })),
);
batch(
  'sentences',
  100,
  drawn.map((one, at) => `## s${at + 1}\n${context(one)}`),
);

// 150 pages of all kinds, in the shares in which people might save them.
const shares = {
  article: 68,
  forum: 16,
  documentation: 12,
  product: 14,
  collection: 8,
  service: 10,
  listing: 12,
  own: 8,
  paper: 2,
};
const chosen = byChance(
  Object.entries(shares).flatMap(([kind, count]) =>
    take(
      kind,
      count,
      shuffled.filter((page) => page.kind === kind),
    ),
  ),
  ({ id }) => `order ${id}`,
);
write(
  'pages.jsonl',
  chosen.map(({ id, kind }) => ({ page: id, kind, split: splitOf(id) })),
);
writeFileSync(join(folder, 'pages.md'), chosen.map(({ id, title, kind }) => `${id}\t${kind}\t${title}\n`).join(''));
for (const { id, title, transcript } of chosen)
  writeFileSync(join(folder, 'pages', `${id}.md`), `# ${title}\n\n${transcript.text}\n`);

// 300 pairs: 150 of sentences of pages (with the nearest goals by the sentence model, near misses and any), 150 of our own.
const goals = readLines<LabelledGoal>(new URL('goals.jsonl', import.meta.url)).filter(
  ({ language }) => language === 'en',
);
const embedder = createMiniLm({ idleMs: 60_000, log: createLog('warn') });
const signal = new AbortController().signal;
const vectors = (texts: string[]): Promise<(Float32Array | null)[]> => embedder.embedPassages(texts, signal);
const told = shuffled
  .filter(({ title }) => everyday.test(title))
  .flatMap((page) =>
    candidates(page)
      .filter(({ tells }) => tells)
      .slice(0, 3),
  );
const goalVectors = await vectors(goals.map(({ title, description }) => `${title}. ${description ?? ''}`));
const toldVectors = await vectors(told.map(({ page, heading, text }) => `${page.title}. ${heading}. ${text}`));
await embedder.close();
const ranked = told.map((one, at) => {
  const near = goals
    .map((goal, to) => ({
      goal,
      cosine: toldVectors[at]?.reduce((sum, x, d) => sum + x * (goalVectors[to]?.[d] ?? 0), 0) ?? 0,
    }))
    .sort((x, y) => y.cosine - x.cosine);
  return { one, near };
});
// The nearest goal of half of the sentences, of those that are near to one at all; near misses and any goal for the others.
const nearFirst = ranked.toSorted((x, y) => (y.near[0]?.cosine ?? 0) - (x.near[0]?.cosine ?? 0)).slice(0, 150);
const ofPages = byChance(nearFirst, ({ one }) => one.text).flatMap(({ one, near }, at) => {
  const { goal } = near[at % 20 < 12 ? 0 : at % 20 < 16 ? 2 : 5 + ((at * 7) % 18)] ?? {};
  return goal === undefined ? [] : [{ one, goal }];
});
const own = readLines<OwnAction>(new URL('own-actions.jsonl', import.meta.url));
const pairs = [
  ...ofPages.map(({ one, goal }) => ({
    row: { page: one.page.id, sentence: hash16(one.text), goal: goal.title, split: splitOf(one.page.id) },
    shown: context(one),
    goal: goal.title,
  })),
  ...own.map(({ title, heading, action, goal }) => ({
    row: { own: hash16(title + action), goal, split: splitOf(title) },
    shown: `Title: ${title}\nHeading: ${heading}\n**Sentence: ${action}**\n`,
    goal,
  })),
];
const mixed = byChance(pairs, ({ shown, goal }) => shown + goal);
write(
  'pairs.jsonl',
  mixed.map(({ row }, at) => ({ id: `p${at + 1}`, ...row })),
);
batch(
  'pairs',
  100,
  mixed.map(({ shown, goal }, at) => {
    const { category = '', description } = goals.find(({ title }) => title === goal) ?? {};
    return `## p${at + 1}\n${shown}Goal: **${goal}** (${category})${description === undefined ? '' : ` – ${description}`}\n`;
  }),
);
console.log(
  `${drawn.length} sentences, ${drawn.filter(({ tells }) => tells).length} of them look like instructions; ${chosen.length} pages; ${pairs.length} pairs`,
);
