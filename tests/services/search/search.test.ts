import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/domain/duplicates/simhash.ts';
import { localAccountId } from '../../../src/domain/records/account.ts';
import type { Block } from '../../../src/domain/records/texts/document.ts';
import type { RankBy } from '../../../src/domain/search/query-language.ts';
import type { Embedder } from '../../../src/models/embedding/embedder.ts';
import {
  createSearchService,
  type SearchAnswer,
  type SearchQuery,
  type SearchService,
} from '../../../src/services/search/search.ts';
import { ManualClock } from '../../support/clock.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openStores, rememberingLog, type TestStores } from '../../support/store/stores.ts';

const signal = new AbortController().signal;
let testServer: TestStores;
let search: SearchService;

const subjects = ['sleep', 'money', 'friends', 'running', 'bread', 'letters', 'gardens', 'music', 'rivers', 'stars'];

/** A paragraph on a subject in which the words that are asked for are rarer the further down it stands. */
function paragraphOn(subject: string, position: number, words: number): string {
  const filler = Array.from({ length: words }, (_, index) => `${subject}${position}x${index}`).join(' ');
  return position % 2 === 0 ? `Good habits about ${subject}: ${filler} 🙂.` : `${filler}. A habit "of ${subject}".`;
}

beforeAll(async () => {
  const clock = new ManualClock();
  testServer = await openStores(clock);
  for (const [index, subject] of subjects.entries()) {
    clock.advance(1_000);
    await addFinishedItem(testServer.store, {
      url: `https://example.com/${subject}`,
      about: { title: `On ${subject}` },
      tags: index % 2 === 0 ? ['even', subject] : [subject],
      blocks: paragraphs(
        ...Array.from({ length: 5 }, (_, position) => paragraphOn(subject, position, 20 + index * 12)),
      ),
    });
  }
  await addFinishedItem(testServer.store, {
    url: 'https://www.youtube.com/watch?v=aaaaaaaaaaa',
    about: { contentType: 'youtube', title: `A talk with a very long title ${'and more of it '.repeat(100)}` },
    blocks: Array.from({ length: 4 }, (_, minute): Block => ({
      text: `We talk about good habits, minute ${minute}. ${'talk '.repeat(60)}`,
      kind: 'caption',
      locator: { kind: 'time', seconds: minute * 60 },
    })),
  });
  await addFinishedItem(testServer.store, {
    url: `https://пример.example/${'путь/'.repeat(30)}`,
    about: { title: 'О привычках' },
    tags: Array.from({ length: 20 }, (_, index) => `метка номер ${index} ${'ж'.repeat(40)}`),
    blocks: paragraphs(
      `Good habits: ${'достопримечательность превосходительство '.repeat(25)}`,
      `Habit, и ${'человеконенавистничество '.repeat(40)}`,
    ),
  });
  search = createSearchService(testServer.stores, null, new ManualClock(), rememberingLog());
});

afterAll(() => testServer.close());

function ask(query: Partial<SearchQuery>): Promise<SearchAnswer> {
  return search.search(localAccountId, { query: 'good habits', limit: 10, ...query }, signal);
}

async function walk(query: Partial<SearchQuery>): Promise<SearchAnswer[]> {
  const pages = [await ask(query)];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await ask({ ...query, cursor }));
    expect(pages.length).toBeLessThan(1_000);
  }
  return pages;
}

/** The passages' texts of each item, in the order in which the pages gave them. */
function textsByItem(pages: readonly SearchAnswer[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const { results } of pages) {
    for (const { id, passages } of results)
      texts.set(id, [...(texts.get(id) ?? []), ...passages.map(({ text }) => text)]);
  }
  return texts;
}

/** Whether the pieces, each used once, put every one of the texts together. */
function tile(texts: readonly string[], pieces: readonly string[]): boolean {
  const left = [...pieces];
  for (const text of texts) {
    for (let at = 0; at < text.length;) {
      const next = left.findIndex((piece) => text.startsWith(piece, at));
      if (next === -1) return false;
      at += left.splice(next, 1)[0]?.length ?? 0;
    }
  }
  return left.length === 0;
}

describe('an answer', () => {
  it('has every item once, best first, each with at most three passages, best first', async () => {
    const { results, mode, coverage, nextCursor } = await ask({ limit: 50 });
    expect(results).toHaveLength(12);
    expect(new Set(results.map(({ id }) => id)).size).toBe(12);
    expect(mode).toBe('lexical');
    expect(coverage).toEqual({ searchable: 12, pending: 0, failed: 0 });
    expect(nextCursor).toBeUndefined();
    const best = results.map(({ score }) => score);
    expect(best).toEqual(best.toSorted((a, b) => b - a));
    for (const { score, passages } of results) {
      expect(passages.length).toBeLessThanOrEqual(3);
      const scores = passages.map((passage) => passage.score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores[0]).toBe(score);
    }
  });
});

