import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { rulesVersion } from '../../src/domain/records/analyses/analysis.ts';
import { layOutTranscript, type Block, type BlockKind } from '../../src/domain/records/texts/document.ts';
import type { Goal } from '../../src/domain/records/analyses/goal.ts';
import { plainText } from '../../src/domain/text/plain-text.ts';
import { createLog } from '../../src/workers/log.ts';
import { createExtractiveAnalyst } from '../../src/models/analysis/extractive/extractive.ts';
import { createMiniLm, createTitleComparer } from '../../src/models/embedding/index.ts';
import { runs } from '../support/vitest/thorough.ts';
import { forAllAsync } from '../support/for-all.ts';

const analyst = createExtractiveAnalyst();
const log = createLog('silent');
const embedder = createMiniLm({ idleMs: 60_000, log });
const withModel = createExtractiveAnalyst(createTitleComparer(embedder, log));
afterAll(() => embedder.close());
const signal = new AbortController().signal;

function block(text: string): Block {
  const level = /^(#+) /.exec(text)?.[1]?.length;
  if (level !== undefined) return { kind: 'heading', level, text };
  if (text.startsWith('```')) return { kind: 'code', text };
  return { kind: /^(?:[-*]|\d+\.) /.test(text) ? 'list' : 'paragraph', text };
}

async function analyse(
  texts: readonly string[],
  {
    title = null,
    language = 'en',
    goals = [],
    by = analyst,
  }: { title?: string | null; language?: string | null; goals?: Goal[]; by?: typeof analyst } = {},
) {
  const transcript = layOutTranscript(texts.map(block));
  const analysis = await by.analyse({ title, language, ...transcript }, goals, signal);
  const quoteOf = ({ start, end }: { start: number; end: number }): string => transcript.text.slice(start, end);
  return { ...analysis, quoteOf, text: transcript.text };
}

function goal(id: string, title: string, category: Goal['category'], description: string | null = null): Goal {
  return { id, title, category, description, createdAt: '2026-01-01T00:00:00.000Z' };
}

const sourdough = [
  '# Keeping a sourdough starter alive',
  'A sourdough starter is a **small colony** of yeast and bacteria that lives in flour and water. [Bakers](https://example.org/bakers) have kept such colonies for thousands of years, and some families hand theirs down like furniture.',
  'The colony eats what the flour offers, and what it leaves behind gives the bread its taste. A starter that goes hungry turns sour first and grey later. Most starters that die were not neglected but drowned, because a wet starter ferments faster than its owner can feed it.',
  '## What to do',
  '- Feed the starter once a day with equal weights of flour and water.\n- **Keep the jar** between 20 and 25 degrees.\n- Subscribe to our newsletter for more recipes.',
  'Throw away half of the starter before each feeding. Otherwise the jar overflows within a week. Have you ever tried rye flour?',
  '```\nStir the dough for ten minutes.\n```',
  'A cold starter sleeps, and a sleeping starter needs food only once a week. Professional bakers keep a dried portion in the freezer as insurance against accidents. "Sell the bakery," his uncle told him that winter. The oldest known starter is said to come from a tomb.',
];

describe('the extractive analyst', () => {
  it('draws actions only from the text', async () => {
    const { actions, quoteOf } = await analyse(sourdough, {
      title: 'Keeping a sourdough starter alive',
    });
    expect(
      actions.map(({ title, reason, quote, goalId }) => ({
        title,
        reason,
        quote: quoteOf(quote),
        goalId,
      })),
    ).toEqual([
      {
        goalId: null,
        quote: 'Feed the starter once a day with equal weights of flour and water.',
        reason: null,
        title: 'Feed the starter once a day with equal weights of flour and water',
      },
      {
        goalId: null,
        quote: '**Keep the jar** between 20 and 25 degrees.',
        reason: null,
        title: 'Keep the jar between 20 and 25 degrees',
      },
      {
        goalId: null,
        quote: 'Throw away half of the starter before each feeding.',
        reason: 'Otherwise the jar overflows within a week.',
        title: 'Throw away half of the starter before each feeding',
      },
    ]);
  });

  it('links a goal whose words clearly match, and says so', async () => {
    const marathon = goal('g_marathon', 'Run a marathon', 'Health', 'Finish the city marathon in autumn');
    const testServer = goal('g_house', 'Save money for a house', 'Wealth');
    const { actions } = await analyse(
      [
        'Run for half an hour three times a week before your marathon. Put the money that you save on coffee into a house fund. Clean the windows twice a year.',
      ],
      { goals: [testServer, marathon] },
    );
    const goalOf = new Map(actions.map(({ title, goalId, goalReason }) => [title, { goalId, goalReason }]));
    expect([...goalOf.keys()].at(-1)).toBe('Clean the windows twice a year');
    expect(Object.fromEntries(goalOf)).toEqual({
      'Run for half an hour three times a week before your marathon': {
        goalId: 'g_marathon',
        goalReason: 'Serves your goal "Run a marathon": it speaks of run, marathon.',
      },
      'Put the money that you save on coffee into a house fund': {
        goalId: 'g_house',
        goalReason: 'Serves your goal "Save money for a house": it speaks of money, save, house.',
      },
      'Clean the windows twice a year': { goalId: null, goalReason: null },
    });
  });

  it('links no goal when one word matches by chance or two goals match equally', async () => {
    const sleep = goal('g_sleep', 'Sleep better', 'Health');
    const twins = [
      goal('g_one', 'Learn Spanish grammar', 'Relationships'),
      goal('g_two', 'Spanish grammar', 'Relationships'),
    ];
    const chance = await analyse(['Put the laptop to sleep before you carry it.'], {
      goals: [sleep],
    });
    expect(chance.actions.map(({ goalId }) => goalId)).toEqual([null]);
    const equal = await analyse(['Repeat the Spanish grammar for ten minutes before you go to bed.'], {
      goals: twins,
    });
    expect(equal.actions.map(({ goalId }) => goalId)).toEqual([null]);
    const subject = await analyse(
      ['# How to sleep through the night', 'Keep the room dark, and sleep with the window open.'],
      { goals: [sleep] },
    );
    expect(subject.actions.map(({ goalId }) => goalId)).toEqual(['g_sleep']);
  });

  it('takes a reason only from the next sentence', async () => {
    const { actions } = await analyse([
      'Turn the compost once a week. That way air reaches the middle. Water the beds by the wall in the evening. Most people have no beds.',
    ]);
    expect(actions.map(({ title, reason }) => [title, reason]).sort()).toEqual([
      ['Turn the compost once a week', 'That way air reaches the middle.'],
      ['Water the beds by the wall in the evening', null],
    ]);
  });

  it('shortens a long title between words', async () => {
    const { actions } = await analyse([
      'Write the name of every medicine that you take on one sheet of paper, because nobody remembers them all when it matters, and keep that sheet in the pocket of the coat that you wear to the doctor.',
      'If the water that comes out of the tap early in the morning tastes of metal or looks brown for more than a minute or two, call the landlord and have the pipes of the whole house checked.',
      'If you sleep badly, go to bed at the same time every night.',
    ]);
    expect(actions.map(({ title }) => title)).toEqual([
      'Write the name of every medicine that you take on one sheet of paper, because nobody remembers them all when it matters, and keep that sheet in the pocket of t…',
      'If you sleep badly, go to bed at the same time every night',
      'If the water that comes out of the tap early in the morning tastes of metal or looks brown for more than a minute or two, call the landlord and have the pipes…',
    ]);
  });

  it('omits sentences that depend on another one, and those that are mostly a link', async () => {
    const { actions } = await analyse([
      'If they do, tell them that you want another one. Print it out. [Compare the nine best tents](https://example.org/tents) before summer. Air the tent after every trip.',
    ]);
    expect(actions.map(({ title }) => title)).toEqual(['Air the tent after every trip']);
  });

  it('distinguishes inches from quotation marks', async () => {
    const { actions } = await analyse([
      'Every rose has a hole that is 12" deep. Water the roses in the evening, when the sun is gone.',
      'The gardener says "you have to wait for 12". Cut the roses back in spring, before the leaves come.',
      '"The roses are mine. Sell the whole garden before winter comes," said the gardener.',
    ]);
    expect(actions.map(({ title }) => title).sort()).toEqual([
      'Cut the roses back in spring, before the leaves come',
      'Water the roses in the evening, when the sun is gone',
    ]);
  });

  it('finds no actions in a programming tutorial', async () => {
    const advice = 'Measure the wall twice before you cut the board.';
    expect((await analyse([advice])).actions).toHaveLength(1);
    const code = ['```\na\n```', '```\nb\n```', '```\nc\n```'];
    expect((await analyse([...code, advice])).actions).toEqual([]);
  });

  it('gives at most three actions, the most useful first, and more for a checklist', async () => {
    const texts = [
      'Wash the curtains in cold water twice a year. Replace the bulb in the hall. Water the herbs every evening.',
      'Sweep the chimney before winter. Tune the piano twice a year. Clear the gutters after the storm.',
      'Pump up the tyres of your bicycle every month. Put your passport and a spare key into one drawer.',
      'Lie down for ten minutes once you feel dizzy, because a fall does more harm than a nap.',
    ];
    const { actions } = await analyse(texts);
    expect(actions).toHaveLength(3);
    // It is said to the reader, with a reason.
    expect(actions.map(({ title }) => title)).toContainEqual(expect.stringMatching(/^Lie down/));
    expect((await analyse(texts, { title: 'Checklist for autumn' })).actions).toHaveLength(7);
  });

  it('puts actions that serve a goal first', async () => {
    const goals = [goal('g_curtains', 'Clean curtains and gutters', 'Health')];
    const texts = [
      'If you feel dizzy after lunch, lie down for ten minutes, because a fall does more harm than a nap.',
      'Put your passport and a spare key into one drawer of your desk before every trip.',
      'Pump up the tyres of your bicycle every month with a pump that shows the pressure.',
      'Clear the gutters, clean or not, after each storm.',
    ];
    const { actions } = await analyse(texts, { goals });
    expect(actions[0]).toMatchObject({
      title: 'Clear the gutters, clean or not, after each storm',
      goalId: 'g_curtains',
    });
    expect(actions).toHaveLength(3);
  });

  it('makes one action of the steps of a recipe or a numbered list', async () => {
    const bread = [
      'Stir 500 g of flour, 400 g of water and 10 g of salt together. Cover the bowl until morning.',
      'Bake the bread for forty minutes.',
    ];
    const recipe = await analyse(bread, { title: 'Overnight bread' });
    expect(recipe.actions.map(({ title }) => title)).toEqual(['Overnight bread, 3 steps']);
    expect(recipe.quoteOf(recipe.actions[0]!.quote)).toBe(recipe.text);
    const steps = [
      '# How to meditate',
      '1. Sit down on a chair.\n2. Close your eyes.\n3. Count each breath up to ten.',
    ];
    expect((await analyse(steps)).actions.map(({ title }) => title)).toEqual(['Meditate, 3 steps']);
    expect((await analyse(['# Three tips', ...steps.slice(1)])).actions.map(({ title }) => title)).not.toContainEqual(
      expect.stringContaining('steps'),
    );
  });

  it('names the subject of a short line by its heading, and omits lines without one', async () => {
    const { actions } = await analyse(['# Snake plant', '- Water every two weeks.', '# Fern', '- Water weekly.']);
    expect(actions.map(({ title }) => title)).toEqual(['Snake plant: water every two weeks', 'Fern: water weekly']);
    expect((await analyse(['- Water every two weeks.'])).actions).toEqual([]);
  });

  it.each([
    ['a letter', ['Dear Anna, the house is yours for a week.', 'Water the tomatoes every evening after seven.'], null],
    ['a treatise of 1792', ['Drink four cups of hot coffee if you are bedridden.'], 'Domestic medicine, 1792'],
    [
      'a story',
      ['He had said it twice. "Nobody was here." Put the lamp out at nine. She did. The sea was calm.'],
      null,
    ],
    ['code in its sentences', ['Set `a` to `b` before you start the day. '.repeat(12)], null],
    ['names and prices', [`${'Red mug. Nine euros. '.repeat(8)} Wash the mug by hand after every use.`], null],
  ])('finds no actions in %s', async (_, texts, title) => {
    expect((await analyse(texts, { title })).actions).toEqual([]);
  });

  it('omits instructions to sellers and to products', async () => {
    const { actions } = await analyse([
      'Offer your customers a vegetarian dish because many of them ask for it every week.',
      'Salt the water before you cook the beans.',
    ]);
    expect(actions.map(({ title }) => title)).toEqual(['Salt the water before you cook the beans']);
  });

  it('merges repeated instructions with different surrounding words', async () => {
    const { actions } = await analyse([
      'Wear comfortable shoes for the long walk up to the castle.',
      'Bring water for two hours, and wear comfortable shoes and a hat.',
      'Check the oil of the car before a long trip.',
      'Check the tyres of the bicycle before a long trip.',
    ]);
    const titles = actions.map(({ title }) => title);
    expect(titles.filter((title) => title.includes('shoes'))).toHaveLength(1);
    expect(titles.filter((title) => title.startsWith('Check'))).toHaveLength(2);
  });

  it.each([
    ['a seller', 'Choose Ashdown Kitchens for a room that you will love.'],
    ['a seller', 'Equip your hallway with timeless furniture.'],
    ['the page', 'Mark this answer as helpful, and reply below.'],
    ['the page', 'Watch an interview with the two divers.'],
    ['a program', 'Pass the array to parse_rows() and keep what it returns.'],
    ['a program', 'Open settings.json in the editor.'],
    ['no instruction', 'Work on the bridge, a plan of forty years, has begun.'],
    ['no instruction', 'Help came from the next village.'],
    ['no instruction', 'Voice alerts read out the splits of each kilometre.'],
    ['no instruction', 'Water resistance: the ability of a watch to keep water out.'],
    ['no instruction', 'Research shows that a walk in the evening makes people sleep longer.'],
    ['a seller', 'Reduce costs by half within the first month of the year.'],
    ['a result', 'When the lens sits well, you should feel a small click at the end.'],
  ])('finds no instruction where %s speaks: %s', async (_, sentence) => {
    expect((await analyse([sentence])).actions).toEqual([]);
  });

  it.each([
    'Avoid drinking coffee after 2 pm.',
    'Avoid taking ibuprofen with blood thinners.',
    'Be at the gate 30 minutes before departure.',
    'Stay at home for five days after a positive test.',
    'Start with the smallest debt and pay it off first.',
    'Identify three expenses that you can cut this month.',
  ])('finds advice with a number, a time or a thing in it: %s', async (sentence) => {
    const { actions } = await analyse([sentence], { title: 'How to keep out of trouble' });
    expect(actions.map(({ title }) => `${title}.`)).toEqual([sentence]);
  });

  it.each([
    'Avoid making excuses for your mistakes.',
    'Be patient with yourself and your family every day.',
    'Be prepared to wait for 30 minutes at the gate.',
    'Think twice before you sign your contract.',
    'Stay curious about your city and its people.',
    'Start with the basics of your new hobby today.',
    'Focus on one of your goals at a time.',
  ])('omits advice that cannot be ticked off: %s', async (sentence) => {
    expect((await analyse([sentence], { title: 'How to keep out of trouble' })).actions).toEqual([]);
  });

  it.each([
    ['How to back up your photos to the cloud', 1],
    ['How to learn coding in your forties', 1],
    ['Ten tips for your first job in software', 1],
    ['Backups in the cloud: tips for software teams', 0],
    ['How to hire in the hotel industry', 0],
    ['Data centres by Ashdown: our services', 0],
  ])('judges the advised reader by the whole title, with the sentence model: %s', async (title, count) => {
    const { actions } = await analyse(['Copy your notes to a second disk every Sunday.'], { title, by: withModel });
    expect(actions).toHaveLength(count);
  });

  it('judges a sentence by its likeness to advice, with the sentence model', async () => {
    const texts = [
      'Replace the filter of the extractor hood twice a year. Deliver better results to every client with our platform today.',
      'Keep in mind that your needs may change over time. Ask the landlord for a copy of the inspection report.',
    ];
    const { actions } = await analyse(texts, { title: 'How to look after a rented flat', by: withModel });
    expect(actions.map(({ title }) => title).sort()).toEqual([
      'Ask the landlord for a copy of the inspection report',
      'Replace the filter of the extractor hood twice a year',
    ]);
  });

  it.each([
    ['Rate cuts by the bank lowered the cost of the loans for the railway by 2% in 2024.', true],
    ['Post-war demand for seats on the railway rose by 12 percent within a year.', true],
    ['Stay-at-home orders cut the number of passengers on the railway by a fifth.', true],
    ['Focus groups in 1996 preferred the older name of the railway by three to one.', true],
    ['Discover how the railway reached 900 metres and carried 40 percent more passengers.', false],
    ['Learn more about the railway, which carried 40 percent more passengers in 1931.', false],
    ['Focus on your next trip with the railway, as 40 percent more passengers did in 1931.', false],
  ])('accepts a claim as an insight, whatever its first word, but not an appeal: %s', async (claim, isTaken) => {
    const texts = [
      'The valley has had a railway since 1898, and most of its people have used it to reach the town.',
      'The line was closed in winter because snow blocked the tunnel for weeks at a time.',
      claim,
      'Trains carried 40 percent more passengers after the tunnel was widened in 1931.',
      'The station at the upper end of the valley is the highest of the country, because the line climbs 900 metres.',
    ];
    const { insights } = await analyse(texts, { title: 'The railway of the valley' });
    expect(insights.some(({ text }) => text === claim)).toBe(isTaken);
  });

  it('judges claims in a language without a table by no English word', async () => {
    const claim = 'Post trwał wtedy 40 dni, więc sklepy sprzedawały o 30 procent mniej mięsa niż latem 1931 roku.';
    const texts = [
      'Kolej w dolinie jeździ od 1898 roku i większość mieszkańców jeździła nią do miasta.',
      'Linia była zimą zamknięta, ponieważ śnieg zasypywał tunel na całe tygodnie.',
      claim,
      'Pociągi woziły o 30 procent więcej pasażerów, odkąd w 1931 roku poszerzono tunel w dolinie.',
      'Stacja na górnym końcu doliny leży najwyżej w kraju, bo kolej wspina się na 900 metrów.',
    ];
    const { insights } = await analyse(texts, { title: 'Kolej w dolinie', language: 'pl' });
    expect(insights.map(({ text }) => text)).toContain(claim);
  });

  it('finds instructions in six more languages by their own words', async () => {
    const texts = {
      de: 'Lüften Sie das Zimmer jeden Morgen zehn Minuten. Entdecken Sie unser neues Sortiment.',
      fr: 'Il faut aérer la chambre dix minutes par jour. Profitez de nos offres.',
      es: 'Hay que ventilar el cuarto diez minutos al día. Suscríbete al boletín.',
      it: 'Bisogna arieggiare la camera dieci minuti al giorno. Iscriviti alla newsletter.',
      pt: 'É preciso arejar o quarto dez minutos por dia. Clique aqui para continuar.',
      nl: 'Lucht de slaapkamer elke dag tien minuten. Schrijf je in voor onze nieuwsbrief.',
    };
    for (const [language, text] of Object.entries(texts)) {
      const { actions, unread } = await analyse([text], { language });
      expect(actions.map(({ title }) => title)).toEqual([text.slice(0, text.indexOf('.'))]);
      expect(unread).toBeUndefined();
    }
  });

  it('says so for a language in which it cannot find instructions', async () => {
    const { actions, unread } = await analyse(['Otwórz okno każdego ranka na dziesięć minut.'], { language: 'pl' });
    expect(actions).toEqual([]);
    expect(unread).toContain('this text is in Polish');
  });

  it('distinguishes a language without a table from English by its words, and still gives a summary', async () => {
    const german = [
      'Ein Sauerteig lebt von Mehl und Wasser. Füttern Sie ihn jeden Tag mit frischem Mehl. Halten Sie das Glas warm und trocken.',
      'Viele Bäcker bewahren einen Teil davon im Kühlschrank auf. Der älteste bekannte Sauerteig ist über hundert Jahre alt.',
    ];
    for (const language of ['sv', null]) {
      const { summary, actions } = await analyse(german, { language });
      expect(actions).toEqual([]);
      expect(summary).toMatch(/Sauerteig/);
    }
    const { actions } = await analyse(
      ['Water the plants in the evening and keep the soil moist for the first of the weeks.'],
      { language: null },
    );
    expect(actions).toHaveLength(1);
  });

  it('ignores the header of a forwarded mail and prices in letters', async () => {
    const order =
      'The supplier offers forty lamps for $30.00 each, and the delivery takes three weeks after the order.';
    for (const [header, isLetter] of [
      [
        'From: **Carl** \\<carl@lamp.example\\>  \nDate: Wed, Jun 5, 2024 at 9:12 AM  \nSubject: The order of lamps for the next winter  ',
        true,
      ],
      [
        '**Von:** Carl \\<carl@lamp.example\\>  \n**Gesendet:** 5. Juni 2024  \n**Betreff:** The order of lamps is due.',
        true,
      ],
      ['Forty lamps of brass.', false],
    ] as const) {
      const { summary } = await analyse([
        'See below, we must decide.',
        header,
        order,
        '$30.00',
        'Carl keeps the list of lamps in the office.',
      ]);
      expect(summary).not.toMatch(/Subject|Betreff|@/);
      expect(summary?.includes('Price: $30.00')).toBe(!isLetter);
    }
  });

  it('returns nothing for empty texts', async () => {
    for (const texts of [[], ['# Only a heading'], ['```\nlet x = 1;\n```'], ['***']]) {
      expect(await analyse(texts)).toMatchObject({
        summary: null,
        insights: [],
        actions: [],
        droppedQuotes: 0,
      });
    }
    expect(await analyse(['One short remark.'])).toMatchObject({ insights: [], actions: [] });
  });

  it('stops when its signal is aborted', async () => {
    const abort = new AbortController();
    const transcript = layOutTranscript(
      Array.from({ length: 2_000 }, (_, i) => block(`The tide came in at hour ${i} of that day.`)),
    );
    const running = analyst.analyse({ title: null, language: 'en', ...transcript }, [], abort.signal);
    abort.abort();
    await expect(running).rejects.toThrow(/abort/i);
  });

  it('quotes exact slices and keeps its limits, whatever it reads', async () => {
    const kinds: BlockKind[] = ['heading', 'paragraph', 'list', 'quote', 'code', 'table', 'caption'];
    const part = fc.oneof(
      fc.constantFrom(
        ...sourdough,
        'Drink **water.** ',
        '“Go',
        '[',
        '](',
        '```',
        '\n> ',
        '\n- Do it now. ',
        'Remember to ',
        'If you ',
        ', ',
        "don't ",
        '。',
        '👩‍👩‍👧',
      ),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    const blocks = fc.array(
      fc.record({
        kind: fc.constantFrom(...kinds),
        text: fc.array(part, { maxLength: 8 }).map((parts) => parts.join(' ')),
      }),
      { maxLength: 12 },
    );
    await forAllAsync(
      runs(150),
      blocks,
      fc.option(fc.string()),
      fc.constantFrom('en', 'de', null),
      async (made, title, language) => {
        const { text, blocks: placed } = layOutTranscript(made);
        const goals = [goal('g_a', title ?? 'Keep a starter', 'Health', 'Feed it with flour')];
        const { summary, insights, actions } = await analyst.analyse(
          { title, language, text, blocks: placed },
          goals,
          signal,
        );
        expect((summary ?? '').length).toBeLessThanOrEqual(600);
        expect(insights.length).toBeLessThanOrEqual(7);
        expect(actions.length).toBeLessThanOrEqual(7);
        for (const { text: shown, quote } of insights) {
          const { start, end } = quote ?? { start: 0, end: 0 };
          expect(plainText(text.slice(start, end)).replaceAll(/\s+/gu, ' ').trim()).toBe(shown);
        }
        for (const { title: shown, quote, goalId, goalReason } of actions) {
          const quoted = text.slice(quote.start, quote.end);
          expect(quoted).toBe(quoted.trim());
          expect(shown.length).toBeLessThanOrEqual(160);
          const words = plainText(quoted).toLowerCase();
          for (const word of shown.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) expect(words).toContain(word);
          expect(goalId === null || goalReason?.includes(goals[0]?.title ?? '?')).toBe(true);
        }
      },
    );
  });

  it('lists the beginnings of list items where there are no headings', async () => {
    const { summary } = await analyse(
      [
        'Five projects for a weekend in the workshop need no more than a saw, a drill and some glue.',
        '- [Knife block](https://example.org/1): holds six knives in a drawer.',
        '- [Napkin holder](https://example.org/2): made from two offcuts.',
        '- **Picture frame** with mitres that are held by splines',
        '- [Pizza peel](https://example.org/3)',
        '- Salt cellar: turned on a small lathe',
      ],
      { title: 'Weekend projects in the workshop' },
    );
    expect(summary).toContain('Lists: Knife block; Napkin holder; Picture frame; Pizza peel; Salt cellar.');
  });

  it("reads a discussion's title as the question, and no heading of its first post as an answer", async () => {
    const { summary } = await analyse(
      [
        '## What I have tried',
        'The plugin of the vendor stopped to sync my notes between phone and laptop a week ago.',
        '## Nora · 3 May 2024',
        'The sync of the notes works again after the cache of the plugin is emptied on both devices.',
        '## Ben · 4 May 2024',
        'The phone has to be on the same network as the laptop while the first sync runs.',
      ],
      { title: 'Plugin does not sync?' },
    );
    expect(summary).toMatch(
      /^The plugin of the vendor .+ Question: Plugin does not sync\? Answer: The sync of the notes/,
    );
  });

  it('ignores prices in a line about shipping', async () => {
    const { summary } = await analyse(
      [
        'Free shipping from 100 €',
        'The sandals have a sole of 5 mm of rubber, which bends with the foot of the wearer.',
      ],
      { title: 'Sandals Zero' },
    );
    expect(summary).not.toContain('Price');
  });

  it('needs a new version of its rules when its results for the same pages change', async () => {
    const pages = [
      await analyse(sourdough, { title: 'How to keep a sourdough starter alive' }),
      await analyse(['# Curtains', 'Our shop sells curtains since 1990.', '- Wash the curtains twice a year.'], {
        title: 'Curtains and blinds',
      }),
      await analyse(['Wasche die Vorhänge zweimal im Jahr in kaltem Wasser.'], { title: 'Haushalt', language: 'de' }),
    ];
    const said = pages.map(({ summary, insights, actions }) => ({ summary, insights, actions }));
    // When this fails, change `rulesVersion` and both values here: else stored analyses are never rebuilt.
    expect([rulesVersion, createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16)]).toEqual([
      '2026-12-01c',
      'c08e2385bdec3450',
    ]);
  });
});
