import { describe, expect, it } from 'vitest';
import { layOutTranscript, type Block } from '../../src/domain/records/texts/document.ts';
import { createExtractiveAnalyst } from '../../src/models/analysis/extractive/extractive.ts';
import type { CompareMeanings } from '../../src/models/analysis/extractive/goals.ts';

const signal = new AbortController().signal;
const byWords = createExtractiveAnalyst();

function block(text: string): Block {
  const level = /^(#+) /.exec(text)?.[1]?.length;
  if (level !== undefined) return { kind: 'heading', level, text };
  return { kind: /^(?:[-*]|\d+\.) /.test(text) ? 'list' : 'paragraph', text };
}

async function analyse(
  title: string | null,
  texts: readonly (string | Block)[],
  { language = 'en', compare = null }: { language?: string; compare?: CompareMeanings | null } = {},
) {
  const transcript = layOutTranscript(texts.map((text) => (typeof text === 'string' ? block(text) : text)));
  const analyst = compare === null ? byWords : createExtractiveAnalyst(compare);
  const { summary, insights } = await analyst.analyse({ title, language, ...transcript }, [], signal);
  return { summary, insights: insights.map(({ text }) => text), text: transcript.text };
}

const starter = [
  'A sourdough starter is a small colony of yeast and bacteria that lives in flour and water. This colony eats what the flour offers.',
  'But a starter that goes hungry turns sour first and grey later. Most starters that die were not neglected but drowned, because a wet starter ferments faster than its owner can feed it.',
  'A cold starter sleeps, and a sleeping starter needs food only once a week. The oldest known starter came out of a tomb that was sealed 4,500 years ago.',
];

describe('a summary', () => {
  it('has sentences that can be understood alone, in text order', async () => {
    const { summary } = await analyse('Keeping a sourdough starter', starter);
    expect(summary).toMatch(/^A sourdough starter is a small colony/);
    expect(summary).not.toMatch(/This colony|But a/);
  });

  it.each([
    'The tomb was sealed in the years of the pharaohs and held flour and water.',
    'The owner’s jar holds a starter of flour and water that is 4,500 years old.',
    'Similar colonies of yeast and bacteria live in the dough of flour and water.',
    'When flour and water meet, she waits for the starter to rise for a day.',
    'Founded in flour and water by a baker of Rome, its yeast is 4,500 years old.',
  ])('omits a sentence whose subject only an earlier one names: %s', async (sentence) => {
    const { summary, insights } = await analyse('Keeping a sourdough starter', [...starter, sentence]);
    expect([summary, ...insights].join(' ')).not.toContain(sentence);
  });

  it.each(['Save up to $200', '$373 – $400', '$4.14M'])(
    'does not take an offer or a sum as the price: %s',
    async (line) => {
      expect((await analyse('Keeping a sourdough starter', [line, ...starter])).summary).not.toMatch(/Price/);
    },
  );

  it('does not list names of people as sections', async () => {
    const people = ['Uli Lorimer', 'Ida Brandt', 'Kayla Fell', 'Richard Hayden'].map((name) => `## ${name}`);
    expect((await analyse('Keeping a sourdough starter', [...starter, ...people])).summary).not.toMatch(/Sections|Uli/);
  });

  it.each([
    'Subscribe to the newsletter of the bakery to learn more about flour and water.',
    'Posted by Miriam Vogt on the first Tuesday of a wet November in the old town.',
    'Photo: the starter of flour and water after two days in a warm kitchen.',
    'The store of the bakery will not work correctly while cookies are disabled in it.',
    'A starter ](https://example.org/a)[ of flour and water lives for years in a jar.',
    'In this article we explain what a sourdough starter of flour and water needs.',
    'Miriam Vogt is a baker and the author of three books about sourdough starters.',
    'Hey everyone, welcome back to another video about sourdough starters and flour.',
    'Standard shipping of every sourdough starter takes four to seven working days.',
    'If you make a purchase, we may receive a commission for the sourdough starter.',
  ])('omits remarks about the page, its seller or its author: %s', async (sentence) => {
    const { summary, insights } = await analyse('A sourdough starter of flour and water', [sentence, ...starter]);
    expect([summary, ...insights].join(' ')).not.toContain(sentence.slice(0, 30));
    expect(summary).toContain('A sourdough starter is a small colony');
  });

  it('gives the headings of a list, with their number when there is no room for all', async () => {
    const plants = ['Prayer plant', 'Snake plant', 'Peace lily', 'Jewel orchid', 'Sago palm'];
    const about = 'Some houseplants thrive in the shade of a room that has one window to the north.';
    const items = plants.flatMap((name) => [
      `## ${name}`,
      `The ${name.toLowerCase()} is from the tropics, where trees are tall.`,
    ]);
    expect((await analyse('5 plants for low light', [about, ...items, '## Related stories'])).summary).toBe(
      `${about} Lists: Prayer plant; Snake plant; Peace lily; Jewel orchid; Sago palm.`,
    );
    const german = await analyse(
      '5 Pflanzen für dunkle Räume',
      ['Manche Pflanzen gedeihen auch im Schatten eines Zimmers.', ...items],
      { language: 'de' },
    );
    expect(german.summary).toContain('Nennt: Prayer plant; Snake plant');
    const many = Array.from({ length: 40 }, (_, n) => [`## ${n + 1}. A plant with the number ${n + 1}`, about]).flat();
    const { summary } = await analyse('Plants for low light', many);
    expect(summary).toMatch(/ Lists \(40\): A plant with the number 1; .*; …$/);
    expect(summary?.length).toBeLessThanOrEqual(600);
  });

  it('gives the items of a shop page with their prices, and the stories of a front page', async () => {
    const mowers = ['Quiet mower', 'Small mower', 'Large mower', 'Steep mower', 'Old mower'];
    const shelf = mowers.flatMap((name, n) => [`### [${name}](https://example.org/${n})`, `$ ${n + 1},099.99`]);
    expect((await analyse('Mowers', shelf)).summary).toMatch(/^Lists: Quiet mower \(\$ 1,099\.99\); Small mower/);
    const stories = ['Whales sing', 'Bears sleep', 'Storks leave', 'Eels return', 'Moths burn'];
    const front = stories.flatMap((name) => [
      `## [${name}](https://example.org)`,
      'A zoologist has watched them for forty years.',
    ]);
    expect(await analyse('Animal news', front)).toMatchObject({
      summary: 'Lists: Whales sing; Bears sleep; Storks leave; Eels return; Moths burn.',
      insights: [],
    });
  });

  it('describes a product and gives its price', async () => {
    const { summary } = await analyse('Wool blanket', [
      '$89.00',
      'Free returns within thirty days for every wool blanket that you order here.',
      'The wool blanket is woven in the islands of the north for people who sleep with open windows.',
      '- Merino wool\n- Two by two metres\n- Washed by hand\n- Made in Shetland',
    ]);
    expect(summary).toBe(
      'The wool blanket is woven in the islands of the north for people who sleep with open windows. Price: $89.00. Features: Merino wool; Two by two metres; Washed by hand; Made in Shetland.',
    );
  });

  it('names a refuted claim and gives the refutation, not the myth', async () => {
    const { summary } = await analyse('Three myths about sleep debunked', [
      'One of the most common myths is that the brain rests while the body sleeps.',
      '## Myth: Old people need less sleep',
      'Studies show that the need for sleep does not fall with age.',
      '## Myth: Snoring is harmless',
      'Snoring can be a sign of apnoea, which raises the pressure of the blood.',
      '## Myth: The brain rests at night',
      'The brain is as active in dreams as it is by day.',
    ]);
    expect(summary).toBe(
      'Studies show that the need for sleep does not fall with age. Refutes: Old people need less sleep; Snoring is harmless; The brain rests at night.',
    );
  });

  it("gives the question of a discussion and an answer that is not the asker's", async () => {
    const { summary } = await analyse('Monstera with fungus gnats', [
      'I have had little flies in my monstera for two months. How do I get rid of fungus gnats in a monstera?',
      '## green · 3 May 2024',
      'Let the top of the soil dry out before you water the monstera again, and the gnats die.',
      '## rose · 4 May 2024',
      'My monstera has never had any gnats at all.',
    ]);
    expect(summary).toBe(
      'I have had little flies in my monstera for two months. Question: How do I get rid of fungus gnats in a monstera? Answer: Let the top of the soil dry out before you water the monstera again, and the gnats die.',
    );
  });

  it("never gives the asker's own words as a reply", async () => {
    const { summary } = await analyse('What oil do you burn?', [
      'I have burned colza for years, and now the price has doubled within one winter. What do you burn?',
      '## tomreed · 4 March 2025',
      'It smells in mine, whatever I do with the wick, so I went back to it.',
    ]);
    expect(summary).toBe(
      'I have burned colza for years, and now the price has doubled within one winter. Question: What oil do you burn?',
    );
  });

  it('takes the sentences of a paper from its abstract', async () => {
    const { summary } = await analyse('Finding relations', [
      '## Abstract',
      'We propose a technique that discovers relations between the names in a text. It fills tables without rules. The tables of 300 articles were right in three of four rows.',
      '## 1 Background',
      'Finding relations is a task that many systems of the past have solved with rules by hand.',
      '## 2 Method',
      '## 3 Evaluation',
      '## 4 Results',
    ]);
    expect(summary).toBe(
      'We propose a technique that discovers relations between the names in a text. The tables of 300 articles were right in three of four rows.',
    );
  });

  it('names the chapters of a recording and joins its cues into sentences', async () => {
    const cues = [
      'so the first thing is',
      'that a wet starter ferments',
      'faster than you think',
      'which surprises everyone',
    ];
    const at = (seconds: number) => ({ kind: 'time' as const, seconds });
    const spoken = Array.from({ length: 60 }, (_, i): Block => {
      return { kind: 'caption', text: cues[i % cues.length] ?? '', locator: at(i * 2) };
    });
    const { summary } = await analyse(null, spoken);
    expect(summary?.length).toBeLessThanOrEqual(600);
    expect(summary).toMatch(/a wet starter ferments faster than you think/);
    const chapters = ['Flour', 'Water', 'Time'].map((name): Block => {
      return { kind: 'heading', level: 2, text: `## ${name}`, locator: at(0) };
    });
    expect((await analyse('Sourdough', [...chapters, ...spoken])).summary).toContain('Chapters: Flour; Water; Time.');
  });

  it('is empty where there is nothing to summarise', async () => {
    const contents = '1. [What a starter of flour and water needs](#needs)\n2. [How to feed a starter of flour](#feed)';
    for (const texts of [[], ['# Only a heading'], ['***'], [contents]])
      expect(await analyse(null, texts)).toMatchObject({ summary: null, insights: [] });
  });

  it('repeats nothing and adds missing full stops', async () => {
    const rug = 'A rug of old wool lies under the long table in the hall and keeps the feet warm in winter';
    const wool = 'The wool comes from islands in the north, where sheep stand in the wind all year.';
    const { summary } = await analyse(null, [rug, `${wool}\\[4\\]\\[5\\]`, `${rug}.`, rug]);
    expect(summary).toBe(`${rug}. ${wool}`);
  });

  it('is chosen by word frequency in every language', async () => {
    const german = [
      'Ein Sauerteig lebt von Mehl und Wasser. Füttern Sie ihn jeden Tag mit frischem Mehl. Halten Sie das Glas warm und trocken.',
      'Viele Bäcker bewahren einen Teil davon im Kühlschrank auf. Der älteste bekannte Sauerteig ist über hundert Jahre alt.',
    ];
    for (const language of ['sv', 'de'])
      expect((await analyse('Sauerteig', german, { language })).summary).toMatch(/Sauerteig/);
  });
});

describe('insights', () => {
  it('are at most five claims with numbers or reasons that are not in the summary, each quoted', async () => {
    const facts = Array.from({ length: 12 }, (_, n) => {
      return `Bakery number ${n} in ${['Bonn', 'Ulm', 'Kiel', 'Jena'][n % 4]} bakes ${n * 7 + 3} loaves a day because flour of kind ${n} is cheaper.`;
    });
    const { summary, insights, text } = await analyse(
      'Bakeries',
      facts.map((fact) => `${fact} They like it.`),
    );
    expect(insights.length).toBeGreaterThan(0);
    expect(insights.length).toBeLessThanOrEqual(5);
    for (const insight of insights) {
      expect(text).toContain(insight);
      expect(summary).not.toContain(insight);
      expect(insight).toMatch(/because/);
    }
  });

  it('and summaries may be headings with a statement, but not questions', async () => {
    const { summary, insights } = await analyse('The market for houses next year', [
      'Houses become a little cheaper for people who earn more than they did before the war.',
      '## Home sales will rise by three percent',
      'Brokers in all states expect more people to look for a house in spring.',
      '## How brokers see it',
      'Rents in the south have fallen since the spring of the year before last.',
    ]);
    const said = [summary, ...insights].join(' ');
    expect(said).toContain('Home sales will rise by three percent');
    expect(said).not.toContain('How brokers see it');
  });

  it('are claims, not instructions', async () => {
    const weak = [
      'Feed the starter at least once a week, because a hungry starter turns sour.',
      'You should feed a starter at least once a week, because a hungry one turns sour.',
    ];
    const { insights } = await analyse('Bread', [
      ...weak,
      ...starter,
      'Wheat flour rises higher than rye flour, because its gluten holds more of the gas.',
      'A loaf of rye bread keeps for two weeks, more than twice as long as a loaf of wheat.',
      'Rye ferments faster than wheat because of the minerals that are left in 90 percent of the flour.',
    ]);
    expect(insights.filter((insight) => weak.includes(insight))).toEqual([]);
    expect(insights).not.toEqual([]);
  });

  it('of a short text are what the summary leaves, or advice where there is nothing else', async () => {
    const club = [
      'The club for machine learning was founded by nine students of the university.',
      'The club for machine learning meets on Mondays in the hall of the library.',
      'Half of all members of the club for machine learning found work within a year.',
    ];
    const { summary, insights } = await analyse('The club for machine learning', club);
    expect(insights.filter((insight) => club.includes(insight) && !summary?.includes(insight))).toHaveLength(1);
    const advice = [
      'Ask about the game or the series rather than about marks, because teenagers like to explain.',
      'Cook with your daughter once a week, because hands that are busy let her speak.',
      'Agree on three rules for the telephone, because more than three are never remembered.',
      'Drive your son to his friends yourself, because nobody has to look at anybody in a car.',
      'Leave the door of the study open after supper, because most talks begin by accident.',
      'Read the same book as your children in summer, because it gives you a common enemy.',
      'Write a letter after a quarrel, because 9 of 10 teenagers keep letters from their parents.',
    ];
    expect((await analyse('Talking with teenagers', advice)).insights).not.toEqual([]);
  });

  it('come from the stories of a front page, and name the list item they are about', async () => {
    const stories = ['Bonn', 'Ulm', 'Kiel', 'Jena', 'Köln', 'Mainz'].flatMap((city, n) => [
      `## [News from ${city}](https://example.org/${n})`,
      `Rents in ${city} rose by ${n + 2} percent because fewer flats were built than in the year before.`,
      'The city has built 400 flats fewer than it had promised to its people for the year.',
    ]);
    const { insights } = await analyse('The morning paper of the city', stories);
    expect(insights.length).toBeGreaterThan(2);
    for (const insight of insights) expect(insight).toMatch(/^Rents in/);
  });

  it('do not repeat the actions', async () => {
    const advice = 'Water the herbs in the evening, because the sun burns wet leaves at noon.';
    const { insights } = await analyse('Herbs', [
      advice,
      'Herbs are plants. Thyme was burnt in temples since Greeks liked its smoke.',
    ]);
    expect(insights).not.toContain(advice);
  });

  it('are deduplicated by meaning where there is a sentence model', async () => {
    const asked: string[] = [];
    const compare: CompareMeanings = async (pairs) => {
      asked.push(...pairs.map(({ title }) => title));
      return pairs.map(() => 0.9);
    };
    const { summary, insights } = await analyse('Keeping a sourdough starter', starter, { compare });
    expect(asked).toContain('Keeping a sourdough starter');
    // All of them mean the same.
    expect(summary).toBe('A sourdough starter is a small colony of yeast and bacteria that lives in flour and water.');
    expect(insights).toEqual([]);
    const words = await analyse('Keeping a sourdough starter', starter, { compare: async () => null });
    expect(words).toEqual(await analyse('Keeping a sourdough starter', starter));
    const german = await analyse('Sauerteig', ['Ein Sauerteig lebt von Mehl und Wasser in einem Glas.'], {
      language: 'de',
      compare,
    });
    expect(german.summary).not.toBeNull();
  });
});
