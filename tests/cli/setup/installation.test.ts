import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../../src/settings/config.ts';
import { describeInstallation, installInstructions } from '../../../src/cli/setup/program-location.ts';
import { environmentNote, localServer, serverNote } from '../../../src/cli/setup/local-server.ts';
import type { Machine } from '../../../src/cli/setup/machine.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'commonplace-installed-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function file(path: string, text = ''): string {
  const whole = join(root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, 0o755);
  return whole;
}
const machine = (...folders: string[]): Machine => ({
  platform: 'linux',
  home: root,
  environment: { PATH: folders.map((folder) => join(root, folder)).join(':') },
});
const unpublished = { version: '1.0.0', published: null };

test('a global installation is started by Node and its script', () => {
  const node = file('usr/bin/node');
  const script = file('usr/lib/node_modules/commonplace-mcp/dist/main.js');
  expect(describeInstallation(script, node, machine())).toEqual({
    kind: 'stable',
    program: { command: node, args: [script] },
  });
});

test('a Node in a versioned folder is named by the link that survives an update', () => {
  const node = file('homebrew/Cellar/node/24.1.0/bin/node');
  const script = file('homebrew/lib/node_modules/commonplace-mcp/dist/main.js');
  mkdirSync(join(root, 'homebrew/bin'));
  symlinkSync(node, join(root, 'homebrew/bin/node'));
  expect(describeInstallation(script, node, machine('homebrew/bin'))).toEqual({
    kind: 'stable',
    program: { command: join(root, 'homebrew/bin/node'), args: [script] },
  });
  const other = file('other/bin/node');
  expect(describeInstallation(script, other, machine('homebrew/bin')).program.command).toBe(other);
});

test('with nvm no path survives an update, and the user is told', () => {
  const node = file('.nvm/versions/node/v24.1.0/bin/node');
  const script = file('.nvm/versions/node/v24.1.0/lib/node_modules/commonplace-mcp/dist/main.js');
  const installation = describeInstallation(script, node, machine('.nvm/versions/node/v24.1.0/bin'));
  expect(installation).toEqual({ kind: 'versioned', program: { command: node, args: [script] } });
  expect(serverNote(installation)).toContain('run `commonplace setup` again');
});

test("a package in a versioned folder is started by its manager's shim", () => {
  const node = file('usr/bin/node');
  const script = file('pnpm/global/5/.pnpm/commonplace-mcp@1.0.0/node_modules/commonplace-mcp/dist/main.js');
  file('elsewhere/commonplace', '#!/bin/sh\nexec something-else\n');
  const shim = file(
    'pnpm/commonplace',
    '#!/bin/sh\nexec node "$basedir/global/5/node_modules/commonplace-mcp/dist/main.js" "$@"\n',
  );
  expect(describeInstallation(script, node, machine('elsewhere', 'pnpm'))).toEqual({
    kind: 'stable',
    program: { command: shim, args: [] },
  });
});

test.each(['.npm/_npx/0123456789abcdef', 'Caches/pnpm/dlx/abc', 'tmp/bunx-0-commonplace', 'tmp/xfs-1/dlx-77'])(
  'a copy in %s is written into no configuration',
  (folder) => {
    const script = file(`${folder}/node_modules/commonplace-mcp/dist/main.js`);
    const installation = describeInstallation(script, file('usr/bin/node'), machine());
    expect(installation.kind).toBe('temporary');
    const config = loadConfig({}, {}, 'linux');
    expect(() => localServer(installation, config, machine(), unpublished)).toThrow(/cache.*\n.*not on npm yet/);
    expect(() =>
      localServer(installation, config, machine(), { version: '1.0.0', published: 'commonplace-mcp' }),
    ).toThrow('npm install --global commonplace-mcp');
  },
);

test('no package name is printed before the package is published', () => {
  expect(installInstructions(unpublished)).not.toMatch(/npx|install --global [a-z]/);
});

test('a checkout is started by its dist/main.js, and only when it is built', () => {
  const node = file('work/commonplace-0.1.0/node_modules/node/bin/node');
  const script = file('work/commonplace-0.1.0/dist/main.js');
  const config = loadConfig({ data: '/my/library' }, {}, 'linux');
  const installation = describeInstallation(script, node, machine());
  expect(localServer(installation, config, machine(), unpublished)).toEqual({
    command: node,
    args: [script, 'stdio', '--data', '/my/library', '--manage-tools', 'true', '--analyse-tools', 'true'],
  });
  rmSync(script);
  expect(() => localServer(describeInstallation(script, node, machine()), config, machine(), unpublished)).toThrow(
    'npm run build',
  );
});

test('settings given to setup as flags are part of the command that it writes', () => {
  const node = file('usr/bin/node');
  const script = file('usr/lib/node_modules/commonplace-mcp/dist/main.js');
  const flags = { manageTools: 'true', analyseTools: 'false', trustedProxies: '10.0.0.1, 10.0.0.2' };
  const config = loadConfig(flags, {}, 'linux');
  const { args } = localServer(describeInstallation(script, node, machine()), config, machine(), unpublished);
  expect(args.slice(1).toSorted()).toEqual(
    [
      'stdio',
      '--manage-tools',
      'true',
      '--analyse-tools',
      'false',
      '--trusted-proxies',
      '10.0.0.1,10.0.0.2',
    ].toSorted(),
  );
});

test('variables of this terminal are written as flags, or mentioned', () => {
  const node = file('usr/bin/node');
  const script = file('usr/lib/node_modules/commonplace-mcp/dist/main.js');
  const environment = { XDG_DATA_HOME: '/moved', COMMONPLACE_WORKERS: '2' };
  const config = loadConfig({}, environment, 'linux');
  const server = localServer(
    describeInstallation(script, node, machine()),
    config,
    { ...machine(), environment },
    unpublished,
  );
  expect(server.args).toEqual([
    script,
    'stdio',
    '--data',
    '/moved/commonplace',
    '--manage-tools',
    'true',
    '--analyse-tools',
    'true',
  ]);
  expect(environmentNote(config)).toContain('(workers)');
});
