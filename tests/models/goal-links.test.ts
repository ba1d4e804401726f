import { afterAll, describe, expect, it, test } from 'vitest';
import type { Goal } from '../../src/domain/records/analyses/goal.ts';
import { createLog } from '../../src/workers/log.ts';
import { createExtractiveAnalyst } from '../../src/models/analysis/extractive/index.ts';
import { matchGoals } from '../../src/models/analysis/extractive/goals.ts';
import { createTitleComparer } from '../../src/models/embedding/index.ts';
import { createMiniLm } from '../../src/models/embedding/minilm/minilm.ts';
import { layOutTranscript } from '../../src/domain/records/texts/document.ts';

const log = createLog('silent');
const embedder = createMiniLm({ idleMs: 60_000, log });
const compare = createTitleComparer(embedder, log);
afterAll(() => embedder.close());

const goalOf = (title: string, category: Goal['category'], description: string | null = null): Goal => ({
  id: `g_${title}`,
  title,
  category,
  description,
  createdAt: '2026-01-01T00:00:00.000Z',
});
const goals = [
  goalOf('Sleep eight hours', 'Health'),
  goalOf('Save for a house', 'Wealth'),
  goalOf('See friends every week', 'Relationships'),
];
const place = (subject: string, instruction: string) => ({ subject, instruction });
const titleOf = (id: string | null | undefined) => id?.slice(2) ?? null;

describe('an English action', () => {
  it.each([
    ['Rest. Evenings', 'Put the tablet away an hour before bedtime.', 'Sleep eight hours'],
    ['Tired all day? The bedroom', 'Keep the room dark and below eighteen degrees.', 'Sleep eight hours'],
    ['Buying your first home. The deposit', 'Put a tenth of each wage into a savings account.', 'Save for a house'],
    ['Adult friendships. Fixed evenings', 'Invite three people to a dinner on Thursdays.', 'See friends every week'],
    ['Editor basics. Files', 'Save the file before you close the window.', null],
    ['Sourdough for beginners. Kneading', 'Fold the dough four times in two hours.', null],
    ['Bicycle repair. Chain', 'Wipe the chain and oil it once a month.', null],
  ])('under “%s”: “%s” serves %s', async (subject, instruction, goal) => {
    const [match] = await matchGoals([place(subject, instruction)], goals, compare);
    expect(titleOf(match?.goalId)).toBe(goal);
  });

  it('is linked with the words that are nearest to its goal', async () => {
    const [match] = await matchGoals(
      [place('Rest. Evenings', 'Leave the tablet in the hall when you go to bed.')],
      goals,
      compare,
    );
    expect(match?.reason).toMatch(/^Serves your goal "Sleep eight hours": it speaks of .*\bbed\b/);
  });

  it('is linked by shared words when there is no sentence model', async () => {
    const places = [
      place('Rest. Evenings', 'Put the tablet away an hour before bedtime.'),
      place('Better evenings', 'Sleep at least eight hours: keep the curtains closed.'),
    ];
    const matches = await matchGoals(places, goals, async () => null);
    expect(matches.map(({ goalId }) => titleOf(goalId))).toEqual([null, 'Sleep eight hours']);
    expect(await matchGoals(places, goals, null)).toEqual(matches);
  });
});

test('actions of a text are linked by meaning, and one without a near goal stays unlinked', async () => {
  const analyst = createExtractiveAnalyst(compare);
  const { text, blocks } = layOutTranscript([
    { kind: 'heading', level: 2, text: '## Before bed' },
    { kind: 'list', text: '- Put the tablet away an hour before you go to bed.' },
    { kind: 'heading', level: 2, text: '## The bicycle' },
    { kind: 'list', text: '- Oil the chain of your bicycle once a month.' },
  ]);
  const { actions } = await analyst.analyse(
    { title: 'Small habits', language: 'en', text, blocks },
    goals,
    new AbortController().signal,
  );
  const served = Object.fromEntries(actions.map(({ title, goalId }) => [title, titleOf(goalId)]));
  expect(served).toEqual({
    'Put the tablet away an hour before you go to bed': 'Sleep eight hours',
    'Oil the chain of your bicycle once a month': null,
  });
});