describe('an answer within a budget', () => {
  const budgets = fc.record({
    maxTokens: fc.integer({ min: 500, max: 20_000 }),
    limit: fc.integer({ min: 1, max: 50 }),
  });

  it('returns every passage exactly once over its pages, each page within the budget', async () => {
    await fc.assert(
      fc.asyncProperty(budgets, async ({ maxTokens, limit }) => {
        const whole = await ask({ limit });
        const pages = await walk({ limit, maxTokens });
        for (const page of pages) {
          expect(JSON.stringify(page).length / 4).toBeLessThanOrEqual(maxTokens);
          expect(page.results.length).toBeGreaterThan(0);
        }
        const pieces = textsByItem(pages);
        expect([...pieces.keys()].sort()).toEqual([...textsByItem([whole]).keys()].sort());
        for (const [id, texts] of textsByItem([whole])) expect(tile(texts, pieces.get(id) ?? [])).toBe(true);
        expect(
          pages
            .flatMap(({ results }) => results.flatMap(({ passages }) => passages.map(({ text }) => text)))
            .every((text) => text.isWellFormed()),
        ).toBe(true);
      }),
      {
        numRuns: 15,
        examples: [[{ maxTokens: 500, limit: 50 }], [{ maxTokens: 501, limit: 1 }], [{ maxTokens: 4_000, limit: 10 }]],
      },
    );
  });

  it('gives the best passage of every item before any second one', async () => {
    const whole = textsByItem([await ask({ limit: 50 })]);
    const roundOf = (id: string, text: string) => {
      const rounds = (whole.get(id) ?? []).flatMap((passage, round) => (passage.includes(text) ? [round] : []));
      // Pieces that stand in several passages tell nothing of the order.
      return rounds.length === 1 ? rounds[0] : undefined;
    };
    for (const maxTokens of [500, 900, 2_000, 4_000]) {
      const seen: { passage: string; round: number; page: number }[] = [];
      for (const [page, { results }] of (await walk({ limit: 50, maxTokens })).entries()) {
        for (const [id, text] of results.flatMap(({ id, passages }) =>
          passages.map(({ text }) => [id, text] as const),
        )) {
          const round = roundOf(id, text);
          const passage = `${id} ${round}`;
          if (round !== undefined && seen.every((one) => one.passage !== passage)) seen.push({ passage, round, page });
        }
      }
      expect(seen.length).toBeGreaterThan(30);
      const tooLate = seen.filter((one) => seen.some(({ round, page }) => round > one.round && page < one.page));
      expect(tooLate).toEqual([]);
    }
  });

  it('shows the window around the words before it omits an item', async () => {
    const own = await openStores(new ManualClock());
    const service = createSearchService(own.stores, null, new ManualClock(), rememberingLog());
    const talk = (word: string) => `This sentence is about ${word} and nothing else that anybody asked about. `;
    for (let index = 0; index < 6; index += 1) {
      const [before, after] = [talk(`rivers${index}`).repeat(8), talk(`stars${index}`).repeat(8)];
      await addFinishedItem(own.store, {
        url: `https://example.com/${index}`,
        about: { title: `Page ${index}` },
        blocks: paragraphs(`${before}The kettle boils at ${index + 90} degrees. ${after}`.trim()),
      });
    }
    const query = { query: 'When does the kettle boil?', limit: 6, maxTokens: 1_500 };
    const { results } = await service.search(localAccountId, query, signal);
    expect(results).toHaveLength(6);
    for (const { passages } of results) {
      const [passage] = passages;
      expect(passage?.isPart).toBe(true);
      expect(passage?.text).toMatch(/^This sentence .*The kettle boils at \d+ degrees\. .*\.$/);
      expect(passage?.highlights?.map(([start, end]) => passage.text.slice(start, end))).toEqual(['kettle boils']);
    }
    await own.close();
  });

  it('cuts a passage only together with its offsets and links', async () => {
    for (const page of await walk({ limit: 50, maxTokens: 500 })) {
      for (const { id, passages } of page.results) {
        const transcript = (await testServer.store.getContent(id))?.transcript ?? '';
        for (const { text, locator } of passages) {
          const slice = locator.kind === 'text' ? transcript.slice(locator.start, locator.end) : text;
          expect(slice).toBe(text);
        }
      }
    }
  });

  it('gives no item more than three pieces on a page, however many are left', async () => {
    const query = { query: 'habit', limit: 50 };
    const pages = [await ask({ ...query, maxTokens: 2_000 })];
    for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor)
      pages.push(await ask({ ...query, maxTokens: 50_000, cursor }));
    for (const { results } of pages) for (const { passages } of results) expect(passages.length).toBeLessThanOrEqual(3);
    const whole = textsByItem([await ask(query)]);
    for (const [id, texts] of textsByItem(pages)) expect(tile(whole.get(id) ?? [], texts)).toBe(true);
  });

  it('accepts a cursor for the same question only', async () => {
    const { nextCursor: cursor } = await ask({ limit: 50, maxTokens: 500 });
    expect(cursor).toBeDefined();
    for (const other of [{ query: 'bad habits' }, { limit: 49 }, { filter: { tag: 'even' } }]) {
      await expect(ask({ limit: 50, maxTokens: 500, cursor, ...other })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    await expect(ask({ limit: 50, maxTokens: 9_000, cursor })).resolves.toBeDefined();
  });
});

describe('an answer that ends where relevance drops', () => {
  it.each([
    ['every passage of which comes near the best', 'good habits about rivers'],
    ['whose match is weak', 'habit chromodynamics lattice gauge symmetry violation'],
  ])('gives the rest with its cursors, each passage once: one %s', async (_, query) => {
    const whole = await ask({ query, limit: 50 });
    const pages = await walk({ query, limit: 50, endsAtFallOff: true });
    expect(pages.length).toBeGreaterThan(1);
    for (const [id, texts] of textsByItem([whole]))
      expect((textsByItem(pages).get(id) ?? []).toSorted()).toEqual(texts.toSorted());
  });

  it('shows the passages that come near the best one', async () => {
    const { results } = await ask({ query: 'good habits about rivers', limit: 50, endsAtFallOff: true });
    const scores = results.flatMap(({ passages }) => passages.map(({ score }) => score));
    expect(scores.filter((score) => score < (scores[0] ?? 0) * 0.6)).toEqual([]);
  });

  it('shows one passage of three items when the match is weak', async () => {
    const query = 'habit chromodynamics lattice gauge symmetry violation';
    const { match, results } = await ask({ query, limit: 50, endsAtFallOff: true });
    expect([match, results.map(({ passages }) => passages.length)]).toEqual(['weak', [1, 1, 1]]);
  });

  it('has no cursor after a weak match that lists all items', async () => {
    const query = 'habit chromodynamics lattice gauge symmetry violation';
    const { match, results, nextCursor } = await ask({ query, limit: 2, endsAtFallOff: true });
    expect([match, results.length, nextCursor]).toEqual(['weak', 2, undefined]);
    // What was asked for whole still has them all.
    const whole = await ask({ query, limit: 2 });
    expect(whole.results.some(({ passages }) => passages.length > 1)).toBe(true);
  });

  it('states that a match is weak, and only then', async () => {
    expect(await ask({ query: 'good habits' })).toMatchObject({ match: 'strong' });
    const weak = await ask({ query: 'habit chromodynamics lattice gauge symmetry violation' });
    expect(weak.match).toBe('weak');
    expect(weak.hint).toContain('Nothing saved has many of these words');
    // A label alone: what was asked for is all there.
    expect(weak.results).toHaveLength(10);
    expect(await ask({ query: 'type:article' })).not.toHaveProperty('match');
  });

  it('has its size counted as written, and refuses a cursor of a full answer', async () => {
    const { nextCursor } = await ask({ maxTokens: 600 });
    await expect(ask({ maxTokens: 600, form: 'lean', cursor: nextCursor })).rejects.toThrow(/cursor/);
    const charactersOf = ({ results }: SearchAnswer) =>
      results.flatMap(({ passages }) => passages).reduce((sum, { text }) => sum + text.length, 0);
    const lean = await ask({ maxTokens: 600, form: 'lean' });
    expect(charactersOf(lean)).toBeGreaterThan(1.1 * charactersOf(await ask({ maxTokens: 600 })));
  });
});

describe('a misspelt query', () => {
  it('is corrected, and the answer says so', async () => {
    const meant = await ask({ query: 'minute habits tag:even -talk' });
    const answer = await ask({ query: 'minutte habits tag:even -talk' });
    expect(answer).toEqual({ ...meant, searchedFor: 'minute habits' });
    expect(answer.results.length).toBeGreaterThan(0);
    expect(meant).not.toHaveProperty('searchedFor');
  });

  it('is unchanged in quotation marks', async () => {
    expect((await ask({ query: 'minutte "habits"' })).searchedFor).toBeUndefined();
  });
});

describe('operators in a query', () => {
  const found = async (query: string) =>
    (await ask({ query, limit: 50 })).results.map(({ url }) => url?.split('/').at(-1));

  it('narrow the results, together with the filters', async () => {
    expect(await found('habit tag:even tag:bread')).toEqual(['bread']);
    expect((await found('habit site:youtube')).map((url) => url?.slice(0, 5))).toEqual(['watch']);
    expect(await found('"of sleep" site:example.com')).toEqual(['sleep']);
    expect(await found('"good habits about sleep" -talk')).toEqual(['sleep']);
    expect((await found('habit "of sleep"'))[0]).toBe('sleep');
    const others = await ask({ query: 'habit -minute type:youtube', filter: { type: 'youtube' } });
    expect(others.results).toEqual([]);
    const even = await ask({ query: 'habit tag:sleep', filter: { tag: 'even' } });
    expect(even.results.map(({ url }) => url)).toEqual(['https://example.com/sleep']);
    expect((await ask({ query: 'habit tag:sleep', filter: { tag: 'odd' } })).results).toEqual([]);
  });

  it('alone list the matches, newest first', async () => {
    expect(await found('tag:even')).toEqual(['rivers', 'gardens', 'bread', 'friends', 'sleep']);
    expect((await ask({ query: 'tag:even', limit: 2 })).results.map(({ passages }) => passages.length)).toEqual([1, 1]);
    expect(await found('after:2100')).toEqual([]);
  });

  it('are not needed for an address, which finds only items saved from it', async () => {
    for (const query of [
      'https://example.com/bread',
      'http://example.com/bread#habits',
      '<https://example.com/bread?utm_source=x>',
    ])
      expect(await found(query)).toEqual(['bread']);
    expect(await found('youtu.be/aaaaaaaaaaa')).toEqual(['watch?v=aaaaaaaaaaa']);
    const { results, mode } = await ask({ query: 'https://example.com/bread' });
    expect({ mode, passages: results.map(({ passages }) => passages.length) }).toEqual({
      mode: 'lexical',
      passages: [1],
    });
    // What was never saved is looked for by its words.
    expect((await found('https://example.com/good-habits')).length).toBeGreaterThan(5);
    expect((await ask({ query: 'https://example.com/bread', filter: { tag: 'bread' } })).results).toHaveLength(1);
    const { id } = await testServer.store.addList({ name: 'Loaves', query: 'tag:bread' });
    const inList = await ask({ query: 'https://example.com/bread', filter: { list: 'Loaves' } });
    expect(inList).toMatchObject({ mode: 'lexical', results: [{ url: 'https://example.com/bread' }] });
    expect(inList).not.toHaveProperty('match');
    await testServer.store.deleteList(id);
  });

  it('match a phrase exactly, where the index has only its stem', async () => {
    expect(await found('"good habit"')).toEqual([]);
    expect((await found('"good habits"')).length).toBeGreaterThan(5);
  });

  it('prefer quoted words inside a longer question, and omit nothing', async () => {
    const plain = await found('what is said of good habits');
    expect((await found('what is said of "good habit"')).toSorted()).toEqual(plain.toSorted());
    expect((await found('what is said of "no such words" and habits')).length).toBeGreaterThan(0);
  });
});

describe('a query of symbols', () => {
  it('lists passages with its symbols, newest first, and shows where they are', async () => {
    const { results, mode } = await ask({ query: '🙂', limit: 50 });
    expect(mode).toBe('lexical');
    expect(results.map(({ url }) => url?.split('/').at(-1))).toEqual(subjects.toReversed());
    for (const { passages } of results)
      for (const { text, highlights = [] } of passages)
        expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual(['🙂']);
    expect((await ask({ query: '🙂 tag:even', limit: 50 })).results).toHaveLength(5);
    expect((await ask({ query: '🙂\ufe0f', limit: 50 })).results).toHaveLength(10);
  });

  it.each(['🎉', '🙂 🎉', '→', '???', '=>', '.', '\0', '\ud800', '\ufe0f', '""'])(
    'finds nothing for %j',
    async (query) => {
      expect((await ask({ query })).results).toEqual([]);
    },
  );
});

describe('an answer after the library has changed', () => {
  it('does not continue from a place in another order', async () => {
    const own = await openStores(new ManualClock());
    const service = createSearchService(own.stores, null, new ManualClock(), rememberingLog());
    const text = (index: number) => `Habit number ${index}: ${'word '.repeat(150)}`;
    for (let index = 0; index < 5; index += 1) {
      await addFinishedItem(own.store, { url: `https://example.com/${index}`, blocks: paragraphs(text(index)) });
    }
    const query = { query: 'habit', limit: 10, maxTokens: 500 };
    const { nextCursor: cursor } = await service.search(localAccountId, query, signal);
    await addFinishedItem(own.store, { url: 'https://example.com/new', blocks: paragraphs('Habit habit habit') });
    await expect(service.search(localAccountId, { ...query, cursor }, signal)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await own.close();
  });

  describe('pages with one fingerprint', () => {
    /** Sentences about habits: each has words that no other has. */
    const about = (subject: string, sentences: number) =>
      Array.from({ length: sentences }, (_, nth) =>
        Array.from({ length: 30 }, (_, word) => (word === 7 ? 'habits' : `${subject}${nth}x${word}`)).join(' '),
      );

    /** @param isCopy whether the pages are marked as copies of the first */
    async function answersOf(isCopy: boolean, ...pages: readonly (readonly string[])[]) {
      const own = await openStores(new ManualClock());
      const service = createSearchService(own.stores, null, new ManualClock(), rememberingLog());
      const fingerprint = fingerprintOf((pages[0] ?? []).join(' '));
      const ids: string[] = [];
      for (const page of pages)
        ids.push(
          await addFinishedItem(own.store, {
            url: `https://example.com/${ids.length}`,
            blocks: paragraphs(...page),
            fingerprint,
          }),
        );
      for (const id of ids.slice(1))
        expect((await own.store.getContentSummary(id))?.duplicateOf).toBe(isCopy ? ids[0] : null);
      const found = async (query: string) =>
        (await service.search(localAccountId, { query, limit: 10 }, signal)).results.map(({ id }) => ids.indexOf(id));
      const answers = { habits: await found('habits'), newest: await found('type:article') };
      await own.close();
      return answers;
    }

    it('are all shown when their words differ', async () => {
      const answers = await answersOf(false, about('real', 6), about('made', 6), about('other', 1));
      expect(answers.habits.toSorted()).toEqual([0, 1, 2]);
      expect(answers.newest.toSorted()).toEqual([0, 1, 2]);
    });

    it('are shown once with the same words, edited slightly, split elsewhere, or in another frame', async () => {
      const page = about('real', 40);
      const edited = page.map((sentence) => sentence.replace('x20 ', 'x20 edited '));
      const joined = Array.from({ length: 20 }, (_, nth) => edited.slice(nth * 2, nth * 2 + 2).join(' '));
      const framed = ['Menu, search, sign in', ...page, 'Read next: nothing of this kind'];
      const { habits } = await answersOf(true, page, joined, framed, edited);
      expect(habits).toHaveLength(1);
    });
  });
});

describe('an item with hundreds of passages on a subject', () => {
  it('does not crowd out the others', async () => {
    const own = await openStores(new ManualClock());
    const service = createSearchService(own.stores, null, new ManualClock(), rememberingLog());
    await addFinishedItem(own.store, {
      url: 'https://example.com/book',
      blocks: paragraphs(...Array.from({ length: 450 }, (_, page) => `Habits, habits: page ${page}.`)),
    });
    for (let index = 0; index < 4; index += 1) {
      await addFinishedItem(own.store, {
        url: `https://example.com/${index}`,
        blocks: paragraphs(`One word on habits among ${index} others: ${'and so on and on '.repeat(20)}`),
      });
    }
    const { results } = await service.search(localAccountId, { query: 'habits', limit: 10 }, signal);
    expect(results).toHaveLength(5);
    expect(results[0]?.url).toBe('https://example.com/book');
    await own.close();
  });
});

describe('search by words and meaning', () => {
  const embedderThat = (embedQuery: Embedder['embedQuery']): Embedder => ({
    id: 'two-1',
    dimensions: 2,
    languages: null,
    embedPassages: async (texts) => texts.map(() => Float32Array.of(1, 0)),
    embedQuery,
    close: async () => undefined,
  });
  const pointing = (x: number, y: number) => embedderThat(async () => Float32Array.of(x, y));
  const log = rememberingLog();
  const searchWith = (embedder: Embedder, query: string, stop = signal) =>
    createSearchService(testServer.stores, embedder, new ManualClock(), log).search(
      localAccountId,
      { query, limit: 50 },
      stop,
    );

  it('uses words alone until something is embedded', async () => {
    const asked: string[] = [];
    const answer = await searchWith(
      embedderThat(async (text) => {
        asked.push(text);
        return Float32Array.of(1, 0);
      }),
      'good habits',
    );
    expect(answer.mode).toBe('lexical');
    expect(asked).toEqual([]);
  });

  it('uses words alone while most passages wait for a vector, and counts them', async () => {
    const all = await testServer.store.listPassagesToEmbed('two-1', 10_000);
    await testServer.store.keepVectors('two-1', [{ passageId: all[0]!.passageId, vector: Float32Array.of(1, 0) }]);
    const answer = await searchWith(pointing(1, 0), 'good habits');
    expect(answer.mode).toBe('lexical');
    expect(answer.coverage.passagesToEmbed).toBe(all.length - 1);
  });

  it('finds passages without any of the words once they are embedded', async () => {
    const rest = await testServer.store.listPassagesToEmbed('two-1', 10_000);
    await testServer.store.keepVectors(
      'two-1',
      rest.map(({ passageId }) => ({ passageId, vector: Float32Array.of(0, 1) })),
    );
    const answer = await searchWith(pointing(1, 0), 'zzzz');
    expect(answer.mode).toBe('hybrid');
    expect(answer.coverage).not.toHaveProperty('passagesToEmbed');
    expect(answer.results[0]?.score).toBeGreaterThan((answer.results[1]?.score ?? 0) + 0.1);
  });

  it('answers with picture-only items only where they have words of the question', async () => {
    const own = await openStores(new ManualClock());
    const blocks = paragraphs('![Barley in June](https://example.com/a.jpg)');
    await addFinishedItem(own.store, { url: 'https://example.com/fields', blocks });
    const [passage] = await own.store.listPassagesToEmbed('two-1', 9);
    await own.store.keepVectors('two-1', [{ passageId: passage!.passageId, vector: Float32Array.of(1, 0) }]);
    const service = createSearchService(own.stores, pointing(1, 0), new ManualClock(), rememberingLog());
    const count = async (query: string, by: RankBy = 'both') =>
      (await service.search(localAccountId, { query, limit: 5 }, signal, by)).results.length;
    expect([await count('zzzz'), await count('barley', 'meaning'), await count('barley')]).toEqual([0, 0, 1]);
    await own.close();
  });

  it('treats unknown words as misspelt only where nothing has their meaning', async () => {
    const near = await searchWith(pointing(1, 0), 'minnutte');
    expect(near).not.toHaveProperty('searchedFor');
    expect(near.results.length).toBeGreaterThan(0);
    const far = await searchWith(pointing(-1, 0), 'minnutte');
    expect(far.searchedFor).toBe('minute');
  });

  it('treats a long word with one mistake as misspelt, whatever has its meaning', async () => {
    const asked: string[] = [];
    const near = await searchWith(
      embedderThat(async (text) => {
        asked.push(text);
        return Float32Array.of(1, 0);
      }),
      'minutte',
    );
    expect(near).toMatchObject({ searchedFor: 'minute', mode: 'hybrid' });
    expect(asked).toEqual(['minutte', 'minute']);
    for (const query of ['talkk', 'minutte kubernetes']) {
      expect(await searchWith(pointing(1, 0), query)).not.toHaveProperty('searchedFor');
      expect(await searchWith(pointing(-1, 0), query)).toHaveProperty('searchedFor');
    }
  });

  it('uses words alone when the question cannot be embedded, and says so', async () => {
    const answer = await searchWith(
      embedderThat(() => Promise.reject(new Error('no memory'))),
      'good habits',
    );
    expect(answer.mode).toBe('lexical');
    expect(answer.results).toHaveLength(12);
    expect(log.entries.map(({ level }) => level)).toEqual(['warn']);
  });

  it('ends when it is cancelled', async () => {
    const stop = new AbortController();
    const answer = searchWith(
      embedderThat(async (_text, given) => {
        stop.abort();
        given.throwIfAborted();
        return Float32Array.of(1, 0);
      }),
      'good habits',
      stop.signal,
    );
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is not corrected unless a person has just typed it', async () => {
    expect((await ask({ query: 'minutte habits tag:even -talk', asWritten: true })).searchedFor).toBeUndefined();
  });
});
