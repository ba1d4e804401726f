import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noProxies } from '../../src/domain/links/proxies.ts';
import { environmentName, flagName, loadConfig, proxiesOf } from '../../src/settings/config.ts';
import { settings, settingTopics } from '../../src/settings/settings.ts';
import { AppError } from '../../src/errors.ts';

let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'commonplace-config-'));
});

beforeEach(() => rm(join(data, 'config.json'), { force: true }));

afterAll(() => rm(data, { recursive: true, force: true }));

const writeConfig = (content: unknown) =>
  writeFile(join(data, 'config.json'), typeof content === 'string' ? content : JSON.stringify(content));

/** The words with which a configuration is refused. */
function refusal(flags: Record<string, unknown>, environment: Record<string, string> = {}): string {
  try {
    loadConfig({ data, ...flags }, environment);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('a setting', () => {
  it('that is invalid is refused with its source', () => {
    expect(refusal({ workers: 'many' })).toBe('A setting is not valid. --workers: must be a number.');
    expect(refusal({}, { COMMONPLACE_LOG_LEVEL: 'loud' })).toMatch(
      /^A setting is not valid\. COMMONPLACE_LOG_LEVEL: must be one of \w+(?:, \w+)+\.$/,
    );
  });

  it('comes from its flag, else the environment, else config.json, else its default', async () => {
    await writeConfig({ workers: 3, httpPort: 3, fetchMaxMegabytes: 3 });
    const config = loadConfig(
      { data, workers: '1' },
      { COMMONPLACE_WORKERS: '2', COMMONPLACE_HTTP_PORT: '2', COMMONPLACE_LOG_LEVEL: '' },
    );
    expect(config).toMatchObject({ workers: 1, httpPort: 2, fetchMaxMegabytes: 3, logLevel: 'warn' });
    expect(config.origins).toMatchObject({
      data: 'flag',
      workers: 'flag',
      httpPort: 'environment',
      fetchMaxMegabytes: 'config.json',
      logLevel: 'default',
    });
  });

  it('has a valid default', () => {
    const config = loadConfig({ data }, {});
    expect(settings.parse({})).toEqual(
      Object.fromEntries(Object.keys(settings.shape).map((name) => [name, config[name as keyof typeof config]])),
    );
  });

  it.each([
    ['true', true],
    ['1', true],
    ['YES', true],
    [' on ', true],
    ['false', false],
    ['0', false],
    ['No', false],
    ['off', false],
  ])('that is a boolean may be written %j', (text, value) => {
    expect(loadConfig({ data }, { COMMONPLACE_ALLOW_PRIVATE_ADDRESSES: text }).allowPrivateAddresses).toBe(value);
    expect(loadConfig({ data, allowPrivateAddresses: text }, {}).allowPrivateAddresses).toBe(value);
  });

  it('that is a number is read from text', () => {
    expect(loadConfig({ data, fetchMaxMegabytes: ' 2.5 ' }, {}).fetchMaxMegabytes).toBe(2.5);
    expect(loadConfig({ data, claudePrices: '0.2, 1' }, {}).claudePrices).toEqual([0.2, 1]);
    expect(refusal({ claudePrices: '0.2,' })).toContain('--claude-prices: ');
    expect(loadConfig({ data }, { COMMONPLACE_WORKERS: '0' }).workers).toBe(0);
  });

  it('belongs to one topic', () => {
    const listed = settingTopics.flatMap((topic) => Object.keys(topic.settings));
    expect(listed).toEqual(Object.keys(settings.shape));
  });

  it('has one name on each interface', () => {
    expect(environmentName('allowPrivateAddresses')).toBe('COMMONPLACE_ALLOW_PRIVATE_ADDRESSES');
    expect(flagName('allowPrivateAddresses')).toBe('--allow-private-addresses');
    expect(environmentName('data')).toBe('COMMONPLACE_DATA');
  });
});

describe('an invalid value', () => {
  it.each(['', ' ', 'NaN', 'Infinity', '1,5', '2 workers', '-1', '1.5'])('is refused as a whole number: %j', (text) => {
    expect(refusal({ workers: text })).toContain('--workers: ');
  });

  it.each(['maybe', '2', ''])('is refused as a boolean: %j', (text) => {
    expect(refusal({ allowPrivateAddresses: text })).toContain('--allow-private-addresses: ');
  });

  it('is reported together with all others', () => {
    const message = refusal({ workers: '99', logLevel: 'loud' }, { COMMONPLACE_HTTP_PORT: '-1' });
    for (const name of ['--workers', '--log-level', 'COMMONPLACE_HTTP_PORT']) expect(message).toContain(name);
  });

  it('is ignored where a source of higher precedence has a value', async () => {
    await writeConfig({ workers: 99 });
    expect(loadConfig({ data, workers: '4' }, { COMMONPLACE_WORKERS: 'many' }).workers).toBe(4);
  });
});

describe('proxies', () => {
  it('come from the usual environment variables, after all of our own sources', async () => {
    const environment = {
      HTTPS_PROXY: 'http://upper:1',
      https_proxy: 'http://lower:2',
      HTTP_PROXY: 'plain:3128',
      NO_PROXY: 'localhost, .example.org  10.0.0.0/8,,',
    };
    expect(proxiesOf(loadConfig({ data }, environment))).toEqual({
      proxy: 'http://lower:2',
      exceptions: ['localhost', '.example.org', '10.0.0.0/8'],
      resolves: false,
    });
    expect(loadConfig({ data }, environment).origins).toMatchObject({
      proxy: 'environment',
      noProxy: 'environment',
    });
    expect(loadConfig({ data }, { HTTP_PROXY: 'plain:3128' }).proxy).toBe('plain:3128');
    await writeConfig({ proxy: '', noProxy: [], proxyResolves: true });
    expect(loadConfig({ data }, environment).proxy).toBe('');
    expect(proxiesOf(loadConfig({ data }, { ...environment, COMMONPLACE_PROXY: 'http://ours:4' }))).toEqual({
      proxy: 'http://ours:4',
      exceptions: [],
      resolves: true,
    });
  });

  it('are optional, and an invalid address is refused without being shown', () => {
    expect(proxiesOf(loadConfig({ data }, {}))).toEqual(noProxies);
    for (const text of ['http://', 'http://user:hidden%@host', ':hidden:'])
      expect(refusal({}, { https_proxy: text })).toMatch(/^(?!.*hidden).*https_proxy: must be the address of a proxy/);
    expect(loadConfig({ data }, { HTTPS_PROXY: 'socks5h://127.0.0.1:1080' }).proxy).toContain('socks5h');
  });
});

describe('config.json', () => {
  it.each([['workes'], ['constructor'], ['toString'], ['data']])('must not have a setting %j', async (name) => {
    await writeConfig(`{"${name}": 1}`);
    expect(refusal({})).toContain(name);
  });

  it.each(['', '{', '[]', '"text"', 'null', '{"workers": 1,}'])('must be a JSON object: %j', async (text) => {
    await writeConfig(text);
    expect(refusal({})).toContain('not a JSON object');
  });

  it('may begin with a byte order mark', async () => {
    await writeConfig('\ufeff{"workers": 4}');
    expect(loadConfig({ data }, {}).workers).toBe(4);
  });
});

describe('the data folder', () => {
  it('is named by the flag, else the environment, and is absolute', () => {
    expect(loadConfig({ data }, { COMMONPLACE_DATA: '/elsewhere' }).data).toBe(data);
    const fromEnvironment = loadConfig({}, { COMMONPLACE_DATA: data });
    expect(fromEnvironment).toMatchObject({ data, origins: { data: 'environment' } });
    expect(loadConfig({ data: 'some/folder' }, {}).data).toBe(resolve('some/folder'));
    expect(loadConfig({ data: '' }, { COMMONPLACE_DATA: data }).data).toBe(data);
  });

  it('defaults to the platform’s usual folder', () => {
    const home = homedir();
    const of = (platform: NodeJS.Platform, environment = {}) => loadConfig({}, environment, platform);
    expect(of('linux').data).toBe(join(home, '.local', 'share', 'commonplace'));
    expect(of('linux', { XDG_DATA_HOME: data }).data).toBe(join(data, 'commonplace'));
    expect(of('linux', { XDG_DATA_HOME: 'relative' }).data).toBe(join(home, '.local', 'share', 'commonplace'));
    expect(of('darwin').data).toBe(join(home, 'Library', 'Application Support', 'Commonplace'));
    expect(of('win32', { LOCALAPPDATA: data }).data).toBe(join(data, 'Commonplace'));
    expect(of('win32').data).toBe(join(home, 'AppData', 'Local', 'Commonplace'));
    expect(of('linux').origins.data).toBe('default');
    expect(isAbsolute(of('linux').data)).toBe(true);
  });
});