test('insights of a text are linked like its actions', async () => {
  const analyst = createExtractiveAnalyst(compare);
  const { text, blocks } = layOutTranscript(
    [
      'Researchers followed 120 students through one winter term and counted their hours of sleep.',
      'Bright screens in the evening delayed the sleep of the students by forty minutes.',
      'Those who left their phones in the hall slept an hour longer than before.',
      'A dark and cool bedroom added twenty minutes of sleep to each night.',
      'Coffee after two in the afternoon cost the students half an hour of their night.',
      'The university paid 30,000 euros for the study, of which a third went to watches that measure sleep.',
      'Tired students made twice as many mistakes in the examinations of February.',
      'The dining hall served 400 meals a day and closed at eight in the evening.',
      'Alcohol shortened deep sleep by a third, even when the students fell asleep sooner.',
    ].map((sentence) => ({ kind: 'paragraph', text: sentence })),
  );
  const { insights } = await analyst.analyse(
    { title: 'Why eight hours of sleep are worth it', language: 'en', text, blocks },
    goals,
    new AbortController().signal,
  );
  const linked = insights.filter(({ goalId }) => goalId !== null);
  expect(linked.length).toBeGreaterThan(0);
  expect(linked.map(({ goalId }) => titleOf(goalId))).toEqual(linked.map(() => 'Sleep eight hours'));
  for (const { goalReason } of linked)
    expect(goalReason).toMatch(/^Serves your goal "Sleep eight hours": it speaks of /);
});

test('an insight is linked by its own words, not only by those of its page', async () => {
  const places = [
    'A fixed hour of rising improved sleep more than any drug.',
    'The university paid 30,000 euros for the study.',
  ].map((insight) => ({ ...place('Why eight hours of sleep are worth it', insight), isInsight: true }));
  expect((await matchGoals(places, goals, compare)).map(({ goalId }) => titleOf(goalId))).toEqual([
    'Sleep eight hours',
    null,
  ]);
});

describe('an action in another language', () => {
  const foreign = [
    goalOf('Acht Stunden schlafen', 'Health'),
    goalOf('Ahorrar para una casa', 'Wealth'),
    goalOf('Meno zucchero', 'Health'),
  ];
  it.each([
    ['Das Schlafzimmer', 'Hängen Sie dunkle Vorhänge auf.', 'Acht Stunden schlafen'],
    ['Cómo ahorrar cada mes', 'Programa una transferencia el día de la paga.', 'Ahorrar para una casa'],
    ["Dove si nasconde lo zucchero. L'etichetta", 'Leggi gli ingredienti.', 'Meno zucchero'],
    ['Ein Wochenende in Rom', 'Schlafen Sie im Kloster.', null],
    ['Una tarta para la fiesta', 'Bate los huevos.', null],
  ])('under “%s”: “%s” serves %s, by the words of title and heading', async (subject, instruction, goal) => {
    const [match] = await matchGoals([{ ...place(subject, instruction), isForeign: true }], foreign, compare);
    expect(titleOf(match?.goalId)).toBe(goal);
  });
});

it('embeds a text that is compared again once, and drops those used longest ago', async () => {
  const embedded: string[] = [];
  const counting = createTitleComparer(
    {
      ...embedder,
      id: embedder.id,
      embedPassages: (texts) => {
        embedded.push(...texts);
        return Promise.resolve(texts.map(() => Float32Array.of(1, 0)));
      },
    },
    log,
  );
  const pair = { title: 'Sleep eight hours', sentences: ['Go to bed at ten.', 'Buy a bed.'] };
  expect(await counting([pair])).toEqual([1]);
  expect(await counting([pair, { title: 'Buy a bed.', sentences: ['Sell it.'] }])).toEqual([1, 1]);
  expect(embedded).toEqual(['Sleep eight hours', 'Go to bed at ten.', 'Buy a bed.', 'Sell it.']);
  await counting([{ title: 'Others', sentences: Array.from({ length: 1_000 }, (_, n) => `Text ${n}.`) }]);
  embedded.length = 0;
  expect(await counting([pair])).toEqual([1]);
  expect(embedded).toEqual(['Sleep eight hours', 'Go to bed at ten.', 'Buy a bed.']);
});
