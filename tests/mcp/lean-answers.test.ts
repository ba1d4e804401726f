import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContentItem } from '../../src/domain/records/content.ts';
import { localCaller } from '../../src/domain/records/account.ts';
import { callOperation } from '../../src/operations/call.ts';
import { search } from '../../src/operations/search.ts';
import { plainText } from '../../src/domain/text/plain-text.ts';
import type { SearchAnswer } from '../../src/services/search/search.ts';
import { openTestServer } from '../support/test-server.ts';
import { connectInMemory, type TestClient } from '../support/mcp.ts';

/** What a model is shown of a result. */
interface LeanResult {
  id: string;
  url: string;
  author?: string;
  passages: { text: string; at?: string; url?: string }[];
}

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;
let id: string;

const paragraphs = [
  'Plant [garlic](https://shop.example/garlic?utm_source=mail) in October, says [Ann](https://example.com/ann).',
  '![A row of garlic](https://example.com/garlic.jpg)\n\nCover the garlic with straw.[[1]](#note-1) Water it once a week.',
  'Harvest the garlic in July, when **half** of the leaves are brown.',
];

beforeAll(async () => {
  testServer = await openTestServer();
  client = await connectInMemory(testServer.app);
  for (const [index, subject] of ['garlic', 'onions', 'violins', 'comets'].entries()) {
    const text = `# On ${subject}\n\n${paragraphs.join('\n\n').replaceAll('garlic', subject)}`;
    const saved = await client.call('save_content', {
      url: `https://example.com/${subject}`,
      text,
      title: `On ${subject}`,
    });
    if (index === 0) ({ id } = saved.structured as ContentItem);
  }
  await testServer.app.worker.runUntilEmpty();
});
afterAll(async () => {
  await client.close();
  await testServer.close();
});

test('every passage of a lean answer leads back to its slice of the stored text', async () => {
  const query = { query: 'when to plant, cover and harvest garlic', limit: 10 };
  const lean = (await client.call('search', query)).structured as { results: LeanResult[] };
  const full = (await client.call('search', { ...query, detail: 'full' })).structured as unknown as SearchAnswer;
  expect(lean.results.map((result) => result.id)).toEqual(full.results.map((result) => result.id));
  expect(lean.results[0]?.id).toBe(id);
  for (const [index, { passages, url }] of lean.results.entries()) {
    const whole = full.results[index];
    expect(passages).toHaveLength(whole?.passages.length ?? 0);
    for (const [at, passage] of passages.entries()) {
      const { text = '', url: link, locator } = whole?.passages[at] ?? {};
      expect(passage.url ?? `${url}${passage.at ?? ''}`).toBe(link);
      expect(passage.text).not.toMatch(/https?:|utm_|!\[|\[\[/);
      // Its words stand in the slice, which stands in the stored text where the locator says.
      const shown = passage.text.split(/\W+/);
      expect(shown.filter((word) => !text.includes(word))).toEqual([]);
      const { transcript = '' } = (await client.call('get_content', { id: whole?.id, detail: 'full' }))
        .structured as unknown as ContentItem;
      if (locator?.kind !== 'text') throw new Error('the passage of a page has another place');
      expect(transcript.slice(locator.start, locator.end)).toBe(text);
      // Its link quotes words that stand nowhere before.
      const [, quoted = ''] = /#:~:text=([^,]+)/.exec(link ?? '') ?? [];
      const words = decodeURIComponent(quoted);
      expect(plainText(text)).toContain(words);
      expect(plainText(transcript.slice(0, locator.start))).not.toContain(words);
    }
  }
});

test('an answer ends where relevance drops, and its cursor gives the rest', async () => {
  const query = 'harvest garlic';
  const first = (await client.call('search', { query })).structured as { results: LeanResult[]; nextCursor?: string };
  const filled = (await client.call('search', { query, limit: 10 })).structured as { results: LeanResult[] };
  expect(first.results.map((result) => result.id)).toEqual([id]);
  expect(filled.results.length).toBeGreaterThan(1);
  const rest = (await client.call('search', { query, cursor: first.nextCursor })).structured as typeof first;
  expect(rest.results.length).toBeGreaterThan(0);
});

test('an answer says when nothing saved is close', async () => {
  const { structured, text } = await client.call('search', { query: 'mortgage rates of savings banks in Portugal' });
  expect(structured).toMatchObject({ match: 'weak' });
  expect(text).toContain('Nothing saved is close to this question');
  expect((structured as { results: LeanResult[] }).results.length).toBeLessThanOrEqual(3);
});

test('REST and the command line say so too, and omit nothing', async () => {
  const context = { ...testServer.app.services, signal: new AbortController().signal };
  const query = { query: 'mortgage rates of savings banks in Portugal' };
  const overRest = await callOperation(search, 'rest', query, localCaller(), context);
  expect(overRest).toMatchObject({ match: 'weak', hint: expect.stringContaining('Nothing saved is close') });
  const onCommandLine = await callOperation(search, 'cli', query, localCaller(), context);
  expect(onCommandLine).toMatchObject(overRest as object);
  const printed = search.cli?.print(onCommandLine as never) ?? [];
  expect(JSON.stringify(printed)).toContain('Nothing saved is close to this question');
});

test('an item returns its text as stored', async () => {
  const { transcript } = (await client.call('get_content', { id })).structured as ContentItem;
  expect(transcript).toContain('[Ann](https://example.com/ann)');
});

test('an item in an unsupported language says that no actions were searched for', async () => {
  const polish =
    'Otwórz okno każdego ranka na dziesięć minut. Świeże powietrze jest potrzebne każdemu, kto śpi w małym pokoju. Wieczorem zamknij okno i zgaś światło, zanim położysz się spać.';
  const saved = await client.call('save_content', { url: 'https://example.com/okno', text: polish, title: 'Okno' });
  await testServer.app.worker.runUntilEmpty();
  const { id: polishId } = saved.structured as ContentItem;
  const notice = 'and this text is in Polish';
  const lean = (await client.call('get_content', { id: polishId })).structured as {
    warnings?: string[];
    actions?: unknown[];
  };
  expect(lean.warnings).toEqual([expect.stringContaining(notice)]);
  expect(lean.actions).toBeUndefined();
  const full = (await client.call('get_content', { id: polishId, detail: 'full' }))
    .structured as unknown as ContentItem;
  expect(full.analysis?.unread).toContain(notice);
  // English is supported: nothing is said there.
  const english = (await client.call('get_content', { id })).structured as { warnings?: string[] };
  expect(JSON.stringify(english.warnings ?? [])).not.toContain('Things to do were not looked for');
});
