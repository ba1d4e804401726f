import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { applyBrowser, type Browser, browsers, isRegistered, manifestPath } from '../../../src/cli/browser/browsers.ts';
import { runBuiltIn } from '../../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-browsers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

afterEach(() => vi.unstubAllEnvs());

describe('the file that tells a browser of the program', () => {
  it('is written where each browser looks for it', () => {
    const at = (platform: NodeJS.Platform, home: string, environment = {}) =>
      browsers.map((browser) => manifestPath(browser, { platform, home, environment }, { data: String.raw`D:\data` }));
    expect(at('linux', '/home/ann')).toEqual([
      '/home/ann/.config/google-chrome/NativeMessagingHosts/commonplace.json',
      '/home/ann/.config/chromium/NativeMessagingHosts/commonplace.json',
      '/home/ann/.config/microsoft-edge/NativeMessagingHosts/commonplace.json',
      '/home/ann/.config/BraveSoftware/Brave-Browser/NativeMessagingHosts/commonplace.json',
      '/home/ann/.mozilla/native-messaging-hosts/commonplace.json',
    ]);
    const support = '/Users/ann/Library/Application Support';
    expect(at('darwin', '/Users/ann')).toEqual([
      `${support}/Google/Chrome/NativeMessagingHosts/commonplace.json`,
      `${support}/Chromium/NativeMessagingHosts/commonplace.json`,
      `${support}/Microsoft Edge/NativeMessagingHosts/commonplace.json`,
      `${support}/BraveSoftware/Brave-Browser/NativeMessagingHosts/commonplace.json`,
      `${support}/Mozilla/NativeMessagingHosts/commonplace.json`,
    ]);
    expect(at('win32', String.raw`C:\Users\ann`)).toEqual(
      ['chrome', 'chromium', 'edge', 'brave', 'firefox'].map((id) => String.raw`D:\data\browser-host-${id}.json`),
    );
  });

  it.skipIf(process.platform === 'win32')('is named in the Windows registry for each browser', () => {
    const [machine, registry] = [{ platform: 'win32', home: '', environment: {} } as const, join(folder, 'registry')];
    mkdirSync(registry);
    // Keeps a key as a file, and like the program of Windows fails for one that is not there.
    const program = `#!/bin/sh
file="${registry}/$(printf %s "$2" | tr '\\\\' -)"
case $1 in add) printf %s "$7" > "$file";; delete) rm "$file" 2>&1;; query) test -e "$file";; esac`;
    writeFileSync(join(folder, 'reg.exe'), program, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
    const plan = (id: string, after: string | null) => {
      const path = join(folder, `browser-host-${id}.json`);
      const before = existsSync(path) ? readFileSync(path, 'utf8') : null;
      return { browser: browsers.find((browser) => browser.id === id) as Browser, path, before, after };
    };
    const registered = () => ['chrome', 'edge'].filter((id) => isRegistered(plan(id, null), machine));
    for (const id of ['chrome', 'edge']) applyBrowser(plan(id, '{}'), machine, false);
    expect(registered()).toEqual(['chrome', 'edge']);
    const key = 'HKCU-Software-Google-Chrome-NativeMessagingHosts-commonplace';
    expect(readFileSync(join(registry, key), 'utf8')).toBe(join(folder, 'browser-host-chrome.json'));

    rmSync(join(registry, key));
    expect(registered()).toEqual(['edge']);
    applyBrowser(plan('chrome', ''), machine, true);
    applyBrowser(plan('chrome', null), machine, true);
    expect(existsSync(join(folder, 'browser-host-chrome.json'))).toBe(false);
    expect(registered()).toEqual(['edge']);
    applyBrowser(plan('edge', ''), machine, true);
    expect(registered()).toEqual([]);
  });

  it('is written, tried and removed, and admits only our extension', async () => {
    const home = join(folder, 'home of Ann’s');
    const data = join(home, 'data');
    for (const profile of ['.config/chromium', '.mozilla']) mkdirSync(join(home, profile), { recursive: true });
    const run = async (...words: string[]) => {
      const environment = { HOME: home, XDG_CONFIG_HOME: undefined, PATH: '/usr/bin:/bin' };
      const { code, stdout, stderr } = await runBuiltIn(
        environment,
        ...words,
        '--data',
        data,
        '--embedder',
        'none',
        '--json',
      );
      return { code, answer: JSON.parse(stdout || stderr) as Record<string, unknown> };
    };
    const checks = async () => {
      const { checks: all } = (await run('doctor')).answer as { checks: { name: string; state: string }[] };
      return all.filter(({ name }) => name === 'Chromium' || name === 'Firefox').map(({ state }) => state);
    };
    expect(await checks()).toEqual(['optional', 'optional']);
    expect((await run('setup', '--dry-run')).answer['browsers']).toHaveLength(2);
    expect(existsSync(join(data, 'browser-host'))).toBe(false);
    const written = await run('setup', '--yes');
    expect(written).toMatchObject({ code: 0, answer: { browsers: [{ state: 'written' }, { state: 'written' }] } });

    const read = (path: string) => JSON.parse(readFileSync(join(home, path), 'utf8')) as Record<string, unknown>;
    const ofChromium = read('.config/chromium/NativeMessagingHosts/commonplace.json');
    const manifest = JSON.parse(readFileSync('clients/browser/manifest.json', 'utf8')) as {
      chromium: { key: string };
      firefox: { browser_specific_settings: { gecko: { id: string } } };
    };
    // https://developer.chrome.com/docs/extensions/reference/manifest/key
    const digest = createHash('sha256').update(Buffer.from(manifest.chromium.key, 'base64')).digest('hex').slice(0, 32);
    const id = Array.from(digest, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('');
    expect(ofChromium).toMatchObject({
      path: join(data, 'browser-host'),
      allowed_origins: [`chrome-extension://${id}/`],
    });
    const { gecko } = manifest.firefox.browser_specific_settings;
    expect(read('.mozilla/native-messaging-hosts/commonplace.json')).toMatchObject({ allowed_extensions: [gecko.id] });
    expect(statSync(join(data, 'browser-host')).mode & 0o777).toBe(0o755);
    expect(await checks()).toEqual(['ok', 'ok']);
    rmSync(join(data, 'browser-host'));
    expect(await checks()).toEqual(['error', 'error']);

    expect(await run('setup', '--yes')).toMatchObject({ code: 0, answer: { browsers: [{ state: 'unchanged' }, {}] } });
    expect((await run('setup', '--remove', '--yes', '--host', 'firefox')).code).toBe(0);
    expect(await checks()).toEqual(['ok', 'optional']);
    expect((await run('setup', '--remove', '--yes')).code).toBe(0);
    expect(existsSync(join(home, '.config/chromium/NativeMessagingHosts/commonplace.json'))).toBe(false);
    expect(existsSync(join(data, 'browser-host'))).toBe(false);
  });
});
