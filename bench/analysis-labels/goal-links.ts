/**
 * Measures which actions are linked to goals, on the labelled pairs: `node bench/analysis-labels/goal-links.ts <corpora>`.
 * The person has the one goal of the pair. As in an analysis, only sentences that
 * are instructions can be actions; any other may be an insight. Prints counts alone: of `held-out` nothing else is to be
 * seen.
 */
import { readFileSync } from 'node:fs';
import { layOutTranscript } from '../../src/domain/records/texts/document.ts';
import type { Goal } from '../../src/domain/records/analyses/goal.ts';
import { createLog } from '../../src/workers/log.ts';
import { sourceSentences } from '../../src/models/analysis/extractive/candidates.ts';
import { instructs } from '../../src/models/analysis/extractive/instructions.ts';
import { english as instructions } from '../../src/models/analysis/extractive/languages/english.ts';
import { matchGoals, type CompareMeanings, type Surroundings } from '../../src/models/analysis/extractive/goals.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';
import { createTitleComparer } from '../../src/models/embedding/title-comparer.ts';
import { candidates } from './candidates.ts';
import { readPages } from './corpus.ts';
import { hash16, readLines, type LabelledGoal, type OwnAction, type Split } from './material.ts';

const [corpora] = process.argv.slice(2);
if (corpora === undefined) throw new Error('usage: goal-links.ts <corpora>');
const here = (name: string): URL => new URL(name, import.meta.url);

const goals = new Map(
  readLines<LabelledGoal>(here('goals.jsonl')).map(({ title, category, description = null }, at): [string, Goal] => [
    title,
    { id: `g_${at}`, title, category, description, createdAt: '2026-01-01T00:00:00.000Z' },
  ]),
);
const goalOf = (title: string): Goal => {
  const goal = goals.get(title);
  if (goal === undefined) throw new Error(`no goal is called ${title}`);
  return goal;
};

interface Pair {
  set: string;
  where: Surroundings;
  goal: Goal;
  isInstruction: boolean;
  both: boolean;
  either: boolean;
}

const labels = ['one', 'two'].map(
  (name) =>
    new Map(
      readFileSync(here(`labels/pairs-${name}.tsv`), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('\t') as [string, string]),
    ),
);
interface Row {
  id: string;
  page?: string;
  sentence?: string;
  own?: string;
  goal: string;
  split: Split;
}
const rows = readLines<Row>(here('pairs.jsonl'));
const own = new Map(
  readLines<OwnAction>(here('own-actions.jsonl')).map((one) => [hash16(one.title + one.action), one]),
);
const drawn = new Map(
  (await readPages(corpora, (id) => rows.some(({ page }) => page === id)))
    .flatMap(candidates)
    .map((one) => [`${one.page.id} ${hash16(one.text)}`, one]),
);
const english = rows.flatMap(({ id, page, sentence: hash, own: ownHash, goal, split }): Pair[] => {
  const ownAction = own.get(ownHash ?? '');
  const found = drawn.get(`${page} ${hash}`);
  const title = ownAction?.title ?? found?.page.title;
  // A page that is read in another way now has lost some.
  if (title === undefined) return [];
  const heading = ownAction?.heading ?? found?.heading ?? '';
  const instruction = ownAction?.action ?? found?.text ?? '';
  const said = labels.map((label) => label.get(id) === 'yes');
  const [sentence] = sourceSentences({ ...layOutTranscript([{ kind: 'paragraph', text: instruction }]) });
  return [
    {
      set: split,
      where: { instruction, subject: [title, heading].filter(Boolean).join('. ') },
      goal: goalOf(goal),
      isInstruction: sentence !== undefined && instructs({ ...sentence, heading }, instructions),
      both: said.every(Boolean),
      either: said.some(Boolean),
    },
  ];
});
const foreign = readLines<{
  language: string;
  title: string;
  heading: string;
  action: string;
  served: string[];
  notServed: string[];
}>(here('foreign-pairs.jsonl')).flatMap(({ language, title, heading, action, served, notServed }) =>
  [...served, ...notServed].map((goal): Pair => {
    const where = { instruction: action, subject: `${title}. ${heading}`, isForeign: true };
    const serves = served.includes(goal);
    return { set: language, where, goal: goalOf(goal), isInstruction: true, both: serves, either: serves };
  }),
);

const embedder = createMiniLm({ idleMs: 60_000, log: createLog('warn') });
const titles = createTitleComparer(embedder, createLog('warn'));
const byMeaning: CompareMeanings = (pairs) => titles(pairs);

async function measure(
  name: string,
  pairs: readonly Pair[],
  compare: CompareMeanings | null,
  areInsights = false,
): Promise<void> {
  let linked = 0;
  let right = { both: 0, either: 0 };
  for (const { where, goal, isInstruction, both, either } of pairs) {
    const [match] =
      isInstruction || areInsights ? await matchGoals([{ ...where, isInsight: areInsights }], [goal], compare) : [];
    if (match?.goalId !== goal.id) continue;
    linked += 1;
    right = { both: right.both + Number(both), either: right.either + Number(either) };
  }
  const told = (['both', 'either'] as const).map((who) => {
    const yes = pairs.filter((pair) => pair[who]).length;
    return `${who}: precision ${(right[who] / linked).toFixed(3)} recall ${(right[who] / yes).toFixed(3)}`;
  });
  console.log(`${name}: ${pairs.length} pairs, ${linked} linked; ${told.join('; ')}`);
}

for (const split of ['train', 'held-out']) {
  const pairs = english.filter(({ set }) => set === split);
  await measure(`${split}, by meaning`, pairs, byMeaning);
  await measure(`${split}, by words`, pairs, null);
  await measure(`${split}, as insights`, pairs, byMeaning, true);
  const statements = pairs.filter(({ isInstruction }) => !isInstruction);
  await measure(`${split}, statements as insights`, statements, byMeaning, true);
}
for (const language of new Set(foreign.map(({ set }) => set)))
  await measure(
    language,
    foreign.filter(({ set }) => set === language),
    null,
  );
await measure('all six', foreign, null);
await embedder.close();
