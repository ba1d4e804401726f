import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { openTestServer } from '../support/test-server.ts';
import { connectInMemory, type TestClient } from '../support/mcp.ts';

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;
const folder = mkdtempSync(join(tmpdir(), 'commonplace-highlights-'));

beforeAll(async () => {
  testServer = await openTestServer({ embedder: 'none' });
  client = await connectInMemory(testServer.app);
});
afterAll(async () => {
  await client.close();
  await testServer.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = async <T>(tool: string, input: object): Promise<T> => {
  const { text, isError } = await client.call(tool, input);
  expect(isError, text).toBe(false);
  return JSON.parse(text) as T;
};
const refused = async (tool: string, input: object): Promise<string> => {
  const { text, isError } = await client.call(tool, input);
  expect(isError).toBe(true);
  return text;
};
const work = () => testServer.app.worker.runUntilEmpty();

interface Mark {
  id: string;
  quote: string;
  note?: string;
  place?: string;
  at?: string;
}
interface Item {
  id: string;
  highlights?: Mark[];
  highlightsTotal?: number;
  nextCursor?: string;
}

const page = {
  url: 'https://example.com/bread',
  title: 'Bread',
  text: 'Sourdough needs patience above all.\n\nMost of the work is done by time, and not by the baker.',
};

it('an error says what is wrong', async () => {
  expect(await refused('add_highlight', { contentId: 'c_aaaaaaaaaaaaaaaa', quote: 'x' })).toContain('no saved item');
  expect(await refused('update_highlight', { id: 'h_none', note: 'x' })).toContain('no highlight with this id');
  expect(await refused('update_highlight', { id: 'h_none' })).toContain('Nothing to change');
  expect(await refused('delete_highlight', { id: 'h_none' })).toContain('no highlight with this id');
  expect(await refused('list_highlights', { contentId: 'c_aaaaaaaaaaaaaaaa' })).toContain('no saved item');
});

it('an answer has a limited number, and says how many there are', async () => {
  const { id } = await call<Item>('save_content', {
    ...page,
    url: 'https://example.com/long',
    text: Array.from({ length: 60 }, (_, at) => `Sentence number ${at} says something about bread and time.`).join(
      '\n\n',
    ),
  });
  await work();
  for (let at = 0; at < 25; at += 1)
    await call('add_highlight', { contentId: id, quote: `Sentence number ${at} says something about bread and time.` });
  const item = await call<Item>('get_content', { id, maxTokens: 1_000 });
  expect(item.highlights!.length).toBeGreaterThan(0);
  expect(item.highlights!.length).toBeLessThan(20);
  expect(item.highlightsTotal).toBe(25);
  expect(JSON.stringify(item).length / 4).toBeLessThanOrEqual(1_000);
  const rest = await call<Item>('get_content', { id, maxTokens: 1_000, cursor: item.nextCursor });
  expect(rest.highlights).toBeUndefined();
});

it('clippings become a searchable note per book, which grows with the next import', async () => {
  const file = join(folder, 'My Clippings.txt');
  const clipping = (place: number, text: string) =>
    `A Book (Ann Author)\r\n- Your Highlight on Location ${place}-${place + 2} | Added on Thursday, 4 June 2020 14:29:36\r\n\r\n${text}\r\n==========\r\n`;
  const importAll = async () => {
    const outcomes: string[] = [];
    await testServer.app.importing.import(localAccountId, {
      place: file,
      tags: [],
      signal: new AbortController().signal,
      onResults: async (results) => void outcomes.push(...results.map(({ outcome }) => outcome)),
    });
    await work();
    return outcomes;
  };
  writeFileSync(file, clipping(10, 'Xylophones are rarely carried uphill.'));
  expect(await importAll()).toEqual(['taken']);
  expect(await importAll()).toEqual(['skipped']);
  writeFileSync(file, clipping(10, 'Xylophones are rarely carried uphill.') + clipping(90, 'Marimbas never are.'));
  expect(await importAll()).toEqual(['merged']);
  const { results } = await call<{ results: { id: string; title: string }[] }>('search', { query: 'marimbas' });
  expect(results).toMatchObject([{ title: 'A Book' }]);
  const item = await testServer.app.services.library.get(localAccountId, results[0]!.id);
  expect(item.url).toBeNull();
  expect(item.highlights).toMatchObject([
    { quote: 'Xylophones are rarely carried uphill.', place: 'found', createdAt: '2020-06-04T14:29:36.000Z' },
    { quote: 'Marimbas never are.', place: 'found' },
  ]);
});
