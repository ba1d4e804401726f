import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Outcome, runHereWith } from '../support/command.ts';

let data: string;
beforeEach(() => {
  data = join(mkdtempSync(join(tmpdir(), 'commonplace-config-')), 'data');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(join(data, '..'), { recursive: true, force: true });
});

const config = (...words: string[]) => runHereWith('', 'config', ...words, '--data', data);
const piped = (input: string, ...words: string[]) => runHereWith(input, 'config', ...words, '--data', data);
const fileText = () => readFileSync(join(data, 'config.json'), 'utf8');
const file = () => JSON.parse(fileText()) as Record<string, unknown>;
const write = (text: string) => {
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'config.json'), text);
};
const valueOf = async (name: string) => (await config('get', name)).stdout.trim();
const refused = (problem: string | RegExp) => ({
  code: 2,
  stdout: '',
  stderr: expect.stringMatching(problem) as string,
});

describe('config set', () => {
  it('writes a value of the right type into config.json, where it takes effect', async () => {
    expect(await config('set', 'httpPort', '8080')).toMatchObject({ code: 0, stderr: '' });
    expect(await config('set', 'metrics', 'on')).toMatchObject({ code: 0 });
    expect(await config('set', 'allowedHosts', 'a.example, b.example')).toMatchObject({ code: 0 });
    expect(file()).toEqual({
      httpPort: 8080,
      metrics: true,
      allowedHosts: ['a.example', 'b.example'],
    });
    expect(await valueOf('httpPort')).toBe('8080');
    expect(await valueOf('allowedHosts')).toBe('a.example,b.example');
    expect(JSON.parse((await config('get', 'metrics', '--json')).stdout)).toEqual({
      name: 'metrics',
      value: true,
      origin: 'config.json',
    });
    expect((await config()).stdout).toContain('httpPort = 8080  (config.json)');
  });

  it.each([['http-port', '8081'], ['COMMONPLACE_HTTP_PORT', '8081'], ['HTTPPORT', '8081'], ['httpPort=8081']])(
    'accepts a setting by its flag and its variable: %s',
    async (...words) => {
      expect(await config('set', ...words)).toMatchObject({ code: 0 });
      expect(file()).toEqual({ httpPort: 8081 });
    },
  );

  it.each([
    [['httpPort', '70000'], 'httpPort was not changed. httpPort: must be at most 65535'],
    [['httpPort', ''], 'httpPort: must be a number'],
    [['metrics', 'perhaps'], 'metrics: must be true or false'],
    [['logLevel', 'loud'], 'must be one of silent, error, warn, info, debug'],
    [['httpPort'], 'Which value\\? commonplace config set httpPort <value>'],
    [['htpPort', '1'], 'There is no setting "htpPort". Did you mean httpPort\\?'],
    [['maxAttempts', '1'], 'There is no setting "maxAttempts"'],
    [['toString', '1'], 'There is no setting "toString"'],
    [['data', '/elsewhere'], 'use --data or COMMONPLACE_DATA'],
  ])('refuses %j and writes nothing', async (words, problem) => {
    expect(await config('set', ...words)).toMatchObject(refused(problem));
    expect(existsSync(join(data, 'config.json'))).toBe(false);
  });

  it('reads a secret from stdin and shows it nowhere', async () => {
    const secret = 'sk-this-is-never-shown';
    const shown: Outcome[] = [
      await piped(`${secret}\n`, 'set', 'claudeApiKey'),
      await piped(`${secret}\n`, 'set', 'embeddingApiKey', '-', '--json'),
      await config('set', 'objectStoreUrl', secret),
      await config('set', 'databaseUrl', `mysql://${secret}`),
      await config('get', 'claudeApiKey'),
      await config('--json'),
    ];
    expect(shown.map(({ code }) => code)).toEqual([0, 0, 0, 2, 0, 0]);
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain(secret);
    expect(shown[2]?.stderr).toContain('history of the shell');
    expect(file()).toEqual({ claudeApiKey: secret, embeddingApiKey: secret, objectStoreUrl: secret });
    expect(await piped('\n', 'set', 'claudeApiKey')).toMatchObject(refused('Pipe the secret in'));
  });

  it('hides the password of an address', async () => {
    const set = await config('set', 'claudeBaseUrl', 'https://me:hidden@models.example.org/?key=hidden2');
    expect(set).toMatchObject({ code: 0 });
    expect(set.stdout + (await config('get', 'claudeBaseUrl')).stdout).not.toContain('hidden');
  });

  it.skipIf(process.platform === 'win32')(
    'makes the file readable by its owner only when it gets a secret',
    async () => {
      await config('set', 'httpPort', '8080');
      expect(statSync(join(data, 'config.json')).mode & 0o777).toBe(0o600);
      chmodSync(join(data, 'config.json'), 0o644);
      await piped('key', 'set', 'claudeApiKey');
      expect(statSync(join(data, 'config.json')).mode & 0o777).toBe(0o600);
    },
  );

  it('keeps the rest of the file and repairs wrong values', async () => {
    write('\ufeff{"workers": 2, "httpPort": "eighty", "workes": 3}');
    expect(await config('get', 'workers')).toMatchObject(refused('config unset <name>'));
    const set = await config('set', 'httpPort', '80');
    expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining('do not exist: workes') as string });
    expect(fileText()).toBe('{\n  "workers": 2,\n  "httpPort": 80,\n  "workes": 3\n}\n');
    expect(await config('unset', 'workes')).toMatchObject({ code: 0, stderr: '' });
    expect(await valueOf('httpPort')).toBe('80');
  });

  it('refuses to change a file that is not a JSON object', async () => {
    write('{"workers": 2,');
    expect(await config('set', 'httpPort', '80')).toMatchObject(refused('not a JSON object'));
    expect(fileText()).toBe('{"workers": 2,');
  });

  it('says which source takes precedence', async () => {
    vi.stubEnv('COMMONPLACE_HTTP_PORT', '9000');
    const set = await config('set', 'httpPort', '8080');
    expect(set.stdout).toContain('no effect while COMMONPLACE_HTTP_PORT is given');
    expect(await valueOf('httpPort')).toBe('9000');
  });

  it('says that running processes have to be restarted', async () => {
    expect((await config('set', 'httpPort', '8080')).stdout).toContain('until you restart them');
    expect((await config('unset', 'metrics')).stdout).not.toContain('restart');
  });

  it('removes a setting, so that the default applies', async () => {
    await config('set', 'httpPort', '8080');
    expect((await config('unset', 'http-port')).stdout).toContain('httpPort was removed from');
    expect(file()).toEqual({});
    expect(await valueOf('httpPort')).toBe('7878');
    expect(await config('unset', 'httpPort')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is not in') as string,
    });
    expect(await config('unset', 'nothing')).toMatchObject(refused('There is no setting "nothing"'));
  });
});
