import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ContentItem } from '../../../src/domain/records/content.ts';
import type { List } from '../../../web/data/records.ts';
import { runBuilt } from '../../support/command.ts';
import { runCommand } from '../../support/servers/serving.ts';
import { atEnd, homeWithProgram, startTestSite } from './support.ts';

/* Firefox, which playwright-core cannot drive as Debian packages it, by WebDriver BiDi. */

const program = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
if (program === undefined)
  process.stderr.write(
    'NOT TRIED: the extension in Firefox, because there is none (Debian: apt-get install firefox-esr).\n',
  );
const extensionId = 'browser@commonplace.invalid';
/** What Firefox would choose by chance. */
const address = 'moz-extension://11111111-2222-4333-8444-555555555555';

type Call = <Answer>(method: string, params?: object) => Promise<Answer>;

async function startFirefox(path: string, home: string): Promise<Call> {
  const profile = join(home, 'profile');
  mkdirSync(profile);
  const uuids = JSON.stringify({ [extensionId]: new URL(address).hostname });
  writeFileSync(
    join(profile, 'user.js'),
    `user_pref("extensions.webextensions.uuids", ${JSON.stringify(uuids)});
user_pref("datareporting.policy.dataSubmissionEnabled", false);`,
  );
  const flags = ['--headless', '--no-remote', '--profile', profile];
  // Pages of an extension belong to the browser's own.
  const driven = ['--remote-debugging-port', '0', '--remote-allow-system-access'];
  const firefox = spawn(path, [...flags, ...driven], { env: { ...process.env, HOME: home } });
  atEnd(() => firefox.kill('SIGKILL'));
  const url = await new Promise<string>((resolve) => {
    let said = '';
    firefox.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const socket = new WebSocket(`${url}/session`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  atEnd(() => socket.close());
  const waiting = new Map<number, (answer: { result: unknown; error?: string; message?: string }) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as { id?: number; result: unknown };
    waiting.get(answer.id ?? -1)?.(answer);
  });
  let count = 0;
  const call: Call = async (method, params = {}) => {
    count += 1;
    const id = count;
    const answered = new Promise<{ result: unknown; error?: string; message?: string }>((resolve) =>
      waiting.set(id, resolve),
    );
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error}, ${message}`);
    return result as never;
  };
  await call('session.new', { capabilities: {} });
  return call;
}

it.skipIf(program === undefined)(
  'the extension saves in Firefox with the program on this machine, and draws highlights',
  async () => {
    const { home, data } = await homeWithProgram('firefox');
    const sentences = (about: string) =>
      `<p>These words about ${about} are read by a program, and by people.</p>`.repeat(5);
    const site = await startTestSite((request, response) => {
      response.setHeader('content-type', 'text/html');
      if (request.url === '/frame') return void response.end(sentences('frames'));
      response.end(`<!doctype html><title>In Firefox</title><article>${sentences('pages')}<x-card></x-card>
<iframe src="/frame"></iframe></article><form><input name="childNodes" value="typed"></form><script>
document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(sentences('shadow roots'))};
window.commonplace = 'forged';</script>`);
    });
    const extension = join(home, 'extension');
    cpSync('dist/extension/firefox', extension, { recursive: true });
    const manifestFile = join(extension, 'manifest.json');
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as object;
    writeFileSync(manifestFile, JSON.stringify({ ...manifest, host_permissions: ['<all_urls>'] }));

    const call = await startFirefox(program ?? '', home);
    await call('webExtension.install', { extensionData: { type: 'path', path: extension } });
    const open = async (url: string): Promise<string> => {
      const { context } = await call<{ context: string }>('browsingContext.create', { type: 'tab' });
      await call('browsingContext.navigate', { context, url, wait: 'complete' });
      return context;
    };
    const run = async (context: string, expression: string): Promise<unknown> => {
      const answer = await call<{ result?: { value?: unknown } }>('script.evaluate', {
        target: { context },
        expression: `Promise.resolve(${expression}).then((found) => JSON.stringify(found ?? null))`,
        awaitPromise: true,
      });
      return JSON.parse(String(answer.result?.value ?? 'null'));
    };
    const page = await open(`${site}/`);
    const options = await open(`${address}/options.html`);
    const ask = (name: string, input: object) =>
      run(options, `chrome.runtime.sendMessage(${JSON.stringify({ call: name, input })})`) as Promise<{
        answer: never;
      }>;
    const tabId = await run(options, `chrome.tabs.query({ url: 'http://127.0.0.1/*' }).then(([tab]) => tab.id)`);
    const kept: { answer: { id: number } } = await ask('keep', { tabId, tags: ['fox'], notes: '', highlight: false });
    expect(await ask('send', { id: kept.answer.id })).toMatchObject({ answer: { state: 'saved' } });

    const list = () => runCommand<List<ContentItem>>(data, 'list');
    await expect.poll(async () => (await list()).items).toMatchObject([{ status: 'completed', tags: ['fox'] }]);
    const [{ id } = { id: '' }] = (await list()).items;
    const { transcript } = JSON.parse((await runBuilt('show', id, '--json', '--data', data)).stdout) as ContentItem;
    for (const part of ['pages', 'shadow roots', 'frames'])
      expect(transcript).toContain(`These words about ${part} are`);
    expect(transcript).not.toMatch(/typed|forged/);

    await runCommand(data, 'highlight', 'add', id, 'These words about pages');
    expect(await ask('see', { tabId })).toMatchObject({ answer: { known: { item: { id } }, problem: null } });
    expect(await run(page, `[...CSS.highlights.get('commonplace')].map(String)`)).toEqual(['These words about pages']);
  },
);
