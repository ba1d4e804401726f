import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { invisible } from '../../fixtures/injections.ts';
import { runBuilt } from '../../support/command.ts';
import { openHttpServer, type HttpTestServer } from '../../support/http.ts';
import { connectInMemory, type TestClient } from '../../support/mcp.ts';
import { stringsOf } from './corpus.ts';

/* Libraries that older versions filled hold invisible characters. They are put into the file itself here: no way in lets them through any more. */

const dirt = '\u001b]8;;https://evil.example\u0007\u202e\u{e0041}\u200b\u3164\u009b31m\u2028';
const text = `Soak the beans overnight.${dirt} Salt keeps their skins whole.`;

let testServer: HttpTestServer;
let client: TestClient;
let id: string;

beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none' }, {}, { llmAnalyst: null });
  client = await connectInMemory(testServer.app);
  const { services, worker } = testServer.app;
  const saved = await services.library.save(
    localAccountId,
    {
      url: 'https://example.com/beans',
      title: 'Beans',
      text: 'Soak the beans overnight. Salt keeps their skins whole.',
    },
    { onProgress: () => undefined, signal: new AbortController().signal },
  );
  id = saved.id;
  await worker.runUntilEmpty();
  await services.goals.add(localAccountId, { title: 'Cook', category: 'Health' });
  const file = openRaw(join(testServer.folder, 'accounts', `${localAccountId}.db`));
  file.prepare('UPDATE documents SET title = ?, author = ?, text = ?').run(`Beans${dirt}`, `Ann${dirt}`, text);
  file.prepare('UPDATE items SET notes = ?').run(`Read${dirt}`);
  file.prepare('UPDATE goals SET title = ?').run(`Cook${dirt}`);
  file.close();
});
afterAll(async () => {
  await client.close();
  await testServer.close();
});

function expectClean(answer: unknown): void {
  const strings = stringsOf(answer);
  expect(strings.length).toBeGreaterThan(0);
  for (const one of strings) expect(one).not.toMatch(invisible);
}

test.each([
  ['get_content', () => ({ id })],
  ['fetch', () => ({ id })],
  ['list_content', () => ({})],
  ['search', () => ({ query: 'beans' })],
  ['list_goals', () => ({})],
  ['next_to_analyse', () => ({})],
])('%s answers without invisible text', async (name, input) => {
  const answer = await client.call(name, input());
  expect(answer.isError, answer.text).toBe(false);
  expectClean(answer.structured);
  expectClean(JSON.parse(answer.text));
});

test('a text keeps its length, so that offsets into it stay valid', async () => {
  const { structured } = await client.call('get_content', { id });
  const { transcript } = structured as { transcript: string };
  expect(transcript).toHaveLength(text.length);
  expect(transcript.indexOf('Salt')).toBe(text.indexOf('Salt'));
});

test('prompts, resources and REST answer without invisible text', async () => {
  for (const said of [
    await client.getPrompt('weekly_review', {}),
    await client.getPrompt('what_do_i_know_about', { topic: `beans${dirt}` }),
    await client.readResource(`commonplace://content/${id}/transcript`),
  ])
    expect(said).not.toMatch(invisible);
  expectClean(JSON.parse(await client.readResource(`commonplace://content/${id}`)));
  expectClean(JSON.parse(await client.readResource('commonplace://goals')));
  for (const path of ['/content', `/content/${id}`, '/goals', `/content?${encodeURIComponent(dirt)}=1`]) {
    const { body } = await testServer.ask(path);
    expectClean(body);
  }
});

test('a terminal gets no control characters, and --json has no invisible text', async () => {
  for (const args of [['show', id], ['list'], ['search', 'beans'], ['goals'], ['show', `c_${dirt}`]]) {
    const shown = await runBuilt(...args, '--data', testServer.folder);
    expect(shown.stdout + shown.stderr).not.toMatch(invisible);
    const json = await runBuilt(...args, '--json', '--data', testServer.folder);
    expectClean(JSON.parse(json.stdout || json.stderr));
  }
});
